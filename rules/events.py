"""What came of a command: one frozen value an event, in the past tense.

An event carries outcomes (faces rolled, boxes marked, rounds left), never intentions, so that a
replay rolls nothing. :mod:`rules.fold` says what each does to the state; ``AttackResolved``,
``TraitsRolled`` and ``RulesWaived`` mostly explain, and stand beside the events that change things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.commands import Modifier
from rules.dice import Roll
from rules.encounter import (
    Combatant,
    Declaration,
    Exchange,
    ExtendedRoll,
    Grapple,
    Hand,
    Impairment,
    PendingMishap,
    Score,
    Stage,
    Status,
    TurnRecord,
    Visit,
)
from rules.gear import Armor, Damage, Weapon
from rules.plan import AttackPlan, PoolPlan
from rules.shapes import Shape
from rules.sheet import Injury, Scar, Sheet
from rules.stance import Cover, Stance
from rules.violations import Flag
from rules.wounding import DamageTold, Points, worst_first


class Outcome(StrEnum):
    """What a roll or an attack came to."""

    HIT = "hit"
    MISS = "miss"
    SUCCESS = "success"
    FAIL = "fail"
    BOTCH = "botch"
    DRAMATIC_FAILURE = "dramatic_failure"
    EXCEPTIONAL = "exceptional"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A pool and what it came to, with who rolled it."""

    by: str
    plan: PoolPlan
    roll: Roll


@dataclass(frozen=True, slots=True)
class DamageDone:
    """From the damage pool to the boxes.

    ``levels`` before soak, ``soaked`` of them (never more), ``dealt`` of kind ``type`` what was marked.
    ``damage`` is ``None`` where the attack's successes are the damage; ``soak`` where there was nothing
    to soak or to soak with. ``to`` is who suffered it. Of several kinds ``mixed`` holds the points of each, and
    ``type`` is the hit's own. ``told`` says how the successes became the damage, where steps did that.
    """

    to: str
    damage: Rolled | None
    levels: int
    soak: Rolled | None
    soaked: int
    dealt: int
    type: Damage
    mixed: Points = field(default_factory=dict)
    told: tuple[DamageTold, ...] = ()

    @property
    def points(self) -> tuple[tuple[Damage, int], ...]:
        """What is marked, by kind, most severe first."""
        return worst_first(self.mixed) if self.mixed else ((self.type, self.dealt),)


@dataclass(frozen=True, slots=True)
class AttackResult:
    """An attack as it met one target. ``taken_off`` successes were cancelled by the defence.

    ``done`` is the damage to the target, ``counter`` what a parry or a clash did to the attacker. Of those
    ``taken_off``, ``evaded`` came from the stock that the target held ready.
    """

    target: str
    outcome: Outcome
    attack: Rolled
    defence_kind: str = ""
    defence: Rolled | None = None
    taken_off: int = 0
    net: int = 0
    done: DamageDone | None = None
    counter: DamageDone | None = None
    evaded: int = 0


# ------------------------------------------------------------------ who is there


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody is in the fight now."""

    combatant: Combatant


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody is out of the fight now."""

    who: str


@dataclass(frozen=True, slots=True)
class VisibilityChanged:
    """What players learn of a combatant changed."""

    who: str
    hidden: bool
    mask: str
    health_shown: str


@dataclass(frozen=True, slots=True)
class SheetRevised:
    """Somebody's sheet was edited elsewhere: it is ``sheet`` now, with the conditions that follow."""

    who: str
    sheet: Sheet
    conditions: frozenset[str]


# ------------------------------------------------------------------ the fight and its turns


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The fight began, was set aside, went on or ended."""

    status: Status


@dataclass(frozen=True, slots=True)
class InitiativeRolled:
    """Everybody's initiative for the turn, and the order that follows from it."""

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StandingsChanged:
    """Initiative that was kept is another for the turn that begins: everybody's, and the order that follows."""

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The Storyteller put the ranks otherwise."""

    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RankMoved:
    """Somebody has another rank: ``order`` as it is now, ``scores`` those that changed.

    ``moment`` names the place in the turn that a delayed action was taken at.
    """

    who: str
    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    moment: str = ""


@dataclass(frozen=True, slots=True)
class HeldOver:
    """Somebody forfeits this turn's action, to act at any moment of the next turn."""

    by: str


@dataclass(frozen=True, slots=True)
class FreshStartTaken:
    """Somebody gives the turn for another rank, which counts from the next turn on."""

    by: str
    rank: int


