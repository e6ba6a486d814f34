"""A turn: who declares, who acts next, and what each still may do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.choices import Modifier
from rules.model.conditions import Acts
from rules.model.modifiers import number
from rules.model.plan import Part
from rules.model.sheet import Sheet
from rules.model.state import OPEN_ACTION, Encounter, Phase, Score, Split, Stage, TurnRecord, Visit
from rules.model.system import Game, SystemPart
from rules.model.words import in_words
from rules.topics.events import ConditionsChanged, RankMoved
from rules.topics.turns.record import DEFENSIVE, SPEED, further_actions, moved, pick, without


def simultaneous(state: Encounter, who: str) -> bool:
    """Whether somebody's turn it is together with others (MQ-INIT-2)."""
    return who in state.acting and who in state.rank_start


def come_to(state: Encounter, who: str) -> bool:
    """Whether the turn has come to somebody's own place in the order, or past it."""
    place = next((index for index, rank in enumerate(state.order) if who in rank), len(state.order))
    rest = {one for rank in state.order[place:] for one in rank}
    return any(visit.phase is not Phase.RANK or rest & set(visit.ids) for visit in state.visited)


def waited(state: Encounter, who: str) -> bool:
    """Whether the present moment is one that somebody may have waited for (MQ-ORDER-1, WD-DELAY-1, WD-DELAY-3).

    Who delays acts after their own place has come, who held over from the turn before whenever they like.
    """
    record = state.combatants[who].turn
    return record.free or (record.delaying and come_to(state, who))


def rank_over(state: Encounter) -> Encounter:
    """The state once those whose turn it is have acted: from here on what was done to them meanwhile counts."""
    return replace(state, rank_start={}) if state.rank_start else state


def sheet_now(state: Encounter, who: str) -> Sheet:
    """The sheet somebody acts by: of those who act simultaneously, as it was when their rank began (MQ-INIT-2)."""
    sheet = state.combatants[who].sheet
    return replace(sheet, marks=state.rank_start[who]) if simultaneous(state, who) else sheet


