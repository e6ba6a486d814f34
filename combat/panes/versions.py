"""Each audience's own count of changes.

An audience's version goes up by one when its view changed, and not otherwise: what it may not see leaves no trace, not
even a skipped number. A pane's digest tells whether it changed; beside it stands the version at which it did. Views are
compared in one language, whoever reads them in which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import get_language

from campaigns.marks import mark
from campaigns.models import Membership, Role
from combat.cache import Kept
from combat.history.panes import Log
from combat.models import Encounter
from combat.panes.build import view_for
from combat.panes.views import View
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience
from combat.secrecy.fight import Fight

FIRST = 1
"""The version of an audience for which nothing was counted yet, unless the counts were begun :func:`anew`."""

FROM = "from"
"""Under this no audience has its count: it is the version from which they all count."""

MOST_VIEWS = 400

Count = dict[str, Any]


def anew() -> dict[str, int]:
    """The versions of a fight that was put back from a backup, of which open pages may know a future that is lost.

    All count on from the present time in milliseconds. That is beyond what any page has: a change takes longer than
    a millisecond, so no count was ever ahead of the clock, however often a backup was put back. So every page lacks
    everything, and what it was pressed at is stale.
    """
    return {FROM: int(time() * 1000)}


def first_of(encounter: Encounter) -> int:
    """The version of an audience for which nothing was counted yet."""
    return int(encounter.versions.get(FROM, FIRST))


def version_of(encounter: Encounter, audience: str) -> int:
    """Where an audience's count stands."""
    count = encounter.versions.get(audience)
    return int(count["version"]) if count else first_of(encounter)


def changed_at(encounter: Encounter, audience: str, pane: str) -> int:
    """The version at which a pane last changed."""
    panes = encounter.versions.get(audience, {}).get("panes", {})
    return int(panes[pane][1]) if pane in panes else first_of(encounter)


def audiences_of(encounter: Encounter) -> list[str]:
    """Everybody who may look: the Storytellers, the table, each player.

    And everybody who might once: whoever comes back to the table must not take an old page for the present one.
    """
    members = Membership.objects.active().filter(chronicle_id=encounter.chronicle_id, role=Role.PLAYER)
    players = members.order_by("user_id").values_list("user_id", flat=True)
    now = [STORYTELLER, TABLE, *(player_audience(user_id) for user_id in players)]
    return [*now, *(audience for audience in encounter.versions if audience not in (*now, FROM))]


def advance(encounter: Encounter, before: Callable[[], Fight], after: Fight) -> list[str]:
    """Count on for every audience whose view differs, and name them. Writes `encounter.versions`, without saving.

    `before` is asked only for audiences of which nothing was counted yet.
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
    """Whether everybody but the Storytellers is shown the same as before."""
    with translation.override(settings.LANGUAGE_CODE):
        players = (audience for audience in audiences_of(encounter) if audience != STORYTELLER)
        return all(view_for(before, audience) == view_for(after, audience) for audience in players)


# ------------------------------------------------------------------ views as they were counted

_views = Kept(MOST_VIEWS)


def view_of(encounter: Encounter, audience: str, build: Callable[[], View]) -> View:
    """An audience's view of the encounter as it was just read, in the language of now; built where none is kept."""
    key = _key(encounter, audience, get_language())
    view: View = _views.get(key) or _views.put(key, build())
    return view


def _key(encounter: Encounter, audience: str, language: str | None) -> tuple[Any, ...]:
    return (encounter.pk, encounter.seq, audience, language, version_of(encounter, audience))


def _keep_after_commit(encounter: Encounter, views: Mapping[str, View]) -> None:
    """What was built to be counted is what frames are drawn from next; but not before it is true."""
    found = {_key(encounter, audience, settings.LANGUAGE_CODE): view for audience, view in views.items()}

    def keep() -> None:
        for key, view in found.items():
            _views.put(key, view)

    transaction.on_commit(keep, robust=True)


def _fresh(view: View, first: int) -> Count:
    return {"version": first, "panes": {name: [_digest(pane), first] for name, pane in view.panes().items()}}


def _counted(count: Count, view: View) -> Count:
    version = count["version"] + 1
    panes, differs = {}, False
    for name, pane in view.panes().items():
        digest, was = _digest(pane), count["panes"].get(name)
        same = was is not None and was[0] == digest
        panes[name] = was if same else [digest, version]
        differs = differs or not same
    return {"version": version, "panes": panes} if differs else count


def _digest(pane: object) -> str:
    # Panes are frozen and hold nothing but texts, numbers and tuples: their repr is canonical.
    said = pane.digest if isinstance(pane, Log) else repr(pane)
    return mark(said)
