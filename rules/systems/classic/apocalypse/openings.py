"""Openings for the narration of an attack, in the tone of Apocalypse."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("draws-blood-and-rage-rises-on-both"),
    "grave": phrase("bone-cracks-throws-across-clearing"),
    "nothing": phrase("shakes-it-off-like-rain-from-pelt"),
    "miss": phrase("s-blow-takes-tree-instead-is-already"),
    "defended": phrase("slips-under-blow-low-teeth-bared-at"),
    "botch": phrase("even-spirits-look-away-from-what-does"),
    "fell": phrase("drops-where-moon-can-see-it"),
    "dead": phrase("howl-goes-up-for-or-it-should"),
}
"""By the attack's outcome."""
