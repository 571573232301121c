"""What a reader says it expected, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PHRASES: Final[Mapping[str, tuple[str, str]]] = {
    "more": ("more on this line", "algo mais nesta linha"),
    "end": ("the end of the line", "o fim da linha"),
    "end-name": (
        'the end of the line (a name with blanks stands in quotes: "Hill 400")',
        'o fim da linha (um nome com espaços vai entre aspas: "Hill 400")',
    ),
    "mark": ("`{mark}`", "`{mark}`"),
    "colon": ("`:` between the units and the way", "`:` entre as unidades e o caminho"),
    "side": ("a side, such as {known}", "um lado, como {known}"),
    "unit-type": ("a type of unit, such as {known}", "um tipo de unidade, como {known}"),
    "terrain": ("a terrain, such as forest or town+rough", "um terreno, como floresta ou cidade+acidentado"),
    "edge": ("an edge: north, south, east or west", "uma borda: norte, sul, leste ou oeste"),
    "way": ("a kind of way, such as {known}", "um tipo de via, como {known}"),
    "label": ("a name", "um nome"),
    "number": ("a whole number", "um número inteiro"),
    "die": ("the faces of the dice, one by one: roll 3 4", "as faces dos dados, uma a uma: dados 3 4"),
    "version": ("the version of the notation: sheet 1", "a versão da notação: planilha 1"),
    "version-known": ("version 1, the only one there is", "a versão 1, a única que existe"),
    "factors": ("attack-defence-movement, as 3-4-5", "ataque-defesa-movimento, como 3-4-5"),
    "reduced": ("the reduced attack-defence, as 1-1", "o ataque-defesa reduzido, como 1-1"),
    "unit-field": (
        "range, regiment, division, corps, formation, size or reduced",
        "alcance, regimento, divisão, corpo, formação, tamanho ou reduzida",
    ),
    "hex": ("a hex of four digits, as 0609", "um hex de quatro algarismos, como 0609"),
    "hexside": ("a hexside, as 0304/0305", "um lado de hex, como 0304/0305"),
    "hexside-rest": ("the hexside's other hex, as in 0304/0305", "o outro hex do lado, como em 0304/0305"),
    "unit": ("a unit's id, as us-109-1", "o nome de uma unidade, como us-109-1"),
    "map": ("`printed`, or `blank` with a terrain and a size", "`impresso`, ou `vazio` com terreno e tamanho"),
    "map-size": (
        "columns x rows, as 18x12, each from 1 to 99",
        "colunas x fileiras, como 18x12, de 1 a 99 cada",
    ),
    "option": ("an option as name=value", "uma opção como nome=valor"),
    "players": ('side="name"', 'lado="nome"'),
    "area": ("the name of an area", "o nome de uma área"),
    "marker": ("a kind of marker, such as bridge", "um tipo de marcador, como ponte"),
    "flag": ("a status, such as in-transit", "uma situação, como em-trânsito"),
    "phase": ("a phase: movement or combat", "uma fase: movimento ou combate"),
    "role": ("attacker or defender", "atacante ou defensor"),
    "bridge": ("`bridge`", "`ponte`"),
    "column": ("a column of the table, as 2-1", "uma coluna da tabela, como 2-1"),
    "declaration": (
        "totals as 11:4, `value`, `odds` or `column`",
        "totais como 11:4, `valor`, `proporção` ou `coluna`",
    ),
    "result": ("codes of the table, as DRB AVB", "códigos da tabela, como DRB AVB"),
    "points": ("`points` and a number", "`pontos` e um número"),
    "first": ("`sheet 1` as the first statement", "`planilha 1` como primeira linha"),
    "game": ("`game` and a name, before all that is played", "`jogo` e um nome, antes de tudo que se joga"),
    "once": ("this only once in a sheet", "isto só uma vez na planilha"),
    "before-turn": ("this before the first `turn`", "isto antes do primeiro `turno`"),
    "in-position": ("this after `position` or `setup`", "isto depois de `posição` ou `preparação`"),
    "in-turn": ("`turn NUMBER SIDE PHASE` before this", "`turno NÚMERO LADO FASE` antes disto"),
    "in-engagement": (
        "`combat`, `bombard` or `airstrike` before this",
        "`combate`, `bombardear` ou `ataque-aéreo` antes disto",
    ),
    "statement": ("a statement of the notation", "uma instrução da notação"),
    "statement-like": ("a statement, perhaps `{like}`", "uma instrução, talvez `{like}`"),
    "line-length": ("a shorter line", "uma linha mais curta"),
    "sheet-length": ("no more than {limit} statements", "no máximo {limit} instruções"),
    "unknown-game": ("one of the games: {known}", "um dos jogos: {known}"),
    "known-word": ("one of: {known}", "um destes: {known}"),
}


def phrase(key: str, **values: str) -> tuple[str, str]:
    """A phrase in English and Portuguese with its values filled in."""
    en, pt = PHRASES[key]
    return (en.format(**values), pt.format(**values)) if values else (en, pt)
