"""What the descriptions of `inspect` call things, for readers of Portuguese.

JSON keeps its keys in any language; only the tree that people look at is put into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hexforge.scenarios.language import default_language

_KEYS: Final[Mapping[str, str]] = {
    "actions": "ações",
    "as_the_seed_gives": "como a semente dá",
    "boards": "tabuleiros",
    "breaks": "quebras",
    "by_kind": "por tipo",
    "by_map": "por mapa",
    "by_place": "por lugar",
    "by_type": "por tipo",
    "chat": "conversa",
    "commands": "comandos",
    "count": "quantidade",
    "damage": "dano",
    "date_saved": "gravado em",
    "decks": "baralhos",
    "description": "descrição",
    "elements": "elementos",
    "empty_stacks": "pilhas vazias",
    "entries": "entradas",
    "extensions": "extensões",
    "expected": "esperado",
    "file": "arquivo",
    "format": "formato",
    "found": "encontrado",
    "global_properties": "propriedades globais",
    "grid": "grade",
    "hidden": "ocultas",
    "id": "id",
    "image": "imagem",
    "images": "imagens",
    "kind": "tipo",
    "location": "lugar",
    "logged": "registrados",
    "map": "mapa",
    "maps": "mapas",
    "masked": "mascaradas",
    "metadata": "metadados",
    "missing": "faltam",
    "missing_prototypes": "protótipos que faltam",
    "module": "módulo",
    "name": "nome",
    "numbers": "números",
    "payload": "conteúdo",
    "pieces": "peças",
    "players": "jogadores",
    "private_to": "só de",
    "properties": "propriedades",
    "prototypes": "protótipos",
    "random_numbers": "números aleatórios",
    "saved": "partida salva",
    "seed": "semente",
    "setups": "posições iniciais",
    "shown": "mostradas",
    "side": "lado",
    "sides": "lados",
    "size": "tamanho",
    "slots": "na paleta",
    "stacks": "pilhas",
    "step": "passo",
    "stored_bytes": "bytes gravados",
    "text_bytes": "bytes de texto",
    "top_level": "no primeiro nível",
    "total": "total",
    "turn_trackers": "contadores de turno",
    "turns": "turnos",
    "unknown": "desconhecidos",
    "unknown_traits": "traços desconhecidos",
    "vassal_version": "versão do VASSAL",
    "version": "versão",
    "x": "x",
    "y": "y",
}
_NAMED: Final = frozenset(
    (
        "boards",
        "by_kind",
        "by_map",
        "by_place",
        "by_type",
        "elements",
        "global_properties",
        "properties",
        "turns",
        "unknown",
        "unknown_traits",
    )
)
"""Keys below which strangers' own names are the keys."""
_NOBODYS: Final[Mapping[str, str]] = {"(no map)": "(sem mapa)", "(other)": "(outros)"}
_VALUES: Final[Mapping[object, str]] = {
    "log": "registro",
    "save": "partida salva",
    "module": "módulo",
    "extension": "extensão",
}


def in_words(description: Mapping[str, Any]) -> dict[str, Any]:
    """A description with keys for readers: as it is in English, translated in Portuguese."""
    return dict(description) if default_language() == "en" else _translated(description)


def kind_in_words(kind: object) -> str:
    """What a file is."""
    return str(kind) if default_language() == "en" else _VALUES.get(kind, str(kind))


def _below(key: str, item: Any) -> Any:
    if key in _NAMED and isinstance(item, Mapping):
        return {_NOBODYS.get(name, name): inner for name, inner in item.items()}
    return _translated(item)


def _translated(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_KEYS.get(key, key): _below(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_translated(item) for item in value]
    return "sim" if value is True else value
