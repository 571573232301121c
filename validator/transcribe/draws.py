"""What the random numbers in logs tell: whether each is the next of its seed, whether each log's seed continues the
log before it, and whether the dice show what was drawn for them.

Only logs of a VASSAL that writes its random numbers down say anything here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.draws import Break, Stream
from hexforge.scenarios.language import Language
from hexforge.validator.transcribe.noted import Noted, Origin

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.story import Action
    from hexforge.validator.transcribe.chain import LogRead

_NAMED: Final = re.compile(r"\d{0,3} ?[dDwW] ?(?P<sides>\d{1,4})")
# So often a button must have shown its dice alike, before one throw that differs is told.
_HABIT: Final = 4


def draw_notes(logs: Sequence[LogRead], *, plain: bool) -> Iterator[Noted]:
    """What does not fit in the random numbers of a chain; if all does, that. `plain`: the module's dice buttons add
    nothing to what they draw."""
    if not any(log.stream for log in logs):
        return
    found = [*_within(logs), *_between(logs), *_dice(logs, plain)]
    yield from found
    if not found:
        yield from _sound(logs)


def stream_line(stream: Stream, lang: Language) -> str:
    """The seed and the numbers of a log in one line."""
    if stream.seed is None:
        return (
            f"random numbers: {stream.numbers}, without a seed"
            if lang == "en"
            else f"números aleatórios: {stream.numbers}, sem semente"
        )
    if lang == "en":
        return (
            f"random numbers: seed {stream.seed}, {stream.numbers} drawn, {stream.fitting} as the seed gives them"
        )
    return (
        f"números aleatórios: semente {stream.seed}, {stream.numbers} sorteados, "
        f"{stream.fitting} tal como a semente os dá"
    )


# ------------------------------------------------------------------------------------- within a log


def _within(logs: Sequence[LogRead]) -> Iterator[Noted]:
    for log in logs:
        for found in log.stream.breaks if log.stream else ():
            yield _broken(log.name, found)


def _broken(log: str, found: Break) -> Noted:
    where, step, n = Origin(log, found.step), found.step, found.count
    match found.kind:
        case "left_out":
            en = f"before step {step}, {_drawn(n, 'en')} not in {log}"
            pt = f"antes do passo {step}, {_drawn(n, 'pt')} em {log}"
            return Noted(where, "log-chain", "illegal", en, pt)
        case "other":
            below = f" (0 to {found.bound - 1})" if found.bound else ""
            abaixo = f" (de 0 a {found.bound - 1})" if found.bound else ""
            en = f"the random number in step {step}{below} is {found.found}; the seed gives {found.expected}"
            pt = f"o número aleatório no passo {step}{abaixo} é {found.found}; a semente dá {found.expected}"
            if n > 1:
                en += f"; with it {n} numbers in {log} are other than the seed gives"
                pt += f"; com ele, {n} números em {log} não são os que a semente dá"
            return Noted(where, "log-chain", "illegal", en, pt)
        case "seed":
            en = f"the seed of the random numbers is set to {found.found}, not to the number drawn before it"
            pt = f"a semente dos números aleatórios passa a ser {found.found}, e não o número sorteado antes"
        case _:
            en = f"random numbers in {log} that cannot be read: {n}"
            pt = f"números aleatórios em {log} que não puderam ser lidos: {n}"
    return Noted(where, "log-chain", "warning", en, pt)


# ------------------------------------------------------------------------------------- between logs


def _between(logs: Sequence[LogRead]) -> Iterator[Noted]:
    for earlier, later in pairwise(logs):
        old, new = earlier.stream, later.stream
        if old is None or new is None or new.follows(old) is not False:
            continue
        where = Origin(later.name, 0)
        a, b = earlier.name, later.name
        if new.link == old.seed:
            # So VASSAL does when a log is begun while another is loaded and not played to its end.
            en = f"{b} begins with the seed of {a} again, so that its random numbers are the same from there on"
            pt = f"{b} começa de novo com a semente de {a}; seus números aleatórios são os mesmos a partir dali"
            yield Noted(where, "special", "warning", en, pt)
            continue
        left_out = new.left_out_after(old)
        if left_out is not None:
            en = f"between the end of {a} and the beginning of {b}, {_drawn(left_out, 'en')} in neither of them"
            pt = f"entre o fim de {a} e o começo de {b}, {_drawn(left_out, 'pt')} em nenhum dos dois"
            yield Noted(where, "log-chain", "illegal", en, pt)
            continue
        step = new.branches_from(old)
        if step is not None:
            en = f"the random numbers of {b} continue those of {a} from step {step}, not from its end"
            pt = f"os números aleatórios de {b} continuam os de {a} a partir do passo {step}, e não do fim"
            yield Noted(where, "log-chain", "illegal", en, pt)
            continue
        en = (
            f"the seed of {b} does not follow from the random numbers of {a}: "
            "numbers were drawn between them, or it was begun from something else, such as a saved game"
        )
        pt = (
            f"a semente de {b} não resulta dos números aleatórios de {a}: "
            "houve sorteios entre os dois, ou ele começou de outra coisa, como um jogo salvo"
        )
        yield Noted(where, "log-chain", "warning", en, pt)


def _drawn(n: int, lang: Language) -> str:
    if lang == "en":
        return "1 random number was drawn that is" if n == 1 else f"{n} random numbers were drawn that are"
    return (
        "foi sorteado 1 número aleatório que não está"
        if n == 1
        else f"foram sorteados {n} números aleatórios que não estão"
    )


def _sound(logs: Sequence[LogRead]) -> Iterator[Noted]:
    with_seed = [(log, log.stream) for log in logs if log.stream and log.stream.seed is not None]
    fitting = sum(stream.fitting for _, stream in with_seed)
    if not fitting:
        return
    en = f"all {fitting} random numbers are those that the {'seed gives' if len(with_seed) == 1 else 'seeds give'}"
    pt = (
        f"os {fitting} números aleatórios são os que {'a semente dá' if len(with_seed) == 1 else 'as sementes dão'}"
    )
    pairs = [(a.stream, b.stream) for a, b in pairwise(logs)]
    if pairs and all(a and b and b.follows(a) for a, b in pairs):
        en += ", and each log's seed follows from the log before it"
        pt += ", e a semente de cada registro resulta do anterior"
    yield Noted(Origin(with_seed[0][0].name, 0), "special", "info", en, pt)


# --------------------------------------------------------------------------------------------- dice


@dataclass(frozen=True)
class _Throw:
    """Dice with what was drawn for them: numbers from 0 up to `sides`, none where nothing was."""

    origin: Origin
    name: str
    faces: tuple[int, ...]
    drawn: tuple[int, ...]
    sides: int

    @property
    def added(self) -> int | None:
        """What the button adds to each number, 1 as a rule; None where it is not one figure for all."""
        pairs = zip(sorted(self.faces), sorted(self.drawn), strict=True)
        differences = {face - number for face, number in pairs}
        return differences.pop() if len(differences) == 1 else None


def _dice(logs: Sequence[LogRead], plain: bool) -> Iterator[Noted]:
    """Dice that show other faces than were drawn for them, or for which nothing was drawn."""
    throws: dict[str, list[_Throw]] = defaultdict(list)
    bare: list[_Throw] = []
    for log in logs:
        if log.stream is None:
            continue
        pending: list[tuple[int, int]] = []
        for told in log.told:
            _collect(told.action, told.origin, pending, throws, bare)
    for name, all_of_them in throws.items():
        usual = _usual(name, all_of_them, plain)
        if usual is not None:
            yield from (_shows_other(t, usual) for t in all_of_them if t.added != usual)
    for throw in bare:
        if throw.name in throws:
            faces = " ".join(map(str, throw.faces))
            en = f"{throw.name} shows {faces}, but no random numbers were drawn for it"
            pt = f"{throw.name} mostra {faces}, mas nenhum número aleatório foi sorteado para isso"
            yield Noted(throw.origin, "roll", "warning", en, pt)


def _collect(
    action: Action,
    origin: Origin,
    pending: list[tuple[int, int]],
    throws: dict[str, list[_Throw]],
    bare: list[_Throw],
) -> None:
    """The throws of an action. A dice button draws all its dice and then reports them, in any order.

    One that throws some dice away draws more than it shows, and is left out.
    """
    reported = False
    for event in action.events:
        if event.kind == "random":
            pending.append((event.numbers[0], event.numbers[1]) if len(event.numbers) == 2 else (0, 0))
        elif event.kind == "dice" and event.numbers and not action.undoes:
            count, sides = len(event.numbers), pending[-1][1] if pending else 0
            run = 0
            while run < min(len(pending), count + 1) and pending[-1 - run][1] == sides:
                run += 1
            drawn = tuple(number for number, _ in pending[-run:]) if sides and run == count else ()
            throw = _Throw(origin, event.text, event.numbers, drawn, sides)
            if drawn:
                throws[event.text].append(throw)
            elif not pending and not reported:
                bare.append(throw)
            pending.clear()
            reported = True


def _usual(name: str, throws: Sequence[_Throw], plain: bool) -> int | None:
    """What a button adds to each number; None where that is not known well enough to speak of exceptions."""
    named = _NAMED.fullmatch(name.strip())
    if plain or (named is not None and all(int(named["sides"]) == t.sides for t in throws)):
        return 1
    added, count = Counter(t.added for t in throws).most_common(1)[0]
    return added if added is not None and count >= _HABIT * max(1, len(throws) - count) else None


def _shows_other(throw: _Throw, usual: int) -> Noted:
    shown, drawn = (" ".join(map(str, f)) for f in (throw.faces, (n + usual for n in throw.drawn)))
    en = f"{throw.name} shows {shown}; the random numbers drawn for it give {drawn}"
    pt = f"{throw.name} mostra {shown}; os números aleatórios sorteados para isso dão {drawn}"
    return Noted(throw.origin, "roll", "illegal", en, pt)
