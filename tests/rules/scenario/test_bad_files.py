"""Any error in a file is reported in a sentence with its place; nothing is raised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.decide import decide
from rules.engine.violations import RuleViolation
from rules.scenario.dice import AnyDice
from rules.scenario.play import play_file

from .conftest import HEADING, Play

STEP = '[[steps]]\ndo = "attack"\nby = "ana"\nat = "ben"\n'
MISS = f"{STEP}dice.attack = [2, 3]\n"
HARM = "[[steps]]\ndo = 'harm'\nat = 'ben'\namount = 1\ntype = 'bashing'\n"

BAD_STEPS = [
    ('[[steps]]\nby = "ana"', "step 1: “do” is missing"),
    ("[[steps]]\ndo = 3", "step 1: “do” should be a text"),
    (f"{MISS}{STEP}hurry = true", "step 2 (attack): unknown key “hurry”"),
    ('[[steps]]\ndo = "attack"\nby = "ana"', "step 1 (attack): “at” is missing"),
    ('[[steps]]\ndo = "attack"\nat = "ben"', "step 1 (attack): “by” is missing"),
    ('[[steps]]\ndo = "attack"\nby = ["ana"]\nat = "ben"', "step 1 (attack): “by” should be a combatant’s name"),
    ('[[steps]]\ndo = "attack"\nby = "ana"\nat = "cy"', "step 1 (attack): there is no combatant “cy”"),
    ('[[steps]]\ndo = "attack"\nby = "ana"\nat = ["ben", "cy"]', "there is no combatant “cy”"),
    ('[[steps]]\ndo = "grapple"\nby = "cy"', "step 1 (grapple): there is no combatant “cy”"),
    ('[[steps]]\ndo = "grapple"\nlimb = "arm"', "step 1 (grapple): unknown key “limb”"),
    ("[[steps]]\ndo = 'act'\nby = 'ana'", "step 1 (act): unknown key “by”"),
    (f"{STEP}dice.atack = [2, 3]", "step 1 (attack), dice: unknown key “atack”"),
    (f"{STEP}dice.attack = [2]", "step 1 (attack): dice.attack: too few dice"),
    (f"{STEP}dice.attack = []", "dice.attack: too few dice"),
    (STEP, "step 1 (attack): no dice are written for ana’s attack against ben (2 dice)"),
    (f"{STEP}dice.attack = [2, 3, 4]", "step 1 (attack): dice.attack: too many dice: 3 are written, 2 were rolled"),
    (f"{MISS}dice.damage = [6, 6]", "dice.damage: dice are written for a roll that did not happen"),
    (f"{MISS}dice.soak = [6, 6]", "dice.soak: dice are written for a roll that did not happen"),
    (f"{MISS}dice.check = [6]", "dice.check: dice are written for a roll that did not happen"),
    (f"{STEP}dice.attack = [2, 11]", "step 1 (attack), dice, attack: a die shows 1 to 10, not 11"),
    (f"{STEP}dice.attack = [0, 2]", "a die shows 1 to 10, not 0"),
    (f"{STEP}dice.attack = [true, 2]", "a die shows 1 to 10, not True"),
    (f"{STEP}dice.attack = [2.0, 2]", "a die shows 1 to 10, not 2.0"),
    (f"{STEP}dice.attack = 2", "dice are a list of faces"),
    (f"{STEP}dice = [2, 3]", "step 1 (attack), dice: this should be a table"),
    (f"{STEP}dice.attack = {{ cy = [2, 3] }}", "there is no combatant “cy”"),
    (f"{STEP}mods = 'burst'", "“mods” should be a list"),
    (f"{STEP}mods = [3]", "step 1 (attack), mods 1: this should be a table"),
    (f"{STEP}mods = [{{ dice = 1 }}]", "mods 1: “key” is missing"),
    (f"{STEP}mods = ['cramped', {{ key = 'split', pool = 1 }}]", "mods 2: unknown key “pool”"),
    (f"{STEP}mods = [{{ key = 'aim', speed = 1 }}]", "mods 1: unknown key “speed”"),
    (f"{STEP}mods = [{{ key = 'split', dice = 1.5 }}]", "mods 1: “dice” should be a whole number"),
    (f"{STEP}mods = [{{ key = 'human_shield', name = 'cy' }}]", "there is no combatant “cy”"),
    (f"{STEP}distance = -1", "“distance” should be a number"),
    (f"{STEP}distance = nan", "“distance” should be a number"),
    (f"{STEP}distance = '3 m'", "“distance” should be a number"),
    (f"{STEP}defence = 'dodge'", "step 1 (attack), defence: this should be a table"),
    (f"{STEP}defence = {{ kind = 'dodge', luck = 3 }}", "step 1 (attack), defence: unknown key “luck”"),
    (f"{STEP}defence = {{ kind = 3 }}", "step 1 (attack), defence: “kind” should be a text"),
    (f"{STEP}defence.cy = {{ kind = 'dodge' }}", "there is no combatant “cy”"),
    (f"{STEP}defence.ben = {{ dice = [3] }}", "step 1 (attack), defence, ben: “kind” is missing"),
    ("[[steps]]\ndo = 'attack'\nby = 'ana'\nat = ['ben', 'ana']\ndefence = { kind = 'dodge' }", "a table by name"),
    (f"{MISS}defence = {{ kind = 'dodge', dice = [2, 3] }}", "defence.dice of ben: too many dice"),
    (f"{STEP}strike = 'armor'", "“strike” should be a list of texts"),
    (
        f"{STEP}mods = ['cramped']\nstrike = ['crampd']\ndice.attack = [2, 3]",
        "step 1 (attack): “crampd” is not known: write “cramped”",
    ),
    (
        f"{STEP}defence = {{ kind = 'dodge', strike = ['trait:dexterty'], dice = [7] }}\ndice.attack = [6, 3]",
        "step 1 (attack): “trait:dexterty” is not known: write “trait:dexterity”",
    ),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\nstrike = ['trait:wit']\ndice.roll = [2]",
        "step 1 (roll): “trait:wit” is not known: write “trait:wits”",
    ),
    (f"{MISS}waive = ['MQ-ATK-1', 'MQ-LUCK-1']", "step 1 (attack): “waive” names MQ-LUCK-1, which Masquerade does not"),
    (f"{MISS}waive = ['input']", "step 1 (attack): “waive” names input, which Masquerade does not have"),
    (f"{MISS}expect = 3", "step 1 (attack), expect: this should be a table"),
    (f"{MISS}expect.refused = true", "“refused” should be a text"),
    (f"{MISS}refused = 'input'\nexpect.refused = 'MQ-ATK-1'", "step 1 (attack): “refused” is written twice"),
    ("[[steps]]\ndo = 'roll'\nby = 'ana'", "step 1 (roll): “traits” is missing"),
    ("[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = 'dexterity'", "“traits” should be a list of texts"),
    ("[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\ndifficulty = 'hard'", "“difficulty” should be a whole"),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['dexterty']",
        "step 1 (roll): “dexterty” is not known: write “dexterity”",
    ),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\ndifficulty = { of = 'ben', traits = ['wit'] }",
        "step 1 (roll), difficulty: “wit” is not known: write “wits”",
    ),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\nresisted = { by = 'ben', traits = ['wit'] }",
        "step 1 (roll), resisted: “wit” is not known: write “wits”",
    ),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\ndifficulty = { of = 'cy', traits = ['wits'] }",
        "step 1 (roll), difficulty: there is no combatant “cy”",
    ),
    (
        "[[steps]]\ndo = 'roll'\nby = 'ana'\ntraits = ['wits']\nresisted = { by = 'ben' }",
        "step 1 (roll), resisted: “traits” is missing",
    ),
    ("[[steps]]\ndo = 'harm'\nat = 'ben'\namount = 1", "step 1 (harm): “type” is missing"),
    ("[[steps]]\ndo = 'harm'\nat = 'ben'\namount = 1\ntype = 'fire'", "“type” should be one of bashing, lethal"),
    ("[[steps]]\ndo = 'harm'\nat = 'ben'\namount = true\ntype = 'lethal'", "“amount” should be a whole number"),
    ("[[steps]]\ndo = 'heal'\nat = 'ben'\ncare = 'yes'", "“care” should be true or false"),
    ("[[steps]]\ndo = 'spend'\nby = 'ana'", "“resource” is missing"),
    ("[[steps]]\ndo = 'condition'\nat = 'ben'", "say which conditions"),
    (
        "[[steps]]\ndo = 'condition'\nat = 'ben'\nadd = ['stuned']",
        "step 1 (condition): “stuned” is not known: write “stunned”",
    ),
    ("[[steps]]\ndo = 'initiative'\ndice = { ana = [5] }", "no dice are written for ben’s initiative"),
    ("[[steps]]\ndo = 'initiative'\ndice = { ana = [5], ben = [5, 6] }", "dice.initiative.ben: too many dice"),
    ("[[steps]]\ndo = 'initiative'\ndice = { ana = [5], ben = [5] }\ntie = { ben = [3] }", "dice.tie.ben"),
    ("[[steps]]\ndo = 'initiative'\ndice = { cy = [5] }", "there is no combatant “cy”"),
    ("[[steps]]\ndo = 'initiative'\nambushed = ['cy']", "there is no combatant “cy”"),
    (f"{HARM}[[steps]]\ndo = 'undo'\ndice.roll = [2]", "step 2 (undo): dice.roll: dice are written for a roll that"),
    (
        f"{HARM}[[steps]]\ndo = 'undo'\n[[steps]]\ndo = 'redo'\ntie = {{ ana = [2] }}",
        "step 3 (redo): dice.tie.ana: dice are written for a roll that did not happen",
    ),
    ("steps = 3", "“steps” should be a list of tables"),
    ("steps = [3]", "steps 1: this should be a table"),
    ("", "“steps” is missing"),
]

ANA = "[combatants.ana]\n"
BAD_FILES = [
    ("titel = 'x'", "unknown key “titel”"),
    ("title = 3", "“title” should be a text"),
    ("title = 'x'", "“ruleset” is missing"),
    ("ruleset = 'checkers'", "there is no ruleset “checkers” here"),
    ("ruleset = 'masquerade'", "nobody is in this fight"),
    ("ruleset = 'masquerade'\ncombatants = 3", "combatants: this should be a table"),
    ("ruleset = 'masquerade'\n[combatants]\nana = 3", "combatant ana: this should be a table"),
    ("ruleset = 'masquerade'\nrules = ['MQ-LUCK-1']\n[combatants.ana]", "“rules” names MQ-LUCK-1"),
    ("ruleset = 'masquerade'\nkinds = { imp = { like = 'devil' } }\n[combatants.ana]", "kinds: “like”"),
    ("ruleset = 'masquerade'\nkinds = { ghoul = {} }\n[combatants.ana]", "is a kind of Masquerade already"),
    ("ruleset = 'masquerade'\npowers = { imp = { points = 1 } }\n[combatants.ana]", "powers: “imp.points”"),
    ("ruleset = 'masquerade'\npowers = { draw = {} }\n[combatants.ana]", "is an action in Masquerade already"),
    ("ruleset = 'masquerade'\noptions = { luck = true }\n[combatants.ana]", "options: “luck”"),
    ("ruleset = 'masquerade'\noptions = { health_levels = 3 }\n[combatants.ana]", "options: “health_levels”"),
    (f"ruleset = 'masquerade'\n{ANA}armour = []", "combatant ana: unknown key “armour”"),
    (f"ruleset = 'masquerade'\n{ANA}kind = 'ghost'", "combatant ana: “kind” should be one of mortal"),
    (
        f"ruleset = 'masquerade'\n{ANA}traits = {{ wits = -1 }}",
        "combatant ana, traits: “wits” should be a whole number",
    ),
    (f"ruleset = 'masquerade'\n{ANA}traits = {{ wits = 'two' }}", "combatant ana, traits: “wits”"),
    (
        f"ruleset = 'masquerade'\n{ANA}traits = {{ dexterty = 3 }}",
        "combatant ana, traits: “dexterty” is not known: write “dexterity”",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}resources = {{ wilpower = 3 }}",
        "resources: “wilpower” is not known: write “willpower”",
    ),
    (f"ruleset = 'masquerade'\n{ANA}resources = {{ blood = 3, blood_pool = 3 }}", "“blood” is given twice"),
    (f"ruleset = 'masquerade'\n{ANA}health = 'X/.....0'", "“health” is written with"),
    (f"ruleset = 'masquerade'\n{ANA}health = 3", "“health” should be a text in quotes."),
    (f"ruleset = 'masquerade'\n{ANA}health = 'X/......'", "“health” has 8 boxes, and there are 7"),
    (f"ruleset = 'masquerade'\n{ANA}conditions = 'prone'", "“conditions” should be a list"),
    (f"ruleset = 'masquerade'\n{ANA}conditions = ['pronne']", "combatant ana: “pronne” is not known: write “prone”"),
    (f"ruleset = 'masquerade'\n{ANA}weapons = 'knife'", "“weapons” should be a list of tables"),
    (f"ruleset = 'masquerade'\n{ANA}weapons = [{{ mode = 'melee' }}]", "combatant ana, weapons 1: “name” is missing"),
    (f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'knife' }}]", "weapons 1: “mode” is missing"),
    *(
        (
            f"ruleset = '{key}'\n{ANA}traits = {{ health = {boxes} }}",
            f"combatant ana, traits: “health” cannot be {boxes}",
        )
        for key, boxes in (("masquerade", 3), ("apocalypse", 8))
    ),
    *(
        (
            f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'melee', {field} = 'strenght' }}]",
            "combatant ana, weapons 1: “strenght” is not known: write “strength”",
        )
        for field in ("damage_from", "attribute", "ability")
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'melee', damage_from = 'muscles' }}]",
        "combatant ana, weapons 1: “damage_from” should be a Trait",
    ),
    (f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'magic' }}]", "“mode” should be one of unarmed"),
    (f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'melee', weight = 3 }}]", "unknown key “weight”"),
    (f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'melee', range = [1, 2] }}]", "“range” should be"),
    (
        f"ruleset = 'darkness'\n{ANA}weapons = [{{ name = 'x', mode = 'firearm', range = {{ short = 1, long = 4 }} }}]",
        "weapons 1, range: “medium” is missing",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'firearm', form = 'balistic' }}]",
        "weapons 1: “form” should be one of slashing, piercing, bashing, ballistic",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}armor = [{{ name = 'x', covers = ['torso', 'torzo'] }}]",
        "armor 1: “covers” should be a list out of torso, arms, legs, head",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'x', mode = 'firearm', range_long = 2 }}]",
        "“range_short” is missing",
    ),
    (
        f"ruleset = 'darkness'\n{ANA}weapons = [{{ name = 'x', mode = 'firearm', range_short = 1, range_long = 4 }}]",
        "“range_medium” is missing",
    ),
    (
        f"ruleset = 'darkness'\n{ANA}weapons = [{{ name = 'x', mode = 'firearm', range_short = 1, range_medium = 2 }}]",
        "“range_long” is missing",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}armor = [{{ name = 'x', soak = 3 }}]",
        "combatant ana, armor 1: unknown key “soak”",
    ),
    (
        f"ruleset = 'masquerade'\n{ANA}weapons = [{{ name = 'bomb', mode = 'thrown', damage = 9999 }}]\n"
        "[[steps]]\ndo = 'act'",
        "combatants: ",
    ),
    (
        "ruleset = 'wounds'\n[combatants.ana]\nhealth = 'X......'\n[[steps]]\ndo = 'act'",
        "is a list of injury levels, each 1 or more.",
    ),
    (
        "ruleset = 'masquerade'\n[combatants.ana]\nweapons = [{ mode = 'melee' }]\n[[steps]]\ndo = 'act'",
        "name",
    ),
    (
        "ruleset = 'masquerade'\n[combatants.ana]\nweapons = [{ name = '', mode = 'melee' }]\n[[steps]]\ndo = 'act'",
        "name",
    ),
    (
        "ruleset = 'chronicles'\n[combatants.ana]\n[[steps]]\ndo = 'prone'",
        "should be one combatant’s name.",
    ),
    ("title = ", "the file cannot be read"),
    ("a = " + "[" * 20_000, "the file cannot be read"),
]


@pytest.mark.parametrize(("steps", "reason"), BAD_STEPS)
def test_bad_step(play: Play, steps: str, reason: str) -> None:
    heading = HEADING if steps.startswith("[[") or not steps else f"{steps}\n{HEADING}"
    report = play(steps if heading is HEADING else "", heading)

    assert not report.ok
    assert reason in report.failure
    assert report.path.name == "brawl.toml"
    assert "the program itself failed" not in report.failure


@pytest.mark.parametrize(("text", "reason"), BAD_FILES)
def test_bad_file(play: Play, text: str, reason: str) -> None:
    report = play(text, heading="")

    assert not report.ok
    assert reason in report.failure
    assert not report.steps


def test_not_text(tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(b"\xff\xfe\x00")

    assert play_file(path).failure == "the file cannot be read: it is not UTF-8 text."
    assert play_file(path).title == "noise"


def test_no_such_file(tmp_path: Path) -> None:
    assert play_file(tmp_path / "gone.toml").failure.startswith("the file cannot be read: No such file")


def test_what_was_played_before_a_fault_is_kept(play: Play) -> None:
    report = play(f"{MISS}{STEP}dice.attack = [2]")

    assert [step.do for step in report.steps] == ["attack"]
    assert report.failure.startswith("step 2 (attack): dice.attack: too few dice")
    assert report.as_json()["steps"][-1] == {"do": "", "result": {}, "mismatch": report.failure}


def test_dice_that_do_not_fit_are_told_with_what_their_pool_is_made_of(play: Play) -> None:
    report = play(f"{STEP}dice.attack = [2]")

    assert report.failure == (
        "step 1 (attack): dice.attack: too few dice: ana’s attack against ben (2 dice) takes 2, 1 is left. "
        "The pool: Dexterity 2; Brawl, untrained 0."
    )


def test_of_several_targets_each_has_its_pool(play: Play) -> None:
    heading = """
