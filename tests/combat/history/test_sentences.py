"""Sentences with placeholders: in any word order, each value keeps its tone."""

from __future__ import annotations

import pytest

from combat.history.entries import Span
from combat.history.tell.sentences import distance, listed, sentence, separated, text_of
from rules.engine.phrases import phrase

ILYA, MARGUERITE = Span("Ilya", "name"), Span("Marguerite", "name")


def test_values_of_placeholders_keep_their_tone() -> None:
    told = sentence("{who} hits {whom} for {levels}.", "quiet", who=ILYA, whom=MARGUERITE, levels=3)
    assert told == (
        ILYA,
        Span(" hits ", "quiet"),
        MARGUERITE,
        Span(" for 3.", "quiet"),
    )


def test_another_language_may_turn_it_round() -> None:
    told = sentence("Von {who} wird {whom} getroffen.", who=ILYA, whom=MARGUERITE)
    assert text_of(told) == "Von Ilya wird Marguerite getroffen."


def test_numbers_can_show_their_sign_and_phrases_are_translated() -> None:
    assert text_of(sentence("{why}: {dice:+}", why=phrase("Wounds"), dice=2)) == "Wounds: +2"


@pytest.mark.parametrize(
    ("names", "text"),
    [((), ""), ((ILYA,), "Ilya"), ((ILYA, MARGUERITE), "Ilya and Marguerite"), (("a", ILYA, "c"), "a, Ilya and c")],
)
def test_things_are_listed(names: tuple[Span | str, ...], text: str) -> None:
    assert text_of(listed(names)) == text


def test_what_stands_between_has_the_tone_of_the_sentence() -> None:
    assert separated((ILYA, MARGUERITE), "quiet") == (ILYA, Span(", ", "quiet"), MARGUERITE)


@pytest.mark.parametrize(
    ("amount", "unit", "text"),
    [
        (1, "yards", "1 yard"),
        (2, "yards", "2 yards"),
        (1, "feet", "1 foot"),
        (1, "metres", "1 metre"),
        (0, "feet", "0 feet"),
    ],
)
def test_one_is_no_plural(amount: int, unit: str, text: str) -> None:
    assert distance(amount, unit) == text
