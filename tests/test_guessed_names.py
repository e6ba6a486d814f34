"""Nobody finds a name out by sending it: a hidden name, a masked one and an invented one get the same answer.

Each goes through every field of every form and address. In the answers what was sent is replaced by a placeholder, in
each of the ways in which a page can write it; all else has to be the same, byte for byte.

Each form is tried in one ruleset by lot, and of those that only one ruleset has, one in three; all of its fields at
once, and some of them one by one. A command is tried with one of the two true names. `VESPER_EVERYWHERE=1` tries all
fields of all forms in all rulesets with both names, in thirty times the time.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from random import Random
from typing import Any
from urllib.parse import quote
from uuid import UUID
from zlib import crc32

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import resolve, reverse

from campaigns.archives.box import is_zip
from characters import tables
from characters.models import CarriedWeapon, Weapon
from combat.cache import Kept
from combat.commands import dice, drafts, naming, perform
from combat.history.report_markdown import escaped
from combat.live import frames
from combat.panes import versions
from combat.web.forms.endpoints import endpoints
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.roll import Extended, RollTraits
from rules.systems import RULESETS
from rules.topics.commands import Act, Declare, ProposeAttack, RollInitiative
from tests.combat.conftest import SECRET, TRUE_NAME, Table, make_character
from tests.kept import kept
from tests.rules.fights import Fights
from tests.unzipped import numbered, unzipped
from tests.world import HTMX, World, addresses, build

pytestmark = pytest.mark.django_db

HIDDEN, MASKED, INVENTED = (f"Zz{letter}'<x>&\"yQo" for letter in "äöü")
"""Alike but for one letter, with all that pages and addresses have to encode."""
SENT = "SENT"
"""Stands for the name in what is sent, and in what comes back."""
OF_COMMANDS = {"combat:do", "combat:form", "combat:attack", "combat:attack-plan"}
EVERYWHERE = "VESPER_EVERYWHERE" in os.environ
ONE_IN = {"player": 3, "observer": 6}
"""How many fields are tried by themselves: every third, or every sixth. To observers, most answers are refusals."""
WITHOUT_FIELDS = ("campaigns:sign-out", "campaigns:leave", "characters:delete", "combat:since", "combat:wall-since")


# ------------------------------------------------------------------ the table


@pytest.fixture
@kept
def world(request: pytest.FixtureRequest, chronicle: Any, people: dict[str, Any]) -> World:
    """The world of the leak tests in one of the rulesets, in the midst of a turn."""
    chronicle.ruleset, random = request.param, Random(1)
    chronicle.save()
    tables.load()
    weapons = {weapon.mode: weapon for weapon in Weapon.objects.filter(ruleset=request.param)}.values()
    storyteller = people["storyteller"]
    draft = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The bar")
    characters = {}
    for key, name, owner, shown in (
        ("Ilya", "Ilya", people["player"], {}),
        ("Marguerite", "Marguerite", people["other_player"], {}),
        (TRUE_NAME, MASKED, None, {"mask": "a tall man"}),
        (SECRET, HIDDEN, None, {"hidden": True}),
        ("Thug", "Thug", None, {}),
    ):
        sheet = Fights(RULESETS[request.param]).somebody(random)
        figures = {"kind": sheet.kind, "traits": dict(sheet.traits), "resources": dict(sheet.resources)}
        characters[key] = make_character(chronicle, name, owner, **figures)
        for weapon in weapons:
            for fault in ("", "jammed"):
                rounds = 1 if weapon.clip else None
                CarriedWeapon.objects.create(character=characters[key], weapon=weapon, fault=fault, rounds=rounds)
        drafts.add_character(encounter_id=draft.pk, actor=storyteller, character=characters[key], **shown)
    fight = Table.of(draft, storyteller)
    fight.ids = {key: fight.ids[one.name] for key, one in characters.items()}
    found = build(fight.begin(), characters, people)
    play(found)
    return found


def play(world: World) -> None:
    """Until Ilya acts, who is attacked then; with rolls that go on in the fight and outside it."""
    fight, ilya = world.fight, world.fight["Ilya"]
    ask = ProposeAttack("asked", Attack(fight["Thug"], (ilya,)))
    roll = RollTraits(ilya, ("wits",), extended=Extended("long", 40, interval="an hour"), label="Digging")
    declared = (Declare(who, "Fight.", out_of_order=True) for who in fight.ids.values())
    every_rule = [*RULESETS[world.chronicle.ruleset].book.rules]
    for command in (RollInitiative(), *declared, *(Act() for _ in fight.ids), ask, roll):
        if not (isinstance(command, Act) and ilya in fight.state.acting):
            with contextlib.suppress(RuleViolation):
                fight.do(command, waive=every_rule)
    outside = RollTraits(world.ids["character"], ("wits",), extended=Extended("outside", 40), label="Digging")
    perform.perform(encounter_id=world.ids["rolls"], actor=fight.storyteller, command=outside)
    assert fight.state.exchanges or not RULESETS[world.chronicle.ruleset].attack.defences.kinds
    assert fight.state.extended


# ------------------------------------------------------------------ what can be sent


class Drawn(HTMLParser):
    """A page's fields as they are filled in, or with the first choice; those left empty; and its presses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.filled: dict[str, str] = {}
        self.empty: dict[str, str] = {}
        self.presses: set[tuple[str, str, str]] = set()
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        name, value, kind = said.get("name", ""), said.get("value", ""), said.get("type", "text")
        if tag == "select":
            self._select, self.empty[name] = name, "choice"
        elif tag == "option" and value and ("selected" in said or self._select not in self.filled):
            self.filled[self._select] = value
        elif tag == "button" and name:
            self.presses.add((said.get("formaction", ""), name, value))
        elif tag in ("input", "textarea") and value and (kind not in ("checkbox", "radio") or "checked" in said):
            self.filled[name] = value
        elif tag in ("input", "textarea"):
            self.empty[name] = kind


