"""All writes to pages and passages, in transactions under the chronicle's lock, like `campaigns.services`.

Storytellers write all pages and passages except a player's own, whose words they only read. Players write their own
notes and journals.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.errors import EditConflict
from campaigns.links import write_links
from campaigns.models import (
    Membership,
    Page,
    PageKind,
    Passage,
    PassageAudience,
    Picture,
    Readership,
    Role,
    Session,
)
from campaigns.readable import OF_AUTHORS, page_or_404, passage_or_404, passages_for
from campaigns.services import lock
from campaigns.titles import fold

PLAYERS_KINDS = (PageKind.NOTE, PageKind.JOURNAL)
"""What players write."""
TO_DO = (PageKind.PLOT, PageKind.CLUE)
"""What is open or done."""
FOR_STORYTELLERS = (PassageAudience.STORYTELLERS, PassageAudience.CHOSEN, PassageAudience.EVERYONE)
"""The audiences that a Storyteller's passage may have, the narrowest first."""


@dataclass(frozen=True, slots=True)
class NewPicture:
    """A picture as `campaigns.pictures` redrew it, for a passage."""

    picture: bytes
    caption: str = ""


def kinds_for(membership: Membership) -> tuple[PageKind, ...]:
    """What a member may write, by `PageKind`."""
    if membership.is_storyteller:
        return tuple(PageKind)
    return PLAYERS_KINDS if may_play(membership) else ()


def audiences_for(membership: Membership) -> tuple[PassageAudience, ...]:
    """The audiences that a member may give a passage or a tie, the narrowest first."""
    return FOR_STORYTELLERS if membership.is_storyteller else OF_AUTHORS


def choosable(membership: Membership) -> Any:
    """The members who can be chosen as readers: the other players."""
    rows = Membership.objects.active().filter(chronicle_id=membership.chronicle_id, role=Role.PLAYER)
    return rows.exclude(pk=membership.pk).select_related("user").order_by("joined", "pk")


class Players:
    """Who of a chronicle plays: what they wrote for themselves is theirs."""

    def __init__(self, chronicle_id: str) -> None:
        rows = Membership.objects.active().filter(chronicle_id=chronicle_id, role=Role.PLAYER)
        self.users = frozenset(rows.values_list("user_id", flat=True))

    def own_page(self, page: Page) -> bool:
        """Whether a page is a player's own."""
        return page.author_id in self.users and page.kind in PLAYERS_KINDS

    def own_passage(self, page: Page, passage: Passage) -> bool:
        """Whether a passage is a player's own."""
        return passage.author_id in self.users and page.kind in PLAYERS_KINDS and passage.audience in OF_AUTHORS


def may_edit_page(membership: Membership, page: Page, players: Players) -> bool:
    """Whether a member may change a page's title and the like. Only its own player changes a player's page."""
    if membership.is_storyteller:
        return not players.own_page(page)
    return players.own_page(page) and page.author_id == membership.user_id


def may_delete_page(membership: Membership, page: Page, players: Players) -> bool:
    """Whether a member may put a page in the bin: Storytellers any, players their own."""
    return membership.is_storyteller or may_edit_page(membership, page, players)


def may_add_to(membership: Membership, page: Page, players: Players) -> bool:
    """Whether a member may write passages on a page: Storytellers on any, players on their own."""
    return may_delete_page(membership, page, players)


def may_edit_passage(membership: Membership, page: Page, passage: Passage, players: Players) -> bool:
    """Whether a member may change a passage."""
    if membership.is_storyteller:
        return not players.own_passage(page, passage)
    return players.own_passage(page, passage) and passage.author_id == membership.user_id


@transaction.atomic
def create_page(
    *,
    by: Membership,
    title: str,
    text: str,
    kind: str = PageKind.NOTE,
    audience: str = "",
    readers: Collection[int] = (),
    picture: NewPicture | None = None,
    session: Session | None = None,
) -> Page:
    """Create a page with its first passage. `readers` are ids of memberships, for chosen readers.

    Without an audience it is the narrowest. Raises `PermissionDenied` for a page that isn’t theirs to write.
    """
    by = _writer(by)
    if kind not in kinds_for(by):
        raise PermissionDenied(_("You can only write notes and a journal."))
    page = Page(chronicle_id=by.chronicle_id, kind=kind, title=title, folded=fold(title), author=by.user)
    page.session = _session(by, session)
    page.save()
    _add(by, page, text, audience, readers, picture)
    return page


