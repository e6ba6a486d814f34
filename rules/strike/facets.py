"""An attack as it meets one target, and the facets that make it up.

A facet is one topic of an attack (what armour does, what lying flat does, where it is aimed at). It is a small frozen
dataclass that carries the ids of the rules it stands on, and answers only the questions that concern it; the
answers of all facets of a ruleset, in its order, make the plan, and what follows from it:

====================  ==========================================================================================
``miscounted``        why there cannot be so many targets, "" where there can
``wielded``           what is really struck with, where a weapon is used as something else
``closes``            whether the attacker closes the distance as a part of the attack
``by_itself``         the rule and the reason for which it hits without a roll, whatever its pool, and how well
``readied``           the strike as the topic leaves it before its targets are met: its band, the action that it takes,
                      its rounds, the attacker's own part of its pool; each goes on from what those before it left
``check``             forbid what the topic does not allow: all that ``readied`` is where nothing else is
``targets``           whom the attack meets besides those it names (a burst into a crowd)
``record``            what the attack leaves in the attacker's record of the turn
``own``               parts that a weapon has in somebody's hands, whoever is met
``start``             the part that the pool's difficulty starts from
``pool``              parts of the attack's pool
``chance``            why it is a chance roll whatever the pool, "" where it is not
``fails``             the rule and the reason for which it fails without a roll
``certain``           the rule and the reason for which it hits without a roll, as many successes as its pool has dice
``defenseless``       the rule and the reason for which Defense does not apply; the first that there is counts
``sheltered``         the rule and the reason for which Defense applies although the attack is a shot
``defense``           parts that change Defense where it applies: below zero more of it, above less
``check_answer``      forbid an answer of the target's that the topic does not allow
``answered``          what it leaves in the target's record, once for each target
``steps``             steps from successes to boxes (:mod:`rules.model.damage_steps`); each says its own stage
``flags``             what the Storyteller is told of
``together``          whether one roll counts against all whom the attack meets
``damaged``           what damage brings whoever suffered it besides their boxes, whatever did it
``after``             what follows once the boxes are marked: ``done.dealt`` is the damage after armour
``passes``            what the passing of time brings to somebody
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
    """Why something is so, with its rule."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Certain(Reason):
    """Why an attack hits without a roll, and as how many successes it counts."""

    successes: int


@dataclass(frozen=True)
class Strike:
    """An attack as it meets one of its targets: all that a facet may look at.

    ``targets`` are all whom it meets, ``band`` is how far off they are. ``modifiers`` are the circumstances that
    count: those picked, and those that distance and conditions bring. ``record`` is the attacker's turn as the attack
    leaves it, ``used`` the declared action that it takes, ``own`` the attacker's part of the pool. One that is
    ``closing`` begins with a step to the target, one that hits ``by_itself`` needs no roll. The ``game`` is as it
    stands before the attack, or for ``after`` with its boxes marked.
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
        """The fight as it stands."""
        return self.game.state

    @property
    def system(self) -> System:
        """The system that it is played by."""
        return self.game.system

    @property
    def attacker(self) -> Combatant:
        """Who attacks."""
        return self.state.combatants[self.command.by]

    @property
    def victim(self) -> Combatant:
        """Whom this strike meets."""
        return self.state.combatants[self.target]

    @cached_property
    def sheet(self) -> Sheet:
        """The attacker's sheet as they act by it."""
        return sheet_now(self.state, self.command.by)

    @cached_property
    def picked(self) -> Mapping[str, Figures]:
        """The figures of each circumstance that was picked, by its own key."""
        return picked(self.command, self.system.circumstances)

    @property
    def circumstances(self) -> frozenset[str]:
        """The own keys of all circumstances that count."""
        rule = self.system.circumstances.rule
        return frozenset(rule(each.key).key for each in self.modifiers)

    @property
    def answer(self) -> str:
        """What the target does about it: the key of a defence, "" for none or for plain Defense."""
        defence = self.command.defences.get(self.target)
        return defence.kind if defence else ""

    def at(self, game: Game) -> Strike:
        """The same strike in the game as it stands later."""
        later = replace(self, game=game)
        # What was worked out from the state before does not go along.
        later.__dict__.pop("sheet", None)
        return later

    def dots(self, trait: str) -> int:
        """The attacker's dots."""
        return self.system.layout.dots(self.sheet, trait)

    def dots_of_target(self, trait: str) -> int:
        """The target's dots."""
        return self.system.layout.dots(self.victim.sheet, trait)


