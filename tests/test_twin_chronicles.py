"""Two chronicles, one of them with things that players don't know: players and observers get the same bytes of both.

`tests.combat.secrecy.test_twin_pages` does the same for what is hidden in a fight. Here it is what is between fights:
sheets, their history, experience, time, conditions that last, templates, and what one player keeps from the others.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection

from campaigns import chains, page_services
from campaigns import services as campaigns
from campaigns.live import token
from characters import experience, experience_pages, history, library_services, services
from characters.models import Character, ExperienceEntry, Ledger
from combat.commands import drafts, perform
from combat.commands.outside import open_log
from combat.live import wall
from combat.live.pages import shown
from combat.log import rows, seal
from combat.models import Encounter, LogRow
from combat.secrecy.audiences import TABLE, player_audience
from rules.model.gear import Damage
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.commands import Care
from tests import planted
from tests.combat.conftest import FixedDice, Table
from tests.combat.live.test_pages import opened as page_opened
from tests.combat.secrecy.test_twin_pages import (
    AT_THE_END,
    FRAGMENT,
    READERS,
    Seated,
    _time_stands_still,
    numbered_apart,
)
from tests.combat.sockets import opened
from tests.world import World

__all__ = ["_time_stands_still"]  # a fixture

pytestmark = pytest.mark.django_db

EVERYBODY = (*READERS, "stranger")
OTHERS = ("player", "observer", "stranger")
"""Who must not learn what is the other player's own."""
LOTS = 2 if "VESPER_EVERYWHERE" in os.environ else 1
"""How many of the pages that show most, and of all addresses, each reader asks for after a deed; of all at the end."""
NUMBERS = count(1)


