"""An attack that is ready to be rolled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.model.gear import Weapon
from rules.model.plan import AttackPlan
from rules.model.state import TurnRecord


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attack ready to be rolled: its plan, its weapon, and the turns' records as it leaves them."""

    plan: AttackPlan
    weapon: Weapon
    records: Mapping[str, TurnRecord]
