"""Openings for the narration of an attack, in the tone of Wound Levels."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("{who} leaves a mark on {whom} that will have a story."),
    "grave": phrase("That one goes deep: {whom} will carry it for good."),
    "nothing": phrase("Leather, luck or bone: something keeps {who} from {whom}."),
    "miss": phrase("{who} commits, and {whom} is not there."),
    "defended": phrase("Steel on steel, and {whom} still stands."),
    "botch": phrase("{who} overreaches, and everybody sees it."),
    "fell": phrase("One wound too many. {whom} falls."),
    "dead": phrase("{whom} counts no more wounds."),
}
"""By what the attack came to."""
