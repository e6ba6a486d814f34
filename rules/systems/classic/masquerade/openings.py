"""Openings for the narration of an attack, in the tone of Masquerade."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("Cold blood answers cold blood: {whom} pays {who} a first instalment."),
    "grave": phrase("{who} opens {whom} up, and the Beast in both of them smells it."),
    "nothing": phrase("Dead flesh shrugs. {whom} does not even blink at {who}."),
    "miss": phrase("Centuries of grace, and {who} cuts the night in two beside {whom}."),
    "defended": phrase("{whom} moves as only the dead can, and {who} is left with a handful of coat."),
    "botch": phrase("The curse has a sense of humour tonight, and {who} is its joke."),
    "fell": phrase("{whom} folds up like a puppet whose master has left the room."),
    "dead": phrase("What held {whom} together lets go, and the years come all at once."),
}
"""By what the attack came to."""
