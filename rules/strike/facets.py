"""A strike against one target, and the facets an attack is made of.

A facet is one topic of an attack (armour, being prone, specified targets). It is a small frozen dataclass that holds
the ids of its rules and answers only the questions relevant to it. The answers of all of a ruleset's facets, in
order, make the plan and its consequences:

====================  ==========================================================================================
``miscounted``        why the number of targets is not allowed; "" if it is
``wielded``           the weapon actually used, where a weapon is used as something else
``closes``            whether the attacker closes the distance as part of the attack
``by_itself``         rule and reason for hitting without a roll, regardless of the pool, and the successes
``readied``           the strike prepared before its targets: range band, action, rounds, the attacker's own part of
                      the pool; each facet continues from the previous one's result
``check``             forbid what the topic does not allow; for facets whose ``readied`` does nothing else
``targets``           additional targets besides those named (a burst into a crowd)
``record``            the attacker's turn record, updated by the attack
``own``               parts of a weapon's pool in somebody's hands, independent of the target
``start``             the part that holds the pool's base difficulty
``pool``              parts of the attack's pool
``lifts``             keys of the pool's parts that don't hinder this attacker
``chance``            why it is a chance roll regardless of the pool, "" where it is not
``fails``             rule and reason for failing without a roll
``certain``           rule and reason for hitting without a roll, with one success for each die in the pool
``defenseless``       rule and reason why Defense does not apply; the first one found counts
``sheltered``         rule and reason why Defense applies even to a shot
``defense``           parts that change Defense where it applies: negative ones raise it, positive ones lower it
``check_answer``      forbid a target's answer that the topic does not allow
``needs``             parts that say how many successes a hit needs, if more than one
``answered``          updates to the target's record, once per target
``steps``             steps from successes to boxes (:mod:`rules.model.damage_steps`); each names its own stage
``flags``             flags for the Storyteller
``together``          whether a single roll counts against all targets
``damaged``           consequences of damage for its victim other than boxes, regardless of the source
``after``             consequences once the damage is marked: ``done.dealt`` is the damage after armour
``passes``            effects of time passing
====================  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.violations import Flag, Referee
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.damage_steps import DamageStep
from rules.model.gear import Weapon
from rules.model.modifiers import Band, Figures, Modifiers
from rules.model.plan import Against, Part, PoolPlan
from rules.model.results import AttackResult, DamageDone
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, TurnRecord
from rules.model.system import Game, System
from rules.topics.turns.course import sheet_now

UNTOUCHED = TurnRecord()


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason with its rule."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Certain(Reason):
    """Why an attack hits without a roll, and how many successes it counts as."""

    successes: int


@dataclass(frozen=True)
class Strike:
    """An attack against one of its targets: everything a facet may look at.

    ``targets`` are all its targets, ``band`` the distance to them. ``modifiers`` are the circumstances that apply:
    those picked and those derived from distance and conditions. ``record`` is the attacker's turn after the attack,
    ``used`` the declared action it takes, ``own`` the attacker's part of the pool. ``closing`` attacks begin with a
    step to the target, ``by_itself`` ones need no roll. ``game`` is the state before the attack, or for ``after``
    with the damage marked.
    """

    game: Game
    command: Attack
    target: str
    weapon: Weapon
    band: Band = Band.CLOSE
    targets: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    record: TurnRecord = UNTOUCHED
    used: str = ""
    rounds: int = 0
    own: tuple[Part, ...] = ()
    closing: bool = False
    by_itself: Certain | None = None

    @property
    def state(self) -> Encounter:
        """The fight's current state."""
        return self.game.state

    @property
    def system(self) -> System:
        """The ruleset in play."""
        return self.game.system

    @property
    def attacker(self) -> Combatant:
        """The attacker."""
        return self.state.combatants[self.command.by]

    @property
    def victim(self) -> Combatant:
        """The target of this strike."""
        return self.state.combatants[self.target]

    @cached_property
    def sheet(self) -> Sheet:
        """The attacker's sheet as it applies to this attack."""
        return sheet_now(self.state, self.command.by)

    @cached_property
    def picked(self) -> Mapping[str, Figures]:
        """The values of each picked circumstance, by its own key."""
        return picked(self.command, self.system.circumstances)

    @property
    def circumstances(self) -> frozenset[str]:
        """The own keys of all circumstances that apply."""
        rule = self.system.circumstances.rule
        return frozenset(rule(each.key).key for each in self.modifiers)

    @property
    def answer(self) -> str:
        """The target's answer: a defence's key, "" for none or for plain Defense."""
        defence = self.command.defences.get(self.target)
        return defence.kind if defence else ""

    def at(self, game: Game) -> Strike:
        """The same strike in a later game state."""
        later = replace(self, game=game)
        # Values cached from the earlier state must not be carried over.
        later.__dict__.pop("sheet", None)
        return later

    def dots(self, trait: str) -> int:
        """The attacker's dots."""
        return self.system.layout.dots(self.sheet, trait)

    def dots_of_target(self, trait: str) -> int:
        """The target's dots."""
        return self.system.layout.dots(self.victim.sheet, trait)


