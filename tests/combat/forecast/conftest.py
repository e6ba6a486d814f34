"""Forecasts in tests: few fights, in a folder of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campaigns import workers
from combat.desk.forecast import runs

FEW = 10


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """The folder of all forecasts."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "forecasts"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts of a few fights, played in this process when they are started."""
    monkeypatch.setattr(runs, "STEPS", (FEW,))
    monkeypatch.setattr(runs, "RESTS", 0)
    monkeypatch.setattr(workers, "start", lambda folder, *_command: runs.play(folder))