@dataclass(frozen=True, slots=True)
class InitiativeModeSet:
    """Initiative is rolled every turn of this fight from now on, or once for all of it."""

    every_turn: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """Somebody said what they would do. ``record`` is their turn as it stands now."""

    by: str
    declaration: Declaration
    record: TurnRecord
    out_of_order: bool = False


@dataclass(frozen=True, slots=True)
class TurnMoved:
    """The turn came to its next place, or (``visit`` ``None``) to its end."""

    stage: Stage
    visit: Visit | None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn ended and the one numbered ``next`` begins."""

    next: int


@dataclass(frozen=True, slots=True)
class TurnRecordChanged:
    """Something about somebody's present turn changed (an action used, a defence counted)."""

    who: str
    record: TurnRecord


@dataclass(frozen=True, slots=True)
class Delayed:
    """Somebody waits."""

    by: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Aborted:
    """Somebody tried to give up an action for a defence. ``roll`` is ``None`` where a point was paid."""

    by: str
    succeeded: bool
    roll: Rolled | None = None


@dataclass(frozen=True, slots=True)
class FullDefenceTaken:
    """Somebody does nothing but defend this turn."""

    by: str


# ------------------------------------------------------------------ attack


@dataclass(frozen=True, slots=True)
class AttackProposed:
    """An attack was announced."""

    exchange: Exchange


@dataclass(frozen=True, slots=True)
class AttackAnswered:
    """A target of an announced attack has answered."""

    exchange: Exchange
    target: str


@dataclass(frozen=True, slots=True)
class AttackWithdrawn:
    """An announced attack was taken back."""

    exchange: str


@dataclass(frozen=True, slots=True)
class AttackResolved:
    """An attack was rolled. ``resolution`` names it for narration; ``exchange`` is "" when it was not announced."""

    resolution: str
    plan: AttackPlan
    results: tuple[AttackResult, ...]
    exchange: str = ""
    out_of_order: bool = False


@dataclass(frozen=True, slots=True)
class MishapPending:
    """A botch wants a mishap."""

    mishap: PendingMishap


@dataclass(frozen=True, slots=True)
class MishapSettled:
    """A botch got its mishap; ``done`` is the damage to an ally, where one was hit."""

    resolution: str
    by: str
    mishap: str
    by_chance: bool = False
    ally: str = ""
    done: DamageDone | None = None


@dataclass(frozen=True, slots=True)
class WeaponChanged:
    """A weapon's rounds or fault changed: ``weapon`` is how it is now."""

    who: str
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class JamCleared:
    """A jammed weapon fires again."""

    by: str
    weapon: str


@dataclass(frozen=True, slots=True)
class Reloaded:
    """A weapon was filled."""

    by: str
    weapon: str
    rounds: int


@dataclass(frozen=True, slots=True)
class ArmorDestroyed:
    """A blow was too much for somebody's armour: ``armor`` is how it is now."""

    who: str
    armor: Armor


@dataclass(frozen=True, slots=True)
class KnockedDown:
    """Somebody was knocked down. ``roll`` is ``None`` for one who could not try to get up."""

    who: str
    outcome: Outcome
    roll: Rolled | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody went a ``distance`` in that ``unit``; ``as_action`` where that was their action."""

    by: str
    distance: int
    as_action: bool = False
    unit: str = "metres"


@dataclass(frozen=True, slots=True)
class ShapeChanged:
    """Somebody took another shape; ``shape`` is ``None`` for their own, of which ``label`` is the name."""

    who: str
    shape: Shape | None
    label: str


@dataclass(frozen=True, slots=True)
class EvasionHeld:
    """Somebody has ``left`` successes ready against whatever comes, until their next turn."""

    who: str
    left: int


@dataclass(frozen=True, slots=True)
class Aimed:
    """Somebody has aimed at ``target`` ("": whoever comes) for so many rounds; for none where the aim is over."""

    by: str
    target: str = ""
    rounds: int = 0


# ------------------------------------------------------------------ firefights


@dataclass(frozen=True, slots=True)
class WeaponDrawn:
    """Somebody drew a weapon, or put it ``away``."""

    by: str
    weapon: str
    rule: str
    away: bool = False


@dataclass(frozen=True, slots=True)
class StanceChanged:
    """Where somebody stands in a firefight, as it is now."""

    who: str
    stance: Stance


@dataclass(frozen=True, slots=True)
class AimTaken:
    """Somebody took aim at another, for so many turns by now."""

    by: str
    at: str
    turns: int
    rule: str


@dataclass(frozen=True, slots=True)
class AimBroken:
    """Somebody's aim is gone."""

    who: str
    rule: str


