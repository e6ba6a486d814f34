"""What the rules say, in the reader's language."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.functional import lazystr
from django.utils.translation import gettext, ngettext

from rules.engine.phrases import Phrase
from rules.model.words import in_words


def said(text: str) -> str:
    """A text of the rules in the language of whoever reads now; one that is no phrase is what somebody typed."""
    if not isinstance(text, Phrase):
        return text
    template = ngettext(text.template, text.plural, text.number) if text.plural else gettext(text.template)
    if not text.values:
        return template
    return template.format_map(
        {name: said(value) if isinstance(value, str) else value for name, value in text.values.items()}
    )


def said_later(text: str) -> str:
    """The same, for whoever reads later: for forms and other things that are made once for all readers."""
    later: str = lazystr(_Later(text))
    return later


def worded(key: str) -> str:
    """A key of the rules ("in_cover") as the reader's language has it; what somebody wrote themselves as it is."""
    return said(in_words(key))


def decimal(number: float) -> str:
    """A figure that is rounded to one place, with the reader's own mark before it."""
    return str(number_format(f"{number:.1f}", 1))


class _Later:
    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return said(self._text)
