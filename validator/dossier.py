"""All there is to know of one game: the answer on it, the logs that it was played in, and where it belongs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from hexforge.validator.report.answer import Answer

if TYPE_CHECKING:
    from hexforge.validator.judging import Work
    from hexforge.validator.transcribe.chain import Chain
    from hexforge.validator.transcribe.judged import Manner


@dataclass(frozen=True)
class Dossier:
    """A game. `name` is what it is called, `round` the round that it belongs to, "" where none is known.

    `chain` are its logs, None for what was typed.
    """

    answer: Answer
    name: str
    round: str = ""
    chain: Chain | None = None


def dossier(
    work: Work, roots: Iterable[str | Path], options: Mapping[str, str] | None = None, **how: Unpack[Manner]
) -> Dossier:
    """The dossier of a game. `roots` are the folders that were searched. Raises what judging it raises."""
    chain = None
    if work.logs:
        from hexforge.validator.transcribe.chain import read_chain
        from hexforge.validator.transcribe.judged import judge_chain

        chain = read_chain(
            work.logs, module=how.get("module"), reveal=how.get("reveal"), salvage=how.get("salvage", False),
            progress=how.get("progress"),
        )  # fmt: skip
        answer = judge_chain(chain, work.source, options, **how)
    else:
        answer = work.answer()
    name, round_ = place_of(work, roots)
    told = answer.tournament or {}
    return Dossier(answer, str(told.get("game") or name), round_, chain)


def place_of(work: Work, roots: Iterable[str | Path]) -> tuple[str, str]:
    """What a game is called by its place, and the round that it was played in.

    Logs are called as their folder, if one was searched, else as the first of them; what was typed in several files
    as the first. A folder of games in the folder
    that was searched is a round.
    """
    first = work.logs[0] if work.logs else work.first or work.source
    path = Path(first if isinstance(first, str) else first.name)
    for root in roots:
        inside = list(_below(path, Path(root)))
        if work.logs and len(inside) > 1:
            inside = inside[:-1]
        if inside:
            return "/".join(inside), inside[0] if len(inside) > 1 else ""
    return path.name, ""


def _below(path: Path, root: Path) -> Iterator[str]:
    if root.is_dir() and path.is_relative_to(root):
        yield from path.relative_to(root).parts
