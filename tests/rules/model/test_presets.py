"""Ready-made rolls (MQ-DICE-8)."""

from __future__ import annotations

import pytest

from rules.model.presets import Preset, parse_preset
from rules.systems.classic.masquerade.system import MASQUERADE

LAYOUT = MASQUERADE.layout


def test_the_roll_builder_offers_these():
    """MQ-DICE-8."""
    assert MASQUERADE.ready_rolls() == (
        Preset("Formal dinner", ("dexterity", "etiquette"), 8),
        Preset("Shelter before dawn", ("wits", "survival"), 7),
        Preset("Sleight with a knife", ("dexterity", "subterfuge"), against=("perception", "alertness")),
        Preset("Staring down", ("charisma", "intimidation"), resisted=("charisma", "intimidation")),
        Preset("Three-day chant", ("stamina", "occult"), 9),
        Preset("Boarding up a haven", ("wits", "crafts"), 7),
        Preset("Finding a file", ("perception", "finance"), 6),
        Preset("Hefting a safe", ("strength",), 6),
    )


def test_a_chronicle_can_add_its_own():
    """MQ-DICE-8."""
    own = MASQUERADE.with_options({"own_rolls": [" Picking a lock:dexterity +SECURITY"]})
    assert own.ready_rolls()[-1] == Preset("Picking a lock", ("dexterity", "security"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Picking a lock",
        ": Wits, 6",
        "Jump: ",
        "Jump: Wits, 1",
        "Jump: Wits, 11",
        "Jump: Wits, many",
        "Jump: Levitation, 6",
        "Jump: Generation, 6",
        "Jump: Wits + Crafts + Brawl, 6",
        "Jump: Wits +, 6",
        "Jump: Wits against Luck",
        "Jump: Wits resisted by Luck",
    ],
)
def test_a_line_that_describes_no_roll_is_refused(line):
    with pytest.raises(ValueError, match=r"\.$"):
        parse_preset(line, LAYOUT)
