"""Consistency checks for rows of the tables. Each yields (field, sentence)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _now

from rules.model.gear import Mode

CLOSE = (Mode.UNARMED.value, Mode.MELEE.value)
SHOT = (Mode.FIREARM.value, Mode.ARCHERY.value)
BALLISTIC = "ballistic"


def plain_words(text: str | None) -> str:
    """Normalise words separated by spaces or commas to single spaces."""
    return " ".join((text or "").replace(",", " ").split())


def unknown_words(text: str, known: tuple[str, ...]) -> str:
    """An error for the first unknown word; "" if all are known."""
    unknown = [word for word in text.split() if word not in known]
    if not unknown:
        return ""
    return _now("Unknown word: “%(word)s”. Choose from: %(known)s.") % {
        "word": unknown[0][:40],
        "known": ", ".join(known),
    }


def range_problems(weapon: Any) -> Iterable[tuple[str, str]]:
    """Check a weapon's ranges against its attack type and each other."""
    short, medium, long = weapon.range_short, weapon.range_medium, weapon.range_long
    close, mode = weapon.mode in CLOSE, weapon.get_mode_display()
    if close and weapon.form == BALLISTIC:
        yield "form", _now("The attack type “%(mode)s” can’t be ballistic. Choose another form.") % {"mode": mode}
    elif close and weapon.range:
        sentence = _now("The attack type “%(mode)s” has no range. Leave the range empty, or choose “thrown”.")
        yield "range_short", sentence % {"mode": mode}
    elif short is None and weapon.form == BALLISTIC:
        yield "range_short", _now("A ballistic weapon needs a range.")
    elif short is None and weapon.mode in SHOT:
        yield "range_short", _now("A bow or firearm needs a range.")
    if medium is not None and (short is None or medium < short):
        yield "range_medium", _now("The medium range can’t be shorter than the short range.")
    if long is not None and (medium is None or long < medium):
        yield "range_long", _now("The long range can’t be shorter than the medium range.")


def ammunition_problems(weapon: Any) -> Iterable[tuple[str, str]]:
    """Check a weapon's clip, rate of fire and fire modes against its attack type."""
    if weapon.mode in CLOSE:
        for field in ("rate", "clip", "chambered"):
            if getattr(weapon, field):
                yield field, _now("Only for ranged and thrown weapons. Leave it empty.")
        for field in ("automatic", "single_rounds"):
            if getattr(weapon, field):
                yield field, _now("Only for bows and firearms. Turn it off.")
    elif weapon.clip is None:
        if weapon.mode == Mode.FIREARM.value:
            yield "clip", _now("A firearm needs a clip. Enter how many rounds it holds.")
        elif weapon.automatic or weapon.single_rounds or weapon.chambered:
            yield "clip", _now("A loaded weapon needs a clip. Enter how many rounds it holds.")
