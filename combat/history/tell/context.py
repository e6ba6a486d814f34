"""The builder of a log entry: what is told of one row, and the registry of tellers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import said, worded
from combat.history.deeds import Deed, Suffered, Threw
from combat.history.entries import Die, Line, RollLine, Span
from combat.history.plan_parts import again_in_words, as_told
from combat.history.tell.sentences import Piece, joined, sentence
from combat.secrecy.sight import Sight
from rules.engine.dice import Roll
from rules.engine.messages import Event, event_type, event_types
from rules.engine.phrases import phrase
from rules.model.damage_steps import DamageStage, DamageTold, Points, in_words, total
from rules.model.plan import Part, dice_of, difficulty_of, tells_of_target
from rules.model.results import DamageDone, Rolled
from rules.model.system import OneByOne
from rules.topics.rolls.pools import DIFFICULTY_OF

PURPOSES = {
    "attack": gettext_lazy("Attack"),
    "block": gettext_lazy("Block"),
    "check": gettext_lazy("Check"),
    "clash": gettext_lazy("Clash"),
    "damage": gettext_lazy("Damage"),
    "defence": gettext_lazy("Defence"),
    "dodge": gettext_lazy("Dodge"),
    "parry": gettext_lazy("Parry"),
    "resist": gettext_lazy("Resistance"),
    "roll": gettext_lazy("Roll"),
    "soak": gettext_lazy("Soak"),
}
"""The labels of rolls, by purpose."""

TEN = 10
"""The face with a highlight of its own."""


@dataclass(slots=True)
class Told:
    """An entry under construction.

    `injuries` words the harm of systems that keep injuries one by one; None in systems whose damage marks boxes.
    `passive` names the Defense that applies to targets who don't answer; "" in systems without it.
    """

    sight: Sight
    command: str
    injuries: OneByOne | None = None
    passive: str = ""
    lines: list[Line] = field(default_factory=list)
    rolls: list[RollLine] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    topics: set[str] = field(default_factory=set)
    deeds: list[Deed] = field(default_factory=list)

    def cite(self, rule: str) -> None:
        """Cite a rule behind what is told."""
        self.rules.append(rule)

    def tell(self, template: str, /, tone: str = "", **values: Piece) -> None:
        """Add a line: a translated template with its values."""
        self.lines.append(self._opened(sentence(template, tone, **values)))

    def go_on(self, template: str, /, tone: str = "", **values: Piece) -> None:
        """Add another sentence to the last line."""
        self.lines[-1] = joined((*self.lines[-1], Span(" ", tone), *self._opened(sentence(template, tone, **values))))

    def _opened(self, line: Line) -> Line:
        """A line with its first words as a sentence starts with them."""
        return (replace(line[0], text=self.sight.leading(line[0].text)), *line[1:]) if line else line

    def name(self, who: str) -> Span:
        """Somebody, by the name the reader knows."""
        return Span(self.sight.name(who), "name")

    def dealt(self, points: Points) -> Span:
        """Damage in the ruleset's words."""
        return harm(said(self.injuries.harm(total(points)) if self.injuries else in_words(points)))

    def roll(self, rolled: Rolled | None, purpose: str, label: str = "", target: str = "") -> None:
        """Add a roll if its dice may be seen.

        A `target`'s Defense and armour are summed up for readers who may not know them.
        """
        if rolled is None or not self.sight.faces_of(rolled.by):
            return
        # The Storyteller shows only faces: the parts of the pool stay behind the screen.
        parts = rolled.plan.parts if self.sight.rolls_of(rolled.by) else ()
        if target and not self.sight.rolls_of(target):
            parts = _without_figures(parts)
        line = _roll_line(self.sight, rolled, parts, purpose, label or str(PURPOSES[purpose]))
        if self._hides_difficulty(rolled.plan.parts):
            line = _without_difficulty(line, parts)
        else:
            self.deeds.append(Threw(line.label, rolled))
        self.rolls.append(line)

    def suffers(self, who: str, points: Points, by: str = "") -> None:
        """Note somebody's damage and its cause (`by`) for the report, if the reader sees the numbers."""
        if total(points) and self.sight.figures_of(who):
            known = by if self.sight.sees(by) else ""
            self.deeds.append(Suffered(who, total(points), self.dealt(points).text, known))

    def damage(self, done: DamageDone | None, by: str) -> None:
        """Add how successes became damage, step by step, for readers who may see the target's Traits and armour.

        The share of an attacker (``by``) whose dice the reader can't see is summed up.
        """
        if done is not None and done.told and self.sight.rolls_of(done.to):
            steps = done.told if self.sight.rolls_of(by) else _without_blow(done.told)
            self.rolls.append(_damage_line(self.sight, done, steps))

    def _hides_difficulty(self, parts: tuple[Part, ...]) -> bool:
        """Whether the difficulty comes from the Traits of somebody whose Traits the reader may not know."""
        whose = (part.key.removeprefix(DIFFICULTY_OF) for part in parts if part.key.startswith(DIFFICULTY_OF))
        return any(not self.sight.rolls_of(who) for who in whose)


