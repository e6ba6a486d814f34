"""Aim, cover, shields and covering fire in words, as far as each audience may know of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from combat.perspectives.attacks import suffering
from combat.perspectives.told import Told, quiet
from rules import events
from rules.chronicles.concealment import LABELS, OBSCURED
from rules.events import Outcome
from rules.gear import titled


def drawn(event: events.WeaponDrawn, told: Told) -> None:
    if told.sight.sees(event.by):
        did = " puts away " if event.away else " draws "
        told.say(told.name(event.by), did, told.sight.gear(event.by, event.weapon), ".")


def aimed(event: events.AimTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        turns = "" if event.turns == 1 else f", for {event.turns} turns now"
        told.say(told.name(event.by), " takes aim at ", told.name(event.at), turns, ".")


def aim_broken(event: events.AimBroken, told: Told) -> None:
    if told.sight.sees(event.who):
        told.say(told.name(event.who), quiet(" has lost the aim."))


def sheltered(event: events.ShelterTaken, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if not event.degree:
        told.say(told.name(event.who), " comes out of cover.")
        return
    behind = f" behind {told.sight.said(event.cover)}" if event.cover else ""
    how = "out of sight" if event.degree == OBSCURED else LABELS[event.degree].lower()
    told.say(told.name(event.who), f" goes{behind or ' into hiding'}: {how}.")


def shielded(event: events.ShieldHeld, told: Told) -> None:
    if told.sight.sees(event.by) and told.sight.sees(event.shield):
        did = " lets go of " if event.let_go else " holds up a human shield: "
        told.say(told.name(event.by), did, told.name(event.shield), ".")


def cover_set(event: events.CoverSet, told: Told) -> None:
    if told.sight.everything:
        cover = event.cover
        figures = f"Durability {cover.durability}, Structure {cover.structure}"
        told.say(quiet(f"{titled(cover.name)}: {figures}{', to be seen through' * cover.transparent}."))


def cover_struck(event: events.CoverStruck, told: Told) -> None:
    name = told.sight.clean(event.cover.name) or "the cover"
    if event.cover.structure == 0:
        told.say(f"{titled(name)} is shot to pieces.")
    elif told.sight.everything:
        left = "" if event.cover.structure is None else f", {event.cover.structure} of its Structure left"
        told.say(quiet(f"{titled(name)} takes {event.damage}{left}."))
    else:
        told.say(quiet(f"{titled(name)} is hit."))


def shield_struck(event: events.ShieldStruck, told: Told) -> None:
    if told.sight.sees(event.done.to):
        told.say(quiet("The shield is hit first: "), *suffering(event.done, told))


def covering_fire(event: events.CoveringFireLaid, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    seen = [told.name(who) for who in event.at if told.sight.sees(who)]
    spans = [span for name in seen for span in (", ", name)][1:]
    told.say(told.name(event.by), " lays covering fire", " on " * bool(spans), *spans, f": {_laid(event.outcome)}.")
    told.roll(event.roll, "roll", "Covering fire")


def _laid(outcome: Outcome) -> str:
    words = {Outcome.FAIL: "nobody need fear it", Outcome.DRAMATIC_FAILURE: "a dramatic failure"}
    return words.get(outcome, "on their next turns they find cover, go prone, or are hit")


def covering_fire_met(event: events.CoveringFireMet, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if event.done is None:
        how = {"prone": " goes flat under the covering fire.", "cover": " keeps behind cover from the covering fire."}
        told.say(told.name(event.who), how.get(event.choice, " acts under covering fire, and is not hit."))
        return
    whose = told.name(event.by) if event.by in told.sight.cast else quiet("somebody")
    told.say(quiet("Acting under the covering fire of "), whose, quiet(": "), *suffering(event.done, told))


TELLING: Mapping[type, Callable[[Any, Told], None]] = {
    events.WeaponDrawn: drawn,
    events.AimTaken: aimed,
    events.AimBroken: aim_broken,
    events.ShelterTaken: sheltered,
    events.ShieldHeld: shielded,
    events.CoverSet: cover_set,
    events.CoverStruck: cover_struck,
    events.ShieldStruck: shield_struck,
    events.CoveringFireLaid: covering_fire,
    events.CoveringFireMet: covering_fire_met,
}
