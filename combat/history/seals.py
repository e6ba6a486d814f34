"""The seals that a log had before, for its report: somebody may have noted them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from combat.log.reseal import Why
from combat.log.seal import shown
from combat.models import Encounter, LogRow


@dataclass(frozen=True, slots=True)
class EarlierSeal:
    """A seal as it was shown, until when, and whether an import replaced it (otherwise the removal of a name)."""

    seal: str
    until: datetime
    imported: bool


def earlier_seals(encounter: Encounter) -> Mapping[str, tuple[EarlierSeal, ...]]:
    """By the seal that a row shows now, those it had before, oldest first."""
    kept = encounter.earlier_seals
    if not kept:
        return {}
    rows = LogRow.objects.filter(encounter=encounter, seq__in={each["rows"] for each in kept})
    now = {seq: shown(seal) for seq, seal in rows.values_list("seq", "seal")}
    found = dict[str, tuple[EarlierSeal, ...]]()
    for each in kept:
        if each["rows"] in now:
            was = EarlierSeal(shown(each["seal"]), datetime.fromisoformat(each["at"]), each["why"] == Why.IMPORTED)
            key = now[each["rows"]]
            found[key] = (*found.get(key, ()), was)
    return found
