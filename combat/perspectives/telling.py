"""Events in words: what each audience reads of each kind of event.

A function for a kind of event gives the sentences and rolls that a :class:`~combat.perspectives.sight.Sight` allows.
A kind that has none here is told to nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.perspectives import attacks, firefight, grapples
from combat.perspectives.panes import Span
from combat.perspectives.people import action_words
from combat.perspectives.told import Told, harm, quiet
from rules import events
from rules.events import Outcome

CAME = {
    Outcome.SUCCESS: "succeeds",
    Outcome.EXCEPTIONAL: "succeeds beyond all expectation",
    Outcome.FAIL: "fails",
    Outcome.BOTCH: "botches",
    Outcome.DRAMATIC_FAILURE: "fails dramatically",
}
# ------------------------------------------------------------------ who is there, and turns


def _joined(event: events.Joined, told: Told) -> None:
    if told.command == "Join" and told.sight.sees(event.combatant.id):
        told.say(told.name(event.combatant.id), quiet(" joins."))


def _left(event: events.Left, told: Told) -> None:
    if told.sight.sees(event.who):
        told.say(told.name(event.who), quiet(" is gone."))


def _visibility(event: events.VisibilityChanged, told: Told) -> None:
    if told.sight.everything:
        how = "is hidden now" if event.hidden else f"is seen as “{event.mask}”" if event.mask else "is seen"
        told.say(told.name(event.who), quiet(f" {how}; health shown: {event.health_shown}."))
    elif told.sight.cast[event.who].get("appeared") and not told.sight.owns(event.who):
        told.say(told.name(event.who), quiet(" comes into sight."))


_STATUS = {
    "Begin": "The fight begins.",
    "Resume": "The fight goes on.",
    "Pause": "The fight is paused.",
    "End": "The fight is over.",
}


def _status(_event: events.StatusChanged, told: Told) -> None:
    if told.command in _STATUS:
        told.say(Span(_STATUS[told.command], "strong"))


def _initiative(event: events.InitiativeRolled, told: Told) -> None:
    ranked = [who for rank in event.order for who in rank if who in event.scores and told.sight.sees(who)]
    spans: list[Span | str] = []
    for who in ranked:
        score = event.scores[who]
        spans += [", " if spans else "Initiative: ", told.name(who), Span(f" {score.total}", "strong")]
        if told.sight.rolls_of(who):
            tie = f"; tie {' '.join(map(str, score.ties))}" if score.ties else ""
            against = f" against {score.difficulty}" if score.difficulty else f" + {score.rating}"
            late = "; ambushed" if score.ambushed else ""
            spans.append(quiet(f" ({' '.join(map(str, score.faces))}{against}{tie}{late})"))
    if spans:
        told.say(*spans)


def _standings(event: events.StandingsChanged, told: Told) -> None:
    ranked = [who for rank in event.order for who in rank if who in event.scores and told.sight.rolls_of(who)]
    spans: list[Span | str] = []
    for who in ranked:
        spans += [", " if spans else "Initiative now: ", told.name(who), Span(f" {event.scores[who].total}", "strong")]
    if spans:
        told.say(*spans)


def _went(event: events.Moved, told: Told) -> None:
    if told.sight.sees(event.by):
        how = " runs " if event.as_action else " goes "
        told.say(told.name(event.by), f"{how}{event.distance} {event.unit}.")


def _shape(event: events.ShapeChanged, told: Told) -> None:
    if told.sight.sees(event.who):
        told.say(told.name(event.who), f" changes into {event.label}.")


def _evading(event: events.EvasionHeld, told: Told) -> None:
    if told.sight.rolls_of(event.who):
        left = f"{event.left} success{'es' if event.left != 1 else ''}" if event.left else "nothing"
        told.say(told.name(event.who), quiet(" has "), left, quiet(" ready to evade with."))


def _aimed(event: events.Aimed, told: Told) -> None:
    if event.rounds and told.sight.sees(event.by):
        seen = told.sight.sees(event.target) if event.target else False
        at = [quiet(" at "), told.name(event.target)] if seen else []
        rounds = f" ({event.rounds} rounds)" if event.rounds > 1 else ""
        told.say(told.name(event.by), " takes aim", *at, quiet(f"{rounds}."))


def _order(_event: events.OrderSet, told: Told) -> None:
    if told.sight.everything:
        told.say(quiet("The order is put otherwise."))


def _rank_moved(event: events.RankMoved, told: Told) -> None:
    score = event.scores.get(event.who)
    if score is not None and told.sight.sees(event.who):
        told.say(told.name(event.who), quiet(" stands at "), Span(str(score.total), "strong"), quiet(" in the order."))


def _held_over(event: events.HeldOver, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), " holds this turn's action over into the next.")


def _fresh_start(event: events.FreshStartTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" makes a fresh start, at {event.rank} from the next turn on.")


def _mode(event: events.InitiativeModeSet, told: Told) -> None:
    told.say("Initiative is rolled every turn." if event.every_turn else "Initiative stands for the whole fight.")


def _circumstances(event: events.CircumstancesSet, told: Told) -> None:
    if event.who and not told.sight.sees(event.who):
        return
    said = [
        f"{told.sight.clean(str(each.figures.get('why') or each.key))} {each.figures.get('dice', 0):+}"
        for each in event.circumstances
    ]
    whose: list[Span | str] = [told.name(event.who), ": "] if event.who else ["The scene: "]
    told.say(*whose, ", ".join(said) or "nothing out of the ordinary any more", ".")


def _described(event: events.Described, told: Told) -> None:
    mine = [who for who in event.to if told.sight.owns(who)]
    if told.sight.everything or mine:
        seen = [told.name(who) for who in (event.to if told.sight.everything else mine)]
        names: list[Span | str] = [part for name in seen for part in (", ", name)][1:]
        told.say(*names, quiet(": "), event.text or "nothing of their own any more")


def _checked(event: events.CheckRolled, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        told.say(told.name(event.who), " stays conscious." if event.passed else " passes out.")
        told.roll(event.roll, "check", event.check.capitalize())


def _bled(event: events.Bled, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        told.say(told.name(event.who), harm(" bleeds."))


def _declared(event: events.Declared, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    said = event.declaration
    actions = action_words(said.actions)
    words = [f"“{told.sight.said(said.text)}”"] if said.text else []
    words += [actions] if actions else []
    words += ["waits"] if said.delay else []
    words += [power.replace("_", " ").capitalize() for power in said.disciplines]
    words += [f"{said.willpower} Willpower"] if said.willpower else []
    words += [f"{amount} {key.replace('_', ' ').capitalize()}" for key, amount in said.points.items() if amount]
    told.say(told.name(event.by), quiet(" declares: "), "; ".join(words) or "to act as it comes")


def _moved(event: events.TurnMoved, told: Told) -> None:
    if told.sight.everything:
        names = [told.sight.name(who) for who in event.visit.ids] if event.visit else []
        told.say(
            quiet(f"{' and '.join(names)} {'act' if len(names) > 1 else 'acts'}." if names else "Everybody has acted.")
        )


def _turn(event: events.TurnEnded, told: Told) -> None:
    told.say(Span(f"Turn {event.next} begins", "strong"))


def _delayed(event: events.Delayed, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), " waits", f": “{told.sight.said(event.text)}”" if event.text else ".")


def _aborted(event: events.Aborted, told: Told) -> None:
    if told.sight.sees(event.by):
        end = " gives up an action to defend." if event.succeeded else " tries to give up an action, and cannot."
        told.say(told.name(event.by), end)
        told.roll(event.roll, "roll", "Abort")


def _full_defence(event: events.FullDefenceTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), " does nothing but defend this turn.")


# ------------------------------------------------------------------ rolls, health, resources


def _rolled(event: events.TraitsRolled, told: Told) -> None:
    if not told.sight.sees(event.by) or (event.secret and not told.sight.everything):
        return
    came = CAME[event.outcome]
    successes = f" ({event.roll.roll.successes})" if told.sight.rolls_of(event.by) else ""
    label = told.sight.said(event.label) if event.label else "a roll"
    told.say(told.name(event.by), f", {label}: ", Span(f"{came}{successes}", "strong"), ".")
    told.roll(event.roll, "roll", label)
    told.roll(event.resisted, "resist", "Resisted")


def _extended(event: events.ExtendedRolled, told: Told) -> None:
    command, now = event.now.command, event.now
    if not told.sight.rolls_of(command.by) or (command.secret and not told.sight.everything):
        return
    if event.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE):
        told.say(harm("All that was gathered is lost."))
        return
    rolls = f"{now.made} roll{'s' if now.made > 1 else ''}"
    gathered = f"{now.total} of {now.asked.target} successes after {rolls}"
    if event.outcome is Outcome.SUCCESS:
        told.say(Span(f"{gathered}: it is done.", "strong"))
    elif event.outcome is Outcome.FAIL:
        told.say(f"{gathered}, and there is no further roll: it comes to nothing.")
    else:
        told.say(quiet(f"{gathered}{f' of {now.asked.rolls}' if now.asked.rolls else ''}."))


def _given_up(event: events.RollGivenUp, told: Told) -> None:
    command = event.roll.command
    if told.sight.sees(command.by) and (told.sight.everything or not command.secret):
        label = told.sight.said(command.label) if command.label else "a roll"
        told.say(told.name(command.by), f", {label}: ", quiet("left before it came to anything."))


def _harmed(event: events.Harmed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if not told.sight.figures_of(event.who):
        told.say(told.name(event.who), " is hurt.")
        return
    why = quiet(f" ({told.sight.clean(event.why)})") if event.why else ""
    told.say(told.name(event.who), " takes ", told.dealt({event.type: event.amount}), ".", why)
    told.cite(event.rule)


def _healed(event: events.Healed, told: Told) -> None:
    if told.sight.sees(event.who):
        levels = ", ".join(_healing(count, kind) for kind, count in event.healed.items() if count)
        known = levels if told.sight.figures_of(event.who) else ""
        told.say(told.name(event.who), " heals", Span(f" {known}" if known else "", "heal"), ".")


def _healing(count: int, kind: str) -> str:
    if kind != "levels":
        return f"{count} {kind}"
    return f"{count} level{'s' if count > 1 else ''} of an injury"


def _health_set(event: events.HealthSet, told: Told) -> None:
    if told.sight.rolls_of(event.who):
        why = quiet(f" ({told.sight.clean(event.why)})") if event.why else ""
        told.say(told.name(event.who), ": health put right.", why)


def _resource(event: events.ResourceChanged, told: Told) -> None:
    if not told.sight.rolls_of(event.who) or not event.spent:
        return
    what = event.resource.replace("_", " ")
    what = what.capitalize() if event.resource == "willpower" else what
    did = "spends" if event.spent > 0 else "regains"
    left = quiet(f" {event.left} left.") if told.sight.everything or told.sight.owns(event.who) else ""
    told.say(told.name(event.who), f" {did} {abs(event.spent)} {what}.", left)


def _conditions(event: events.ConditionsChanged, told: Told) -> None:
    gone = [key.replace("_", " ") for key in sorted(event.removed)]
    if told.sight.sees(event.who) and gone and told.sight.figures_of(event.who):
        told.say(told.name(event.who), f" is no longer {', '.join(gone)}.")


TELLING: dict[type, Callable[[Any, Told], None]] = {
    events.Joined: _joined,
    events.Left: _left,
    events.VisibilityChanged: _visibility,
    events.StatusChanged: _status,
    events.InitiativeRolled: _initiative,
    events.OrderSet: _order,
    events.RankMoved: _rank_moved,
    events.HeldOver: _held_over,
    events.FreshStartTaken: _fresh_start,
    events.InitiativeModeSet: _mode,
    events.CircumstancesSet: _circumstances,
    events.Described: _described,
    events.CheckRolled: _checked,
    events.Bled: _bled,
    events.Declared: _declared,
    events.TurnMoved: _moved,
    events.ShapeChanged: _shape,
    events.TurnEnded: _turn,
    events.Delayed: _delayed,
    events.Aborted: _aborted,
    events.FullDefenceTaken: _full_defence,
    events.AttackProposed: attacks.proposed,
    events.AttackAnswered: attacks.answered,
    events.AttackWithdrawn: attacks.withdrawn,
    events.AttackResolved: attacks.resolved,
    events.MishapPending: attacks.mishap_pending,
    events.MishapSettled: attacks.mishap,
    events.JamCleared: attacks.unjammed,
    events.Reloaded: attacks.reloaded,
    events.StandingsChanged: _standings,
    events.ArmorDestroyed: attacks.armor_destroyed,
    events.KnockedDown: attacks.knocked_down,
    events.Moved: _went,
    events.EvasionHeld: _evading,
    events.Aimed: _aimed,
    events.TraitsRolled: _rolled,
    events.GrappleRolled: grapples.rolled,
    events.GrappleEnded: grapples.ended,
    events.MoveMade: grapples.move,
    events.HandLent: grapples.hand,
    events.RollMade: grapples.part,
    events.Hurt: grapples.hurt,
    events.Disarmed: grapples.disarmed,
    events.PickedUp: grapples.picked_up,
    events.Touched: grapples.touched,
    events.WeaponGained: grapples.gained,
    events.Followed: grapples.followed,
    events.ExtendedRolled: _extended,
    events.RollGivenUp: _given_up,
    events.Harmed: _harmed,
    events.Healed: _healed,
    events.HealthSet: _health_set,
    events.ResourceChanged: _resource,
    events.ConditionsChanged: _conditions,
    **firefight.TELLING,
}
