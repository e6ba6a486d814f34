"""Grapples: how they begin, and the contested roll of each turn (CD-GRP-1, CD-GRP-2, CD-GRP-12; WD-GRP-1, WD-GRP-2).

The participants are part of the encounter's state (:class:`rules.topics.grapples.grapple.Grapple`);
:mod:`rules.systems.storytelling.grapples.moves` has the winner's moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rules.engine.dice import Purpose
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import Flag, RuleViolation, bad_input
from rules.model.choices import Modifier
from rules.model.conditions import GRAPPLED
from rules.model.gear import Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Part, PoolPlan
from rules.model.pools import ATTACK
from rules.model.results import Outcome, Rolled
from rules.model.state import Combatant, Encounter
from rules.model.system import Aim, Game, Needs
from rules.strike.facets import Reason, failed
from rules.systems.storytelling.pools import StorytellingPools
from rules.topics import effects
from rules.topics.commands import TakeAction
from rules.topics.events import GrappleChanged, GrappleRolled, TurnRecordChanged
from rules.topics.grapples.grapple import HANDS, OF_OPPONENT, Grapple
from rules.topics.grapples.holds import grapple_of, let_go
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now

GRAPPLING = ("strength", "brawl")
"""The Traits of who begins a grapple, and of both in one."""

ROPES = frozenset({"rope", "chain", "whip"})
"""Tags of weapons that wrap around somebody."""


def is_rope(weapon: Weapon) -> bool:
    """Whether a weapon in hand helps in a grapple."""
    return bool(weapon.tags & ROPES) and weapon.works


def opponents(game: Game, by: str) -> tuple[str, ...]:
    """Valid opponents: the other combatant of their grapple, or anybody if they are in none."""
    grapple = grapple_of(game.state, by)
    return tuple(who for who in game.state.combatants if who != by) if grapple is None else (grapple.opponent(by),)


def nothing_fails(combatant: Combatant) -> Reason | None:
    """Nothing makes somebody's rolls fail."""
    return None


