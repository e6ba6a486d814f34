"""Everything that Vesper keeps about an account, as files for its owner.

Only what the owner may read now. Of chronicles that they left or were removed from, that is their own words: texts
that they wrote, without the titles, names and sessions around them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Min
from django.utils.text import slugify

from campaigns import chains, readable, rulesets, sign_ins
from campaigns.models import (
    Attendance,
    Chronicle,
    Invitation,
    Membership,
    Page,
    Passage,
    PassageAudience,
    Picture,
    Readership,
    Reveal,
    User,
)
from campaigns.people import told_apart
from campaigns.words import said
from characters import own_data
from characters.access import Seen
from characters.known import ends_of, known_to
from characters.models import Character, Tie
from combat.history import records
from combat.history.log import told_of
from combat.history.reveal import as_seen_by
from combat.models import DeskKeys, Encounter, LogRow
from combat.panes.build import reader_of
from combat.secrecy.access import audience_of
from rules.engine.messages import label_of

Json = dict[str, Any]

File = tuple[str, Iterable[str] | bytes]
"""A name in the archive, and its content: pieces of text, or bytes."""

IN_FILES: Mapping[str, str] = {
    "campaigns.SignIn.user": "sign-ins.json",
    "campaigns.Membership.user": "membership.json",
    "campaigns.Invitation.created_by": "invitations.json",
    "campaigns.Attendance.user": "answers.json",
    "campaigns.Page.author": "pages.json",
    "campaigns.Passage.author": "pages.json",
    "campaigns.Reveal.by": "shown.json",
    "characters.Character.owner": "characters.json",
    "characters.Tie.author": "ties.json",
    "combat.LogRow.actor": "actions.jsonl",
    "combat.DeskKeys.user": "desk-keys.json",
}
"""The models that refer to an account, and in which file their rows are."""

LEFT_OUT: Mapping[str, str] = {
    "characters.SheetChange.by": "The history belongs to the sheet: those of own characters have it.",
    "characters.ExperienceEntry.by": "The ledger belongs to the character: those of own characters have it.",
    "campaigns.User_groups.user": "Django's groups, which Vesper doesn't use.",
    "campaigns.User_user_permissions.user": "What staff may do in the administration, for its other administrators.",
    "story.Transfer.user": "Exports and imports under way, whose files are on their own pages for a day.",
    "admin.LogEntry.user": "What staff did in the administration, for its other administrators.",
}
"""The others, and why they are in no file."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A chronicle in which an account did something. Without a `member` it may read nothing there any more."""

    user: User
    chronicle: Chronicle
    membership: Membership | None

    @property
    def member(self) -> Membership | None:
        """The membership, if it is current."""
        return self.membership if self.membership and self.membership.removed_at is None else None

    @property
    def folder(self) -> str:
        if self.member is None:
            return f"left/{self.chronicle.pk}"
        return f"chronicles/{slugify(self.chronicle.name)[:40] or 'chronicle'}-{self.chronicle.pk}"


def files_of(user: User) -> Iterator[File]:
    """The files, one after the other."""
    yield "account.json", _json(_account(user))
    yield "sign-ins.json", _json([_sign_in(each) for each in sign_ins.places_of(user, None)])
    keys = DeskKeys.objects.filter(user=user).first()
    yield "desk-keys.json", _json({"own": keys.own, "on": keys.on} if keys else {})
    for place in _places(user):
        for name, content in _files_in(place):
            yield f"{place.folder}/{name}", content


def _places(user: User) -> Iterator[_Place]:
    mine = {each.chronicle_id: each for each in Membership.objects.filter(user=user).select_related("chronicle")}
    found: set[str] = set(mine)
    for rows, of in (
        (Invitation.objects.filter(created_by=user), "chronicle"),
        (Attendance.objects.filter(user=user), "session__chronicle"),
        (Page.with_bin.filter(author=user), "chronicle"),
        (Passage.objects.filter(author=user), "page__chronicle"),
        (Reveal.objects.filter(by=user), "passage__page__chronicle"),
        (Character.with_bin.filter(owner=user), "chronicle"),
        (Tie.objects.filter(author=user), "chronicle"),
        (LogRow.objects.filter(actor=user).order_by(), "encounter__chronicle"),
    ):
        found.update(rows.values_list(of, flat=True).distinct())
    for chronicle in Chronicle.objects.filter(pk__in=found).order_by("created", "pk"):
        yield _Place(user, chronicle, mine.get(chronicle.pk))


