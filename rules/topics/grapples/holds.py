"""Who has hold of whom: what everything else asks of the grapples that go on, and how one ends."""

from __future__ import annotations

from rules.engine.messages import Event
from rules.engine.violations import RuleViolation
from rules.model.conditions import GRAPPLED, HELD, IMMOBILIZED
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics import effects
from rules.topics.events import GrappleEnded
from rules.topics.grapples.grapple import GRAPPLES, Grapple


def grapple_of(state: Encounter, who: str) -> Grapple | None:
    """The grapple that somebody is in; ``None`` where they are in none."""
    return next((each for each in GRAPPLES.of(state) if who in each.members), None)


def barred(game: Game, who: str, key: str) -> RuleViolation | None:
    """Why somebody in a grapple does something else no more (CD-GRP-2); ``None`` where they may."""
    found = game.system.grappled.get(key)
    if found is None or grapple_of(game.state, who) is None:
        return None
    return RuleViolation(found.rule, found.message)


def owes(state: Encounter, grapple: Grapple | None, who: str) -> bool:
    """Whether somebody has won a move that they have not made yet; it lapses with the turn."""
    return grapple is not None and grapple.winner == who and grapple.picks > 0 and grapple.turn == state.turn


def shield_of(state: Encounter, who: str) -> str:
    """Whose body somebody in a grapple covers themselves with (CD-GRP-10), "" where there is nobody's."""
    grapple = grapple_of(state, who)
    return grapple.opponent(who) if grapple and grapple.covered == who else ""


def let_go(game: Game, who: str) -> tuple[Event, ...]:
    """The grapple that somebody is in ends, and with it what nothing but the other's grip brought about."""
    grapple = grapple_of(game.state, who)
    if grapple is None:
        return ()
    told: list[Event] = [GrappleEnded(grapple.one, grapple.other)]
    for one in grapple.members:
        locked = {IMMOBILIZED} if grapple.locked == one else set[str]()
        told += effects.marked(game, one, frozenset(), frozenset({GRAPPLED, HELD} | locked))
    return tuple(told)
