"""The pieces of panes: the rows, entries and parts that can be sent one by one.

Each piece is an element with an id of its own. What the pieces of two versions of a pane have in common needs not be
sent, if everything else in the pane is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import singledispatch
from typing import Any

from combat.cache import for_each, for_each_two, same
from combat.history.panes import Log
from combat.panes.figures import Health, Row, Sheet, StorytellerRow
from combat.panes.views import Me, Order

MOST_APART = 1000
MOST_PAIRS = 200
"""Pairs of panes that are compared once: only those of one action, which several audiences may share."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A pane taken apart: its pieces by their HTML ids, and the `rest`, which must be the same for pieces to be sent.

    The `fixed` ones stay in their places. Of the `listed` ones, newest first, new ones may be added at the front, and
    the oldest may go.
    """

    rest: Hashable
    fixed: Mapping[str, Any] = field(default_factory=dict)
    listed: Mapping[str, Any] = field(default_factory=dict)


@singledispatch
def pieces_of(pane: object) -> Pieces | None:
    """A pane's pieces; None for panes that are always sent as a whole."""
    return None


@pieces_of.register
def _rows(order: Order) -> Pieces:
    ranks = tuple(tuple(row.id for row in rank) for rank in order.ranks)
    told = [row for row in order.rows() if isinstance(row, StorytellerRow)]  # players know of no groups and sides
    # Without initiative, rows are folded by side.
    folds = (*map(_in_a_group, told), *(() if order.ranks else map(_on_a_side, told)))
    rows = {f"row-{row.id}": (row, beside) for row, beside in with_their_neighbours(order)}
    return Pieces((ranks, tuple(rows), folds), rows)


def with_their_neighbours(order: Order) -> Iterator[tuple[Row, tuple[str, ...]]]:
    """Each row, with the names of those who act at the same moment and have yet to do so."""
    for rank in order.ranks:
        for row in rank:
            beside = (each.name for each in rank if each.id != row.id and not each.acted)
            yield row, tuple(beside) if len(rank) > 1 else ()
    for row in order.others:
        yield row, ()


def _in_a_group(row: StorytellerRow) -> Hashable:
    """What the line of a group says of a row."""
    return (row.band, row.name, row.acting, row.total, row.conditions) if row.band else None


def _on_a_side(row: StorytellerRow) -> Hashable:
    """What the line of a side says of a row."""
    return row.side, row.acting, row.conditions


@pieces_of.register
def _entries(log: Log) -> Pieces:
    entries = {f"entry-{entry.id}": entry for entry in log.entries}
    return Pieces((log.older, bool(entries)), {"log-head": log.choices}, entries)


PARTS: Mapping[str, frozenset[str]] = {
    "now": frozenset({"health", "conditions", "plight", "shape", "powers", "resources", "weapons", "possible"})
    | {"has_declared", "declared", "split"},
    "do": frozenset({"possible", "manoeuvres", "weapons", "conditions", "now", "holds", "has_declared"}),
    "sheet": frozenset({"health", "conditions", "weapons", "armor", "possible", "derived", "actions"}),
}
"""The parts in which a player's own character is shown, and the fields that each may use."""

_ALWAYS = frozenset({"id", "name", "character"})


def part_of(sheet: Sheet, part: str) -> Sheet:
    """The sheet with nothing but what this part may show."""
    unused = [each.name for each in fields(Sheet) if each.name not in PARTS[part] | _ALWAYS]
    return replace(sheet, **{name: _blank(getattr(sheet, name)) for name in unused})


def _blank(value: object) -> Any:
    if isinstance(value, Health):
        return Health()
    return "" if isinstance(value, str) else False if isinstance(value, bool) else ()


@pieces_of.register
def _parts(me: Me) -> Pieces:
    parts = {f"me-{sheet.id}-{part}": part_of(sheet, part) for sheet in me.sheets for part in PARTS}
    whose = {"me-whose": me.sheets} if len(me.sheets) > 1 else {}
    return Pieces(tuple((sheet.id, sheet.name, bool(sheet.possible)) for sheet in me.sheets), {**whose, **parts})


@for_each_two(MOST_PAIRS)
def differing(before: object, after: object) -> Sequence[str] | None:
    """The ids of the pieces that bring a page from one version of a pane to another.

    None if the whole pane has to be sent, or is hardly more.
    """
    was, now = _apart(before), _apart(after)
    if was is None or now is None or was.rest != now.rest or was.fixed.keys() != now.fixed.keys():
        return None
    names, earlier = list(now.listed), list(was.listed)
    fresh = names.index(earlier[0]) if earlier and earlier[0] in now.listed else len(names)
    kept = names[fresh:]
    if kept != earlier[: len(kept)] or (earlier and not kept):
        return None
    found = [name for name, piece in now.fixed.items() if not same(was.fixed[name], piece)]
    found += [name for name, piece in now.listed.items() if not same(was.listed.get(name), piece)]
    return found if 2 * len(found) <= len(now.fixed) + len(names) else None


@for_each(MOST_APART, worded=False)
def _apart(pane: object) -> Pieces | None:
    """A pane's pieces, found once: what is new after one command is what was there before the next."""
    return pieces_of(pane)
