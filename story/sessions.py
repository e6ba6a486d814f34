"""View models of sessions, built for one member: an allow-list, as in `campaigns.pages`.

Preparation, drafts and proposed awards are in fields that only a Storyteller's page fills.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from django.db.models import Q
from django.urls import reverse

from campaigns import access, readable, rulesets, sessions
from campaigns.models import Answer, Attendance, Membership, Page, Progress, Reveal, Role, Session
from campaigns.pages import EncounterLine, encounter_lines
from campaigns.people import told_apart
from campaigns.sessions import heading
from characters.experience_pages import ProposalLine, proposal_lines
from combat.history.report import RollTold
from combat.models import Encounter, Status
from story import evening
from story.evening import Told
from story.places import page_url


@dataclass(frozen=True, slots=True)
class Brief:
    """A session in a list or a link. `mine` is the reader's answer, "" for none."""

    id: str
    number: int
    title: str
    starts: datetime | None
    place: str
    progress: str
    label: str
    url: str
    mine: str = ""

    @property
    def heading(self) -> str:
        """Its number and title."""
        return heading(self.number, self.title)


@dataclass(frozen=True, slots=True)
class SessionList:
    """All sessions of a chronicle, the newest first."""

    chronicle: dict[str, str]
    sessions: tuple[Brief, ...]
    announce: str


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A member's answer, and whether they attended: None while that is open. `answer` is "" for none yet."""

    name: str
    answer: str
    label: str
    word: str
    is_me: bool
    came: bool | None


