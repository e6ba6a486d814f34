"""What if: changes of a setup, each a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from rules.decide import decide
from rules.engine.dice import NO_DICE
from rules.engine.messages import Command, replay
from rules.engine.phrases import Typed, phrase
from rules.engine.violations import bad_input
from rules.forecast.setup import Setup
from rules.model.gear import Armor
from rules.model.state import Combatant, Side
from rules.topics.commands import ChooseSide, Join, Newcomer, ReviseSheet


class Change(Protocol):
    """A change of a setup."""

    def apply(self, setup: Setup) -> Setup:
        """The setup with the change. Raises :class:`rules.engine.violations.RuleViolation` if it is impossible."""


def changed(setup: Setup, changes: Iterable[Change]) -> Setup:
    """The setup with all of these changes, one after the other."""
    for change in changes:
        setup = change.apply(setup)
    return setup


@dataclass(frozen=True, slots=True)
class OneMore:
    """One more like a combatant, unhurt and with the same policy."""

    who: str

    def apply(self, setup: Setup) -> Setup:
        """The setup with the copy, under an unused id and with a numbered name."""
        like = _combatant(setup, self.who)
        number = next(n for n in range(2, 1000) if f"{self.who}-{n}" not in setup.state.combatants)
        who, sheet = f"{self.who}-{number}", replace(like.sheet, name=Typed(f"{like.sheet.name} {number}"))
        copy = Newcomer(
            who,
            replace(sheet, marks=(), injuries=(), impairments=(), powers=(), shape=None),
            hidden=like.hidden,
            side=like.side.value,
        )
        return replace(_after(setup, Join((copy,))), policies={**setup.policies, who: setup.policy(self.who)})


@dataclass(frozen=True, slots=True)
class BetterArmor:
    """Better armour for a combatant: everything they wear protects ``by`` more, or they wear some of that rating."""

    who: str
    by: int = 1

    def apply(self, setup: Setup) -> Setup:
        """The setup with the armour."""
        sheet = _combatant(setup, self.who).sheet
        worn = tuple(
            replace(each, rating=each.rating + self.by, ballistic=each.ballistic and each.ballistic + self.by)
            for each in sheet.armor
        )
        better = worn or (Armor(phrase("extra-armour"), self.by),)
        return _after(setup, ReviseSheet(self.who, replace(sheet, armor=better)))


@dataclass(frozen=True, slots=True)
class Ambush:
    """One side is surprised by the other before the fight."""

    side: Side

    def apply(self, setup: Setup) -> Setup:
        """The setup with the ambush. Refused where no rule says what surprise does, and once the fight has an order."""
        if setup.system.ambushes is None and "noticing" not in setup.system.cites:
            raise bad_input(phrase("has-no-rule-for-ambushes", ruleset=setup.system.name))
        if setup.state.ordered:
            raise bad_input(phrase("fight-has-begun-too-late-for-ambush"))
        return replace(setup, ambushed=self.side)


@dataclass(frozen=True, slots=True)
class Distance:
    """The sides begin at a distance, in the system's unit."""

    distance: int

    def apply(self, setup: Setup) -> Setup:
        """The setup at that distance."""
        return replace(setup, distance=self.distance)


@dataclass(frozen=True, slots=True)
class OtherSide:
    """A combatant fights for another side, or for none."""

    who: str
    side: Side

    def apply(self, setup: Setup) -> Setup:
        """The setup with the combatant there."""
        _combatant(setup, self.who)
        return _after(setup, ChooseSide(self.who, self.side.value))


def _combatant(setup: Setup, who: str) -> Combatant:
    if who not in setup.state.combatants:
        raise bad_input(phrase("there-is-no-combatant-called", name=who))
    return setup.state.combatants[who]


def _after(setup: Setup, command: Command) -> Setup:
    return replace(setup, state=replay(setup.state, decide(setup.state, command, setup.system, NO_DICE)))
