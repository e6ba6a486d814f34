"""Injuries, wound levels and scars, set by the Storyteller or caused by blows."""

import pytest

from rules.model.gear import Damage
from rules.model.health import HealthLevel
from rules.model.options import BadOption
from rules.model.sheet import Injury, Scar, Sheet
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.wound_levels.injuries import wound_level
from rules.systems.wound_levels.system import WOUNDS
from rules.systems.wound_levels.table import WoundTable
from rules.topics.commands import Harm, Heal, Join, Newcomer, ReviseSheet, SetHealth, SetVisibility
from rules.topics.events import Healed, InjuriesMarked
from tests.rules.systems.wound_levels.cast import AXE, hurt, levels, table
from tests.rules.table import Table, mortal, only

HEALTH = WOUNDS.health


@pytest.mark.parametrize(
    ("injuries", "level", "penalty", "hindrance", "follows", "word"),
    [
        ((), 0, 0, 0, set(), "unhurt"),
        ((2,), 2, 0, 0, set(), "hurt"),
        ((2, 1), 3, -1, -1, set(), "hurt"),
        ((4,), 4, -1, -1, set(), "badly hurt"),
        ((3, 3, 3), 5, -2, -2, set(), "badly hurt"),
        ((7,), 7, None, -3, {"incapacitated"}, "down"),
        ((5, 1, 1, 1, 1), 9, None, -3, {"incapacitated"}, "down"),
        ((10,), 10, None, -3, {"dead"}, "dead"),
    ],
)
def test_what_a_wound_level_does(injuries, level, penalty, hindrance, follows, word):
    """WL-DMG-3, WL-DMG-5."""
    sheet = hurt(*injuries)
    assert wound_level(sheet) == HEALTH.come_to(sheet) == level
    assert HEALTH.penalty(sheet) == penalty
    assert HEALTH.hindrance(sheet) == hindrance
    assert HEALTH.follows(sheet) == follows
    assert HEALTH.word(sheet) == word
    shown = HEALTH.level(sheet)
    assert shown == (HealthLevel(f"wound level {level}", penalty) if level else None)


def test_a_table_on_which_nobody_falls_still_tells_hurt_from_badly_hurt():
    """WL-DMG-5."""
    mild = WOUNDS.with_options({"wound_levels": [[1, -1, ""]]})
    assert mild.health.word(hurt(3)) == "hurt"
    assert mild.health.word(hurt(50)) == "badly hurt"


def test_a_kind_that_feels_no_wounds_loses_no_dice():
    """WL-DMG-5: being out of action still counts."""
    from rules.model.kinds import read_kind

    numb = read_kind("golem", {"label": "Golem", "like": "mortal", "feels_wounds": False}, WOUNDS.kinds)
    golems = WOUNDS.with_kinds([numb])
    assert golems.health.penalty(hurt(5, kind="golem")) == 0
    assert golems.health.penalty(hurt(7, kind="golem")) is None


def test_a_blow_is_kept_with_what_caused_it_and_leaves_its_scar():
    """WL-DMG-2, WL-SCAR-1."""
    game = table(ann=hurt(strength=3, melee=2, weapons=(AXE,)), bob=hurt(stamina=5))
    game.attacks("ann", "bob", "axe", attack=[6, 6, 6, 2, 2])
    assert game.sheet("bob").injuries == (Injury(4, "axe"),)
    assert game.sheet("bob").scars == (Scar(4, "axe", 1, "r1"),)
    game.does(Harm("bob", 5, Damage.LETHAL, why="a fall"))
    assert game.sheet("bob").injuries == (Injury(5, "a fall"), Injury(4, "axe"))
    assert game.sheet("bob").scars[1:] == (Scar(5, "a fall", 1),)


def test_what_a_hidden_attacker_did_it_with_is_not_written_on_the_sheet():
    """WL-DMG-2: the injury is, but not its secret cause; nor a masked attacker's name."""
    game = table(
        ann=hurt(strength=3, melee=2, weapons=(AXE,)),
        cy=hurt(strength=3, melee=2, weapons=(AXE,)),
        bob=hurt(stamina=5),
    )
    game.does(SetVisibility("ann", hidden=True))
    game.attacks("ann", "bob", "axe", attack=[6, 6, 6, 2, 2])
    assert game.sheet("bob").injuries == (Injury(4),)
    assert game.sheet("bob").scars[0].cause == ""
    game.does(SetVisibility("cy", mask="a tall man"))
    game.does(ReviseSheet("cy", Sheet("Cy", traits={"strength": 2}, weapons=(AXE.__class__("Cy's axe", AXE.mode),))))
    game.attacks("cy", "bob", "Cy's axe", attack=[6, 6])
    assert Injury(2, "melee") in game.sheet("bob").injuries


def test_bare_hands_are_told_as_such():
    """WL-WPN-1."""
    game = table(ann=hurt(strength=3, brawl=1), bob=hurt())
    game.attacks("ann", "bob", attack=[5, 5, 5, 2])
    assert game.sheet("bob").injuries == (Injury(2, "bare hands"),)


