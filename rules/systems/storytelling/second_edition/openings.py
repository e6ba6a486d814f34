"""Openings for the narration of an attack, in the tone of the second edition."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("gets-through-and-plan-that-had"),
    "grave": phrase("floor-under-is-red-before-either"),
    "nothing": phrase("it-should-have-hurt-and-both-know"),
    "miss": phrase("glass-breaks-behind-that-is-all-hits"),
    "defended": phrase("reads-like-street-sign-and-steps-aside"),
    "botch": phrase("everything-that-could-slip-does"),
    "fell": phrase("looks-for-something-to-hold"),
    "dead": phrase("nobody-in-room-says-s-name"),
}
"""By the attack's outcome."""
