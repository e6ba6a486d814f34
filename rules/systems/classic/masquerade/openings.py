"""Openings for the narration of an attack, in the tone of Masquerade."""

from __future__ import annotations

from rules.engine.phrases import phrase

OPENINGS = {
    "hit": phrase("cold-blood-answers-cold-blood-pays-first"),
    "grave": phrase("opens-up-and-beast-in-both"),
    "nothing": phrase("dead-flesh-shrugs-does-not-even-blink"),
    "miss": phrase("centuries-of-grace-and-cuts-night"),
    "defended": phrase("moves-as-only-dead"),
    "botch": phrase("curse-has-sense-of-humour-tonight"),
    "fell": phrase("folds-up-like-puppet-whose-master"),
    "dead": phrase("what-held-together-lets-go-and-years"),
}
"""By the attack's outcome."""
