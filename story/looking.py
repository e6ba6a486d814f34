"""Since you last looked: what is new in a chronicle for one member, and the mark from which that is counted.

Every line comes from what its reader may know anyway, with the time at which they were told, and there is no count of
anything else. What somebody did themselves is no news to them: so Storytellers aren't told of sessions and fights.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Membership, PageKind, Progress, Readership, Reveal, Session
from campaigns.readable import pages_since, passages_for
from campaigns.rulesets import why_missing
from campaigns.sessions import heading
from characters import rulesets
from characters.experience_pages import told_of
from characters.experience_words import change
from characters.known import Known, ends_of, known_to, ties_for
from characters.models import EntryKind, ExperienceEntry, Step, Tie, TieKind
from combat.models import Encounter, Status
from story.models import Looked

PAUSE = timedelta(minutes=30)
"""A visit that is this much later than the one before is a new one."""

STEP = timedelta(minutes=3)
"""During a visit, the mark is written this often at most."""

MOST_LINES = 8
"""How many lines are shown. The number of the others is told."""

MOST_ROWS = 60
"""How many rows of one sort are read from the database, the newest first: who was away for years gets no full count."""


@dataclass(frozen=True, slots=True)
class NewsLine:
    """Something that is new to the reader. `what` says what it is: "Recap", "Handout, new"."""

    at: datetime
    what: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class News:
    """What is new `since` the end of the visit before, None during the first.

    `more` is how many lines are left out, or `many` of them.

    `until` is the time of the newest line, up to which the reader can say that they have read it.
    """

    since: datetime | None
    lines: tuple[NewsLine, ...] = ()
    more: int = 0
    many: bool = False
    until: str = ""


def news_for(membership: Membership) -> News:
    """What is new to this member."""
    row = Looked.objects.filter(membership=membership).first()
    if row is None or row.since is None:
        return News(None)
    lines = sorted(_lines(membership, row.since), key=lambda line: (line.at, line.what, line.text), reverse=True)
    newest = lines[0].at.isoformat() if lines else ""
    more = max(0, len(lines) - MOST_LINES)
    return News(row.since, tuple(lines[:MOST_LINES]), more, more > MOST_ROWS // 2, newest)


# ------------------------------------------------------------------ the mark


def visited(membership: Membership, **_more: Any) -> None:
    """Note a visit. The page is shown all the same if that fails."""
    now = timezone.now()
    with contextlib.suppress(DatabaseError), transaction.atomic():
        row, made = Looked.objects.get_or_create(membership=membership, defaults={"seen": now})
        if made or now - row.seen < STEP:
            return
        changed = {"seen": now} | ({"since": row.seen} if now - row.seen >= PAUSE else {})
        # Only from what was read: of two visits at once, the second must not move `since` to the first.
        Looked.objects.filter(pk=row.pk, seen=row.seen).update(**changed)


def have_read(membership: Membership, until: datetime) -> None:
    """Count what is new from `until`: the reader has read everything up to then."""
    until = min(until, timezone.now())
    rows = Looked.objects.filter(membership=membership, since__lt=until)
    rows.update(since=until)


# ------------------------------------------------------------------ what is new


def _lines(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    yield from _pages(membership, since)
    if not membership.is_storyteller:
        yield from _sessions(membership, since)
        yield from _fights(membership, since)
    if not why_missing(membership.chronicle.ruleset):
        yield from _experience(membership, since)
    yield from _people(membership, since)


def _pages(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    """Each page once, by its newest passage that somebody else wrote or opened to the reader."""
    # The second condition follows from the first and spares the database working that out for most rows.
    chosen = Readership.objects.filter(membership=membership, since__gt=since)
    later = Q(written__gt=since) | Q(opened__gt=since) | Q(pk__in=chosen.values("passage"))
    found = passages_for(membership).filter(later, told__gt=since).exclude(author=membership.user_id)
    found = found.order_by("-told", "pk")
    rows = list(found.values_list("pk", "page", "page__title", "page__kind", "told")[:MOST_ROWS])
    if not rows:
        return
    mine = passages_for(membership).filter(page__in={page for _pk, page, *_rest in rows}, first__lte=since)
    before = set(mine.order_by().values_list("page", flat=True))
    shown = _shown(membership, since)
    told: set[str] = set()
    for _pk, page, title, kind, at in rows:
        if page not in told:
            told.add(page)
            those = {pk for pk, each, *_rest in rows if each == page}
            what = _of_page(PageKind(kind).label, is_shown=bool(shown & those), is_new=page not in before)
            yield NewsLine(at, what, title, reverse("campaigns:page", args=[membership.chronicle_id, page]))


def _shown(membership: Membership, since: datetime) -> set[str]:
    """The passages that were shown to the reader by somebody else."""
    if membership.is_storyteller:
        return set()
    to_me = Q(everyone=True) | Q(to=membership)
    rows = Reveal.objects.filter(to_me, passage__page__chronicle=membership.chronicle_id, at__gt=since)
    return set(rows.values_list("passage", flat=True))


def _of_page(kind: Any, *, is_shown: bool, is_new: bool) -> str:
    if is_shown:
        return _("%(kind)s, shown to you") % {"kind": kind}
    return (_("%(kind)s, new") if is_new else _("%(kind)s, changed")) % {"kind": kind}


def _sessions(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    rows = Session.objects.filter(chronicle=membership.chronicle_id).defer("recap")
    for each in rows.filter(Q(created__gt=since) | Q(told__gt=since)).order_by("-number")[:MOST_ROWS]:
        url = reverse("story:session", args=[each.pk])
        name = heading(each.number, each.title)
        if each.progress == Progress.PLAYED and each.told and each.told > since:
            yield NewsLine(each.told, _("Recap"), name, url)
        elif each.created > since and each.progress == Progress.PLANNED:
            yield NewsLine(each.created, _("Session announced"), name, url)


def _fights(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    rows = Encounter.objects.listed().filter(chronicle=membership.chronicle_id).exclude(status=Status.DRAFT)
    for each in rows.filter(Q(begun__gt=since) | Q(ended__gt=since)).order_by("-begun", "pk")[:MOST_ROWS]:
        if each.status == Status.ENDED and each.ended and each.ended > since:
            yield NewsLine(each.ended, _("Fight, over"), each.name, reverse("combat:report", args=[each.pk]))
        elif each.begun and each.begun > since:
            yield NewsLine(each.begun, _("Fight, begun"), each.name, reverse("combat:encounter", args=[each.pk]))


def _experience(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    """What others entered for the reader's own characters."""
    ruleset = rulesets.ruleset_for(membership.chronicle)
    rows = ExperienceEntry.objects.filter(
        ~Q(by=membership.user_id) | Q(by=None),
        ~Q(kind=EntryKind.PURCHASE) | Q(step__in=[Step.GRANTED, Step.REFUSED]),
        character__chronicle=membership.chronicle_id,
        character__owner=membership.user_id,
        character__binned=None,
        at__gt=since,
    )
    for each in rows.select_related("character", "about").order_by("-at", "pk")[:MOST_ROWS]:
        told, units = told_of(each, ruleset, each.character.kind), change(each.amount, ruleset.beats)
        # Translators: what a character got or bought, and by how much their experience changed.
        text = _("%(name)s: %(what)s (%(change)s)") if units else _("%(name)s: %(what)s")
        words = text % {"name": each.character.name, "what": told, "change": units}
        yield NewsLine(each.at, _("Experience"), words, reverse("characters:experience", args=[each.character_id]))


