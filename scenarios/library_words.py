"""What the libraries that read YAML, CSV and schemas say of a file, in the reader's language.

Their sentences are English and few; one that a later version words otherwise stays English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hexforge.scenarios.language import said

YAML: Final[Mapping[str, str]] = {
    "while scanning for the next token": "à procura do próximo elemento,",
    "while scanning a simple key": "ao ler uma chave,",
    "while scanning a block scalar": "ao ler um bloco de texto,",
    "while scanning a plain scalar": "ao ler um valor,",
    "while scanning a quoted scalar": "ao ler um texto entre aspas,",
    "while scanning a directive": "ao ler uma diretiva,",
    "while scanning a %YAML directive": "ao ler uma diretiva %YAML,",
    "while scanning a %TAG directive": "ao ler uma diretiva %TAG,",
    "while scanning a tag directive": "ao ler uma diretiva de rótulo,",
    "while scanning a tag": "ao ler um rótulo,",
    "while scanning an alias": "ao ler uma referência (*),",
    "while scanning an anchor": "ao ler uma âncora (&),",
    "while parsing a block collection": "ao ler uma lista,",
    "while parsing a block mapping": "ao ler chaves e valores,",
    "while parsing a block node": "ao ler um valor,",
    "while parsing a flow mapping": "ao ler chaves e valores entre { },",
    "while parsing a flow sequence": "ao ler uma lista entre [ ],",
    "while parsing a flow node": "ao ler um valor,",
    "while parsing a node": "ao ler um valor,",
    "while parsing a quoted scalar": "ao ler um texto entre aspas,",
    "while parsing a tag": "ao ler um rótulo,",
    "while parsing a tag directive": "ao ler uma diretiva de rótulo,",
    "while parsing a %TAG directive": "ao ler uma diretiva %TAG,",
    "while constructing a mapping": "ao montar chaves e valores,",
    "while composing a mapping": "ao montar chaves e valores,",
    "block sequence entries are not allowed in this context": "um item de lista (-) não cabe aqui",
    "mapping keys are not allowed in this context": "uma chave não cabe aqui",
    "mapping values are not allowed in this context": "um ':' com valor não cabe aqui",
    "control characters are not allowed": "caracteres de controle não são permitidos",
    "could not find expected ':'": "falta ':'",
    "could not find expected directive name": "falta o nome da diretiva",
    "did not find URI escaped octet": "falta um caractere codificado",
    "did not find expected '!'": "falta '!'",
    "did not find expected ',' or ']'": "falta ',' ou ']'",
    "did not find expected ',' or '}'": "falta ',' ou '}'",
    "did not find expected '-' indicator": "falta o '-' de um item",
    "did not find expected <document start>": "falta o começo de um documento (---)",
    "did not find expected <stream-start>": "falta o começo do arquivo",
    "did not find expected alphabetic or numeric character": "falta uma letra ou algarismo",
    "did not find expected comment or line break": "falta um comentário ou o fim da linha",
    "did not find expected digit or '.' character": "falta um algarismo ou '.'",
    "did not find expected hexdecimal number": "falta um número hexadecimal",
    "did not find expected key": "falta uma chave; veja o recuo da linha",
    "did not find expected node content": "falta um valor",
    "did not find expected tag URI": "falta o endereço do rótulo",
    "did not find expected version number": "falta o número da versão",
    "did not find expected whitespace": "falta um espaço",
    "did not find expected whitespace or line break": "falta um espaço ou o fim da linha",
    "did not find the expected '>'": "falta '>'",
    "found a tab character that violates indentation": "há uma tabulação no recuo; use espaços",
    "found a tab character where an indentation space is expected": "há uma tabulação no recuo; use espaços",
    "found an incorrect leading UTF-8 octet": "há um byte que não é UTF-8",
    "found an incorrect trailing UTF-8 octet": "há um byte que não é UTF-8",
    "found an indentation indicator equal to 0": "há um recuo indicado de 0",
    "found character that cannot start any token": "há um caractere com que nada começa (tabulação, @ ou `)",
    "found duplicate %TAG directive": "há uma diretiva %TAG repetida",
    "found duplicate %YAML directive": "há uma diretiva %YAML repetida",
    "found extremely long version number": "há um número de versão longo demais",
    "found incompatible YAML document": "há um documento YAML de outra versão",
    "found invalid Unicode character escape code": "há um código de caractere inválido",
    "found undefined tag handle": "há um rótulo não definido",
    "found undefined alias": "não há a âncora que uma referência (*) nomeia",
    "found unexpected ':'": "há um ':' inesperado",
    "found unexpected document indicator": "há um começo ou fim de documento inesperado",
    "found unexpected end of stream": "o arquivo acaba antes das aspas que fecham",
    "found unexpected non-alphabetical character": "há um caractere que não é letra",
    "found unknown directive name": "há uma diretiva desconhecida",
    "found unknown escape character": "há um \\ antes de um caractere que ele não aceita",
    "expected a single document in the stream": "esperava-se um só documento no arquivo",
    "but found another document": "mas há outro (---)",
    "found duplicate key": "há uma chave repetida",
    "found unhashable key": "há uma chave que não é texto nem número",
    "found unconstructable recursive node": "há um valor que contém a si mesmo",
}
_YAML_NAMING: Final = (
    (re.compile(r"found undefined alias '?(.+?)'?"), "não há a âncora {} que uma referência (*) nomeia"),
    (re.compile(r"found duplicate anchor '?(.*?)'?; first occurrence"), "a âncora {} está duas vezes"),
    (re.compile(r"found duplicate anchor; first occurrence()"), "uma âncora está duas vezes{}"),
    (re.compile(r"could not determine a constructor for the tag (.*)"), "o rótulo {} não é conhecido"),
    (re.compile(r"expected a mapping for merging, but found (.*)"), "esperavam-se chaves e valores; há {}"),
    (
        re.compile(r"expected a mapping or list of mappings for merging, but found (.*)"),
        "esperavam-se chaves e valores; há {}",
    ),
)
CSV: Final[Mapping[str, str]] = {
    "unexpected end of data": "o arquivo acaba antes das aspas que fecham",
    "new-line character seen in unquoted field": "há uma quebra de linha fora de aspas",
    "line contains NUL": "há um caractere nulo",
}
_CSV_NAMING: Final = (
    (re.compile(r"'(.)' expected after '\"'"), "depois das aspas que fecham esperava-se '{}'"),
    (re.compile(r"field larger than field limit \((\d+)\)"), "uma célula tem mais de {} caracteres"),
)
SCHEMA: Final[Mapping[str, str]] = {
    "bool_parsing": "esperava-se true ou false",
    "bool_type": "esperava-se true ou false",
    "date_from_datetime_inexact": "esperava-se uma data sem hora",
    "date_from_datetime_parsing": "esperava-se uma data, como 1944-11-02",
    "date_parsing": "esperava-se uma data, como 1944-11-02",
    "date_type": "esperava-se uma data, como 1944-11-02",
    "dict_type": "esperavam-se chaves e valores",
    "finite_number": "esperava-se um número finito",
    "float_parsing": "esperava-se um número",
    "float_type": "esperava-se um número",
    "greater_than": "esperava-se mais de {gt}",
    "greater_than_equal": "esperava-se {ge} ou mais",
    "int_from_float": "esperava-se um número inteiro",
    "int_parsing": "esperava-se um número inteiro",
    "int_parsing_size": "esperava-se um número menor",
    "int_type": "esperava-se um número inteiro",
    "less_than": "esperava-se menos de {lt}",
    "less_than_equal": "esperava-se {le} ou menos",
    "list_type": "esperava-se uma lista",
    "literal_error": "esperava-se {expected}",
    "mapping_type": "esperavam-se chaves e valores",
    "model_attributes_type": "esperavam-se chaves e valores",
    "model_type": "esperavam-se chaves e valores",
    "string_pattern_mismatch": "esperava-se um texto da forma {pattern}",
    "string_sub_type": "esperava-se um texto",
    "string_too_long": "esperavam-se no máximo {max_length} caracteres",
    "string_too_short": "esperava-se ao menos {min_length} caractere",
    "string_type": "esperava-se um texto",
    "string_unicode": "esperava-se um texto",
    "too_long": "esperavam-se no máximo {max_length} itens; há {actual_length}",
    "too_short": "esperavam-se ao menos {min_length} itens; há {actual_length}",
    "tuple_type": "esperava-se uma lista",
}
"""By type of error of pydantic; `{name}` is from its context."""


def _found(text: str, known: Mapping[str, str], naming: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    if text in known:
        return known[text]
    for pattern, words in naming:
        if match := pattern.fullmatch(text):
            return words.format(match[1])
    return text


def yaml_words(*parts: str | None) -> str:
    """What a YAML reader says: where it was, and what it found there."""
    en = [part for part in parts if part]
    return said(" ".join(en), " ".join(_found(part, YAML, _YAML_NAMING) for part in en))


def csv_words(text: str) -> str:
    """What a CSV reader says."""
    return said(text, _found(text.partition(" - ")[0], CSV, _CSV_NAMING))


def schema_words(kind: str, text: str, context: Mapping[str, Any]) -> str:
    """What a schema says of a value: the type of error, its text, and the bounds and choices that it names."""
    if kind not in SCHEMA:
        return text
    values = {name: str(value).replace("' or '", "' ou '") for name, value in context.items()}
    return said(text, SCHEMA[kind].format(**values))
