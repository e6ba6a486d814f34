"""A turn: who declares, who acts next, and what each still may do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rules.encounter import OPEN_ACTION, Combatant, Encounter, Phase, Split, Stage, TurnRecord, Visit
from rules.health import OUT_OF_ACTION
from rules.sheet import Sheet
from rules.violations import Referee

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

FULL_DEFENCE = "full_defence"
"""A declared turn of nothing but defence."""

DEFENSIVE = frozenset({"dodge", "parry", "block", "defence"})
"""Declared actions that happen when they are needed."""

SPEED = "celerity"
"""A declared action that comes on top of the others, with a full pool."""


def sheet_now(state: Encounter, who: str) -> Sheet:
    """The sheet somebody acts by: of those who act simultaneously, as it was when their rank began (MQ-INIT-2)."""
    sheet = state.combatants[who].sheet
    if who in state.acting and who in state.rank_start:
        return replace(sheet, marks=state.rank_start[who])
    return sheet


@dataclass(frozen=True, slots=True)
class TurnRules:
    """Turns of the classic family: declared backwards, acted in ranks, further actions at the end."""

    def hindrance(self, state: Encounter, who: str, ruleset: Ruleset) -> str:
        """The condition in which somebody cannot act, "" where there is none."""
        combatant = state.combatants[who]
        sheet = sheet_now(state, who)
        follows = ruleset.health.follows(combatant.sheet, ruleset)
        conditions = (combatant.conditions - follows) | ruleset.health.follows(sheet, ruleset)
        return next(iter(sorted(conditions & OUT_OF_ACTION)), "")

    def check_able(self, state: Encounter, who: str, ruleset: Ruleset, referee: Referee) -> None:
        """Forbid any act of somebody who is out of action (MQ-HEALTH-1)."""
        condition = self.hindrance(state, who, ruleset)
        if condition:
            name = state.combatants[who].sheet.name
            referee.forbid(ruleset.cites["out_of_action"], f"{name} is {_in_words(condition)} and cannot act.")

    # -------------------------------------------------------------- declaring

    def declaring(self, state: Encounter, ruleset: Ruleset) -> tuple[str, ...]:
        """Whose turn it is to declare: slowest first (MQ-DECL-1); several where they share a rank."""
        if not state.ordered or state.stage is not Stage.INITIATIVE:
            return ()
        for rank in reversed(state.order):
            waiting = tuple(
                who
                for who in rank
                if state.combatants[who].turn.declaration is None and not self.hindrance(state, who, ruleset)
            )
            if waiting:
                return waiting
        return ()

    def shared_pool(self, pools: Sequence[int], count: int, ruleset: Ruleset, referee: Referee) -> Split | None:
        """The smallest pool, to be shared among ``count`` actions with a die for each (MQ-MULTI-1)."""
        if count < 2:
            return None
        if not pools:
            return Split()
        if min(pools) < count:
            message = f"The smallest pool has {min(pools)} dice: too few for {count} actions."
            referee.forbid(ruleset.cites["multiple_actions"], message)
        return Split(min(pools))

    # -------------------------------------------------------------- acting

    def next_visit(self, state: Encounter, ruleset: Ruleset) -> Visit | None:
        """The next place of the turn, ``None`` when nobody is left (MQ-ORDER-1, MQ-ORDER-3)."""
        return self._next_rank(state, ruleset) or self._next_delayed(state, ruleset) or self._next_extra(state, ruleset)

    def _free(self, state: Encounter, who: str, ruleset: Ruleset) -> bool:
        record = state.combatants[who].turn
        return bool(record.actions) and not record.full_defence and not self.hindrance(state, who, ruleset)

    def _next_rank(self, state: Encounter, ruleset: Ruleset) -> Visit | None:
        seen = {who for visit in state.visited if visit.phase is Phase.RANK for who in visit.ids}
        for index, rank in enumerate(state.order):
            ready = tuple(
                who
                for who in rank
                if who not in seen and not _moved(state.combatants[who].turn) and self._free(state, who, ruleset)
            )
            if ready:
                return Visit(ready, Phase.RANK, index)
        return None

    def _next_delayed(self, state: Encounter, ruleset: Ruleset) -> Visit | None:
        seen = {who for visit in state.visited if visit.phase is Phase.DELAYED for who in visit.ids}
        waiting = [
            who
            for rank in state.order
            for who in rank
            if who not in seen
            and state.combatants[who].turn.delaying
            and not state.combatants[who].turn.acted
            and self._free(state, who, ruleset)
        ]
        return Visit(self._first(state, waiting), Phase.DELAYED) if waiting else None

    def _next_extra(self, state: Encounter, ruleset: Ruleset) -> Visit | None:
        members = [who for rank in state.order for who in rank]
        rounds = max((_further_actions(state.combatants[who]) for who in members), default=0)
        for index in range(rounds):
            seen = {
                who
                for visit in state.visited
                if visit.phase is Phase.EXTRA and visit.index == index
                for who in visit.ids
            }
            ready = [
                who
                for who in members
                if who not in seen
                and _further_actions(state.combatants[who]) > index
                and not DEFENSIVE.issuperset(state.combatants[who].turn.actions)
                and self._free(state, who, ruleset)
            ]
            if ready:
                return Visit(self._first_by_rating(state, ready), Phase.EXTRA, index)
        return None

    def _first(self, state: Encounter, who: Iterable[str]) -> tuple[str, ...]:
        def standing(name: str) -> tuple[int, int]:
            return -state.initiative[name].total, -state.initiative[name].rating

        return tuple(next(groupby(sorted(who, key=standing), standing))[1])

    def _first_by_rating(self, state: Encounter, who: Iterable[str]) -> tuple[str, ...]:
        def standing(name: str) -> int:
            return -state.initiative[name].rating

        return tuple(next(groupby(sorted(who, key=standing), standing))[1])

    # -------------------------------------------------------------- using actions up

    def use_action(
        self, state: Encounter, who: str, key: str, ruleset: Ruleset, referee: Referee
    ) -> tuple[TurnRecord, str]:
        """The turn's record with one action gone, and the declared action that it was.

        Without ranks anybody acts as often as they like. Forbids it where no action is left (MQ-MULTI-1), or the
        turn is given to defence (MQ-DEF-4).
        """
        record = state.combatants[who].turn
        if record.full_defence and state.ordered:
            name = state.combatants[who].sheet.name
            referee.forbid(ruleset.cites["full_defence"], f"{name} does nothing but defend this turn.")
        used = _pick(record.actions, key, lambda action: action not in DEFENSIVE)
        if used is None:
            if state.ordered:
                name = state.combatants[who].sheet.name
                referee.forbid(ruleset.cites["multiple_actions"], f"{name} has no action left this turn.")
            return replace(record, acted=True), key
        return replace(record, acted=True, actions=_without(record.actions, used), delaying=False), used

    def use_defence(
        self, state: Encounter, who: str, kind: str, ruleset: Ruleset, referee: Referee
    ) -> tuple[TurnRecord, str]:
        """The turn's record with one defence counted, and the declared action that it was.

        A defence needs an action left (MQ-ORDER-2) that is not promised to something else (MQ-ABORT-1);
        a turn of nothing but defence needs none (MQ-DEF-4).
        """
        record = state.combatants[who].turn
        counted = replace(record, defences=record.defences + 1)
        if record.full_defence:
            return counted, kind
        used = _pick(record.actions, kind, lambda action: action in DEFENSIVE)
        if used is not None:
            return replace(counted, actions=_without(record.actions, used)), used
        if state.ordered:
            name = state.combatants[who].sheet.name
            if record.actions:
                message = f"{name} has declared something else: abort it first."
                referee.forbid(ruleset.cites["abort"], message)
            else:
                message = f"{name} has no action left to defend with."
                referee.forbid(ruleset.cites["defence_out_of_order"], message)
        return counted, kind

    def share(
        self, record: TurnRecord, used: str, full: int, wanted: int | None, ruleset: Ruleset, referee: Referee
    ) -> tuple[int, TurnRecord]:
        """How many dice of its ``full`` pool an action gets of a shared pool, and the record afterwards.

        ``record`` is the one from which the action is gone already, ``wanted`` the dice that were asked
        for: left out, an even share of what is left. All of the pool where none is shared (MQ-MULTI-1).
        """
        split = record.split
        if used == SPEED or (split is None and wanted is None):
            return full, record
        smallest = full if split is None or split.dice is None else min(split.dice, full)
        split = Split(smallest, split.used if split else 0)
        left = smallest - split.used
        later = sum(action not in (SPEED, OPEN_ACTION) for action in record.actions)
        dice = -(-left // (later + 1)) if wanted is None else wanted
        if dice < 1 or dice > left - later:
            message = f"The shared pool has {max(left, 0)} dice left, and each action needs at least one."
            referee.forbid(ruleset.cites["multiple_actions"], message)
        dice = max(dice, 0)
        return dice, replace(record, split=replace(split, used=split.used + dice))


def _moved(record: TurnRecord) -> bool:
    """Whether somebody's own rank is not, or not any more, where they take their first action."""
    return record.delaying or record.acted


def _further_actions(combatant: Combatant) -> int:
    declared = combatant.turn.declaration.actions if combatant.turn.declaration else ()
    fast = declared.count(SPEED)
    return max(1, len(declared) - fast) + fast - 1


def _in_words(condition: str) -> str:
    return "in torpor" if condition == "torpor" else condition.replace("_", " ")


def _pick(actions: Sequence[str], key: str, fits: Callable[[str], bool]) -> str | None:
    if key in actions:
        return key
    fitting = [action for action in actions if fits(action) and action not in (SPEED, OPEN_ACTION)]
    if fitting:
        return fitting[0]
    return next((action for action in (OPEN_ACTION, SPEED) if action in actions), None)


def _without(actions: Sequence[str], used: str) -> tuple[str, ...]:
    kept = list(actions)
    kept.remove(used)
    return tuple(kept)