class Twin(Seated):
    """One of the two chronicles. They differ in ids and account names only, which `labels` replaces."""

    def __init__(self, person: Callable[[str], Any]) -> None:
        number = f"zq{next(NUMBERS):04}"
        self.people = {name: person(f"{name}{number}") for name in ("storyteller", *EVERYBODY)}
        self.ruleset = RULESETS["masquerade"]
        chronicle = campaigns.create_chronicle(
            user=self.people["storyteller"], name="Twins", ruleset=self.ruleset.key, description="Of two."
        )
        for name, role in READERS.items():
            campaigns.add_member(chronicle=chronicle, user=self.people[name], role=role)
        members = numbered_apart(chronicle)
        planted.awards_for_botches(chronicle)
        self.chronicle, self.tokens, self.unseen = chronicle, dict[tuple[str, str], dict[str, int]](), set[str]()
        self.npc: Character | None = None
        self.by = chronicle.memberships.get(user=self.people["storyteller"])
        self.mine, self.theirs = (
            chronicle.memberships.get(user=self.people[name]) for name in ("player", "other_player")
        )
        self.ilya = planted.players_own(self.mine, "Ilya")
        self.odile = planted.players_own(self.theirs, "Odile")
        self.owners = {"ilya": "player", "odile": "other_player"}
        fight = drafts.create_encounter(by=self.by, name="The chapel", scene="Rain.")
        drafts.add_character(encounter_id=fight.pk, actor=self.by.user, character=self.ilya)
        perform.perform(encounter_id=fight.pk, actor=self.by.user, command=commands.Begin())
        self.pk, self.log = fight.pk, open_log(chronicle).pk
        note = page_services.create_page(by=self.by, title="Open", text="For all.", audience="everyone")
        self.labels = {
            chronicle.pk: "<chronicle>",
            self.pk: "<fight>",
            self.log: "<rolls>",
            number: "<number>",
            self.ilya.pk: "<ilya>",
            self.odile.pk: "<odile>",
            note.pk: "<note>",
            note.passages.get().pk: "<passage>",
            **members,
            **{player_audience(one.pk): f"player-<{role}>" for role, one in self.people.items()},
        }
        ids = defaultdict(lambda: "0", wall=wall.open_wall(by=self.by), rolls=self.log)
        ids |= {"character": self.ilya.pk, "other character": self.odile.pk, "open note": note.pk}
        self.labels[ids["wall"]] = "<wall>"
        self.world = World(Table(self.pk, self.by.user, {}), chronicle, self.people, ids)
        self.clients = {who: self.world.client(who) for who in EVERYBODY}

    def everyday(self) -> None:
        """What everybody's pages are full of at both tables."""
        experience.award(by=self.by, to=[self.ilya.pk, self.odile.pk], amount=12, reason="Session played")
        asked = experience.ask(by=self.mine, character=self.ilya, wish=experience.Other("A favour", 3))
        assert asked is not None
        experience.ask(by=self.mine, character=self.ilya, wish=experience.Other("Another", 3))
        experience.refuse(by=self.by, entry=asked, note="Not yet.")
        log = planted.Outside(self.by)
        log.do("harm", commands.Harm(self.odile.pk, 1, Damage.LETHAL, why="A stair"))
        roll = commands.RollTraits(self.odile.pk, ("wits",), label="Listening")
        log.do("roll", roll, actor=self.theirs.user, dice=FixedDice(8, 3))

    def quietly(self, deeds: Iterable[str]) -> Iterator[str]:
        """Do what leaves no trace for the readers that are compared: its rows get no labels."""
        deeds = iter(deeds)
        while True:
            before = self._tokens()
            done = next(deeds, None)
            self.unseen |= self._tokens() - before
            if done is None:
                return
            yield done

    def _tokens(self) -> set[str]:
        return set(LogRow.objects.filter(encounter__chronicle=self.chronicle).values_list("token", flat=True))

    def learn_labels(self) -> None:
        """Label the rows and entries that both tables have, in their order."""
        unknown = [self.npc.pk, *self._combatants(self.npc.pk)] if self.npc else []
        logs = Encounter.objects.filter(chronicle=self.chronicle).exclude(status="draft").order_by("created", "pk")
        for number, log in enumerate(logs):
            self.labels.setdefault(log.pk, f"<log {number}>")
            for who, character in _people(log).items():
                if character in (self.ilya.pk, self.odile.pk) and who != character:
                    self.labels[who] = f"<{self.labels[character]} in {number}>"
            seen = [row for row in log.rows.order_by("seq") if row.kind != "cast" and not self._is_dark(row, unknown)]
            for place, row in enumerate(seen):
                self.labels |= {row.token: f"<row {number} {place}>", seal.shown(row.seal): f"<seal {number} {place}>"}
        for entry in ExperienceEntry.objects.filter(character__in=[self.ilya, self.odile]):
            self.labels[entry.pk] = f"<entry {entry.character.name} {entry.seq}>"
        for ledger in Ledger.objects.filter(character__in=[self.ilya, self.odile]):
            self.labels[chains.shown(ledger.seal)] = f"<ledger {ledger.character.name}>"

    def _is_dark(self, row: LogRow, unknown: Iterable[str]) -> bool:
        said = json.dumps(row.command)
        together = row.command["is"] in ("End", "PassTime")
        return row.token in self.unseen or (not together and any(each in said for each in unknown))

    def _combatants(self, character: str) -> Iterator[str]:
        for log in Encounter.objects.filter(chronicle=self.chronicle):
            yield from (who for who, known in _people(log).items() if known == character)


class Twins:
    """Both chronicles, and the comparison between them for some readers."""

    def __init__(self, person: Callable[[str], Any], readers: Iterable[str] = EVERYBODY) -> None:
        self.one, self.other = Twin(person), Twin(person)
        self.readers, self.random = tuple(readers), Random("twin chronicles")
        for twin in (self.one, self.other):
            twin.everyday()
        self.asks = self.other.asks()

    def compare(self, done: str, lots: int = LOTS) -> None:
        """Compare some of the pages that show most, and some of all drawn by lot; every page if `lots` is 0."""
        for twin in (self.one, self.other):
            twin.learn_labels()
        assert self._versions(self.one) == self._versions(self.other), done
        for who in self.readers:
            drawn = self.random.choices([*self.asks], k=lots)
            asked = [self.random.choice(self.asks[route]) for route in drawn]
            most = self.random.sample(SHOWN, min(lots, len(SHOWN)))
            for address in (*most, *asked) if lots else (*SHOWN, *self._every_page()):
                assert self.one.read(who, address) == self.other.read(who, address), (who, address, done)

    def _every_page(self) -> Iterator[str]:
        """Every address as a whole page, of the many forms of a fight a few, and each route with some query."""
        for route, found in self.asks.items():
            pages = [each for each in found if not each.startswith(FRAGMENT) and "?" not in each]
            yield from pages if route != "combat:form" else self.random.sample(pages, 4)
            yield self.random.choice(found)

    def _versions(self, twin: Twin) -> dict[str, Any]:
        """Of each log, how often the view of each reader has changed."""
        audiences = {"player": player_audience(twin.mine.user_id), "other_player": player_audience(twin.theirs.user_id)}
        mine = [audiences.get(who, TABLE) for who in self.readers]
        return {
            twin.labels[log.pk]: [
                (log.versions.get(each, {}).get("version"), sorted(log.versions.get(each, {}).get("panes", {})))
                for each in mine
            ]
            for log in Encounter.objects.filter(chronicle=twin.chronicle).exclude(status="draft")
        }


