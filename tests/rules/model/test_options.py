"""House rules are validated before anybody plays by them (MQ-HEALTH-1, MQ-VAMP-1, MQ-DICE-8)."""

from __future__ import annotations

import pytest

from rules.model.options import BadOption, Option, OptionKind, check_options
from rules.systems.classic.masquerade.system import MASQUERADE

OPTIONS = (
    Option("switch", "Switch", OptionKind.SWITCH, False, "X-1"),
    Option("number", "Number", OptionKind.NUMBER, 3, "X-2", minimum=1, maximum=5),
    Option("any", "Any", OptionKind.NUMBER, 0, "X-2"),
    Option("choice", "Choice", OptionKind.CHOICE, "a", "X-3", choices=(("a", "A"), ("b", "B"))),
    Option("levels", "Levels", OptionKind.LEVELS, (("Out", None),), "X-4"),
    Option("lines", "Lines", OptionKind.LINES, (), "X-5"),
    Option("numbers", "Numbers", OptionKind.LINES, (), "X-6", check=int),
)


def test_what_is_not_given_is_the_default():
    assert check_options(OPTIONS, {}) == {option.key: option.default for option in OPTIONS}


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("switch", True, True),
        ("number", 1, 1),
        ("number", 5, 5),
        ("any", -(10**20), -(10**20)),
        ("choice", "b", "b"),
        ("levels", [[" Fine ", 0], ("Out", None)], (("Fine", 0), ("Out", None))),
        ("levels", [["Bad", -10]], (("Bad", -10),)),
        ("lines", ["one", "two"], ("one", "two")),
        ("numbers", ["1", "2"], ("1", "2")),
    ],
)
def test_a_value_that_can_be_is_kept(key, value, kept):
    assert check_options(OPTIONS, {key: value})[key] == kept


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("unknown", 1),
        ("switch", 1),
        ("switch", "on"),
        ("number", 0),
        ("number", 6),
        ("number", "3"),
        ("number", True),
        ("number", 2.5),
        ("choice", "c"),
        ("choice", None),
        ("choice", []),
        ("levels", "Bruised 0"),
        ("levels", []),
        ("levels", [("x", 0)] * 21),
        ("levels", None),
        ("levels", ["ab"]),
        ("levels", [("a", 0, 0)]),
        ("levels", [7]),
        ("levels", [("", 0)]),
        ("levels", [("   ", 0)]),
        ("levels", [("x" * 31, 0)]),
        ("levels", [(5, 0)]),
        ("levels", [("a", 1)]),
        ("levels", [("a", -11)]),
        ("levels", [("a", True)]),
        ("levels", [("a", "0")]),
        ("lines", "one"),
        ("lines", 5),
        ("lines", [5]),
        ("lines", ["x" * 10_000]),
        ("lines", ["x"] * 1000),
        ("numbers", ["one"]),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_its_key(key, value):
    with pytest.raises(BadOption) as refusal:
        check_options(OPTIONS, {key: value})
    assert refusal.value.key == key
    assert refusal.value.message.endswith((".", "'"))


def test_a_chronicle_plays_by_its_own_house_rules():
    """MQ-VAMP-1: off by default."""
    assert MASQUERADE.settings["vampires_shrug_off_blunt_force"] is False
    assert MASQUERADE.with_options({"vampires_shrug_off_blunt_force": True}).settings["vampires_shrug_off_blunt_force"]
    with pytest.raises(BadOption):
        MASQUERADE.with_options({"own_rolls": ["nonsense"]})


def test_every_house_rule_names_a_rule():
    assert all(option.rule in MASQUERADE.book.rules for option in MASQUERADE.options)
