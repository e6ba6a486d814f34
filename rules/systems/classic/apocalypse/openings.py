"""Openings for the narration of an attack, in the tone of Apocalypse."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("{who} draws blood, and Rage rises on both sides."),
    "grave": phrase("Bone cracks. {who} throws {whom} across the clearing."),
    "nothing": phrase("{whom} shakes it off like rain from a pelt."),
    "miss": phrase("{who}’s blow takes a tree instead; {whom} is already circling."),
    "defended": phrase("{whom} slips under the blow, low, teeth bared at {who}."),
    "botch": phrase("Even the spirits look away from what {who} does there."),
    "fell": phrase("{whom} drops where the moon can see it."),
    "dead": phrase("A howl goes up for {whom}, or it should."),
}
"""By what the attack came to."""
