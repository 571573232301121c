"""The words of the reports themselves, in both languages. What a finding says is the referee's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import Language
from hexforge.validator.readers.keywords import in_portuguese

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


@dataclass(frozen=True, slots=True)
class Words:
    """One language's words."""

    verdicts: Mapping[str, str]
    severities: Mapping[str, tuple[str, str]]
    line: str
    rule: str
    declared: str
    computed: str
    rests_on: str
    nothing_wrong: str
    stopped: str
    combats: str
    kinds: Mapping[str, str]
    attack: str
    defence: str
    value: str
    vulnerability: str
    extras: Mapping[str, str]
    odds: str
    shifts: str
    no_shift: str
    net: str
    column: str
    roll: str
    result: str
    causes: Mapping[str, str]
    moves: str
    way: str
    cost: str
    left: str
    position: str
    hex: str
    unit: str
    units: str
    step: str
    steps: Mapping[str, str]
    off_map: str
    where: Mapping[str, str]
    score: str
    air: str
    edition: str
    options: str
    report: str
    unreadable: str
    overview: str
    legend: str
    no_combats: str
    sides: Mapping[str, str] = field(default_factory=dict)
    terrains: Mapping[str, str] = field(default_factory=dict)


_EN: Final = Words(
    verdicts={"legal": "legal", "doubtful": "doubtful", "illegal": "illegal"},
    severities={
        "illegal": ("illegal", "illegal"),
        "doubtful": ("doubtful", "doubtful"),
        "warning": ("warning", "warnings"),
        "info": ("note", "notes"),
    },
    line="line",
    rule="rule",
    declared="declared",
    computed="computed",
    rests_on="rests on",
    nothing_wrong="nothing to object to",
    stopped="judging stopped at the first illegal statement",
    combats="Combats",
    kinds={"combat": "combat", "bombard": "bombardment", "airstrike": "air strike"},
    attack="attack",
    defence="defence",
    value="value",
    vulnerability="vulnerability",
    extras={"offboard": "off-board", "air": "air"},
    odds="odds",
    shifts="shifts",
    no_shift="no shift",
    net="net",
    column="column",
    roll="roll",
    result="result",
    causes={"transit": "in transit", "unity": "complete formation", "airborne": "surrounded airborne"},
    moves="Moves",
    way="way",
    cost="cost",
    left="left",
    position="Position, with the moves and combats of the last turn",
    hex="hex",
    unit="unit",
    units="units",
    step="step",
    steps={"full": "full", "reduced": "reduced", "eliminated": "eliminated"},
    off_map="Off the map",
    where={
        "absent": "not on the map",
        "due": "reinforcement",
        "withdrawn": "withdrawn",
        "exited": "left the map",
        "retreated": "retreated off the map",
        "eliminated": "eliminated",
    },
    score="Score",
    air="Air points left",
    edition="Judged with",
    options="Rulings in force",
    report="Referee's report",
    unreadable="Could not be read",
    overview="Overview",
    legend="Terrain",
    no_combats="none",
)
_PT: Final = Words(
    verdicts={"legal": "legal", "doubtful": "duvidosa", "illegal": "ilegal"},
    severities={
        "illegal": ("ilegal", "ilegais"),
        "doubtful": ("duvidoso", "duvidosos"),
        "warning": ("aviso", "avisos"),
        "info": ("nota", "notas"),
    },
    line="linha",
    rule="regra",
    declared="declarado",
    computed="calculado",
    rests_on="depende de",
    nothing_wrong="nada a objetar",
    stopped="o julgamento parou na primeira instrução ilegal",
    combats="Combates",
    kinds={"combat": "combate", "bombard": "bombardeio", "airstrike": "ataque aéreo"},
    attack="ataque",
    defence="defesa",
    value="valor",
    vulnerability="vulnerabilidade",
    extras={"offboard": "fora do mapa", "air": "aviação"},
    odds="proporção",
    shifts="deslocamentos",
    no_shift="sem deslocamento",
    net="total",
    column="coluna",
    roll="dados",
    result="resultado",
    causes={
        "terrain": "terreno",
        "river": "rio",
        "fortification": "fortificação",
        "encirclement": "cerco",
        "unity": "formação completa",
        "surprise": "surpresa",
        "airborne": "paraquedistas cercados",
        "transit": "em trânsito",
    },
    moves="Movimentos",
    way="caminho",
    cost="custo",
    left="resta",
    position="Posição, com os movimentos e combates do último turno",
    hex="hex",
    unit="unidade",
    units="unidades",
    step="face",
    steps={"full": "inteira", "reduced": "reduzida", "eliminated": "eliminada"},
    off_map="Fora do mapa",
    where={
        "absent": "fora do mapa",
        "due": "reforço",
        "withdrawn": "retirada",
        "exited": "saiu do mapa",
        "retreated": "recuou para fora do mapa",
        "eliminated": "eliminada",
    },
    score="Pontos",
    air="Pontos aéreos restantes",
    edition="Julgado com",
    options="Interpretações em vigor",
    report="Relatório do árbitro",
    unreadable="Não pôde ser lido",
    overview="Resumo",
    legend="Terreno",
    no_combats="nenhum",
)


def words(language: Language, scenario: Scenario | None = None) -> Words:
    """The words of a language, with a game's own for its sides, terrains and hexsides."""
    plain = _PT if language == "pt" else _EN
    text = scenario.texts.get(language) or next(iter(scenario.texts.values()), None) if scenario else None
    if text is None:
        return plain
    lines = {kind: _small(name) for kind, name in text.section("hexsides").items()}
    return replace(
        plain,
        sides=text.section("sides"),
        terrains={kind: _small(name) for kind, name in text.section("terrain").items()},
        causes={**lines, **plain.causes},
    )


def _small(name: str) -> str:
    """A heading as it stands within a sentence."""
    return name[:1].lower() + name[1:]


def figure(value: int | float | str | None, language: Language) -> int | float | str | None:
    """A declared or computed value, with the notation's words (`north`) in the language."""
    return str(in_portuguese(value)) if language == "pt" and isinstance(value, str) else value


def counted(language: Language, severity: str, count: int) -> str:
    """`1 warning`, `2 warnings`."""
    one, more = words(language).severities[severity]
    return f"{count} {one if count == 1 else more}"