def _files_in(place: _Place) -> Iterator[File]:
    yield "membership.json", _json(_membership(place))
    for name, rows in (
        ("invitations.json", _invitations(place)),
        ("answers.json", _answers(place)),
        ("ties.json", _ties(place)),
        ("shown.json", _shown(place)),
    ):
        if found := list(rows):
            yield name, _json(found)
    yield from _pages(place)
    yield from _characters(place)
    yield from _actions(place)


def _json(value: Any) -> Iterator[str]:
    yield json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _lines(rows: Iterable[Json]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _moment(value: Any) -> str | None:
    return chains.moment(value) if value else None


# ------------------------------------------------------------------ the account


def _account(user: User) -> Json:
    return {
        "name": user.username,
        "display_name": user.first_name,
        "email": user.email,
        "language": user.language,
        "time_zone": user.time_zone,
        "joined": _moment(user.date_joined),
        "last_signed_in": _moment(user.last_login),
    }


def _sign_in(place: sign_ins.Place) -> Json:
    return {
        "browser": place.browser,
        "system": place.system,
        "last_used": place.seen.isoformat() if place.seen else None,
    }


def _membership(place: _Place) -> Json:
    row, names = place.membership, dict[str, Any]()
    if place.member:
        names = {"chronicle": place.chronicle.name, "ruleset": rulesets.name_of(place.chronicle.ruleset)}
    if row is None:
        return names
    return {**names, "role": str(row.role), "joined": _moment(row.joined), "removed": _moment(row.removed_at)}


# ------------------------------------------------------------------ words


def _invitations(place: _Place) -> Iterator[Json]:
    for row in Invitation.objects.filter(created_by=place.user, chronicle=place.chronicle).order_by("created", "pk"):
        times = {name: _moment(getattr(row, name)) for name in ("created", "expires", "revoked_at")}
        yield {"label": row.label, "role": str(row.role), "max_uses": row.max_uses, "uses": row.uses, **times}


def _answers(place: _Place) -> Iterator[Json]:
    rows = Attendance.objects.filter(user=place.user, session__chronicle=place.chronicle).select_related("session")
    for row in rows.order_by("session__number"):
        session = row.session
        about = {"session": session.number, "title": session.title, "starts": _moment(session.starts)}
        own = {"answer": row.answer, "comment": row.word, "answered": _moment(row.answered), "came": row.came}
        yield {**(about if place.member else {}), **own}


def _ties(place: _Place) -> Iterator[Json]:
    names = _names(place.member)
    for row in Tie.objects.filter(author=place.user, chronicle=place.chronicle):
        first, second = (names.get(each, "") for each in ends_of(row))
        columns = ("text", "text_back", "size", "state")
        words = {name: getattr(row, name) for name in columns}
        about = {"kind": str(row.kind), "first": first, "second": second, "readers": str(row.audience)}
        yield {**about, **words, "written": _moment(row.written)}


def _names(member: Membership | None) -> Mapping[str, str]:
    """Characters and groups by id, under the names that a member knows."""
    if member is None:
        return {}
    groups = dict(readable.pages_for(member).values_list("pk", "title"))
    return {**groups, **{who: each.name for who, each in known_to(member).items()}}


def _shown(place: _Place) -> Iterator[Json]:
    titles = _titles(place)
    rows = Reveal.objects.filter(by=place.user, passage__page__chronicle=place.chronicle).select_related("passage")
    for row in rows:
        yield {"at": _moment(row.at), "page": titles.get(row.passage.page_id, ""), "to_everyone": row.everyone}


def _titles(place: _Place) -> Mapping[str, str]:
    """The titles of pages that the account may read, or that it gave itself."""
    own = Page.with_bin.filter(author=place.user, chronicle=place.chronicle).values_list("pk", "title")
    read = readable.pages_for(place.member).values_list("pk", "title") if place.member else ()
    return {**dict(own), **dict(read)}


def _pages(place: _Place) -> Iterator[File]:
    """The list of passages that the account wrote, their words by page, and their pictures."""
    titles, listed = _titles(place), list[Json]()
    started = set(Page.with_bin.filter(author=place.user, chronicle=place.chronicle).values_list("pk", flat=True))
    rows = Passage.objects.filter(author=place.user, page__chronicle=place.chronicle).order_by("page", "place", "pk")
    pages = started | set(rows.values_list("page", flat=True))
    for page in Page.with_bin.filter(pk__in=pages).order_by("created", "pk"):
        words = list(rows.filter(page=page))
        listed.append(
            {
                "file": f"pages/{page.pk}.md",
                "title": titles.get(page.pk, ""),
                "kind": str(page.kind),
                "started_by_me": page.pk in started,
                "in_the_bin": page.binned is not None,
                "passages": [_passage(place, each) for each in words],
            }
        )
        title = titles.get(page.pk)
        yield f"pages/{page.pk}.md", [f"# {title}\n\n" if title else "", *(f"{each.text}\n\n" for each in words)]
        for picture in Picture.objects.filter(passage__in=words):
            yield f"pages/{picture.pk}.webp", bytes(picture.picture)
    if listed:
        yield "pages.json", _json(listed)


def _passage(place: _Place, passage: Passage) -> Json:
    times = {"created": _moment(passage.created), "written": _moment(passage.written)}
    said_of: Json = {"readers": str(passage.audience), **times}
    if place.member and passage.audience == PassageAudience.CHOSEN:
        rows = Readership.objects.filter(passage=passage).select_related("membership__user")
        users = [row.membership.user for row in rows]
        told_apart(place.chronicle.pk, users)
        said_of["chosen"] = sorted(user.display_name for user in users)
    picture = Picture.objects.filter(passage=passage).defer("picture").first()
    if picture is not None:
        said_of |= {"picture": f"pages/{picture.pk}.webp", "caption": picture.caption}
    return said_of


# ------------------------------------------------------------------ characters and play


def _characters(place: _Place) -> Iterator[File]:
    """The names of the account's characters, and all of those whose sheets it may read."""
    names = list[Json]()
    for one in Character.with_bin.filter(owner=place.user, chronicle=place.chronicle).order_by("name", "pk"):
        one.chronicle = place.chronicle
        seen = Seen(one, place.member) if place.member and one.binned is None else None
        names.append({"name": one.name, "folder": f"characters/{one.pk}" if seen else None})
        if seen is not None:
            yield f"characters/{one.pk}/sheet.json", _json(own_data.sheet(one))
            yield f"characters/{one.pk}/experience.jsonl", _lines(own_data.experience(one))
            yield f"characters/{one.pk}/history.jsonl", _lines(own_data.history(seen))
    if names:
        yield "characters.json", _json(names)


def _actions(place: _Place) -> Iterator[File]:
    """When the account acted in which fight and how; of fights that it may not read any more, how often."""
    rows = LogRow.objects.filter(actor=place.user, encounter__chronicle=place.chronicle).order_by()
    if place.member and place.chronicle.ruleset in rulesets.installed():
        if rows.exists():
            yield "actions.jsonl", _lines(_acted(place.member))
        return
    counted = rows.aggregate(first=Min("created"), last=Max("created"))
    if counted["first"]:
        times = {name: _moment(when) for name, when in counted.items()}
        yield "actions.json", _json({"number": rows.count(), **times})


def _acted(member: Membership) -> Iterator[Json]:
    mine = LogRow.objects.filter(actor=member.user_id)
    logs = Encounter.objects.filter(chronicle=member.chronicle_id, pk__in=mine.values("encounter"))
    for pk in list(logs.order_by("created", "pk").values_list("pk", flat=True)):
        # Loaded one at a time: their states are large.
        encounter = Encounter.objects.get(pk=pk)
        encounter.chronicle = member.chronicle
        if member.is_storyteller or encounter.visible_to_players:
            yield from _acted_in(encounter, member, dict(mine.filter(encounter=pk).values_list("token", "created")))


def _acted_in(encounter: Encounter, member: Membership, mine: Mapping[str, Any]) -> Iterator[Json]:
    audience = audience_of(member)
    fight = as_seen_by(records.read(encounter), audience)
    reader = reader_of(fight, audience)
    for row in fight.rows:
        if row.token in mine and told_of(row, reader, fight.ruleset).lines:
            what = said(label_of(str(row.command.get("is") or row.kind)))
            yield {"fight": fight.name, "at": _moment(mine[row.token]), "what": what}
