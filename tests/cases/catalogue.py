"""The catalogue of adjudication cases, and what it means for an answer to meet an expectation.

A case is a turn sheet and the part of the answer that the rulebook settles. Only what a case states is compared:

- `verdict` always; a legal case may have no finding that is illegal, unread or doubtful.
- `findings`: each needs an illegal finding (or one of its `severity`) under its rule or a subsection of it (a list
  of rules: any of them), whose message contains what it `says` and whose data what it `rests_on`, and one of those
  on its `line` where it names one. What stands under no rule (`""`) is a line that cannot be read.
- `combats`, `moves`: in order, as many as stated (no more, in a legal case); of each only the fields stated. Names
  of columns are compared without blanks and dash styles, results as sets of codes, `shifts` as a net number or rule
  by rule and in sum.
- `position`, `air`, `score`: the entries stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

HOME = Path(__file__).parent
FILES = tuple(sorted(p for p in HOME.glob("*.yaml") if p.stem != "normandy"))
"""The files of turn sheets. Those of `normandy.yaml` are predicates, for which the notation has no words yet."""

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


@dataclass(frozen=True)
class Case:
    """One entry of the catalogue."""

    id: str
    title: str
    sheet: str
    expect: Mapping[str, Any]
    carried: bool = False
    """Whether later figures follow from the mistake, so that more findings than the expected one are right."""


def cases(files: Iterable[Path] = FILES) -> Iterator[Case]:
    """All cases, in the order of the files."""
    for path in files:
        yield from _of(path)


@cache
def _of(path: Path) -> tuple[Case, ...]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with path.open(encoding="utf-8") as file:
        return tuple(
            Case(item["id"], item.get("title", ""), item["sheet"], item["expect"], item.get("carried", False))
            for item in yaml.load(file, Loader=loader)["cases"]
        )


def differences(case: Case, answer: Mapping[str, Any]) -> list[str]:
    """What in an answer is not as the case expects; empty if all is."""
    want = case.expect
    legal = want["verdict"] == "legal"
    found = [] if answer["verdict"] == want["verdict"] else [f"verdict {answer['verdict']}, not {want['verdict']}"]
    if legal:
        bad = [f for f in answer["findings"] if f["severity"] in ("illegal", "unread", "doubtful")]
        found += [f"{f['severity']} {f['rule']} line {f['line']}: {f['message']}" for f in bad]
    found += _findings(want.get("findings", ()), answer["findings"])
    if "combats" in want:
        found += _sequence("combat", want["combats"], answer["combats"], exact=legal)
    if "moves" in want:
        found += _sequence("move", want["moves"], answer["moves"], exact=legal)
    for unit, state in want.get("position", {}).items():
        found += _unit(unit, state, answer["position"].get(unit))
    for purse in ("air", "score"):
        for side, points in want.get(purse, {}).items():
            if answer[purse].get(side) != points:
                found.append(f"{purse} of {side} {answer[purse].get(side)}, not {points}")
    return found


def unexpected(case: Case, answer: Mapping[str, Any]) -> list[str]:
    """Illegal findings of an answer that the case, if it is illegal, does not expect."""
    if case.carried or case.expect["verdict"] != "illegal":
        return []
    wanted = [w["rule"] for w in case.expect.get("findings", ())]
    sections = [s for rule in wanted for s in ([rule] if isinstance(rule, str) else rule)]
    return [
        f"unexpected: {f['rule']} line {f['line']}: {f['message']}"
        for f in answer["findings"]
        if f["severity"] == "illegal" and not any(_under(f["rule"], s) for s in sections)
    ]


def _under(rule: str, section: str) -> bool:
    """Whether a citation is a section or lies below it: `B 4.1.2` is under `B 4.1`, `B 4.10` is not."""
    return re.fullmatch(re.escape(section) + r"(\D.*)?", rule) is not None


def _findings(wanted: Iterable[Mapping[str, Any]], given: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    all_given = list(given)
    for want in wanted:
        severity = want.get("severity", "illegal")
        faults = [
            f for f in all_given if f["severity"] == severity or (f["severity"] == "unread" and not f["rule"])
        ]
        sections = [want["rule"]] if isinstance(want["rule"], str) else want["rule"]
        fitting = [f for f in faults if any(_under(f["rule"], s) for s in sections)]
        fitting = [f for f in fitting if want.get("says", "") in f["message"]]
        fitting = [f for f in fitting if want.get("rests_on", "") in f["rests_on"]]
        if not fitting:
            others = ", ".join(f"{f['rule']} {f['message']} ({f['rests_on']})" for f in faults) or "none"
            yield f"nothing {severity} as wanted under {' or '.join(sections)} ({severity}: {others})"
        elif "line" in want and want["line"] not in {f["line"] for f in fitting}:
            lines = ", ".join(str(f["line"]) for f in fitting)
            yield f"finding under {sections[0]} on line {lines}, not {want['line']}"


def _sequence(
    name: str, wanted: list[Mapping[str, Any]], given: list[Mapping[str, Any]], *, exact: bool
) -> Iterator[str]:
    for number, (want, got) in enumerate(zip_longest(wanted, given), 1):
        if got is None or (want is None and exact):
            yield f"{len(given)} {name}s, not {len(wanted)}"
            return
        if want is None:
            return
        for field, value in want.items():
            if field == "shifts":
                yield from _shifts(f"{name} {number}", value, got["shifts"])
            elif _plain(field, got.get(field)) != _plain(field, value):
                yield f"{name} {number}: {field} {got.get(field)}, not {value}"


def _plain(field: str, value: Any) -> Any:
    """A field's value in the form in which it is compared."""
    if value is None:
        return None
    if field in ("odds", "column"):
        text = re.sub(r"\s", "", str(value)).translate(_DASHES).replace(":", "-")
        return re.sub(r"-∞$", "+", text)
    if field == "result":
        return sorted(re.findall("[A-Z]+", value))
    if field == "units":
        return sorted(value)
    return value


def _shifts(where: str, want: Any, got: list[Mapping[str, Any]]) -> Iterator[str]:
    """`want` is a net number, or a list to be met rule by rule and in sum."""
    by_rule: dict[str, int] = {}
    for shift in got:
        by_rule[shift["rule"]] = by_rule.get(shift["rule"], 0) + shift["columns"]
    net = want if isinstance(want, int) else sum(s["columns"] for s in want)
    if sum(by_rule.values()) != net:
        yield f"{where}: shifts {by_rule} make {sum(by_rule.values()):+d}, not {net:+d}"
    if isinstance(want, list):
        wanted: dict[str, int] = {}
        for shift in want:
            wanted[shift["rule"]] = wanted.get(shift["rule"], 0) + shift["columns"]
        for rule, columns in wanted.items():
            mine = sum(n for r, n in by_rule.items() if _under(r, rule))
            if mine != columns:
                yield f"{where}: shift under {rule} is {mine:+d}, not {columns:+d}"


def _unit(unit: str, want: Mapping[str, Any], got: Mapping[str, Any] | None) -> Iterator[str]:
    if got is None:
        yield f"{unit} is not in the position"
        return
    for field, value in want.items():
        if got.get(field) != value:
            yield f"{unit}: {field} {got.get(field)}, not {value}"
