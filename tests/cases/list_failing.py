"""Print what is wrong with the answer to each failing case; with `--write`, renew `known_failing.txt`.

    python -m tests.cases.list_failing [--write] [--no-extra] [REGEX]

`--no-extra` also counts illegal findings that an illegal case does not expect.
"""

from __future__ import annotations

import re
import sys

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from tests.cases.catalogue import HOME, cases, differences, unexpected


def main(arguments: list[str]) -> int:
    """Exit status 1 if any case failed."""
    patterns = [a for a in arguments if not a.startswith("--")]
    failing: list[str] = []
    count = 0
    for case in cases():
        if not all(re.search(p, case.id) for p in patterns):
            continue
        count += 1
        try:
            answer = judge(read_sheet(case.sheet)).as_json()
            found = differences(case, answer)
            if "--no-extra" in arguments:
                found += unexpected(case, answer)
        except Exception as error:  # a case that breaks the referee must not hide the others
            found = [f"{type(error).__name__}: {error}"]
        if found:
            failing.append(case.id)
            print(f"{case.id}: {'; '.join(found)}")
    print(f"{count - len(failing)} passed, {len(failing)} failed")
    if "--write" in arguments and not patterns:
        (HOME / "known_failing.txt").write_text("".join(f"{c}\n" for c in failing), encoding="utf-8")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
