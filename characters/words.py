"""Numbers and keys as words for the table."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from rules.model.sheet import Category, Sheet, Trait
from rules.model.system import System


def unhyphenated(label: str) -> str:
    """A label without soft hyphens, for lines that are typed or compared."""
    return label.replace("\N{SOFT HYPHEN}", "")


def less(figure: int | None) -> str:
    """A penalty with a typographic minus sign; "" for none."""
    return f"\N{MINUS SIGN}{-figure}" if figure else ""


def damage(base: str, rating: int, kind: str) -> str:
    """What a weapon does, such as "Strength + 2 lethal"."""
    figure = str(rating) if rating or not base else ""
    return f"{' + '.join(filter(None, (base, figure)))} {kind}".strip()


def distances(reach: tuple[int, ...], unit: str) -> str:
    """A weapon's ranges in the ruleset's unit; "" for none."""
    return f"{' / '.join(map(str, reach))} {unit}" if reach else ""


def protection(ballistic: int | None, penalty: int | None, covers: Iterable[str]) -> list[str]:
    """Armour's properties other than its rating, each in a few words."""
    covered = ", ".join(worded(each) for each in covers)
    told = [
        _("%s against firearms") % ballistic if ballistic is not None else "",
        _("penalty %s") % less(penalty) if penalty else "",
        _("covers %s") % covered if covered else "",
    ]
    return [each for each in told if each]


def merit_label(key: str, ruleset: System | None = None) -> str:
    """A Merit's or Gift's label: the ruleset's, or the key's words for one it doesn't know."""
    known = ruleset.entries.get(key) if ruleset else None
    return said(known) if known else key.replace("_", " ").capitalize()


def powers_of(sheet: Sheet, ruleset: System) -> dict[str, str]:
    """The powers on a sheet by key, with labels that each reader reads in their own language.

    They are its Disciplines or, if its kind has no Traits for them (Gifts), the Merits that the ruleset doesn't know.
    """
    if traits := power_traits(ruleset, sheet.kind):
        return {trait.key: trait.label for trait in traits if ruleset.layout.dots(sheet, trait.key)}
    known = {merit.key for merit in ruleset.merits}
    return {key: ruleset.entries.get(key) or merit_label(key) for key in sorted(sheet.merits - known)}


def power_traits(ruleset: System, kind: str) -> list[Trait]:
    """The Traits for a kind's powers."""
    return [trait for trait in ruleset.layout.traits_for(kind) if trait.category is Category.POWER]
