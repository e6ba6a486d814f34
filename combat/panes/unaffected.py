"""Bars, rows and sheets that still hold, because what they read is unchanged.

What a command touched is found by comparing two states. States are frozen and share what is the same in both, so that
is quick, and no event can forget to say what it touches. What others may read of a combatant is declared here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, NamedTuple, TypeVar

from campaigns.current import reading
from combat.cache import Kept, for_each_two, same
from combat.secrecy.sight import Sight
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter
from rules.model.system import Game, System

UNREAD = frozenset({"combatants", "unnarrated", "resolutions", "rank_start"})
"""The parts of a state that no bar, row or sheet reads, and the combatants, who are compared one by one."""

OF_THEIR_OWN = frozenset({"sheet", "told", "repeats", "dying_since"})
"""The parts of a combatant that no bar and nobody else's row or sheet reads; of the sheet only those of
:data:`OF_A_SHEET`."""

OF_A_SHEET = frozenset({"resources", "marks", "injuries", "scars"})
"""The parts of a sheet that nobody else's row or sheet reads: who is hurt how badly tells by their conditions. A bar
reads of them whether somebody can act (:class:`Whole`)."""

_STATE = tuple(each.name for each in fields(Encounter) if each.name not in UNREAD)
_COMBATANT = tuple(each.name for each in fields(Combatant) if each.name not in OF_THEIR_OWN)
_SHEET = tuple(each.name for each in fields(Sheet) if each.name not in OF_A_SHEET)

Made = TypeVar("Made")


MOST_PAIRS = 100
"""Pairs of states that are remembered: each is asked about for several panes of each audience."""


@for_each_two(MOST_PAIRS)
def touched(before: Encounter, after: Encounter) -> Collection[str] | None:
    """The ids of the combatants of whom something changed that only their own row and sheet read.

    None if something else changed, or the combatants themselves.
    """
    if before is after:
        return ()
    if list(before.combatants) != list(after.combatants) or _differ(before, after, _STATE):
        return None
    found = [who for who, each in after.combatants.items() if each is not before.combatants[who]]
    for who in found:
        was, now = before.combatants[who], after.combatants[who]
        if _differ(was, now, _COMBATANT) or _differ(was.sheet, now.sheet, _SHEET):
            return None
    return frozenset(found)


def _differ(one: Any, other: Any, names: Collection[str]) -> bool:
    if one is other:
        return False
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    return any(a is not b and a != b for a, b in pairs)


@dataclass(frozen=True, slots=True)
class _Last(Generic[Made]):
    """The values made last: for which state under which rules, by whose names, and what else each one read."""

    state: Encounter
    system: System
    cast: Mapping[str, Any] | None
    read: Mapping[str, Hashable]
    made: Mapping[str, Made]


class ByCombatant(Generic[Made]):
    """Keeps one pane's values by combatant, for the last state of each fight that each sort of reader saw."""

    def __init__(self, most: int) -> None:
        self._kept = Kept(most)

    def made(
        self,
        readers: Hashable,
        game: Game,
        read: Mapping[str, Hashable],
        make: Callable[[str], Made],
        sight: Sight | None = None,
    ) -> Mapping[str, Made]:
        """The value of each combatant in `read`, made again where it may have changed.

        `readers` names the fight and who reads alike in it; None forbids keeping. `read` is what each value depends on
        apart from the state and the names that `sight` knows.
        """
        if readers is None:
            return {who: make(who) for who in read}
        key, cast = (readers, reading()), sight.cast if sight else None
        last: _Last[Made] | None = self._kept.get(key)
        gone: Collection[str] | None = None
        if last is not None and last.system is game.system and same(last.cast, cast):
            gone = touched(last.state, game.state)
        if last is None or gone is None:
            found = {who: make(who) for who in read}
        elif last.read == read:
            found = {**last.made, **{who: make(who) for who in gone if who in read}}
        else:
            found = {
                who: last.made[who] if who not in gone and last.read.get(who, ...) == read[who] else make(who)
                for who in read
            }
        self._kept.put(key, _Last(game.state, game.system, cast, read, found))
        return found


class _LastWhole(NamedTuple, Generic[Made]):
    """The value made last: for which state under which rules, and what else it read."""

    state: Encounter
    system: System
    read: Hashable
    made: Made


class Whole(Generic[Made]):
    """Keeps one pane, for the last state of each fight that each sort of reader saw."""

    def __init__(self, most: int) -> None:
        self._kept = Kept(most)

    def made(self, readers: Hashable, game: Game, read: Hashable, make: Callable[[], Made]) -> Made:
        """The pane, made again if it may have changed.

        `readers` as in :meth:`ByCombatant.made`. `read` is what the pane depends on apart from the state; of a
        combatant's own parts, it may depend on whether they can act.
        """
        if readers is None:
            return make()
        key = (readers, reading())
        last: _LastWhole[Made] | None = self._kept.get(key)
        holds = last is not None and last.system is game.system and last.read == read
        found = last.made if last and holds and _as_able(last.state, game.state, game.system) else make()
        self._kept.put(key, _LastWhole(game.state, game.system, read, found))
        return found


@for_each_two(MOST_PAIRS)
def _as_able(before: Encounter, after: Encounter, system: System) -> bool:
    """Whether nothing changed but combatants' own parts, and each of these can or can't act as before."""
    gone, idle = touched(before, after), system.turns.idle
    return gone is not None and all(idle(before, who) == idle(after, who) for who in gone)