def failed(pool: PoolPlan, why: Reason) -> PoolPlan:
    """A pool that fails without a roll."""
    return PoolPlan((*pool.parts, Part("outright", why.text, why.rule, dice=-pool.pool)), 0, 0, outright=True)


def picked(command: Attack, circumstances: Modifiers) -> Mapping[str, Figures]:
    """The values of each circumstance of an attack, by its own key."""
    return {circumstances.rule(each.key).key: each.figures for each in command.modifiers}


class Facet:
    """One topic of an attack. Every question defaults to an answer without effect."""

    __slots__ = ()

    def miscounted(self, command: Attack) -> str:
        """Why the number of targets is not allowed; "" if it is."""
        return ""

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        """The weapon actually used, where a weapon is used as something else."""
        return weapon

    def closes(self, strike: Strike) -> bool:
        """Whether the attacker closes the distance as part of the attack."""
        return False

    def by_itself(self, strike: Strike) -> Certain | None:
        """Why the attack hits without a roll, regardless of its pool."""
        return None

    def readied(self, strike: Strike) -> Strike:
        """The strike after this topic's preparation, before its targets; forbids what the topic does not allow."""
        self.check(strike)
        return strike

    def check(self, strike: Strike) -> None:
        """Forbid what the topic does not allow."""

    def targets(self, strike: Strike) -> tuple[str, ...]:
        """Targets in addition to those the attack names."""
        return ()

    def record(self, strike: Strike, record: TurnRecord) -> TurnRecord:
        """The attacker's turn record, updated by the attack."""
        return record

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        """Parts of a weapon's pool in somebody's hands, independent of the target."""
        return ()

    def start(self, weapon: Weapon) -> tuple[Part, ...]:
        """The part that holds the pool's base difficulty."""
        return ()

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        """Parts of the attack's pool."""
        return ()

    def lifts(self, strike: Strike) -> frozenset[str]:
        """Keys of the pool's parts that don't hinder this attacker: they are shown struck out."""
        return frozenset()

    def chance(self, strike: Strike) -> str:
        """Why it is a chance roll regardless of the pool; "" if it is not."""
        return ""

    def fails(self, strike: Strike) -> Reason | None:
        """Why the attack fails without a roll."""
        return None

    def certain(self, strike: Strike) -> Reason | None:
        """Why the attack hits without a roll."""
        return None

    def defenseless(self, strike: Strike) -> Reason | None:
        """Why the target's Defense does not apply."""
        return None

    def sheltered(self, strike: Strike) -> Reason | None:
        """Why Defense applies even to a shot."""
        return None

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        """Parts that change Defense where it applies; ``full`` is the target's own, before it is worn down."""
        return ()

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        """Forbid an answer that the topic does not allow."""

    def needs(self, strike: Strike) -> tuple[Part, ...]:
        """Parts that say how many successes a hit needs, if more than one."""
        return ()

    def answered(self, strike: Strike, against: Against, record: TurnRecord) -> TurnRecord:
        """The target's turn, updated by the attack."""
        return record

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        """Steps from successes to boxes."""
        return ()

    def flags(self, strike: Strike, met: Sequence[Against]) -> tuple[Flag, ...]:
        """Flags for the Storyteller; ``met`` is the attack against each target."""
        return ()

    def together(self, game: Game) -> bool:
        """Whether a single roll counts against all targets."""
        return False

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """Consequences once the damage is marked; ``game.state`` (and ``strike.state``) includes it."""
        return ()

    def damaged(self, done: DamageDone, game: Game, picked: Collection[str]) -> tuple[Event, ...]:
        """Consequences of damage for its victim; ``picked`` are the circumstances of the attack that caused it."""
        return ()

    def passes(self, who: str, hours: int, game: Game) -> tuple[Event, ...]:
        """Effects of that many hours passing."""
        return ()


def by_question(facets: Iterable[Facet]) -> Mapping[str, tuple[Facet, ...]]:
    """The facets that override each question, in order.

    Most facets answer only two or three questions and an attack asks some repeatedly, so the others are skipped.
    Facets that only ``check`` are run as part of ``readied``, in their place in the order.
    """
    listed = tuple(facets)
    questions = [(name, answer) for name, answer in vars(Facet).items() if not name.startswith("_")]
    asked = {
        name: tuple(facet for facet in listed if getattr(type(facet), name) is not nothing)
        for name, nothing in questions
    }
    ready = (*asked["readied"], *asked["check"])
    return {**asked, "readied": tuple(facet for facet in listed if any(facet is each for each in ready))}
