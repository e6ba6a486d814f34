"""Groups that act and roll together: one initiative, one rank, one form for an attack by all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.dice import Dice, Faces, Purpose, Throw
from rules.model.state import Encounter, Score

Order = tuple[tuple[str, ...], ...]


def members(state: Encounter, band: str) -> tuple[str, ...]:
    """Everybody of a band, in the order in which they joined; nobody for no band."""
    return tuple(who for who, each in state.combatants.items() if band and each.band == band)


def led(state: Encounter, rolling: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Those who roll, each with the members of their band who share the roll."""
    leaders: dict[str, str] = {}
    found: dict[str, tuple[str, ...]] = {}
    for who in rolling:
        band = state.combatants[who].band
        leader = leaders.setdefault(band, who) if band else who
        found[leader] = (*found.get(leader, ()), who) if leader != who else ()
    return found


def without(state: Encounter, followers: frozenset[str]) -> Encounter:
    """The fight as those who roll see it: combatants who share another's roll have no place of their own."""
    if not followers:
        return state
    ranks = (tuple(who for who in rank if who not in followers) for rank in state.order)
    return replace(
        state,
        combatants={who: each for who, each in state.combatants.items() if who not in followers},
        initiative={who: score for who, score in state.initiative.items() if who not in followers},
        order=tuple(rank for rank in ranks if rank),
    )


def roller(state: Encounter, who: str) -> str:
    """Whose dice and Traits a combatant's initiative was rolled with: their own, or those of a member of their band."""
    score, band = state.initiative[who], members(state, state.combatants[who].band)
    rolled = ((each, state.initiative.get(each)) for each in band)
    mates = (each for each, other in rolled if other and not other.shared and other.faces == score.faces)
    return next(mates, who) if score.shared else who


def together(
    scores: dict[str, Score], order: Order, bands: dict[str, tuple[str, ...]]
) -> tuple[dict[str, Score], Order]:
    """The scores and the order, with everyone placed beside the combatant whose roll they share."""
    shared = {who: replace(scores[leader], shared=True) for leader, others in bands.items() for who in others}
    ranks = (tuple(each for who in rank for each in (who, *bands.get(who, ()))) for rank in order)
    return {**scores, **shared}, tuple(ranks)


@dataclass(slots=True)
class OneRoll:
    """Dice with which a whole band makes one attack roll: its faces count for each of them, including rerolls.

    Each attacker reads the faces from the first one on; a larger pool, or more dice to reroll, rolls additional ones.
    """

    dice: Dice
    faces: Faces = ()
    _of: tuple[str, str] = ("", "")
    _taken: int = 0

    def roll(self, throw: Throw) -> Faces:
        if throw.purpose is not Purpose.ATTACK:
            return self.dice.roll(throw)
        if self._of != (throw.by, throw.target):
            self._of, self._taken = (throw.by, throw.target), 0
        begin, self._taken = self._taken, self._taken + throw.count
        lacking = self._taken - len(self.faces)
        if lacking > 0:
            self.faces += self.dice.roll(replace(throw, count=lacking))
        return self.faces[begin : self._taken]

    def pick(self, options: int) -> int:
        return self.dice.pick(options)
