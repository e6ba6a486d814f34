"""`{% load markdown %}`, then `{{ note.body|markdown }}`."""

from django import template
from django.utils.safestring import SafeString

from campaigns.markdown import render

register = template.Library()


@register.filter
def markdown(text: str | None) -> SafeString:
    """A member's Markdown as safe HTML."""
    return render(text or "")
