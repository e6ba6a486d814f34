"""The policies chosen for a fight: they are there next week, and once the draft is a fight."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from campaigns.access import check_still_storyteller
from campaigns.models import Membership
from combat.models import Encounter, ForecastPolicies
from rules.forecast.policies import POLICIES


def policies_of(encounter: Encounter) -> dict[str, str]:
    """The keys of the policies chosen, by combatant; without policies that this version doesn't have."""
    kept = ForecastPolicies.objects.filter(encounter=encounter).first()
    return {who: key for who, key in kept.chosen.items() if key in POLICIES} if kept else {}


@transaction.atomic
def keep_policies(*, by: Membership, encounter: Encounter, chosen: Mapping[str, str]) -> None:
    """Replace the policies of a fight."""
    check_still_storyteller(by)
    ForecastPolicies.objects.update_or_create(encounter=encounter, defaults={"chosen": dict(chosen)})
