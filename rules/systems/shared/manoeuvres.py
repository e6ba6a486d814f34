"""Actions of the classic family: ambush, falling and getting up, movement."""

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
from rules.model.system import Aim, Game, Needs, Serves
from rules.model.words import in_words
from rules.strike.blows import fall
from rules.topics import effects
from rules.topics.actions import AlwaysPossible, everybody
from rules.topics.commands import TakeAction
from rules.topics.events import Moved, TurnRecordChanged
from rules.topics.rolls.decide import roll_once

UNAWARES = Needs(
    Aim.ONE,
    figures=(Wanted("secret", phrase("secret-players-arent-told"), Want.SWITCH, storytellers=True),),
    rolls=True,
    instant=False,
)
"""What an ambush takes, in every family."""


@dataclass(frozen=True, slots=True)
class AmbushAction(AlwaysPossible):
    """A first strike from hiding (AP-SIT-1): a resisted roll that may win a free attack."""

    rule: str
    label: str = phrase("ambush")
    needs: ClassVar[Needs] = UNAWARES

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        target = game.combatant(at)
        turn = target.turn
        if at in game.state.initiative or turn.acted or turn.defences or turn.attackers:
            game.referee.forbid(self.rule, phrase("is-already-fighting", name=target.sheet.name))
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
    """Somebody falls for any reason (AP-SIT-8): the acting combatant, or the one named."""

    rule: str
    setting: str = ""
    label: str = phrase("knocked-down-label")

    @property
    def needs(self) -> Needs:
        """Who falls."""
        return Needs(Aim.ANYBODY, everybody, rolls=True, instant=False, storytellers=True, setting=self.setting)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return fall(game, next(iter(command.at), command.by))


@dataclass(frozen=True, slots=True)
class RiseAction:
    """Get up, which takes an action (AP-SIT-8, CD-PRONE-1)."""

    rule: str
    label: str = phrase("rise-label")
    needs: Needs = field(default_factory=lambda: Needs(serves=Serves.FREEDOM))

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if PRONE in game.state.combatants[by].conditions:
            return None
        return bad_input(phrase("isnt-prone", name=game.state.combatants[by].sheet.name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return (
            effects.action(game, command.by, "rise"),
            *effects.marked(game, command.by, frozenset(), frozenset({PRONE})),
        )


@dataclass(frozen=True, slots=True)
class MoveAction(AlwaysPossible):
    """Move some metres: half the running distance alongside an action, all of it as the action (AP-SIT-9).

    ``distance`` defaults to half; ``action`` makes the move an action, for example a leap.
    """

    rule: str
    label: str = phrase("move-label")
    needs: ClassVar[Needs] = Needs(
        figures=(
            Wanted("distance", phrase("distance"), help=phrase("in-metres-if-empty-half-running-distance")),
            Wanted("action", phrase("leap-or-tumble-as-separate-action"), Want.SWITCH),
        ),
        instant=False,
    )

    def running(self, game: Game, who: str) -> int:
        """The metres somebody runs in a turn."""
        return game.system.running_distance(game.combatant(who).sheet)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant = game.combatant(command.by)
        most, name = self.running(game, command.by), combatant.sheet.name
        record = combatant.turn
        distance = int(command.figures.get("distance", most // 2))
        before = record.moved if game.state.ordered else 0
        if before + distance > most:
            game.referee.forbid(self.rule, phrase("can-run-at-most-metres-in-turn", name=name, most=most))
        # Running costs its action only once a turn, however many moves it is split into.
        runs = 2 * before <= most < 2 * (before + distance)
        as_action = bool(command.figures.get("action")) or runs
        if as_action:
            if game.state.ordered and not record.actions:
                game.referee.forbid(self.rule, phrase("has-no-action-left", name=name, most=most))
            record = effects.action(game, command.by, "move").record if record.actions else record
        return (
            Moved(command.by, distance, as_action, game.system.unit),
            TurnRecordChanged(command.by, replace(record, moved=record.moved + distance)),
        )


@dataclass(frozen=True, slots=True)
class ShapeAction(AlwaysPossible):
    """Take another shape, as an action or instantly for a point (AP-SHAPE-1, WD-SHAPE-1).

    ``shapes`` are all the shapes, including the creature's own; ``point`` is the resource that pays for it ("" for
    none), ``kinds`` are the kinds of creature with shapes.
    """

    rule: str
    shapes: tuple[Shape, ...]
    kinds: frozenset[str]
    point: str = ""
    label: str = phrase("change-shape")

    @property
    def needs(self) -> Needs:
        named = tuple((shape.key, shape.label) for shape in self.shapes)
        figures = [Wanted("shape", phrase("shape"), Want.CHOICE, named, needed=True)]
        if self.point:
            figures.append(
                Wanted(
                    "at_once",
                    phrase("immediately-for-one", points=in_words(self.point)),
                    Want.SWITCH,
                )
            )
        free = Wanted("free", phrase("for-free-with-no-action-or-point"), Want.SWITCH, storytellers=True)
        return Needs(figures=(*figures, free), instant=False, kinds=self.kinds)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        sheet = game.combatant(command.by).sheet
        shape = next(each for each in self.shapes if each.key == command.figures["shape"])
        if (None if shape.own else shape.key) == (sheet.shape.key if sheet.shape else None):
            raise bad_input(phrase("is-already-in-that-shape", name=sheet.name))
        paid: tuple[Event, ...] = ()
        if command.figures.get("at_once"):
            paid = effects.pay(game, command.by, self.point, 1, phrase("another-shape"))
        elif not command.figures.get("free"):
            paid = effects.used(game, command.by, command.key)
        return (*paid, *effects.shaped(game.after(paid), command.by, None if shape.own else shape, shape.label))
