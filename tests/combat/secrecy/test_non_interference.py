"""Random fights of every ruleset, each played twice, with and without hidden combatants: players see the same views.

This is the quick half, on states and views. `tests.combat.secrecy.test_twin_pages` plays through services and HTTP,
with versions counted as at a table. `VESPER_FIGHTS=200` plays that many.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from combat.log import codec
from combat.log.happened import Happened
from combat.panes.build import view_for
from combat.secrecy.fight import Fight
from combat.secrecy.sight import Sight, cast_of
from rules.decide import decide
from rules.engine.messages import Command, replay
from rules.engine.violations import RuleViolation
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems import BUILT_IN, RULESETS
from tests.combat.secrecy.twins import PLAYED, Keyed, join, newcomers, play
from tests.rules.fights import Fights

FIGHTS = int(os.environ.get("VESPER_FIGHTS", "30"))
STEPS = 30
OWNERS = {f"c-{who}": number for number, who in enumerate(PLAYED, start=1)}
AUDIENCES = ("table", "player-1", "player-2")


class Viewed:
    """One of the twins: its state, its log, and what every audience has received so far."""

    def __init__(self, ruleset: Any) -> None:
        self.ruleset, self.state = ruleset, Encounter()
        self.rows: list[Happened] = []
        self.received: dict[str, list[Any]] = {audience: [] for audience in AUDIENCES}

    def do(self, command: Command, token: str, waive: frozenset[str] = frozenset()) -> str:
        try:
            events = decide(self.state, command, self.ruleset, Keyed(token), waive)
        except RuleViolation as refused:
            return f"{refused.rule} {Sight(cast_of(self.state, self.state)['who']).clean(refused.message)}"
        after = replay(self.state, events)
        cast = cast_of(self.state, after) | {"by_player": False}
        self.rows.append(Happened(token, "command", codec.dump_command(command), events, cast, "somebody"))
        self.state = after
        fight = Fight("The chapel", "Rain.", Game(after, self.ruleset), self.rows, OWNERS)
        for audience, views in self.received.items():
            view = view_for(fight, audience)
            if not views or views[-1] != view:
                views.append(view)
        return ""


@pytest.mark.parametrize("key", sorted(point.name for point in BUILT_IN))  # others may have publicly visible points
@pytest.mark.parametrize("seed", range(max(1, FIGHTS // len(BUILT_IN))))
def test_players_receive_the_same_with_and_without_the_hidden(key: str, seed: int) -> None:
    fights = Fights(RULESETS[key])
    with_them, without = Viewed(fights.ruleset), Viewed(fights.ruleset)
    join(with_them, without, tuple(newcomers(fights, seed)))

    def compare(done: object) -> None:
        for audience in AUDIENCES:
            one, other = with_them.received[audience], without.received[audience]
            assert one[-1].panes() == other[-1].panes(), (audience, done)
            assert len(one) == len(other), (audience, done)

    play(fights, seed, with_them, without, STEPS, compare)