@dataclass(frozen=True, slots=True)
class TurnRules(SystemPart):
    """Turns of the classic family: declared backwards, acted in ranks, further actions at the end.

    ``fast`` is the declared action that comes on top of the others, and ``fuel`` the resource that pays for it: where
    it is ``bought`` a point for each, else there are as many as dots, for a point a turn, or with the setting
    ``fast_each`` a point for each. ``any_order``: all declare at once, unless the setting
    ``slowest_declare_first`` says otherwise. Without ``aborts`` any action left may become a defence.
    ``all_defence``: whoever declares nothing but defences takes a turn of defence. ``shares`` says that several
    actions of one turn divide a pool; without it a turn has one action. ``stages`` are those that a turn is told in,
    ``intends`` the points that somebody says they mean to spend when they declare (AP-DECL-1). Where nobody
    ``declares`` it need not be said what anybody means to do, and nobody is waited for.
    """

    fast: str = SPEED
    fuel: str = ""
    bought: bool = False
    any_order: bool = False
    aborts: bool = True
    all_defence: bool = False
    shares: bool = True
    stages: tuple[Stage, ...] = tuple(Stage)
    intends: tuple[str, ...] = ()
    declares: bool = True

    @property
    def at_will(self) -> bool:
        """Whether to declare is an offer: it splits a pool, and nobody is asked to."""
        return self.shares and not self.declares

    def hindrance(self, state: Encounter, who: str) -> str:
        """The condition in which somebody cannot act, "" where there is none.

        Who acts simultaneously was able to when the rank began, and nothing that is done since puts them out of action
        (MQ-INIT-2).
        """
        combatant, known = state.combatants[who], self.system.conditions
        if not simultaneous(state, who):
            out = known.out(combatant.conditions | self.system.health.follows(combatant.sheet))
            if out:
                return min(out)
        return next((each.key for each in known.of(combatant.conditions) if each.acts is Acts.WAITS), "")

    def loses_turn(self, state: Encounter, who: str) -> str:
        """The condition to which somebody loses the present turn, "" where there is none (AP-SIT-4).

        Who has acted already, or defends all turn, loses the next; what is done simultaneously stops nobody.
        """
        combatant = state.combatants[who]
        record = combatant.turn
        if record.acted or record.full_defence or not record.actions:
            return ""
        if simultaneous(state, who):
            return ""
        found = self.system.conditions.of(combatant.conditions)
        return next((each.key for each in found if each.acts is Acts.LOSES_TURN), "")

    def idle(self, state: Encounter, who: str) -> str:
        """The condition in which somebody does nothing this turn; a lost turn counts only where there are turns."""
        lost = self.loses_turn(state, who) if state.ordered else ""
        return self.hindrance(state, who) or lost

    def check_able(
        self,
        game: Game,
        who: str,
        traits: Iterable[str] = (),
        *,
        reflexive: bool = False,
    ) -> None:
        """Forbid any act of somebody who is out of action (MQ-HEALTH-1).

        ``traits`` are those of a mere roll; what is ``reflexive`` takes no action of the turn.
        """
        condition = self.idle(game.state, who)
        if not condition:
            return
        found = self.system.conditions[condition]
        if not (reflexive and found.reflexes) and found.aware.isdisjoint(traits):
            name = game.state.combatants[who].sheet.name
            game.referee.forbid(
                self.barred_by(game.state, who, condition),
                phrase("{name} is {condition} and cannot act.", name=name, condition=in_words(condition)),
            )

    def barred_by(self, state: Encounter, who: str, condition: str) -> str:
        """The rule by which somebody does not act in a condition."""
        return self.system.conditions[condition].rule or self.system.cites["out_of_action"]

    def most_fast(self, sheet: Sheet) -> int:
        """How many actions somebody may have on top of the others."""
        of = self.system.layout.points if self.bought else self.system.layout.dots
        return of(sheet, self.fast)

    def price(self, actions: Sequence[str]) -> int:
        """How many points the actions on top of the others cost among those declared (MQ-CEL-1, AP-RAGE-1)."""
        fast = actions.count(self.fast)
        each = self.bought or bool(self.system.settings.get("fast_each", False))
        return fast if each else min(fast, 1)

    # -------------------------------------------------------------- declaring

    def declaring(self, state: Encounter) -> tuple[str, ...]:
        """Whose turn it is to declare: slowest first (MQ-DECL-1), or all at once; several where they share a rank."""
        if not state.ordered or state.stage is not Stage.INITIATIVE:
            return ()
        ranks = tuple(reversed(state.order))
        if self.at_once():
            ranked = {who for rank in ranks for who in rank}
            ranks = (tuple(who for who in state.combatants if who in ranked),)
        for rank in ranks:
            waiting = tuple(
                who
                for who in rank
                if state.combatants[who].turn.declaration is None
                and not self.too_late(state, who)
                and not self.idle(state, who)
            )
            if waiting:
                return waiting
        return ()

    def at_once(self) -> bool:
        """Whether all declare in any order (AP-DECL-1)."""
        return self.any_order and not self.system.settings.get("slowest_declare_first", False)

    def too_late(self, state: Encounter, who: str) -> bool:
        """Whether the time to declare is over for somebody: what was done, a defence too, is not given back."""
        record = state.combatants[who].turn
        return state.ordered and (record.acted or record.defences > 0 or state.stage is not Stage.INITIATIVE)

    def shared_pool(self, pools: Sequence[int], count: int, referee: Referee) -> Split | None:
        """The smallest pool, to be shared among ``count`` actions with a die for each (MQ-MULTI-1)."""
        if count < 2:
            return None
        if not pools:
            return Split()
        if min(pools) < count:
            message = phrase(
                "The smallest pool has {dice} dice: too few for {count} actions.", dice=min(pools), count=count
            )
            referee.forbid(self.system.cites["multiple_actions"], message)
        return Split(min(pools))

    # -------------------------------------------------------------- acting

    def opening(self, game: Game) -> tuple[Event, ...]:
        """What comes before the first acts; raises "input" where there is no order yet."""
        if not game.state.ordered:
            raise bad_input(phrase("Roll initiative first."))
        return ()

    def next_visit(self, state: Encounter) -> Visit | None:
        """The next place of the turn, ``None`` when nobody is left (MQ-ORDER-1, MQ-ORDER-3)."""
        return self._next_rank(state) or self._next_delayed(state) or self._next_extra(state)

    def next_place(self, game: Game) -> tuple[tuple[RankMoved, ...], Visit | None]:
        """As :meth:`next_visit`, with what dice settle on the way there."""
        return (), self.next_visit(game.state)

    def placed(self, game: Game, who: str) -> tuple[RankMoved, ...]:
        """The rank that an action out of its place is slotted in at: here every rank is for one turn only."""
        return ()

    def close(self, game: Game) -> tuple[Event, ...]:
        """What the end of a turn brings of itself."""
        return tuple(event for who in game.state.combatants for event in self._recovers(game.state, who))

    def _recovers(self, state: Encounter, who: str) -> tuple[Event, ...]:
        """What lasts for one turn, such as surprise (WD-SURP-1), is over."""
        conditions = state.combatants[who].conditions
        over = frozenset(each.key for each in self.system.conditions.of(conditions) if each.one_turn)
        return (ConditionsChanged(who, conditions - over, removed=over),) if over else ()

    def _free(self, state: Encounter, who: str) -> bool:
        record = state.combatants[who].turn
        return bool(record.actions) and not record.full_defence and not self.idle(rank_over(state), who)

    def _next_rank(self, state: Encounter) -> Visit | None:
        seen = {who for visit in state.visited if visit.phase is Phase.RANK for who in visit.ids}
        for index, rank in enumerate(state.order):
            ready = tuple(
                who
                for who in rank
                if who not in seen and not moved(state.combatants[who].turn) and self._free(state, who)
            )
            if ready:
                return Visit(ready, Phase.RANK, index)
        return None

    def _next_delayed(self, state: Encounter) -> Visit | None:
        seen = {who for visit in state.visited if visit.phase is Phase.DELAYED for who in visit.ids}
        waiting = [
            who
            for rank in state.order
            for who in rank
            if who not in seen
            and state.combatants[who].turn.delaying
            and not state.combatants[who].turn.acted
            and self._free(state, who)
        ]
        if not waiting:
            return None
        return Visit(_foremost(state, waiting, lambda score: (score.total, score.rating)), Phase.DELAYED)

    def _next_extra(self, state: Encounter) -> Visit | None:
        members = [who for rank in state.order for who in rank]
        rounds = max((further_actions(state.combatants[who], self.fast) for who in members), default=0)
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
                and further_actions(state.combatants[who], self.fast) > index
                and not DEFENSIVE.issuperset(state.combatants[who].turn.actions)
                and self._free(state, who)
            ]
            if ready:
                return Visit(_foremost(state, ready, lambda score: (score.rating,)), Phase.EXTRA, index)
        return None

    # -------------------------------------------------------------- using actions up

    def use_action(self, game: Game, who: str, key: str) -> tuple[TurnRecord, str]:
        """The turn's record with one action gone, and the declared action that it was.

        Without ranks anybody acts as often as they like. Forbids it where no action is left (MQ-MULTI-1), or the
        turn is given to defence (MQ-DEF-4).
        """
        record = game.state.combatants[who].turn
        if record.full_defence and game.state.ordered:
            name = game.state.combatants[who].sheet.name
            game.referee.forbid(
                self.system.cites["full_defence"], phrase("{name} does nothing but defend this turn.", name=name)
            )
        used = pick(record.actions, key, lambda action: action not in DEFENSIVE, self.fast)
        if used is None:
            if game.state.ordered:
                name = game.state.combatants[who].sheet.name
                game.referee.forbid(
                    self.system.cites["multiple_actions"], phrase("{name} has no action left this turn.", name=name)
                )
            return replace(record, acted=True), key
        return replace(record, acted=True, actions=without(record.actions, used), delaying=False), used

    def use_defence(self, game: Game, who: str, kind: str) -> tuple[TurnRecord, str]:
        """The turn's record with one defence counted, and the declared action that it was.

        A defence needs an action left (MQ-ORDER-2) that is not promised to something else (MQ-ABORT-1);
        a turn of nothing but defence needs none (MQ-DEF-4).
        """
        record = game.state.combatants[who].turn
        counted = replace(record, defences=record.defences + 1)
        if record.full_defence:
            return counted, kind
        used = pick(record.actions, kind, lambda action: action in DEFENSIVE, self.fast)
        if used is None and not self.aborts:
            used = next(iter(record.actions), None)
        if used is not None:
            return replace(counted, actions=without(record.actions, used)), used
        if game.state.ordered:
            name = game.state.combatants[who].sheet.name
            if record.actions:
                message = phrase("{name} has declared something else: abort it first.", name=name)
                game.referee.forbid(self.system.cites["abort"], message)
            else:
                message = phrase("{name} has no action left to defend with.", name=name)
                game.referee.forbid(self.system.cites["defence_out_of_order"], message)
        return counted, kind

    def shared(
        self,
        parts: list[Part],
        record: TurnRecord,
        used: str,
        modifiers: tuple[Modifier, ...],
        referee: Referee,
    ) -> tuple[list[Part], TurnRecord]:
        """What sharing the pool with other actions of the turn takes from it (MQ-MULTI-1)."""
        figures = self.system.circumstances.figures_of(modifiers, "split")
        wanted = None if figures is None else number(figures, "dice", least=0, most=100)
        full = max(0, sum(part.dice for part in parts))
        if wanted is not None and wanted > full:
            message = phrase("This action’s own pool has no more than {full} dice.", full=full)
            referee.forbid(self.system.cites["multiple_actions"], message)
        dice, record = self.share(record, used, full, wanted, referee)
        if dice == full:
            return [], record
        rule = self.system.cites["multiple_actions"]
        return [Part("split", phrase("Shared with other actions"), rule, dice=dice - full)], record

    def share(
        self, record: TurnRecord, used: str, full: int, wanted: int | None, referee: Referee
    ) -> tuple[int, TurnRecord]:
        """How many dice of its ``full`` pool an action gets of a shared pool, and the record afterwards.

        ``record`` is the one from which the action is gone already, ``wanted`` the dice that were asked
        for: left out, an even share of what is left. All of the pool where none is shared (MQ-MULTI-1).
        """
        split = record.split
        if used == self.fast or (split is None and wanted is None):
            return full, record
        smallest = full if split is None or split.dice is None else min(split.dice, full)
        split = Split(smallest, split.used if split else 0)
        left = smallest - split.used
        later = sum(action not in (self.fast, OPEN_ACTION) for action in record.actions)
        dice = -(-left // (later + 1)) if wanted is None else wanted
        if dice < 1 or dice > left - later:
            message = phrase(
                "The shared pool has {dice} dice left, and each action needs at least one.", dice=max(left, 0)
            )
            referee.forbid(self.system.cites["multiple_actions"], message)
        dice = max(dice, 0)
        return dice, replace(record, split=replace(split, used=split.used + dice))


def _foremost(state: Encounter, who: Sequence[str], standing: Callable[[Score], tuple[int, ...]]) -> tuple[str, ...]:
    """Those of ``who`` whose score stands highest: several where they stand equal."""
    scores = {one: standing(state.initiative[one]) for one in who}
    return tuple(one for one in state.combatants if one in who and scores[one] == max(scores.values()))
