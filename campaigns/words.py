"""What the rules say, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.utils.formats import number_format
from django.utils.functional import lazystr
from django.utils.translation import get_language, to_locale
from django_stubs_ext import StrPromise

from rules.engine.catalogues import ENGLISH, template
from rules.engine.phrases import Phrase
from rules.model.words import in_words


def said(text: str, known: Callable[[str], str] | None = None) -> str:
    """A text of the rules in the reader's language.

    `known` makes of a name, or of what somebody typed, what the reader may know.
    """
    if not isinstance(text, Phrase):
        return known(text) if known else text
    sentence = template(_locale(get_language()), text.id, text.number)
    if not text.values:
        return sentence
    return sentence.format_map(
        {name: said(value, known) if isinstance(value, str) else value for name, value in text.values.items()}
    )


def said_later(text: str) -> StrPromise:
    """The same, for whoever reads later: for forms and other things that are made once for all readers."""
    return lazystr(_Later(text))


def worded(key: str) -> str:
    """A key of the rules ("in_cover") as the reader's language has it; what somebody wrote themselves as it is."""
    return said(in_words(key))


def decimal(number: float) -> str:
    """A figure that is rounded to one place, with the reader's own mark before it."""
    return str(number_format(f"{number:.1f}", 1))


@cache
def _locale(language: str | None) -> str:
    return to_locale(language) if language else ENGLISH


class _Later:
    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return said(self._text)