def _without_figures(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts, with those that reveal the target's armour, Defense and powers summed up."""
    theirs = [part for part in parts if tells_of_target(part) and not part.struck]
    kept = tuple(part for part in parts if not tells_of_target(part))
    if not theirs:
        return kept
    difficulty = difficulty_of(theirs)
    label = phrase("because-of-target") if difficulty else phrase("targets-defense-and-armour")
    return (*kept, replace(theirs[0], label=label, dice=dice_of(theirs), difficulty=difficulty))


def _without_difficulty(line: RollLine, parts: tuple[Part, ...]) -> RollLine:
    """The roll without anything that reveals its difficulty: the Traits, their sum, and which dice met it."""
    shown = zip(line.parts, parts, strict=True)
    kept = tuple(item for item, part in shown if part.key != "limit" and not part.key.startswith(DIFFICULTY_OF))
    rule = next((part.rule for part in parts if part.key.startswith(DIFFICULTY_OF)), "")
    whose = Part("", _("Difficulty: known only to the Storyteller"), rule)
    dice = tuple(Die(die.face, "" if die.tone == "hit" else die.tone) for die in line.dice)
    return replace(line, parts=(*kept, whose), difficulty=0, dice=dice)


def _roll_line(sight: Sight, rolled: Rolled, shown: tuple[Part, ...], purpose: str, label: str) -> RollLine:
    parts = tuple(as_told(part, sight.clean(part.label)) for part in shown)
    return RollLine(
        sight.name(rolled.by),
        purpose,
        label,
        parts,
        rolled.plan.pool,
        rolled.plan.difficulty,
        tuple(Die(face, _tone(face, rolled.roll)) for face in rolled.roll.faces),
        rolled.roll.successes,
        rolled.roll.botch,
        rolled.roll.chance,
        rolled.roll.dramatic,
        rolled.roll.exceptional,
        rolled.plan.outright,
        rolled.by,
        again_in_words(rolled.plan) if sight.rolls_of(rolled.by) else "",
    )


def _without_blow(steps: tuple[DamageTold, ...]) -> tuple[DamageTold, ...]:
    """The steps, those that tell how well the attacker hit and with what put together."""
    theirs = [step for step in steps if step.stage <= DamageStage.LIMIT]
    kept = tuple(step for step in steps if step.stage > DamageStage.LIMIT)
    return (replace(theirs[-1], label=phrase("the-blow"), rule=theirs[0].rule), *kept) if theirs else kept


def _damage_line(sight: Sight, done: DamageDone, steps: tuple[DamageTold, ...]) -> RollLine:
    parts, before = [], 0
    for step in steps:
        after, label = total(step.left), sight.clean(step.label)
        if after == before:
            label = f"{label}: {said(in_words(step.left))}"
        parts.append(Part("", label, step.rule, after - before))
        before = after
    figures = (tuple(parts), done.dealt, 0, (), done.dealt)
    return RollLine(sight.name(done.to), "damage", _("Damage"), *figures, botch=False, outright=True)


def _tone(face: int, roll: Roll) -> str:
    """Where dice are rolled again, a 1 is a face like others but on a chance die. A 10 always succeeds."""
    if face == 1 and (not roll.again or roll.chance):
        return "one"
    return "ten" if face == TEN else "hit" if face >= roll.difficulty else ""


def quiet(text: str) -> Span:
    return Span(text, "quiet")


def harm(text: str) -> Span:
    return Span(text, "harm")


# ------------------------------------------------------------------ which function tells which events

Tell = Callable[[Any, Told], None]
_Function = TypeVar("_Function", bound=Callable[..., None])

_tellers: dict[type[Event], Tell] = {}


def tells(*kinds: type[Event]) -> Callable[[_Function], _Function]:
    """Register the teller ``(event, told) -> None`` of these event types."""

    def register(function: _Function) -> _Function:
        _tellers.update(dict.fromkeys(kinds, function))
        return function

    return register


def teller_of(kind: type[Event]) -> Tell | None:
    """The teller of an event type; None for types that nobody sees."""
    return _tellers.get(kind) or (_as_declared if event_type(kind).says else None)


def told_kinds() -> tuple[type[Event], ...]:
    """All event types with a teller."""
    declared = (each.cls for each in event_types() if each.says)
    return tuple(dict.fromkeys((*_tellers, *declared)))


def _as_declared(event: Event, told: Told) -> None:
    """The teller of events with a declared sentence: their rolls too, for readers who see everybody in it."""
    declared = event_type(type(event))
    values = {each.name: getattr(event, each.name) for each in fields(declared.cls)}  # type: ignore[arg-type]
    people = {name: values.pop(name) for name in declared.people}
    if not all(map(told.sight.sees, people.values())):
        return
    rolls = [value for value in values.values() if isinstance(value, Rolled)]
    words: dict[str, Any] = {
        name: _worded(value, told) for name, value in values.items() if isinstance(value, int | str)
    }
    words |= {name: told.name(who) for name, who in people.items()}
    told.tell(said(declared.says), **words)
    for rolled in rolls:
        told.roll(rolled, "roll")


def _worded(value: int | str, told: Told) -> str | int:
    if isinstance(value, int):
        return value
    return worded(value) if isinstance(value, StrEnum) else told.sight.clean(value)
