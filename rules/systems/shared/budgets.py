"""Budgets of new characters that rulesets share: Attributes and Abilities, or Skills."""

from __future__ import annotations

MORTALS = ("Attributes: 6/4/3, 5", "Abilities: 11/7/4, 2")
HEROES = ("Attributes: 7/5/3, 5", "Abilities: 13/9/5, 2")
"""Those of the classic family, with their prices in freebie points."""

SKILLS = "Skills: 11/7/4"
EVERYBODY = ("Attributes: 5/4/3", SKILLS)
FAVOURED = ("Attributes: 5/4/3 + 1", SKILLS)
"""Those of the storytelling family; a vampire's clan favours one more dot."""