ruleset = "chronicles"
[combatants.ana]
traits = { dexterity = 3, firearms = 3 }
weapons = [{ name = "SMG", mode = "firearm", damage = 2, clip = 30, rounds = 30, automatic = true }]
[combatants.ben]
[combatants.cy]
conditions = ["prone"]
"""
    burst = "[[steps]]\ndo = 'attack'\nby = 'ana'\nat = ['ben', 'cy']\nwith = 'SMG'\nmods = ['medium_burst']\n"
    report = play(f"{burst}dice.attack = {{ ben = [2, 2, 2, 2, 2, 2], cy = [2, 2, 2, 2, 2] }}", heading)

    assert report.failure.startswith("step 1 (attack): dice.attack.cy: too many dice: 5 are written, 4 were rolled.")
    assert "The pool against ben: Dexterity 3; Firearms 3; 2 targets -2; Medium burst 2." in report.failure
    assert "The pool against cy: Dexterity 3; Firearms 3; Prone, from a distance -2; 2 targets -2;" in report.failure


def test_what_has_no_pool_of_traits_is_told_without_one(play: Play) -> None:
    report = play(f"{STEP}dice = {{ attack = [6, 7], damage = [6, 6, 6, 6], soak = [2, 2, 2] }}")

    assert report.failure.startswith("step 1 (attack): dice.damage: too many dice")
    assert "The pool" not in report.failure


def test_dice_that_do_not_fit_are_told_where_others_tie(play: Play) -> None:
    """WD-DELAY-2: two who waited for the same moment roll until they differ."""
    heading = 'ruleset = "darkness"\n[combatants.ana]\n[combatants.ben]\n[combatants.cy]\ntraits = { defense = 0 }\n'
    begin = "[[steps]]\ndo = 'initiative'\ndice = { ana = [9], ben = [5], cy = [1] }\n"
    waits = "".join(f"[[steps]]\ndo = 'delay'\nby = '{who}'\n" for who in ("ana", "ben"))
    punch = "[[steps]]\ndo = 'attack'\nby = '{}'\nat = 'cy'\ndice.attack = [{}]\n"
    tie = "tie = { ana = [3], ben = [8] }\n"
    steps = f"{begin}{waits}[[steps]]\ndo = 'act'\n{punch.format('ana', 2)}{punch.format('ben', '2, 3')}{tie}"
    report = play(steps, heading)

    assert report.failure == (
        "step 6 (attack): dice.attack: too many dice: 2 are written, 1 were rolled. "
        "The pool: Strength 2; Brawl, untrained -1."
    )


@pytest.mark.parametrize("refused", [True, False])
def test_what_comes_to_nothing_with_other_dice_is_told_without_a_pool(
    play: Play, monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    """The file's dice lead to a refusal where others would not: that is not blamed on anybody."""
    from rules.scenario import play as playing

    def nothing(*given: Any) -> Any:
        if not isinstance(given[3], AnyDice):
            return decide(*given)
        assert given[3].pick(3) == 0
        if refused:
            raise RuleViolation("input", "Not with these.")
        return ()

    monkeypatch.setattr(playing, "decide", nothing)
    report = play(f"{STEP}dice.attack = [2]")

    assert report.failure.startswith("step 1 (attack): dice.attack: too few dice")
    assert "The pool" not in report.failure


def test_a_fault_of_the_program_while_it_reads_is_a_failure_too(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rules.scenario.reading.read", fail)

    assert "the program itself failed: ZeroDivisionError" in play(MISS).failure


def test_a_fault_of_the_program_is_a_failure_too(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rules.scenario.play.decide", fail)

    assert "the program itself failed: ZeroDivisionError" in play(MISS).failure


def test_what_says_how_it_is_anyway_may_stand_there(play: Play) -> None:
    """Seven boxes are the default; a Trait of their own adds to damage if they have it."""
    for ruleset in ("masquerade", "apocalypse"):
        heading = f"ruleset = '{ruleset}'\n[combatants.ana]\n"
        more = "weapons = [{ name = 'x', mode = 'melee', damage_from = 'might', ability = 'juggling' }]\n"
        report = play("traits = { health = 7, might = 2 }\n" + more + "[combatants.ben]\n" + HARM, heading=heading)
        assert report.ok, report.failure
