"""A tree of values as leaves by path, each of which is taken at most once: what is left wasn't understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.model.foundry import Paths


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value with its path, as the file writes it."""

    path: str
    value: Any


def folded(words: str) -> str:
    """A path or name for comparison: without case, spaces and punctuation except the dots of a path."""
    return "".join(each for each in words.casefold() if each.isalnum() or each == ".")


def bare(words: str) -> str:
    """The same without dots: a name."""
    return folded(words).replace(".", "")


class Leaves:
    """The leaves of a tree. Empty values say nothing and aren't there."""

    def __init__(self, tree: Any, prefix: str = "") -> None:
        self._there: dict[str, list[Leaf]] = {}
        self.add(tree, prefix)

    def add(self, tree: Any, prefix: str = "") -> None:
        """Add a tree's leaves, after those that are there."""
        for leaf in _leaves(tree, prefix):
            self._there.setdefault(folded(leaf.path), []).append(leaf)

    def peek(self, *paths: str) -> Any:
        """The first value at these paths, without taking it; None if there is none."""
        leaf = next(self._at(paths), None)
        return leaf.value if leaf else None

    def take(self, paths: Iterable[str], value: Any) -> None:
        """Take the leaves at these paths that have this value."""
        for path in paths:
            key = folded(path)
            kept = [leaf for leaf in self._there.get(key, ()) if leaf.value != value]
            self._there.pop(key, None)
            if kept:
                self._there[key] = kept

    def branch(self, path: str) -> list[Leaf]:
        """The leaves at a path and below, which are taken."""
        start = folded(path)
        keys = [key for key in self._there if key == start or key.startswith(f"{start}.")]
        return [leaf for key in keys for leaf in self._there.pop(key)]

    def below(self, path: str) -> list[Leaf]:
        """The same, without taking them."""
        start = f"{folded(path)}."
        return [leaf for key, leaves in self._there.items() if key.startswith(start) for leaf in leaves]

    def drop(self, quiet: Iterable[str]) -> None:
        """Take what says nothing about the character: paths with all below, and `*.` keys anywhere with all below."""
        known = list(quiet)
        whole = [folded(each) for each in known if not each.startswith("*.")]
        ends = {folded(each[2:]) for each in known if each.startswith("*.")}
        for key in list(self._there):
            if not ends.isdisjoint(key.split(".")) or any(key == each or key.startswith(f"{each}.") for each in whole):
                del self._there[key]

    def left(self) -> Iterator[Leaf]:
        """What nobody took, in the file's order of paths."""
        for leaves in self._there.values():
            yield from leaves

    def _at(self, paths: Paths | Iterable[str]) -> Iterator[Leaf]:
        for path in paths:
            yield from self._there.get(folded(path), ())


def _leaves(tree: Any, path: str) -> Iterator[Leaf]:
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(tree, list):
        for place, value in enumerate(tree):
            yield from _leaves(value, f"{path}.{place}" if path else str(place))
    elif tree is not None and tree != "":
        yield Leaf(path, tree)
