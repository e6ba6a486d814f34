"""One fight that plays itself: every change is a command that the rules allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.decide import decide
from rules.engine.dice import Dice
from rules.engine.messages import Command, Event, replay
from rules.engine.violations import RuleViolation
from rules.forecast.knowledge import Memory, is_down, known
from rules.forecast.moves import Tactics
from rules.forecast.policies import Guard
from rules.forecast.setup import SIDES, Setup
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.conditions import Fallen
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Side, Stage, Status, Step
from rules.model.system import Game, Serves, System
from rules.topics.commands import (
    Abort,
    Act,
    Begin,
    CheckSurprise,
    ChooseMishap,
    EndTurn,
    Leave,
    ResolveAttack,
    Resume,
    RollInitiative,
    SetVisibility,
    TakeAction,
    WithdrawAttack,
)
from rules.topics.events import AttackResolved
from rules.topics.firefights.stance import shelter_of

INJURY = "injury"
"""What harm is counted as where injuries are kept one by one: wound levels."""

MOST_STEPS = 4
"""Commands by which somebody takes one action: draw, take cover, spend, attack."""

PACE = {"metres": 20, "yards": 20, "feet": 60}
"""How far somebody runs in a turn to get within reach."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a log: a command and its events."""

    command: Command
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """What happened to a combatant.

    ``fallen``: out of action at the end, or ``dead``, which counts as fallen too. ``left``: they fled or surrendered.
    ``lost`` are the health boxes lost by type of damage (:data:`INJURY` for wound levels), ``spent`` the points by
    resource, ``rounds`` those fired.
    """

    side: Side
    fallen: bool
    dead: bool
    left: bool
    lost: Mapping[str, int]
    spent: Mapping[str, int]
    rounds: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a fight ended: the sides with somebody on their feet (both if undecided), its turns and each one's fate."""

    number: int
    turns: int
    left_standing: frozenset[Side]
    fates: Mapping[str, Fate]


@dataclass(frozen=True, slots=True)
class Fought:
    """A fight that has been played: its rows, which follow on the setup's state, the last state, and the outcome."""

    rows: tuple[Row, ...]
    state: Encounter
    outcome: Outcome


def fight(setup: Setup, dice: Dice, number: int = 0, tactics: Tactics | None = None) -> Fought:
    """Play a fight to its end. ``setup`` must be checked (:func:`rules.forecast.setup.checked`)."""
    playing = _Playing(setup, dice, tactics or Tactics(setup.system))
    turns = playing.to_the_end()
    return Fought(tuple(playing.rows), playing.state, playing.outcome(number, turns))