def _people(membership: Membership, since: datetime) -> Iterator[NewsLine]:
    """Whom the reader's characters met, and ties that others wrote or opened to the reader."""
    known, chronicle = known_to(membership), membership.chronicle_id
    for each in known.values():
        if each.since and each.since > since:
            yield NewsLine(each.since, _("Met"), each.name, reverse("characters:face", args=[chronicle, each.id]))
    ties: list[Any] = ties_for(membership, known, after=since)
    new = [tie for tie in ties if tie.author_id != membership.user_id]
    if new:
        names = _names(membership, known, new)
        for tie in new:
            text = " → ".join(names[end] for end in ends_of(tie))
            yield NewsLine(tie.told, str(TieKind(tie.kind).label), text, reverse("characters:ties", args=[chronicle]))


def _names(membership: Membership, known: Any, ties: Iterable[Tie]) -> dict[str, str]:
    """The names of the ties' ends, which the reader knows."""
    people: dict[str, Known] = dict(known)
    ends = {end for tie in ties for end in ends_of(tie)}
    groups = ends - people.keys()
    titles: dict[str, str] = {}
    if groups:
        rows = passages_for(membership).filter(page__in=groups & pages_since(membership, PageKind.GROUP).keys())
        titles = dict(rows.order_by().values_list("page", "page__title"))
    return titles | {who: people[who].name for who in ends if who in people}
