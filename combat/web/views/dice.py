"""Dice statistics, for those who swear that the dice hate them: how often each face fell, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns import access as tables
from campaigns.models import Membership, User
from campaigns.people import told_apart
from characters.models import Character
from combat.history import records
from combat.history.faces import ENOUGH, Fallen, Tally, fallen_in, tally
from combat.history.reveal import as_seen_by
from combat.models import Encounter, Status
from combat.panes import versions
from combat.panes.build import reader_of
from combat.secrecy.access import audience_of


@login_required
@require_safe
def page(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """The dice of all fights and rolls of a chronicle that the reader saw."""
    membership = tables.member_or_404(request.user, chronicle_id)
    tables.check_playable(membership.chronicle)
    context = {"chronicle": membership.chronicle, "tallies": list(_tallies(membership)), "enough": ENOUGH}
    return render(request, "combat/history/dice.html", context)


def _tallies(membership: Membership) -> Iterator[Tally]:
    """A tally for each player, one for the Storyteller's characters, and one for everybody."""
    fallen = [each for log in _logs(membership) for each in _fallen(log, audience_of(membership))]
    played = Character.objects.filter(chronicle_id=membership.chronicle_id, owner__isnull=False)
    players = {character.pk: character.owner for character in played.select_related("owner")}
    told_apart(membership.chronicle_id, players.values())
    theirs, storytellers = dict[User, list[Fallen]](), list[Fallen]()
    for each in fallen:
        player = players.get(each.character)
        (theirs.setdefault(player, []) if player else storytellers).append(each)
    for player in sorted(theirs, key=lambda one: one.display_name.casefold()):
        yield tally(player.display_name, theirs[player])
    if storytellers:
        yield tally(_("The Storyteller’s characters"), storytellers)
    if len(theirs) + bool(storytellers) > 1:
        yield tally(_("All together"), fallen)


def _logs(membership: Membership) -> list[Encounter]:
    logs = Encounter.objects.filter(chronicle_id=membership.chronicle_id, seq__gt=0).exclude(status=Status.DRAFT)
    return list(logs.select_related("chronicle").order_by("created", "pk"))


def _fallen(encounter: Encounter, audience: str) -> tuple[Fallen, ...]:
    return _counted(encounter, audience, encounter.seq, versions.version_of(encounter, audience))


@lru_cache(maxsize=200)
def _counted(encounter: Encounter, audience: str, _seq: int, _version: int) -> tuple[Fallen, ...]:
    # The count is valid until the log grows or the audience's view changes.
    fight = as_seen_by(records.read(encounter), audience)
    return tuple(fallen_in(fight.rows, reader_of(fight, audience), fight.ruleset))
