"""Openings for the narration of an attack, in the tone of the first edition."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("{who} connects. {whom} makes a small, surprised sound."),
    "grave": phrase("It is much louder than in films when {who} hits {whom}."),
    "nothing": phrase("{whom} waits for the pain, and it does not come."),
    "miss": phrase("{who} swings, stumbles, and {whom} is somewhere else in the bad light."),
    "defended": phrase("{whom} throws up an arm, and luck does the rest."),
    "botch": phrase("{who} has just enough time to understand the mistake."),
    "fell": phrase("{whom} sits down slowly, as if tired."),
    "dead": phrase("{whom}’s phone goes on ringing for a while."),
}
"""By what the attack came to."""
