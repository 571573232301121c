"""What YAML's own library objects to is said in the words of whoever edits the file, by either of its readers."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hexforge.scenarios import yamlfile
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.text.words import Words
from hexforge.scenarios.yamlfile import plain

CASES = {
    "a:\n\tb: 1\n": (2, "tab", "a tab stands"),
    "a:\n  b: 1\n\tc: 2\n": (3, "tab", "a tab stands"),
    "a:\n  b: 1\n   c: 2\n": (3, "colon", "in the column of its neighbours"),
    "a:\n  b: 1\n c: 2\n": (3, "indent", "not in the column of the keys from line 1 on"),
    "a:\n  - x: 1\n    y: 2\n   z: 3\n": (4, "indent-list", "the list from line 2 on"),
    "a: b: c\n": (1, "colon", "put a text with a colon in quotes"),
    'a: 1\nb: "open\nc: d\n': (2, "open-quotes", "quotes are not closed"),
    "a: {x: 1\nb: 3\n": (2, "open-bracket", "bracket opened in line 1"),
    "a: [1, 2\n": (2, "open-bracket", "bracket opened in line 1"),
    "a: 1\nb\nc: 2\n": (3, "no-colon", "the key in line 2 has no colon"),
    "a: @x\n": (1, "quotes", "begins with @"),
    "a: *x\n": (1, "quotes", r"begins with *"),
    "a: & b\n": (1, "quotes", "begins with &"),
    "a: !x y\n": (1, "quotes", "begins with !"),
    'a: "b\\q"\n': (1, "backslash", "single quotes leave it"),
    "a: - 1\n": (1, "dash", "in a line of its own"),
    "a: > b\n c\n": (1, "block-text", "begins in the next line"),
    "a: 1\n---\nb: 2\n": (2, "one-document", "goes on after its end"),
    "[a]: b\n": (1, "bracket-key", "without brackets"),
    "a:\n  -{b: 1}\n  - {b: 2}\n": (2, "dash-blank", "a blank is missing"),
    "a:\n  -b: 1\n    c: 2\n": (2, "dash-blank", "a blank is missing"),
    "a:\n  - b: 1\n\N{NO-BREAK SPACE}   c: 2\n    d: 3\n": (3, "hard-blank", "indent with blanks"),
}


@pytest.mark.parametrize("text", CASES)
def test_a_slip_in_yaml_is_put_into_plain_words(text: str) -> None:
    line, key, said = CASES[text]
    with pytest.raises(ScenarioError) as told:
        yamlfile.parse(text, Path("game.yaml"))
    (problem,) = told.value.problems
    assert (problem.line, said in str(problem)) == (line, True), str(problem)
    ours = Words("pt")(f"scenario.yaml.plain.{key}", character="@", line=1)
    assert ours != Words("en")(f"scenario.yaml.plain.{key}", character="@", line=1)


@pytest.mark.parametrize("text", CASES)
def test_the_reader_in_python_is_understood_as_well(text: str) -> None:
    with pytest.raises(yaml.MarkedYAMLError) as told:
        yaml.load(text, yaml.SafeLoader)
    assert plain(told.value, text)[0].key == f"scenario.yaml.plain.{CASES[text][1]}"


def test_what_is_new_is_said_as_the_library_says_it() -> None:
    new = yaml.MarkedYAMLError(problem="did something new", problem_mark=yaml.Mark("f", 0, 0, 0, "a", 0))
    assert str(plain(new, "a")[0]) == "did something new"
