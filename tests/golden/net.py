"""Asks everything, keeps the answers, and shows in what they differ from those that were kept."""

from __future__ import annotations

import difflib
import json
import lzma
import os
import pickle
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from .asking import FAILED, ROOT, Asked, digest
from .subjects import SUBJECTS

HOME = Path(__file__).parent
KEPT = HOME / "kept"
CHANGES = HOME / "changes.md"
PROCESSES = 2
LONGEST_SHOWN = 60
MOST_NAMED = 12
Answers = dict[str, str]


@dataclass(frozen=True)
class Difference:
    """What one input is answered otherwise than before; "" is what is not asked, or was not."""

    subject: str
    name: str
    before: str
    now: str

    def lines(self) -> list[str]:
        """What went and came, as a unified diff without its head."""
        if not self.before or not self.now:
            return [f"{'+ new' if self.now else '- gone'}: {self.subject} {self.name}"]
        if failures := _failures(self.now):
            return [f"+{line}" for line in failures]
        return list(difflib.unified_diff(self.before.splitlines(), self.now.splitlines(), lineterm="", n=2))[2:]

    def change(self) -> tuple[str, ...]:
        """What went and came, wherever it stands: the same in all that differ for the same reason."""
        if not self.before or not self.now:
            return (self.subject, "new" if self.now else "gone")
        return tuple(line for line in self.lines() if line[0] in "+-")


def _failures(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(FAILED)]


# ------------------------------------------------------------------------------------------------------ asking


def asked_of(subjects: Iterable[str]) -> dict[str, list[Asked]]:
    return {subject: list(SUBJECTS[subject]()) for subject in subjects}


def answered(asked: Mapping[str, Sequence[Asked]], processes: int = PROCESSES) -> dict[str, Answers]:
    """The answers by subject and name.

    Groups that begin alike are asked in a process of their own: it loads their game once, and knows of no game that
    another has made known by name.
    """
    groups = defaultdict[str, list[tuple[str, Asked]]](list)
    for subject, questions in asked.items():
        for one in questions:
            groups[one.group.partition("-")[0]].append((subject, one))
    found: dict[str, Answers] = {subject: {} for subject in asked}
    longest_first = sorted(groups.values(), key=lambda group: -sum(one.work for _, one in group))
    with TemporaryDirectory(prefix="golden-cache-") as cache, ThreadPoolExecutor(processes) as threads:
        for group, answers in zip(
            longest_first, threads.map(lambda g: _asked_apart(g, cache), longest_first), strict=True
        ):
            for (subject, one), text in zip(group, answers, strict=True):
                found[subject][one.name] = text
    return found


def _asked_apart(group: Sequence[tuple[str, Asked]], cache: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-m", "tests.golden.asking"],
        input=pickle.dumps([one for _, one in group]),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": cache},
        check=True,
    )
    told: list[str] = json.loads(run.stdout)
    return told


# ----------------------------------------------------------------------------------------------------- keeping


def digests(subject: str) -> dict[str, str]:
    """Those that are kept, by name."""
    path = KEPT / f"{subject}.txt"
    rows = path.read_text("utf-8").splitlines() if path.exists() else ()
    return {name: found for found, _, name in (row.partition(" ") for row in rows)}


def kept(subject: str) -> Answers:
    """The answers that are kept, by name."""
    path = KEPT / f"{subject}.jsonl.xz"
    if not path.exists():
        return {}
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return dict(json.loads(line) for line in file)


def keep(subject: str, answers: Answers) -> None:
    KEPT.mkdir(exist_ok=True)
    names = sorted(answers)
    lines = "".join(f"{short(answers[name])} {name}\n" for name in names)
    (KEPT / f"{subject}.txt").write_text(lines, "utf-8")
    whole = "".join(json.dumps([name, answers[name]], ensure_ascii=False) + "\n" for name in names)
    (KEPT / f"{subject}.jsonl.xz").write_bytes(lzma.compress(whole.encode("utf-8", "backslashreplace"), preset=9))


def short(text: str) -> str:
    return digest(text.encode("utf-8", "backslashreplace"))[:12]


# --------------------------------------------------------------------------------------------------- comparing


def differences(now: Mapping[str, Answers], *, part: bool = False) -> list[Difference]:
    """What is answered otherwise than is kept. Of a `part` nothing is missed, and nothing is new."""
    found = []
    for subject, answers in now.items():
        were = digests(subject)
        names = [
            name for name, text in answers.items() if were.get(name, "" if part else None) not in (short(text), "")
        ]
        names += [] if part else [name for name in were if name not in answers]
        before = kept(subject) if names else {}
        found += [Difference(subject, name, before.get(name, ""), answers.get(name, "")) for name in sorted(names)]
    return found


def shown(found: Sequence[Difference], *, whole: bool = False) -> Iterator[str]:
    """Differences for reading: those that are the same are shown once, the most frequent first."""
    alike = defaultdict[tuple[str, ...], list[Difference]](list)
    for one in found:
        alike[one.change()].append(one)
    for members in sorted(alike.values(), key=len, reverse=True):
        names = [f"{one.subject} {one.name}" for one in members]
        more = len(names) - MOST_NAMED
        yield f"=== {len(members)} so: " + ", ".join(
            names if whole or more <= 0 else [*names[:MOST_NAMED], f"{more} more"]
        )
        lines = members[0].lines()
        yield from lines if whole else lines[:LONGEST_SHOWN]
        if len(lines) > LONGEST_SHOWN and not whole:
            yield f"… {len(lines) - LONGEST_SHOWN} lines more"


def failed(now: Mapping[str, Answers]) -> list[str]:
    """What ended in an error that no command says."""
    return [
        f"{subject} {name}" for subject, answers in now.items() for name, text in answers.items() if FAILED in text
    ]


def accept(now: Mapping[str, Answers], why: str) -> list[Difference]:
    """Keeps what is answered now, and notes how much changed, and why."""
    found = differences(now)
    for subject in {one.subject for one in found}:
        keep(subject, now[subject])
    if found:
        with CHANGES.open("a", encoding="utf-8") as file:
            file.write("\n".join(_note(found, why)) + "\n")
    return found


def _note(found: Sequence[Difference], why: str) -> Iterator[str]:
    counted = "1 answer" if len(found) == 1 else f"{len(found)} answers"
    yield f"\n## {datetime.now(UTC):%Y-%m-%d}: {counted}\n\n{why}\n"
    by_subject = defaultdict[str, list[str]](list)
    for one in found:
        by_subject[one.subject].append(one.name)
    for subject, names in by_subject.items():
        more = len(names) - MOST_NAMED
        named = ", ".join(names if more <= 0 else [*names[:MOST_NAMED], f"{more} more"])
        yield f"- `{subject}` {len(names)}: {named}"
