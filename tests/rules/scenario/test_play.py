"""Playing scenarios: comparisons, refusals, results, undo and redo."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from rules.scenario.compare import mismatches
from rules.systems import RULESETS

from .conftest import HEADING, Play

PUNCH = '[[steps]]\ndo = "attack"\nby = "ana"\nat = "ben"\n'
MISS = f"{PUNCH}dice.attack = [2, 3]\n"
HURT = '[[steps]]\ndo = "harm"\nat = "ben"\namount = 2\ntype = "bashing"\n'


def result(report: Any, step: int = 0) -> Any:
    assert not report.fault, report.fault
    return report.steps[step].result


# Expectations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "came", "said"),
    [
        ({"pool": 5}, {"pool": 5, "damage": 3}, []),
        ({"pool": 5}, {"pool": 4}, ["pool: expected 5, got 4"]),
        ({"pool": 1}, {"pool": True}, ["pool: expected 1, got true"]),
        ({"pool": 4.0}, {"pool": 4}, []),
        ({"luck": 1}, {"pool": 5}, ["luck: expected 1, but there is no such result (there are: pool)"]),
        ({"luck": 1}, {}, ["luck: expected 1, but there is no such result (there are: nothing)"]),
        ({"dealt": {"amount": 3}}, {"dealt": {"amount": 3, "type": "lethal"}}, []),
        (
            {"dealt": {"amount": 3, "type": "bashing"}},
            {"dealt": {"amount": 2, "type": "lethal"}},
            ["dealt.amount: expected 3, got 2", 'dealt.type: expected "bashing", got "lethal"'],
        ),
        ({"dealt": 3}, {"dealt": {"amount": 3}}, ["dealt: expected 3, got { amount = 3 }"]),
        ({"order": ["a", ["b", "c"]]}, {"order": ["a", ["b", "c"]]}, []),
        ({"order": ["a", ["c", "b"]]}, {"order": ["a", ["b", "c"]]}, ["order: expected"]),
        ({"order": ["a"]}, {"order": ["a", "b"]}, ['order: expected ["a"], got ["a", "b"]']),
        ({"parts": [{"rule": "R", "dice": 2}]}, {"parts": [{"rule": "R", "dice": 2}]}, []),
        ({"parts": [{"rule": "R"}]}, {"parts": [{"rule": "R", "dice": 2}]}, ["parts: expected"]),
        ({"conditions": {"a": ["x", "y"]}}, {"conditions": {"a": ["y", "x"]}}, []),
        ({"conditions": {"a": ["x"]}}, {"conditions": {"a": ["y", "x"]}}, ["conditions.a: expected"]),
        ({"conditions": {"a": ["dying"]}}, {"conditions": {"a": ["dying", "incapacitated"]}}, []),
        ({"conditions": {"a": ["torpor", "incapacitated"]}}, {"conditions": {"a": ["torpor"]}}, []),
        ({"conditions": {"a": ["incapacitated"]}}, {"conditions": {"a": ["dead"]}}, ["conditions.a: expected"]),
        ({"conditions": {"a": 3}}, {"conditions": {"a": []}}, ["conditions.a: expected 3, got []"]),
        ({"conditions": {"a": ["knocked_down"]}}, {"conditions": {"a": ["prone"]}}, []),
    ],
)
def test_compare(expected: dict[str, Any], came: dict[str, Any], said: list[str]) -> None:
    found = list(mismatches(expected, came))

    assert len(found) == len(said)
    assert all(sentence.startswith(beginning) for sentence, beginning in zip(found, said, strict=True))


def test_the_first_mismatch_is_told_with_its_step(play: Play) -> None:
    report = play(f"{MISS}{HURT}expect = {{ health = {{ ben = '/......' }}, turn = 2 }}\n")

    assert not report.ok
    assert report.failure == 'step 2 (harm): health.ben: expected "/......", got "//....." (and 1 more)'


# Refusals ----------------------------------------------------------------------------------------------------------


def test_a_refusal_that_nobody_expects_fails_the_step_and_the_play_goes_on(play: Play) -> None:
    report = play(f"{PUNCH}distance = 9\n{HURT}")

    assert report.failure == "step 1 (attack): turned down by MQ-ATK-1: At 9 metres, the target is out of range."
    assert result(report, 1)["health"]["ben"] == "//....."


@pytest.mark.parametrize("key", ["refused", "expect.refused"])
def test_a_refusal_may_be_expected_in_both_places(play: Play, key: str) -> None:
    report = play(f"{PUNCH}distance = 9\n{key} = 'MQ-ATK-1'")

    assert report.ok
    assert result(report)["refused"] == "MQ-ATK-1"


def test_another_rule_is_not_the_expected_one(play: Play) -> None:
    report = play(f"{PUNCH}distance = 9\nrefused = 'MQ-ATK-2'")

    assert report.failure == (
        'step 1 (attack): refused: expected "MQ-ATK-2", got "MQ-ATK-1" (At 9 metres, the target is out of range.)'
    )


def test_a_step_that_should_have_been_turned_down(play: Play) -> None:
    report = play(f"{MISS}refused = 'MQ-ATK-1'")

    assert report.failure == 'step 1 (attack): refused: expected "MQ-ATK-1", but the step was not turned down'


@pytest.mark.parametrize("dice", ["[1]", "[2, 3]", "[2, 3, 4, 5]", "[]"])
def test_the_dice_of_a_refused_step_are_not_counted(play: Play, dice: str) -> None:
    report = play(f"{PUNCH}distance = 9\ndice.attack = {dice}\ndice.soak = [3]\nrefused = 'MQ-ATK-1'")

    assert report.ok


def test_a_waived_rule_refuses_nothing_and_is_told(play: Play) -> None:
    assert result(play(f"{MISS}distance = 9\nwaive = ['MQ-ATK-1']"))["waived"] == ["MQ-ATK-1"]


def test_an_unknown_action_is_turned_down_as_input(play: Play) -> None:
    report = play('[[steps]]\ndo = "frobnicate"\nby = "ana"')

    assert report.failure == (
        "step 1 (frobnicate): turned down by input: Masquerade knows no action called “frobnicate”."
    )


# Results -----------------------------------------------------------------------------------------------------------


def test_a_list_of_targets_gives_results_by_name(play: Play) -> None:
    report = play('[[steps]]\ndo = "attack"\nby = "ana"\nat = ["ben"]\ndice.attack = { ben = [2, 3] }')

    assert result(report)["targets"]["ben"]["outcome"] == "miss"
    assert result(report)["outcome"] == "miss"


def test_whoever_is_called_like_a_result_is_told_by_name(play: Play) -> None:
    heading = 'ruleset = "wounds"\n[combatants.ana]\n[combatants.dealt]\n'
    report = play("[[steps]]\ndo = 'attack'\nby = 'ana'\nat = ['dealt']\ndice.attack = [2]", heading)

    assert result(report)["targets"]["dealt"]["dealt"] == {"amount": 0}


def test_whoever_is_called_like_a_defence_key_answers_by_name(play: Play) -> None:
    heading = 'ruleset = "masquerade"\n[combatants.ana]\n[combatants.kind]\n'
    answer = "defence.kind = { kind = 'dodge', dice = [6] }\n"
    report = play(f"[[steps]]\ndo = 'attack'\nby = 'ana'\nat = 'kind'\n{answer}dice.attack = [6]", heading)

    assert result(report)["defence"] == 1


def test_dice_by_name(play: Play) -> None:
    report = play(
        f"{PUNCH}dice = {{ attack = {{ ben = [6, 2] }}, damage = {{ ben = [6, 6] }}, soak = {{ ben = [6, 2, 3] }} }}"
    )

    assert result(report)["dealt"] == {"amount": 1, "type": "bashing"}


def test_a_part_struck_out_is_left_out(play: Play) -> None:
    report = play(f"{PUNCH}mods = ['cramped']\nstrike = ['cramped']\ndice.attack = [2, 3]")

    assert result(report)["difficulty"] == 6
    assert [part["label"] for part in result(report)["parts"]] == ["Dexterity", "Brawl, untrained", "Attack"]


def test_one_part_with_dice_and_difficulty_stands_twice(play: Play) -> None:
    report = play(f"{PUNCH}with = 'pistol'\nmods = ['burst']\ndice.attack = [2, 3, 4, 5]")

    assert result(report)["parts"][-2:] == [
        {"rule": "MQ-ATK-8", "label": "Three-round burst", "dice": 2},
        {"rule": "MQ-ATK-8", "label": "Three-round burst", "difficulty": 1},
    ]


def test_the_parts_add_up(play: Play) -> None:
    report = play(f"{PUNCH}with = 'pistol'\ndistance = 40\nmods = ['scope', 'cramped']\ndice.attack = [2, 3, 4, 5]")
    came = result(report)

    assert sum(part.get("dice", 0) for part in came["parts"]) == came["pool"] == 4
    assert sum(part.get("difficulty", 0) for part in came["parts"]) == came["difficulty"] == 9


@pytest.mark.parametrize("name", ["blood", "blood_pool", "blood_points"])
@pytest.mark.parametrize("kind", ["vampire", "mortal"])
def test_a_resource_is_told_by_all_its_names(play: Play, name: str, kind: str) -> None:
    heading = f'ruleset = "masquerade"\n[combatants.ana]\nkind = "{kind}"\nresources = {{ {name} = 4 }}\n'
    report = play('[[steps]]\ndo = "spend"\nby = "ana"\nresource = "blood_pool"\namount = 3', heading)

    assert result(report)["resources"]["ana"] == {"blood": 1, "blood_pool": 1, "blood_points": 1, "willpower": 0}


def test_resources_are_full_where_nothing_is_said(play: Play) -> None:
    assert result(play(MISS))["resources"] == {
        "ana": {"blood": 10, "blood_pool": 10, "blood_points": 10, "willpower": 3},
        "ben": {"willpower": 0},
    }


@pytest.mark.parametrize(
    "sheet",
    [
        "traits = { defense = 3, speed = 4, initiative = 5, health = 7 }",
        "traits = { blood_potency = 1, celerity = 2, generation = 9, gnosis = 3 }",
        "traits = { technology = 2, weaponry = 1 }\nresources = { essence = 3 }",
        "traits = { throwing = 3 }\nweapons = [{ name = 'axe', mode = 'thrown', ability = 'throwing' }]",
        "resources = { willpower = 1, rage = 3, vitae = 4 }",
        "weapons = [{ name = 'nail', mode = 'melee', form = 'piercing', tags = ['cold_iron'] }]",
    ],
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_sheet_of_any_ruleset_may_say(play: Play, ruleset: str, sheet: str) -> None:
    heading = f'ruleset = "{ruleset}"\n[combatants.ana]\n{sheet}\n[combatants.ben]\n'

    assert play("[[steps]]\ndo = 'end_turn'", heading).ok


def test_a_trait_that_only_the_sheet_knows_is_rolled(play: Play) -> None:
    heading = 'ruleset = "masquerade"\n[combatants.ana]\nkind = "garou"\ntraits = { rage = 3 }\n'
    report = play("[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits', 'rage']\ndice.roll = [6, 2, 2, 2]", heading)

    assert result(report)["pool"] == 4


def test_a_byte_order_mark_is_ignored(play: Play) -> None:
    assert result(play(MISS, "\ufeff" + HEADING))["outcome"] == "miss"


def test_boxes_may_be_written_in_any_order(play: Play) -> None:
    heading = 'ruleset = "masquerade"\n[combatants.ana]\nhealth = "/.X*"\n[combatants.ben]\n'

    assert result(play(HURT, heading))["health"] == {"ana": "*X/....", "ben": "//....."}


def test_two_weapons_of_one_name_are_two(play: Play) -> None:
    heading = """
