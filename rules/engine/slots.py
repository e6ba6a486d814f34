"""Slots: data that one system, or a shared part, keeps for a combatant, a turn or a fight.

Data common to all fights is in fields of the values; data of single systems is in their mapping `own`, which belongs to
the declarer of a slot. A slot is declared once, as a constant beside the code that reads and changes it:

    TENSION = Slot(Encounter, "thriller.tension", int, 0)
    TENSION.of(state)       # the value, or the default
    TENSION.put(state, 3)   # a copy of the state with this value

Logs and states store values by their slot's key. A slot takes over the value that an earlier version stored in a field
of that name. A value whose slot is not declared (its system is not installed) is stored unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import Field, dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from rules.engine.copies import replace

Own = Mapping[str, Any]
"""What is kept by the keys of slots; what is as by default is left out, so that equal values are equal."""


class Keeper(Protocol):
    """A frozen dataclass that slots can be declared of."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def own(self) -> Own: ...


K = TypeVar("K", bound=Keeper)
T = TypeVar("T")
Among = Callable[[T, Collection[str]], T]


# Compared by identity: each key has one slot.
@dataclass(frozen=True, eq=False)
class Slot(Generic[K, T]):
    """A value that a `keeper` holds under a `key` that is unique in it.

    `kind` is the type by which it is stored and read: a frozen value of plain ones, as any field could have. `among`
    restricts it to a set of combatants: used after somebody leaves the fight and, for slots of the fight, for readers
    who don't see everyone. A slot whose values name people needs it.
    """

    keeper: type[K]
    key: str
    kind: Any
    default: T
    among: Among[T] | None = None

    def __post_init__(self) -> None:
        if (self.keeper, self.key) in SLOTS or self.key in self.keeper.__dataclass_fields__:
            raise TypeError(f"{self.keeper.__name__} keeps something called {self.key} already.")
        SLOTS[self.keeper, self.key] = self

    def of(self, keeper: K) -> T:
        """The value kept."""
        kept: T = keeper.own.get(self.key, self.default)
        return kept

    def put(self, keeper: K, value: T) -> K:
        """A copy with another value."""
        if value == self.of(keeper):
            return keeper
        own = {key: each for key, each in keeper.own.items() if key != self.key}
        return replace(keeper, own=own if value == self.default else {**own, self.key: value})


SLOTS: dict[tuple[type, str], Slot[Any, Any]] = {}
"""All slots, by the type that keeps them and their key."""


def kept_in(keeper: Keeper) -> Iterator[tuple[Slot[Any, Any], Any]]:
    """Every slot with a value other than its default, with that value."""
    found = ((SLOTS.get((type(keeper), key)), value) for key, value in keeper.own.items())
    return ((slot, value) for slot, value in found if slot is not None)


def among(keeper: K, people: Collection[str]) -> K:
    """The value restricted to these people."""
    for slot, value in kept_in(keeper):
        if slot.among is not None:
            keeper = slot.put(keeper, slot.among(value, people))
    return keeper


def kept(keeper: Keeper, key: str) -> Any:
    """The value under a key, whichever slot declares it."""
    return keeper.own.get(key, _default(type(keeper), key))


def changed(was: K, now: K) -> Own:
    """The slots that differ in `now`; the default for those it no longer keeps."""
    keys = {key for key in {*was.own, *now.own} if kept(was, key) != kept(now, key)}
    return {key: kept(now, key) for key in sorted(keys)}


def with_kept(keeper: K, own: Own) -> K:
    """A copy with the changes that :func:`changed` returned."""
    all_of_it = {**keeper.own, **own}.items()
    return replace(keeper, own={key: value for key, value in all_of_it if value != _default(type(keeper), key)})


def _default(keeper: type, key: str) -> Any:
    slot = SLOTS.get((keeper, key))
    return slot.default if slot else None
