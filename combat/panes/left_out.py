"""What the Storyteller's “next” would leave out: it is shown beside the button, and has to be confirmed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.marks import mark
from combat.secrecy.fight import Fight
from rules.model.state import Encounter, Exchange, Step
from rules.topics.grapples.grapple import GRAPPLES
from rules.topics.grapples.holds import owes

MOST_NAMES = 2


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Who hasn't acted or declared, and what still waits: attacks, moves won in a grapple, mishaps.

    `owing`, `undeclared` and `moves` are ids of combatants, `mishaps` of resolutions. `ends`: the turn is to end.
    """

    owing: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    moves: tuple[str, ...] = ()
    mishaps: tuple[str, ...] = ()
    ends: bool = False

    def reminder(self, state: Encounter) -> str:
        """All of it in words; "" for nothing."""
        return " ".join(self._sentences(state))

    def _sentences(self, state: Encounter) -> Iterator[str]:
        if self.owing:
            yield _("Not acted yet: {names}.").format(names=_some(state, self.owing))
        if self.undeclared:
            yield _("Not declared yet: {names}.").format(names=_some(state, self.undeclared))
        if self.exchanges:
            attackers = tuple(dict.fromkeys(each.attack.by for each in self.exchanges))
            yield _("Attack still waiting: {names}.").format(names=_some(state, attackers))
            if self.ends:
                yield _("The end of the turn cancels it.")
        if self.moves:
            yield _("Move not chosen yet: {names}.").format(names=_some(state, self.moves))
        if self.mishaps:
            yield _("A mishap still has to be chosen.")

    def token(self, state: Encounter) -> str:
        """Identifies what has to be confirmed; "" for nothing.

        Those who haven't declared are only named: they lose no action.
        """
        waiting = [(each.id, each.step.value) for each in self.exchanges]
        asked = [self.owing, waiting, self.moves, self.mishaps]
        return mark(json.dumps([state.turn, len(state.visited), *asked])) if any(asked) else ""


def _some(state: Encounter, who: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    names = [state.combatants[each].sheet.name for each in who]
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    more = _("{names} and {count} more")
    return more.format(names=", ".join(names[:MOST_NAMES]), count=len(names) - MOST_NAMES)


def left_out(fight: Fight, step: str) -> LeftOut:
    """What the next step would leave out; nothing unless it moves the turn on."""
    state, turns, ends = fight.state, fight.ruleset.turns, step == "next-turn"
    if step != "act" and not ends:
        return LeftOut()
    return LeftOut(
        turns.owing(state),
        turns.undeclared(state),
        # One that was sent back waits for its player alone, until the turn's end cancels it.
        tuple(each for each in state.exchanges if ends or each.step is not Step.RETURNED),
        tuple(who for each in GRAPPLES.of(state) for who in each.members if owes(state, each, who)),
        # Play may go on before a mishap is chosen (MQ-ATK-7).
        tuple(each.resolution for each in state.mishaps) if ends else (),
        ends,
    )
