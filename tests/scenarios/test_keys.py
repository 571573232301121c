"""The page of all keys: each says what it means, in both languages, and the pages in docs/ are as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hexforge.scenarios.keys import FILES, about, examples, keys, meaning, models, page, translated
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.text.words import catalogue

ROOT = Path(__file__).parents[2]
MODELS = {model: file for file, root in reversed(FILES.items()) for model in models(root)}


@pytest.mark.parametrize(
    "model", MODELS, ids=lambda model: f"{model.__module__.rpartition('.')[2]}.{model.__name__}"
)
def test_each_key_says_what_it_means_in_both_languages(model: type[Model]) -> None:
    """A description stands where the key is declared; `art/words/meanings.pt.yaml` has each by its English text."""
    portuguese = catalogue("meanings", "pt")
    texts = {"": about(model)} | {name: meaning(model, name) for name in model.model_fields if name != "names"}
    assert [name for name, text in texts.items() if not text] == []
    assert [text for text in texts.values() if text not in portuguese] == []


def test_no_translation_is_of_what_nobody_says() -> None:
    said = {text for model in MODELS for text in (about(model), *(meaning(model, k) for k in model.model_fields))}
    assert set(catalogue("meanings", "pt")) - said == set()


@pytest.mark.parametrize(("language", "file"), [("en", "docs/keys.md"), ("pt", "docs/pt/chaves.md")])
def test_the_pages_are_fresh(language: str, file: str) -> None:
    """`make keys` makes them so."""
    assert (ROOT / file).read_text("utf-8") == page(language)


def test_each_key_has_values_and_an_example_that_is_yaml() -> None:
    drawn = examples()
    for model in MODELS:
        for key in keys(model, drawn):
            assert str(key.values), (model, key)
            assert key.example, (model, key)
            assert "…" in key.example or yaml.safe_load(key.example) is not None, (model, key)


def test_a_text_without_translation_stays_as_it_is() -> None:
    assert translated("nobody has translated this", "pt") == "nobody has translated this"
