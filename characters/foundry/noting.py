"""What wasn't understood of an actor, word for word, for the notes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import TEXT_LENGTH
from characters.foundry.actors import Actor, Item
from characters.foundry.leaves import Leaf, Leaves
from characters.foundry.texts import from_html, line

NOTHING: tuple[Any, ...] = (0, False, "0", "")
SHORT = 160


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that goes into the notes: a short line for the preview, and its text there."""

    short: str
    text: str


def lines_of(actor: Actor) -> list[Noted]:
    """All that is left of an actor, without what says nothing."""
    said = _Said()
    actor.leaves.drop(actor.found.quiet)
    found = [*_of_leaves(actor.leaves, said)]
    for item in actor.items:
        item.leaves.drop(each for each in actor.found.quiet if each.startswith("*."))
        found += _of_item(item, said)
    return [*found, *_of_leaves(actor.others, said)]


def fitted(notes: str, told: Sequence[Noted]) -> tuple[str, list[Noted]]:
    """The notes with as much as fits below them, and what doesn't."""
    head = "## " + _("From the file") + "\n\n"
    left, kept, out = TEXT_LENGTH - len(notes) - len(head) - 2, [], []
    for each in told:
        size = len(each.text) + 2
        if size <= left:
            kept.append(each.text)
            left -= size
        else:
            out.append(each)
    return ("\n\n".join(filter(None, (notes, head + "\n\n".join(kept)))) if kept else notes), out


class _Said:
    """Values as text. HTML beyond what notes can hold only loses its tags, so that its conversion can't take long."""

    def __init__(self) -> None:
        self.length = 0

    def __call__(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        self.length += len(value)
        return from_html(value, quick=self.length > 4 * TEXT_LENGTH)


def _of_leaves(leaves: Leaves, said: _Said) -> Iterator[Noted]:
    for leaf in leaves.left():
        if not _is_nothing(leaf):
            text = said(leaf.value)
            yield Noted(f"{leaf.path}: {line(text, SHORT)}", f"**{leaf.path}**: {text}")


def _of_item(item: Item, said: _Said) -> Iterator[Noted]:
    """An item that isn't on the sheet as a whole; of one that is, what there is no place for."""
    leaves = [leaf for leaf in item.leaves.left() if not _is_nothing(leaf)]
    if item.taken and not leaves:
        return
    sort = item.sort.rpartition(".")[2]
    what = ", ".join(filter(None, (item.type, sort)))
    name = f"{line(item.name) or '—'} ({what})" if what else line(item.name)
    told = [f"{leaf.path}: {said(leaf.value)}" for leaf in leaves]
    lines = "\n".join(f"- {each}" if "\n" not in each else each for each in told)
    yield Noted(f"{name}: {'; '.join(told)}"[:SHORT] if told else name, f"**{name}**\n{lines}".strip())


def _is_nothing(leaf: Leaf) -> bool:
    return any(leaf.value == each and type(leaf.value) is type(each) for each in NOTHING)
