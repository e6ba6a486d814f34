"""The lists on the sheets of every family: Backgrounds, Merits, Gifts by rank, and their well-known names."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.phrases import names, phrase
from rules.model.entries import Listing

DRINKERS = frozenset({"vampire", "ghoul"})
VAMPIRES = frozenset({"vampire"})
GAROU = frozenset({"garou"})

CLASSIC_BACKGROUNDS = names(
    "allies, alternate-identity, ancestors, arsenal, black-hand-membership, contacts, domain, fame, fetish, "
    "generation, herd, influence, kinfolk, mentor, pure-breed, resources, retainers, rituals-background, status, "
    "spirit-heritage, totem"
)

BACKGROUNDS = Listing("backgrounds", phrase("backgrounds"), known=CLASSIC_BACKGROUNDS)
MERITS = Listing("merits", phrase("merits"), most=7, read=True)
FLAWS = Listing("flaws", phrase("flaws"), most=7)
GIFTS = Listing("gifts", phrase("gifts"), GAROU, most=6, ranked=True, read=True)
RITES = Listing("rites", phrase("rites"), GAROU, most=6, ranked=True)
FETISHES = Listing("fetishes", phrase("fetishes"), GAROU, most=6)
DISCIPLINES = Listing("disciplines", phrase("other-disciplines"), DRINKERS, most=9, priced_as="power")
BLOOD_PATHS = Listing("blood_paths", phrase("paths-of-blood-magic"), DRINKERS)
RITUALS = Listing("rituals", phrase("blood-rituals"), DRINKERS, most=9, ranked=True)

CLASSIC = (DISCIPLINES, BLOOD_PATHS, RITUALS, GIFTS, RITES, FETISHES, BACKGROUNDS, MERITS, FLAWS)
"""The classic family's, in the order of its printed sheets."""

STORYTELLING_MERITS = names(
    "allies, brawling-dodge, common-sense, contacts, danger-sense, encyclopedic-knowledge, fame, "
    "fast-reflexes, fleet-of-foot, giant, holistic-awareness, inspiring, iron-stamina, iron-stomach, mentor, "
    "resources, retainer, safe-place, status, staff, striking-looks, trained-observer, true-friend"
)


def storytelling(merits: Iterable[str]) -> tuple[Listing, ...]:
    """The storytelling family's, whose Backgrounds are Merits; ``merits`` are a ruleset's own."""
    known = sorted({*STORYTELLING_MERITS, *merits})
    return (
        DISCIPLINES,
        Listing("devotions", phrase("devotions"), VAMPIRES, most=5),
        RITUALS,
        GIFTS,
        RITES,
        Listing("merits", phrase("merits"), known=tuple(known), read=True),
        FLAWS,
    )
