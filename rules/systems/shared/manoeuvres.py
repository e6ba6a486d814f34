"""Actions of the classic family: an ambush, a fall and getting up, a way to go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.conditions import PRONE
from rules.model.roll import Resistance, RollTraits
from rules.model.shapes import Shape
from rules.model.state import Ambush
from rules.model.system import Aim, Game, Needs
from rules.model.words import in_words
from rules.strike.blows import fall
from rules.topics import effects
from rules.topics.actions import AlwaysPossible, everybody
from rules.topics.commands import TakeAction
from rules.topics.events import Moved, TurnRecordChanged
from rules.topics.rolls.decide import roll_once

UNAWARES = Needs(
    Aim.ONE,
    figures=(Wanted("secret", phrase("In secret: players learn nothing of it"), Want.SWITCH, storytellers=True),),
    rolls=True,
    instant=False,
)
"""What it takes to come upon somebody unawares, in every family."""


@dataclass(frozen=True, slots=True)
class AmbushAction(AlwaysPossible):
    """A first strike out of hiding (AP-SIT-1): a resisted roll that may win a free attack."""

    rule: str
    label: str = phrase("Ambush")
    needs: ClassVar[Needs] = UNAWARES

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        target = game.combatant(at)
        turn = target.turn
        if at in game.state.initiative or turn.acted or turn.defences or turn.attackers:
            game.referee.forbid(self.rule, phrase("{name} is fighting already.", name=target.sheet.name))
        roll = RollTraits(
            command.by,
            ("dexterity", "stealth"),
            modifiers=command.modifiers,
            resisted=Resistance(at, ("perception", "alertness")),
            label=self.label,
            secret=bool(command.figures.get("secret")),
        )
        told = roll_once(game, roll)
        return (told, *self._won(game, command, told.margin))

    def _won(self, game: Game, command: TakeAction, margin: int | None) -> tuple[Event, ...]:
        ambush = None
        if margin is not None and margin >= 0:
            ambush = Ambush(command.at[0], margin, seen=margin == 0)
        return (TurnRecordChanged(command.by, replace(game.combatant(command.by).turn, ambush=ambush)),)


@dataclass(frozen=True, slots=True)
class KnockdownAction(AlwaysPossible):
    """Somebody falls, whatever knocked them down (AP-SIT-8): who does it, or whoever it is done to."""

    rule: str
    label: str = phrase("Knocked down")
    needs: ClassVar[Needs] = Needs(Aim.ANYBODY, everybody, rolls=True, instant=False, storytellers=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return fall(game, next(iter(command.at), command.by))


@dataclass(frozen=True, slots=True)
class RiseAction:
    """Get to one's feet, which takes an action (AP-SIT-8, CD-PRONE-1)."""

    rule: str
    label: str = phrase("Rise")
    needs: Needs = field(default_factory=Needs)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if PRONE in game.state.combatants[by].conditions:
            return None
        return bad_input(phrase("{name} is not lying down.", name=game.state.combatants[by].sheet.name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return (
            effects.action(game, command.by, "rise"),
            *effects.marked(game, command.by, frozenset(), frozenset({PRONE})),
        )


@dataclass(frozen=True, slots=True)
class MoveAction(AlwaysPossible):
    """Go some metres: half the running distance beside an action, all of it as the action (AP-SIT-9).

    ``distance`` is left out for half; ``action`` says that it is one, as a leap may be.
    """

    rule: str
    label: str = phrase("Move")
    needs: ClassVar[Needs] = Needs(
        figures=(
            Wanted("distance", phrase("How far"), help=phrase("In metres; half the running distance when left out.")),
            Wanted("action", phrase("A leap or tumble: an action of its own"), Want.SWITCH),
        ),
        instant=False,
    )

    def running(self, game: Game, who: str) -> int:
        """How many metres somebody runs in a turn."""
        return game.system.running_distance(game.combatant(who).sheet)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant = game.combatant(command.by)
        most, name = self.running(game, command.by), combatant.sheet.name
        record = combatant.turn
        distance = int(command.figures.get("distance", most // 2))
        before = record.moved if game.state.ordered else 0
        if before + distance > most:
            game.referee.forbid(self.rule, phrase("{name} runs {most} metres in a turn.", name=name, most=most))
        # The action that running takes is taken once, in however many goes somebody runs.
        runs = 2 * before <= most < 2 * (before + distance)
        as_action = bool(command.figures.get("action")) or runs
        if as_action:
            if game.state.ordered and not record.actions:
                game.referee.forbid(
                    self.rule, phrase("{name} has no action left: half of {most} metres is all.", name=name, most=most)
                )
            record = effects.action(game, command.by, "move").record if record.actions else record
        return (
            Moved(command.by, distance, as_action, game.system.unit),
            TurnRecordChanged(command.by, replace(record, moved=record.moved + distance)),
        )


@dataclass(frozen=True, slots=True)
class ShapeAction(AlwaysPossible):
    """Take another shape, as an action or at once for a point (AP-SHAPE-1, WD-SHAPE-1).

    ``shapes`` are all that there are, the creature's own among them; ``point`` is the resource that buys it ("": none
    does), ``kinds`` those who have shapes.
    """

    rule: str
    shapes: tuple[Shape, ...]
    kinds: frozenset[str]
    point: str = ""
    label: str = phrase("Change shape")

    @property
    def needs(self) -> Needs:
        named = tuple((shape.key, shape.label) for shape in self.shapes)
        figures = [Wanted("shape", phrase("Shape"), Want.CHOICE, named, needed=True)]
        if self.point:
            figures.append(
                Wanted(
                    "at_once",
                    phrase("At once, for a point of {points}", points=in_words(self.point)),
                    Want.SWITCH,
                )
            )
        free = Wanted("free", phrase("Without an action or a point"), Want.SWITCH, storytellers=True)
        return Needs(figures=(*figures, free), instant=False, kinds=self.kinds)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        sheet = game.combatant(command.by).sheet
        shape = next(each for each in self.shapes if each.key == command.figures["shape"])
        if (None if shape.own else shape.key) == (sheet.shape.key if sheet.shape else None):
            raise bad_input(phrase("{name} is in that shape already.", name=sheet.name))
        paid: tuple[Event, ...] = ()
        if command.figures.get("at_once"):
            paid = effects.pay(game, command.by, self.point, 1, phrase("another shape"))
        elif not command.figures.get("free"):
            paid = effects.used(game, command.by, command.key)
        return (*paid, *effects.shaped(game.after(paid), command.by, None if shape.own else shape, shape.label))
