"""What a decision has at hand, and the few things that all of them do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.engine.dice import Dice
from rules.engine.messages import Event, replay
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model import points
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.model.injuries import mended, passed
from rules.model.results import DamageDone
from rules.model.shapes import Shape
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter
from rules.model.system import System
from rules.topics.attacks.past import Past
from rules.topics.events import ConditionsChanged, RankMoved, ResourceChanged, ShapeChanged, TurnRecordChanged
from rules.topics.health.boxes import UNTOLD, Blow


@dataclass(frozen=True, slots=True)
class Desk:
    """The state that a command meets, the rules, the dice, and who turns it down; the ``past`` it looks at again."""

    state: Encounter
    ruleset: System
    dice: Dice
    referee: Referee
    past: Past | None = None

    def combatant(self, who: str) -> Combatant:
        """The combatant of that id; raises "input" where there is none."""
        if who not in self.state.combatants:
            raise bad_input(phrase("Nobody of that name is in the fight."))
        return self.state.combatants[who]

    def able(self, who: str, traits: Iterable[str] = ()) -> Combatant:
        """The combatant of that id, who must not be out of action; ``traits`` are those of a mere roll."""
        combatant = self.combatant(who)
        self.ruleset.turns.check_able(self.state, who, self.ruleset, self.referee, traits)
        return combatant

    def forbid(self, topic: str, message: str) -> None:
        """Turn the command down by the ruleset's rule on a topic, unless that rule is waived."""
        self.referee.forbid(self.ruleset.cites[topic], message)

    def action(self, who: str, key: str) -> TurnRecordChanged:
        """An action of the turn used up."""
        record, _ = self.ruleset.turns.use_action(self.state, who, key, self.ruleset, self.referee)
        return TurnRecordChanged(who, record)

    def pay(self, who: str, key: str, amount: int, why: str) -> tuple[Event, ...]:
        """Points that are spent, as far as there are any; forbids it as :func:`rules.model.points.check`."""
        spent = points.check(self.state, who, key, amount, self.ruleset, self.referee)
        left = self.ruleset.layout.points(self.state.combatants[who].sheet, key) - spent
        return (ResourceChanged(who, key, left, spent, why),)

    def pay_for(self, who: str, modifiers: Iterable[Modifier]) -> tuple[Event, ...]:
        """What somebody's circumstances cost: a point that was declared is used before another is spent."""
        told: list[Event] = []
        for key in points.costs(modifiers, self.ruleset):
            desk = self.after(told)
            turn = desk.state.combatants[who].turn
            if points.declared(desk.state, who, key) and turn.declaration:
                kept = replace(turn.declaration, willpower=turn.declaration.willpower - 1)
                told.append(TurnRecordChanged(who, replace(turn, declaration=kept)))
            else:
                told += desk.pay(who, key, 1, phrase("one roll"))
        return tuple(told)

    def shaped(self, who: str, shape: Shape | None, label: str) -> tuple[Event, ...]:
        """Another shape, and what becomes of boxes of which there are more or fewer in it."""
        before = self.state.combatants[who]
        sheet = self.ruleset.health.fitted(replace(before.sheet, shape=shape), self.ruleset)
        told = ShapeChanged(who, shape, label)
        same = sheet.marks == before.sheet.marks and self.conditions(who, sheet) == before.conditions
        return (told,) if same else (told, self.boxes(who, sheet))

    def placed(self, who: str) -> tuple[RankMoved, ...]:
        """The rank that an action out of its place in the turn is slotted in at, where it leaves one."""
        return self.ruleset.turns.placed(self.state, who, self.ruleset, self.dice)

    def used(self, who: str, key: str) -> tuple[Event, ...]:
        """An action of the turn used up, in its place or out of it."""
        return (self.action(who, key), *self.placed(who))

    def boxes(self, who: str, sheet: Sheet) -> Event:
        """The boxes (or injuries) as they are on ``sheet`` now, with the conditions that follow from them."""
        return self.ruleset.health.told(who, sheet, self.conditions(who, sheet))

    def conditions(self, who: str, sheet: Sheet) -> frozenset[str]:
        """Somebody's conditions when their health is as on ``sheet``."""
        combatant = self.state.combatants[who]
        now = self.ruleset.health.brought(combatant.conditions, combatant.sheet, sheet, self.ruleset)
        left = mended(combatant.injuries, combatant.sheet.marks, sheet.marks)
        return now - passed(combatant.injuries, left)

    def after(self, events: Sequence[Event]) -> Desk:
        """The same desk with the state that the events leave."""
        if not events:
            return self
        return Desk(replay(self.state, events), self.ruleset, self.dice, self.referee)

    def marked(self, who: str, add: frozenset[str], remove: frozenset[str] = frozenset()) -> tuple[Event, ...]:
        """Conditions that come and go; nothing where that changes none."""
        before = self.state.combatants[who].conditions
        now = (before | add) - remove
        return (ConditionsChanged(who, now, now - before, before - now),) if now != before else ()

    def harm(self, who: str, amount: int, damage: Damage, blow: Blow = UNTOLD) -> tuple[Event, ...]:
        """What ``amount`` levels of damage do to somebody; nothing where there are none."""
        if amount < 1:
            return ()
        health = self.ruleset.health
        hurt = health.inflict(self.state.combatants[who].sheet, amount, damage, self.ruleset, blow)
        told = (self.boxes(who, hurt),)
        brought = health.brings(hurt, amount, self.ruleset)
        return (*told, *self.after(told).marked(who, brought)) if brought else told

    def suffer(self, done: DamageDone, blow: Blow = UNTOLD) -> tuple[Event, ...]:
        """What a blow does to somebody, the worst of it first."""
        told: tuple[Event, ...] = ()
        for damage, amount in done.points:
            told += self.after(told).harm(done.to, amount, damage, blow)
        return told
