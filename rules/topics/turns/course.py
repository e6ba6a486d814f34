"""A turn: who declares, who acts next, and which actions each has left."""

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
    """Whether a combatant is acting simultaneously with others (MQ-INIT-2)."""
    return who in state.acting and who in state.rank_start


def come_to(state: Encounter, who: str) -> bool:
    """Whether the turn has reached a combatant's own place in the order, or passed it."""
    place = next((index for index, rank in enumerate(state.order) if who in rank), len(state.order))
    rest = {one for rank in state.order[place:] for one in rank}
    return any(visit.phase is not Phase.RANK or rest & set(visit.ids) for visit in state.visited)


def waited(state: Encounter, who: str) -> bool:
    """Whether a combatant who waited may act now (MQ-ORDER-1, WD-DELAY-1, WD-DELAY-3).

    Those who delay act after their own place; those who held over from the turn before, at any moment.
    """
    record = state.combatants[who].turn
    return record.free or (record.delaying and come_to(state, who))


def holds(state: Encounter, who: str) -> bool:
    """Whether a combatant holds an action of this turn that may be taken now (WD-DELAY-1, WD-DELAY-3, CD-INIT-3)."""
    record = state.combatants[who].turn
    return waited(state, who) and bool(record.actions) and not record.acted and not record.full_defence


def out_of_turn(state: Encounter, who: str) -> bool:
    """Whether it is neither a combatant's moment to act, nor one that they waited for."""
    return state.ordered and who not in state.acting and not waited(state, who)


def rank_over(state: Encounter) -> Encounter:
    """The state after the current rank has acted: from now on, what was done to them meanwhile counts."""
    return replace(state, rank_start={}) if state.rank_start else state


def sheet_now(state: Encounter, who: str) -> Sheet:
    """The sheet a combatant acts with: when acting simultaneously, as it was when their rank began (MQ-INIT-2)."""
    sheet = state.combatants[who].sheet
    return replace(sheet, marks=state.rank_start[who]) if simultaneous(state, who) else sheet


