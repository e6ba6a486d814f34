"""Weapons and armour as the rules see them; field names are those of the scenario format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from rules.engine.phrases import Typed, phrase
from rules.engine.violations import bad_input


class Mode(StrEnum):
    """How a weapon is used."""

    UNARMED = "unarmed"
    MELEE = "melee"
    FIREARM = "firearm"
    THROWN = "thrown"
    ARCHERY = "archery"

    @property
    def close(self) -> bool:
        """Whether an attack of this mode is close combat."""
        return self in (Mode.UNARMED, Mode.MELEE)


class Damage(StrEnum):
    """Damage types, least severe first."""

    BASHING = "bashing"
    LETHAL = "lethal"
    AGGRAVATED = "aggravated"

    @property
    def severity(self) -> int:
        """0 for bashing, 1 for lethal, 2 for aggravated."""
        return _SEVERITY[self]


_SEVERITY = {damage: severity for severity, damage in enumerate(Damage)}


class Form(StrEnum):
    """What a weapon does to a body."""

    SLASHING = "slashing"
    PIERCING = "piercing"
    BASHING = "bashing"
    BALLISTIC = "ballistic"


COVERS = ("torso", "arms", "legs", "head")
"""The places of a body that armour may cover."""


class Fault(StrEnum):
    """Why a weapon cannot be used."""

    JAMMED = "jammed"
    SEIZED = "seized"
    """Jammed for good, until there is time to take it apart."""
    BROKEN = "broken"
    DROPPED = "dropped"
    """It lies on the ground."""
    TAKEN = "taken"
    """Somebody else has it."""


GONE = frozenset({Fault.DROPPED, Fault.TAKEN})
"""Faults of a weapon that somebody has not in hand any more."""


class Carried(StrEnum):
    """Where somebody carries a weapon. Only one that is in hand can be used without drawing it."""

    IN_HAND = "in_hand"
    HOLSTERED = "holstered"
    PUT_AWAY = "put_away"
    """In a sheath, at the belt, in a pocket."""
    ON_THE_BACK = "on_the_back"
    CONCEALED = "concealed"


LONG = 3
"""The smallest Size of a weapon that is carried on the back."""

FAR = 50
"""The shortest range of a firearm of unknown size that is carried on the back."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon in somebody's hands.

    ``key`` distinguishes weapons of the same name on one sheet. ``damage`` is in dice (or in the ruleset's own unit),
    ``damage_from`` the Trait it is added to. ``range`` holds one distance, or short, medium and long. ``rounds`` is the
    number loaded (``None``: not counted), at most ``clip`` plus ``chambered``. ``difficulty`` replaces the ruleset's
    own if given. A ``stowed`` weapon was put away during the fight.
    """

    name: str
    mode: Mode
    damage: int = 0
    damage_from: str = ""
    type: Damage = Damage.BASHING
    form: str = ""
    range: tuple[int, ...] = ()
    rate: int | None = None
    clip: int | None = None
    rounds: int | None = None
    chambered: int = 0
    automatic: bool = False
    single_rounds: bool = False
    size: int | None = None
    strength: int | None = None
    initiative: int = 0
    again: int = 10
    durability: int | None = None
    structure: int | None = None
    attribute: str = ""
    ability: str = ""
    difficulty: int | None = None
    committed: bool = False
    aerodynamic: bool = False
    hidden: bool = False
    armor_piercing: int = 0
    conceal: str = ""
    two_handed: bool = False
    defense: int = 0
    tags: frozenset[str] = frozenset()
    note: str = ""
    key: str = ""
    fault: Fault | None = None
    stowed: bool = False

    @property
    def reference(self) -> str:
        """What commands call it on its bearer's sheet."""
        return self.key or self.name

    @property
    def capacity(self) -> int | None:
        """How many rounds it holds when full; ``None`` if it has no clip."""
        return None if self.clip is None else self.clip + self.chambered

    @property
    def drawn(self) -> bool:
        """Whether it is neither put away nor carried hidden. A dropped weapon still counts as drawn."""
        return not self.stowed and not self.hidden

    @property
    def in_hand(self) -> bool:
        """Whether its bearer holds it."""
        return self.drawn and self.fault not in GONE

    @property
    def works(self) -> bool:
        """Whether it is in hand and can be used."""
        return self.drawn and self.fault is None

    @property
    def natural(self) -> bool:
        """Whether it is part of the body, so that nobody draws it or puts it away."""
        return self.mode is Mode.UNARMED

    @property
    def carried(self) -> Carried:
        """Where its bearer has it."""
        if self.drawn:
            return Carried.IN_HAND
        return Carried.CONCEALED if self.hidden else self.kept

    @property
    def kept(self) -> Carried:
        """Its place when it is put away: long weapons go on the back, other firearms in a holster."""
        if self._is_long:
            return Carried.ON_THE_BACK
        return Carried.HOLSTERED if self.mode is Mode.FIREARM else Carried.PUT_AWAY

    @property
    def _is_long(self) -> bool:
        if self.two_handed or self.mode is Mode.ARCHERY:
            return True
        if self.size is not None or self.conceal:
            return (self.size or 0) >= LONG or self.conceal == "N"
        return self.mode is Mode.FIREARM and self.range[:1] >= (FAR,)


@dataclass(frozen=True, slots=True)
class Armor:
    """Armour that is worn. ``penalty`` is zero or below; ``covers`` empty means everything.

    What is ``destroyed`` neither protects nor hinders any more.
    """

    name: str
    rating: int = 0
    ballistic: int | None = None
    covers: frozenset[str] = frozenset()
    penalty: int = 0
    strength: int | None = None
    defense: int = 0
    speed: int = 0
    weight: str = ""
    supernatural: bool = False
    power: str = ""
    note: str = ""
    key: str = ""
    destroyed: bool = False


BARE_HANDS = "unarmed"
"""The name of the weapon that everybody has."""


def titled(name: str) -> str:
    """A name with a capital first letter, the rest unchanged (SMG)."""
    said = name[:1].upper() + name[1:]
    return Typed(said) if isinstance(name, Typed) else said


def label_of(weapon: Weapon) -> str:
    """A weapon's name at the beginning of a label."""
    return phrase("unarmed-label") if weapon.name == BARE_HANDS else titled(weapon.name)


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def key(self) -> str: ...


_Gear = TypeVar("_Gear", bound=_Named)


def find(items: Iterable[_Gear], reference: str, name: str) -> _Gear:
    """The item with this key or, failing that, this name in any case, among those that ``name`` carries.

    Raises :class:`rules.engine.violations.RuleViolation` ("input") if there is none.
    """
    items = tuple(items)
    for item in items:
        if item.key and item.key == reference:
            return item
    for item in items:
        if item.name.casefold() == reference.casefold():
            return item
    raise bad_input(phrase("isnt-carrying", name=name, reference=reference))


def loaded(weapon: Weapon) -> int | None:
    """The rounds in a weapon: its clip's worth where nobody counted, ``None`` where it needs none."""
    return weapon.clip if weapon.rounds is None else weapon.rounds
