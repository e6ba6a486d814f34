"""The whole sheet of a combatant: every Trait with its current value, changed shape included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campaigns.words import said
from characters.words import merit_label
from combat.cache import for_each
from combat.panes.figures import TraitGroup, TraitShown, WholeSheet
from rules.model.sheet import Category, Section
from rules.model.state import Combatant, Encounter
from rules.model.system import System

MOST_KEPT = 500


def traits_of(state: Encounter, who: Iterable[str], ruleset: System) -> tuple[WholeSheet, ...]:
    """These combatants' Attributes, and all their other Traits that have dots."""
    return tuple(_whole(state.combatants[one], ruleset) for one in who)


@for_each(MOST_KEPT)
def _whole(combatant: Combatant, ruleset: System) -> WholeSheet:
    sheet = combatant.sheet
    groups = [
        group
        for section in ruleset.layout.for_kind(sheet.kind, sheet.traits)
        for group in _groups(combatant, section, ruleset)
    ]
    merits = sorted(merit_label(key, ruleset) for key in sheet.merits)
    return WholeSheet(combatant.id, sheet.name, said(ruleset.kind(sheet.kind).label), tuple(groups), tuple(merits))


def _groups(combatant: Combatant, section: Section, ruleset: System) -> Iterator[TraitGroup]:
    layout, sheet = ruleset.layout, combatant.sheet
    for group in section.groups:
        shown = tuple(
            TraitShown(
                said(trait.label),
                dots,
                max(trait.maximum, dots),
                dotted=trait.dotted,
                shaped=dots - layout.bare(sheet, trait.key),
            )
            for trait in group.traits
            if (dots := layout.dots(sheet, trait.key)) or trait.category is Category.ATTRIBUTE
        )
        if shown:
            yield TraitGroup(said(group.label or section.label), shown)
