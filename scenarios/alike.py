"""Words that are like another: what whoever typed that one may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def alike(word: str, words: Iterable[str], most: int = 1, least: float = 0.6) -> list[str]:
    """The words that are most like one, the likeliest first."""
    return [other for _, other in ranked(word, words, least)[:most]]


def ranked(word: str, words: Iterable[str], least: float) -> list[tuple[float, str]]:
    """Words with the share of letters, in their order, that they have in common with one; the likeliest first."""
    # Most of what people write has no such slip in it.
    from rapidfuzz.distance.Indel import normalized_similarity
    from rapidfuzz.process import extract

    found = extract(word, list(words), scorer=normalized_similarity, limit=None, score_cutoff=least)
    return sorted(((score, other) for other, score, _ in found), reverse=True)
