"""Openings for the narration of an attack, in the tone of the first edition."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("connects-makes-small-surprised-sound"),
    "grave": phrase("it-is-much-louder-than-in-films"),
    "nothing": phrase("waits-for-pain-and-it-does"),
    "miss": phrase("swings-stumbles-and-is-somewhere-else"),
    "defended": phrase("throws-up-arm-and-luck-does-rest"),
    "botch": phrase("has-just-enough-time-to-understand-mistake"),
    "fell": phrase("sits-down-slowly-as-if-tired"),
    "dead": phrase("s-phone-goes-on-ringing-for-while"),
}
"""By the attack's outcome."""