@dataclass(frozen=True)
class Probe:
    """What is sent where; one of the fields holds the name."""

    method: str
    address: str
    fields: Mapping[str, str]


@dataclass
class Browser:
    """A user's browser. Random values are the same for each request."""

    world: World
    who: str
    chance: Random

    @cached_property
    def client(self) -> Client:
        return self.world.client(self.who)

    def draw(self, address: str, query: Mapping[str, str]) -> Drawn | None:
        """A page's fields; None for one that they do not get."""
        answer = self.client.get(address, query, headers=HTMX)
        no_page = answer.streaming or answer.status_code >= 400 or answer.get("Content-Type") == "application/zip"
        return None if no_page else Drawn(answer.content.decode())

    @cached_property
    def presses(self) -> set[tuple[str, str, str]]:
        """What the buttons on the fight's page send: address, field, and each prefix of the value's words."""
        page = self.draw(reverse("combat:encounter", args=[self.world.fight.encounter_id]), {})
        assert page
        return {
            (action, name, " ".join(value.split(" ")[:end]))
            for action, name, value in page.presses
            for end in range(1, len(value.split(" ")) + 1)
        }

    def sends(self, probe: Probe, name: str) -> str:
        """The whole response and, after a command, the report. Everything is rolled back."""
        cache.clear()
        self.chance.seed(1)
        with transaction.atomic():
            send = getattr(self.client, probe.method)
            fields = {field: value.replace(SENT, name) for field, value in probe.fields.items()}
            answers = [send(probe.address, fields, headers=HTMX)]
            if "/do/" in probe.address and answers[0].status_code == 200:
                report = reverse("combat:report-markdown", args=[self.world.fight.encounter_id])
                answers.append(self.client.get(report))
            whole = "\n".join(_read(answer) for answer in answers)
            transaction.set_rollback(True)
        for way in written(name):
            whole = whole.replace(way, SENT)
        return whole


def _read(answer: Any) -> str:
    sent = answer.getvalue()
    if is_zip(sent):
        return f"{answer.status_code} {numbered(unzipped(sent))}"  # it says when it was made
    told = sorted(answer.headers.items())
    return f"{answer.status_code} {len(sent)} {told}\n{answer.cookies.output()}\n{sent.decode()}"


def written(name: str) -> list[str]:
    """The ways in which a name can be written in a page, a text in Markdown, a report, an address or JSON, the longest
    first."""
    ways = {name, html.escape(name, quote=False), escaped(name), quote(name), json.dumps(name)[1:-1]}
    return sorted(ways | {html.escape(way) for way in ways}, key=len, reverse=True)


def probes(browser: Browser, *only: str) -> Iterator[Probe]:
    """Each field of each form and address with the name in it, beside what the page has in the others.

    Of all forms that fall to this ruleset, or of all addresses that end in one of `only`.
    """
    for route, address in addresses(browser.world):
        if route in WITHOUT_FIELDS or (only and not address.endswith(only)):
            continue
        for number, query in enumerate(_queries(browser.world, route, address)):
            if only or falls_here(browser, address, query, number):
                yield from _of_form(browser, route, address, query)


def _queries(world: World, route: str, address: str) -> list[dict[str, str]]:
    """About whom a form is, and for one that is many: which of them."""
    if not route.startswith("combat:"):
        return [{}]
    state, ilya, thug = world.fight.state, world.fight["Ilya"], world.fight["Thug"]
    if world.ids["rolls"] in address:
        return [{"who": state.combatants[ilya].character}]
    if address.endswith("/do/action"):
        return [{"who": ilya}, *({"who": ilya, "action": key} for key in RULESETS[world.chronicle.ruleset].actions)]
    if address.endswith("/do/attack"):
        held = (weapon.key for weapon in state.combatants[ilya].sheet.weapons if not weapon.fault)
        return [{"who": ilya, "at": thug, "weapon": weapon} for weapon in held]
    return [{"who": ilya, "at": thug}]


