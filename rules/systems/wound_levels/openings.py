"""Openings for the narration of an attack, in the tone of Wound Levels."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("leaves-mark-on-that-will-have-story"),
    "grave": phrase("that-one-goes-deep-will-carry"),
    "nothing": phrase("leather-luck-or-bone-something-keeps-from"),
    "miss": phrase("commits-and-is-not-there"),
    "defended": phrase("steel-on-steel-and-still-stands"),
    "botch": phrase("overreaches-and-everybody-sees-it"),
    "fell": phrase("one-wound-too-many-falls"),
    "dead": phrase("counts-no-more-wounds"),
}
"""By the attack's outcome."""
