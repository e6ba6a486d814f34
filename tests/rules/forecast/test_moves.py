"""Moves: whom each policy attacks, with what, what it spends and gives up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from rules.engine.messages import Command
from rules.forecast.knowledge import Held, Known, Looks, Seen
from rules.forecast.moves import HURT_FROM, Tactics
from rules.forecast.policies import (
    CAREFUL,
    CAUTIOUS,
    MARKSMAN,
    PROTECTIVE,
    RECKLESS,
    STEADY,
    Arms,
    Policy,
)
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.state import Combatant, TurnRecord
from rules.model.system import System
from rules.systems.classic.apocalypse.beast import SHAPES
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import Declare, Leave, TakeAction
from tests.rules.forecast.people import sheet
from tests.rules.table import KNIFE, PISTOL

AXE = Weapon("axe", Mode.MELEE, 6, "strength", Damage.LETHAL)
FLOWER = Weapon("flower", Mode.MELEE, 0)

BLADE, GUN = Held(Mode.MELEE, 2, Damage.LETHAL), Held(Mode.FIREARM, 4, Damage.LETHAL)


def foe(name: str, looks: Looks = Looks.UNHURT, *held: Held, attacks: str = "", gap: int = 0) -> Seen:
    return Seen(name, False, looks, held, frozenset(filter(None, [attacks])), gap)


def friend(name: str, looks: Looks = Looks.UNHURT) -> Seen:
    return Seen(name, True, looks)


def somebody(*weapons: Weapon, system: System = MASQUERADE, **resources: int) -> Combatant:
    return Combatant("me", replace(sheet(system, *weapons), resources={"willpower": 3, **resources}))


def seeing(*others: Seen, me: Combatant | None = None, lost: float = 0, place: int = 0, **more: object) -> Known:
    return Known(me or somebody(KNIFE), others, lost, place, **more)


def order(policy: Policy, known: Known) -> list[str]:
    return [each.id for each in Tactics(MASQUERADE).ranked(policy, known)]


def first(moves: Iterator[Command], count: int = 1) -> list[Command]:
    return list(islice(moves, count))


# ------------------------------------------------------------------ whom


def test_the_nearest_is_within_reach_then_the_last_target_then_an_attacker_then_opposite() -> None:
    others = [foe("ann", gap=10), foe("bob"), foe("cid", attacks="me"), foe("dee"), foe("eve")]
    assert order(STEADY, seeing(*others, last="dee", place=4)) == ["dee", "cid", "eve", "bob", "ann"]
    assert order(STEADY, seeing(foe("ann"), foe("bob"), foe("cid"), place=1)) == ["bob", "cid", "ann"]
    assert order(STEADY, seeing(foe("ann"), foe("bob"), foe("cid"), place=5)) == ["cid", "ann", "bob"]


def test_the_weakest_looks_worst() -> None:
    others = [foe("ann"), foe("bob", Looks.BADLY_HURT), foe("cid", Looks.HURT), foe("dee", Looks.DOWN)]
    assert order(CAREFUL, seeing(*others)) == ["bob", "cid", "ann"]


def test_the_strongest_has_the_gravest_weapon_then_the_largest() -> None:
    claws = Held(Mode.UNARMED, 1, Damage.AGGRAVATED)
    others = [foe("ann"), foe("bob", Looks.UNHURT, BLADE), foe("cid", Looks.UNHURT, GUN, BLADE)]
    assert order(RECKLESS, seeing(*others, foe("dee", Looks.UNHURT, claws))) == ["dee", "cid", "bob", "ann"]


def test_a_threat_attacks_the_friend_who_looks_worst() -> None:
    foes = [foe("ann", attacks="me"), foe("bob", attacks="fay"), foe("cid", attacks="gil")]
    friends = [friend("fay"), friend("gil", Looks.HURT), friend("hal", Looks.DOWN)]
    assert order(PROTECTIVE, seeing(*foes, *friends))[0] == "cid"
    assert order(PROTECTIVE, seeing(*foes))[0] == "ann"


# ------------------------------------------------------------------ with what


@pytest.mark.parametrize(("arms", "weapon"), [(Arms.BEST, "axe"), (Arms.CLOSE, "axe"), (Arms.RANGED, "pistol")])
def test_the_best_weapon_of_the_sort_is_used(arms: Arms, weapon: str) -> None:
    known = seeing(foe("ann"), me=somebody(FLOWER, PISTOL, KNIFE, AXE))
    (attack,) = first(Tactics(MASQUERADE).moves(replace(STEADY, arms=arms), known))
    assert isinstance(attack, Attack)
    assert attack.weapon == weapon


def test_a_weapon_that_is_worse_than_a_fist_is_not_used() -> None:
    known = seeing(foe("ann"), me=Combatant("me", sheet(MASQUERADE, FLOWER, brawl=5, melee=0)))
    assert first(Tactics(MASQUERADE).moves(STEADY, known)) == [Attack("me", ("ann",), "unarmed")]


def test_other_targets_and_weapons_follow() -> None:
    known = seeing(*(foe(name) for name in ("ann", "bob", "cid", "dee")))
    moves = list(Tactics(MASQUERADE).moves(STEADY, known))
    assert [(each.weapon, each.at[0]) for each in moves if isinstance(each, Attack)] == [
        *[("knife", name) for name in ("ann", "bob", "cid")],
        *[("unarmed", name) for name in ("ann", "bob", "cid")],
    ]


def test_a_blade_does_not_reach_those_far_away() -> None:
    known = seeing(foe("ann", gap=20), me=somebody(AXE, PISTOL))
    assert list(Tactics(MASQUERADE).moves(STEADY, known)) == [Attack("me", ("ann",), "pistol", (), 20)]
    assert not list(Tactics(MASQUERADE).moves(STEADY, seeing(foe("ann", gap=20))))


def test_nobody_attacks_if_nobody_is_there() -> None:
    assert not list(Tactics(MASQUERADE).moves(STEADY, seeing(friend("fay"), foe("ann", Looks.DOWN))))


def test_a_marksman_who_is_ready_shoots() -> None:
    me = somebody(PISTOL, system=CHRONICLES)
    moves = [
        first(Tactics(CHRONICLES).moves(MARKSMAN, seeing(foe("ann"), me=me, sheltered=covered, aiming=aiming)))[0]
        for covered, aiming in ((False, False), (True, False), (True, True))
    ]
    assert moves == [
        TakeAction("seek_cover", "me", figures={"degree": "partial"}),
        TakeAction("aim", "me", ("ann",), weapon="pistol"),
        Attack("me", ("ann",), "pistol"),
    ]


# ------------------------------------------------------------------ what it costs


@pytest.mark.parametrize(
    ("policy", "lost", "spends"),
    [
        (RECKLESS, 0, True),
        (STEADY, 1, False),
        (CAREFUL, HURT_FROM - 0.01, False),
        (CAREFUL, HURT_FROM, True),
    ],
)
def test_points_are_spent_always_never_or_when_hurt(policy: Policy, lost: float, spends: bool) -> None:
    known = seeing(foe("ann"), me=somebody(KNIFE, system=DARKNESS), lost=lost)
    moves = first(Tactics(DARKNESS).moves(policy, known), 2)
    bought = Attack("me", ("ann",), "knife", (Modifier("willpower"),))
    assert (moves[0] == bought) is spends
    assert (replace(bought, modifiers=()) in moves) or not spends


def test_somebody_without_points_spends_none() -> None:
    known = seeing(foe("ann"), me=Combatant("me", replace(sheet(DARKNESS, KNIFE), resources={"willpower": 0})))
    assert first(Tactics(DARKNESS).moves(RECKLESS, known)) == [Attack("me", ("ann",), "knife")]


@pytest.mark.parametrize(("lost", "leaves"), [(0.49, False), (0.5, True), (1, True)])
def test_somebody_leaves_at_a_share_of_their_health(lost: float, leaves: bool) -> None:
    (move,) = first(Tactics(MASQUERADE).moves(CAUTIOUS, seeing(foe("ann"), lost=lost)))
    assert (move == Leave("me")) is leaves


def declared(policy: Policy, **resources: int) -> Declare:
    me = Combatant("me", replace(sheet(MASQUERADE, KNIFE, kind="vampire", celerity=2), resources=resources))
    return next(Tactics(MASQUERADE).declarations(policy, seeing(foe("ann"), me=me)))


def test_declarations_divide_the_pool_and_buy_actions_by_policy() -> None:
    assert declared(STEADY, blood=9) == Declare("me", actions=("melee",), at="ann")
    assert declared(RECKLESS, blood=9).actions == ("melee", "celerity", "celerity")
    assert declared(RECKLESS, blood=0).actions == ("melee",)
    assert declared(CAREFUL, blood=9).actions == ("melee", "dodge")
    assert declared(PROTECTIVE, blood=9).actions == ("melee", "dodge", "celerity", "celerity")


@pytest.mark.parametrize(
    ("turn", "answering"),
    [
        (TurnRecord(), [CAUTIOUS]),
        (TurnRecord(actions=("melee",)), [CAUTIOUS]),
        (TurnRecord(actions=("melee", "dodge")), [STEADY, CAREFUL, CAUTIOUS]),
        (TurnRecord(actions=("melee",), acted=True), [CAREFUL, CAUTIOUS]),
        (TurnRecord(actions=(), acted=True), []),
        (TurnRecord(actions=(), full_defence=True), [STEADY, CAREFUL, CAUTIOUS]),
    ],
)
def test_a_defence_is_given_if_the_policy_does_not_keep_the_action(turn: TurnRecord, answering: list[Policy]) -> None:
    me, tactics = replace(somebody(KNIFE), turn=turn), Tactics(MASQUERADE)
    assert [policy for policy in (STEADY, CAREFUL, CAUTIOUS) if tactics.defences(policy, me)] == answering


def test_the_defence_with_the_most_dice_is_tried_first() -> None:
    tactics, turn = Tactics(MASQUERADE), TurnRecord(actions=("dodge",))
    dodger = Combatant("me", sheet(MASQUERADE, KNIFE, dodge=5), turn=turn)
    fencer = Combatant("you", sheet(MASQUERADE, KNIFE, melee=5, dodge=0), turn=turn)
    assert tactics.defences(STEADY, dodger)[0] == "dodge"
    assert tactics.defences(STEADY, fencer)[0] == "parry"


def test_where_defense_applies_by_itself_no_answer_is_given() -> None:
    me = replace(somebody(KNIFE, system=CHRONICLES), turn=TurnRecord(actions=("dodge",)))
    assert Tactics(CHRONICLES).defences(CAUTIOUS, me) == ()


@pytest.mark.parametrize(
    ("turn", "first_given_up"),
    [
        (TurnRecord(), True),
        (TurnRecord(actions=("melee", "dodge")), False),
        (TurnRecord(actions=()), False),
        (TurnRecord(full_defence=True), False),
    ],
)
def test_an_action_is_given_up_only_if_no_defence_is_left(turn: TurnRecord, first_given_up: bool) -> None:
    assert Tactics(MASQUERADE).gives_up_action(replace(somebody(), turn=turn)) is first_given_up


def test_options_are_worked_out_once_for_a_sheet() -> None:
    tactics, me = Tactics(MASQUERADE), somebody(KNIFE)
    hurt = replace(me, sheet=replace(me.sheet, marks=(Damage.LETHAL,)))
    assert tactics.skill(hurt) is tactics.skill(me)
    assert tactics.skill(replace(me, sheet=sheet(MASQUERADE, AXE))) is not tactics.skill(me)


def test_a_shape_has_options_of_its_own() -> None:
    tactics, me = Tactics(APOCALYPSE), somebody(KNIFE, system=APOCALYPSE)
    shaped = replace(me, sheet=replace(me.sheet, shape=SHAPES["crinos"]))
    assert len(tactics.skill(shaped).weapons) > len(tactics.skill(me).weapons)
