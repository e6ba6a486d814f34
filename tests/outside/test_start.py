"""Vesper starts with the valid rulesets, and reports the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.rules.systems.packages import install

ROOT = Path(__file__).parents[2]


def manage(folder, tmp_path, *arguments):
    more = {"PYTHONPATH": str(folder), "VESPER_DATA": str(tmp_path / "data"), "PYTHONWARNINGS": "default"}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **more}, capture_output=True, text=True, check=True)


def test_vesper_starts_with_what_is_sound_and_names_the_package_that_is_not(tmp_path):
    folder = install(tmp_path / "there", code="SYSTEM = replace(SYSTEM, kinds={})")
    install(folder, "draughts", key="draughts", prefix="DR")
    said = manage(folder, tmp_path, "check").stderr
    assert "campaigns.W001" in said
    assert "The ruleset “checkers” of checkers 1.2 was rejected: it has no kind of creature “mortal”." in said
    assert "draughts" not in said
    scenario = tmp_path / "empty.toml"
    steps = '[combatants.ada]\n[[steps]]\ndo = "end_turn"\n'
    scenario.write_text(f'title = "A turn"\nruleset = "draughts"\nrules = ["DR-ONE-1"]\n{steps}')
    assert "ok" in manage(folder, tmp_path, "scenario", str(scenario)).stdout
