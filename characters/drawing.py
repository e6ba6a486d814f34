"""A drawing of ties as a ring of names, computed from one reader's list alone and so deterministic.

Each name has a line of its own, to the left or right of the ring, so that names never overlap however long they are.
Neighbours are placed close to each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MOST_NODES = 40
"""Above this number, the drawing shows one character's neighbourhood."""

_ROW, _TOP = 30, 24
_LABEL, _RING = 196, 230
_LONGEST = 26
_TIP = 9


@dataclass(frozen=True, slots=True)
class Node:
    """A name with its dot. `left` names end at their dot, others begin there."""

    name: str
    full: str
    x: int
    y: int
    label_x: int
    left: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """A tie as a curve with an arrowhead, both as SVG path data."""

    kind: str
    over: bool
    path: str
    head: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing with its size; empty without ties. With `around` it shows only that character and its neighbours.

    `left_out` is how many of these are not drawn.
    """

    width: int
    height: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    around: str = ""
    left_out: int = 0


def drawn(ties: Sequence[Any], *, around: str = "", mine: frozenset[str] = frozenset()) -> Drawing:
    """The drawing of these `TieLine`s. Above `MOST_NODES` ends it is of the neighbourhood of one: `around` if given,
    else a character of the reader's own (`mine`) or the one with the most ties."""
    ends = {end.id: end.name for tie in ties for end in (tie.first, tie.second)}
    shown, centre, left_out = list(ties), "", 0
    if len(ends) > MOST_NODES:
        centre = around if around in ends else _centre(ties, ends, mine)
        near = [tie for tie in ties if centre in (tie.first.id, tie.second.id)]
        others = {end for tie in near for end in (tie.first.id, tie.second.id)} - {centre}
        kept = {centre, *sorted(others, key=lambda each: (ends[each].casefold(), each))[: MOST_NODES - 1]}
        left_out = len(others) + 1 - len(kept)
        shown = [tie for tie in near if tie.first.id in kept and tie.second.id in kept]
        ends = {each: name for each, name in ends.items() if each in kept}
    if not shown:
        return Drawing(0, 0, (), ())
    order = _order(ends, [(tie.first.id, tie.second.id) for tie in shown])
    nodes = _placed(order, ends, mine)
    places = {each: place for place, each in enumerate(order)}
    shown.sort(key=lambda tie: (places[tie.first.id], places[tie.second.id], tie.kind, tie.id))
    edges = tuple(_edge(tie, nodes) for tie in shown)
    height = 2 * _TOP + _ROW * (math.ceil(len(order) / 2) - 1)
    return Drawing(2 * _LABEL + _RING, height, tuple(nodes.values()), edges, ends.get(centre, ""), left_out)


def _centre(ties: Iterable[Any], ends: dict[str, str], mine: frozenset[str]) -> str:
    degree = Counter(end.id for tie in ties for end in (tie.first, tie.second))
    own = [each for each in ends if each in mine] or list(ends)
    return min(own, key=lambda each: (-degree[each], ends[each].casefold(), each))


def _order(ends: dict[str, str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Breadth first from those with the most ties, so that neighbours are close to each other on the ring."""
    near: dict[str, set[str]] = {each: set() for each in ends}
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)

    def rank(each: str) -> tuple[int, str, str]:
        return (-len(near[each]), ends[each].casefold(), each)

    order: dict[str, None] = {}
    for start in sorted(ends, key=rank):
        waiting = [start]
        while waiting:
            each = waiting.pop(0)
            if each not in order:
                order[each] = None
                waiting += sorted(near[each] - order.keys(), key=rank)
    return list(order)


def _placed(order: Sequence[str], ends: dict[str, str], mine: frozenset[str]) -> dict[str, Node]:
    """Clockwise from the top: down the right side of the ring, then up the left."""
    right = order[: math.ceil(len(order) / 2)]
    left = list(reversed(order[len(right) :]))
    return {
        **{who: _node(who, ends[who], row, len(right), mine, left=False) for row, who in enumerate(right)},
        **{who: _node(who, ends[who], row, len(right), mine, left=True) for row, who in enumerate(left)},
    }


def _node(who: str, name: str, row: int, rows: int, mine: frozenset[str], *, left: bool) -> Node:
    # How far above (-1) or below (1) the middle: the ring is an ellipse, never narrower than a third.
    height = (2 * row - (rows - 1)) / rows
    half = _RING / 2 * max(math.sqrt(1 - height * height), 1 / 3)
    x = round(_LABEL + _RING / 2 + (-half if left else half))
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"
    return Node(short, name, x, _TOP + _ROW * row, x - 12 if left else x + 12, left, mine=who in mine)


def _edge(tie: Any, nodes: dict[str, Node]) -> Edge:
    first, second = nodes[tie.first.id], nodes[tie.second.id]
    middle = (_LABEL + _RING / 2, (first.y + second.y) / 2)
    # Bent towards the middle, so that ties between neighbours on one side don't hide behind each other.
    bend_x = (first.x + second.x) / 2 * 0.4 + middle[0] * 0.6
    bend_y = middle[1] + (8 if (first.y, first.x) < (second.y, second.x) else -8)
    angle = math.atan2(second.y - bend_y, second.x - bend_x)
    tip = (second.x - _TIP * math.cos(angle), second.y - _TIP * math.sin(angle))
    wings = [(tip[0] - 9 * math.cos(angle + turn), tip[1] - 9 * math.sin(angle + turn)) for turn in (0.42, -0.42)]
    corners = "L".join(f"{x:.1f} {y:.1f}" for x, y in (wings[0], tip, wings[1]))
    path = f"M{first.x} {first.y}Q{bend_x:.1f} {bend_y:.1f} {tip[0]:.1f} {tip[1]:.1f}"
    return Edge(tie.kind, tie.over, path, f"M{corners}Z")
