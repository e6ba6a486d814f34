"""A system is a frozen value composed of parts, each bound to it; a game is a state played by one.

A part (initiative, pools, attack, health ...) is a frozen dataclass with the few functions in which systems differ; a
system picks its parts and tells them their rules (``cites``). The interface of a part is its protocol here. System,
parts and game refer to each other, so they are in one module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from rules.engine.dice import NO_DICE, Dice, Faces, Roll
from rules.engine.inputs import Wanted
from rules.engine.messages import Command, Event, command_type, replay
from rules.engine.phrases import Phrase, phrase
from rules.engine.violations import Flag, Referee, RuleViolation, bad_input
from rules.model.actions import TakeAction
from rules.model.attack import Attack
from rules.model.choices import DefenceRule, Modifier
from rules.model.conditions import Conditions
from rules.model.experience import AWARDS, PRICES, Award, Price, parse_award, parse_price
from rules.model.foundry import Counterpart
from rules.model.gear import BARE_HANDS, Damage, Mode, Weapon
from rules.model.groups import Order
from rules.model.health import BloodHealing, Blow, Heal, HealthLevel, SetHealth
from rules.model.kinds import Kind
from rules.model.modifiers import ModifierRule, Modifiers
from rules.model.options import Option, check_options
from rules.model.outcomes import Outcomes
from rules.model.own_traits import OwnTrait, extended
from rules.model.past import Past
from rules.model.plan import Against, Part, PoolPlan
from rules.model.powers import Power, PowersInPlay, lifted
from rules.model.prepared import Prepared
from rules.model.presets import Preset, parse_preset
from rules.model.results import AttackResult, DamageDone
from rules.model.roll import RollTraits
from rules.model.sheet import Injury, Layout, Sheet
from rules.model.signs import FightSigns, Signs
from rules.model.state import Combatant, Encounter, Score, Split, Stage, TurnRecord, Visit
from rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class SystemPart:
    """A part of a system, bound to it when the system is composed: one copy for each set of house rules."""

    system: System = field(init=False, repr=False, compare=False)


# ------------------------------------------------------------------ what is asked of parts


class Mechanic(Protocol):
    """A dice family: how a pool is rolled and read, and the distribution of its results.

    ``default`` is the difficulty if none is given, within ``lowest`` and ``highest``: all equal in a family with a
    fixed difficulty. ``played`` is the family with a chronicle's settings.
    """

    @property
    def default(self) -> int: ...
    @property
    def lowest(self) -> int: ...
    @property
    def highest(self) -> int: ...
    def played(self, settings: Mapping[str, Any]) -> Mechanic: ...
    def read(self, faces: Faces, difficulty: int, *, may_botch: bool = True, spared: bool = False) -> Roll: ...
    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll: ...
    def said(self, roll: Roll, successes: int) -> Roll: ...
    def outcomes_of(self, plan: PoolPlan) -> Outcomes: ...


class Pools(Protocol):
    """Pools of Traits: what may be rolled together, and what hinders it.

    ``rerolls`` are the faces from which dice may be rolled again, the usual first; none in a family without rerolls.
    """

    @property
    def rerolls(self) -> tuple[int, ...]: ...
    def check(self, traits: Sequence[str], referee: Referee) -> None: ...
    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str) -> tuple[Part, ...]: ...
    def dice(self, sheet: Sheet, traits: Iterable[str], rule: str, pool: str = ...) -> tuple[Part, ...]: ...
    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]: ...
    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]: ...
    def mood(self, state: Encounter, who: str) -> tuple[Part, ...]: ...
    def difficulty(self, base: int, label: str, rule: str) -> Part: ...
    def of_conditions(self, conditions: frozenset[str]) -> tuple[Part, ...]: ...
    def total(
        self, parts: Iterable[Part], *, strikes: frozenset[str] = ..., least: int = ..., most: int = ...
    ) -> PoolPlan: ...
    def of_attack(
        self, parts: Iterable[Part], weapon: Weapon, *, strikes: frozenset[str] = ..., chance: str = ...
    ) -> PoolPlan: ...
    def flags(self, sheet: Sheet, plan: PoolPlan) -> tuple[Flag, ...]: ...
    def roll(self, game: Game, command: RollTraits) -> PoolPlan: ...


class Initiative(Protocol):
    """Who acts first: scores and the order that follows from them. Where none are ``rolled``, turns make the order."""

    @property
    def rolled(self) -> bool: ...
    @property
    def kept(self) -> str: ...
    @property
    def surprised_roll(self) -> bool: ...
    def each_turn(self, state: Encounter) -> bool: ...
    def notice(self, state: Encounter) -> str: ...
    def rolls(self, state: Encounter, who: str) -> bool: ...
    def due(self, state: Encounter, able: Iterable[str]) -> tuple[str, ...]: ...
    def roll_all(
        self, game: Game, rolling: Iterable[str], *, anew: bool, ambushed: frozenset[str] = ...
    ) -> tuple[dict[str, Score], Order]: ...
    def rating(self, sheet: Sheet) -> int: ...
    def shared(self, score: Score, by: Combatant, who: Combatant) -> Score: ...
    def entered(
        self, game: Game, who: str, scores: Mapping[str, Score], order: Order
    ) -> tuple[Mapping[str, Score], Order]: ...
    def next_turn(self, state: Encounter) -> dict[str, Score]: ...
    def wounded(self, before: Encounter, state: Encounter) -> dict[str, Score]: ...
    def moved(self, state: Encounter, scores: Mapping[str, Score]) -> Order: ...


class Turns(Protocol):
    """A turn: who declares, who acts next, and what each still may do."""

    @property
    def fast(self) -> str: ...
    @property
    def fuel(self) -> str: ...
    @property
    def bought(self) -> bool: ...
    @property
    def aborts(self) -> bool: ...
    @property
    def all_defence(self) -> bool: ...
    @property
    def shares(self) -> bool: ...
    @property
    def stages(self) -> tuple[Stage, ...]: ...
    @property
    def intends(self) -> tuple[str, ...]: ...
    @property
    def declares(self) -> bool: ...
    @property
    def names_delay(self) -> bool: ...
    @property
    def at_will(self) -> bool: ...
    @property
    def begins_acting(self) -> bool: ...
    def hindrance(self, state: Encounter, who: str) -> str: ...
    def loses_turn(self, state: Encounter, who: str) -> str: ...
    def idle(self, state: Encounter, who: str) -> str: ...
    def check_able(self, game: Game, who: str, traits: Iterable[str] = (), *, reflexive: bool = False) -> None: ...
    def most_fast(self, sheet: Sheet) -> int: ...
    def price(self, actions: Sequence[str]) -> int: ...
    def undeclared(self, state: Encounter) -> tuple[str, ...]: ...
    def declaring(self, state: Encounter) -> tuple[str, ...]: ...
    def at_once(self) -> bool: ...
    def too_late(self, state: Encounter, who: str) -> bool: ...
    def shared_pool(self, pools: Sequence[int], count: int, referee: Referee) -> Split | None: ...
    def opening(self, game: Game) -> tuple[Event, ...]: ...
    def owing(self, state: Encounter) -> tuple[str, ...]: ...
    def next_visit(self, state: Encounter) -> Visit | None: ...
    def next_place(self, game: Game) -> tuple[tuple[Event, ...], Visit | None]: ...
    def placed(self, game: Game, who: str) -> tuple[Event, ...]: ...
    def to_front(self, state: Encounter, who: str) -> tuple[Event, ...]: ...
    def close(self, game: Game) -> tuple[Event, ...]: ...
    def use_action(self, game: Game, who: str, key: str) -> tuple[TurnRecord, str]: ...
    def use_defence(self, game: Game, who: str, kind: str) -> tuple[TurnRecord, str]: ...
    def shared(
        self,
        parts: list[Part],
        record: TurnRecord,
        used: str,
        modifiers: tuple[Modifier, ...],
        referee: Referee,
    ) -> tuple[list[Part], TurnRecord]: ...


class Defences(Protocol):
    """The answers that a target may give to an attack."""

    @property
    def kinds(self) -> Mapping[str, DefenceRule]: ...
    @property
    def plain(self) -> str: ...
    @property
    def changes(self) -> bool: ...
    @property
    def free(self) -> frozenset[str]: ...
    def differ(self, answers: Sequence[Against]) -> bool: ...


DefaultAnswer = Callable[["Game", Attack, str], tuple[str, RuleViolation | None]]
"""The kind of defence that a target gives by default ("": none), and the violation that forbids it, if any."""


class RolledDamage(Protocol):
    """Damage that is rolled and soaked."""

    def pool(
        self, sheet: Sheet, weapon: Weapon, strikes: frozenset[str] = ..., modifiers: Iterable[Modifier] = ()
    ) -> PoolPlan: ...
    def of_hit(self, against: Against, net: int) -> PoolPlan: ...
    def type(self, weapon: Weapon, target: Sheet, modifiers: Iterable[Modifier]) -> Damage: ...
    def soak(
        self,
        target: Sheet,
        damage: Damage,
        weapon: Weapon,
        strikes: frozenset[str] = ...,
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan: ...
    def settle(self, got_through: int, damage: Damage, target: Sheet) -> int: ...
    def hit(self, game: Game, by: str, against: Against, net: int) -> DamageDone: ...
    def roll(
        self, by: str, to: str, target: Sheet, pool: PoolPlan, damage: Damage, soak: PoolPlan, dice: Dice
    ) -> DamageDone: ...


class AttackRules(Protocol):
    """An attack from plan to result.

    ``defences`` are the answers a target may give, possibly none. ``damage`` is how damage is rolled and soaked,
    ``None`` if the attack's successes are the damage. ``suffered`` is the damage type that a target takes from
    ``damage``, given its kind and the tags of the weapon. ``follows`` is the aftermath of an attack once its boxes are
    marked, and the game after it, ``damaged`` the aftermath of any damage, ``passes`` of hours passing; a ``stray`` hit
    strikes somebody other than the target.
    """

    @property
    def traits(self) -> Mapping[Mode, tuple[str, str]]: ...
    @property
    def defences(self) -> Defences: ...
    @property
    def damage(self) -> RolledDamage | None: ...
    def plan(self, game: Game, command: Attack) -> Prepared: ...
    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]: ...
    def traits_of(self, weapon: Weapon) -> tuple[str, str]: ...
    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan: ...
    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage: ...
    def follows(
        self, game: Game, command: Attack, weapon: Weapon, result: AttackResult
    ) -> tuple[tuple[Event, ...], Game]: ...
    def damaged(self, game: Game, done: DamageDone) -> tuple[Event, ...]: ...
    def passes(self, game: Game, who: str, hours: int) -> tuple[Event, ...]: ...
    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone: ...


class OneByOne(Protocol):
    """Harm kept as a list of injuries, gravest first: how pages and forms describe them.

    An injury has at most ``most_level``, and leaves a scar from level ``scarring`` on (0: never). Together they
    ``come_to`` a level. ``harm`` describes an amount of harm in words.
    """

    @property
    def most_level(self) -> int: ...
    @property
    def scarring(self) -> int: ...
    def harm(self, amount: int) -> Phrase: ...
    def severe(self, injury: Injury) -> bool: ...
    def come_to(self, sheet: Sheet) -> int: ...


class Track(Protocol):
    """How harm is kept on a sheet: as marked boxes, or as injuries (``one_by_one``).

    ``inflict`` marks harm, ``cure`` and ``put`` change it by hand, ``sound`` refuses invalid input, ``fitted`` adapts
    it to a changed body; ``told`` is the event that keeps it. ``read`` and ``written`` convert between a sheet and a
    scenario's notation; invalid input is a ValueError that says what it should be. ``follows`` are the conditions that
    harm leads to, ``brings`` those that a blow causes in addition, ``fates`` what would follow from more and more harm.
    """

    @property
    def one_by_one(self) -> OneByOne | None: ...
    def by_blood(self, sheet: Sheet) -> BloodHealing | None: ...
    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]: ...
    def inflict(self, sheet: Sheet, amount: int, damage: Damage, blow: Blow = ...) -> Sheet: ...
    def penalty(self, sheet: Sheet) -> int | None: ...
    def hindrance(self, sheet: Sheet) -> int: ...
    def level(self, sheet: Sheet) -> HealthLevel | None: ...
    def follows(self, sheet: Sheet) -> frozenset[str]: ...
    def word(self, sheet: Sheet) -> str: ...
    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]: ...
    def put(self, sheet: Sheet, command: SetHealth) -> Sheet: ...
    def sound(self, sheet: Sheet) -> Sheet: ...
    def fitted(self, sheet: Sheet) -> Sheet: ...
    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]: ...
    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event: ...
    def read(self, sheet: Sheet, harm: object) -> Sheet: ...
    def written(self, sheet: Sheet) -> object: ...
    def brings(self, hurt: Sheet, amount: int) -> frozenset[str]: ...
    def fates(self, sheet: Sheet, counts: int, damage: Damage) -> Iterator[frozenset[str]]: ...
    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]: ...
    def turn_end(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]: ...
    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]: ...


class Bleeding(Protocol):
    """What time costs those who bleed or die without medical care.

    ``untended`` gives the sheet after ``turns`` in these conditions, and how many levels that cost: one per ``every``
    turns (0: none) where the rule leaves that to the Storyteller. ``tended`` are the conditions that show, after the
    fight too, that a wound which would bleed is tended.
    """

    def untended(self, sheet: Sheet, conditions: frozenset[str], turns: int, every: int = 0) -> tuple[Sheet, int]: ...
    def tended(self, sheet: Sheet, conditions: frozenset[str]) -> frozenset[str]: ...


class Watch(Protocol):
    """A consequence of any command: an aim that is broken, a choice that is due."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """What follows from what a command has brought about; ``game.state`` is the one before it."""


Results = Callable[["Game", tuple[Event, ...]], Mapping[str, Any]]
"""(the game after a step, its events) -> results that a scenario may expect in addition to those of all systems."""


# ------------------------------------------------------------------ actions other than attacks


class Aim(StrEnum):
    """How many an action is aimed at."""

    NOBODY = "nobody"
    ANYBODY = "anybody"
    """One, or nobody."""
    ONE = "one"
    AREA = "area"
    """Those in some place: any number, or nobody."""


class Serves(StrEnum):
    """What an action is good for, as automatic play sees it (:mod:`rules.forecast`)."""

    FREEDOM = "freedom"
    """It ends what hampers its actor: getting up, breaking free, fighting on."""
    SURRENDER = "surrender"
    SHELTER = "shelter"
    """Its actor is harder to shoot from now on."""
    AIM = "aim"
    DEFENCE = "defence"
    """Its actor does nothing else but defend."""


Whom = Callable[["Game", str], Iterable[str]]
Arms = Callable[["Game", str], Iterable[Weapon]]


@dataclass(frozen=True, slots=True)
class Needs:
    """What an action needs and takes.

    ``whom`` limits its targets (ids; without it, anyone else), ``weapon`` says with which of the actor's weapons it is
    done (without it, none); ``unarmed``: or with none at all. ``arms`` are others that may be named in addition to
    those that the form lists. One that ``rolls`` rolls dice, its own or its target's: circumstances count and dice can
    be typed. It is ``instant`` if it takes an action of the turn, otherwise reflexive; one that ``spares_action`` never
    takes one, so somebody who has only lost their action can still do it. One that ``handles`` its weapon only moves it
    (draws it, picks it up), so it is offered beside the weapon. ``storytellers``: only the Storyteller can bring it
    about, even for those out of action. ``kinds`` are the creatures that can do it (empty: all), ``pool`` the
    Traits of one whose dice are shared with other actions of the turn, ``rolled`` those of the actor's roll in which a
    specialty may count. One that exists ``only_in`` a condition is not mentioned in others, one of a ``power`` only to
    those who have it, and one of a house rule only exists where that ``setting`` is on. One that ``serves`` something
    is taken in automatic play.
    """

    aim: Aim = Aim.NOBODY
    whom: Whom | None = None
    weapon: Callable[[Weapon], bool] | None = None
    unarmed: bool = False
    arms: Arms | None = None
    figures: tuple[Wanted, ...] = ()
    rolls: bool = False
    instant: bool = True
    spares_action: bool = False
    handles: bool = False
    storytellers: bool = False
    kinds: frozenset[str] = frozenset()
    pool: tuple[str, ...] = ()
    only_in: str = ""
    setting: str = ""
    rolled: tuple[str, ...] = ()
    power: Power | None = None
    serves: Serves | None = None

    def are_for(self, sheet: Sheet, layout: Layout) -> bool:
        """Whether somebody can do it at all; a chronicle's own kind counts as the kind that it is like."""
        if self.power is not None and not self.power.is_had_by(sheet, layout):
            return False
        return not self.kinds or layout.likes.get(sheet.kind, sheet.kind) in self.kinds

    @property
    def nothing(self) -> bool:
        """Whether a single button is enough: there is nothing to fill in."""
        return self.aim is Aim.NOBODY and self.weapon is None and not self.figures and not self.rolls


