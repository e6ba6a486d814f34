"""Fast and slow: everybody's pick before anybody acts, and the order that follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, Event, command, decides, event, evolves
from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.engine.violations import bad_input
from rules.model.sheet import Sheet
from rules.model.signs import Sign
from rules.model.state import Encounter, Score, Stage, TurnRecord, Visit
from rules.model.system import Game
from rules.topics.events import TurnRecordChanged
from rules.topics.initiative.scores import Order, Roster
from rules.topics.turns.course import TurnRules

FAST, SLOW = "fast", "slow"
WORDS = {FAST: phrase("fast"), SLOW: phrase("slow")}

PACE = Slot(TurnRecord, "hollow.pace", str, "")
"""Somebody's pick for the turn; "" for none yet, which counts as slow."""


def is_fast(state: Encounter, who: str) -> bool:
    """Whether somebody is fast this turn."""
    return PACE.of(state.combatants[who].turn) == FAST


def signs(state: Encounter, who: str) -> Iterator[Sign]:
    """Somebody's chosen pace."""
    if pace := PACE.of(state.combatants[who].turn):
        yield Sign("pace", WORDS[pace])


@command(
    phrase("choose-a-pace"),
    topics=("pace",),
    acts_for="by",
    asked=Asked(
        (Wanted("pace", phrase("pace"), Want.CHOICE, tuple(WORDS.items()), needed=True),),
        title=phrase("fast-or-slow"),
        help=phrase("fast-characters-act-first-and-lose-two"),
        step="pace",
    ),
)
@dataclass(frozen=True, slots=True)
class PickPace(Command):
    """Be fast or slow this turn (HO-PACE-1)."""

    by: str
    pace: str


@event("turn", topics=("pace",), says=phrase("this-turn"), people=("by",))
@dataclass(frozen=True, slots=True)
class PacePicked(Event):
    """Somebody picked a pace."""

    by: str
    pace: str


@decides(PickPace)
def pick_pace(game: Game, command: PickPace) -> tuple[Event, ...]:
    """Only before anybody acts."""
    combatant = game.able(command.by)
    if game.state.stage is not Stage.INITIATIVE:
        game.forbid("pace", phrase("choose-paces-before-anyone-acts"))
    record = PACE.put(combatant.turn, command.pace)
    return (PacePicked(command.by, WORDS[command.pace]), TurnRecordChanged(command.by, record))


@event()
@dataclass(frozen=True, slots=True)
class OrderMade(Event):
    """The turn's actions begin, in this order: everybody's score is their Wits."""

    order: Order
    scores: Mapping[str, Score]


@evolves(OrderMade)
def _order_made(state: Encounter, event: OrderMade) -> Encounter:
    now = replace(state, order=event.order, initiative=event.scores)
    if state.ordered:
        return now
    # Records from before there was an order belong to no turn.
    fresh = {
        who: replace(each, turn=PACE.put(TurnRecord(), PACE.of(each.turn)), spent={})
        for who, each in state.combatants.items()
    }
    return replace(now, combatants=fresh)


@dataclass(frozen=True, slots=True)
class PacedTurns(TurnRules):
    """One action each, the fast before the slow (HO-PACE-1)."""

    aborts: bool = False
    declares: bool = False
    shares: bool = False
    stages: tuple[Stage, ...] = (Stage.INITIATIVE, Stage.ATTACK)

    @property
    def begins_acting(self) -> bool:
        """Not before everybody could pick a pace."""
        return False

    def order(self, state: Encounter) -> Order:
        """Fast before slow, players' characters before others, then by Wits, then in the order of joining."""

        def place(who: str) -> tuple[bool, bool, int]:
            combatant = state.combatants[who]
            return not is_fast(state, who), not combatant.player, -self.system.initiative.rating(combatant.sheet)

        return tuple((who,) for who in sorted(state.combatants, key=place))

    def opening(self, game: Game) -> tuple[Event, ...]:
        """The order of a turn in which nobody has acted yet."""
        if not game.state.combatants:
            raise bad_input(phrase("nobody-is-in-this-fight-yet-add"))
        if game.state.stage is not Stage.INITIATIVE:
            return ()
        people = game.state.combatants
        wits = {who: self.system.initiative.rating(each.sheet) for who, each in people.items()}
        return (OrderMade(self.order(game.state), {who: Score((), rating, rating) for who, rating in wits.items()}),)

    def next_visit(self, state: Encounter) -> Visit | None:
        """The next place of the turn: before its actions have begun, by the paces picked so far."""
        if state.stage is Stage.INITIATIVE:
            state = replace(state, order=self.order(state))
        return TurnRules.next_visit(self, state)


@dataclass(frozen=True, slots=True)
class NoInitiative(Roster):
    """Nobody rolls initiative: the turns define the order (HO-PACE-1)."""

    traits: tuple[str, ...] = ("wits",)
    rolled: bool = False

    def rolls(self, state: Encounter, who: str) -> bool:
        """Whether somebody must roll initiative: nobody."""
        return False

    def due(self, state: Encounter, able: Iterable[str]) -> tuple[str, ...]:
        """Those who must roll now: nobody."""
        return ()

    def moved(self, state: Encounter, scores: Mapping[str, Score]) -> Order:
        """The order does not change."""
        return state.order

    def rating(self, sheet: Sheet) -> int:
        """Wits."""
        return self.system.layout.dots(sheet, "wits")
