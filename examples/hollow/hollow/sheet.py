"""Hollow's sheet, and its kinds of creature."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import names, phrase
from rules.model.kinds import Kind
from rules.model.sheet import Category, Group, Layout, Resource, Section, Trait

GRIT = "grit"
REVENANT = "revenant"


def _traits(labels: tuple[str, ...], category: Category, least: int = 0) -> tuple[Trait, ...]:
    return tuple(Trait(label.lower(), label, category, minimum=least, default=least) for label in labels)


ATTRIBUTES = _traits(names("strength, dexterity, stamina-label, presence, wits"), Category.ATTRIBUTE, 1)
SKILLS = _traits(names("brawl, blades, guns, athletics, notice, nerve"), Category.ABILITY)


def most_grit(traits: Mapping[str, int]) -> int:
    """Stamina + Nerve (HO-GRIT-1)."""
    return traits["stamina"] + traits["nerve"]


LAYOUT = Layout(
    sections=(
        Section("attributes", phrase("attributes"), (Group("", ATTRIBUTES),)),
        Section("skills", phrase("skills"), (Group("", SKILLS),)),
    ),
    resources=(Resource(GRIT, phrase("grit"), most_grit, rule="HO-GRIT-1"),),
)

KINDS: Mapping[str, Kind] = {
    "mortal": Kind("mortal", phrase("mortal"), frozenset(), human=True, felled="incapacitated"),
    REVENANT: Kind(REVENANT, phrase("revenant"), frozenset(), undead=True, felled="incapacitated"),
}