@dataclass(frozen=True, slots=True)
class ShelterTaken:
    """Somebody went behind something (``cover`` names it, "" for nothing that counts), or (``degree`` "") came out."""

    who: str
    degree: str
    cover: str
    rule: str


@dataclass(frozen=True, slots=True)
class ShieldHeld:
    """Somebody holds another in the way of shots, or lets go of them."""

    by: str
    shield: str
    rule: str
    let_go: bool = False


@dataclass(frozen=True, slots=True)
class CoverSet:
    """A thing to hide behind, as it is now."""

    cover: Cover
    rule: str


@dataclass(frozen=True, slots=True)
class CoverStruck:
    """Cover caught ``damage`` points of a shot: ``cover`` is how it is now. Only what is ``lasting`` stays about."""

    cover: Cover
    damage: int
    lasting: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ShieldStruck:
    """Somebody who was held in the way of a shot ``by`` one at ``target`` was hit first."""

    by: str
    target: str
    done: DamageDone
    rule: str


@dataclass(frozen=True, slots=True)
class CoveringFireLaid:
    """Somebody laid covering fire on those in an area."""

    resolution: str
    by: str
    at: tuple[str, ...]
    weapon: str
    outcome: Outcome
    roll: Rolled
    rule: str


@dataclass(frozen=True, slots=True)
class CoveringFireMet:
    """What somebody did about covering fire (``choice``: "acted", "prone", "cover"), and what it did to them."""

    who: str
    choice: str
    rule: str
    by: str = ""
    weapon: str = ""
    done: DamageDone | None = None


@dataclass(frozen=True, slots=True)
class WeaponGained:
    """Somebody has a weapon that was not theirs, or that was none before."""

    who: str
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class PickedUp:
    """Somebody has a weapon in hand again that lay on the ground."""

    by: str
    weapon: str
    rule: str


@dataclass(frozen=True, slots=True)
class Disarmed:
    """Somebody lost hold of a ``weapon`` (its name): it lies on the ground, or is ``taken`` by whoever did it."""

    by: str
    who: str
    weapon: str
    rule: str
    taken: bool = False


# ------------------------------------------------------------------ grapples


@dataclass(frozen=True, slots=True)
class GrappleRolled:
    """Two rolled for a grapple. ``resisted`` is ``None`` where the other could not.

    ``hands`` and ``against`` are the successes that helping hands added to either side; ``margin`` counts them.
    """

    resolution: str
    by: str
    at: str
    rule: str
    outcome: Outcome
    roll: Rolled
    resisted: Rolled | None
    margin: int
    hands: int = 0
    against: int = 0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class GrappleChanged:
    """A grapple began, or is another now."""

    grapple: Grapple


@dataclass(frozen=True, slots=True)
class GrappleEnded:
    """Two let go of each other."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class MoveMade:
    """Somebody made a ``move`` (its key) in a grapple; ``weapon`` names what it was made with or against."""

    by: str
    at: str
    move: str
    rule: str
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class RollMade:
    """A roll that is a part of something done (its key), by a rule."""

    by: str
    what: str
    rule: str
    roll: Rolled


@dataclass(frozen=True, slots=True)
class HandLent:
    """Somebody lends a hand to whoever grapples with another."""

    hand: Hand
    rule: str
    roll: Rolled


@dataclass(frozen=True, slots=True)
class Touched:
    """Somebody touched another, who did not resist."""

    by: str
    at: str
    rule: str


# ------------------------------------------------------------------ rolls


@dataclass(frozen=True, slots=True)
class TraitsRolled:
    """A roll outside an attack. ``margin`` is the roller's net successes less the resister's."""

    resolution: str
    by: str
    outcome: Outcome
    roll: Rolled
    resisted: Rolled | None = None
    margin: int | None = None
    label: str = ""
    secret: bool = False
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtendedRolled:
    """An extended roll stands as ``now`` after one more roll; ``outcome`` is ``None`` while it goes on."""

    now: ExtendedRoll
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class RollGivenUp:
    """An extended roll was left before it came to anything."""

    roll: ExtendedRoll


@dataclass(frozen=True, slots=True)
class CheckRolled:
    """A roll that a rule brings about by itself. ``check`` says which ("consciousness")."""

    who: str
    check: str
    roll: Rolled
    passed: bool


@dataclass(frozen=True, slots=True)
class CircumstancesSet:
    """The circumstances that lie on somebody's rolls as they are now; on everybody's where ``who`` is ""."""

    who: str
    circumstances: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """Those who play the combatants ``to`` were told what they alone see and feel; nothing more without ``text``."""

    to: tuple[str, ...]
    text: str


# ------------------------------------------------------------------ health, resources, conditions


@dataclass(frozen=True, slots=True)
class Bled:
    """Somebody is ``amount`` points nearer to death, for nothing but time."""

    who: str
    amount: int


@dataclass(frozen=True, slots=True)
class Harmed:
    """Somebody took damage otherwise than by an attack."""

    who: str
    amount: int
    type: Damage
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Healed:
    """Somebody healed. ``healed`` counts levels by kind."""

    who: str
    healed: Mapping[str, int] = field(default_factory=dict)
    hours: int | None = None


@dataclass(frozen=True, slots=True)
class HealthSet:
    """The Storyteller put the boxes otherwise."""

    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class BoxesMarked:
    """Somebody's boxes and the conditions that follow from them, as they are now."""

    who: str
    marks: tuple[Damage, ...]
    conditions: frozenset[str]