@dataclass
class _Playing:
    """A fight being played."""

    setup: Setup
    dice: Dice
    tactics: Tactics
    state: Encounter = field(init=False)
    rows: list[Row] = field(default_factory=list)
    memory: Memory = field(init=False)
    gone: dict[str, Combatant] = field(default_factory=dict)
    ambushed: set[str] = field(default_factory=set)
    refusal: str = ""

    def __post_init__(self) -> None:
        self.state = self.setup.state
        sheltered = {who for who in self.state.combatants if shelter_of(self.state, who)}
        self.memory = Memory(self.setup.distance, sheltered=sheltered)

    @property
    def system(self) -> System:
        return self.setup.system

    @property
    def game(self) -> Game:
        """The game for a question."""
        return Game(self.state, self.system)

    # -------------------------------------------------------------- the course of the fight

    def to_the_end(self) -> int:
        """Play until one side is left, or there have been too many turns; the number of turns."""
        self._begin()
        turns = 0
        while turns < self.setup.most_turns and not self._over():
            turns += 1
            self._turn(rolled=turns == 1 and self.setup.rolled)
            if not self._over():
                self._plays(EndTurn())
        return turns

    def _begin(self) -> None:
        """Begin or resume the fight, and bring to an end what is under way."""
        if self.state.status is Status.DRAFT:
            self._plays(Begin())
        if self.state.status is Status.PAUSED:
            self._plays(Resume())
        for exchange in self.state.exchanges:
            settled = exchange.step is Step.APPROVED and self._plays(ResolveAttack(exchange.id))
            if not settled:
                self._plays(WithdrawAttack(exchange.id))
        self._settle_mishaps()
        if self.setup.ambushed and not self.state.ordered:
            self._ambush(self.setup.ambushed)

    def _ambush(self, side: Side) -> None:
        """Roll for surprise, and let those who have won a free attack make it."""
        others = next(each for each in SIDES if each is not side)
        caught, waiting = (
            tuple(who for who in self.setup.members(each) if self._stands(self.state.combatants[who]))
            for each in (side, others)
        )
        self._plays(CheckSurprise(caught, waiting))
        for who, each in tuple(self.state.combatants.items()):
            if each.turn.ambush is not None:
                self.ambushed.add(each.turn.ambush.target)
                self._strike_first(who, each.turn.ambush.target)

    def _strike_first(self, who: str, target: str) -> None:
        """Use a free attack, after what takes no action before it."""
        for _ in range(MOST_STEPS):
            if self._fights(who) and self.state.combatants[who].turn.ambush is not None:
                self._move(who, target)

    def _turn(self, *, rolled: bool) -> None:
        if self.state.stage is Stage.INITIATIVE:
            if not rolled:
                self._roll_initiative()
            self._declare()
        while True:
            for who in self.state.acting:
                self._act(who)
            if self._over() or not self._plays(Act()) or self.state.stage is Stage.RESOLUTION:
                return

    def _roll_initiative(self) -> None:
        part = self.system.initiative
        able = [who for who in self.state.combatants if part.rolls(self.state, who)]
        if part.due(self.state, able):
            late = self.ambushed if "ambushed_last" in self.system.cites else ()
            self._plays(RollInitiative(ambushed=tuple(sorted(late))))
            self.ambushed.clear()

    def _declare(self) -> None:
        """Everybody declares, slowest first if that is the rule; if it is optional, only those who divide a pool."""
        turns, asked = self.system.turns, set[str]()
        while True:
            waiting = turns.declaring(self.state) if turns.declares else self.setup.policies if turns.at_will else ()
            left = [who for who in waiting if who in self.state.combatants and who not in asked]
            if not left:
                return
            for who in left:
                asked.add(who)
                if self._fights(who) and not turns.idle(self.state, who):
                    seen = known(self.game, who, self.memory)
                    any(self._plays(each) for each in self.tactics.declarations(self.setup.policies[who], seen))

    def _over(self) -> bool:
        return len(self.left_standing()) < len(SIDES)

    def left_standing(self) -> frozenset[Side]:
        """The sides that have somebody on their feet."""
        return frozenset(each.side for each in self.state.combatants.values() if self._stands(each))

    def _stands(self, combatant: Combatant) -> bool:
        taking_part = combatant.side in SIDES and combatant.id not in self.memory.surrendered
        return taking_part and not self.memory.appearance(self.system, combatant).down

    def _fights(self, who: str) -> bool:
        here = self.state.combatants.get(who)
        return here is not None and here.side in SIDES and who not in self.memory.surrendered

    # -------------------------------------------------------------- one combatant's action

    def _act(self, who: str) -> None:
        """Take somebody's action, with what takes none before it; those out of reach run."""
        for _ in range(MOST_STEPS):
            if not self._fights(who) or who not in self.system.turns.owing(self.state):
                return
            if not self._move(who):
                self._run(who)
                return

    def _run(self, who: str) -> None:
        """Get nearer to opponents who are out of reach."""
        if any(foe.gap for foe in known(self.game, who, self.memory).foes):
            advanced = self.memory.advanced
            advanced[who] = advanced.get(who, 0) + PACE[self.system.unit]

    def _move(self, who: str, at: str = "") -> bool:
        """Play the first of somebody's moves that the rules allow, if ``at`` is given only against that opponent.

        Gives whether there was one.
        """
        seen = known(self.game, who, self.memory)
        if at:
            seen = replace(seen, others=tuple(each for each in seen.others if each.friend or each.id == at))
        for command in self.tactics.moves(self.setup.policies[who], seen):
            if self._moves(command, who):
                return True
            if isinstance(command, Attack) and self.refusal == self.system.cites.get("multiple_actions"):
                return False  # No action or dice left: the same goes for every other attack.
        return False

    def _moves(self, command: Command, who: str) -> bool:
        if isinstance(command, Attack):
            return self._attacks(command)
        here = self.state.combatants[who]
        if not self._plays(command):
            return False
        if isinstance(command, Leave):
            self.gone[who] = here
        if isinstance(command, TakeAction):
            self._remember(command)
        return True

    def _remember(self, command: TakeAction) -> None:
        serves, memory = self.system.needs[command.key].serves, self.memory
        if serves is Serves.SURRENDER:
            memory.surrendered.add(command.by)
        if serves is Serves.SHELTER:
            memory.sheltered.add(command.by)
        if serves is Serves.AIM:
            memory.aiming.add(command.by)
            memory.last[command.by] = command.at[0]

    def _attacks(self, attack: Attack) -> bool:
        """Make an attack, with the answer that its target's policy gives."""
        if not any(self._plays(each) for each in self._answered(attack, attack.at[0])):
            return False
        self.memory.last[attack.by] = attack.at[0]
        self.memory.aiming.discard(attack.by)
        if self.state.combatants[attack.by].hidden:
            self._plays(SetVisibility(attack.by, hidden=False))
        self._settle_mishaps()
        return True

    def _answered(self, attack: Attack, target: str) -> tuple[Attack, ...]:
        """The attack with each answer that its target would give, best first, and last with none."""
        policy, defender = self.setup.policies[target], self.state.combatants[target]
        idle = self.system.turns.idle(self.state, target)
        kinds = () if idle else self.tactics.defences(policy, defender)
        if kinds and policy.guard is Guard.ACTIONS and self.tactics.gives_up_action(defender):
            kinds = kinds if self._possible(attack) and self._plays(Abort(target)) else ()
        return (*(replace(attack, defences={target: Defence(kind)}) for kind in kinds), attack)

    def _possible(self, attack: Attack) -> bool:
        try:
            self.system.attack.plan(self.game, attack)
        except RuleViolation:
            return False
        return True

    def _settle_mishaps(self) -> None:
        for mishap in self.state.mishaps:
            self._plays(ChooseMishap(mishap.resolution))

    def _plays(self, command: Command) -> bool:
        """Play a command; whether the rules allow it."""
        try:
            events = decide(self.state, command, self.system, self.dice)
        except RuleViolation as violation:
            self.refusal = violation.rule
            return False
        self.rows.append(Row(command, events))
        self.state = replay(self.state, events)
        return True

    # -------------------------------------------------------------- the end

    def outcome(self, number: int, turns: int) -> Outcome:
        """How it ended."""
        fired = Counter[str]()
        for row in self.rows:
            for event in row.events:
                if isinstance(event, AttackResolved):
                    fired[event.plan.by] += event.plan.rounds
        began = self.setup.state.combatants.items()
        fates = {who: self._fate(each, fired[who]) for who, each in began if each.side in SIDES}
        return Outcome(number, turns, self.left_standing(), fates)

    def _fate(self, before: Combatant, rounds: int) -> Fate:
        system, who = self.system, before.id
        after = self.gone.get(who) or self.state.combatants[who]
        found = system.conditions.of(after.conditions | system.health.follows(after.sheet))
        layout = system.layout
        spent = {
            each.key: layout.points(before.sheet, each.key) - layout.points(after.sheet, each.key)
            for each in layout.resources_for(before.sheet.kind)
        }
        return Fate(
            before.side,
            is_down(system, after),
            any(each.fallen is Fallen.DEAD for each in found),
            who in self.gone or who in self.memory.surrendered,
            _lost(system, before.sheet, after.sheet),
            {key: points for key, points in spent.items() if points > 0},
            rounds,
        )


def _lost(system: System, before: Sheet, after: Sheet) -> dict[str, int]:
    """The health lost: boxes by type of damage, or wound levels."""
    injuries = system.health.one_by_one
    if injuries is not None:
        levels = injuries.come_to(after) - injuries.come_to(before)
        return {INJURY: levels} if levels > 0 else {}
    more = Counter(after.marks) - Counter(before.marks)
    return {damage.value: count for damage, count in more.items()}