def _of_form(browser: Browser, route: str, address: str, query: dict[str, str]) -> Iterator[Probe]:
    form = re.sub(r"/do/(.+)", r"/attack/" if address.endswith("/do/attack") else r"/form/\1/", address)
    page = browser.draw(form, query)
    drawn = page or Drawn("")
    names = {*drawn.filled, *drawn.empty, *query}
    if route in ("combat:do", "combat:form") and query.keys() <= {"who", "at"}:
        names |= {*endpoints()[address.rstrip("/").rsplit("/", 1)[-1]].base_fields}
    names -= {"", "csrfmiddlewaretoken", "key", "version"}
    everywhere = dict.fromkeys(sorted(names), SENT)
    filled = {**drawn.filled, **query, "key": "k"}
    yield Probe("get", address, everywhere)
    yield Probe("post", address, {**filled, **everywhere})
    texts = {name for name in names if drawn.empty.get(name) in ("text", "hidden")}
    numbers = [name for name, kind in drawn.empty.items() if kind == "number"]
    ones = {**filled, **dict.fromkeys(numbers, "1")}
    for name in sorted(names if route in OF_COMMANDS else texts):
        if not EVERYWHERE and lot(route, resolve(address).kwargs.get("name"), name) % ONE_IN[browser.who]:
            continue
        if route in OF_COMMANDS - {"combat:do"}:
            yield Probe("get", address, {**filled, name: SENT})
            continue
        yield Probe("post", address, {**filled, name: SENT})
        # Something is said of a text only with the numbers beside it, or because one of them is not there.
        for left_out in ("", *numbers) if name in texts and numbers else ():
            yield Probe("post", address, {**ones, name: SENT, **({left_out: ""} if left_out else {})})
        # What is sent in one press begins with whose it is, or with what the page's own presses begin with.
        before = {words for action, field, words in browser.presses if (action, field) == (address, name)}
        for words in sorted(before if name in drawn.filled.keys() | drawn.empty else before | {query["who"]}):
            yield Probe("post", address, {**filled, name: f"{words} {SENT}"})


# ------------------------------------------------------------------ the same for all


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Random:
    """What stands in for all chance, and for the time: tokens, ids, dice and signatures are the same each time."""
    found, now = Random(1), time.time()
    monkeypatch.setattr(secrets, "choice", found.choice)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: found.randbytes(size).hex())
    monkeypatch.setattr(dice, "_chance", found)
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr("campaigns.tokens.uuid4", lambda: UUID(int=found.getrandbits(128)))
    # What is taken back leaves a version behind that the next thing sent has as well.
    monkeypatch.setattr(frames, "_kept", Kept(0))
    monkeypatch.setattr(versions, "_views", Kept(0))
    # Cookies would compress and sign the messages.
    settings.MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
    return found


def confirmed(browser: Browser, *only: str) -> Iterator[tuple[str, list[str], str]]:
    """Where an answer tells a true name from an invented one, at addresses that end in one of these: the address, the
    fields with the name, and the name."""
    for probe in probes(browser, *only):
        acts = "/do/" in probe.address and browser.who == "player"
        invented = browser.sends(probe, INVENTED)
        for name in names(browser, probe) if acts else (HIDDEN,):  # to read one looks up both alike
            if browser.sends(probe, name) != invented:
                yield f"{probe.method} {probe.address}", _with_name(probe), "hidden" if name == HIDDEN else "masked"


def falls_here(browser: Browser, address: str, query: Mapping[str, str], number: int) -> bool:
    """Whether the lot of a form falls on this ruleset; of what only this one has, each third query."""
    route, ruleset = resolve(address), browser.world.chronicle.ruleset
    form = (route.view_name, route.kwargs.get("name"))
    if query.keys() & {"action", "weapon"}:
        return EVERYWHERE or lot(*form, number, ruleset, browser.who) % 3 == 0
    return EVERYWHERE or ruleset == sorted(RULESETS)[lot(*form) % len(RULESETS)]


def names(browser: Browser, probe: Probe) -> tuple[str, ...]:
    """Which true names are tried: one of the two, by another lot in each ruleset."""
    if EVERYWHERE:
        return (HIDDEN, MASKED)
    route = resolve(probe.address)
    thrown = lot(probe.method, route.kwargs.get("name"), _with_name(probe), browser.world.chronicle.ruleset)
    return ((HIDDEN, MASKED)[thrown % 2],)


def _with_name(probe: Probe) -> list[str]:
    return sorted(field for field, value in probe.fields.items() if SENT in value)


def lot(*what: object) -> int:
    """The same number for the same form each time."""
    return crc32(repr(what).encode())


TURNED = ("roll", "reload", "clear-jam", "answer")
everywhere = pytest.mark.parametrize("world", sorted(RULESETS), indirect=True)


@everywhere
def test_no_answer_tells_a_true_name_from_an_invented_one(world: World, chance: Random) -> None:
    assert [list(confirmed(Browser(world, who, chance))) for who in ("player", "observer")] == [[], []]


@pytest.mark.parametrize("world", ["chronicles"], indirect=True)
def test_a_name_that_turns_is_found(world: World, chance: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: where nothing marks what a player typed, masking runs over it."""
    monkeypatch.setattr(naming, "Typed", str)
    monkeypatch.setattr(f"{__name__}.EVERYWHERE", True)
    browser = Browser(world, "player", chance)
    for name in TURNED:
        assert next(confirmed(browser, f"/do/{name}"), None), name