@transaction.atomic
def edit_page(*, by: Membership, page: Page, title: str, kind: str, session: Session | None, version: int) -> None:
    """Change a page's title, kind and session. Links in texts keep the old title.

    Raises `EditConflict` if `version` is no longer its version.
    """
    by = _writer(by)
    page = _page(by, page)
    if not may_edit_page(by, page, Players(by.chronicle_id)) or kind not in kinds_for(by):
        raise PermissionDenied(_("This page belongs to somebody else."))
    if page.version != version:
        raise EditConflict
    page.title, page.folded, page.kind, page.session = title, fold(title), kind, _session(by, session)
    page.done = page.done and kind in TO_DO
    _save_next(page, "title", "folded", "kind", "session", "done")


@transaction.atomic
def set_done(*, by: Membership, page: Page, done: bool) -> None:
    """Mark a plot or clue as done, or open it again; a no-op for other pages."""
    by = _writer(by)
    page = _page(by, page)
    if not may_edit_page(by, page, Players(by.chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    if page.kind in TO_DO and page.done != done:
        page.done = done
        _save_next(page, "done")


@transaction.atomic
def delete_page(*, by: Membership, page: Page) -> None:
    """Put a page in the bin; a no-op if it is already there."""
    by = _writer(by)
    found = Page.objects.select_for_update().filter(chronicle_id=by.chronicle_id, pk=page.pk).first()
    if found is None:
        return
    if not may_delete_page(by, found, Players(by.chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    _bin(found)


@transaction.atomic
def add_passage(
    *,
    by: Membership,
    page: Page,
    text: str,
    audience: str = "",
    readers: Collection[int] = (),
    picture: NewPicture | None = None,
) -> Passage:
    """Add a passage at a page's end."""
    by = _writer(by)
    page = _page(by, page)
    if not may_add_to(by, page, Players(by.chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    return _add(by, page, text, audience, readers, picture)


@transaction.atomic
def edit_passage(
    *,
    by: Membership,
    passage: Passage,
    text: str,
    audience: str,
    readers: Collection[int] = (),
    version: int,
    picture: NewPicture | None = None,
    caption: str | None = None,
    remove_picture: bool = False,
) -> None:
    """Change a passage. `picture` replaces its picture, `caption` describes the one that stays.

    Raises `EditConflict` if `version` is no longer its version.
    """
    by = _writer(by)
    passage = _own_passage(by, passage)
    if passage.version != version:
        raise EditConflict
    kept: Any = Picture.objects.filter(passage=passage).defer("picture").first()
    repainted = picture is not None or (kept is not None and (remove_picture or caption not in (None, kept.caption)))
    if picture is not None or remove_picture:
        Picture.objects.filter(passage=passage).delete()
    elif repainted:
        Picture.objects.filter(passage=passage).update(caption=caption)
    if picture is not None:
        Picture.objects.create(passage=passage, picture=picture.picture, caption=picture.caption)
    if text != passage.text or repainted:
        passage.text, passage.written = text, timezone.now()
        write_links(passage)
    _give_to(by, passage, audience, readers)
    _save_next(passage, "text", "written", "audience", "opened")


@transaction.atomic
def open_passage(*, by: Membership, passage: Passage, audience: str, readers: Collection[int] = ()) -> None:
    """Change who reads a passage, and nothing else."""
    by = _writer(by)
    passage = _own_passage(by, passage)
    _give_to(by, passage, audience, readers)
    _save_next(passage, "audience", "opened")


@transaction.atomic
def move_passage(*, by: Membership, passage: Passage, up: bool) -> None:
    """Swap a passage with its neighbour among those that the actor reads; a no-op at the end."""
    by = _writer(by)
    passage = _own_passage(by, passage)
    rows = list(passages_for(by).filter(page=passage.page_id))
    at = next(number for number, row in enumerate(rows) if row.pk == passage.pk)
    to = at - 1 if up else at + 1
    if not 0 <= to < len(rows):
        return
    # The places in use are dealt out again, so that those of passages that the actor can't see stay as they are.
    places = sorted({row.place for row in rows})
    if len(places) < len(rows):
        every = list(Passage.objects.filter(page=passage.page_id))
        for number, row in enumerate(every):
            Passage.objects.filter(pk=row.pk).update(place=number)
        rows = list(passages_for(by).filter(page=passage.page_id))
    one, other = rows[at], rows[to]
    Passage.objects.filter(pk=one.pk).update(place=other.place)
    other.place = one.place
    other.save(update_fields=["place"])  # with a signal, for live pages


@transaction.atomic
def delete_passage(*, by: Membership, passage: Passage) -> bool:
    """Delete a passage. If the actor reads no other on its page, the page goes to the bin with it; returns whether."""
    by = _writer(by)
    passage = _own_passage(by, passage)
    page = passage.page
    if not passages_for(by).filter(page=page).exclude(pk=passage.pk).exists():
        if not may_delete_page(by, page, Players(by.chronicle_id)):
            raise PermissionDenied(_("This page belongs to somebody else."))
        _bin(page)
        return True
    passage.delete()
    return False


def _writer(by: Membership) -> Membership:
    """The actor's membership read again under the chronicle's lock. `PermissionDenied` for those who only read."""
    lock(by.chronicle_id)
    rows = Membership.objects.active().filter(pk=by.pk, user__is_active=True)
    member: Membership | None = rows.select_related("chronicle", "user").first()
    if member is None or not may_play(member):
        raise PermissionDenied(_("Observers can’t write pages."))
    return member


def _page(by: Membership, page: Page) -> Page:
    return page_or_404(by, page.pk)


def _own_passage(by: Membership, passage: Passage) -> Passage:
    found = passage_or_404(by, passage.pk)
    if not may_edit_passage(by, found.page, found, Players(by.chronicle_id)):
        raise PermissionDenied(_("This passage belongs to somebody else."))
    return found


def _session(by: Membership, session: Session | None) -> Session | None:
    if session is not None and session.chronicle_id != by.chronicle_id:
        raise Http404("No such session")
    return session


def _add(
    by: Membership, page: Page, text: str, audience: str, readers: Collection[int], picture: NewPicture | None
) -> Passage:
    last = Passage.objects.filter(page=page).aggregate(last=Max("place"))["last"]
    passage = Passage(
        page=page,
        text=text,
        author=by.user,
        written=timezone.now(),
        place=0 if last is None else last + 1,
        audience=audiences_for(by)[0],
    )
    passage.save()
    if picture is not None:
        Picture.objects.create(passage=passage, picture=picture.picture, caption=picture.caption)
    _give_to(by, passage, audience or passage.audience, readers)
    passage.save(update_fields=["audience", "opened"])
    write_links(passage)
    return passage


def _give_to(by: Membership, passage: Passage, audience: str, readers: Collection[int]) -> None:
    """Give a passage its readers, each with the moment since when they know the passage. The caller saves it."""
    if audience not in audiences_for(by):
        raise PermissionDenied(_("A passage can’t have these readers."))
    now, before = timezone.now(), passage.audience
    rows = Readership.objects.filter(passage=passage)
    if audience == PassageAudience.CHOSEN:
        chosen = set(choosable(by).filter(pk__in=readers).values_list("pk", flat=True))
        kept = set(rows.values_list("membership_id", flat=True))
        rows.exclude(membership__in=chosen).delete()
        # Readers who know it already don’t get it as news.
        since = passage.opened if before == PassageAudience.EVERYONE and passage.opened else now
        Readership.objects.bulk_create(
            [Readership(passage=passage, membership_id=pk, since=since) for pk in sorted(chosen - kept)]
        )
    elif audience != PassageAudience.EVERYONE:
        rows.delete()
    if audience != PassageAudience.EVERYONE:
        passage.opened = None
    elif before != PassageAudience.EVERYONE or passage.opened is None:
        passage.opened = now
    passage.audience = audience


def _bin(page: Page) -> None:
    from campaigns.bins import put_in

    put_in(page)


def _save_next(row: Page | Passage, *fields: str) -> None:
    row.version += 1
    row.save(update_fields=[*fields, "version"])
