"""Events in words: what each audience reads of each kind of event.

A function for a kind of event gives the sentences and rolls that a :class:`~combat.perspectives.sight.Sight` allows.
A kind that has none here is told to nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from combat.perspectives.panes import Die, Line, PartLine, RollLine, Span
from combat.perspectives.sight import Sight
from rules import events
from rules.events import Outcome, Rolled
from rules.gear import BARE_HANDS

DEFENDED = {"dodge": "dodged", "parry": "parried", "block": "blocked"}


@dataclass(slots=True)
class Told:
    """What is told of one row, while it is being put together."""

    sight: Sight
    command: str
    lines: list[Line] = field(default_factory=list)
    rolls: list[RollLine] = field(default_factory=list)

    def say(self, *spans: Span | str) -> None:
        """Add a sentence."""
        self.lines.append(tuple(Span(part) if isinstance(part, str) else part for part in spans))

    def name(self, who: str) -> Span:
        """Somebody, by the name the reader knows."""
        return Span(self.sight.name(who), "name")

    def roll(self, rolled: Rolled | None, purpose: str, label: str = "") -> None:
        """Add a roll, if its dice may be seen."""
        if rolled is not None and self.sight.rolls_of(rolled.by):
            self.rolls.append(_roll_line(self.sight, rolled, purpose, label or purpose.capitalize()))


def _roll_line(sight: Sight, rolled: Rolled, purpose: str, label: str) -> RollLine:
    parts = tuple(
        PartLine(sight.clean(part.label), part.rule, part.dice, part.difficulty, part.struck)
        for part in rolled.plan.parts
    )
    return RollLine(
        sight.name(rolled.by),
        purpose,
        label,
        parts,
        rolled.plan.pool,
        rolled.plan.difficulty,
        tuple(Die(face, _tone(face, rolled.roll.difficulty)) for face in rolled.roll.faces),
        rolled.roll.successes,
        rolled.roll.botch,
    )


def _tone(face: int, difficulty: int) -> str:
    if face == 1:
        return "one"
    return "hit" if face >= difficulty else ""


def quiet(text: str) -> Span:
    return Span(text, "quiet")


def harm(text: str) -> Span:
    return Span(text, "harm")


# ------------------------------------------------------------------ who is there, and turns


def _joined(event: events.Joined, told: Told) -> None:
    if told.command == "Join" and told.sight.sees(event.combatant.id):
        told.say(told.name(event.combatant.id), quiet(" is there."))


def _left(event: events.Left, told: Told) -> None:
    if told.sight.sees(event.who):
        told.say(told.name(event.who), quiet(" is gone."))


def _visibility(event: events.VisibilityChanged, told: Told) -> None:
    if told.sight.everything:
        how = "is hidden now" if event.hidden else f"is seen as “{event.mask}”" if event.mask else "is seen"
        told.say(told.name(event.who), quiet(f" {how}; health shown: {event.health_shown}."))


_STATUS = {
    "Begin": "The fight begins.",
    "Resume": "The fight goes on.",
    "Pause": "The fight is set aside.",
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
            spans.append(quiet(f" ({' '.join(map(str, score.faces))} + {score.rating})"))
    if spans:
        told.say(*spans)


def _order(_event: events.OrderSet, told: Told) -> None:
    if told.sight.everything:
        told.say(quiet("The order is put otherwise."))


def _declared(event: events.Declared, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    said = event.declaration
    actions = ", ".join(action.replace("_", " ") for action in said.actions)
    words = [f"“{said.text}”"] if said.text else []
    words += [actions] if actions else []
    words += ["waits"] if said.delay else []
    words += [power.replace("_", " ").capitalize() for power in said.disciplines]
    words += [f"{said.willpower} Willpower"] if said.willpower else []
    told.say(told.name(event.by), quiet(" declares: "), "; ".join(words) or "to act as it comes")


def _moved(event: events.TurnMoved, told: Told) -> None:
    if told.sight.everything:
        names = [told.sight.name(who) for who in event.visit.ids] if event.visit else []
        told.say(quiet(f"On to {' and '.join(names)}." if names else "Everybody has acted."))


def _turn(event: events.TurnEnded, told: Told) -> None:
    told.say(Span(f"Turn {event.next} begins", "strong"))


def _delayed(event: events.Delayed, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), " waits", f": “{event.text}”" if event.text else ".")


def _aborted(event: events.Aborted, told: Told) -> None:
    if told.sight.sees(event.by):
        end = " gives up an action to defend." if event.succeeded else " tries to give up an action, and cannot."
        told.say(told.name(event.by), end)
        told.roll(event.roll, "roll", "Abort")


def _full_defence(event: events.FullDefenceTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), " does nothing but defend this turn.")


# ------------------------------------------------------------------ attacks


def _proposed(event: events.AttackProposed, told: Told) -> None:
    attack = event.exchange.attack
    seen = [who for who in attack.at if told.sight.sees(who)]
    if told.sight.sees(attack.by) and seen:
        told.say(told.name(attack.by), quiet(" is about to attack "), *_names(told, seen), quiet("."))


def _names(told: Told, ids: list[str]) -> list[Span | str]:
    spans: list[Span | str] = []
    for who in ids:
        spans += [", "] * bool(spans) + [told.name(who)]
    return spans


def _answered(event: events.AttackAnswered, told: Told) -> None:
    if told.sight.everything:
        defence = event.exchange.attack.defences.get(event.target)
        kind = defence.kind if defence else ""
        told.say(told.name(event.target), quiet(f" answers: {kind or 'no defence'}."))


def _withdrawn(_event: events.AttackWithdrawn, told: Told) -> None:
    if told.sight.everything:
        told.say(quiet("The attack is taken back."))


def _resolved(event: events.AttackResolved, told: Told) -> None:
    for result in event.results:
        if not told.sight.sees(result.target):
            continue
        if told.sight.sees(event.plan.by):
            _blow(event, result, told)
        elif result.done and result.done.dealt:
            # All that is known of the blow is what it did; how it came is the unseen one's secret.
            _suffered(result.done, told)
            told.roll(result.defence, result.defence_kind or "defence")
            told.roll(result.done.soak, "soak")


def _blow(event: events.AttackResolved, result: events.AttackResult, told: Told) -> None:
    weapon = "" if event.plan.weapon == BARE_HANDS else f" with {event.plan.weapon}"
    told.say(
        told.name(event.plan.by),
        " attacks ",
        told.name(result.target),
        weapon,
        quiet(" out of turn") if event.out_of_order and told.sight.everything else "",
        ": ",
        *_outcome(result, told),
    )
    told.roll(result.attack, "attack")
    told.roll(result.defence, result.defence_kind or "defence")
    for done, purpose in ((result.done, "damage"), (result.counter, "damage")):
        if done:
            told.roll(done.damage, purpose)
            told.roll(done.soak, "soak")
    if result.counter:
        told.say(quiet("The parry strikes back: "), *_suffering(result.counter, told))


def _outcome(result: events.AttackResult, told: Told) -> Iterator[Span]:
    if result.outcome is Outcome.BOTCH:
        yield harm("a botch.")
    elif result.done is None:
        yield Span(f"{DEFENDED.get(result.defence_kind, 'a miss') if result.taken_off else 'a miss'}.")
    elif not told.sight.figures_of(result.target):
        yield Span("a hit.")
    elif result.done.dealt:
        yield harm(f"{result.done.dealt} {result.done.type}")
        yield Span(".")
        if result.done.soaked and told.sight.rolls_of(result.target):
            yield quiet(f" {result.done.levels} levels, {result.done.soaked} soaked.")
    else:
        yield Span("a hit, and nothing comes through." if result.done.levels else "a hit that does no damage.")


def _suffering(done: events.DamageDone, told: Told) -> Iterator[Span]:
    yield told.name(done.to)
    if not told.sight.figures_of(done.to):
        yield Span(" is hurt.")
    elif done.dealt:
        yield Span(" takes ")
        yield harm(f"{done.dealt} {done.type}")
        yield Span(".")
    else:
        yield Span(" takes nothing.")


def _suffered(done: events.DamageDone, told: Told) -> None:
    told.say(*_suffering(done, told))


def _mishap_pending(event: events.MishapPending, told: Told) -> None:
    if told.sight.everything:
        told.say(told.name(event.mishap.by), quiet(" botched: what goes wrong?"))


def _mishap(event: events.MishapSettled, told: Told) -> None:
    if told.sight.sees(event.by):
        chance = quiet(" (by chance)") if event.by_chance and told.sight.everything else ""
        told.say(told.name(event.by), f": {event.mishap.replace('_', ' ')}.", chance)
    if event.done and told.sight.sees(event.done.to):
        _suffered(event.done, told)
        if told.sight.sees(event.by):
            told.roll(event.done.damage, "damage")
        told.roll(event.done.soak, "soak")


def _unjammed(event: events.JamCleared, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" clears {event.weapon}.")


def _reloaded(event: events.Reloaded, told: Told) -> None:
    if told.sight.sees(event.by):
        told.say(told.name(event.by), f" reloads {event.weapon}.")


# ------------------------------------------------------------------ rolls, health, resources


def _rolled(event: events.TraitsRolled, told: Told) -> None:
    if not told.sight.sees(event.by) or (event.secret and not told.sight.everything):
        return
    came = {Outcome.SUCCESS: "succeeds", Outcome.FAIL: "fails", Outcome.BOTCH: "botches"}.get(event.outcome, "")
    successes = f" ({event.roll.roll.successes})" if told.sight.rolls_of(event.by) else ""
    label = told.sight.clean(event.label) if event.label else "a roll"
    told.say(told.name(event.by), f", {label}: ", Span(f"{came}{successes}", "strong"), ".")
    told.roll(event.roll, "roll", label)
    told.roll(event.resisted, "resist", "Resisted")


def _harmed(event: events.Harmed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if not told.sight.figures_of(event.who):
        told.say(told.name(event.who), " is hurt.")
        return
    why = quiet(f" ({told.sight.clean(event.why)})") if event.why else ""
    told.say(told.name(event.who), " takes ", harm(f"{event.amount} {event.type}"), ".", why)


def _healed(event: events.Healed, told: Told) -> None:
    if told.sight.sees(event.who):
        levels = ", ".join(f"{count} {kind}" for kind, count in event.healed.items() if count)
        known = levels if told.sight.figures_of(event.who) else ""
        told.say(told.name(event.who), " heals", Span(f" {known}" if known else "", "heal"), ".")


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
    events.Declared: _declared,
    events.TurnMoved: _moved,
    events.TurnEnded: _turn,
    events.Delayed: _delayed,
    events.Aborted: _aborted,
    events.FullDefenceTaken: _full_defence,
    events.AttackProposed: _proposed,
    events.AttackAnswered: _answered,
    events.AttackWithdrawn: _withdrawn,
    events.AttackResolved: _resolved,
    events.MishapPending: _mishap_pending,
    events.MishapSettled: _mishap,
    events.JamCleared: _unjammed,
    events.Reloaded: _reloaded,
    events.TraitsRolled: _rolled,
    events.Harmed: _harmed,
    events.Healed: _healed,
    events.HealthSet: _health_set,
    events.ResourceChanged: _resource,
    events.ConditionsChanged: _conditions,
}
