"""A dense version number per audience.

An audience's version goes up by exactly one when its view changes, so that what it may not see leaves no trace, not
even a gap. For each pane, a digest detects changes, and the version of the last change is stored next to it, with the
pieces that differed. Views are compared in one language, independent of the readers' own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation

from campaigns.current import reading
from campaigns.marks import mark
from campaigns.models import Chronicle, Membership, Role
from campaigns.prepared import Param, Prepared
from combat.cache import Kept, for_each, same
from combat.history.panes import Log
from combat.models import Encounter
from combat.panes.build import view_for
from combat.panes.figures import Row
from combat.panes.pieces import differing
from combat.panes.views import Order, View
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience
from combat.secrecy.fight import Fight

FIRST = 1
"""An audience's first version, unless the fight was restored (:func:`anew`)."""

FROM = "from"
"""A key that is no audience: it holds the version from which all of a restored fight count."""

MOST_VIEWS = 400

MOST_PANES = 4000

Count = dict[str, Any]
"""An audience's "version", its "panes" with the digest of each and the version of its last change, and the "pieces" of
those in which only these changed: the version they build on, and their ids."""


def anew() -> dict[str, int]:
    """The versions of a fight restored from a backup, whose open pages may show a future that is lost.

    All audiences count on from the current time in milliseconds. Every change takes longer than a millisecond, so no
    page's version is ever ahead of the clock, however often backups are restored. So every page is missing everything,
    and every press on it is stale.
    """
    return {FROM: int(time() * 1000)}


def first_of(encounter: Encounter) -> int:
    """The version of an audience without changes so far."""
    return int(encounter.versions.get(FROM, FIRST))


def version_of(encounter: Encounter, audience: str) -> int:
    """An audience's current version."""
    count = encounter.versions.get(audience)
    return int(count["version"]) if count else first_of(encounter)


def changed_at(encounter: Encounter, audience: str, pane: str) -> int:
    """The version at which a pane last changed."""
    panes = encounter.versions.get(audience, {}).get("panes", {})
    return int(panes[pane][1]) if pane in panes else first_of(encounter)


def pieces_since(encounter: Encounter, audience: str, pane: str, since: int) -> tuple[int, list[str]] | None:
    """The ids of the pieces that a page with version `since` lacks of a pane, and the version they build on.

    None if it has to get the whole pane.
    """
    known = encounter.versions.get(audience, {}).get("pieces", {}).get(pane)
    return (int(known[0]), list(known[1])) if known and since >= known[0] else None


@Prepared
def _players() -> QuerySet[Membership, int]:
    """The user ids of a chronicle's players, without open places."""
    taken = Membership.objects.active().taken().filter(chronicle=Param("chronicle", Chronicle), role=Role.PLAYER)
    return taken.order_by("user_id").values_list("user_id", flat=True)


def audiences_of(encounter: Encounter) -> list[str]:
    """The audiences of a fight: the Storytellers, the table and each player.

    Former players are included, so that the old page of somebody who returns doesn't pass for current. Open places
    aren't: nobody looks.
    """
    players = _players.all(chronicle=encounter.chronicle_id)
    now = [STORYTELLER, TABLE, *(player_audience(user_id) for user_id in players)]
    return [*now, *(audience for audience in encounter.versions if audience not in (*now, FROM))]


def advance(encounter: Encounter, before: Callable[[], Fight], after: Fight) -> list[str]:
    """Increment the version of every audience whose view changed, and return those audiences.

    Sets `encounter.versions` without saving. `before` is only called for audiences without a version.
    """
    counts, changed, views = dict(encounter.versions), [], {}
    with translation.override(settings.LANGUAGE_CODE):
        for audience in audiences_of(encounter):
            count = counts.get(audience) or _fresh(view_for(before(), audience), first_of(encounter))
            views[audience] = view_for(after, audience)
            counts[audience] = _counted(count, views[audience])
            if counts[audience]["version"] != count["version"]:
                changed.append(audience)
    encounter.versions = counts
    _keep_after_commit(encounter, views)
    return changed


def is_unseen(encounter: Encounter, before: Fight, after: Fight) -> bool:
    """Whether only the Storytellers see a difference."""
    with translation.override(settings.LANGUAGE_CODE):
        players = (audience for audience in audiences_of(encounter) if audience != STORYTELLER)
        return all(view_for(before, audience) == view_for(after, audience) for audience in players)


# ------------------------------------------------------------------ cached views

_views = Kept(MOST_VIEWS)


def view_of(encounter: Encounter, audience: str, build: Callable[[], View]) -> View:
    """An audience's view of the encounter in the active language, from the cache or built."""
    key = _key(encounter, audience, reading().language)
    view: View = _views.get(key) or _views.put(key, build())
    return view


def _key(encounter: Encounter, audience: str, language: str | None) -> tuple[Any, ...]:
    return (encounter.pk, encounter.seq, audience, language, version_of(encounter, audience))


def _keep_after_commit(encounter: Encounter, views: Mapping[str, View]) -> None:
    """Cache the views for the frames that follow, but only after the commit makes them true."""
    found = {_key(encounter, audience, settings.LANGUAGE_CODE): view for audience, view in views.items()}

    def keep() -> None:
        for key, view in found.items():
            _views.put(key, view)

    transaction.on_commit(keep, robust=True)


def _fresh(view: View, first: int) -> Count:
    return {"version": first, "panes": {name: [_digest(pane), first] for name, pane in view.panes().items()}}


def _counted(count: Count, view: View) -> Count:
    version = count["version"] + 1
    panes, pieces, differs = {}, {}, False
    for name, pane in view.panes().items():
        was = count["panes"].get(name)
        known = _panes.get(was[0]) if was else None
        unchanged = same(known, pane)
        digest = was[0] if unchanged else _digest(pane)
        if not unchanged:
            _panes.put(digest, pane)
            unchanged = was is not None and was[0] == digest
        panes[name] = was if unchanged else [digest, version]
        differs = differs or not unchanged
        if unchanged and name in count.get("pieces", ()):
            pieces[name] = count["pieces"][name]
        elif not unchanged and known is not None and (found := differing(known, pane)) is not None:
            pieces[name] = [was[1], found]
    return {"version": version, "panes": panes, "pieces": pieces} if differs else count


_panes = Kept(MOST_PANES)
"""Panes by digest, so that the last one is known. Two panes share most of what they hold, so comparing them costs much
less than a digest."""


def _digest(pane: object) -> str:
    # Panes are frozen and hold only texts, numbers and tuples, so their repr is canonical.
    if isinstance(pane, Log):
        return pane.digest
    if isinstance(pane, Order):
        ranks = [" ".join(map(_row_digest, rank)) for rank in (*pane.ranks, pane.others)]
        return mark("|".join(ranks))
    return mark(repr(pane))


@for_each(MOST_PANES, worded=False)
def _row_digest(row: Row) -> str:
    return mark(repr(row))
