"""Template filters and tags for the reader's language, in addition to Django's."""

from __future__ import annotations

from django import template
from django.conf import settings

from campaigns import words

register = template.Library()

register.filter("said", words.said)
register.filter("worded", words.worded)


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Code and native name of each available language."""
    return list(settings.LANGUAGES)
