"""Attacks in words, as far as each audience may know of them."""

from __future__ import annotations

from collections.abc import Iterator

from combat.perspectives.panes import Span
from combat.perspectives.told import Told, harm, quiet
from rules import events
from rules.events import Outcome
from rules.gear import BARE_HANDS
from rules.wounds.injuries import SCARRING

DEFENDED = {"dodge": "dodged", "parry": "parried", "block": "blocked", "clash": "beaten in the clash"}


def proposed(event: events.AttackProposed, told: Told) -> None:
    attack = event.exchange.attack
    seen = [who for who in attack.at if told.sight.sees(who)]
    if told.sight.sees(attack.by) and seen:
        told.say(told.name(attack.by), quiet(" is about to attack "), *_names(told, seen), quiet("."))


def _names(told: Told, ids: list[str]) -> list[Span | str]:
    spans: list[Span | str] = []
    for who in ids:
        spans += [", "] * bool(spans) + [told.name(who)]
    return spans


def answered(event: events.AttackAnswered, told: Told) -> None:
    if told.sight.everything:
        defence = event.exchange.attack.defences.get(event.target)
        kind = defence.kind if defence else ""
        told.say(told.name(event.target), quiet(f" answers: {kind.replace('_', ' ')}." if kind else " lets it come."))


def withdrawn(_event: events.AttackWithdrawn, told: Told) -> None:
    if told.sight.everything:
        told.say(quiet("The attack is taken back."))


def resolved(event: events.AttackResolved, told: Told) -> None:
    for result in event.results:
        if not told.sight.sees(result.target):
            continue
        if told.sight.sees(event.plan.by):
            _blow(event, result, told)
        elif result.done and result.done.dealt:
            # All that is known of the blow is what it did; how it came is the unseen one's secret.
            suffered(result.done, told)
            told.roll(result.defence, result.defence_kind or "defence")
            told.roll(result.done.soak, "soak")
        elif result.defence and told.sight.owns(result.target):
            # Whoever was asked and rolled knows that there was something.
            told.say(told.name(result.target), " defends against somebody unseen, and is not hurt.")
            told.roll(result.defence, result.defence_kind)


def _blow(event: events.AttackResolved, result: events.AttackResult, told: Told) -> None:
    weapon = "" if event.plan.weapon == BARE_HANDS else f" with {told.sight.gear(event.plan.by, event.plan.weapon)}"
    told.say(
        told.name(event.plan.by),
        " attacks ",
        told.name(result.target),
        weapon,
        quiet(" out of turn") if event.out_of_order and told.sight.everything else "",
        ": ",
        *_outcome(result, told),
    )
    told.roll(result.attack, "attack", target=result.target)
    told.roll(result.defence, result.defence_kind or "defence")
    for done, by in ((result.done, event.plan.by), (result.counter, result.target)):
        if done:
            told.roll(done.damage, "damage")
            told.damage(done, by)
            told.roll(done.soak, "soak")
    if result.counter:
        how = "The clash strikes back: " if result.defence_kind == "clash" else "The parry strikes back: "
        told.say(quiet(how), *suffering(result.counter, told))
    for done in (result.done, result.counter):
        if done and not told.kinds and done.dealt >= SCARRING and told.sight.figures_of(done.to):
            told.say(quiet("It leaves a battle scar on "), told.name(done.to), quiet("."))


def _outcome(result: events.AttackResult, told: Told) -> Iterator[Span]:
    if result.outcome is Outcome.BOTCH:
        yield harm("a botch.")
    elif result.outcome is Outcome.DRAMATIC_FAILURE:
        yield harm("a dramatic failure.")
    elif result.done is None:
        yield Span(f"{DEFENDED.get(result.defence_kind, 'a miss') if result.taken_off else 'a miss'}.")
    elif not told.sight.figures_of(result.target):
        yield Span("a hit.")
    elif result.done.dealt:
        yield told.dealt(dict(result.done.points))
        yield Span(", an exceptional success." if result.outcome is Outcome.EXCEPTIONAL else ".")
        if result.done.soaked and told.sight.rolls_of(result.target):
            yield quiet(f" {result.done.levels} levels, {result.done.soaked} soaked.")
    else:
        yield Span("a hit, and nothing comes through." if result.done.levels else "a hit that does no damage.")


def suffering(done: events.DamageDone, told: Told) -> Iterator[Span]:
    """What somebody took, in words."""
    yield told.name(done.to)
    if not told.sight.figures_of(done.to):
        yield Span(" is hurt.")
    elif done.dealt:
        yield Span(" takes ")
        yield told.dealt(dict(done.points))
        yield Span(".")
    else:
        yield Span(" takes nothing.")


def suffered(done: events.DamageDone, told: Told) -> None:
    """What somebody took, as far as the reader may know."""
    told.say(*suffering(done, told))


def mishap_pending(event: events.MishapPending, told: Told) -> None:
    if told.sight.everything:
        told.say(told.name(event.mishap.by), quiet(" botched: what goes wrong?"))


def mishap(event: events.MishapSettled, told: Told) -> None:
    if told.sight.sees(event.by):
        chance = quiet(" (by chance)") if event.by_chance and told.sight.everything else ""
        told.say(told.name(event.by), f": {event.mishap.replace('_', ' ')}.", chance)
    if event.done and told.sight.sees(event.done.to):
        suffered(event.done, told)
        if told.sight.sees(event.by):
            told.roll(event.done.damage, "damage")
        told.roll(event.done.soak, "soak")


def unjammed(event: events.JamCleared, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" clears {told.sight.gear(event.by, event.weapon)}.")


def reloaded(event: events.Reloaded, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" reloads {told.sight.gear(event.by, event.weapon)}.")


def armor_destroyed(event: events.ArmorDestroyed, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        armor = told.sight.gear(event.who, event.armor.name)
        told.say(told.name(event.who), " loses ", harm(armor), ": it is destroyed.")


def knocked_down(event: events.KnockedDown, told: Told) -> None:
    if told.sight.sees(event.who):
        up = event.outcome is Outcome.SUCCESS
        told.say(told.name(event.who), " is knocked down", " and up at once." if up else ".")
        told.roll(event.roll, "check", "Knockdown")
