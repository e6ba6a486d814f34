"""View models of the chronicle's pages, built for one reader: of what they may not read, nothing is in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Max, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns import links
from campaigns.group_members import Member, members_of
from campaigns.models import Membership, Page, PageKind, Passage, PassageAudience, Picture, Readership
from campaigns.page_services import (
    TO_DO,
    Players,
    kinds_for,
    may_add_to,
    may_delete_page,
    may_edit_page,
    may_edit_passage,
)
from campaigns.people import told_apart
from campaigns.readable import pages_for, passages_for
from campaigns.rulesets import why_missing

MOST_BACKLINKS = 50


@dataclass(frozen=True, slots=True)
class PageTitle:
    """A page in a list. `secret`: nobody but Storytellers reads it, for them to know. `told`: since when it is so."""

    id: str
    url: str
    title: str
    kind: str
    kind_label: str
    done: bool
    author: str
    is_mine: bool
    secret: bool
    told: datetime
    age: str = field(repr=False)  # changes all the time: see `campaigns.live`


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A passage for its reader. `readers` says who else reads it, for those who may know, "" for all others.

    `show_url` leads a Storyteller to showing it.
    """

    id: str
    text: str
    links: links.Addresses
    author: str
    told: datetime
    picture: str
    caption: str
    may_edit: bool
    audience: str
    readers: str
    show_url: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with those of its passages that its reader may read."""

    id: str
    title: str
    kind: str
    kind_label: str
    done: bool
    can_be_done: bool
    session: str
    passages: tuple[PassageLine, ...]
    members: tuple[Member, ...]
    backlinks: tuple[tuple[str, str], ...]
    may_edit: bool
    may_add: bool
    may_delete: bool
    in_order_of_writing: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list of pages is limited to: a kind, the reader's own, and "open" or "done"."""

    kind: str = ""
    own: bool = False
    state: str = ""


def titles(membership: Membership, wanted: Wanted | None = None) -> Any:
    """The rows of the pages that a member may read, newest for them first: `page` and `told`."""
    rows = passages_for(membership).order_by()
    if wanted is not None:
        rows = rows.filter(_limits(membership, wanted))
    open_ones = Max("audience", filter=~Q(audience=PassageAudience.STORYTELLERS))
    return rows.values("page").annotate(latest=Max("told"), opened_to=open_ones).order_by("-latest", "page")


def _limits(membership: Membership, wanted: Wanted) -> Q:
    found = Q()
    if wanted.kind in PageKind:
        found &= Q(page__kind=wanted.kind)
    if wanted.own:
        found &= Q(page__author=membership.user_id)
    if wanted.state in ("open", "done"):
        found &= Q(page__kind__in=TO_DO, page__done=wanted.state == "done")
    return found


def title_lines(membership: Membership, rows: Sequence[Mapping[str, Any]], now: datetime) -> tuple[PageTitle, ...]:
    """These rows of `titles` as lines."""
    found = Page.objects.select_related("author").in_bulk([row["page"] for row in rows])
    told_apart(membership.chronicle_id, (page.author for page in found.values()))
    lines = []
    for row in rows:
        page = found.get(row["page"])
        if page is not None:
            lines.append(
                PageTitle(
                    id=page.pk,
                    url=reverse("campaigns:page", args=[membership.chronicle_id, page.pk]),
                    title=page.title,
                    kind=page.kind,
                    kind_label=page.get_kind_display(),
                    done=page.done,
                    author=page.author.display_name if page.author else "",
                    is_mine=page.author_id == membership.user_id,
                    secret=membership.is_storyteller and not row["opened_to"],
                    told=row["latest"],
                    age=_age(now, row["latest"]),
                )
            )
    return tuple(lines)


def _age(now: datetime, then: datetime) -> str:
    from campaigns.pages import span

    return span(now - then)


def listed_state(membership: Membership) -> list[tuple[Any, ...]]:
    """What the list of pages depends on, for live pages."""
    rows = titles(membership).values_list("page", "latest", "opened_to", "page__title", "page__kind", "page__done")
    return list(rows)


