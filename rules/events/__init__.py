"""What came of a command: one frozen value an event, in the past tense.

An event carries outcomes (faces rolled, boxes marked, rounds left), never intentions, so that a
replay rolls nothing. :mod:`rules.fold` says what each does to the state; ``AttackResolved``,
``TraitsRolled`` and ``RulesWaived`` mostly explain, and stand beside the events that change things.
"""

from __future__ import annotations

from rules.events.attacks import (
    Aimed,
    AttackEvent,
    AttackOverridden,
    AttackResolved,
    EvasionHeld,
    KnockedDown,
    MishapPending,
    MishapSettled,
)
from rules.events.bodies import (
    Bled,
    BodyEvent,
    BoxesMarked,
    ConditionsChanged,
    Followed,
    Harmed,
    Healed,
    HealthSet,
    Hurt,
    InjuriesChanged,
    InjuriesMarked,
    ResourceChanged,
    ShapeChanged,
)
from rules.events.brawls import (
    BrawlEvent,
    GrappleChanged,
    GrappleEnded,
    GrappleRolled,
    HandLent,
    MoveMade,
    RollMade,
    Touched,
)
from rules.events.cast import CastEvent, Grouped, Joined, Left, SheetRevised, VisibilityChanged
from rules.events.desk import CircumstancesSet, Described, DeskEvent, Narrated, RollShown, RulesWaived
from rules.events.exchanges import (
    Aspect,
    AttackAnswered,
    AttackApproved,
    AttackChanged,
    AttackProposed,
    AttackSentBack,
    AttackWithdrawn,
    Change,
    DefaultDefenceSet,
    ExchangeEvent,
)
from rules.events.firefights import (
    AimBroken,
    AimTaken,
    CoveringFireLaid,
    CoveringFireMet,
    CoverSet,
    CoverStruck,
    FirefightEvent,
    ShelterTaken,
    ShieldHeld,
    ShieldStruck,
    StanceChanged,
)
from rules.events.gear import (
    ArmorDestroyed,
    Disarmed,
    GearEvent,
    JamCleared,
    PickedUp,
    Reloaded,
    WeaponChanged,
    WeaponDrawn,
    WeaponGained,
)
from rules.events.results import AttackResult, DamageDone, Outcome, Rolled
from rules.events.rolls import CheckRolled, ExtendedRolled, RollEvent, RollGivenUp, TraitsRolled
from rules.events.turns import (
    Aborted,
    Declared,
    Delayed,
    FreshStartTaken,
    FullDefenceTaken,
    HeldOver,
    InitiativeModeSet,
    InitiativeRolled,
    Moved,
    OrderSet,
    RankMoved,
    StandingsChanged,
    StatusChanged,
    TurnEnded,
    TurnEvent,
    TurnMoved,
    TurnRecordChanged,
)

Event = (
    CastEvent
    | TurnEvent
    | AttackEvent
    | ExchangeEvent
    | GearEvent
    | FirefightEvent
    | BrawlEvent
    | RollEvent
    | BodyEvent
    | DeskEvent
)

__all__ = [
    "Aborted",
    "AimBroken",
    "AimTaken",
    "Aimed",
    "ArmorDestroyed",
    "Aspect",
    "AttackAnswered",
    "AttackApproved",
    "AttackChanged",
    "AttackOverridden",
    "AttackProposed",
    "AttackResolved",
    "AttackResult",
    "AttackSentBack",
    "AttackWithdrawn",
    "Bled",
    "BoxesMarked",
    "Change",
    "CheckRolled",
    "CircumstancesSet",
    "ConditionsChanged",
    "CoverSet",
    "CoverStruck",
    "CoveringFireLaid",
    "CoveringFireMet",
    "DamageDone",
    "Declared",
    "DefaultDefenceSet",
    "Delayed",
    "Described",
    "Disarmed",
    "EvasionHeld",
    "Event",
    "ExtendedRolled",
    "Followed",
    "FreshStartTaken",
    "FullDefenceTaken",
    "GrappleChanged",
    "GrappleEnded",
    "GrappleRolled",
    "Grouped",
    "HandLent",
    "Harmed",
    "Healed",
    "HealthSet",
    "HeldOver",
    "Hurt",
    "InitiativeModeSet",
    "InitiativeRolled",
    "InjuriesChanged",
    "InjuriesMarked",
    "JamCleared",
    "Joined",
    "KnockedDown",
    "Left",
    "MishapPending",
    "MishapSettled",
    "MoveMade",
    "Moved",
    "Narrated",
    "OrderSet",
    "Outcome",
    "PickedUp",
    "RankMoved",
    "Reloaded",
    "ResourceChanged",
    "RollGivenUp",
    "RollMade",
    "RollShown",
    "Rolled",
    "RulesWaived",
    "ShapeChanged",
    "SheetRevised",
    "ShelterTaken",
    "ShieldHeld",
    "ShieldStruck",
    "StanceChanged",
    "StandingsChanged",
    "StatusChanged",
    "Touched",
    "TraitsRolled",
    "TurnEnded",
    "TurnMoved",
    "TurnRecordChanged",
    "VisibilityChanged",
    "WeaponChanged",
    "WeaponDrawn",
    "WeaponGained",
]
