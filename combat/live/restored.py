"""What of a fight is not taken as it stands in a backup that is put back, since time has gone on meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combat.panes import versions


def anew(clocks: Mapping[str, float | None]) -> dict[str, Any]:
    """The fields of a fight with these clocks that begin anew, as they are to be written.

    Open pages have seen versions of the time that is lost. And nobody is to have let their time run out who could not
    answer: it begins again with the next thing that happens (:func:`combat.log.clocks.kept`), but where it was
    stopped.
    """
    stopped = {question: due for question, due in clocks.items() if due is None}
    return {"versions": versions.anew(), "clocks": stopped}
