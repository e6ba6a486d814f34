"""The timeline: what happened in a chronicle, session by session, as one member may know it. It has no table.

Every line is from where its reader could read it anyway: digests of logs, passages shown to them, their own ledgers,
whom they have met, and the ties they know.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Membership, Progress, Reveal, Session
from campaigns.readable import pages_for, passages_for
from campaigns.rulesets import why_missing
from characters import rulesets
from characters.experience_pages import told_of
from characters.experience_words import change
from characters.known import Known, ends_of, known_to, meetings_of, ties_for
from characters.models import Character, EntryKind, ExperienceEntry, Meeting, Step, Tie, TieKind
from combat.models import Encounter, Status
from story.digesting import Moment
from story.digests import Digest, digests_for
from story.places import page_url, person_url, session_url, ties_url

SESSIONS = 10
"""How many sessions are on a page."""

MOST_LINES = 300
"""How many lines of one sort a page takes from the database, the newest first."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened. `sort` is "fight", "death", "scar", "reveal", "experience", "met" or "tie".

    `who` are the ids of the characters it is about, for the filter.
    """

    sort: str
    at: datetime
    text: str
    url: str = ""
    details: tuple[str, ...] = ()
    who: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A session with what happened in it and until the next one; without a `number`, what happened before the first."""

    number: int = 0
    title: str = ""
    at: datetime | None = None
    url: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """A page of the timeline, the newest session first. `waiting`: this many fights are still being read.

    `people` are the characters to choose from, and `who` is the chosen one's id, "" for all.
    """

    chronicle: dict[str, str]
    sections: tuple[Section, ...]
    people: tuple[tuple[str, str], ...]
    who: str
    waiting: int
    newer: str
    older: str


def timeline_page(membership: Membership, query: QueryDict) -> TimelinePage:
    """The page of the timeline that a query asks for."""
    sessions = _sessions(membership)
    # What happened before the first session is a section like the others, and the last.
    asked = Paginator([*sessions, None], SESSIONS).get_page(query.get("page"))
    shown = list(asked.object_list)
    known = known_to(membership)
    who = query.get("who", "") if query.get("who", "") in known else ""
    window = _Window(sessions, shown)
    found = _Finder(membership, known, window)
    lines = [line for line in found.lines() if not who or who in line[1].who]
    before, after = (
        _address(who, number)
        for number in (
            asked.previous_page_number() if asked.has_previous() else 0,
            asked.next_page_number() if asked.has_next() else 0,
        )
    )
    return TimelinePage(
        chronicle=_chronicle(membership),
        sections=tuple(_section(each, lines) for each in shown),
        people=tuple((one.id, one.name) for one in known.values()),
        who=who,
        waiting=found.waiting,
        newer=before,
        older=after,
    )


def _chronicle(membership: Membership) -> dict[str, str]:
    one = membership.chronicle
    return {"pk": one.pk, "name": one.name, "ruleset": one.ruleset}


def _address(who: str, number: int) -> str:
    if not number:
        return ""
    query = QueryDict(mutable=True)
    query.update({"who": who, "page": str(number)} if who else {"page": str(number)})
    return f"?{query.urlencode()}"


def _section(session: Any, lines: Iterable[tuple[str, Line]]) -> Section:
    key = session.pk if session else ""
    mine = sorted((line for place, line in lines if place == key), key=lambda line: (line.at, line.sort, line.text))
    if session is None:
        return Section(lines=tuple(mine))
    return Section(session.number, session.title, session.when, session_url(session.pk), tuple(mine))


# ------------------------------------------------------------------ sessions


def _sessions(membership: Membership) -> list[Any]:
    """The sessions that were played or are being played, newest first, each with `when` it began."""
    rows = Session.objects.filter(
        chronicle_id=membership.chronicle_id, progress__in=[Progress.PLAYING, Progress.PLAYED]
    ).annotate(when=Coalesce("begun", "starts", "created"))
    return list(rows.only("pk", "number", "title").order_by("-when", "-number"))


