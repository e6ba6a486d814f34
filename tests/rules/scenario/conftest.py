"""A short fight to break in many ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rules.scenario.play import Report, play_file

HEADING = """
title = "A brawl"
ruleset = "masquerade"
[combatants.ana]
kind = "vampire"
traits = { dexterity = 2, strength = 2, willpower = 3 }
weapons = [{ name = "pistol", mode = "firearm", damage = 4, type = "lethal", range = 20, clip = 17 }]
[combatants.ben]
traits = { stamina = 2 }
armor = [{ name = "jacket", rating = 1 }]
"""

Play = Callable[..., Report]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """play(steps) -> the result of the brawl with these steps; play(text, heading="") of a whole file."""

    def run(steps: str, heading: str = HEADING) -> Report:
        path = tmp_path / "brawl.toml"
        path.write_text(heading + steps, encoding="utf-8")
        return play_file(path)

    return run
