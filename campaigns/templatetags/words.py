"""What templates need to speak the reader's language, besides Django's own."""

from __future__ import annotations

from django import template
from django.conf import settings

from campaigns import words

register = template.Library()

register.filter("said", words.said)
register.filter("worded", words.worded)


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """All that can be read in: code, and the name that its readers call it."""
    return list(settings.LANGUAGES)
