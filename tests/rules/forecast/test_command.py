"""`manage.py forecast`: its text, its JSON, its errors."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).parents[3]

HERO = """[combatants.hero]
player = true
traits = { strength = 3, dexterity = 3, melee = 3 }
weapons = [{ name = "knife", mode = "melee", damage = 1, damage_from = "strength", type = "lethal" }]
"""
THUG = """[combatants.thug]
traits = { strength = 2, dexterity = 2, firearms = 2, willpower = 3 }
weapons = [{ name = "pistol", mode = "firearm", damage = 4, range = 20, clip = 8, rounds = 8 }]
"""
EVE = "[combatants.eve]\n"
BRAWL = f'title = "A brawl"\nruleset = "masquerade"\n{HERO}{THUG}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "brawl.toml"
    path.write_text(BRAWL)
    return path


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("forecast", *map(str, arguments), stdout=out)
    return out.getvalue()


def as_json(*arguments: object) -> dict[str, Any]:
    return json.loads(run(*arguments, "--fights", 20, "--seed", 3, "--json"))


def refused(*arguments: object) -> str:
    with pytest.raises(CommandError) as refusal:
        run(*arguments, "--fights", 5)
    return str(refusal.value)


def test_people_read_chances_with_their_margins(file: Path) -> None:
    lines = run(file, "--fights", 20, "--seed", 3).splitlines()
    assert lines[:2] == [
        "A brawl (Masquerade)",
        "20 fights with the seed 3. In brackets: the margins of error (99%).",
    ]
    assert lines[3].startswith("Allies win: ")
    assert lines[3].endswith(": hero")
    assert "hero (allies; Fights carefully)" in lines
    assert "thug (enemies; Shoots from cover)" in lines
    assert any(line.startswith("  spent: ") and "rounds" in line for line in lines)


def test_programs_read_the_same(file: Path) -> None:
    found = as_json(file)
    assert (found["title"], found["ruleset"], found["seed"], found["fights"]) == ("A brawl", "masquerade", 3, 20)
    wins = [found["sides"][side]["wins"]["share"] for side in ("allies", "enemies")]
    assert sum(wins) + found["undecided"]["share"] <= 1
    hero = found["combatants"]["hero"]
    assert hero["falls"]["low"] <= hero["falls"]["share"] <= hero["falls"]["high"]
    assert sum(hero["lost"]["histogram"].values()) == 20
    assert hero["lost"]["mean"] == pytest.approx(sum(each["mean"] for each in hero["lost_by_type"].values()), abs=0.001)
    assert found["combatants"]["thug"]["rounds"]["mean"] > 0
    assert len(hero["examples"]["falls"]) == min(5, round(20 * hero["falls"]["share"]))


def test_a_seed_gives_the_same_result_on_every_machine(file: Path) -> None:
    """Python orders sets of words differently in each process."""
    results = set()
    for salt in ("0", "1", "2"):
        command = [sys.executable, "manage.py", "forecast", str(file), "--fights", "10", "--seed", "1", "--json"]
        environment = {"PYTHONHASHSEED": salt, "PATH": "", "VESPER_DATA": str(file.parent)}
        results.add(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout)
    assert len(results) == 1


def test_without_a_seed_one_is_drawn_and_told(file: Path) -> None:
    seeds = {json.loads(run(file, "--fights", 1, "--json"))["seed"] for _ in range(4)}
    assert len(seeds) > 1


def test_policies_are_chosen_by_name(file: Path) -> None:
    found = as_json(file, "--policy", "hero=reckless", "--policy", "thug=cautious")
    assert [each["policy"] for each in found["combatants"].values()] == ["reckless", "cautious"]
    assert refused(file, "--policy", "hero") == "--policy takes NAME=KEY."
    assert refused(file, "--policy", "hero=kind") == "Unknown way of fighting: kind."
    assert refused(file, "--policy", "eve=careful") == "There is no combatant called eve."


def test_sides_are_players_against_others_or_as_written(file: Path) -> None:
    file.write_text(BRAWL + EVE)
    assert as_json(file)["sides"]["enemies"]["members"] == ["thug", "eve"]
    found = as_json(file, "--sides", "thug:hero")
    assert [found["sides"][side]["members"] for side in ("allies", "enemies")] == [["thug"], ["hero"]]
    assert list(found["combatants"]) == ["hero", "thug"]
    assert refused(file, "--sides", "thug") == "--sides takes the names of both: A,B:C,D."
    assert refused(file, "--sides", "thug:thug,hero") == "thug can't be on both sides."
    assert refused(file, "--sides", "thug:nobody") == "There is no combatant called nobody."
    file.write_text(BRAWL.replace("player = true\n", ""))
    assert refused(file) == "Put at least one combatant on each side: allies and enemies."


def test_distance_and_ambush_are_options(file: Path) -> None:
    assert as_json(file, "--distance", 40) != as_json(file)
    assert refused(file, "--distance", -1) == "Enter a distance from 0 to 1000."
    assert refused(file, "--ambushed", "allies") == "Masquerade has no rule for ambushes."
    file.write_text(BRAWL.replace("masquerade", "apocalypse"))
    assert as_json(file, "--ambushed", "allies") != as_json(file)


def test_one_more_and_better_armour_are_options(file: Path) -> None:
    found = as_json(file, "--more", "thug", "--more", "thug")
    assert found["sides"]["enemies"]["members"] == ["thug", "thug-2", "thug-3"]
    assert found["sides"]["allies"]["wins"]["share"] <= as_json(file)["sides"]["allies"]["wins"]["share"]
    found = as_json(file, "--sides", "thug:hero", "--more", "thug")
    assert found["sides"]["allies"]["members"] == ["thug", "thug-2"]
    assert as_json(file, "--armor", "hero=5")["combatants"]["hero"] != as_json(file)["combatants"]["hero"]
    assert refused(file, "--more", "eve") == "There is no combatant called eve."
    for wrong in ("hero", "hero=0", "hero=21", "hero=-1", "hero=x", "=3"):
        assert refused(file, "--armor", wrong) == "--armor takes NAME=BY, a number from 1 to 20."


@pytest.mark.parametrize("fights", [0, -1, 100_001])
def test_an_absurd_number_of_fights_is_refused(file: Path, fights: int) -> None:
    with pytest.raises(CommandError, match="Play 1 to 100000 fights"):
        run(file, "--fights", fights)


def test_a_bad_file_says_why(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.toml").startswith("the file cannot be read")
    (tmp_path / "empty.toml").write_text('ruleset = "masquerade"\n')
    assert refused(tmp_path / "empty.toml") == "nobody is in this fight: “combatants” is missing."


def test_steps_are_not_played(file: Path) -> None:
    plain = as_json(file)
    file.write_text(BRAWL + '[[steps]]\ndo = "harm"\nat = "hero"\namount = 7\ntype = "lethal"\n')
    assert as_json(file) == plain