@dataclass(frozen=True, slots=True)
class Grip:
    """The contested rolls of a grapple, with the rules for starting, continuing and helping.

    ``fails`` says why all of somebody's rolls fail, if they do.
    """

    start: str
    within: str
    hands: str
    pools: StorytellingPools
    fails: Callable[[Combatant], Reason | None] = nothing_fails

    def rolled_already(self, state: Encounter, grapple: Grapple) -> RuleViolation | None:
        """Why two grapplers cannot roll now: one roll each turn, including the first."""
        if not state.ordered or grapple.turn != state.turn:
            return None
        return RuleViolation(self.within, phrase("grapple-has-already-been-rolled-this-turn"))

    def begin(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        """Start a grapple; an exceptional success wins a move immediately."""
        if not command.at:
            raise bad_input(phrase("say-whom"))
        by, (at,) = command.by, command.at
        told: tuple[Event, ...] = ()
        if grapple_of(game.state, at) is not None:
            name = game.combatant(at).sheet.name
            game.referee.forbid(self.hands, phrase("is-already-in-grapple-lend-hand-instead", name=name))
            told = let_go(game, at)
            game = game.after(told)
        used = effects.used(game, by, command.key)
        mine, theirs = self._rolled(game, by, at, *self.planned(game, by, at, command.weapon, command.modifiers))
        rolled = self._contest(game, by, at, self.start, mine, theirs)
        if rolled.margin <= 0:
            return (*told, rolled, *used)
        picks = int(rolled.outcome is Outcome.EXCEPTIONAL)
        ropes = {by: command.weapon} if self._rope(game, by, command.weapon) else {}
        margin = self._bare_margin(rolled, by)
        took = self._took(game, by)
        grapple = Grapple(by, at, game.state.turn, by if picks else "", picks, margin, ropes=ropes, took=took)
        both = frozenset({GRAPPLED})
        return (
            *told,
            rolled,
            *used,
            GrappleChanged(grapple),
            *effects.marked(game, by, both),
            *effects.marked(game, at, both),
        )

    def wrestle(self, game: Game, command: TakeAction, grapple: Grapple) -> tuple[Event, ...]:
        """Both roll for a move; it uses both combatants' actions."""
        by, at = command.by, grapple.opponent(command.by)
        game.referee.uphold(self.rolled_already(game.state, grapple))
        if command.weapon:
            grapple = replace(grapple, ropes={**grapple.ropes, by: command.weapon})
        used: tuple[Event, ...] = (
            effects.action(game, by, command.key),
            *self._spent(game, at),
            *effects.placed(game, by),
        )
        mine, theirs = self._rolled(game, by, at, *self.planned(game, by, at, command.weapon, command.modifiers))
        rolled = self._contest(game, by, at, self.within, mine, theirs, self._flags(game, by, at))
        winner = by if rolled.margin > 0 else at if rolled.margin < 0 else ""
        picks = 0
        if winner:
            picks = 2 if self._total(rolled, winner) >= game.system.settings["exceptional_from"] else 1
        margin = self._bare_margin(rolled, winner)
        took = self._took(game, by, at)
        now = replace(grapple, turn=game.state.turn, winner=winner, picks=picks, margin=margin, took=took)
        return (rolled, *used, GrappleChanged(now))

    # -------------------------------------------------------------- pools

    def planned(
        self, game: Game, by: str, at: str, weapon: str = "", modifiers: tuple[Modifier, ...] = ()
    ) -> tuple[PoolPlan, PoolPlan | None]:
        """Both pools, to start a grapple or, in one, for a move.

        ``None`` for somebody unable to resist. ``weapon`` is the one to wrap around the opponent.
        """
        resists, traits = self._resists(game, at), GRAPPLING
        grapple = grapple_of(game.state, by)
        if grapple is None:
            skill = max(("brawl", "athletics"), key=lambda key: game.system.layout.dots(game.combatant(at).sheet, key))
            mine = self.pool(game, by, traits, self._rope(game, by, weapon), modifiers)
            return mine, self.pool(game, at, ("dexterity", skill)) if resists else None
        if weapon:
            grapple = replace(grapple, ropes={**grapple.ropes, by: weapon})
        mine = self.pool(game, by, traits, self._against(game, grapple, by), modifiers, self.within)
        theirs = self._against(game, grapple, at)
        return mine, self.pool(game, at, traits, theirs, rule=self.within) if resists else None

    def lent(self, state: Encounter, by: str, at: str) -> int:
        """The successes one side starts ahead with, from helpers (CD-GRP-12)."""
        return self._lent(state, by, at) - self._lent(state, at, by)

    def _rolled(
        self, game: Game, by: str, at: str, mine: PoolPlan, theirs: PoolPlan | None
    ) -> tuple[Rolled, Rolled | None]:
        rolled = self.roll(game, by, mine)
        return rolled, None if theirs is None else self.roll(game, at, theirs, Purpose.RESIST)

    def _resists(self, game: Game, who: str) -> bool:
        return not game.system.conditions.out(game.combatant(who).conditions)

    def roll(self, game: Game, who: str, plan: PoolPlan, purpose: Purpose = Purpose.ROLL) -> Rolled:
        """Roll somebody's pool."""
        return roll_pool(purpose, who, plan, game.system.mechanic, game.dice)

    def pool(
        self,
        game: Game,
        who: str,
        traits: tuple[str, ...],
        more: Iterable[Part] = (),
        modifiers: tuple[Modifier, ...] = (),
        rule: str = "",
    ) -> PoolPlan:
        """Somebody's pool of Traits, with wounds and circumstances."""
        sheet, system = sheet_now(game.state, who), game.system
        system.circumstances.check(modifiers, Use.ROLL)
        best = system.layout.specialties(sheet, traits)
        parts = [
            *self.pools.dice(sheet, traits, rule or self.start, ATTACK if "brawl" in traits else ""),
            *more,
            *self.pools.hampering(game.state, who, traits),
            *self.pools.burdens(game.state, who, traits),
            *self.pools.around(game, who, modifiers, Circumstances(specialties=best)),
        ]
        plan = self.pools.rolled(parts, chance=self.pools.chance(game.state, who, traits))
        fails = self.fails(game.combatant(who))
        return failed(plan, fails) if fails else plan

    def resist(self, game: Game, who: str, traits: tuple[str, ...], rule: str) -> Rolled | None:
        """The opponent's roll; ``None`` for somebody unable to resist."""
        if not self._resists(game, who):
            return None
        return self.roll(game, who, self.pool(game, who, traits, rule=rule), Purpose.RESIST)

    def _rope(self, game: Game, who: str, reference: str) -> tuple[Part, ...]:
        """The bonus to Strength of a weapon wrapped around the opponent."""
        held = game.combatant(who).sheet.weapons if reference else ()
        rope = next((each for each in held if reference in (each.key, each.name) and is_rope(each)), None)
        if rope is None or not rope.damage:
            return ()
        return (Part("grapple:rope", rope.name.capitalize(), self.start, dice=rope.damage),)

    def _against(self, game: Game, grapple: Grapple, who: str) -> tuple[Part, ...]:
        """Your wrapped weapon's bonus, less the opponent's Strength and wrapped weapon."""
        other = grapple.opponent(who)
        sheet = game.combatant(other).sheet
        strength = game.system.layout.dots(sheet, "strength")
        strength += sum(part.dice for part in self._rope(game, other, grapple.ropes.get(other, "")))
        own = self._rope(game, who, grapple.ropes.get(who, ""))
        return (*own, Part(OF_OPPONENT, phrase("strength-of", name=sheet.name), self.within, dice=-strength))

    # -------------------------------------------------------------- the outcome

    def _contest(
        self,
        game: Game,
        by: str,
        at: str,
        rule: str,
        mine: Rolled,
        theirs: Rolled | None,
        flags: tuple[Flag, ...] = (),
    ) -> GrappleRolled:
        hands, against = self._lent(game.state, by, at), self._lent(game.state, at, by)
        total = mine.roll.successes + hands
        margin = total - against - (theirs.roll.successes if theirs else 0)
        outcome = Outcome.DRAMATIC_FAILURE if mine.roll.dramatic else Outcome.FAIL
        if margin > 0:
            exceptional = total >= game.system.settings["exceptional_from"]
            outcome = Outcome.EXCEPTIONAL if exceptional else Outcome.SUCCESS
        resolution = f"r{game.state.resolutions + 1}"
        return GrappleRolled(resolution, by, at, rule, outcome, mine, theirs, margin, hands, against, flags)

    def _lent(self, state: Encounter, who: str, against: str) -> int:
        """The successes of somebody's helpers (CD-GRP-12)."""
        return sum(hand.successes for hand in HANDS.of(state) if hand.against == against and hand.by != who)

    def _total(self, rolled: GrappleRolled, who: str) -> int:
        if who == rolled.by:
            return rolled.roll.roll.successes + rolled.hands
        return (rolled.resisted.roll.successes if rolled.resisted else 0) + rolled.against

    def _bare_margin(self, rolled: GrappleRolled, winner: str) -> int:
        """Somebody's margin without the successes of helpers (CD-GRP-12)."""
        if not winner:
            return 0
        lent = rolled.hands if winner == rolled.by else rolled.against
        return max(0, abs(rolled.margin) - lent)

    def _flags(self, game: Game, by: str, at: str) -> tuple[Flag, ...]:
        """Flags a roll at a time other than the higher of the two Initiatives."""
        ranked = [who for rank in game.state.order for who in rank if who in (by, at)]
        if not ranked or ranked[0] in game.state.acting:
            return ()
        name = game.combatant(ranked[0]).sheet.name
        return (Flag(self.within, phrase("grapple-is-rolled-on-s-turn", name=name)),)

    def _took(self, game: Game, *rolling: str) -> frozenset[str]:
        """Those who still had an action left for the roll."""
        return frozenset(who for who in rolling if game.combatant(who).turn.actions)

    def _spent(self, game: Game, who: str) -> tuple[Event, ...]:
        """The opponent's action of the turn, if one is left."""
        record = game.combatant(who).turn
        if not record.actions or not game.state.ordered:
            return ()
        return (TurnRecordChanged(who, replace(record, acted=True, actions=(), delaying=False)),)


@dataclass(frozen=True, slots=True)
class GrappleAction:
    """Start a grapple or, in one, roll for a move (CD-GRP-1, CD-GRP-2)."""

    grip: Grip
    setting: str = ""
    label: str = phrase("grapple")

    @property
    def needs(self) -> Needs:
        """Whom, and with what around them."""
        return Needs(
            Aim.ANYBODY, opponents, weapon=is_rope, unarmed=True, rolls=True, setting=self.setting, rolled=GRAPPLING
        )

    @property
    def rule(self) -> str:
        """The rule for starting one."""
        return self.grip.start

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """One roll each turn."""
        grapple = grapple_of(game.state, by)
        return None if grapple is None else self.grip.rolled_already(game.state, grapple)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        grapple = grapple_of(game.state, command.by)
        return self.grip.begin(game, command) if grapple is None else self.grip.wrestle(game, command, grapple)
