"""Weapons gained during the fight."""

from __future__ import annotations

from rules.engine.slots import Slot
from rules.model.state import Combatant

GAINED = Slot[Combatant, frozenset[str]](Combatant, "gained", frozenset[str], frozenset())
"""Their references. Combatants keep these weapons when their sheet is revised."""
