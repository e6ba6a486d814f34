"""Openings for the narration of an attack, in the tone of the second edition."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("{who} gets through, and the plan that {whom} had is gone."),
    "grave": phrase("The floor under {whom} is red before either of them understands."),
    "nothing": phrase("It should have hurt. {whom} and {who} both know it."),
    "miss": phrase("Glass breaks behind {whom}; that is all {who} hits."),
    "defended": phrase("{whom} reads {who} like a street sign, and steps aside."),
    "botch": phrase("Everything that could slip does, and {who} with it."),
    "fell": phrase("{whom} looks for something to hold on to, and finds the ground."),
    "dead": phrase("Nobody in the room says {whom}’s name for a while."),
}
"""By what the attack came to."""
