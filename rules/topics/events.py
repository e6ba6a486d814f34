"""What came of a command: one frozen value an event, in the past tense.

An event carries outcomes (faces rolled, boxes marked, rounds left), never intentions, so that a
replay rolls nothing. :mod:`rules.fold` says what each does to the state; ``AttackResolved``,
``TraitsRolled`` and ``RulesWaived`` mostly explain, and stand beside the events that change things.
"""

from __future__ import annotations

from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.topics.attacks.events import (
    Aimed,
    AttackEvent,
    AttackOverridden,
    AttackResolved,
    EvasionHeld,
    KnockedDown,
    MishapPending,
    MishapSettled,
)
from rules.topics.cast.events import CastEvent, Grouped, Joined, Left, SheetRevised, VisibilityChanged
from rules.topics.exchanges.events import (
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
from rules.topics.firefights.events import (
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
from rules.topics.gear.events import (
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
from rules.topics.grapples.events import (
    BrawlEvent,
    GrappleChanged,
    GrappleEnded,
    GrappleRolled,
    HandLent,
    MoveMade,
    RollMade,
    Touched,
)
from rules.topics.health.events import (
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
from rules.topics.rolls.events import CheckRolled, ExtendedRolled, RollEvent, RollGivenUp, TraitsRolled
from rules.topics.telling.events import CircumstancesSet, Described, DeskEvent, Narrated, RollShown, RulesWaived
from rules.topics.turns.events import (
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
