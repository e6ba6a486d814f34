"""The answers to a session, parted into those given and those still open."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from story.sessions import AnswerLine

register = template.Library()


@register.filter
def unanswered(answers: Iterable[AnswerLine]) -> list[AnswerLine]:
    """Those who haven't answered yet."""
    return [each for each in answers if not each.answer]
