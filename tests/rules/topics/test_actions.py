"""Actions' declarations, and the checks before they decide."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.violations import RuleViolation
from rules.model.gear import Mode
from rules.model.roll import RollTraits
from rules.model.system import Aim, Game, Needs, System
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics import effects
from rules.topics.actions import everybody, targets, why_not
from rules.topics.commands import ChangeConditions, RollInitiative, TakeAction
from rules.topics.events import Moved, TraitsRolled
from rules.topics.rolls.decide import roll_traits
from tests.rules.table import KNIFE, PISTOL, Table, mortal, only

ALL = (
    Wanted("rounds", "Rounds", least=1, most=3),
    Wanted("limb", "Limb", Want.CHOICE, (("arm", "Arm"), ("leg", "Leg"))),
    Wanted("loud", "Loud", Want.SWITCH),
    Wanted("words", "Words", Want.WORDS),
    Wanted("helper", "Helper", Want.SOMEBODY),
)


@dataclass(frozen=True, slots=True)
class Feat:
    """A made-up action: not for anybody dazed; a variant rolls Wits."""

    needs: Needs
    label: str = "Feat"
    rule: str = "AP-SIT-9"

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if "deafened" in game.state.combatants[by].conditions:
            return RuleViolation("AP-SIT-2", "Nobody does that deafened.")
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        used = (effects.action(game, command.by, "feat"),) if self.needs.instant else ()
        told = roll_traits(game, RollTraits(command.by, ("wits",))) if self.needs.rolls else ()
        return (*used, *told, Moved(command.by, len(command.at), as_action=bool(command.weapon)))


def with_feat(needs: Needs) -> System:
    return replace(APOCALYPSE, actions={"feat": Feat(needs)})


def played(needs: Needs) -> Table:
    people = {"ann": mortal(weapons=(PISTOL, KNIFE)), "bob": mortal(), "cyd": mortal()}
    return Table(with_feat(needs), **people)


def feat(*at: str, by: str = "ann", weapon: str = "", **figures: object) -> TakeAction:
    return TakeAction("feat", by, at, figures=figures, weapon=weapon)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("aim", "fits", "not_so"),
    [
        (Aim.NOBODY, [()], [("bob",)]),
        (Aim.ANYBODY, [(), ("bob",)], [("bob", "cyd"), ("ann",)]),
        (Aim.ONE, [("bob",)], [(), ("bob", "cyd"), ("ann",), ("zed",)]),
        (Aim.AREA, [(), ("bob",), ("bob", "cyd")], [("bob", "bob"), ("bob", "ann"), ("zed",)]),
    ],
)
def test_as_many_targets_as_it_takes(aim, fits, not_so):
    at_table = played(Needs(aim, instant=False))
    for at in fits:
        assert only(Moved, at_table.does(feat(*at))).distance == len(at)
    for at in not_so:
        at_table.refuses("input", feat(*at))


def test_only_those_whom_it_can_be_aimed_at():
    needs = Needs(Aim.ONE, lambda game, by: ("cyd", "gone"))
    at_table = played(needs)
    assert targets(Game(at_table.state, at_table.ruleset), "ann", needs) == ("cyd",)
    at_table.does(feat("cyd"))
    assert "can’t be done to this target" in at_table.refuses("input", feat("bob"))
    assert targets(Game(at_table.state, at_table.ruleset), "ann", Needs(Aim.ONE, everybody)) == ("ann", "bob", "cyd")
    assert targets(Game(at_table.state, at_table.ruleset), "ann", Needs()) == ()


@pytest.mark.parametrize(
    "figures",
    [
        {},
        {"rounds": 1, "limb": "arm", "loud": True, "words": "x" * 200, "helper": "bob"},
        {"rounds": 3, "limb": "leg", "loud": False, "words": "", "helper": "ann"},
    ],
)
def test_figures_that_fit(figures):
    assert played(Needs(figures=ALL)).does(feat(**figures))


@pytest.mark.parametrize(
    "figures",
    [
        {"rounds": 0},
        {"rounds": 4},
        {"rounds": True},
        {"rounds": "2"},
        {"limb": "head"},
        {"loud": 1},
        {"words": "x" * 201},
        {"words": 3},
        {"helper": "zed"},
        {"speed": 1},
    ],
)
def test_figures_that_do_not_fit(figures):
    played(Needs(figures=ALL)).refuses("input", feat(**figures))


def test_a_needed_figure_is_missing():
    at_table = played(Needs(figures=(Wanted("rounds", "Rounds", needed=True),)))
    assert "Rounds" in at_table.refuses("input", feat())
    assert at_table.does(feat(rounds=1000))


def test_the_weapon_is_one_that_fits():
    at_table = played(Needs(weapon=lambda weapon: weapon.mode is Mode.MELEE))
    assert only(Moved, at_table.does(feat())).as_action
    assert only(Moved, at_table.does(feat(weapon="knife"))).as_action
    at_table.refuses("input", feat(weapon="pistol"))
    assert "no weapon" in at_table.refuses("input", feat(by="bob"), waive=["AP-SIT-9"])
    played(Needs()).refuses("input", feat(weapon="knife"))


def test_what_stands_against_it_can_be_waived():
    at_table = played(Needs())
    at_table.does(ChangeConditions("ann", frozenset({"deafened"})))
    at_table.refuses("AP-SIT-2", feat())
    assert only(Moved, at_table.does(feat(), waive=["AP-SIT-2"]))


def test_nobody_out_of_action_acts_but_by_the_storytellers_word():
    for needs, able in ((Needs(instant=False), False), (Needs(instant=False, storytellers=True), True)):
        at_table = Table(with_feat(needs), ann=mortal("///////"))
        assert (why_not(Game(at_table.state, at_table.ruleset), "feat", "ann") is None) is able
        if able:
            at_table.does(feat())
        else:
            at_table.refuses("AP-HEALTH-1", feat())


def reason(at_table: Table, who: str = "ann") -> str:
    violation = why_not(Game(at_table.state, at_table.ruleset), "feat", who)
    return violation.rule if violation else ""


def test_why_not_is_what_the_command_would_be_turned_down_by():
    """AP-MULTI-1: an instant action needs an action left; a reflexive one doesn't."""
    for needs, rule in ((Needs(), "AP-MULTI-1"), (Needs(instant=False), "")):
        at_table = played(needs)
        assert not reason(at_table)
        at_table.does(RollInitiative(), initiative={"ann": [9], "bob": [5], "cyd": [2]})
        at_table.does(feat())
        assert reason(at_table) == rule
        if rule:
            at_table.refuses(rule, feat())


def test_why_not_says_what_is_lacking():
    armed = played(Needs(weapon=lambda weapon: weapon.mode is Mode.MELEE))
    assert (reason(armed), reason(armed, "bob")) == ("", "input")
    alone = {aim: reason(Table(with_feat(Needs(aim)), ann=mortal())) for aim in Aim}
    assert alone == {Aim.NOBODY: "", Aim.ANYBODY: "", Aim.ONE: "input", Aim.AREA: ""}
    at_table = played(Needs())
    at_table.does(ChangeConditions("ann", frozenset({"deafened"})))
    assert reason(at_table) == "AP-SIT-2"


def test_one_press_is_enough_for_what_needs_nothing():
    assert Needs().nothing
    for more in (
        Needs(Aim.ANYBODY),
        Needs(rolls=True),
        Needs(figures=ALL),
        Needs(weapon=lambda weapon: True),
    ):
        assert not more.nothing


def test_what_it_rolls_is_rolled():
    told = played(Needs(rolls=True, instant=False)).does(feat(), roll=[7])
    assert only(TraitsRolled, told).roll.roll.successes == 1
