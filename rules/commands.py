"""What somebody wants: one frozen value a command, in the imperative.

Combatants are named by id, weapons by the key on the sheet or by name. Every command goes through
:func:`rules.decide.decide`, which answers with events or raises
:class:`rules.violations.RuleViolation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.gear import BARE_HANDS, Damage
from rules.sheet import Injury, Sheet

Figure = int | str | bool


@dataclass(frozen=True, slots=True)
class Modifier:
    """A circumstance picked for a roll: a key that the ruleset knows, with its figures.

    ``difficulty`` takes ``by`` (steps up or down) and ``why``; ``circumstance`` takes ``dice`` and
    ``why``; ``split`` takes ``dice``; ``several_attackers`` takes ``count``; ``range`` takes ``band``.
    """

    key: str
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Defence:
    """A target's answer to an attack: ``kind`` is dodge, parry, block or "" for none.

    ``weapon`` is what is parried with; ``modifiers`` change the defender's own pool.
    """

    kind: str = ""
    weapon: str = ""
    modifiers: tuple[Modifier, ...] = ()
    strike: frozenset[str] = frozenset()


# ------------------------------------------------------------------ who is there


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody about to join: see :class:`rules.encounter.Combatant` for the fields."""

    id: str
    sheet: Sheet
    character: str = ""
    player: bool = False
    group: str = ""
    conditions: frozenset[str] = frozenset()
    hidden: bool = False
    mask: str = ""
    health_shown: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """Add combatants, before the fight or in its midst."""

    newcomers: tuple[Newcomer, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Take somebody out of the fight."""

    who: str


@dataclass(frozen=True, slots=True)
class SetVisibility:
    """Settle what players learn of a combatant. Fields left ``None`` stay as they are."""

    who: str
    hidden: bool | None = None
    mask: str | None = None
    health_shown: str | None = None


@dataclass(frozen=True, slots=True)
class ReviseSheet:
    """Put somebody's sheet as it is now, after it or a table behind it was edited elsewhere."""

    who: str
    sheet: Sheet


# ------------------------------------------------------------------ the fight and its turns


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin a drafted fight."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Set a running fight aside."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a fight that was set aside."""


@dataclass(frozen=True, slots=True)
class End:
    """End the fight for good."""


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Roll initiative for everybody whose it is to roll, or for those named.

    ``surprised`` are those who are caught unawares, where a ruleset has that: they do not roll yet. ``ambushed``
    are those who are caught flat-footed, where a ruleset lets them act after everybody else.
    """

    who: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    ambushed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetOrder:
    """Put the ranks as the Storyteller wants them; several ids in a rank act simultaneously."""

    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Declare:
    """Say what one will do this turn.

    ``actions`` are keys (unarmed, melee, firearm, thrown, dodge, parry, block, celerity, or any word);
    two or more divide the smallest of their pools. Each "celerity" is one extra action with a full
    pool. ``out_of_order`` is the Storyteller's leave to declare before slower ones have. ``points`` are those of
    other resources that somebody means to spend.
    """

    by: str
    text: str = ""
    actions: tuple[str, ...] = ()
    delay: bool = False
    disciplines: tuple[str, ...] = ()
    willpower: int = 0
    out_of_order: bool = False
    points: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """Move on to whoever acts next."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn, whoever has not acted."""


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait: act at any later moment of the turn. ``text`` says what for."""

    by: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class HoldOver:
    """Forfeit this turn's action, to act at any moment of the next turn."""

    by: str


@dataclass(frozen=True, slots=True)
class FreshStart:
    """Give the turn for another rank (an initiative total), which counts from the next turn on."""

    by: str
    rank: int


@dataclass(frozen=True, slots=True)
class SetInitiativeMode:
    """Roll initiative every turn of this fight, or once for all of it, whatever the chronicle does."""

    every_turn: bool


@dataclass(frozen=True, slots=True)
class CheckSurprise:
    """Roll for those who walk into an ambush, or stumble on an enemy: whoever fails is surprised."""

    who: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetCircumstances:
    """Put the circumstances that lie on somebody's rolls, or (``who`` "") on the whole scene; none lifts them."""

    who: str = ""
    circumstances: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Describe:
    """Tell those who play some combatants (``to``, ids) what they alone see and feel."""

    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Abort:
    """Give up an action not yet performed for a block, dodge or parry.

    ``pay`` is "roll" for a Willpower roll or "point" for a Willpower point.
    """

    by: str
    pay: str = "roll"


@dataclass(frozen=True, slots=True)
class FullDefence:
    """Do nothing but defend this turn."""

    by: str


# ------------------------------------------------------------------ attack


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack one or more targets, and resolve it at once.

    ``distance`` is in the ruleset's unit (metres in the classic family); ``None`` is touching for
    close attacks, and short range, out of close quarters, for others. ``strike`` names parts of the
    attacker's pools that the Storyteller strikes out. ``near`` are those who stand near the targets without being one.
    """

    by: str
    at: tuple[str, ...]
    weapon: str = BARE_HANDS
    modifiers: tuple[Modifier, ...] = ()
    distance: int | None = None
    defences: Mapping[str, Defence] = field(default_factory=dict)
    strike: frozenset[str] = frozenset()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposeAttack:
    """Announce an attack and ask its targets for their defence. ``exchange`` is a new random id."""

    exchange: str
    attack: Attack
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class AnswerAttack:
    """Answer an announced attack for one target. Rolls at once when nobody else is asked, unless by hand."""

    exchange: str
    target: str
    defence: Defence


@dataclass(frozen=True, slots=True)
class ResolveAttack:
    """Roll an announced attack whose targets have all answered, or who are held to give no defence."""

    exchange: str


@dataclass(frozen=True, slots=True)
class WithdrawAttack:
    """Take an announced attack back before it is rolled."""

    exchange: str


@dataclass(frozen=True, slots=True)
class ChooseMishap:
    """Settle what a botched attack brings. ``mishap`` "" lets chance pick; ``ally`` is who is hit, if one is."""

    resolution: str
    mishap: str = ""
    ally: str = ""


@dataclass(frozen=True, slots=True)
class ClearJam:
    """Spend an action on making a jammed weapon fire again."""

    by: str
    weapon: str


@dataclass(frozen=True, slots=True)
class Reload:
    """Spend an action on filling a weapon. ``rounds`` ``None`` fills it up."""

    by: str
    weapon: str
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class TakeAction:
    """Do one of the things that the ruleset knows besides attacks (``Ruleset.actions``), by its key.

    ``at`` and ``figures`` (such as ``distance``) are as the action needs them; ``weapon`` left out is the first that
    fits.
    """

    key: str
    by: str
    at: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    weapon: str = ""


# ------------------------------------------------------------------ rolls


@dataclass(frozen=True, slots=True)
class Resistance:
    """Who resists a roll, and with what; ``modifiers`` change this pool.

    ``difficulty`` ``None`` is the ruleset's own.
    """

    by: str
    traits: tuple[str, ...]
    difficulty: int | None = None
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class DifficultyOf:
    """A difficulty taken from an opponent's Traits."""

    of: str
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extended:
    """What makes a roll an extended one: successes are gathered over several rolls until there are ``target``.

    ``id`` is a new random one. ``rolls`` is how many there may be at the most (0: as many as it takes), ``interval``
    says in words how long each takes.
    """

    id: str
    target: int
    rolls: int = 0
    interval: str = ""


@dataclass(frozen=True, slots=True)
class RollTraits:
    """Roll a Trait, or two. ``difficulty`` ``None`` is the ruleset's own; an ``extended`` one goes on afterwards."""

    by: str
    traits: tuple[str, ...]
    difficulty: int | DifficultyOf | None = None
    modifiers: tuple[Modifier, ...] = ()
    resisted: Resistance | None = None
    strike: frozenset[str] = frozenset()
    label: str = ""
    secret: bool = False
    extended: Extended | None = None


@dataclass(frozen=True, slots=True)
class RollOn:
    """Roll once more for an extended roll that goes on, named by its id."""

    roll: str


@dataclass(frozen=True, slots=True)
class GiveUpRoll:
    """Leave an extended roll, named by its id, before it has come to anything."""

    roll: str


# ------------------------------------------------------------------ health, resources, conditions


@dataclass(frozen=True, slots=True)
class Harm:
    """Mark damage as it is said: no soak, no armour."""

    at: str
    amount: int
    type: Damage
    tags: frozenset[str] = frozenset()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Heal:
    """Heal levels of one kind (``amount``, ``type``), or let ``hours`` pass, with medical ``care`` or without.

    Where harm is kept one by one it is the ``injury`` of that place in the list, 1 the gravest: by ``amount`` levels,
    or whole.
    """

    at: str
    amount: int | None = None
    type: Damage | None = None
    hours: int | None = None
    injury: int = 1
    care: bool = False


@dataclass(frozen=True, slots=True)
class SetHealth:
    """Put the boxes, or the injuries, as the Storyteller says, in any order."""

    at: str
    marks: tuple[Damage, ...] = ()
    why: str = ""
    injuries: tuple[Injury, ...] = ()


@dataclass(frozen=True, slots=True)
class Spend:
    """Spend points; a negative ``amount`` brings points back."""

    by: str
    resource: str
    amount: int = 1
    why: str = ""


@dataclass(frozen=True, slots=True)
class ChangeConditions:
    """Add or take away conditions by key."""

    at: str
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Narrate:
    """Put the Storyteller's words above what was resolved."""

    resolution: str
    text: str


Command = (
    Join
    | Leave
    | SetVisibility
    | ReviseSheet
    | Begin
    | Pause
    | Resume
    | End
    | RollInitiative
    | SetOrder
    | Declare
    | Act
    | EndTurn
    | Delay
    | HoldOver
    | FreshStart
    | SetInitiativeMode
    | CheckSurprise
    | SetCircumstances
    | Describe
    | Abort
    | FullDefence
    | Attack
    | ProposeAttack
    | AnswerAttack
    | ResolveAttack
    | WithdrawAttack
    | ChooseMishap
    | ClearJam
    | Reload
    | TakeAction
    | RollTraits
    | RollOn
    | GiveUpRoll
    | Harm
    | Heal
    | SetHealth
    | Spend
    | ChangeConditions
    | Narrate
)
