"""A table to play at: combatants, commands, and written dice that must all be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest

from rules.decide import decide
from rules.engine.dice import Faces, Throw
from rules.engine.messages import Command, Event, replay
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.plan import PoolPlan
from rules.model.results import AttackResult
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, TurnRecord
from rules.model.system import System
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.commands import Begin, Join, Newcomer, RollInitiative, TakeAction
from rules.topics.events import AttackResolved, BoxesMarked, TraitsRolled

SHRUGGING = MASQUERADE.with_options({"vampires_shrug_off_blunt_force": True})

SIGNS = {"/": Damage.BASHING, "X": Damage.LETHAL, "*": Damage.AGGRAVATED}

KNIFE = Weapon("knife", Mode.MELEE, 1, "strength", Damage.LETHAL)
CLUB = Weapon("club", Mode.MELEE, 2, "strength", Damage.BASHING)
CLAWS = Weapon("claws", Mode.UNARMED, 1, "strength", Damage.AGGRAVATED, tags=frozenset({"claws"}))
TORCH = Weapon("torch", Mode.MELEE, 1, "", Damage.AGGRAVATED, tags=frozenset({"fire"}))
PISTOL = Weapon("pistol", Mode.FIREARM, 4, "", Damage.LETHAL, range=(20,), rate=3, clip=7, rounds=7, chambered=1)
RIFLE = Weapon("rifle", Mode.FIREARM, 5, "", Damage.LETHAL, range=(100,), clip=20, rounds=20, automatic=True)
STONE = Weapon("stone", Mode.THROWN, 1, "strength", Damage.BASHING, range=(10,))
BOW = Weapon("bow", Mode.ARCHERY, 4, "", Damage.LETHAL, range=(60,))
VEST = Armor("vest", 3, penalty=-1)

_Kind = TypeVar("_Kind")


def boxes(signs: str) -> tuple[Damage, ...]:
    """The marks in a row such as "X//"."""
    return tuple(SIGNS[sign] for sign in signs)


def row(marks: Sequence[Damage]) -> str:
    """Marks as a row."""
    return "".join(sign for mark in marks for sign, damage in SIGNS.items() if damage is mark)


def mortal(marks: str = "", *, kind: str = "mortal", **written: Any) -> Sheet:
    """A sheet: fields of a sheet by name, every other keyword a Trait."""
    known = {key: written.pop(key) for key in ("weapons", "armor", "resources") if key in written}
    return Sheet("", kind, written, marks=boxes(marks), **known)


def vampire(marks: str = "", **written: Any) -> Sheet:
    """The sheet of a vampire."""
    return mortal(marks, kind="vampire", **written)


@dataclass
class Written:
    """Predefined dice, by purpose, for everybody or by combatant, in order; none may remain."""

    faces: Mapping[str, Any] = field(default_factory=dict)
    picks: Iterable[int] = ()

    def __post_init__(self) -> None:
        self._left = {
            purpose: {who: list(listed) for who, listed in written.items()}
            if isinstance(written, dict)
            else list(written)
            for purpose, written in self.faces.items()
        }
        self._picks = list(self.picks)

    def roll(self, throw: Throw) -> Faces:
        written = self._left.get(throw.purpose.value, [])
        listed = written.get(throw.by, []) if isinstance(written, dict) else written
        assert throw.count >= 1, f"{throw} throws nothing"
        assert len(listed) >= throw.count, f"{throw} finds only {listed} written"
        faces, listed[: throw.count] = tuple(listed[: throw.count]), []
        return faces

    def pick(self, options: int) -> int:
        picked = self._picks.pop(0)
        assert 0 <= picked < options
        return picked

    def check_used_up(self) -> None:
        left = {
            purpose: listed
            for purpose, listed in self._left.items()
            if (any(listed.values()) if isinstance(listed, dict) else listed)
        }
        assert not left, f"written but not thrown: {left}"
        assert not self._picks, f"written but not picked: {self._picks}"


class Table:
    """A fight played command by command."""

    def __init__(
        self,
        ruleset: System = MASQUERADE,
        *,
        begun: bool = True,
        players: Iterable[str] = (),
        **sheets: Sheet,
    ) -> None:
        self.ruleset, self.state = ruleset, Encounter()
        if sheets:
            self.does(
                Join(
                    tuple(
                        Newcomer(who, replace(sheet, name=sheet.name or who.capitalize()), player=who in players)
                        for who, sheet in sheets.items()
                    )
                )
            )
        if begun:
            self.does(Begin())

    def does(
        self, command: Command, *, waive: Iterable[str] = (), picks: Iterable[int] = (), why: str = "", **dice: Any
    ) -> tuple[Event, ...]:
        """Play a command with written dice, by purpose; returns its events."""
        written = Written(dice, picks)
        events = decide(self.state, command, self.ruleset, written, waive, why)
        written.check_used_up()
        self.state = replay(self.state, events)
        return events

    def refuses(
        self, rule: str, command: Command, *, waive: Iterable[str] = (), picks: Iterable[int] = (), **dice: Any
    ) -> str:
        """Assert that a rule refuses a command; returns the message."""
        with pytest.raises(RuleViolation) as refusal:
            decide(self.state, command, self.ruleset, Written(dice, picks), waive)
        assert refusal.value.rule == rule, str(refusal.value)
        return refusal.value.message

    def attacks(
        self,
        by: str,
        at: str,
        weapon: str = "",
        *mods: str | Modifier,
        distance: int | None = None,
        defence: str | Defence | None = None,
        strike: Iterable[str] = (),
        waive: Iterable[str] = (),
        **dice: Any,
    ) -> AttackResult:
        """Attack, and return the single target's result."""
        command = strike_at(by, at, weapon, *mods, distance=distance, defence=defence, strike=strike)
        resolved = only(AttackResolved, self.does(command, waive=waive, **dice))
        (result,) = resolved.results
        return result

    def initiative(self, **faces: int) -> tuple[tuple[str, ...], ...]:
        """Roll initiative with one face each; returns the ranks."""
        self.does(RollInitiative(), initiative={who: [face] for who, face in faces.items()})
        return self.state.order

    def combatant(self, who: str) -> Combatant:
        return self.state.combatants[who]

    def sheet(self, who: str) -> Sheet:
        return self.combatant(who).sheet

    def turn(self, who: str) -> TurnRecord:
        return self.combatant(who).turn

    def health(self, who: str) -> str:
        return row(self.sheet(who).marks)

    def conditions(self, who: str) -> set[str]:
        return set(self.combatant(who).conditions)

    def weapon(self, who: str, name: str) -> Weapon:
        return next(weapon for weapon in self.sheet(who).weapons if weapon.name == name)


