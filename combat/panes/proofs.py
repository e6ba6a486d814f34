"""Links to the log entries that prove awards of experience, for readers who may see them."""

from __future__ import annotations

from django.urls import reverse

from campaigns.models import Membership
from combat.history import records
from combat.models import Encounter
from combat.panes.build import whole_log
from combat.secrecy.access import audience_of


def proof_address(reader: Membership, proof: str) -> str:
    """The URL of the entry in its fight's report; "" for one that the reader may not see, or outside fights."""
    encounter_id, token, *_more = (*proof.split(":"), "")
    fights = Encounter.objects.fights().filter(chronicle=reader.chronicle_id, pk=encounter_id)
    fight = fights.select_related("chronicle").first()
    if fight is None or not (reader.is_storyteller or fight.visible_to_players):
        return ""
    if all(entry.id != token for entry in whole_log(records.read(fight), audience_of(reader))):
        return ""
    return f"{reverse('combat:report', args=[fight.pk])}#entry-{token}"