class ActionRule(Protocol):
    """One thing that can be done."""

    @property
    def label(self) -> str:
        """The label of its button."""

    @property
    def rule(self) -> str:
        """Its rule."""

    @property
    def needs(self) -> Needs:
        """What it asks for."""

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """What prevents it now, apart from what `why_not` checks; ``None`` if nothing does.

        ``state`` may be a reader's view, without combatants hidden from them; on the whole state the same reason
        refuses the command, so it must not name anyone who could be hidden.
        """

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        """Its events; raises :class:`rules.engine.violations.RuleViolation`.

        Everything it needs is present and fits, the actor is able to do it, and it is possible.
        :func:`rules.topics.effects.action` uses up an instant action here.
        """


class Grappling(Protocol):
    """What two who grapple would roll now, to begin or for who moves, as it can be foreseen.

    ``planned`` is both pools, ``None`` for one who is in no state to resist; ``lent`` by how many successes one is
    ahead before the dice, by the hands of others.
    """

    def planned(
        self, game: Game, by: str, at: str, weapon: str = "", modifiers: tuple[Modifier, ...] = ()
    ) -> tuple[PoolPlan, PoolPlan | None]: ...
    def lent(self, state: Encounter, by: str, at: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Barred:
    """An action that is impossible in a grapple: the rule for what replaces it, and the message."""

    rule: str
    message: str = phrase("in-grapple-use-grapple-roll-or-grapple")


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived trait: its key and label, its rule, its formula and its unit."""

    key: str
    label: str
    rule: str
    value: Callable[[System, Sheet], int]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Merit:
    """A Merit with an effect in the rules, by its key on sheets.

    One that is not ``offered`` on sheets can be typed there.
    """

    key: str
    label: str
    rule: str
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Ambushes:
    """How several combatants ambush several others: each takes the ``action`` against one of them, in turn.

    ``led``: the one with the fewest dice for ``traits`` takes it for all, against each of them.
    """

    action: str
    traits: tuple[str, ...] = ("dexterity", "stealth")
    led: bool = False


# ------------------------------------------------------------------ the system


HOLDS_PARTS = {"parts": True}
"""Marks the fields of a system whose values are parts or hold some, so that only these are bound."""


# Compared by identity, so that a system can be a cache key.
@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One system's combat rules.

    ``settings`` are the values of ``options`` (house rules), every key present. ``cites`` maps the topics that shared
    parts mention ("untrained", "wounds") to the ids of this ruleset's rules. ``presets`` are its ready-made rolls: the
    name of each, and the rest of its line (:mod:`rules.model.presets`); ``unit`` is the unit of distances. ``derived``
    are the derived traits, ``merits`` those with an effect in its rules. ``conditions`` are those it knows,
    ``actions`` what can be done but attack, ``needs`` what each of these takes, ``grappled`` what is impossible in a
    grapple and ``grappling`` what is rolled in one. ``weapons_do`` is the damage type of weapons other than firearms
    that don't state one, ``answers`` a
    target's default answer to an attack. ``watches`` handle consequences of any command, ``signs`` are chips for a
    combatant beyond their conditions, ``fight_signs`` for the fight. ``results`` are what scenarios can read beyond
    what every system offers. ``openings`` begin the narration of an attack in its tone, by outcome, with {who} and
    {whom} in braces; only if both are of the kinds ``openings_about``, if it names any. ``main_kind`` is the kind of a
    new character, "" for that with the most Traits. ``ambushes`` says how many ambush many, ``None`` where only those
    who walk into the ambush roll, or none is known. ``bleeding`` says what time without care costs, ``None`` if
    nothing. ``circumstances`` are the ``modifiers`` as forms ask for them. One point of experience is so many
    ``beats``. ``unused_weapon_columns`` and ``unused_armor_columns`` are the columns of the gear tables that its rules
    don't use. ``perception`` are the Traits of a roll to notice something. ``powers`` are the Disciplines, Gifts and
    others with effects in fights, ``in_play`` those whose house rule is on. ``foundry`` is its counterpart in Foundry
    VTT, ``None`` without one: characters then travel in Vesper's own files only.
    """

    key: str
    book: Rulebook
    layout: Layout
    kinds: Mapping[str, Kind]
    cites: Mapping[str, str]
    mechanic: Mechanic
    pools: Pools = field(metadata=HOLDS_PARTS)
    initiative: Initiative = field(metadata=HOLDS_PARTS)
    turns: Turns = field(metadata=HOLDS_PARTS)
    attack: AttackRules = field(metadata=HOLDS_PARTS)
    health: Track = field(metadata=HOLDS_PARTS)
    modifiers: Mapping[str, ModifierRule]
    answers: DefaultAnswer
    conditions: Conditions = field(default_factory=Conditions)
    actions: Mapping[str, ActionRule] = field(default_factory=dict, metadata=HOLDS_PARTS)
    grappled: Mapping[str, Barred] = field(default_factory=dict)
    grappling: Grappling | None = field(default=None, metadata=HOLDS_PARTS)
    options: tuple[Option, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[tuple[str, str], ...] = ()
    unit: str = "metres"
    derived: tuple[Derived, ...] = ()
    merits: tuple[Merit, ...] = ()
    weapons_do: Damage = Damage.BASHING
    watches: tuple[Watch, ...] = field(default=(), metadata=HOLDS_PARTS)
    fight_signs: tuple[FightSigns, ...] = ()
    signs: tuple[Signs, ...] = ()
    results: tuple[Results, ...] = ()
    openings: Mapping[str, str] = field(default_factory=dict)
    openings_about: frozenset[str] = frozenset()
    main_kind: str = ""
    unused_weapon_columns: frozenset[str] = frozenset()
    unused_armor_columns: frozenset[str] = frozenset()
    ambushes: Ambushes | None = None
    beats: int = 1
    bleeding: Bleeding | None = field(default=None, metadata=HOLDS_PARTS)
    perception: tuple[str, ...] = ("perception",)
    powers: tuple[Power, ...] = ()
    foundry: Counterpart | None = None
    in_play: PowersInPlay = field(init=False, repr=False)
    needs: Mapping[str, Needs] = field(init=False, repr=False)
    _within: Mapping[str, str] = field(init=False, repr=False)
    circumstances: Modifiers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        bound: dict[int, Any] = {}
        for each in fields(self):
            if "parts" in each.metadata:
                object.__setattr__(self, each.name, _bound(getattr(self, each.name), self, bound))
        object.__setattr__(self, "circumstances", Modifiers(self.modifiers, self.book.name, self.settings))
        object.__setattr__(self, "_within", {each.key: each.within for each in self.options if each.within})
        playing = tuple(each for each in self.powers if self.plays(each.setting))
        if self.powers:
            object.__setattr__(self, "layout", lifted(self.layout, playing))
        object.__setattr__(self, "in_play", PowersInPlay(playing, self.layout))
        # Once, because a view asks for each of them, and some put them together from their settings.
        object.__setattr__(self, "needs", {key: rule.needs for key, rule in self.actions.items()})

    @property
    def short_unit(self) -> Phrase:
        """The unit of distances as written after a number."""
        return {"metres": phrase("m"), "yards": phrase("yd"), "feet": phrase("ft")}[self.unit]

    @property
    def name(self) -> str:
        """The system's name as people say it."""
        return self.book.name

    def kind(self, key: str) -> Kind:
        """The kind of creature with this key; an unknown one is a mortal."""
        return self.kinds.get(key, self.kinds["mortal"])

    def usual_damage(self, name: str, mode: Mode) -> Damage:
        """The damage type of a weapon that doesn't state one: lethal for firearms, bashing for bare hands."""
        if name == BARE_HANDS:
            return Damage.BASHING
        return Damage.LETHAL if mode is Mode.FIREARM else self.weapons_do

    @property
    def banes(self) -> frozenset[str]:
        """Everything that does aggravated damage to some kinds and not to others."""
        return frozenset[str]().union(*(kind.banes for kind in self.kinds.values()))

    @property
    def entries(self) -> Mapping[str, str]:
        """The labels of what sheets list by name and rules look for, by key: Merits, and powers that are entries."""
        listed = {each.entry: each.label for each in self.powers if each.entry}
        return listed | {merit.key: merit.label for merit in self.merits}

    def plays(self, setting: str) -> bool:
        """Whether a house rule is on, and the one it is within; what belongs to none ("") is always played."""
        return not setting or (bool(self.settings.get(setting)) and self.plays(self._within.get(setting, "")))

    def knows(self, command: type) -> bool:
        """Whether a command is one of those that the system has a rule for."""
        return all(topic in self.cites for topic in command_type(command).topics)

    def ready_rolls(self) -> tuple[Preset, ...]:
        """The system's own ready-made rolls, then the chronicle's."""
        own = self.settings.get("own_rolls", ())
        ready = (replace(parse_preset(f"{label}: {roll}", self.layout), label=label) for label, roll in self.presets)
        return (*ready, *(parse_preset(line, self.layout) for line in own))

    def prices(self) -> tuple[Price, ...]:
        """What experience buys in this chronicle."""
        return tuple(parse_price(line, self.layout) for line in self.settings.get(PRICES, ()))

    def awards(self) -> tuple[Award, ...]:
        """What earns experience in this chronicle."""
        return tuple(parse_award(line, self.beats) for line in self.settings.get(AWARDS, ()))

    def running_distance(self, sheet: Sheet) -> int:
        """The metres that somebody runs in a turn, by the settings for it (AP-SIT-9)."""
        dexterity = self.layout.dots(sheet, "dexterity")
        return int(self.settings["running_base"] + self.settings["running_per_dot"] * dexterity)

    def with_kinds(self, own: Iterable[Kind]) -> System:
        """This system plus a chronicle's own kinds of creature, each on the sheet of one of the system's."""
        kinds = {kind.key: kind for kind in own}
        layout = replace(self.layout, likes={kind.key: kind.like for kind in kinds.values()})
        return replace(self, kinds={**self.kinds, **kinds}, layout=layout)

    def with_traits(self, own: Collection[OwnTrait]) -> System:
        """This system plus a chronicle's own Traits and sections of the sheet."""
        return replace(self, layout=extended(self.layout, own)) if own else self

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every house rule's value; :class:`rules.model.options.BadOption` where one cannot be."""
        return check_options(self.options, given, self.layout)

    def with_options(self, given: Mapping[str, Any]) -> System:
        """This system as a chronicle plays it; raises as :meth:`check_options`."""
        settings = self.check_options(given)
        return replace(
            self,
            settings=settings,
            mechanic=self.mechanic.played(settings),
            layout=self.layout.played(settings),
            conditions=self.conditions.played(settings),
        )


def _bound(value: Any, system: System, bound: dict[int, Any]) -> Any:
    """A copy of a value with every part in it bound to a system; the value itself where no part is in it.

    A part that occurs twice stays one.
    """
    if id(value) in bound:
        return bound[id(value)]
    now = value
    if isinstance(value, tuple):
        each = tuple(_bound(one, system, bound) for one in value)
        now = each if any(a is not b for a, b in zip(each, value, strict=True)) else value
    elif isinstance(value, dict):
        held = {key: _bound(one, system, bound) for key, one in value.items()}
        now = held if any(held[key] is not one for key, one in value.items()) else value
    elif is_dataclass(value) and not isinstance(value, type):
        own = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "system"}
        held = {name: _bound(one, system, bound) for name, one in own.items()}
        part = isinstance(value, SystemPart)
        if part or any(held[name] is not one for name, one in own.items()):
            now = object.__new__(type(value))
            for name, one in held.items():
                object.__setattr__(now, name, one)
            if part:
                object.__setattr__(now, "system", system)
    bound[id(value)] = now
    return now


# ------------------------------------------------------------------ the game


@dataclass(frozen=True, slots=True)
class Game:
    """What a decision has at hand, and a question too: the state that it meets, the system, the referee, the dice.

    A question that rolls nothing leaves the dice out, and one that waives no rule the referee. ``past`` is the row that
    a command looks at again.
    """

    state: Encounter
    system: System
    referee: Referee = field(default_factory=Referee)
    dice: Dice = NO_DICE
    past: Past | None = None

    def combatant(self, who: str) -> Combatant:
        """The combatant with this id; raises "input" if there is none."""
        if who not in self.state.combatants:
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
        return self.state.combatants[who]

    def able(self, who: str, traits: Iterable[str] = ()) -> Combatant:
        """The combatant of that id, who must not be out of action; ``traits`` are those of a mere roll."""
        combatant = self.combatant(who)
        self.system.turns.check_able(self, who, traits)
        return combatant

    def forbid(self, topic: str, message: str) -> None:
        """Turn the command down by the system's rule on a topic, unless that rule is waived."""
        self.referee.forbid(self.system.cites[topic], message)

    def after(self, events: Sequence[Event]) -> Game:
        """The same game with the state that the events leave."""
        return self.at(replay(self.state, events)) if events else self

    def waiving(self, rules: Iterable[str]) -> Game:
        """The same game with these rules waived, and no others."""
        return Game(self.state, self.system, Referee(rules), self.dice)

    def strict(self) -> Game:
        """The same game with nothing waived: to ask whether something is allowed."""
        return self.waiving(())

    def asking(self) -> Game:
        """The same game for a question: what it waives is not noted."""
        return self.waiving(self.referee.waives)

    def at(self, state: Encounter) -> Game:
        """The same game in another state."""
        return Game(state, self.system, self.referee, self.dice)
