"""Budgets of new characters that rulesets share: Attributes and Abilities, or Skills."""

from __future__ import annotations

ENTRIES = ("Backgrounds: 5, 1", "Merits: 0, 1")
MORTALS = ("Attributes: 6/4/3, 5", "Abilities: 11/7/4, 2", *ENTRIES)
HEROES = ("Attributes: 7/5/3, 5", "Abilities: 13/9/5, 2", *ENTRIES)
"""Those of the classic family, with their prices in freebie points."""

STARTS_OF_GAROU = (
    *("Ragabash: Rage 1", "Theurge: Rage 2", "Philodox: Rage 3", "Galliard: Rage 4", "Ahroun: Rage 5"),
    *("Homid: Gnosis 1", "Metis: Gnosis 3", "Lupus: Gnosis 5"),
)
"""What a Garou's auspice and breed give."""

SKILLS = "Skills: 11/7/4"
SPECIALTIES, MERITS, GIFTS = "Specialties: 3", "Merits: 7", "Gifts: 3"
EVERYBODY = ("Attributes: 5/4/3", SKILLS, SPECIALTIES, MERITS)
FAVOURED = ("Attributes: 5/4/3 + 1", SKILLS, SPECIALTIES)
"""Those of the storytelling family; a vampire's clan favours one more dot."""
