"""Grapples in words, and what else hands do: snatch, touch, pick up."""

from __future__ import annotations

from combat.perspectives.attacks import suffering
from combat.perspectives.panes import Span
from combat.perspectives.told import Told, harm, quiet
from rules import events
from rules.events import Outcome

MOVES = {
    "break_free": ("breaks free of", "."),
    "control_weapon": ("gets a weapon under control against", "."),
    "grapple_damage": ("hurts", " in the grapple."),
    "grapple_disarm": ("disarms", "."),
    "drop_prone": ("goes to the ground with", "."),
    "hold": ("holds", " in place."),
    "restrain": ("restrains", "."),
    "take_cover": ("takes cover behind", "."),
    "throw": ("throws", "."),
}

CAME = {
    Outcome.SUCCESS: "wins",
    Outcome.EXCEPTIONAL: "wins beyond all expectation",
    Outcome.FAIL: "does not win",
    Outcome.DRAMATIC_FAILURE: "fails dramatically",
}

BROUGHT = {"heart": "is struck in the heart.", "knocked_down": "is knocked down."}
"""What follows from a blow and is no condition of its own."""


def rolled(event: events.GrappleRolled, told: Told) -> None:
    if not (told.sight.sees(event.by) or told.sight.sees(event.at)):
        return
    hands = f" ({event.hands} by helping hands)" if event.hands and told.sight.rolls_of(event.by) else ""
    came = Span(f"{CAME[event.outcome]}{hands}", "strong")
    told.say(told.name(event.by), " grapples with ", told.name(event.at), ": ", came, ".")
    told.cite(event.rule)
    told.roll(event.roll, "roll", "Grapple")
    told.roll(event.resisted, "resist", "Resisted")


def ended(event: events.GrappleEnded, told: Told) -> None:
    if told.sight.sees(event.one) or told.sight.sees(event.other):
        told.say(told.name(event.one), quiet(" and "), told.name(event.other), quiet(" let go of each other."))


def move(event: events.MoveMade, told: Told) -> None:
    if told.sight.sees(event.by) or told.sight.sees(event.at):
        does, end = MOVES[event.move]
        told.say(told.name(event.by), f" {does} ", told.name(event.at), end)
        told.cite(event.rule)


def hand(event: events.HandLent, told: Told) -> None:
    if told.sight.sees(event.hand.by):
        helps = f" ({event.hand.successes})" if told.sight.rolls_of(event.hand.by) else ""
        told.say(told.name(event.hand.by), " lends a hand against ", told.name(event.hand.against), f"{helps}.")
        told.cite(event.rule)
        told.roll(event.roll, "roll", "Helping hand")


def part(event: events.RollMade, told: Told) -> None:
    if told.sight.sees(event.by):
        told.cite(event.rule)
        told.roll(event.roll, "roll", event.what.replace("_", " ").capitalize())


def hurt(event: events.Hurt, told: Told) -> None:
    if told.sight.sees(event.done.to):
        told.say(*suffering(event.done, told))
        told.cite(event.rule)
        told.damage(event.done, event.by)


def disarmed(event: events.Disarmed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    weapon = told.sight.gear(event.who, event.weapon)
    taker: list[Span | str] = [": ", told.name(event.by), " has it"] if event.taken else []
    told.say(told.name(event.who), " loses hold of ", harm(weapon), *taker, ".")
    told.cite(event.rule)


def picked_up(event: events.PickedUp, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" picks up {told.sight.gear(event.by, event.weapon)}.")
        told.cite(event.rule)


def touched(event: events.Touched, told: Told) -> None:
    if told.sight.sees(event.by) or told.sight.sees(event.at):
        told.say(told.name(event.by), " touches ", told.name(event.at), ".")
        told.cite(event.rule)


def followed(event: events.Followed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if event.what in BROUGHT:
        told.say(told.name(event.who), f" {BROUGHT[event.what]}")
    told.cite(event.rule)


def gained(event: events.WeaponGained, told: Told) -> None:
    # What was taken from somebody is told where they lose it.
    if told.sight.sees(event.who) and told.command == "TakeAction" and not told.lines:
        told.say(told.name(event.who), f" grabs {told.sight.gear(event.who, event.weapon.name)} to strike with.")
