"""How long the pages of a chronicle take that has been played for years.

    python -m bench.chronicle [sessions]

It makes a chronicle of 200 sessions with 5,000 passages, 400 characters, 600 ties and 150 fights on a temporary
database, and prints for each page how long it takes for a Storyteller and for a player, the median of five, and how
many statements it runs.
"""

# ruff: noqa: T201 (prints its results)

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from typing import Any

BEGAN = datetime(2022, 1, 7, 19, 30, tzinfo=UTC)
PLAYERS = 5
TIMES = 5
OK = 200
OURS = ("campaigns", "characters", "combat", "story")
WORDS = (
    "The prince asked about the mill again, and nobody in the court wanted to be the one to answer. "
    "Somebody has moved the boundary stones at night. The river is higher than it has been for years. "
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is of everything."""

    sessions: int = 200
    pages: int = 1500
    passages: int = 5000
    characters: int = 400
    ties: int = 600
    fights: int = 150

    def times(self, factor: float) -> Size:
        """So many times as much of everything."""
        numbers = (self.sessions, self.pages, self.passages, self.characters, self.ties, self.fights)
        return Size(*(max(1, round(factor * number)) for number in numbers))


WHOLE = Size()


def fill(chronicle: Any, size: Size) -> None:
    """Add `size` of everything to a chronicle that has members, some of it unknown to players. Fights are copies of
    its first one, which must have ended."""
    from django.db import transaction

    with transaction.atomic():
        sessions = _sessions(chronicle, size)
        people = _characters(chronicle, size, sessions)
        groups = _pages(chronicle, size, sessions)
        _ties(chronicle, size, sessions, people, groups)
        _fights(chronicle, size, sessions)


def _members(chronicle: Any) -> list[Any]:
    return list(chronicle.memberships.active().filter(role="player").select_related("user").order_by("pk"))


def _sessions(chronicle: Any, size: Size) -> list[Any]:
    from campaigns.models import Attendance, Progress, Session

    have = chronicle.sessions.count()
    made = []
    for number in range(have + 1, have + size.sessions + 1):
        starts = BEGAN + timedelta(weeks=number)
        made.append(
            Session(
                chronicle=chronicle,
                number=number,
                title=f"Night {number}",
                starts=starts,
                place="At the usual table",
                progress=Progress.PLAYED,
                begun=starts,
                ended=starts + timedelta(hours=4),
                recap=WORDS * 4,
                told=starts + timedelta(days=1),
            )
        )
    Session.objects.bulk_create(made)
    rows = [
        Attendance(session=session, user=member.user, answer="yes", came=True)
        for session in made
        for member in _members(chronicle)
    ]
    Attendance.objects.bulk_create(rows, batch_size=500)
    return made


def _characters(chronicle: Any, size: Size, sessions: list[Any]) -> list[Any]:
    from characters.models import Character, Face, Meeting

    members = _members(chronicle)
    have = chronicle.characters.count()
    made = [
        Character(
            chronicle=chronicle,
            name=f"Marguerite de Sablon the {number}th",
            concept="Harpy",
            kind="vampire",
            owner=members[number % len(members)].user if number % 40 == 0 else None,
        )
        for number in range(have, have + size.characters)
    ]
    Character.objects.bulk_create(made)
    players = list(Character.objects.filter(chronicle=chronicle, owner__isnull=False).order_by("pk"))
    npcs = [one for one in made if one.is_npc]
    Face.objects.bulk_create([Face(character=one, text=WORDS) for one in npcs])
    # Two of three are known to somebody, half of these under another name.
    meetings = [
        Meeting(
            character=one,
            by=None if number % 3 else players[number % len(players)],
            known_as="" if number % 2 else f"The {number}th guest",
            session=sessions[number % len(sessions)],
            at=BEGAN + timedelta(weeks=number % len(sessions)),
        )
        for number, one in enumerate(npcs)
        if number % 3 != 2
    ]
    Meeting.objects.bulk_create(meetings)
    return made


def _pages(chronicle: Any, size: Size, sessions: list[Any]) -> list[Any]:
    from campaigns.models import Link, Page, PageKind, Passage, Readership

    members, have = _members(chronicle), chronicle.pages.count()
    kinds = cycle(PageKind)
    made = [
        Page(
            chronicle=chronicle,
            kind=next(kinds),
            title=f"The mill at the {number}th mile",
            folded=f"the mill at the {number}th mile",
            session=sessions[number % len(sessions)],
        )
        for number in range(have, have + size.pages)
    ]
    Page.objects.bulk_create(made)
    audiences = cycle(("everyone", "storytellers", "everyone", "chosen", "storytellers"))
    passages = []
    for number in range(size.passages):
        audience, written = next(audiences), BEGAN + timedelta(hours=number)
        link = made[(number * 7) % len(made)].title
        passages.append(
            Passage(
                page=made[number % len(made)],
                place=number,
                text=f"{WORDS}See [[{link}]]. {WORDS}",
                audience=audience,
                written=written,
                opened=written if audience == "everyone" else None,
            )
        )
    for passage in passages:
        _fold(passage)
    Passage.objects.bulk_create(passages, batch_size=500)
    Link.objects.bulk_create(
        [
            Link(passage=passage, folded=made[(number * 7) % len(made)].folded)
            for number, passage in enumerate(passages)
        ],
        batch_size=500,
    )
    chosen = [
        Readership(passage=passage, membership=members[number % len(members)], since=passage.written)
        for number, passage in enumerate(passages)
        if passage.audience == "chosen"
    ]
    Readership.objects.bulk_create(chosen, batch_size=500)
    return [page for page in made if page.kind == PageKind.GROUP]


def _fold(passage: Any) -> None:
    """Set what saving sets, which rows made in bulk lack."""
    if hasattr(passage, "fold"):
        passage.fold()


def _ties(chronicle: Any, size: Size, sessions: list[Any], people: list[Any], groups: list[Any]) -> None:
    from characters.models import Tie

    audiences = cycle(("everyone", "storytellers", "everyone"))
    made = []
    for number in range(size.ties):
        audience, written = next(audiences), BEGAN + timedelta(days=number)
        boon, member = number % 3 == 0, number % 3 == 1 and bool(groups)
        one, other = people[number % len(people)], people[(number * 11 + 1) % len(people)]
        if one is other:
            continue
        made.append(
            Tie(
                chronicle=chronicle,
                kind="boon" if boon else "member" if member else "relation",
                from_character=one,
                to_character=None if member else other,
                to_group=groups[number % len(groups)] if member else None,
                text="For the night at the mill.",
                size="minor" if boon else "",
                state="owed" if boon else "",
                audience=audience,
                since=sessions[number % len(sessions)],
                written=written,
                opened=written if audience == "everyone" else None,
            )
        )
    Tie.objects.bulk_create(made, batch_size=500)


def _fights(chronicle: Any, size: Size, sessions: list[Any]) -> None:
    from campaigns.tokens import public_id
    from combat.log import seal
    from combat.models import Encounter, LogRow

    pattern = Encounter.objects.fights().filter(chronicle=chronicle, status="ended").order_by("created").first()
    if pattern is None:
        return
    steps = list(LogRow.objects.filter(encounter=pattern).order_by("seq"))
    fields = ("kind", "target", "actor", "actor_name", "command", "events", "cast", "created")
    rows = []
    for number in range(size.fights):
        session = sessions[number % len(sessions)]
        fight = Encounter(
            chronicle=chronicle,
            session=session,
            name=f"The {number}th fight at the mill",
            status=pattern.status,
            seq=pattern.seq,
            state=pattern.state,
            versions=pattern.versions,
            begun=session.begun,
            ended=session.ended,
        )
        fight.save()
        fight.seal = seal.first(fight.pk)
        for step in steps:
            row = LogRow(
                encounter=fight, seq=step.seq, token=public_id(), **{name: getattr(step, name) for name in fields}
            )
            row.seal = fight.seal = seal.seal(fight.seal, seal.content(row))
            rows.append(row)
        fight.save()
    LogRow.objects.bulk_create(rows, batch_size=500)


# ------------------------------------------------------------------ a table to begin with


def set_table() -> Any:
    """The demo's chronicle with five players and its fight played to the end. Returns the chronicle."""
    from campaigns import services
    from campaigns.models import Chronicle, Membership, Role, User
    from combat.commands import perform
    from combat.demo import make_demo
    from combat.models import Encounter
    from rules.model.attack import Attack
    from rules.topics import commands

    make_demo()
    chronicle = Chronicle.objects.get()
    for number in range(PLAYERS - Membership.objects.filter(chronicle=chronicle, role=Role.PLAYER).count()):
        user = User.objects.create(username=f"player{number}")
        services.add_member(chronicle=chronicle, user=user, role=Role.PLAYER)
    fight = Encounter.objects.fights().get()
    do = partial(perform.perform, encounter_id=fight.pk, actor=User.objects.get(username="storyteller"))
    for command in (commands.Begin(), commands.RollInitiative()):
        do(command=command)
    people = list(Encounter.objects.get(pk=fight.pk).state["combatants"])
    everything = ("MQ-ATK-1", "MQ-HEALTH-1", "MQ-MULTI-1", "MQ-DECL-1", "MQ-ORDER-1")
    for number in range(12):
        attack = Attack(people[number % len(people)], (people[(number + 1) % len(people)],))
        do(command=attack, waive=everything)
    do(command=commands.End())
    return chronicle


def pages_of(chronicle: Any) -> Iterator[tuple[str, str]]:
    """Each page of the chronicle that needs no other id, by its route, and one each of those that do."""
    from django.urls import reverse

    objects: Mapping[str, Any] = {
        "page_id": chronicle.pages.filter(kind="group").first(),
        "session_id": chronicle.sessions.first(),
        "character_id": chronicle.characters.filter(owner__isnull=False).first(),
        "encounter_id": chronicle.encounters.fights().first(),
    }
    for app, pattern in patterns():
        names = list(pattern.pattern.converters)
        known = {name: objects[name].pk for name in names if objects.get(name) is not None}
        if "chronicle_id" in names:
            known["chronicle_id"] = chronicle.pk
        if names and known.keys() == set(names):
            route = f"{app}:{pattern.name}"
            yield route, reverse(route, kwargs=known)


def patterns() -> Iterator[tuple[str, Any]]:
    """The app and pattern of each of Vesper's own addresses."""
    from django.urls import URLPattern, get_resolver

    for resolver in get_resolver().url_patterns:
        app = getattr(resolver, "app_name", "")
        for pattern in resolver.url_patterns if app in OURS else ():
            if isinstance(pattern, URLPattern):
                yield app, pattern


def measured(chronicle: Any, user: Any, times: int = TIMES) -> Iterator[tuple[str, float, int]]:
    """For each page that this user gets: its route, the median of its milliseconds, and its statements."""
    from django.db import connection
    from django.test import Client

    from story.digests import read_all

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    # In use, logs are read in the background when a fight ends.
    read_all(chronicle.memberships.select_related("chronicle", "user").get(user=user))
    for route, address in pages_of(chronicle):
        if client.get(address).status_code != OK:
            continue
        statements: list[str] = []

        def count(execute: Any, sql: str, *more: Any, seen: list[str] = statements) -> Any:
            seen.append(sql)
            return execute(sql, *more)

        with connection.execute_wrapper(count):
            client.get(address)
        took = []
        for _time in range(times):
            begun = time.perf_counter()
            client.get(address)
            took.append(1000 * (time.perf_counter() - begun))
        yield route, statistics.median(took) if took else 0.0, len(statements)


def main() -> None:
    factor = int(sys.argv[1]) / WHOLE.sessions if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        os.environ["VESPER_DATA"] = folder
        import django

        django.setup()

        from django.core.management import call_command

        from campaigns.models import User

        call_command("migrate", verbosity=0)
        chronicle = set_table()
        fill(chronicle, WHOLE.times(factor))
        print(f"{'page':36} {'ms':>7} {'statements':>10}")
        for name in ("storyteller", "ilya"):
            print(name)
            for route, took, count in measured(chronicle, User.objects.get(username=name)):
                print(f"{route:36} {took:7.0f} {count:10}")


if __name__ == "__main__":
    main()
