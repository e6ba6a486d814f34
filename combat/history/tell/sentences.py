"""Sentence templates: whole sentences with placeholders, so that translations can reorder them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from string import Formatter

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import said
from combat.history.entries import Line, Span
from rules.model.words import as_key, in_distance, in_words

Piece = Span | Line | str | int
"""A value for a placeholder: a span, several of them, a text, or a number."""


def sentence(template: str, /, tone: str = "", **values: Piece) -> Line:
    """A translated template with its values as spans: ``sentence(_("{who} waits."), who=name)``.

    ``tone`` is that of the template's own words; spans keep theirs.
    """
    spans: list[Span] = []
    for words, place, form in _pieces(template):
        if words:
            spans.append(Span(words, tone))
        if place:
            value = values[place]
            spans += spans_of(format(value, form) if form else value, tone)
    return joined(spans)


def joined(spans: Iterable[Span]) -> Line:
    """The line with adjacent spans of one tone merged; names stay separate."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].tone == span.tone != "name":
            found[-1] = Span(found[-1].text + span.text, span.tone)
        else:
            found.append(span)
    return tuple(found)


def spans_of(value: Piece, tone: str = "") -> Line:
    """A value as spans, with texts in the reader's language."""
    if isinstance(value, Span):
        return (value,)
    if isinstance(value, tuple):
        return value
    return (Span(said(value) if isinstance(value, str) else str(value), tone),)


def listed(items: Sequence[Piece], tone: str = "") -> Line:
    """The items as a list in the reader's language: "a, b and c"."""
    if len(items) < 2:
        return spans_of(items[0], tone) if items else ()
    *first, last = items
    return sentence(_("{first} and {last}"), tone, first=separated(first, tone), last=last)


def separated(items: Sequence[Piece], tone: str = "") -> Line:
    """The items separated by commas."""
    return tuple(_between(items, tone))


def quoted(text: str) -> str:
    """A typed text in the language's quotation marks."""
    return _("“{text}”").format(text=text)


def distance(amount: int, unit: str) -> str:
    """A distance in a ruleset's unit, in the reader's language."""
    return said(in_distance(amount, unit))


def towards(what: str, target: str) -> str:
    """What somebody does, with the target's name: “Strike → the Deacon”."""
    return " → ".join(filter(None, (what, target)))


def point_words(key: str) -> str:
    """The label of a resource or a power, as on the sheet."""
    return capfirst(said(in_words(as_key(key))))


def text_of(line: Line) -> str:
    """The plain text of a line."""
    return "".join(span.text for span in line)


def _between(items: Sequence[Piece], tone: str) -> Iterator[Span]:
    for index, item in enumerate(items):
        if index:
            yield Span(", ", tone)
        yield from spans_of(item, tone)


@cache
def _pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((words, place or "", form or "") for words, place, form, _conversion in Formatter().parse(template))


ACTION_WORDS = {
    "unarmed": gettext_lazy("brawl"),
    "melee": gettext_lazy("strike"),
    "firearm": gettext_lazy("shoot"),
    "thrown": gettext_lazy("throw"),
    "other": gettext_lazy("something else"),
}


def action_words(actions: Iterable[str]) -> str:
    """Declared actions in words: "strike, dodge"."""
    return ", ".join(str(ACTION_WORDS.get(action) or said(in_words(action))) for action in actions)
