"""Turns of the storytelling family: one action each, by a roster in which waiting costs places."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose
from rules.engine.messages import Event, replay
from rules.engine.phrases import phrase
from rules.model.conditions import DYING, UNCONSCIOUS
from rules.model.gear import Damage
from rules.model.plan import Part
from rules.model.state import Encounter, Phase, Score, Stage, TurnRecord, Visit
from rules.model.system import Game
from rules.systems.storytelling.health import StorytellingHealth
from rules.systems.storytelling.initiative import StorytellingInitiative, inserted, without
from rules.systems.storytelling.pools import StorytellingPools
from rules.topics.events import Bled, BoxesMarked, CheckRolled, ConditionsChanged, RankMoved
from rules.topics.initiative.scores import Order
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import TurnRules, rank_over, waited

MINUTE = 20
"""Turns of three seconds."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A place in the turn: before or after somebody's action; an ``at`` of "" is before anybody."""

    at: str
    before: bool

    def __str__(self) -> str:
        return f"{'before' if self.before else 'after'}:{self.at}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorytellingTurns(TurnRules):
    """Turns of one action each, in two stages (WD-TURN-1, WD-DELAY-1 to WD-DELAY-3, WD-SURP-1, WD-HEALTH-3)."""

    initiative: StorytellingInitiative
    health: StorytellingHealth
    pools: StorytellingPools
    shares: bool = False
    stages: tuple[Stage, ...] = (Stage.INITIATIVE, Stage.ATTACK)
    declares: bool = False

    def use_action(self, game: Game, who: str, key: str) -> tuple[TurnRecord, str]:
        """The turn's record with its action used. Outside turns the number of actions is not limited."""
        record, name = game.state.combatants[who].turn, game.state.combatants[who].sheet.name
        if game.state.ordered and record.holding:
            game.referee.forbid(
                self.system.cites["hold_over"],
                phrase("has-given-up-this-turns-action", name=name),
            )
        elif game.state.ordered and not record.actions:
            game.referee.forbid(
                self.system.cites["multiple_actions"], phrase("has-no-action-left-this-turn", name=name)
            )
        left = record.actions[1:] if game.state.ordered else record.actions
        return replace(record, acted=True, actions=left, delaying=False, deeds=record.deeds + 1), key

    # -------------------------------------------------------------- whose turn it is

    def next_visit(self, state: Encounter) -> Visit | None:
        """The next place of the turn: down the roster, then those still waiting, in acting order."""
        return self._next_rank(state) or self._next_waiting(state)

    def _ready(self, state: Encounter, who: str, phase: Phase) -> bool:
        record = state.combatants[who].turn
        seen = any(who in visit.ids for visit in state.visited if visit.phase is phase)
        return not seen and not record.acted and bool(record.actions) and not self.idle(rank_over(state), who)

    def _next_rank(self, state: Encounter) -> Visit | None:
        for index, rank in enumerate(state.order):
            ready = tuple(
                who for who in rank if not _waits(state.combatants[who].turn) and self._ready(state, who, Phase.RANK)
            )
            if ready:
                return Visit(ready, Phase.RANK, index)
        return None

    def _waiting(self, state: Encounter) -> list[str]:
        waiting = [
            who
            for rank in state.order
            for who in rank
            if _waits(state.combatants[who].turn) and self._ready(state, who, Phase.DELAYED)
        ]
        return sorted(waiting, key=lambda who: -state.initiative[who].rating)

    def _next_waiting(self, state: Encounter) -> Visit | None:
        waiting = self._waiting(state)
        return Visit((waiting[0],), Phase.DELAYED) if waiting else None

    def next_place(self, game: Game) -> tuple[tuple[RankMoved, ...], Visit | None]:
        """Like :meth:`next_visit`, but those who waited to the end break ties as if their ranks were tied
        (WD-DELAY-2).
        """
        if visit := self._next_rank(game.state):
            return (), visit
        waiting = self._waiting(game.state)
        if not waiting:
            return (), None
        tied = {who: replace(game.state.initiative[who], total=0) for who in waiting}
        settled = self.initiative.settled(tied, waiting, game.dice)
        order: Order = ()
        for who in waiting:
            order = inserted(order, who, settled)
        ties = {
            who: replace(game.state.initiative[who], ties=settled[who].ties)
            for who in waiting
            if settled[who].ties != game.state.initiative[who].ties
        }
        first = order[0][0]
        moved = (RankMoved(first, ties, game.state.order),) if ties else ()
        return moved, Visit((first,), Phase.DELAYED)

    # -------------------------------------------------------------- ranks that change

    def placed(self, game: Game, who: str) -> tuple[RankMoved, ...]:
        """The new rank for an action out of turn (WD-DELAY-1, WD-DELAY-3).

        It is one lower than the rank of the combatant who acted last, or one higher when acting just before somebody.
        After holding over from the last turn, the rank is for this turn only. Those acting at the same moment are
        placed as if their ranks were tied (WD-DELAY-2). Acting before your own place never raises your rank.
        """
        record, score = game.state.combatants[who].turn, game.state.initiative.get(who)
        if score is None or record.acted or not waited(game.state, who):
            return ()
        moment = self._moment(game.state, who)
        if moment is None:
            return ()
        total, place = self._slot(game.state, who, moment)
        if record.delaying and not record.free:
            # Waiting never raises a rank, even if others acted out of turn.
            own = next(index for index, rank in enumerate(game.state.order) if who in rank)
            total, place = min(total, score.total), max(place, own)
        home = (score.total if score.home is None else score.home) if record.free else score.home
        scores = {**game.state.initiative, who: replace(score, total=total, home=home)}
        order = without(game.state.order, who)
        known = game.state.known_to(who)
        peers = [other for other in known if game.state.combatants[other].turn.moment == str(moment)]
        if peers:
            group = {one: replace(scores[one], total=total) for one in (*peers, who)}
            settled = self.initiative.settled(group, (who,), game.dice)
            scores |= {one: replace(scores[one], ties=settled[one].ties) for one in group}
            place = min(i for i, rank in enumerate(order) if set(rank) & set(peers))
            place += sum(_first(settled[one], settled[who]) for one in peers)
        changed = {one: each for one, each in scores.items() if each != game.state.initiative[one]}
        return (RankMoved(who, changed, (*order[:place], (who,), *order[place:]), str(moment)),)

    def to_front(self, state: Encounter, who: str) -> tuple[RankMoved, ...]:
        """The first place of this turn, one above everybody that they know; the next turn restores their own."""
        score = state.initiative.get(who)
        if score is None or state.combatants[who].turn.acted:
            return ()
        known = [state.initiative[one].total + 1 for one in state.known_to(who) if one in state.initiative]
        home = score.total if score.home is None else score.home
        first = replace(score, total=max([score.total, *known]), home=home)
        return (RankMoved(who, {who: first}, ((who,), *without(state.order, who))),)

    def _moment(self, state: Encounter, who: str) -> Moment | None:
        """The present moment of the turn for a combatant who waited for it; ``None`` if it is her own place."""
        known = state.known_to(who)
        acted = [one for visit in state.visited for one in visit.ids]
        others = [one for one in acted if one != who and one in state.initiative and one in known]
        if who in state.acting:
            own = state.visited[-1].phase is Phase.RANK
            return None if own or not others else Moment(others[-1], before=False)
        if not state.visited:
            return Moment("", before=True)
        if not others:
            return None
        present = others[-1]
        turn = state.combatants[present].turn
        before = present in state.acting and not (turn.acted or turn.holding or _waits(turn))
        return Moment(present, before=before)

    def _slot(self, state: Encounter, who: str, moment: Moment) -> tuple[int, int]:
        """The total for a moment, and its place in the order without ``who``."""
        order = without(state.order, who)
        if not moment.at:
            known = state.known_to(who)
            first = next((one for rank in order for one in rank if one in known), None)
            return (state.initiative[who].total if first is None else state.initiative[first].total + 1), 0
        place = next(i for i, rank in enumerate(order) if moment.at in rank)
        total = state.initiative[moment.at].total
        return (total + 1, place) if moment.before else (total - 1, place + 1)

    # -------------------------------------------------------------- the end of a turn

    def close(self, game: Game) -> tuple[Event, ...]:
        """End-of-turn effects: restored or new ranks, reeling, dying, surprise."""
        events: list[Event] = []
        for who in game.state.combatants:
            events.extend(self._ranked_anew(replay(game.state, events), who, game.dice))
        for who in game.state.combatants:
            events.extend(self._recovers(game.state, who))
            now = replay(game.state, events)
            events.extend(self._reels(game.at(now), who))
            events.extend(self._bleeds(now, who))
        return tuple(events)

    def _ranked_anew(self, state: Encounter, who: str, dice: Dice) -> tuple[RankMoved, ...]:
        """The rank restored after a turn of acting at any moment (WD-DELAY-3), or started by a fresh start
        (WD-INIT-3).
        """
        score = state.initiative.get(who)
        if score is None:
            return ()
        chosen = state.combatants[who].turn.rank
        total = score.home if chosen is None else chosen
        if total is None:
            return ()
        scores = {**state.initiative, who: replace(score, total=total, home=None)}
        settled = self.initiative.settled(scores, (who,), dice)
        changed = {one: each for one, each in settled.items() if each != state.initiative[one]}
        return (RankMoved(who, changed, inserted(state.order, who, settled)),)

    def _reels(self, game: Game, who: str) -> tuple[Event, ...]:
        """With bashing in the last box the living roll Stamina or fall unconscious (WD-HEALTH-3)."""
        combatant = game.state.combatants[who]
        if UNCONSCIOUS in combatant.conditions or not self.health.reels(combatant.sheet):
            return ()
        rule, stamina = self.system.cites["consciousness"], self.system.layout.dots(combatant.sheet, "stamina")
        plan = self.pools.total([Part("trait:stamina", phrase("stamina-label"), rule, dice=stamina)])
        rolled = roll_pool(Purpose.CHECK, who, plan, self.system.mechanic, game.dice)
        awake = rolled.roll.successes > 0
        told = CheckRolled(who, "consciousness", rolled, awake)
        if awake:
            return (told,)
        fallen = frozenset({UNCONSCIOUS})
        return (told, ConditionsChanged(who, combatant.conditions | fallen, fallen))

    def _bleeds(self, state: Encounter, who: str) -> tuple[Event, ...]:
        """The dying lose another box each minute (WD-HEALTH-3)."""
        combatant = state.combatants[who]
        bleeds = DYING in combatant.conditions and self.system.kind(combatant.sheet.kind).bleeds
        if not bleeds or (state.turn + 1 - combatant.dying_since) % self.system.settings.get("bleeding_turns", MINUTE):
            return ()
        before = self.health.follows(combatant.sheet)
        sheet = self.health.inflict(combatant.sheet, 1, Damage.LETHAL)
        now = (combatant.conditions - before) | self.health.follows(sheet)
        return (Bled(who, 1), BoxesMarked(who, sheet.marks, now))


def _waits(record: TurnRecord) -> bool:
    """Whether somebody may choose the moment: waiting, or held over from the last turn."""
    return record.delaying or record.free


def _first(one: Score, other: Score) -> bool:
    """Whether one of two combatants acting at the same moment goes first."""
    return (one.rating, one.ties) > (other.rating, other.ties)
