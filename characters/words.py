"""Figures and keys as people at the table read them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from rules.model.system import System


def less(figure: int | None) -> str:
    """A penalty with its proper minus sign; empty for none."""
    return f"\N{MINUS SIGN}{-figure}" if figure else ""


def damage(base: str, rating: int, kind: str) -> str:
    """What a weapon does, such as "Strength + 2 lethal"."""
    figure = str(rating) if rating or not base else ""
    return f"{' + '.join(filter(None, (base, figure)))} {kind}".strip()


def distances(reach: tuple[int, ...], unit: str) -> str:
    """How far a weapon reaches, in the ruleset's unit; empty for one that is used in the hand."""
    return f"{' / '.join(map(str, reach))} {unit}" if reach else ""


def protection(ballistic: int | None, penalty: int | None, covers: Iterable[str]) -> list[str]:
    """What armour does besides its rating, each in a few words."""
    covered = ", ".join(worded(each) for each in covers)
    told = [
        _("%s against firearms") % ballistic if ballistic is not None else "",
        _("penalty %s") % less(penalty) if penalty else "",
        _("covers %s") % covered if covered else "",
    ]
    return [each for each in told if each]


def merit_label(key: str, ruleset: System | None = None) -> str:
    """A merit's key as people read it: as the ruleset calls it, if it knows it."""
    known = {merit.key: said(merit.label) for merit in ruleset.merits} if ruleset else {}
    return known.get(key, key.replace("_", " ").capitalize())