SHOWN = (
    "/chronicles/<chronicle>/",
    "/chronicles/<chronicle>/rolls/",
    "/encounters/<rolls>/since/0",
    "/encounters/<fight>/since/0",
    "/characters/<ilya>/",
    "/characters/<ilya>/history/",
    "/characters/<ilya>/experience/",
    "/characters/<odile>/",
    "/characters/<odile>/history/",
    "/characters/<odile>/experience/",
)


def test_an_unknown_character_is_noticed_nowhere(person: Callable[[str], Any]) -> None:
    twins = Twins(person)
    one, other = twins.one, twins.other
    twins.compare("nothing")
    npc = one.npc = planted.unknown_npc(one.by)
    twins.compare("an unknown character")
    for done in one.quietly(planted.deeds_on_the_unknown(one.by, npc)):
        twins.compare(done)
    for done in one.quietly(planted.deeds_about_hers(one.by, one.odile)):
        twins.compare(done)
    for done in one.quietly(_papers(one)):
        twins.compare(done)
    planted.cellar(one.by, one.odile, npc)
    planted.cellar(other.by, other.odile)
    twins.compare("a fight that is over")
    twins.asks |= {"combat:report": [f"/encounters/<log 2>/report/{query}" for query in ("", "?log_kind=damage")]}
    # Time passes for both together, and an award is made to both: their player reads of her own alone.
    for twin, who in ((one, (one.odile.pk, npc.pk)), (other, (other.odile.pk,))):
        care = dict.fromkeys(who, Care.CARE)
        planted.Outside(twin.by).do("time", commands.PassTime(who, 48, care=care, dusk=True, why="Two nights."))
        experience.award(by=twin.by, to=who, amount=1, reason="Survived")
    twins.compare("time for both")
    for twin in (one, other):
        planted.Outside(twin.by).undo()
    twins.compare("time undone")
    services.delete_character(by=one.by, character=npc)
    twins.compare("in the bin", lots=AT_THE_END)
    twins.compare("the end", lots=0)


def _papers(twin: Twin) -> Iterator[str]:
    """Templates, one that grows, drafts, notes and house kinds that players don't learn of."""
    data = library_services.TemplateData("CANARY hound", "mortal", pools={"attack": 5, "health": 4})
    library_services.save_template(by=twin.by, data=data, version=1)
    yield "a template"
    library_services.grow(by=twin.by, sheet=services.SheetData("CANARY whelp", "mortal"))
    yield "a template that grew"
    draft = drafts.create_encounter(by=twin.by, name="CANARY ambush")
    drafts.add_character(encounter_id=draft.pk, actor=twin.by.user, character=twin.npc)
    yield "a draft"
    page_services.create_page(by=twin.by, title="CANARY plans", text="", audience="storytellers")
    yield "a note"


def test_what_is_one_players_own_is_noticed_by_no_other(person: Callable[[str], Any]) -> None:
    twins = Twins(person, OTHERS)
    for done in twins.one.quietly(planted.deeds_of_hers(twins.one.by, twins.one.theirs, twins.one.odile)):
        twins.compare(done)
    twins.compare("the end", lots=0)


