"""Rounds: everybody in rank order, with a pool split among several actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.state import OPEN_ACTION, Encounter, Phase, Split, Stage, TurnRecord, Visit
from rules.model.system import Game
from rules.systems.wound_levels.held_ready import EVADING
from rules.topics.events import EvasionHeld
from rules.topics.turns.course import TurnRules
from rules.topics.turns.record import DEFENSIVE


@dataclass(frozen=True, slots=True)
class WoundTurns(TurnRules):
    """Rounds without declarations: you split a pool before your first action (WL-SPLIT-1, WL-STUN-1).

    Each share has at least ``least`` dice. Undeclared dice of a split remain an open action while there are enough
    for one.
    """

    aborts: bool = False
    declares: bool = False
    stages: tuple[Stage, ...] = (Stage.INITIATIVE, Stage.ATTACK)
    least: int = 2

    def too_late(self, state: Encounter, who: str) -> bool:
        """Whether somebody has already used dice this round."""
        record = state.combatants[who].turn
        return state.ordered and (record.acted or record.defences > 0)

    def shared_pool(self, pools: Sequence[int], count: int, referee: Referee) -> Split | None:
        """The smallest pool, to be split among ``count`` actions with at least two dice each (WL-SPLIT-1)."""
        if count < 2:
            return None
        if not pools:
            return Split()
        if min(pools) < self.least * count:
            message = phrase(
                "smallest-pool-has-dice-too-few-for-actions",
                dice=min(pools),
                count=count,
                least=self.least,
            )
            referee.forbid(self.system.cites["multiple_actions"], message)
        return Split(min(pools))

    def _next_rank(self, state: Encounter) -> Visit | None:
        """The next in the order, one by one: complete ties do not act simultaneously (WL-INIT-2)."""
        seen = {who for visit in state.visited for who in visit.ids}
        for index, rank in enumerate(state.order):
            ready = [who for who in rank if who not in seen and self._free(state, who)]
            if ready:
                return Visit((ready[0],), Phase.RANK, index)
        return None

    def _next_delayed(self, state: Encounter) -> Visit | None:
        """Nobody: there is no waiting."""
        return None

    def _next_extra(self, state: Encounter) -> Visit | None:
        """Nobody: all actions of a split are taken on your own turn, or out of turn as defences."""
        return None

    def _owes(self, state: Encounter, who: str, visit: Visit) -> bool:
        """As in other turns; and what was declared of a split can only be taken now, unless it is a defence."""
        split = set(state.combatants[who].turn.actions) - DEFENSIVE - {OPEN_ACTION}
        return bool(split) or TurnRules._owes(self, state, who, visit)

    def close(self, game: Game) -> tuple[Event, ...]:
        """End-of-round effects: if the chronicle plays so, held evasion ends (WL-DEF-4)."""
        over = TurnRules.close(self, game)
        if not self.system.settings["evade_ends_with_turn"]:
            return over
        return (*over, *(EvasionHeld(who, 0) for who, each in game.state.combatants.items() if EVADING.of(each)))

    def use_defence(self, game: Game, who: str, kind: str) -> tuple[TurnRecord, str]:
        """As in other turns; but a committed action leaves no dice to defend with (WL-SPLIT-3)."""
        combatant = game.state.combatants[who]
        record = combatant.turn
        if game.state.ordered and record.exposed:
            message = phrase("has-committed-all-of-rounds-dice", name=combatant.sheet.name)
            game.referee.forbid(record.exposed, message)
            return replace(record, defences=record.defences + 1), kind
        return TurnRules.use_defence(self, game, who, kind)

    def share(
        self, record: TurnRecord, used: str, full: int, wanted: int | None, referee: Referee
    ) -> tuple[int, TurnRecord]:
        """The dice an action gets from its ``full`` pool when split, and the record afterwards (WL-SPLIT-1).

        ``record`` is the one with the action already deducted; ``wanted`` is the dice requested, by default an even
        share of the rest. Without a split it is the full pool.
        """
        split = record.split
        if used == self.fast or (split is None and wanted in (None, full)):
            return full, record
        smallest = full if split is None or split.dice is None else min(split.dice, full)
        left = smallest - (split.used if split else 0)
        later = sum(action != OPEN_ACTION for action in record.actions)
        dice = -(-left // (later + 1)) if wanted is None else wanted
        # Without a declaration, it is a split only if enough dice are left for another action.
        kept = self.least * (later if split else max(1, later))
        if dice < self.least or dice > left - kept:
            message = phrase(
                "split-pool-has-dice-left-each-action",
                dice=max(left, 0),
                least=self.least,
            )
            referee.forbid(self.system.cites["multiple_actions"], message)
        dice = max(dice, 0)
        record = replace(record, split=Split(smallest, smallest - left + dice))
        unspoken = split is None or used == OPEN_ACTION
        if unspoken and not later and left - dice >= self.least:
            record = replace(record, actions=(OPEN_ACTION,))
        return dice, record