def failed(pool: PoolPlan, why: Reason) -> PoolPlan:
    """A pool that comes to nothing without a roll."""
    return PoolPlan((*pool.parts, Part("outright", why.text, why.rule, dice=-pool.pool)), 0, 0, outright=True)


def picked(command: Attack, circumstances: Modifiers) -> Mapping[str, Figures]:
    """The figures of each circumstance of an attack, by its own key."""
    return {circumstances.rule(each.key).key: each.figures for each in command.modifiers}


class Facet:
    """One topic of an attack. Each question has an answer that changes nothing."""

    __slots__ = ()

    def miscounted(self, command: Attack) -> str:
        """Why there cannot be so many targets, "" where there can."""
        return ""

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        """What is really struck with, where a weapon is used as something else."""
        return weapon

    def closes(self, strike: Strike) -> bool:
        """Whether the attacker closes the distance as a part of the attack."""
        return False

    def by_itself(self, strike: Strike) -> Certain | None:
        """Why the attack hits without a roll, whatever its pool."""
        return None

    def readied(self, strike: Strike) -> Strike:
        """The strike as the topic leaves it before its targets are met; forbids what the topic does not allow."""
        self.check(strike)
        return strike

    def check(self, strike: Strike) -> None:
        """Forbid what the topic does not allow."""

    def targets(self, strike: Strike) -> tuple[str, ...]:
        """Whom the attack meets besides those that it names."""
        return ()

    def record(self, strike: Strike, record: TurnRecord) -> TurnRecord:
        """The attacker's turn with what the attack leaves in it."""
        return record

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        """Parts that a weapon has in somebody's hands, whoever is met."""
        return ()

    def start(self, weapon: Weapon) -> tuple[Part, ...]:
        """The part that the pool's difficulty starts from."""
        return ()

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        """Parts of the attack's pool."""
        return ()

    def chance(self, strike: Strike) -> str:
        """Why it is a chance roll whatever the pool, "" where it is not."""
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
        """Why Defense applies although the attack is a shot."""
        return None

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        """Parts that change Defense where it applies; ``full`` is the target's own, before any wear."""
        return ()

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        """Forbid an answer of the target's that the topic does not allow."""

    def answered(self, strike: Strike, against: Against, record: TurnRecord) -> TurnRecord:
        """The target's turn with what the attack leaves in it."""
        return record

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        """Steps from successes to boxes."""
        return ()

    def flags(self, strike: Strike, met: Sequence[Against]) -> tuple[Flag, ...]:
        """What the Storyteller is told of; ``met`` is the attack as it meets each target."""
        return ()

    def together(self, game: Game) -> bool:
        """Whether one roll counts against all whom the attack meets."""
        return False

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """What follows once the boxes are marked; ``game.state`` (and ``strike.state``) has them."""
        return ()

    def damaged(self, done: DamageDone, game: Game, picked: Collection[str]) -> tuple[Event, ...]:
        """What damage brings whoever suffered it; ``picked`` are the circumstances of the attack that did it."""
        return ()

    def passes(self, who: str, hours: int, game: Game) -> tuple[Event, ...]:
        """What so many hours bring to somebody."""
        return ()


def by_question(facets: Iterable[Facet]) -> Mapping[str, tuple[Facet, ...]]:
    """Of some facets those that have an answer of their own, by question and in their order.

    Each answers two or three of them, and an attack puts some questions several times: the others need not be asked.
    Those that only ``check`` are asked as ``readied``, in their place among the others.
    """
    listed = tuple(facets)
    questions = [(name, answer) for name, answer in vars(Facet).items() if not name.startswith("_")]
    asked = {
        name: tuple(facet for facet in listed if getattr(type(facet), name) is not nothing)
        for name, nothing in questions
    }
    ready = (*asked["readied"], *asked["check"])
    return {**asked, "readied": tuple(facet for facet in listed if any(facet is each for each in ready))}