@dataclass(slots=True)
class _Window:
    """The sessions of a page and the time that they span, from the oldest's beginning to the next newer one's."""

    sessions: Sequence[Any]
    shown: Sequence[Any]
    ids: list[str] = field(init=False)
    begun: list[datetime] = field(init=False)
    all_ids: list[str] = field(init=False)
    since: datetime | None = field(init=False)
    until: datetime | None = field(init=False)

    def __post_init__(self) -> None:
        # The oldest first, for the bisection.
        self.begun = [each.when for each in reversed(self.sessions)]
        self.all_ids = [each.pk for each in reversed(self.sessions)]
        here = [each for each in self.shown if each]
        self.ids = [each.pk for each in here]
        newer = [each for each in self.sessions if not here or each.when > here[0].when]
        self.until = newer[-1].when if newer else None
        self.since = None if None in self.shown else here[-1].when

    def asked(self, at: str, session: str = "") -> Q:
        """The rows of this page, by when they were (`at`) or, if they have one, their session."""
        in_time = Q()
        if self.since:
            in_time &= Q(**{f"{at}__gte": self.since})
        if self.until:
            in_time &= Q(**{f"{at}__lt": self.until})
        if not session:
            return in_time
        return Q(**{f"{session}__in": self.ids}) | (Q(**{session: None}) & in_time)

    def place(self, at: datetime, session: str | None = None) -> str:
        """The session of a moment: its own, or the latest that had begun; "" before the first."""
        if session and session in self.all_ids:
            return session
        before = bisect_right(self.begun, at)
        return self.all_ids[before - 1] if before else ""

    def covers(self, place: str) -> bool:
        """Whether a session is on the page."""
        return place in self.ids or (not place and None in self.shown)


# ------------------------------------------------------------------ lines


class _Finder:
    """Finds the lines of a page for one member, each with the session under which it is."""

    def __init__(self, membership: Membership, known: Mapping[str, Known], window: _Window) -> None:
        self.membership, self.known, self.window = membership, known, window
        self.waiting = 0

    def lines(self) -> list[tuple[str, Line]]:
        found = [*self._fights(), *self._outside(), *self._reveals(), *self._experience(), *self._met(), *self._ties()]
        return [each for each in found if self.window.covers(each[0])]

    def _fights(self) -> Iterator[tuple[str, Line]]:
        fights = Encounter.objects.fights().filter(chronicle_id=self.membership.chronicle_id, status=Status.ENDED)
        fights = fights.filter(begun__isnull=False)
        wanted = fights.filter(self.window.asked("begun", "session")).order_by("-begun", "-pk")
        rows = list(wanted.values_list("pk", "name", "begun", "session_id")[:MOST_LINES])
        digests = digests_for(self.membership, fights=[pk for pk, *_rest in rows])
        self.waiting = digests.waiting
        told = {each.id: each for each in digests.found}
        for pk, name, at, session in rows:
            begun = cast("datetime", at)
            url = "" if why_missing(self.membership.chronicle.ruleset) else reverse("combat:report", args=[pk])
            place = self.window.place(begun, session)
            if pk not in told:
                yield place, Line("fight", begun, name, url)
                continue
            yield from ((place, line) for line in _fight_lines(told[pk], begun, url))

    def _outside(self) -> Iterator[tuple[str, Line]]:
        """What changed somebody for good outside fights."""
        if not self.window.shown:
            return
        outside = digests_for(self.membership, fights=[], outside=True)
        for digest in outside.found:
            url = reverse("combat:rolls", args=[self.membership.chronicle_id])
            for sort, moment in _changes(digest):
                at = datetime.fromisoformat(moment.at)
                yield self.window.place(at), _moment_line(sort, moment, at, f"{url}#entry-{moment.entry}")

    def _reveals(self) -> Iterator[tuple[str, Line]]:
        """The passages that were shown to this reader, if they still may read them; each page once a session."""
        rows = Reveal.objects.filter(passage__in=passages_for(self.membership).order_by().values("pk"))
        if not self.membership.is_storyteller:
            rows = rows.filter(Q(everyone=True) | Q(to=self.membership)).distinct()
        wanted = rows.filter(self.window.asked("at", "session")).order_by("-at", "-pk")
        met = set[tuple[str, str]]()
        for at, session, page, title in wanted.values_list(
            "at", "session_id", "passage__page_id", "passage__page__title"
        )[:MOST_LINES]:
            place = self.window.place(at, session)
            if (place, page) not in met:
                met.add((place, page))
                text = _("Shown: {title}").format(title=title)
                yield place, Line("reveal", at, text, page_url(self.membership.chronicle_id, page))

    def _experience(self) -> Iterator[tuple[str, Line]]:
        """Experience earned and spent, of those whose ledger the member may read."""
        chronicle = self.membership.chronicle
        if why_missing(chronicle.ruleset):
            return
        people = Character.objects.filter(chronicle_id=chronicle.pk)
        if not self.membership.is_storyteller:
            people = people.filter(owner_id=self.membership.user_id)
        rows = ExperienceEntry.objects.filter(character__in=people.values("pk"))
        counts = ~Q(kind=EntryKind.PURCHASE) | Q(step__in=[Step.GRANTED, ""])
        wanted = rows.filter(counts, self.window.asked("at")).select_related("about", "character")
        ruleset = rulesets.ruleset_for(chronicle)
        for entry in wanted.order_by("-at", "-pk")[:MOST_LINES]:
            what = told_of(entry, ruleset, entry.character.kind)
            amount = change(entry.amount, ruleset.beats)
            text = f"{entry.character.name}: {what}" + (f" ({amount})" if amount else "")
            url = reverse("characters:experience", args=[entry.character_id])
            place = self.window.place(entry.at)
            yield place, Line("experience", entry.at, text, url, who=frozenset({entry.character_id}))

    def _met(self) -> Iterator[tuple[str, Line]]:
        """Who met whom."""
        rows = meetings_of(self.membership)
        if self.membership.is_storyteller:
            rows = Meeting.objects.filter(character__chronicle_id=self.membership.chronicle_id)
            rows = rows.filter(character__owner=None, character__binned=None)
        wanted = rows.filter(self.window.asked("at", "session")).order_by("-at", "-pk")
        for at, session, who, by in wanted.values_list("at", "session_id", "character_id", "by_id")[:MOST_LINES]:
            if who in self.known and (by is None or by in self.known):
                name = self.known[who].name
                text = (
                    _("{who} met {name}.").format(who=self.known[by].name, name=name)
                    if by
                    else _("Everyone met {name}.").format(name=name)
                )
                about = frozenset(filter(None, (who, by)))
                url = person_url(self.membership, self.known[who])
                yield self.window.place(at, session), Line("met", at, text, url, who=about)

    def _ties(self) -> Iterator[tuple[str, Line]]:
        """Ties that began and ended. Those without a session began when the reader learned of them."""
        ties = ties_for(self.membership, self.known)
        ends = {each for tie in ties for each in ends_of(tie)} - self.known.keys()
        groups = dict(pages_for(self.membership).filter(pk__in=ends).values_list("pk", "title")) if ends else {}
        names = {**groups, **{one.id: one.name for one in self.known.values()}}
        when, url = {each.pk: each.when for each in self.window.sessions}, ties_url(self.membership.chronicle_id)
        for tie in ties:
            about = frozenset(ends_of(tie))
            told: datetime = tie.told  # type: ignore[attr-defined]  # annotated
            words = {end: names[each] for end, each in zip(("one", "other"), ends_of(tie), strict=True)}
            began = when.get(tie.since_id, told)
            yield self.window.place(began, tie.since_id), Line("tie", began, _begun(tie, words), url, who=about)
            if tie.ended_id in when:
                line = Line("tie", when[tie.ended_id], _ended(tie, words), url, who=about)
                yield self.window.place(line.at, tie.ended_id), line


