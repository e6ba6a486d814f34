"""Figures as people at the table read them."""

from __future__ import annotations


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