def strike_at(
    by: str,
    at: str,
    weapon: str = "",
    *mods: str | Modifier,
    distance: int | None = None,
    defence: str | Defence | None = None,
    strike: Iterable[str] = (),
) -> Attack:
    """An attack on one target; the defence by its type, modifiers without numbers by their keys."""
    answer = Defence(defence) if isinstance(defence, str) else defence
    return Attack(
        by,
        (at,),
        weapon,
        tuple(Modifier(mod) if isinstance(mod, str) else mod for mod in mods),
        distance,
        {} if answer is None else {at: answer},
        frozenset(strike),
    )


def does(by: str, key: str, *at: str, weapon: str = "", **figures: Any) -> TakeAction:
    """One of the ruleset's own actions."""
    return TakeAction(key, by, at, figures=figures, weapon=weapon)


def only(kind: type[_Kind], events: Iterable[Event]) -> _Kind:
    """The single event of a type."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def rolled(events: Iterable[Event]) -> TraitsRolled:
    """The roll that a command made outside an attack."""
    return only(TraitsRolled, events)


def marked(events: Iterable[Event]) -> str:
    """The row of boxes after a command."""
    return row(only(BoxesMarked, events).marks)


def parts(plan: PoolPlan) -> dict[str, tuple[str, int]]:
    """A plan's parts: by key, the rule and the dice (or difficulty) it adds, without struck ones."""
    return {part.key: (part.rule, part.dice or part.difficulty) for part in plan.parts if not part.struck}
