"""`{% load markdown %}`, then `{{ text|markdown }}`, or `{{ text|linked:links }}` for one with `[[links]]`."""

from django import template
from django.utils.safestring import SafeString

from campaigns.markdown import render

register = template.Library()


@register.filter
def markdown(text: str | None) -> SafeString:
    """A member's Markdown as safe HTML."""
    return render(text or "")


@register.filter
def linked(text: str | None, links: tuple[tuple[str, str], ...]) -> SafeString:
    """A passage's Markdown as safe HTML; `links` are from `campaigns.links.of_text`."""
    return render(text or "", links)