@dataclass(frozen=True, slots=True)
class FightTold:
    """A fight of the session with what it tells the reader."""

    line: EncounterLine
    report: str
    narration: tuple[str, ...]
    turnings: tuple[str, ...]
    rolls: tuple[RollTold, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A page of which the reader was shown something, or that belongs to the session."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item of the preparation. `above` and `below` are its neighbours' ids, `of` an earlier session's number."""

    id: str
    text: str
    page: Shown | None
    fight: EncounterLine | None
    used: bool
    of: int | None
    above: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What only Storytellers see of a session: its list, the drafts, and awards that the log proposes."""

    items: tuple[ItemLine, ...]
    drafts: tuple[EncounterLine, ...]
    proposals: tuple[ProposalLine, ...]

    @property
    def unused(self) -> int:
        """How many items aren't ticked."""
        return sum(not each.used for each in self.items)


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A session as one member may see it. `before` and `after` are its neighbours; `prepared` is for Storytellers."""

    id: str
    number: int
    title: str
    chronicle: dict[str, str]
    starts: datetime | None
    place: str
    progress: str
    label: str
    begun: datetime | None
    ended: datetime | None
    story_begins: date | None
    story_ends: date | None
    recap: str
    answers: tuple[AnswerLine, ...]
    mine: AnswerLine | None
    may_answer: bool
    may_change: bool
    fights: tuple[FightTold, ...]
    shown: tuple[Shown, ...]
    pages: tuple[Shown, ...]
    before: Brief | None
    after: Brief | None
    prepared: Prepared | None

    @property
    def heading(self) -> str:
        """Its number and title."""
        return heading(self.number, self.title)

    @property
    def came(self) -> tuple[AnswerLine, ...]:
        """Those who were there."""
        return tuple(each for each in self.answers if each.came)


@dataclass(frozen=True, slots=True)
class NextSession:
    """The session that is played or comes next, for the chronicle's page. `announce` is a URL for Storytellers."""

    brief: Brief | None
    answers: tuple[AnswerLine, ...]
    mine: AnswerLine | None
    may_answer: bool
    announce: str


def session_list(membership: Membership) -> SessionList:
    """All sessions of the member's chronicle."""
    given = Attendance.objects.filter(session__chronicle=membership.chronicle_id, user=membership.user_id)
    answers = dict(given.values_list("session", "answer"))
    rows = Session.objects.filter(chronicle=membership.chronicle_id).defer("recap")
    return SessionList(
        place(membership),
        tuple(_brief(each, answers.get(each.pk, "")) for each in rows),
        reverse("story:announce", args=[membership.chronicle_id]) if _may_change(membership) else "",
    )


def session_page(session: Session, membership: Membership) -> SessionPage:
    """A session for a member of its chronicle."""
    answers, mine = answers_to(session, membership)
    may_change = _may_change(membership)
    fights = evening.fights_of(session, membership)
    # Without the ruleset, no log can be read.
    missing = rulesets.why_missing(membership.chronicle.ruleset)
    told = [Told()] * len(fights) if missing else evening.told_by(fights, membership)
    rows = Session.objects.filter(chronicle=membership.chronicle_id).defer("recap")
    before = rows.filter(number__lt=session.number).order_by("-number").first()
    after = rows.filter(number__gt=session.number).order_by("number").first()
    return SessionPage(
        id=session.pk,
        number=session.number,
        title=session.title,
        chronicle=place(membership),
        starts=session.starts,
        place=session.place,
        progress=session.progress,
        label=session.get_progress_display(),
        begun=session.begun,
        ended=session.ended,
        story_begins=session.story_begins,
        story_ends=session.story_ends,
        recap=session.recap if session.progress == Progress.PLAYED else "",
        answers=answers,
        mine=mine,
        may_answer=_may_answer(session, membership),
        may_change=may_change,
        fights=tuple(_fight(*each) for each in zip(fights, encounter_lines_of(fights), told, strict=True)),
        shown=_shown(session, membership),
        pages=tuple(_page(each) for each in readable.pages_for(membership).filter(session=session)),
        before=_brief(before) if before else None,
        after=_brief(after) if after else None,
        prepared=_prepared(session, membership, fights) if may_change else None,
    )


def next_session(membership: Membership) -> NextSession | None:
    """The session that is played or comes next; None if there are none and the reader can't announce one."""
    session = sessions.upcoming(membership.chronicle_id)
    announce = reverse("story:announce", args=[membership.chronicle_id]) if _may_change(membership) else ""
    if session is None:
        there_are_some = Session.objects.filter(chronicle=membership.chronicle_id).exists()
        return NextSession(None, (), None, False, announce) if announce or there_are_some else None
    answers, mine = answers_to(session, membership)
    brief = _brief(session, mine.answer if mine else "")
    return NextSession(brief, answers, mine, _may_answer(session, membership), announce)


def place(membership: Membership) -> dict[str, str]:
    """The chronicle for the page's head."""
    return {"id": membership.chronicle_id, "pk": membership.chronicle_id, "name": membership.chronicle.name}


def encounter_lines_of(fights: Iterable[Encounter]) -> list[EncounterLine]:
    """Fights as lines, in the given order."""
    return [line for each in fights for line in encounter_lines([each])]


def drafts_of(chronicle_id: str) -> list[Encounter]:
    """A chronicle's drafts, in the Storytellers' order."""
    return list(Encounter.objects.listed().filter(chronicle=chronicle_id, status=Status.DRAFT).order_by("-place"))


def _may_change(membership: Membership) -> bool:
    return membership.is_storyteller and not rulesets.why_missing(membership.chronicle.ruleset)


def _may_answer(session: Session, membership: Membership) -> bool:
    writable = not rulesets.why_missing(membership.chronicle.ruleset)
    return session.progress == Progress.PLANNED and access.may_play(membership) and writable


def _brief(session: Session, mine: str = "") -> Brief:
    return Brief(
        session.pk,
        session.number,
        session.title,
        session.starts,
        session.place,
        session.progress,
        session.get_progress_display(),
        reverse("story:session", args=[session.pk]),
        mine,
    )


def answers_to(session: Session, membership: Membership) -> tuple[tuple[AnswerLine, ...], AnswerLine | None]:
    """The answers to a session, and the reader's own line if they are asked."""
    lines = _answers(session, membership)
    return lines, next((each for each in lines if each.is_me), None)


def _answers(session: Session, membership: Membership) -> tuple[AnswerLine, ...]:
    """The answers of those who play, and of those who attended and left since; the ones without an answer are last.

    Nobody waits for the answer of an open place.
    """
    given = {each.user_id: each for each in Attendance.objects.filter(session=session).select_related("user")}
    members = membership.chronicle.memberships.active().taken().exclude(role=Role.OBSERVER).select_related("user")
    people = {each.user_id: each.user for each in members.order_by("joined", "pk")}
    people |= {pk: row.user for pk, row in given.items() if pk not in people and (row.came or row.user.place_in_id)}
    told_apart(membership.chronicle_id, people.values())
    order = [*Answer.values, ""]
    lines = [_answer(user, given.get(pk), is_me=pk == membership.user_id) for pk, user in people.items()]
    return tuple(sorted(lines, key=lambda each: order.index(each.answer)))


def _answer(user: Any, given: Attendance | None, *, is_me: bool) -> AnswerLine:
    if given is None:
        return AnswerLine(user.display_name, "", "", "", is_me, None)
    label = given.get_answer_display() if given.answer else ""
    return AnswerLine(user.display_name, given.answer, label, given.word, is_me, given.came)


def _fight(encounter: Encounter, line: EncounterLine, told: Told) -> FightTold:
    report = reverse("combat:report", args=[encounter.pk]) if encounter.status != Status.DRAFT else ""
    return FightTold(line, report, told.narration, told.turnings, told.rolls)


def _shown(session: Session, membership: Membership) -> tuple[Shown, ...]:
    """What was shown in a session to this reader, and can still be read."""
    rows = Reveal.objects.filter(session=session, passage__in=readable.passages_for(membership).order_by().values("pk"))
    if not membership.is_storyteller:
        rows = rows.filter(Q(everyone=True) | Q(to=membership))
    found = {each.passage.page_id: each.passage.page for each in rows.select_related("passage__page")}
    return tuple(map(_page, found.values()))


def _page(page: Page) -> Shown:
    return Shown(page.title, page_url(page.chronicle_id, page.pk))


# ------------------------------------------------------------------ for Storytellers


def _prepared(session: Session, by: Membership, fights: list[Encounter]) -> Prepared:
    items = _items(session, by)
    named = {each.fight.id for each in items if each.fight}
    coming = sessions.upcoming(session.chronicle_id)
    of_next = coming is not None and coming.pk == session.pk
    drafts = tuple(each for each in encounter_lines(drafts_of(session.chronicle_id)) if each.id not in named)
    proposals: tuple[ProposalLine, ...] = ()
    if session.begun is not None:
        proofs = evening.belongs_to(session, fights)
        proposals = proposal_lines(by, lambda each: evening.is_of(each, proofs))
    return Prepared(items, drafts if of_next else (), proposals)


def _items(session: Session, by: Membership) -> tuple[ItemLine, ...]:
    rows = sessions.prepared_for(session)
    about = {each.page_id for each in rows if each.page_id}
    pages = {each.pk: each for each in readable.pages_for(by).filter(pk__in=about)} if about else {}
    wanted = {each.fight for each in rows if each.fight}
    found = Encounter.objects.listed().filter(chronicle=session.chronicle_id, pk__in=wanted) if wanted else []
    lines = {each.id: each for each in encounter_lines_of(found)}
    order = [each.pk for each in rows]
    below = dict(pairwise(order))
    above = {each: one for one, each in below.items()}
    return tuple(
        ItemLine(
            id=each.pk,
            text=each.text,
            page=_page(pages[each.page_id]) if each.page_id in pages else None,
            fight=lines.get(each.fight),
            used=bool(each.used),
            of=each.session.number if each.session and each.session_id != session.pk and not each.used else None,
            above=above.get(each.pk, ""),
            below=below.get(each.pk, ""),
        )
        for each in rows
    )