def test_healing_one_injury_or_lowering_it():
    """WL-DMG-4."""
    game = table(bob=hurt(5, 2, 2))
    told = game.does(Heal("bob", 4))
    assert only(Healed, told).healed == {"levels": 4}
    assert levels(game, "bob") == (2, 2, 1)
    game.does(Heal("bob", injury=2))
    assert levels(game, "bob") == (2, 1)
    for command in (Heal("bob", injury=0), Heal("bob", injury=3), Heal("bob", 0), Heal("bob", hours=8)):
        game.refuses("input", command)


def test_the_storyteller_puts_the_injuries():
    """WL-DMG-2."""
    game = table(bob=hurt(1))
    told = game.does(SetHealth("bob", injuries=(Injury(1), Injury(7, "a lorry"))))
    assert only(InjuriesMarked, told).injuries == (Injury(7, "a lorry"), Injury(1))
    assert game.conditions("bob") == {"incapacitated"}
    game.does(SetHealth("bob"))
    assert (levels(game, "bob"), game.conditions("bob")) == ((), set())
    for injuries in ((Injury(0),), (Injury(101),), (Injury(1, "x" * 81),), (Injury(1),) * 101):
        game.refuses("input", SetHealth("bob", injuries=injuries))
    game.refuses("input", SetHealth("bob", (Damage.LETHAL,)))


def test_boxes_and_injuries_do_not_mix():
    """WL-DMG-2."""
    game = table(bob=hurt())
    game.refuses("input", Join((Newcomer("cy", mortal("X")),)))
    boxed = Table(MASQUERADE, ann=mortal())
    boxed.refuses("input", Join((Newcomer("cy", hurt(3)),)))
    boxed.refuses("input", SetHealth("ann", injuries=(Injury(1),)))


def test_there_are_no_boxes_and_nothing_heals_by_itself():
    """WL-DMG-4."""
    sheet = hurt(3)
    assert HEALTH.levels() == ()
    assert HEALTH.inflict(sheet, 0, Damage.LETHAL) is sheet
    assert HEALTH.remove(sheet, 3, Damage.LETHAL) == (sheet, 0)
    assert HEALTH.turn_end(sheet) == (sheet, {})
    assert not HEALTH.by_blood(sheet)
    assert HEALTH.fitted(sheet) is sheet


def test_the_dead_are_not_stunned_as_well():
    """WL-STUN-1."""
    game = table(bob=hurt(stamina=2))
    game.does(Harm("bob", 9, Damage.LETHAL))
    assert game.conditions("bob") == {"incapacitated", "stunned"}
    game.does(Harm("bob", 10, Damage.LETHAL))
    assert game.conditions("bob") == {"dead", "stunned"}
    fresh = table(bob=hurt(stamina=2))
    fresh.does(Harm("bob", 10, Damage.LETHAL))
    assert fresh.conditions("bob") == {"dead"}


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "Enter 1 to 20"),
        ("3: -1", "Enter 1 to 20"),
        ([[3, -1]], "On each line"),
        ([["3", -1, ""]], "A wound level must"),
        ([[0, -1, ""]], "A wound level must"),
        ([[100, -1, ""]], "A wound level must"),
        ([[True, -1, ""]], "A wound level must"),
        ([[3, 1, ""]], "The penalty"),
        ([[3, -11, ""]], "The penalty"),
        ([[3, False, ""]], "The penalty"),
        ([[3, -1, "asleep"]], "Level 3: leave"),
        ([[3, -1, ""], [3, -2, ""]], "is listed after"),
        ([[3, -2, ""], [4, -1, ""]], "smaller penalty"),
        ([[3, -2, "dead"], [4, -2, ""]], "can’t be milder"),
    ],
)
def test_a_table_of_wound_levels_that_cannot_be(rows, why):
    """WL-DMG-5."""
    with pytest.raises(BadOption, match=why):
        WOUNDS.with_options({"wound_levels": rows})


@pytest.mark.parametrize(
    ("row", "line"), [((3, -1, ""), "3: -1"), ((7, -3, "incapacitated"), "7: -3 incapacitated"), ((1, 0, ""), "1: 0")]
)
def test_a_row_of_wound_levels_is_a_line(row, line):
    assert WoundTable().written(row) == line
    assert WoundTable().read(line) == row


def test_a_line_that_is_no_row():
    with pytest.raises(ValueError, match="Write the level, its dice penalty and its effect"):
        WoundTable().read("dead at 7")


def test_a_table_of_wound_levels_that_can_be():
    """WL-DMG-5: the highest possible level and penalty, and a single line."""
    rows = ((1, 0, ""), (99, -10, "dead"))
    assert WOUNDS.with_options({"wound_levels": [list(row) for row in rows]}).settings["wound_levels"] == rows


def test_harm_is_told_as_one_injury():
    assert WOUNDS.health.one_by_one.harm(3) == "a level 3 injury"


def test_where_severe_injuries_begin():
    """WL-DMG-4."""
    assert [level for level in range(1, 8) if WOUNDS.health.severe(Injury(level))] == [4, 5, 6, 7]
    tough = WOUNDS.with_options({"severe_from": 6})
    assert [level for level in range(1, 8) if tough.health.severe(Injury(level))] == [6, 7]
