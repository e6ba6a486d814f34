"""The service that makes a character from a file."""

from __future__ import annotations

from dataclasses import replace

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.errors import Refused
from campaigns.models import Membership, User
from characters import services
from characters.incoming.arrival import Arrival
from characters.models import Cause, Character
from characters.services import Carried
from characters.writers import present


@transaction.atomic
def bring_in(*, by: Membership, owner: User | None, arrival: Arrival, key: str) -> Character:
    """Create the character that a file brings, with the rows of the tables that it needs: all of it or nothing.

    An idempotency key that was used before returns the character made with it. Raises as `create_character`, and
    `PermissionDenied` for rows that a player's file needs.
    """
    by = present(by)
    made = services.made_with(by, key)
    if made is None:
        _make_rows(by, arrival)
    sheet = replace(
        arrival.sheet,
        weapons=[Carried(each.row.pk or 0, each.name, each.rounds, each.fault) for each in arrival.weapons],
        armor=[Carried(each.row.pk or 0, each.name, destroyed=each.destroyed) for each in arrival.armor],
    )
    character = services.create_character(
        by=by, owner=owner, sheet=sheet, key=key, cause=Cause.IMPORT, reason=arrival.source
    )
    if made is None and arrival.portrait is not None:
        services.set_portrait(by=by, character=character, picture=arrival.portrait)
    return character


def _make_rows(by: Membership, arrival: Arrival) -> None:
    rows = arrival.makes
    if rows and not by.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can change the weapons and armour."))
    try:
        with transaction.atomic():
            for row in rows:
                row.save()
    except IntegrityError:
        raise Refused(_("Somebody else changed the table just now. Bring the file in again.")) from None
    if rows:
        services.tell_table(ruleset=by.chronicle.ruleset, chronicle_id=by.chronicle_id)
