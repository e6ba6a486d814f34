"""Random fights of every ruleset: what is kept of a view is as if built from nothing, and pieces bring a page to it.

`VESPER_FIGHTS=200` plays that many.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string

from bench.harness.panes import Panes, bring, panes_in, plain
from combat.log import codec
from combat.log.happened import Happened
from combat.panes import View
from combat.panes.build import view_for
from combat.panes.figures import Sheet
from combat.panes.pieces import PARTS, differing, part_of
from combat.secrecy.fight import Fight
from combat.secrecy.sight import cast_of
from rules.decide import decide
from rules.engine.messages import Command, replay
from rules.engine.violations import RuleViolation
from rules.model.conditions import INCAPACITATED, PRONE, SURPRISED
from rules.model.gear import Damage
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems import RULESETS
from rules.topics import commands
from tests.combat.secrecy.twins import FIRST, PLAYED, Keyed, newcomers
from tests.rules.fights import Fights

FIGHTS = int(os.environ.get("VESPER_FIGHTS", "6"))
STEPS = 30
OWNERS = {f"c-{who}": number for number, who in enumerate(PLAYED, start=1)}
AUDIENCES = ("storyteller", "table", "player-1", "player-2")


class Followed:
    """A fight whose views are built from what was kept of the last ones, and its pages, which get only pieces."""

    def __init__(self, ruleset: Any, name: str) -> None:
        self.ruleset, self.state, self.name = ruleset, Encounter(), name
        self.rows: list[Happened] = []
        self.views: dict[str, View] = {}
        self.pages: dict[str, Panes] = {audience: {} for audience in AUDIENCES}
        self.sent = {"whole": 0, "pieces": 0}

    def do(self, command: Command, token: str, waive: frozenset[str] = frozenset()) -> bool:
        try:
            events = decide(self.state, command, self.ruleset, Keyed(f"{self.name} {token}"), waive)
        except RuleViolation:
            return False
        after = replay(self.state, events)
        cast = cast_of(self.state, after) | {"by_player": False}
        told, before = codec.dump_command(command), self.rows[-1].seal if self.rows else ""
        seal = f"{self.name} {token}"
        self.rows.append(Happened(token, "command", told, events, cast, "somebody", seal=seal, before=before))
        self.state = after
        return True

    def look(self, version: int) -> None:
        """Compare everybody's view with one built from nothing, and bring everybody's page to it."""
        fight = Fight("The chapel", "Rain.", Game(self.state, self.ruleset), self.rows, OWNERS, id=self.name)
        fight = replace(fight, head=self.rows[-1].seal)
        for audience in AUDIENCES:
            kept, fresh = view_for(fight, audience), view_for(replace(fight, id=""), audience)
            for name, pane in fresh.panes().items():
                assert kept.panes()[name] == pane, (audience, name)
            self._bring(audience, kept, version)

    def _bring(self, audience: str, view: View, version: int) -> None:
        page, last = self.pages[audience], self.views.get(audience)
        for name, pane in view.panes().items():
            before = last.panes()[name] if last else None
            if before == pane:
                continue
            ids = None if last is None else differing(before, pane)
            self.sent["whole" if ids is None else "pieces"] += 1
            whole = drawn(f"_{name}", name, pane, view, version)
            since = page[f"pane-{name}"][0] if ids is not None else 0
            bring(
                page,
                whole
                if ids is None
                else drawn(f"pieces/_{name}", name, pane, view, version, ids=ids, pane_since=since),
            )
            assert plain(page[f"pane-{name}"][1]) == plain(dict(panes_in(whole))[f"pane-{name}"][1]), (name, ids)
        self.views[audience] = view


def drawn(template: str, name: str, pane: object, view: View, version: int, **more: Any) -> str:
    """A pane or its pieces as they are in a frame."""
    about = {"name": name, "pane": pane, "view": view, "audience": view.audience, "encounter_id": "fight", "oob": True}
    return render_to_string(f"combat/panes/{template}.html", {**about, "pane_version": version, **more})


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_panes_are_as_if_built_from_nothing_and_pieces_lead_to_them(key: str) -> None:
    sent = {"whole": 0, "pieces": 0}
    for seed in range(max(1, FIGHTS // len(RULESETS))):
        fights = Fights(RULESETS[key])
        fight = Followed(fights.ruleset, f"{key} {seed}")
        fight.do(commands.Join(tuple(newcomers(fights, seed))), "join")
        for step in range(-len(FIRST), STEPS):
            random = Random(f"{key} {seed} {step}")
            waive = random.choice([frozenset[str](), frozenset(fights.ruleset.book.rules)])
            choose = random.choice([fights.sensible, fights.at_close_quarters, hurt])
            command = FIRST[step] if step < 0 else choose(random, fight.state, fights.ruleset)
            if not isinstance(command, commands.OverrideAttack) and fight.do(command, f"t{step}", waive):
                fight.look(step + 10)
        sent = {how: many + fight.sent[how] for how, many in sent.items()}
    assert min(sent.values()) > 20, sent


def hurt(random: Random, state: Encounter, _ruleset: Any) -> Command:
    """Harm for somebody, which is what changes least; sometimes a lot, or a condition that harm may also bring."""
    who = random.choice(list(state.combatants))
    changed = frozenset({random.choice([INCAPACITATED, PRONE, SURPRISED])})
    match random.randrange(8):
        case 0:
            return commands.ChangeConditions(who, add=changed)
        case 1:
            return commands.ChangeConditions(who, remove=changed)
        case 2:
            return commands.SetHealth(who, ())
        case chosen:
            return commands.Harm(who, 9 if chosen == 3 else 1, random.choice([Damage.BASHING, Damage.LETHAL]))


def test_the_parts_of_a_sheet_have_all_of_it() -> None:
    """Except `actions`, `now` and others that only whole sheets show."""
    used = frozenset[str]().union(*PARTS.values())
    assert used <= set(Sheet.__dataclass_fields__)
    fights = Fights(RULESETS["masquerade"])
    fight = Followed(fights.ruleset, "parts")
    fight.do(commands.Join(tuple(newcomers(fights, 1))), "join")
    fight.do(commands.Begin(), "begin")
    fight.look(1)
    (sheet,) = fight.views["player-1"].me.sheets  # type: ignore[union-attr]
    for part, names in PARTS.items():
        for name in used - names:
            assert not getattr(part_of(sheet, part), name) or name == "health", (part, name)


def test_a_bar_follows_boxes_that_no_condition_tells_of() -> None:
    """Boxes can put somebody out of action, or explain a condition, while their conditions stay as they are."""
    fights = Fights(RULESETS["masquerade"])
    fight = Followed(fights.ruleset, "boxes")
    for step, command in enumerate((commands.Join(tuple(newcomers(fights, 1))), *FIRST)):
        assert fight.do(command, f"first{step}")
        fight.look(step + 1)
    who = next(who for who, each in fight.state.combatants.items() if each.player)
    full = (Damage.BASHING,) * fight.ruleset.health.size(fight.state.combatants[who].sheet)
    seen = []
    for step, command in enumerate(
        (
            commands.SetHealth(who, full),
            commands.ChangeConditions(who, remove=frozenset({INCAPACITATED})),
            commands.SetHealth(who, ()),
            commands.ChangeConditions(who, add=frozenset({INCAPACITATED})),
            commands.SetHealth(who, full),
            commands.SetHealth(who, full[1:]),
        ),
        start=4,
    ):
        before = fight.state.combatants[who].conditions
        assert fight.do(command, f"t{step}"), command
        fight.look(step)
        same = fight.state.combatants[who].conditions == before
        bars: Any = [fight.views[audience].panes()["bar"] for audience in ("storyteller", "table")]
        seen.append((same, fight.state.combatants[who].sheet.name in bars[1].declaring, bars[0].stays))
    # Whether the conditions stayed the same, whether somebody declares, and whether the end would ask what stays.
    assert seen[1:3] == [(False, False, False), (True, True, False)]
    assert seen[3:5] == [(False, False, True), (True, False, False)]
