"""What many fights add up to: chances and means with their margins of error.

Margins hold in 99 of 100 forecasts. A chance has Wilson's interval, a mean its standard error and an allowance for
values that have not occurred yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from rules.forecast.fight import Outcome
from rules.model.state import Side

CONFIDENCE = 0.99
_Z = 2.5758293035489004
"""The 99.5th percentile of the normal distribution."""

MOST_EXAMPLES = 5
"""Fights remembered as examples of each thing that happened."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How often something happened: ``hits`` of ``fights``."""

    hits: int
    fights: int

    @property
    def share(self) -> float:
        """The estimate, 0 to 1."""
        return self.hits / self.fights if self.fights else 0.0

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return max(0.0, self._centre - self._spread) if self.hits else 0.0

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return min(1.0, self._centre + self._spread) if self.hits < self.fights or not self.fights else 1.0

    @property
    def _centre(self) -> float:
        return (self.hits + _Z**2 / 2) / (self.fights + _Z**2)

    @property
    def _spread(self) -> float:
        fights, share = self.fights, self.share
        return _Z * sqrt(fights * share * (1 - share) + _Z**2 / 4) / (fights + _Z**2)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number that each fight has: how many fights had each value, in ascending order."""

    histogram: Mapping[int, int]

    @property
    def fights(self) -> int:
        """The number of fights."""
        return sum(self.histogram.values())

    @property
    def mean(self) -> float:
        """The estimated mean."""
        return self._moment(1) / self.fights if self.fights else 0.0

    @property
    def margin(self) -> float:
        """The margin of error of the mean, in both directions; 0 before the first fight."""
        if not self.fights:
            return 0.0
        variance = max(0.0, self._moment(2) / self.fights - self.mean**2)
        return _Z * sqrt(variance / self.fights) + _Z**2 / (2 * self.fights)

    def _moment(self, power: int) -> int:
        return sum(count * value**power for value, count in self.histogram.items())


@dataclass(frozen=True, slots=True)
class Tally:
    """What the fights played so far add up to.

    ``sides`` holds each combatant's side by id. The rest is by what happened and to whom, and is looked up by the
    methods: ``events`` counts the fights in which something happened, ``values`` those in which a number had each value
    but 0, and ``seen`` names the first few fights in which something happened.
    """

    fights: int = 0
    sides: Mapping[str, Side] = field(default_factory=dict)
    events: Mapping[tuple[str, str], int] = field(default_factory=dict)
    values: Mapping[tuple[str, str], Mapping[int, int]] = field(default_factory=dict)
    seen: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)

    # -------------------------------------------------------------- what it says

    def standing(self, side: Side) -> Chance:
        """That a side is the only one with somebody on their feet."""
        return self._chance("standing", side.value)

    @property
    def undecided(self) -> Chance:
        """That both sides are on their feet after the last turn."""
        return self._chance("undecided", "")

    def fallen(self, who: str) -> Chance:
        """That a combatant is out of action at the end, or dead."""
        return self._chance("fallen", who)

    def dead(self, who: str) -> Chance:
        """That a combatant dies."""
        return self._chance("dead", who)

    def left(self, who: str) -> Chance:
        """That a combatant flees or surrenders."""
        return self._chance("left", who)

    @property
    def turns(self) -> Numbers:
        """The turns that the fight takes."""
        return self._numbers("turns", "")

    def lost(self, who: str, damage: str = "") -> Numbers:
        """The health boxes that a combatant loses, of one type of damage or all; wound levels in systems with these."""
        return self._numbers(f"lost {damage}" if damage else "lost", who)

    def spent(self, who: str, resource: str) -> Numbers:
        """The points of a resource that a combatant spends."""
        return self._numbers(f"spent {resource}", who)

    def rounds(self, who: str) -> Numbers:
        """The rounds that a combatant fires."""
        return self._numbers("rounds", who)

    def damages(self, who: str) -> tuple[str, ...]:
        """The types of damage that a combatant has suffered in some fight."""
        return self._of(who, "lost ")

    def resources(self, who: str) -> tuple[str, ...]:
        """The resources that a combatant has spent in some fight."""
        return self._of(who, "spent ")

    def examples(self, what: str, who: str = "") -> tuple[int, ...]:
        """The numbers of a few fights in which something happened.

        ``what`` is "standing" (of a side), "undecided", "fallen", "dead" or "left".
        """
        return self.seen.get((what, who), ())

    def _chance(self, what: str, who: str) -> Chance:
        return Chance(self.events.get((what, who), 0), self.fights)

    def _numbers(self, what: str, who: str) -> Numbers:
        found = dict(self.values.get((what, who), {}))
        never = self.fights - sum(found.values())
        return Numbers(dict(sorted({**({0: never} if never else {}), **found}.items())))

    def _of(self, who: str, prefix: str) -> tuple[str, ...]:
        found = (what for what, one in self.values if one == who and what.startswith(prefix))
        return tuple(sorted(what.removeprefix(prefix) for what in found))

    # -------------------------------------------------------------- adding up

    def plus(self, other: Tally) -> Tally:
        """Both tallies together, of different fights."""
        values = {key: dict(each) for key, each in self.values.items()}
        for key, each in other.values.items():
            values[key] = dict(Counter(values.get(key, {})) + Counter(each))
        seen = {
            key: tuple(sorted((*self.seen.get(key, ()), *other.seen.get(key, ()))))[:MOST_EXAMPLES]
            for key in {**self.seen, **other.seen}
        }
        return Tally(
            self.fights + other.fights,
            {**self.sides, **other.sides},
            dict(Counter(self.events) + Counter(other.events)),
            values,
            seen,
        )

    # -------------------------------------------------------------- between processes

    def to_json(self) -> dict[str, Any]:
        """The tally as plain JSON values."""
        return {
            "fights": self.fights,
            "sides": {who: side.value for who, side in self.sides.items()},
            "events": [[*key, count] for key, count in self.events.items()],
            "values": [[*key, [list(each) for each in counts.items()]] for key, counts in self.values.items()],
            "seen": [[*key, list(numbers)] for key, numbers in self.seen.items()],
        }

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Tally:
        """The tally that :meth:`to_json` wrote."""
        return cls(
            given["fights"],
            {who: Side(side) for who, side in given["sides"].items()},
            {(what, who): count for what, who, count in given["events"]},
            {(what, who): dict(counts) for what, who, counts in given["values"]},
            {(what, who): tuple(numbers) for what, who, numbers in given["seen"]},
        )


def tally_of(outcome: Outcome) -> Tally:
    """The tally of a single fight."""
    events, values = [], {("turns", ""): outcome.turns}
    if len(outcome.left_standing) == 1:
        events.append(("standing", next(iter(outcome.left_standing)).value))
    elif outcome.left_standing:
        events.append(("undecided", ""))
    for who, fate in outcome.fates.items():
        happened = {"fallen": fate.fallen, "dead": fate.dead, "left": fate.left}
        events += [(what, who) for what, did in happened.items() if did]
        values["rounds", who] = fate.rounds
        values["lost", who] = sum(fate.lost.values())
        values |= {(f"lost {damage}", who): count for damage, count in fate.lost.items()}
        values |= {(f"spent {resource}", who): count for resource, count in fate.spent.items()}
    return Tally(
        1,
        {who: fate.side for who, fate in outcome.fates.items()},
        dict.fromkeys(events, 1),
        {key: {value: 1} for key, value in values.items() if value},
        dict.fromkeys(events, (outcome.number,)),
    )
