"""Which prepared reinforcements still wait outside a fight, as its log says."""

from __future__ import annotations

from django.db.models import QuerySet

from campaigns.prepared import Param, Prepared
from combat.models import Encounter, Kind, LogRow, Reinforcement
from combat.secrecy.fight import Waiting


@Prepared
def _prepared() -> QuerySet[Reinforcement]:
    """Everything prepared for a fight."""
    return Reinforcement.objects.filter(encounter=Param("encounter", Encounter))


def still_waiting(encounter_id: str, seq: int) -> list[Reinforcement]:
    """The reinforcements that wait after the row of this number: those that no row has brought in, or one undone."""
    found = _prepared.all(encounter=encounter_id)
    joined = [each.joined for each in found if each.joined is not None and each.joined <= seq]
    marks = dict[int | None, str]()
    if joined:
        rows = LogRow.objects.filter(encounter_id=encounter_id, target__in=joined, seq__lte=seq).order_by("seq")
        marks.update(rows.values_list("target", "kind"))
    return [each for each in found if each.joined not in joined or marks.get(each.joined) == Kind.UNDO]


def waiting(encounter_id: str, seq: int) -> tuple[Waiting, ...]:
    """The same for the Storytellers' view."""
    return tuple(
        Waiting(each.pk, each.label, tuple(each.words.splitlines()), each.hidden, each.mask, each.side)
        for each in still_waiting(encounter_id, seq)
    )
