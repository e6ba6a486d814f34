"""Frenzy and terror: what scenarios don't show (MQ-FRZ-1 to MQ-FRZ-5)."""

from __future__ import annotations

import pytest

from rules.model.conditions import IN_FRENZY
from rules.model.powers import Power, Source, Timing
from rules.model.system import Game, System
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.shared.beast import HOLDING, SETTING, TERRIFIED
from rules.topics.actions import why_not
from rules.topics.commands import ChangeConditions, ClearJam, Reload, TakeAction
from rules.topics.events import Followed, PowerUsed, TraitsRolled
from rules.topics.powers.using import with_powers
from tests.rules.table import MASQUERADE, PISTOL, Table, mortal, only, strike_at, vampire

PLAYED = MASQUERADE.with_options({SETTING: True})
BEASTLY = [system for system in RULESETS.values() if any(each.key == SETTING for each in system.options)]


@pytest.mark.parametrize("system", BEASTLY, ids=lambda each: each.key)
def test_new_chronicles_begin_with_it_and_older_ones_stay_as_they_were(system: System) -> None:
    option = next(each for each in system.options if each.key == SETTING)
    assert (option.begun, option.default) == (True, False)
    assert not system.conditions[IN_FRENZY].works
    assert TERRIFIED not in {each.key for each in system.conditions.offered}
    played = system.with_options({SETTING: True})
    assert played.conditions[IN_FRENZY].works
    assert TERRIFIED in {each.key for each in played.conditions.offered}
    assert not played.with_options({}).conditions[IN_FRENZY].works


def test_nobody_in_frenzy_aims():
    """MQ-FRZ-3."""
    played = Table(PLAYED, ann=vampire(dexterity=2, firearms=1, weapons=(PISTOL,)), bob=mortal())
    played.does(ChangeConditions("ann", frozenset({IN_FRENZY})))
    played.refuses("MQ-FRZ-3", strike_at("ann", "bob", "pistol", "target_head"))
    played.attacks("ann", "bob", "pistol", "target_head", waive=("MQ-FRZ-3",), attack=[2, 2, 2])


def test_a_secret_roll_and_its_consequence_name_their_rule():
    """MQ-FRZ-1."""
    played = Table(PLAYED, ann=vampire(self_control=2), bob=mortal())
    told = played.does(TakeAction("frenzy", "ann", figures={"secret": True}), roll=[2, 2])
    assert only(TraitsRolled, told).secret
    assert only(Followed, told) == Followed("ann", IN_FRENZY, "MQ-FRZ-1")


def test_control_is_offered_to_those_who_lost_it():
    """MQ-FRZ-5."""
    played = Table(PLAYED, ann=vampire(resources={"willpower": 2}), bob=mortal())
    assert why_not(Game(played.state, PLAYED), "calm_fear", "ann") is not None
    played.does(ChangeConditions("ann", frozenset({TERRIFIED})))
    assert why_not(Game(played.state, PLAYED), "calm_fear", "ann") is None
    played.does(TakeAction("hold_fear", "ann"))
    assert played.conditions("ann") == {TERRIFIED, HOLDING}
    played.does(TakeAction("calm_fear", "ann"), roll=[6])
    assert played.conditions("ann") == set()


def test_the_newest_outbreak_takes_the_place_of_the_other():
    """MQ-FRZ-2."""
    played = Table(PLAYED, ann=vampire(), bob=mortal())
    played.does(ChangeConditions("ann", frozenset({IN_FRENZY})))
    played.does(TakeAction("fear", "ann"), roll=[2])
    assert played.conditions("ann") == {TERRIFIED}


def test_nobody_in_frenzy_uses_gifts():
    """AP-FRZ-2."""
    gift = Power("howl", "Howl", "AP-FRZ-2", Source.GIFT, (), timing=Timing.REFLEXIVE)
    played = Table(
        with_powers(APOCALYPSE.with_options({SETTING: True}), [gift]), ann=mortal(kind="garou"), bob=mortal()
    )
    played.does(ChangeConditions("ann", frozenset({IN_FRENZY})))
    played.refuses("AP-FRZ-2", TakeAction("howl", "ann"))
    played.does(ChangeConditions("ann", frozenset(), frozenset({IN_FRENZY})))
    assert only(PowerUsed, played.does(TakeAction("howl", "ann"))).works


def test_nobody_who_is_not_there_reloads():
    played = Table(PLAYED, ann=vampire(weapons=(PISTOL,)), bob=mortal())
    for command in (Reload("zed", "pistol"), ClearJam("zed", "pistol")):
        played.refuses("input", command)
