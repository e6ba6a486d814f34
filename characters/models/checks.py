"""What of a row of the tables does not fit together, as (field, sentence)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _now

from rules.model.gear import Mode

CLOSE = (Mode.UNARMED.value, Mode.MELEE.value)
SHOT = (Mode.FIREARM.value, Mode.ARCHERY.value)
BALLISTIC = "ballistic"


def plain_words(text: str | None) -> str:
    """Words with a space between them, whether they were typed so or with commas, as our pages list them."""
    return " ".join((text or "").replace(",", " ").split())


def unknown_words(text: str, known: tuple[str, ...]) -> str:
    """A sentence about the first of these words that is not known, "" where all are."""
    unknown = [word for word in text.split() if word not in known]
    if not unknown:
        return ""
    return _now("“%(word)s” is not known here. Choose from: %(known)s.") % {
        "word": unknown[0][:40],
        "known": ", ".join(known),
    }


def range_problems(weapon: Any) -> Iterable[tuple[str, str]]:
    """What of a weapon's ranges does not fit its use, or one another."""
    short, medium, long = weapon.range_short, weapon.range_medium, weapon.range_long
    close, mode = weapon.mode in CLOSE, weapon.get_mode_display()
    if close and weapon.form == BALLISTIC:
        yield "form", _now("Ballistic is for what is shot: a %(mode)s weapon is not.") % {"mode": mode}
    elif close and weapon.range:
        yield "range_short", _now("A %(mode)s weapon has no range. Make it a thrown one?") % {"mode": mode}
    elif short is None and weapon.form == BALLISTIC:
        yield "range_short", _now("A ballistic weapon needs a range.")
    elif short is None and weapon.mode in SHOT:
        yield "range_short", _now("A weapon that is shot needs a range.")
    if medium is not None and (short is None or medium < short):
        yield "range_medium", _now("The medium range lies beyond the short one.")
    if long is not None and (medium is None or long < medium):
        yield "range_long", _now("The long range lies beyond the medium one.")


def ammunition_problems(weapon: Any) -> Iterable[tuple[str, str]]:
    """What of its clip, its rate and how it fires does not fit its use."""
    if weapon.mode in CLOSE:
        for field in ("rate", "clip", "chambered"):
            if getattr(weapon, field):
                yield field, _now("Only what is shot or thrown has this.")
        for field in ("automatic", "single_rounds"):
            if getattr(weapon, field):
                yield field, _now("Only what is shot can be this.")
    elif weapon.clip is None:
        if weapon.mode == Mode.FIREARM.value:
            yield "clip", _now("A firearm needs a clip: how many rounds does it hold?")
        elif weapon.automatic or weapon.single_rounds or weapon.chambered:
            yield "clip", _now("What is loaded needs a clip: how many rounds does it hold?")
