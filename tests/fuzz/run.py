"""Search for inputs that the VASSAL readers cannot bear, guided by coverage.

Usage: python tests/fuzz/run.py [seconds] [folder for findings]

What it finds belongs into `corpus/`, where an ordinary test reads it ever after.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["hexforge.modulegen.vassal"]):
    import target

CORPUS = Path(__file__).resolve().parent / "corpus"


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    findings = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="fuzz-")
    Path(findings).mkdir(parents=True, exist_ok=True)
    flags = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=65536"]
    flags += [f"-artifact_prefix={findings}/", "-print_final_stats=1"]
    # New inputs go to the first folder, so that the corpus in the project stays as it is.
    with tempfile.TemporaryDirectory() as grown:
        atheris.Setup([sys.argv[0], *flags, grown, str(CORPUS)], target.one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