ruleset = "masquerade"
[combatants.ana]
weapons = [
  { name = "pistol", mode = "firearm", range_short = 20, clip = 6 },
  { name = "pistol", mode = "firearm", range = [20, 40, 80], clip = 6 },
]
[combatants.ben]
"""
    shot = '[[steps]]\ndo = "attack"\nby = "ana"\nat = "ben"\nwith = "{}"\ndice.attack = [2]\n'
    report = play(shot.format("pistol") + shot.format("pistol") + shot.format("pistol #2"), heading)

    assert result(report, 2)["ammunition"] == {"pistol": 4, "pistol #2": 5}


def test_whoever_is_down_rolls_initiative_where_dice_are_written(play: Play) -> None:
    down = '[[steps]]\ndo = "harm"\nat = "ben"\namount = 7\ntype = "bashing"\n'
    rolled = '[[steps]]\ndo = "initiative"\n'

    assert result(play(f"{down}{rolled}dice = {{ ana = [5] }}"), 1)["order"] == ["ana"]
    assert result(play(f"{down}{rolled}dice = {{ ana = [5], ben = [3] }}"), 1)["order"] == ["ana", "ben"]


@pytest.mark.parametrize(
    ("steps", "loaded"), [("do = 'reload'\nby = 'ana'", 17), ("do = 'reload'\nby = 'ana'\nrounds = 3", 3)]
)
def test_the_weapon_to_reload_may_be_left_out(play: Play, steps: str, loaded: int) -> None:
    assert result(play(f"[[steps]]\n{steps}"))["ammunition"] == {"pistol": loaded}


def test_a_range_may_be_a_list_or_named(play: Play) -> None:
    guns = (
        "{ name = 'one', mode = 'firearm', range = [10, 20, 40] }",
        "{ name = 'two', mode = 'firearm', range = { short = 10, medium = 20, long = 40 } }",
    )
    heading = f"ruleset = 'darkness'\n[combatants.ana]\nweapons = [{', '.join(guns)}]\n[combatants.ben]\n"
    shot = "[[steps]]\ndo = 'attack'\nby = 'ana'\nat = 'ben'\ndistance = 81\n"
    report = play("".join(f"{shot}with = '{gun}'\nrefused = 'WD-RANGE-1'\n" for gun in ("one", "two")), heading)

    assert report.ok, report.failure


# Undo and redo -----------------------------------------------------------------------------------------------------


def healths(report: Any) -> list[str]:
    assert not report.fault, report.fault
    return [step.result["health"]["ben"] for step in report.steps]


UNDO = '[[steps]]\ndo = "undo"\n'
REDO = '[[steps]]\ndo = "redo"\n'
ROLL = '[[steps]]\ndo = "roll"\nby = "ana"\ntraits = ["dexterity"]\ndice.roll = [2, 3]\n'
SPENT = 'do = "spend"\nby = "ana"\nresource = "willpower"\namount = 9\n'


@pytest.mark.parametrize("rule", ["MQ-WILL-1", "input"])
def test_a_rule_that_no_document_has_is_sense_to_others(play: Play, rule: str) -> None:
    report = play(f"[[steps]]\n{SPENT}refused = '{rule}'")
    assert result(report)["refused"] == "MQ-WILL-1"
    assert not report.failure


def test_a_rule_of_the_documents_is_named_by_its_id(play: Play) -> None:
    report = play(f"{PUNCH}distance = 9\nrefused = 'input'")
    assert report.failure == (
        'step 1 (attack): refused: expected "input", got "MQ-ATK-1" (At 9 metres, the target is out of range.)'
    )


NOTHING_THERE = "expect.refused = 'input'\n"


def test_undo_takes_the_last_change_back_and_redo_brings_it_back(play: Play) -> None:
    report = play(f"{HURT}{HURT}{UNDO}{UNDO}{REDO}{REDO}")

    assert healths(report) == ["//.....", "////...", "//.....", ".......", "//.....", "////..."]


def test_a_refused_step_and_a_mere_roll_are_nothing_to_undo(play: Play) -> None:
    report = play(f"{HURT}{PUNCH}distance = 9\nrefused = 'MQ-ATK-1'\n{ROLL}{UNDO}{UNDO}{NOTHING_THERE}")

    assert report.ok, report.failure
    assert healths(report)[3] == "......."


def test_a_roll_that_fails_dramatically_is_nothing_to_undo_either(play: Play) -> None:
    heading = 'ruleset = "darkness"\n[combatants.ana]\n[combatants.ben]\n'
    chance = ROLL.replace("[2, 3]", "[1]") + "mods = [{ key = 'circumstance', dice = -5 }]\n"
    report = play(f"{HURT}{chance}expect.outcome = 'dramatic_failure'\n{UNDO}", heading)

    assert report.ok, report.failure
    assert healths(report)[2] == "......."


def test_botches_before_and_after_an_undo_are_two(play: Play) -> None:
    gun = "weapons = [{ name = 'gun', mode = 'firearm', damage = 4, range = 20, clip = 6 }]\n"
    heading = f'ruleset = "masquerade"\n[combatants.ana]\ntraits = {{ dexterity = 2 }}\n{gun}[combatants.ben]\n{gun}'
    botch = '[[steps]]\ndo = "attack"\nby = "{}"\nat = "{}"\nwith = "gun"\ndice.attack = [1{}]\n'
    botches = f"{botch.format('ana', 'ben', ', 2')}{HURT}{UNDO}{botch.format('ben', 'ana', '')}"
    settled = "".join(f"[[steps]]\ndo = 'mishap'\nby = '{who}'\nkind = 'jam'\n" for who in ("ana", "ben"))
    report = play(f"{ROLL}{botches}{settled}", heading)

    assert report.ok, report.failure


def test_something_new_leaves_nothing_to_redo(play: Play) -> None:
    report = play(f"{HURT}{UNDO}{MISS}{REDO}{NOTHING_THERE}")

    assert report.ok, report.failure


# House rules -------------------------------------------------------------------------------------------------------


def test_playing_needs_no_django() -> None:
    code = "import sys, rules.scenario.play; sys.exit(any(name.partition('.')[0] == 'django' for name in sys.modules))"

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