@dataclass(frozen=True, slots=True)
class TurnRules(SystemPart):
    """Turns of the classic family: declared slowest first, acted in ranks, extra actions at the end.

    ``fast`` is the key of a declared extra action, and ``fuel`` the resource that pays for it. If ``bought``, each
    costs a point; otherwise there are as many as dots, for a point a turn or, with the setting ``fast_each``, a point
    each. ``any_order``: everyone declares at once, unless the setting ``slowest_declare_first`` says otherwise. Without
    ``aborts``, any action left can become a defence. ``all_defence``: a combatant who declares only defences takes a
    turn of full defence. ``shares``: several actions in a turn divide a pool; without it, a turn has one action.
    ``stages`` are the stages that a turn is shown in, ``intends`` the points that players commit when they declare
    (AP-DECL-1). Without ``declares``, declarations are optional and nobody is waited for. With ``names_delay``, a
    delay says what it waits for (CD-INIT-3).
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
    names_delay: bool = False

    @property
    def at_will(self) -> bool:
        """Whether declaring is optional: it splits a pool, and nobody is asked to."""
        return self.shares and not self.declares

    def hindrance(self, state: Encounter, who: str) -> str:
        """The condition that keeps a combatant from acting, else "".

        Those who act simultaneously were able to when the rank began; nothing done since puts them out of action
        (MQ-INIT-2).
        """
        combatant, known = state.combatants[who], self.system.conditions
        if not simultaneous(state, who):
            out = known.out(combatant.conditions | self.system.health.follows(combatant.sheet))
            if out:
                return min(out)
        return next((each.key for each in known.of(combatant.conditions) if each.acts is Acts.WAITS), "")

    def loses_turn(self, state: Encounter, who: str) -> str:
        """The condition that costs a combatant the current turn, else "" (AP-SIT-4).

        Those who have already acted, or are on full defence, lose the next one instead; simultaneous actions stop
        nobody.
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
        """The condition in which a combatant does nothing this turn; lost turns count only with a turn order."""
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
        """Forbid any action by a combatant who is out of action (MQ-HEALTH-1).

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
                phrase("is-and-cant-act", name=name, condition=in_words(condition)),
            )

    def barred_by(self, state: Encounter, who: str, condition: str) -> str:
        """The rule that keeps a combatant in this condition from acting."""
        return self.system.conditions[condition].rule or self.system.cites["out_of_action"]

    def most_fast(self, sheet: Sheet) -> int:
        """How many extra actions a combatant may have."""
        of = self.system.layout.points if self.bought else self.system.layout.dots
        return of(sheet, self.fast)

    def price(self, actions: Sequence[str]) -> int:
        """The points that the extra actions among those declared cost (MQ-CEL-1, AP-RAGE-1)."""
        fast = actions.count(self.fast)
        each = self.bought or bool(self.system.settings.get("fast_each", False))
        return fast if each else min(fast, 1)

    @property
    def begins_acting(self) -> bool:
        """Whether a turn begins with an action, because nothing is declared or chosen before."""
        return not self.declares

    # -------------------------------------------------------------- declaring

    def undeclared(self, state: Encounter) -> tuple[str, ...]:
        """Everybody who can still declare this turn and hasn't; nobody where declarations are optional."""
        if not self.declares or not state.ordered or state.stage is not Stage.INITIATIVE:
            return ()
        ranked = {who for rank in state.order for who in rank}
        return tuple(
            who
            for who, each in state.combatants.items()
            if who in ranked
            and each.turn.declaration is None
            and not self.too_late(state, who)
            and not self.idle(state, who)
        )

    def declaring(self, state: Encounter) -> tuple[str, ...]:
        """Who declares next: slowest first (MQ-DECL-1), or all at once; several if they share a rank."""
        left = self.undeclared(state)
        if self.at_once():
            return left
        ranks = (tuple(who for who in rank if who in left) for rank in reversed(state.order))
        return next(filter(None, ranks), ())

    def at_once(self) -> bool:
        """Whether everyone declares in any order (AP-DECL-1)."""
        return self.any_order and not self.system.settings.get("slowest_declare_first", False)

    def too_late(self, state: Encounter, who: str) -> bool:
        """Whether it is too late for a combatant to declare: any action or defence already taken is final."""
        record = state.combatants[who].turn
        return state.ordered and (record.acted or record.defences > 0 or state.stage is not Stage.INITIATIVE)

    def shared_pool(self, pools: Sequence[int], count: int, referee: Referee) -> Split | None:
        """The smallest pool, to be divided among ``count`` actions with at least a die each (MQ-MULTI-1)."""
        if count < 2:
            return None
        if not pools:
            return Split()
        if min(pools) < count:
            message = phrase("smallest-pool-has-dice-too-few", dice=min(pools), count=count)
            referee.forbid(self.system.cites["multiple_actions"], message)
        return Split(min(pools))

    # -------------------------------------------------------------- acting

    def opening(self, game: Game) -> tuple[Event, ...]:
        """The events before anyone acts. Raises "input" if there is no turn order yet."""
        if not game.state.ordered:
            raise bad_input(phrase("roll-initiative-first"))
        return ()

    def next_visit(self, state: Encounter) -> Visit | None:
        """The next place in the turn, ``None`` when nobody is left to act (MQ-ORDER-1, MQ-ORDER-3)."""
        return self._next_rank(state) or self._next_delayed(state) or self._next_extra(state)

    def next_place(self, game: Game) -> tuple[tuple[RankMoved, ...], Visit | None]:
        """As :meth:`next_visit`, with the events of any dice that decide it."""
        return (), self.next_visit(game.state)

    def to_front(self, state: Encounter, who: str) -> tuple[RankMoved, ...]:
        """The first place of this turn for somebody, where ranks move: not here."""
        return ()

    def placed(self, game: Game, who: str) -> tuple[RankMoved, ...]:
        """The new rank after an action out of turn order: none here, since every rank lasts for one turn only."""
        return ()

    def close(self, game: Game) -> tuple[Event, ...]:
        """The events that the end of a turn causes by itself."""
        return tuple(event for who in game.state.combatants for event in self._recovers(game.state, who))

    def _recovers(self, state: Encounter, who: str) -> tuple[Event, ...]:
        """End conditions that last for one turn, such as surprise (WD-SURP-1)."""
        conditions = state.combatants[who].conditions
        over = frozenset(each.key for each in self.system.conditions.of(conditions) if each.one_turn)
        return (ConditionsChanged(who, conditions - over, removed=over),) if over else ()

    def owing(self, state: Encounter) -> tuple[str, ...]:
        """Those who act now and have yet to take this moment's action: what the next place of the turn leaves out.

        Defences are taken when needed, so those with nothing else left owe none; nor do those who wait.
        """
        visit = state.visited[-1] if state.visited else None
        if visit is None:
            return ()
        return tuple(who for who in state.acting if self._free(state, who) and self._owes(state, who, visit))

    def _owes(self, state: Encounter, who: str, visit: Visit) -> bool:
        """Whether somebody free to act owes the action of this place in the turn."""
        record = state.combatants[who].turn
        if DEFENSIVE.issuperset(record.actions) or (record.delaying and visit.phase is Phase.RANK):
            return False
        if visit.phase is not Phase.EXTRA:
            return not record.acted
        return len(record.actions) >= further_actions(state.combatants[who], self.fast) - visit.index

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
        """The turn's record with one action used, and the declared action that it was.

        Without ranks, combatants act as often as they like. Forbidden if no action is left (MQ-MULTI-1), or on full
        defence (MQ-DEF-4).
        """
        record = game.state.combatants[who].turn
        if record.full_defence and game.state.ordered:
            name = game.state.combatants[who].sheet.name
            game.referee.forbid(self.system.cites["full_defence"], phrase("can-only-defend-this-turn", name=name))
        used = pick(record.actions, key, lambda action: action not in DEFENSIVE, self.fast)
        if used is None:
            if game.state.ordered:
                name = game.state.combatants[who].sheet.name
                game.referee.forbid(
                    self.system.cites["multiple_actions"], phrase("has-no-action-left-this-turn", name=name)
                )
            return replace(record, acted=True), key
        return replace(record, acted=True, actions=without(record.actions, used), delaying=False), used

    def use_defence(self, game: Game, who: str, kind: str) -> tuple[TurnRecord, str]:
        """The turn's record with one more defence, and the declared action that it used.

        A defence needs an action left (MQ-ORDER-2) that is not committed to something else (MQ-ABORT-1); on full
        defence it needs none (MQ-DEF-4).
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
                message = phrase("declared-something-else-abort-it-first", name=name)
                game.referee.forbid(self.system.cites["abort"], message)
            else:
                message = phrase("has-no-action-left-to-defend-with", name=name)
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
        """The dice that an action loses by sharing its pool with others of the turn (MQ-MULTI-1)."""
        figures = self.system.circumstances.figures_of(modifiers, "split")
        wanted = None if figures is None else number(figures, "dice", least=0, most=100)
        full = max(0, sum(part.dice for part in parts))
        if wanted is not None and wanted > full:
            message = phrase("this-actions-own-pool-is-only-dice", full=full)
            referee.forbid(self.system.cites["multiple_actions"], message)
        dice, record = self.share(record, used, full, wanted, referee)
        if dice == full:
            return [], record
        rule = self.system.cites["multiple_actions"]
        return [Part("split", phrase("shared-with-other-actions"), rule, dice=dice - full)], record

    def share(
        self, record: TurnRecord, used: str, full: int, wanted: int | None, referee: Referee
    ) -> tuple[int, TurnRecord]:
        """How many of its ``full`` dice an action gets from a shared pool, and the record afterwards.

        ``record`` no longer includes the action; ``wanted`` is the number of dice requested, by default an even share
        of those left. An action that shares no pool gets all its dice (MQ-MULTI-1).
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
            message = phrase("shared-pool-has-dice-left-and-each", dice=max(left, 0))
            referee.forbid(self.system.cites["multiple_actions"], message)
        dice = max(dice, 0)
        return dice, replace(record, split=replace(split, used=split.used + dice))


def _foremost(state: Encounter, who: Sequence[str], standing: Callable[[Score], tuple[int, ...]]) -> tuple[str, ...]:
    """Those of ``who`` with the highest score; several if they tie."""
    scores = {one: standing(state.initiative[one]) for one in who}
    return tuple(one for one in state.combatants if one in who and scores[one] == max(scores.values()))
