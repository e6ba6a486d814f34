"""Other shapes: their effect on Traits and health boxes (AP-SHAPE-1, WD-SHAPE-1)."""

from __future__ import annotations

import pytest

from rules.model.gear import Damage
from rules.model.kinds import read_kinds
from rules.model.plan import Part
from rules.model.sheet import Sheet
from rules.model.state import Status
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.shared.classic_sheets import garou_shapes
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.sheets import werewolf_shapes
from rules.topics.commands import End, Harm, Leave, ReviseSheet, TakeAction
from rules.topics.events import ShapeChanged
from tests.rules.table import Table, mortal, only

SHAPES = {shape.key: shape for shape in garou_shapes("AP-SHAPE-1")}
WOLVES = {shape.key: shape for shape in werewolf_shapes("WD-SHAPE-1")}


def into(shape, **figures):
    return TakeAction("shape", "ann", figures={"shape": shape, **figures})


def garou(marks="", **written):
    return mortal(marks, kind="garou", **written)


@pytest.mark.parametrize(
    ("shape", "strength", "dexterity", "stamina", "manipulation", "appearance"),
    [
        ("homid", 2, 2, 2, 2, 2),
        ("glabro", 4, 2, 4, 1, 1),
        ("crinos", 6, 3, 5, 0, 0),
        ("hispo", 5, 4, 5, 0, 2),
        ("lupus", 3, 4, 4, 0, 2),
    ],
)
def test_the_shapes_of_a_garou(shape, strength, dexterity, stamina, manipulation, appearance):
    """AP-SHAPE-1, MQ-SHAPE-1: with two dots each, and never below zero."""
    names = ("strength", "dexterity", "stamina", "manipulation", "appearance")
    one = Sheet("", "garou", dict.fromkeys(names, 2), shape=SHAPES[shape])
    found = [APOCALYPSE.layout.dots(one, name) for name in names]
    assert found == [strength, dexterity, stamina, manipulation, appearance]
    assert SHAPES[shape].own is (shape == "homid")


@pytest.mark.parametrize(("shape", "count", "fast"), [("homid", 7, 9), ("crinos", 11, 13), ("hispo", 10, 16)])
def test_boxes_and_speed_follow_the_shape(shape, count, fast):
    """WD-SHAPE-1, WD-HEALTH-1, WD-GEAR-1: Stamina, Strength and Dexterity 2, Size 5."""
    one = Sheet("", "garou", shape=WOLVES[shape])
    assert len(DARKNESS.health.levels(one)) == count
    assert speed(one, DARKNESS.layout) == fast


def test_the_change_is_a_part_of_its_own():
    """AP-SHAPE-1."""
    part, layout = Part("trait:strength", "Strength", "AP-ATK-1", dice=3), APOCALYPSE.layout
    traits = {"strength": 3, "wits": 2}
    assert [each.dice for each in layout.parts(Sheet("", "garou", traits), "strength", part)] == [3]
    wolf = Sheet("", "garou", traits, shape=SHAPES["crinos"])
    told = [(each.label, each.rule, each.dice) for each in layout.parts(wolf, "strength", part)]
    assert told == [("Strength", "AP-ATK-1", 3), ("Crinos", "AP-SHAPE-1", 4)]
    assert len(layout.parts(wolf, "wits", Part("trait:wits", "Wits", "AP-ATK-1", dice=2))) == 1


def test_nobody_leaves_a_fight_in_a_changed_shape():
    """AP-SHAPE-1: at the end everybody changes back, with their own body's boxes."""
    table = Table(DARKNESS, ann=garou(), bob=mortal())
    table.does(into("crinos"))
    table.does(Harm("ann", 8, Damage.BASHING))
    table.does(End())
    assert table.state.status is Status.ENDED
    assert table.sheet("ann").shape is None
    assert table.health("ann") == "X//////"


def test_damage_that_the_own_body_does_not_hold_keeps_somebody_in_the_fight():
    """WD-SHAPE-1."""
    table = Table(DARKNESS, ann=garou("///////"), bob=mortal())
    table.does(into("crinos"))
    sheet = DARKNESS.health.inflict(table.sheet("ann"), 1, Damage.BASHING)
    table.does(ReviseSheet("ann", sheet))
    assert table.sheet("ann").shape == WOLVES["crinos"]
    table.refuses("input", Leave("ann"))
    table.does(into("homid", free=True))
    table.does(Leave("ann"))


def test_a_shape_of_a_kind_of_the_chronicles_own():
    """MQ-SHAPE-1: a kind based on Garou has a Garou's shapes."""
    kinds = read_kinds({"kin": {"label": "Kin", "like": "garou"}, "imp": {"label": "Imp"}}, MASQUERADE.kinds)
    table = Table(MASQUERADE.with_kinds(kinds), ann=mortal(kind="kin"), bob=mortal(kind="imp"))
    assert only(ShapeChanged, table.does(into("crinos"))).label == "Crinos"
    table.refuses("input", into("crinos"))
    table.refuses("input", TakeAction("shape", "bob", figures={"shape": "crinos"}))
