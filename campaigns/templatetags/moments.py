"""Days and times as their reader has them."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def moment(when: datetime | None) -> SafeString | str:
    """A day with its time, in the reader's zone; where that is not known it is UTC, and says so."""
    # Translators: how a day and a time are written, in the letters of Django's date filter.
    return _written(when, _("j F Y, H:i"))


@register.filter
def clock(when: datetime | None) -> SafeString | str:
    """A time of the day, as :func:`moment`."""
    return _written(when, "H:i")


def _written(when: datetime | None, how: str) -> SafeString | str:
    if when is None:
        return ""
    zone = " UTC" if timezone.get_current_timezone_name() == "UTC" else ""
    said = f"{date(timezone.localtime(when), how)}{zone}"
    return format_html('<time datetime="{}" class="nowrap">{}</time>', when.isoformat(timespec="seconds"), said)