def test_what_is_whispered_in_a_fight_is_noticed_by_no_other(person: Callable[[str], Any]) -> None:
    twins = Twins(person, ("other_player", "observer", "stranger"))
    fight = Encounter.objects.get(pk=twins.one.pk)
    (who,) = _people(fight)
    for text in (planted.HERS["her message"], "Nothing.", planted.HERS["her message"]):
        for done in twins.one.quietly(_performed(fight, twins.one, commands.Describe((who,), text))):
            twins.compare(done)
    twins.compare("the end", lots=AT_THE_END)


def _people(log: Encounter) -> dict[str, str]:
    """The characters of those in a fight, by combatant."""
    now = rows.state_now(Encounter.objects.select_related("chronicle").get(pk=log.pk))
    return {who: each.character for who, each in now.combatants.items()}


def _performed(fight: Encounter, twin: Twin, command: Any) -> Iterator[str]:
    perform.perform(encounter_id=fight.pk, actor=twin.by.user, command=command)
    yield type(command).__name__


# ------------------------------------------------------------------ sockets


def test_nothing_unknown_is_told_to_an_open_page(
    person: Callable[[str], Any], django_capture_on_commit_callbacks: Any
) -> None:
    """Each open page of a member hears once, of the note that is written for everybody after all that is hidden."""
    twin = Twin(person)
    twin.everyday()
    npc = twin.npc = planted.unknown_npc(twin.by)
    chronicle = twin.chronicle.pk
    pages = [(name, page, key) for name in READERS for page, key in (("chronicle", chronicle), ("home", "me"))]
    pages += [("player", page, twin.ilya.pk) for page in ("sheet", "experience")]
    pages += [("other_player", page, twin.odile.pk) for page in ("sheet", "experience")]
    fights = [(name, log) for name in READERS for log in (twin.pk, twin.log)]

    def hidden() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            deeds = (
                *planted.deeds_on_the_unknown(twin.by, npc),
                *planted.deeds_about_hers(twin.by, twin.odile),
                *_papers(twin),
            )
            assert deeds

    def seen() -> None:
        connection.run_on_commit.clear()  # nothing is committed here, and hints that wait are not sent twice
        with django_capture_on_commit_callbacks(execute=True):
            page_services.create_page(by=twin.by, title="News", text="", audience="everyone")

    async def scenario() -> None:
        live = {each: await page_opened(twin.people[each[0]], *each[1:]) for each in pages}
        sockets = [await opened(twin.people[name], log) for name, log in fights]
        for socket in sockets:
            await socket.receive_from()
        await sync_to_async(hidden)()
        await sync_to_async(seen)()
        for name, page, key in pages:
            now = await sync_to_async(lambda: token(shown(twin.people[name], page, key).value))()  # noqa: B023
            if page == "chronicle":
                assert json.loads(await live[name, page, key].receive_from())["version"] == now
            assert await live[name, page, key].receive_nothing(0.2), (name, page)
        for (name, _log), socket in zip(fights, sockets, strict=True):
            assert await socket.receive_nothing(0.1), name
        for socket in (*live.values(), *sockets):
            await socket.disconnect()

    async_to_sync(scenario)()


# ------------------------------------------------------------------ that it can fail


@pytest.mark.parametrize(
    ("module", "name", "leak"),
    [
        pytest.param(history, "rows_for", lambda seen: history.SheetChange.objects.all(), id="history"),
        pytest.param(
            experience_pages,
            "_entry_line",
            None,
            id="experience",
        ),
    ],
)
def test_a_leak_is_found(
    person: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, module: Any, name: str, leak: Any
) -> None:
    """A history of all sheets on one, and a number of proposals on a ledger."""
    twins = Twins(person)
    if leak is None:
        entry = getattr(module, name)

        def leak(one: Any, ruleset: Any, seen: Any) -> Any:
            waiting = len(experience_pages.open_proposals(seen.membership))
            return replace(entry(one, ruleset, seen), note=f"{waiting} more")

    monkeypatch.setattr(module, name, leak)
    npc = twins.one.npc = planted.unknown_npc(twins.one.by)
    deeds = (*planted.deeds_on_the_unknown(twins.one.by, npc), *planted.deeds_about_hers(twins.one.by, twins.one.odile))
    assert deeds
    with pytest.raises(AssertionError, match="deeds"):
        twins.compare("deeds", lots=len(SHOWN))