@dataclass(frozen=True, slots=True)
class InjuriesMarked:
    """Somebody's injuries and scars, and the conditions that follow from them, as they are now."""

    who: str
    injuries: tuple[Injury, ...]
    scars: tuple[Scar, ...]
    conditions: frozenset[str]


@dataclass(frozen=True, slots=True)
class ResourceChanged:
    """Somebody has ``left`` points of a resource now, ``spent`` fewer (or, below zero, more) than before."""

    who: str
    resource: str
    left: int
    spent: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class ConditionsChanged:
    """Somebody's conditions as they are now, and what was added and taken away."""

    who: str
    conditions: frozenset[str]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hurt:
    """Somebody was hurt by another without an attack's roll; ``done`` may be none at all."""

    by: str
    done: DamageDone
    rule: str


@dataclass(frozen=True, slots=True)
class InjuriesChanged:
    """Somebody's injuries of parts of the body as they are now."""

    who: str
    injuries: tuple[Impairment, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """A rule brought something over somebody: ``what`` is a condition, or a word of the rule's own."""

    who: str
    what: str
    rule: str


@dataclass(frozen=True, slots=True)
class Narrated:
    """The Storyteller's words for what was resolved."""

    resolution: str
    text: str


@dataclass(frozen=True, slots=True)
class RulesWaived:
    """Rules that would have turned this command down, and that the Storyteller let go by."""

    flags: tuple[Flag, ...]
    why: str = ""


Event = (
    Joined
    | Left
    | VisibilityChanged
    | SheetRevised
    | StatusChanged
    | InitiativeRolled
    | StandingsChanged
    | OrderSet
    | RankMoved
    | HeldOver
    | FreshStartTaken
    | InitiativeModeSet
    | Declared
    | TurnMoved
    | TurnEnded
    | TurnRecordChanged
    | Delayed
    | Aborted
    | FullDefenceTaken
    | AttackProposed
    | AttackAnswered
    | AttackWithdrawn
    | AttackResolved
    | MishapPending
    | MishapSettled
    | WeaponChanged
    | JamCleared
    | Reloaded
    | ArmorDestroyed
    | KnockedDown
    | Moved
    | ShapeChanged
    | EvasionHeld
    | Aimed
    | WeaponGained
    | Disarmed
    | PickedUp
    | GrappleRolled
    | GrappleChanged
    | GrappleEnded
    | MoveMade
    | RollMade
    | HandLent
    | Touched
    | WeaponDrawn
    | StanceChanged
    | AimTaken
    | AimBroken
    | ShelterTaken
    | ShieldHeld
    | CoverSet
    | CoverStruck
    | ShieldStruck
    | CoveringFireLaid
    | CoveringFireMet
    | TraitsRolled
    | ExtendedRolled
    | RollGivenUp
    | CheckRolled
    | CircumstancesSet
    | Described
    | Bled
    | Harmed
    | Healed
    | HealthSet
    | BoxesMarked
    | InjuriesMarked
    | ResourceChanged
    | ConditionsChanged
    | Hurt
    | InjuriesChanged
    | Followed
    | Narrated
    | RulesWaived
)
