"""Dates and times in the reader's time zone."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

CLOCK = "H:i"


@register.filter
def moment(when: datetime | None) -> SafeString | str:
    """A date and time in the reader's zone; if that is unknown, in UTC, marked as such."""
    # Translators: the date and time format, in the codes of Django's date filter.
    return _written(when, _("j F Y, H:i"))


@register.filter
def clock(when: datetime | None) -> SafeString | str:
    """A time of day, like :func:`moment`."""
    return _written(when, CLOCK)


def _written(when: datetime | None, how: str) -> SafeString | str:
    if when is None:
        return ""
    # Before a browser has sent its zone, on its very first page, the page's script replaces the marked time.
    known = timezone.get_current_timezone_name() != "UTC"
    said = date(timezone.localtime(when), how)
    at = when.isoformat(timespec="seconds")
    if known:
        return format_html('<time datetime="{}" class="nowrap">{}</time>', at, said)
    length = "clock" if how == CLOCK else "moment"
    return format_html('<time datetime="{}" class="nowrap" data-utc="{}">{} UTC</time>', at, length, said)
