"""The parts of a fight that are reset when a backup is restored, because time has passed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combat.panes import versions


def anew(clocks: Mapping[str, float | None]) -> dict[str, Any]:
    """New values for the fields of a fight with these clocks.

    Versions start over, because open pages have seen some that are lost. Running clocks are dropped, so that nobody
    runs out of time while they couldn't answer; the next command starts them again (:func:`combat.log.clocks.kept`).
    Paused clocks stay paused.
    """
    stopped = {question: due for question, due in clocks.items() if due is None}
    return {"versions": versions.anew(), "clocks": stopped}
