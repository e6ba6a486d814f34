"""What a forecast is asked: a fight as it is now, its policies, what-ifs and seed. A file brings it to the process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from campaigns.models import Chronicle
from campaigns.tokens import public_id
from characters import rulesets
from combat.history import records
from combat.log import codec
from combat.models import Encounter
from combat.secrecy.initiative import initiative_due
from rules.forecast.changes import Ambush, BetterArmor, Change, Distance, OneMore, OtherSide, changed
from rules.forecast.setup import Setup, checked, chosen
from rules.model.state import Side

Json = dict[str, Any]

BASE, CHANGED = "base", "changed"
"""The two sides of a what-if: the fight as it is, and the changed one."""

OF_THE_RULESET = ("ruleset", "options", "own_kinds", "own_traits", "own_powers")
"""The columns of a chronicle from which its ruleset is made."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The changes of a what-if, as chosen in its form; what is empty isn't changed.

    `more`, `armor` and `moved` are combatants' ids, `surprised` and `to` sides, `distance` is in the system's unit.
    """

    more: str = ""
    armor: str = ""
    better: int = 1
    surprised: str = ""
    distance: int | None = None
    moved: str = ""
    to: str = ""

    def __bool__(self) -> bool:
        return any(True for _change in self.changes())

    def changes(self) -> Iterator[Change]:
        """The changes, in the order in which they are made."""
        if self.moved:
            yield OtherSide(self.moved, Side(self.to))
        if self.armor:
            yield BetterArmor(self.armor, self.better)
        if self.more:
            yield OneMore(self.more)
        if self.distance is not None:
            yield Distance(self.distance)
        if self.surprised:
            yield Ambush(Side(self.surprised))


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that the process needs, as plain values: it has no connection to the database.

    `id` is new for each question, `chosen` has the policies' keys by combatant, `ruleset` the columns
    :data:`OF_THE_RULESET`. `rolled`: initiative has been rolled this turn.
    """

    seed: int
    state: Json
    ruleset: Mapping[str, Any]
    chosen: Mapping[str, str] = field(default_factory=dict)
    what_if: WhatIf = field(default_factory=WhatIf)
    rolled: bool = False
    id: str = field(default_factory=public_id)

    @classmethod
    def about(cls, encounter: Encounter, policies: Mapping[str, str], what_if: WhatIf, seed: int) -> Question:
        """The question about a fight as it is now."""
        fight = records.read(encounter)
        known = {who: key for who, key in policies.items() if who in fight.state.combatants}
        ruleset = {name: getattr(encounter.chronicle, name) for name in OF_THE_RULESET}
        rolled = not initiative_due(fight, fight.state)
        return cls(seed, codec.dump_state(fight.state), ruleset, known, what_if, rolled)

    def setups(self) -> dict[str, Setup]:
        """What is to be played: the fight as it is, and if there are changes, the changed one.

        Raises :class:`rules.engine.violations.RuleViolation` if one of them can't be played.
        """
        system = rulesets.ruleset_for(Chronicle(**self.ruleset))
        base = Setup(codec.load_state(self.state), system, chosen(self.chosen), rolled=self.rolled)
        found = {BASE: checked(base)}
        if self.what_if:
            found[CHANGED] = checked(changed(base, self.what_if.changes()))
        return found

    def to_json(self) -> Json:
        """The question as plain JSON values."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"what_if": asdict(self.what_if)}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Question:
        """The question that :meth:`to_json` wrote."""
        return cls(**{**given, "what_if": WhatIf(**given["what_if"])})
