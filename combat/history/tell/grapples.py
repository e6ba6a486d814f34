"""Tellers of grapples and other hand-to-hand actions: disarming, touching, picking up."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from combat.history.entries import Span
from combat.history.tell.attacks import suffering
from combat.history.tell.context import Told, harm, tells
from rules.model.results import Outcome
from rules.topics import events

MOVES = {
    "break_free": gettext_lazy("{who} breaks free of {other}."),
    "control_weapon": gettext_lazy("{who} gains control of a weapon in the grapple with {other}."),
    "grapple_damage": gettext_lazy("{who} hurts {other} in the grapple."),
    "grapple_disarm": gettext_lazy("{who} disarms {other}."),
    "drop_prone": gettext_lazy("{who} goes to the ground with {other}."),
    "hold": gettext_lazy("{who} holds {other} in place."),
    "restrain": gettext_lazy("{who} restrains {other}."),
    "take_cover": gettext_lazy("{who} takes cover behind {other}."),
    "throw": gettext_lazy("{who} throws {other}."),
    "bite": gettext_lazy("{who} bites {other}."),
    "stop_drinking": gettext_lazy("{who} stops drinking from {other}."),
}

CAME = {
    Outcome.SUCCESS: gettext_lazy("wins"),
    Outcome.EXCEPTIONAL: gettext_lazy("wins with an exceptional success"),
    Outcome.FAIL: gettext_lazy("doesn’t win"),
    Outcome.DRAMATIC_FAILURE: gettext_lazy("fails dramatically"),
}

BROUGHT = {
    "heart": gettext_lazy("{who} is struck in the heart."),
    "knocked_down": gettext_lazy("{who} is knocked down."),
    "silver": gettext_lazy("Silver burns {who}."),
    "unmoved": gettext_lazy("{who} is unmoved by the Delirium."),
}
"""Consequences that are not conditions."""

ROLLS = {
    "break_free": gettext_lazy("Break free"),
    "control_weapon": gettext_lazy("Control a weapon"),
    "grapple_damage": gettext_lazy("Damage"),
    "grapple_disarm": gettext_lazy("Disarm"),
    "drop_prone": gettext_lazy("Drop both prone"),
    "hold": gettext_lazy("Hold"),
    "restrain": gettext_lazy("Restrain"),
    "take_cover": gettext_lazy("Take cover behind them"),
    "throw": gettext_lazy("Throw"),
}
"""The labels of the moves that have a roll of their own."""


@tells(events.GrappleRolled)
def rolled(event: events.GrappleRolled, told: Told) -> None:
    if not (told.sight.sees(event.by) or told.sight.sees(event.at)):
        return
    came = str(CAME[event.outcome])
    if event.hands and told.sight.rolls_of(event.by):
        came = _("{came} ({hands} from helping hands)").format(came=came, hands=event.hands)
    told.tell(
        _("{who} grapples with {other}: {came}."),
        who=told.name(event.by),
        other=told.name(event.at),
        came=Span(came, "strong"),
    )
    told.cite(event.rule)
    told.roll(event.roll, "roll", _("Grapple"))
    told.roll(event.resisted, "resist", _("Resistance"))


@tells(events.GrappleEnded)
def ended(event: events.GrappleEnded, told: Told) -> None:
    if told.sight.sees(event.one) or told.sight.sees(event.other):
        said = _("{who} and {other} let go of each other.")
        told.tell(said, "quiet", who=told.name(event.one), other=told.name(event.other))


@tells(events.MoveMade)
def move(event: events.MoveMade, told: Told) -> None:
    if told.sight.sees(event.by) or told.sight.sees(event.at):
        told.tell(str(MOVES[event.move]), who=told.name(event.by), other=told.name(event.at))
        told.cite(event.rule)


@tells(events.HandLent)
def hand(event: events.HandLent, told: Told) -> None:
    if told.sight.sees(event.hand.by):
        told.tell(
            _("{who} lends a hand against {other} ({successes}).")
            if told.sight.rolls_of(event.hand.by)
            else _("{who} lends a hand against {other}."),
            who=told.name(event.hand.by),
            other=told.name(event.hand.against),
            successes=event.hand.successes,
        )
        told.cite(event.rule)
        told.roll(event.roll, "roll", _("Helping hand"))


@tells(events.RollMade)
def part(event: events.RollMade, told: Told) -> None:
    if told.sight.sees(event.by):
        told.cite(event.rule)
        told.roll(event.roll, "roll", str(ROLLS[event.what]))


@tells(events.Hurt)
def hurt(event: events.Hurt, told: Told) -> None:
    if told.sight.sees(event.done.to):
        told.lines.append(suffering(event.done, told))
        told.suffers(event.done.to, dict(event.done.points), event.by)
        told.cite(event.rule)
        if told.sight.sees(event.by):
            told.roll(event.done.damage, "damage")
        told.damage(event.done, event.by)
        told.roll(event.done.soak, "soak")


@tells(events.Disarmed)
def disarmed(event: events.Disarmed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    said = _("{who} loses a weapon to {taker}: {weapon}.") if event.taken else _("{who} loses a weapon: {weapon}.")
    weapon = harm(told.sight.gear(event.who, event.weapon))
    taker = told.name(event.by) if event.taken else ""
    told.tell(said, who=told.name(event.who), weapon=weapon, taker=taker)
    told.cite(event.rule)


@tells(events.PickedUp)
def picked_up(event: events.PickedUp, told: Told) -> None:
    if told.sight.sees(event.by):
        weapon = told.sight.gear(event.by, event.weapon)
        told.tell(_("{who} picks up {weapon}."), who=told.name(event.by), weapon=weapon)
        told.cite(event.rule)


@tells(events.Touched)
def touched(event: events.Touched, told: Told) -> None:
    if told.sight.sees(event.by) or told.sight.sees(event.at):
        told.tell(_("{who} touches {other}."), who=told.name(event.by), other=told.name(event.at))
        told.cite(event.rule)


@tells(events.Followed)
def followed(event: events.Followed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if event.what in BROUGHT:
        told.tell(str(BROUGHT[event.what]), who=told.name(event.who))
    told.cite(event.rule)


@tells(events.WeaponGained)
def gained(event: events.WeaponGained, told: Told) -> None:
    # A weapon taken from somebody is told with the disarming.
    if told.sight.sees(event.who) and told.command == "TakeAction" and not told.lines:
        weapon = told.sight.gear(event.who, event.weapon.name)
        told.tell(_("{who} grabs a weapon: {weapon}."), who=told.name(event.who), weapon=weapon)
