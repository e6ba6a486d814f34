"""Amounts of experience in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

MINUS = "\N{MINUS SIGN}"


def amount(units: int, beats: int) -> str:
    """An amount in the smallest unit: "12 points", or "2 Experiences, 3 Beats" where points are awarded in parts."""
    sign, size = (MINUS if units < 0 else ""), abs(units)
    if beats == 1:
        return sign + ngettext("%(number)s point", "%(number)s points", size) % {"number": size}
    whole, rest = divmod(size, beats)
    told = [ngettext("%(number)s Experience", "%(number)s Experiences", whole) % {"number": whole}] if whole else []
    if rest or not whole:
        told.append(ngettext("%(number)s Beat", "%(number)s Beats", rest) % {"number": rest})
    return sign + ", ".join(told)


def change(units: int, beats: int) -> str:
    """What an entry adds or takes, with its sign; "" for nothing."""
    return ("+" if units > 0 else "") + amount(units, beats) if units else ""


def unit(beats: int) -> str:
    """What prices are counted in."""
    return _("points") if beats == 1 else _("Experiences")
