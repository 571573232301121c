"""Every word of the notation, in English (canonical) and Portuguese.

Each table maps the canonical word to its Portuguese forms; the first is the one that the writer uses, the others
are accepted too. Words are compared folded: case, accents and typographic dashes do not matter, so `AVANÇAR`,
`avançar` and `avancar` are one word. Sides, unit types, terrains, flags and hexside kinds are open lists (a game
may have its own): the tables only translate those that they know.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")

HEADER: Final[Mapping[str, tuple[str, ...]]] = {
    "sheet": ("planilha", "folha"),
    "game": ("jogo",),
    "players": ("jogadores",),
    "option": ("opção",),
    "partial": ("parcial",),
    "map": ("mapa",),
    "terrain": ("terreno",),
    "name": ("nome",),
    "area": ("área",),
    "unit": ("unidade",),
    "position": ("posição",),
    "setup": ("preparação", "disposição"),
}
WAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "road": ("estrada",),
    "trail": ("trilha",),
    "rail": ("ferrovia",),
}
HEXSIDES: Final[Mapping[str, tuple[str, ...]]] = {
    "river": ("rio",),
    "our": (),
    "clerf": (),
    "sure": (),
    "dam": ("represa", "barragem"),
    "fortification": ("fortificação",),
    "siegfried": (),
    "bridge": ("ponte",),
}
POSITION: Final[Mapping[str, tuple[str, ...]]] = {
    "marker": ("marcador",),
    "cleared": ("desobstruída", "desobstruído"),
    "control": ("controle",),
    "status": ("situação", "estado"),
    "due": ("chega", "previsto", "prevista"),
    "lost": ("perdida", "perdido"),
    "left": ("saiu",),
}
SEQUENCE: Final[Mapping[str, tuple[str, ...]]] = {"turn": ("turno",), "score": ("pontos", "pontuação", "placar")}
MOVEMENT: Final[Mapping[str, tuple[str, ...]]] = {
    "move": ("mover", "movimento"),
    "enter": ("entrar", "entrada"),
    "exit": ("sair", "saída"),
    "rail": ("ferrovia", "trem"),
    "recover": ("recuperar", "recuperação"),
    "build": ("construir",),
    "clear": ("desobstruir", "limpar"),
    "airroll": ("dado-aéreo",),
}
ENGAGEMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "combat": ("combate",),
    "bombard": ("bombardear", "bombardeio"),
    "airstrike": ("ataque-aéreo",),
}
ACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "attack": ("atacar", "ataque"),
    "support": ("apoiar", "apoio"),
    "guard": ("defender", "guarda", "proteger"),
    "air": ("aéreo", "aviação"),
    "announce": ("anunciar", "anúncio"),
    "declare": ("declarar", "declaração"),
    "roll": ("dados", "dado", "rolar"),
    "result": ("resultado",),
    "lose": ("perder", "perda"),
    "eliminate": ("eliminar",),
    "retreat": ("recuar", "recuo", "retirar", "retirada"),
    "advance": ("avançar", "avanço"),
}
PHASES: Final[Mapping[str, tuple[str, ...]]] = {"movement": ("movimento", "movimentação"), "combat": ("combate",)}
EDGES: Final[Mapping[str, tuple[str, ...]]] = {
    "north": ("norte",),
    "south": ("sul",),
    "east": ("leste", "este"),
    "west": ("oeste",),
}
ROLES: Final[Mapping[str, tuple[str, ...]]] = {"attacker": ("atacante",), "defender": ("defensor",)}
SMALL: Final[Mapping[str, tuple[str, ...]]] = {
    "printed": ("impresso",),
    "blank": ("vazio", "em-branco"),
    "by": ("por", "pela", "pelo", "com"),
    "from": ("de", "do", "da", "desde"),
    "to": ("para", "ao", "a"),
    "points": ("pontos",),
    "offboard": ("fora-do-mapa", "fora"),
    "odds": ("proporção", "razão", "relação"),
    "column": ("coluna",),
    "value": ("valor",),
    "roll": ("dado", "dados", "rolar"),
    "air": ("aéreo", "aviação"),
    "bridge": ("ponte",),
    "reduced": ("reduzida", "reduzido"),
    "regiment": ("regimento",),
    "division": ("divisão",),
    "corps": ("corpo",),
    "formation": ("formação",),
    "size": ("tamanho", "escalão"),
    "range": ("alcance",),
}
SIDES: Final[Mapping[str, tuple[str, ...]]] = {
    "american": ("americano", "americana", "americanos"),
    "german": ("alemão", "alemã", "alemães", "eixo"),
    "allied": ("aliado", "aliada", "aliados"),
    "british": ("britânico", "britânica"),
}
TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "infantry": ("infantaria",),
    "mechanized_infantry": ("infantaria_mecanizada",),
    "motorized_infantry": ("infantaria_motorizada",),
    "armored_infantry": ("infantaria_blindada",),
    "parachute": ("paraquedista", "pára-quedista"),
    "glider": ("aeroterrestre", "planadorista"),
    "fortress_infantry": ("infantaria_de_fortaleza", "infantaria_de_fortificação"),
    "security": ("segurança",),
    "armor": ("blindado", "blindados", "armour"),
    "tank_destroyer": ("caça_tanques", "tank_destroyers"),
    "assault_gun": ("canhão_de_assalto", "artilharia_de_assalto"),
    "mechanized_cavalry": ("cavalaria_mecanizada",),
    "artillery": ("artilharia",),
    "mechanized_artillery": ("artilharia_mecanizada", "artilharia_blindada"),
    "antitank": ("anticarro", "antitanque"),
    "rocket": ("foguetes", "foguete"),
    "mortar": ("morteiro", "morteiros"),
    "engineer": ("engenharia",),
    "armored_engineer": ("engenharia_blindada",),
    "construction_engineer": ("engenharia_de_construção",),
}
TERRAINS: Final[Mapping[str, tuple[str, ...]]] = {
    "open": ("aberto",),
    "town": ("cidade", "vila"),
    "forest": ("floresta",),
    "forest_rough": ("floresta_acidentada",),
    "rough": ("acidentado",),
    "woods": ("bosque",),
    "rough_woods": ("bosque_acidentado", "acidentado_com_bosque", "acidentado_c_bosque"),
    "airfield": ("aeródromo",),
    "mountain": ("montanha", "crista"),
}
FLAGS: Final[Mapping[str, tuple[str, ...]]] = {
    "in-transit": ("em-trânsito",),
    "passed-bastogne": ("passou-bastogne",),
    "passed-noville": ("passou-noville",),
    "arrived": ("chegou",),
    "engaged-since": ("engajada-desde", "engajado-desde"),
    "released": ("liberada", "liberado"),
    "moved": ("moveu",),
    "motorised": ("motorizada", "motorizado", "motorized"),
    "reinforcement": ("reforço",),
    "garrison": ("guarnição",),
    "reduced": ("reduzida", "reduzido"),
}
TURN_FLAGS: Final = frozenset({"arrived", "engaged-since"})
"""Flags that say since which turn."""
MARKERS: Final[Mapping[str, tuple[str, ...]]] = {"bridge": ("ponte",)}


def fold(word: str) -> str:
    """A word without case, accents and typographic dashes."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.translate(DASHES)).casefold()
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def aliases(*tables: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Folded form -> canonical word, for all words of the tables."""
    found = {fold(form): word for table in tables for word, forms in table.items() for form in forms}
    return found | {word: word for table in tables for word in table}


def portuguese(word: str, table: Mapping[str, tuple[str, ...]]) -> str:
    """The Portuguese form that is written for a canonical word; the word itself where it has none."""
    forms = table.get(word, ())
    return forms[0] if forms else word


_SPOKEN: Final = re.compile(r"(?<![\w-])[a-z][a-z_-]*[a-z](?![\w-])")


@cache
def _vocabulary() -> Mapping[str, str]:
    tables = (SIDES, TYPES, TERRAINS, EDGES, PHASES, WAYS, HEXSIDES, FLAGS, MOVEMENT, ENGAGEMENTS)
    words = {word: forms[0].replace("_", " ") for table in tables for word, forms in table.items() if forms}
    return words | {"rail": WAYS["rail"][0]}


def in_portuguese(value: object) -> object:
    """A value for a Portuguese sentence: words of the notation in it are translated, all else is kept."""
    if not isinstance(value, str):
        return value
    words = _vocabulary()
    return _SPOKEN.sub(lambda match: words.get(match[0], match[0]), value)


@cache
def lookup(name: str) -> Mapping[str, str]:
    """The aliases of one table by its name in this module, with underscores for hyphens in types and terrains."""
    table: Mapping[str, tuple[str, ...]] = globals()[name]
    return aliases(table)


@cache
def statement_words() -> Mapping[str, str]:
    """Folded first word of a line -> canonical keyword.

    Some Portuguese words begin two kinds of line (`ferrovia`, `combate`); those have one canonical word in both.
    """
    return aliases(SEQUENCE, HEADER, WAYS, HEXSIDES, POSITION, MOVEMENT, ENGAGEMENTS, ACTS)
