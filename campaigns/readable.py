"""What a member may read of the chronicle's pages. Lists, search, links and feeds start from these functions alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce, Greatest, Least
from django.http import Http404

from campaigns.access import may_play
from campaigns.models import Membership, Page, Passage, PassageAudience, Readership

OF_AUTHORS = (PassageAudience.AUTHOR, PassageAudience.CHOSEN, PassageAudience.EVERYONE)
"""The audiences with which an author reads a passage that isn't a Storyteller's secret."""


def in_audience(rows: Any, membership: Membership, readership: Any) -> Any:
    """The passages or ties in whose audience a member is, with `told`: since when they know them as they are.

    `first` is since when they may read the row at all. An allow-list, so that a new audience is hidden until it is
    added here. `told` moves when the words change and when the row is opened to this reader, and never when it is
    opened to others. `readership` are the rows of the model that names its chosen readers.
    """
    if membership.is_storyteller:
        return rows.annotate(first=F("created"), told=F("written"))
    of = next(field.name for field in readership.model._meta.fields if field.related_model is rows.model)
    chosen = readership.filter(membership=membership)
    allowed = Q(audience=PassageAudience.EVERYONE) | Q(author=membership.user_id, audience__in=OF_AUTHORS)
    if may_play(membership):
        allowed |= Q(audience=PassageAudience.CHOSEN, pk__in=chosen.values(of))
    opened = Case(When(audience=PassageAudience.EVERYONE, then=F("opened")))
    since = Subquery(chosen.filter(**{of: OuterRef("pk")}).values("since")[:1])
    # With one of them missing, SQLite's LEAST is NULL.
    shown = Coalesce(Least(Coalesce(opened, since), Coalesce(since, opened)), "written")
    mine = {"author": membership.user_id}
    first = Case(When(**mine, then=F("created")), default=shown)
    told = Case(When(**mine, then=F("written")), default=Greatest(F("written"), shown))
    return rows.filter(allowed).annotate(first=first, told=told)


def passages_for(membership: Membership) -> Any:
    """The passages this member may read, with `told`: see `in_audience`."""
    rows = Passage.objects.filter(page__chronicle_id=membership.chronicle_id, page__binned=None)
    return in_audience(rows, membership, Readership.objects.all())


def pages_for(membership: Membership) -> Any:
    """The pages of which this member may read at least one passage."""
    pages = Page.objects.filter(chronicle_id=membership.chronicle_id)
    return pages.filter(pk__in=passages_for(membership).order_by().values("page"))


def pages_since(membership: Membership, kind: str) -> dict[str, datetime]:
    """The pages of a kind that this member may read, by id, and since when they may."""
    since: dict[str, datetime] = {}
    for page, first in passages_for(membership).filter(page__kind=kind).order_by().values_list("page", "first"):
        since[page] = min(first, since.get(page, first))
    return since


def page_or_404(membership: Membership, page_id: str) -> Page:
    """One page this member may read; `Http404` for a hidden one, as for one that doesn't exist."""
    page: Page | None = pages_for(membership).filter(pk=page_id).first()
    if page is None:
        raise Http404("No such page")
    return page


def passage_or_404(membership: Membership, passage_id: str) -> Passage:
    """One passage this member may read, with its page; `Http404` for a hidden one."""
    passage: Passage | None = passages_for(membership).filter(pk=passage_id).select_related("page").first()
    if passage is None:
        raise Http404("No such passage")
    return passage
