"""A round: everybody in rank order, one after another, and a pool that is split among several actions."""

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


@dataclass(frozen=True, slots=True)
class WoundTurns(TurnRules):
    """Rounds in which nobody need declare: a pool is split before one's own first action (WL-SPLIT-1, WL-STUN-1).

    Each share has ``least`` dice or more. What a split leaves unspoken for stays an open action, while it is enough
    for one.
    """

    aborts: bool = False
    declares: bool = False
    stages: tuple[Stage, ...] = (Stage.INITIATIVE, Stage.ATTACK)
    least: int = 2

    def declaring(self, state: Encounter) -> tuple[str, ...]:
        """Whose turn it is to declare: nobody's, since a split is said when one likes."""
        return ()

    def too_late(self, state: Encounter, who: str) -> bool:
        """Whether somebody has used dice of the round already."""
        record = state.combatants[who].turn
        return state.ordered and (record.acted or record.defences > 0)

    def shared_pool(self, pools: Sequence[int], count: int, referee: Referee) -> Split | None:
        """The smallest pool, to be shared among ``count`` actions with two dice for each (WL-SPLIT-1)."""
        if count < 2:
            return None
        if not pools:
            return Split()
        if min(pools) < self.least * count:
            message = phrase(
                "The smallest pool has {dice} dice: too few for {count} actions of {least} each.",
                dice=min(pools),
                count=count,
                least=self.least,
            )
            referee.forbid(self.system.cites["multiple_actions"], message)
        return Split(min(pools))

    def _next_rank(self, state: Encounter) -> Visit | None:
        """The next in the order, one by one: those whom nothing tells apart do not act at once (WL-INIT-2)."""
        seen = {who for visit in state.visited for who in visit.ids}
        for index, rank in enumerate(state.order):
            ready = [who for who in rank if who not in seen and self._free(state, who)]
            if ready:
                return Visit((ready[0],), Phase.RANK, index)
        return None

    def _next_delayed(self, state: Encounter) -> Visit | None:
        """Nobody: no rule lets anybody wait."""
        return None

    def _next_extra(self, state: Encounter) -> Visit | None:
        """Nobody: all actions of a split are taken on one's own turn, or out of turn as defences."""
        return None

    def close(self, game: Game) -> tuple[Event, ...]:
        """What the end of a round brings: where so decided, the end of what was held ready to evade with (WL-DEF-4)."""
        over = TurnRules.close(self, game)
        if not self.system.settings["evade_ends_with_turn"]:
            return over
        return (*over, *(EvasionHeld(who, 0) for who, each in game.state.combatants.items() if EVADING.of(each)))

    def use_defence(self, game: Game, who: str, kind: str) -> tuple[TurnRecord, str]:
        """As for others; a committed action leaves nothing to defend with (WL-SPLIT-3)."""
        combatant = game.state.combatants[who]
        record = combatant.turn
        if game.state.ordered and record.exposed:
            message = phrase("{name} has put all the dice of the round into one action.", name=combatant.sheet.name)
            game.referee.forbid(record.exposed, message)
            return replace(record, defences=record.defences + 1), kind
        return TurnRules.use_defence(self, game, who, kind)

    def share(
        self, record: TurnRecord, used: str, full: int, wanted: int | None, referee: Referee
    ) -> tuple[int, TurnRecord]:
        """How many dice of its ``full`` pool an action gets of a split one, and the record afterwards (WL-SPLIT-1).

        ``record`` is the one from which the action is gone already, ``wanted`` the dice that were asked for: left
        out, an even share of what is left. All of the pool where none is split.
        """
        split = record.split
        if used == self.fast or (split is None and wanted in (None, full)):
            return full, record
        smallest = full if split is None or split.dice is None else min(split.dice, full)
        left = smallest - (split.used if split else 0)
        later = sum(action != OPEN_ACTION for action in record.actions)
        dice = -(-left // (later + 1)) if wanted is None else wanted
        # Where nothing was declared, a split is one only if it leaves enough for another action.
        kept = self.least * (later if split else max(1, later))
        if dice < self.least or dice > left - kept:
            message = phrase(
                "{dice} dice are left of the split pool, and each action takes {least} at least.",
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
