"""Weapons that came into somebody's hands in the fight."""

from __future__ import annotations

from rules.engine.slots import Slot
from rules.model.state import Combatant

GAINED = Slot[Combatant, frozenset[str]](Combatant, "gained", frozenset[str], frozenset())
"""Their references: what the fight gave somebody they keep when their sheet is put anew."""
