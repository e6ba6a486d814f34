"""Who has hold of whom: queries about current grapples, and how one ends."""

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
    """The grapple that a combatant is in, else ``None``."""
    return next((each for each in GRAPPLES.of(state) if who in each.members), None)


def barred(game: Game, who: str, key: str) -> RuleViolation | None:
    """Why a combatant in a grapple can't do something else (CD-GRP-2); ``None`` if they can."""
    found = game.system.grappled.get(key)
    if found is None or grapple_of(game.state, who) is None:
        return None
    return RuleViolation(found.rule, found.message)


def owes(state: Encounter, grapple: Grapple | None, who: str) -> bool:
    """Whether a combatant has won a move and not made it yet; it lapses with the turn."""
    return grapple is not None and grapple.winner == who and grapple.picks > 0 and grapple.turn == state.turn


def shield_of(state: Encounter, who: str) -> str:
    """Whose body a combatant in a grapple uses as a shield (CD-GRP-10), else ""."""
    grapple = grapple_of(state, who)
    return grapple.opponent(who) if grapple and grapple.covered == who else ""


def let_go(game: Game, who: str) -> tuple[Event, ...]:
    """End a combatant's grapple, and every condition caused by the other's grip alone."""
    grapple = grapple_of(game.state, who)
    if grapple is None:
        return ()
    told: list[Event] = [GrappleEnded(grapple.one, grapple.other)]
    for one in grapple.members:
        locked = {IMMOBILIZED} if grapple.locked == one else set[str]()
        told += effects.marked(game, one, frozenset(), frozenset({GRAPPLED, HELD} | locked))
    return tuple(told)