def _fight_lines(digest: Digest, at: datetime, url: str) -> Iterator[Line]:
    lasting = tuple(_changes(digest))
    kept = {moment.text for _sort, moment in lasting}
    details = tuple(each.text for each in digest.told.turnings if each.text not in kept)
    who = frozenset(each.character for each in digest.told.deeds if each.character)
    yield Line("fight", at, digest.name, url, details, who)
    for sort, moment in lasting:
        yield _moment_line(sort, moment, digest.ended or at, f"{url}#entry-{moment.entry}")


def _changes(digest: Digest) -> Iterator[tuple[str, Moment]]:
    """Deaths and scars; outside fights also who was put out of action."""
    for each in digest.told.turnings:
        if each.dead or (digest.outside and each.name):
            yield ("death" if each.dead else "fight"), each
    for each in digest.told.scars:
        yield "scar", each


def _moment_line(sort: str, moment: Moment, at: datetime, url: str) -> Line:
    return Line(sort, at, moment.text, url, who=frozenset({moment.character} - {""}))


def _begun(tie: Tie, words: Mapping[str, str]) -> str:
    if tie.kind == TieKind.MEMBER:
        return _("{one} joined {other}.").format(**words)
    if tie.kind == TieKind.BOON:
        return _("{one} owes {other} a boon.").format(**words)
    return _("{one} is tied to {other}.").format(**words)


def _ended(tie: Tie, words: Mapping[str, str]) -> str:
    if tie.kind == TieKind.MEMBER:
        return _("{one} left {other}.").format(**words)
    if tie.kind == TieKind.BOON:
        return _("{one} no longer owes {other} a boon.").format(**words)
    return _("{one} is no longer tied to {other}.").format(**words)
