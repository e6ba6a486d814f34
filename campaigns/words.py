"""Texts of the rules in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format
from django.utils.functional import lazystr
from django.utils.translation import gettext as _
from django.utils.translation import to_locale
from django_stubs_ext import StrPromise

from campaigns.current import reading
from rules.engine.catalogues import ENGLISH, template
from rules.engine.phrases import Phrase
from rules.model.words import in_words


def said(text: str, known: Callable[[str], str] | None = None) -> str:
    """A text of the rules, translated for the reader.

    `known` replaces each name or typed text in it by what the reader may know.
    """
    if not isinstance(text, Phrase):
        return known(text) if known else text
    sentence = template(_locale(reading().language), text.id, text.number)
    if not text.values:
        return sentence
    return sentence.format_map(
        {name: said(value, known) if isinstance(value, str) else value for name, value in text.values.items()}
    )


def said_anywhere(text: str) -> frozenset[str]:
    """A text of the rules in every language, for comparing it with what somebody typed in any of them."""
    return frozenset(_in(language, text) for language, _name in settings.LANGUAGES)


def _in(language: str, text: str) -> str:
    with translation.override(language):
        return said(text)


def said_later(text: str) -> StrPromise:
    """The same, translated lazily: for forms and other things created once for all readers."""
    return lazystr(_Later(text))


def worded(key: str) -> str:
    """A key of the rules ("in_cover"), translated for the reader; user-written words stay unchanged."""
    return said(in_words(key))


def decimal(number: float) -> str:
    """A number rounded to one decimal place, with the language's decimal separator."""
    return str(number_format(f"{number:.1f}", 1))


def percent(chance: Fraction) -> str:
    """A chance as a rounded percentage: with a decimal near 0 and 100, which only certainties reach."""
    if chance in (0, 1):
        return _percentage(str(100 * int(chance)))
    value = float(100 * chance)
    if value < 0.1:
        return _("under 0.1%")
    if value > 99.9:
        return _("over 99.9%")
    return _percentage(decimal(value) if value < 10 or value > 99 else f"{value:.0f}")


def _percentage(number: str) -> str:
    return _("{number}%").format(number=number)


@cache
def _locale(language: str | None) -> str:
    return to_locale(language) if language else ENGLISH


class _Later:
    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return said(self._text)
