"""Dread: the fight's own pool of points. Failed rolls add to it, and the Storyteller spends it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rules.engine.inputs import Wanted
from rules.engine.messages import Command, Event, event, evolves
from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.model.attack import Attack
from rules.model.choices import Figure
from rules.model.modifiers import Circumstances, ModifierRule, number
from rules.model.plan import Part
from rules.model.results import Rolled
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.events import AttackResolved

MOST = 10
MOST_AT_ONCE = 3
SPEND = "spend_dread"

DREAD = Slot(Encounter, "hollow.dread", int, 0)
"""The points available."""


def signs(state: Encounter) -> Iterator[str]:
    """The fight's Dread, visible to everybody."""
    yield phrase("dread", dread=DREAD.of(state))


@event("roll", topics=("dread",), says=phrase("dread-is-now"))
@dataclass(frozen=True, slots=True)
class DreadChanged(Event):
    """The fight's Dread has changed to this value."""

    dread: int


@evolves(DreadChanged)
def _dread_changed(state: Encounter, event: DreadChanged) -> Encounter:
    return DREAD.put(state, event.dread)


@dataclass(frozen=True, slots=True)
class DreadWatch:
    """Makes attacks pay for Dread dice, and failures add Dread (HO-DREAD-1, HO-DREAD-2)."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The change to Dread from a command's rolls."""
        before = DREAD.of(game.state)
        spent = sum(_spent(event) for event in told if isinstance(event, AttackResolved))
        failed = sum(1 in rolled.roll.faces and rolled.roll.successes == 0 for rolled in _rolls(told))
        now = min(MOST, max(0, before - spent) + failed)
        return (DreadChanged(now),) if now != before else ()


def _spent(event: AttackResolved) -> int:
    """The dice of an attack paid for with Dread."""
    parts = event.plan.against[0].attack.parts
    return sum(part.dice for part in parts if part.key == SPEND and not part.struck)


def _rolls(value: Any) -> Iterator[Rolled]:
    """Every roll in these events."""
    if isinstance(value, Rolled):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _rolls(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _rolls(getattr(value, field.name))


def check(game: Game, command: Attack) -> None:
    """Forbid spending Dread for a player's character, or more Dread than there is."""
    figures = game.system.circumstances.figures_of(command.modifiers, SPEND)
    if figures is None:
        return
    if game.combatant(command.by).player:
        game.forbid(SPEND, phrase("players-characters-cant-spend-dread"))
    there = DREAD.of(game.state)
    if number(figures, "dice", least=1, most=MOST_AT_ONCE) > there:
        game.forbid(SPEND, phrase("only-points-of-dread-are-left", there=there))


def _dice(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    return (Part(rule.key, rule.label, rule.rule, dice=number(figures, "dice", least=1, most=MOST_AT_ONCE)),)


SPENDING = ModifierRule(
    SPEND,
    phrase("spend-dread"),
    "HO-DREAD-2",
    _dice,
    storytellers=True,
    wanted=(Wanted("dice", phrase("dice-from-dread"), least=1, most=MOST_AT_ONCE),),
)