def page_view(membership: Membership, page: Page) -> PageView:
    """A page that this member may read, as `readable.page_or_404` found it."""
    players = Players(membership.chronicle_id)
    may_write = bool(kinds_for(membership)) and not why_missing(membership.chronicle.ruleset)
    in_order = page.kind == PageKind.JOURNAL
    rows = passages_for(membership).filter(page=page).select_related("author")
    passages = list(rows.order_by("created", "pk") if in_order else rows)
    told_apart(membership.chronicle_id, (passage.author for passage in passages))
    known = links.addresses(membership, (passage.text for passage in passages))
    shown = {row["passage"]: row for row in _pictures(passages)}
    chosen = _chosen(membership, passages)
    lines = []
    for passage in passages:
        may_edit = may_write and may_edit_passage(membership, page, passage, players)
        picture = shown.get(passage.pk)
        lines.append(
            PassageLine(
                id=passage.pk,
                text=passage.text,
                links=links.of_text(passage.text, known),
                author=passage.author.display_name if passage.author else "",
                told=passage.told,
                picture=reverse("campaigns:picture", args=[membership.chronicle_id, picture["pk"]]) if picture else "",
                caption=picture["caption"] if picture else "",
                may_edit=may_edit,
                audience=passage.audience if may_edit or membership.is_storyteller else "",
                readers=readers_of(membership, passage, chosen.get(passage.pk, ()), may_know=may_edit),
                show_url=_show_url(membership, passage) if may_edit else "",
            )
        )
    may_edit_it = may_write and may_edit_page(membership, page, players)
    return PageView(
        id=page.pk,
        title=page.title,
        kind=page.kind,
        kind_label=page.get_kind_display(),
        done=page.done,
        can_be_done=page.kind in TO_DO,
        session=session_name(page.session) if page.session else "",
        passages=tuple(lines),
        members=members_of(membership, page.pk) if page.kind == PageKind.GROUP else (),
        backlinks=backlinks(membership, page),
        may_edit=may_edit_it,
        may_add=may_write and may_add_to(membership, page, players),
        may_delete=may_write and may_delete_page(membership, page, players),
        in_order_of_writing=in_order,
    )


def _show_url(membership: Membership, passage: Passage) -> str:
    return reverse("combat:show", args=[membership.chronicle_id, passage.pk]) if membership.is_storyteller else ""


def session_name(session: Any) -> str:
    """A session in a list: its number and title."""
    number = _("Session %(number)d") % {"number": session.number}
    return f"{number}: {session.title}" if session.title else number


def readers_of(membership: Membership, passage: Passage, chosen: Sequence[str], *, may_know: bool) -> str:
    """Who reads a passage, in words, for Storytellers and those who may edit it; "" for all others."""
    if not may_know and not membership.is_storyteller:
        return ""
    if passage.audience == PassageAudience.CHOSEN:
        return ", ".join(chosen) or _("Nobody chosen yet")
    if passage.audience == PassageAudience.AUTHOR and passage.author_id != membership.user_id and passage.author:
        return _("%(name)s and the Storytellers") % {"name": passage.author.display_name}
    return str(PassageAudience(passage.audience).label)


def _chosen(membership: Membership, passages: Iterable[Any]) -> dict[str, list[str]]:
    """The names of the chosen readers of passages whose audience that is, by passage."""
    asked = [each.pk for each in passages if each.audience == PassageAudience.CHOSEN]
    rows = (
        list(
            Readership.objects.filter(passage__in=asked, membership__removed_at=None)
            .select_related("membership__user")
            .order_by("membership__joined", "pk")
        )
        if asked
        else []
    )
    told_apart(membership.chronicle_id, (row.membership.user for row in rows))
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.passage_id, []).append(row.membership.user.display_name)
    return found


def _pictures(passages: Iterable[Any]) -> Any:
    return Picture.objects.filter(passage__in=[each.pk for each in passages]).values("pk", "passage", "caption")


def backlinks(membership: Membership, page: Page) -> tuple[tuple[str, str], ...]:
    """Titles and URLs of the pages with a passage that this member may read and that links to this page."""
    linking = passages_for(membership).filter(links__folded=page.folded).order_by().values("page")
    rows = pages_for(membership).filter(pk__in=linking).exclude(pk=page.pk).order_by("folded", "pk")
    return tuple(
        (title, reverse("campaigns:page", args=[membership.chronicle_id, pk]))
        for pk, title in rows.values_list("pk", "title")[:MOST_BACKLINKS]
    )
