"""Fights played twice through services and HTTP, with and without hidden combatants: players get the same bytes.

Random fights of every ruleset, and some written by hand. After every deed the versions are compared, the whole frame,
and pages drawn by lot from all addresses with all their queries. `VESPER_FIGHTS=100` plays that many at random.

Why views alone (`tests.combat.secrecy.test_non_interference`) were not enough: a roll is held, and let go of, by the
service that writes a row, and what is counted is kept there too.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import PermissionDenied

from campaigns import services as campaigns
from campaigns.conduct import ANSWER_SECONDS, APPROVAL, SUGGESTIONS
from campaigns.models import Membership, Role
from characters.models import Character
from combat.commands import drafts, perform, reinforcements
from combat.commands.newcomers import Shown, Wanted
from combat.commands.outside import open_log
from combat.commands.reinforcements import Prepared
from combat.desk.quick_find import Making, meant
from combat.history.filters import KINDS
from combat.live import wall
from combat.log import rows as logs
from combat.log import seal
from combat.models import Encounter, LogRow, Reinforcement
from combat.panes import versions
from combat.secrecy.audiences import TABLE, player_audience
from combat.secrecy.reader import Reader
from combat.secrecy.sight import Sight, cast_of
from combat.web.forms.base import FieldsForm
from combat.web.forms.endpoints import endpoints
from rules.engine.messages import Command, command_type
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.model.sheet import Sheet
from rules.model.state import Encounter as State
from rules.systems import BUILT_IN, RULESETS
from rules.topics import commands
from rules.topics.commands import Newcomer
from tests.combat.conftest import Table
from tests.combat.secrecy.twins import PLAYED, SEEN, UNSEEN, Keyed, carry_out, join, newcomers, play
from tests.rules.fights import Fights
from tests.unzipped import numbered, text_of
from tests.world import HTMX, World, addresses, plain

pytestmark = pytest.mark.django_db

FIGHTS = int(os.environ.get("VESPER_FIGHTS", "0"))
STEPS = 12
LOTS, AT_THE_END = 1, 20
"""How many addresses each reader asks for after each deed, and at the end of a fight."""

READERS = {"player": Role.PLAYER, "other_player": Role.PLAYER, "observer": Role.OBSERVER}
NOW = 2_000_000_000.0
NUMBERS = count(1)


def numbered_apart(chronicle: Any) -> dict[str, str]:
    """Give a chronicle's memberships numbers that nothing else on a page may be. Returns their labels."""
    labels = {}
    for place, each in enumerate(list(chronicle.memberships.order_by("pk"))):
        number = 710_000_000 + 10_000 * next(NUMBERS) + 100 * place
        chronicle.memberships.filter(pk=each.pk).update(id=number)
        labels[str(number)] = f"<member {place}>"
    return labels


class Seated:
    """One of the two tables. They differ in ids and account names only, which `labels` replaces.

    At one of them, the Storyteller reads suggestions for her NPCs.
    """

    def __init__(self, fights: Fights, seed: object, person: Callable[[str], Any], *, suggests: bool) -> None:
        random, number = Random(f"table {seed}"), f"{next(NUMBERS):05}"
        self.ruleset, self.characters = fights.ruleset, f"c{number}"
        self.people = {role: person(f"{role}{number}") for role in ("storyteller", *READERS)}
        chronicle = campaigns.create_chronicle(
            user=self.people["storyteller"], name="The chapel", ruleset=fights.ruleset.key
        )
        chronicle.conduct = {APPROVAL: random.random() < 0.5, ANSWER_SECONDS: random.choice([0, 60])}
        chronicle.conduct |= {SUGGESTIONS: True} if suggests else {}
        chronicle.save()
        for name, role in READERS.items():
            campaigns.add_member(chronicle=chronicle, user=self.people[name], role=role)
        members = numbered_apart(chronicle)
        self.owners = dict(zip(PLAYED, ("player", "other_player"), strict=True))
        for who, owner in self.owners.items():
            Character.objects.create(
                pk=f"{self.characters}{who}", chronicle=chronicle, name=who.capitalize(), owner=self.people[owner]
            )
        by = chronicle.memberships.get(user=self.people["storyteller"])
        self.pk = drafts.create_encounter(by=by, name="The chapel", scene="Rain.").pk
        ids = defaultdict(lambda: "0", wall=wall.open_wall(by=by), rolls=open_log(chronicle).pk)
        ids["character"], ids["other character"] = (f"{self.characters}{who}" for who in PLAYED)
        people = {who: who for who in (*SEEN, *UNSEEN)}
        self.world = World(Table(self.pk, self.people["storyteller"], people), chronicle, self.people, ids)
        self.tokens: dict[tuple[str, str], dict[str, int]] = {}
        self.clients = {who: self.world.client(who) for who in READERS}
        self.desk = self.world.client("storyteller")
        self.labels = {chronicle.pk: "<chronicle>", self.pk: "<fight>", ids["wall"]: "<wall>", ids["rolls"]: "<rolls>"}
        self.labels |= {player_audience(one.pk): f"player-<{role}>" for role, one in self.people.items()}
        self.labels |= {number: "<number>", **members}

    @property
    def encounter(self) -> Encounter:
        return Encounter.objects.select_related("chronicle").get(pk=self.pk)

    @property
    def state(self) -> State:
        return logs.state_now(self.encounter)

    def do(self, command: Command, token: str, waive: frozenset[str] = frozenset()) -> str:
        """Players act for their characters where they may and nothing is waived. Some of their rolls are held."""
        random, owner = Random(token), self.owners.get(acting(command, self.state))
        hold = random.random() < 0.5
        try:
            if owner and not waive:
                with contextlib.suppress(PermissionDenied):
                    return self._perform(command, token, actor=self.people[owner], hold=hold)
            return self._perform(command, token, actor=self.people["storyteller"], waive=waive, hold=hold)
        except RuleViolation as refused:
            return f"{refused.rule} {Sight(cast_of(self.state, self.state)['who']).clean(refused.message)}"

    def _perform(self, command: Command, token: str, **more: Any) -> str:
        done = perform.perform(encounter_id=self.pk, command=command, dice=Keyed(token), **more)
        assert self.desk.get(f"/encounters/{self.pk}/suggestions/", headers=HTMX).status_code == 200
        row = LogRow.objects.get(encounter_id=self.pk, seq=done.seq)
        self.labels |= {row.token: f"<{token}>", seal.shown(row.seal): f"<seal of {token}>"}
        return ""

    # -------------------------------------------------------------- what is asked

    def versions(self) -> dict[str, Any]:
        """The version of every audience but the Storyteller's, and the version at which each pane last changed."""
        encounter = self.encounter
        audiences = [TABLE, *(player_audience(self.people[owner].pk) for owner in self.owners.values())]
        return {
            self.bare(audience): (
                versions.version_of(encounter, audience),
                {pane: at for pane, (_digest, at) in encounter.versions.get(audience, {}).get("panes", {}).items()},
            )
            for audience in audiences
        }

    def read(self, who: str, asked: str) -> str:
        """An answer with its headers, without anything that is random by design."""
        address = asked.removeprefix(FRAGMENT)
        for found, label in self.labels.items():
            address = address.replace(label, found)
        cache.clear()  # wrong tokens are counted there, for both tables together
        answer = self.clients[who].get(address, headers=HTMX if asked.startswith(FRAGMENT) else {})
        assert answer.status_code < SERVER_ERROR, address
        content = text_of(answer)
        if answer.get("Content-Type") == "application/zip":
            content, answer["Content-Length"] = numbered(self.bare(content)), ""
        # A page's token is a digest of ids, too, so it differs. It must change whenever the other table's does.
        known = self.tokens.setdefault((who, asked), {})
        tokens = [known.setdefault(token, len(known)) for token in TOKEN.findall(content)]
        text = self.bare(f"{answer.status_code}\n{sorted(answer.headers.items())}\n{content}")
        return TOKEN.sub("", TIME.sub("", text)) + f"tokens {tokens}"

    def bare(self, text: str) -> str:
        """A text with labels in place of this table's ids."""
        known = "|".join(map(re.escape, sorted(self.labels, key=len, reverse=True)))
        return plain(re.sub(known, lambda found: self.labels[found[0]], text))

    def asks(self) -> dict[str, list[str]]:
        """Every address with every query by its route, with labels in place of ids."""
        found = defaultdict[str, list[str]](list)
        for route, address in addresses(self.world):
            if route not in NEVER and not (route == "combat:form" and _is_no_form(address)):
                asked = [self.bare(address) + query for query in queries(route)]
                found[route] += [*asked, *(FRAGMENT + each for each in asked if route.startswith("combat:"))]
        return found


NEVER = ("combat:do", "campaigns:sign-out")
"""Routes that answer no GET, or end a session."""

FRAGMENT, SERVER_ERROR = "HX ", 500

TOKEN, TIME = re.compile(r'data-token="([^"]+)"'), re.compile("<time.*?</time>")


def _is_no_form(address: str) -> bool:
    kind = endpoints()[address.rstrip("/").rsplit("/", 1)[1]]
    return not issubclass(kind, FieldsForm)


def queries(route: str) -> Iterator[str]:
    """The queries that a route is tried with."""
    everybody = (*SEEN, *UNSEEN, "nobody")
    yield ""
    if route in ("combat:attack", "combat:attack-plan"):
        yield from (f"?who={who}&at={at}" for who in (*PLAYED, "cy", "wvu") for at in everybody)
        yield from (f"?exchange=x{step}" for step in range(STEPS))
    elif route == "combat:form":
        yield from (f"?who={who}&at={at}" for who in (*PLAYED, "cy", "wvu") for at in everybody)
        yield from (f"?who={who}&action={key}&at=cy" for who in PLAYED for key in ACTIONS)
        yield from (f"?exchange=x{step}" for step in range(STEPS))
    elif route in ("combat:entries", "combat:report", "combat:report-markdown"):
        yield from (f"?log_who={name}" for name in ("Ann", "Dee", "A+shape", "Wvu", "Somebody+unseen", "Nobody"))
        yield from (f"?log_kind={kind}" for kind in KINDS)
        yield from (f"?log_turn={turn}" for turn in (1, 2, 3))
        yield from (f"?for={audience}" for audience in ("table", "storyteller"))
        yield from (f"?before=<t{step}>" for step in range(STEPS))
    elif route in ("combat:since", "combat:wall-since"):
        yield from (f"?audience={audience}" for audience in ("table", "storyteller", "player-<player>"))
        yield "?language=de"
    elif route == "combat:rolls":
        yield from (f"?who={who}" for who in everybody)


ACTIONS = sorted({key for ruleset in RULESETS.values() for key in ruleset.actions})


class Twins:
    """Both tables, and the comparison between them."""

    def __init__(self, key: str, seed: object, person: Callable[[str], Any], people: Any = newcomers) -> None:
        self.fights = Fights(RULESETS[key])
        self.with_them, self.without = (
            Seated(self.fights, seed, person, suggests=suggests) for suggests in (True, False)
        )
        self.random, self.asks = Random(f"asks {key} {seed}"), self.without.asks()
        casts = [tuple(people(self.fights, seed, twin.characters)) for twin in (self.with_them, self.without)]
        join(self.with_them, self.without, *casts)

    def compare(self, done: object, lots: int = LOTS) -> None:
        """Compare the versions, the whole frame and some pages drawn by lot."""
        assert self.with_them.versions() == self.without.versions(), done
        for who in READERS:
            routes = self.random.choices([*self.asks], k=lots)
            for asked in (FRAME, *(self.random.choice(self.asks[route]) for route in routes)):
                self.same(who, asked, done)

    def same(self, who: str, asked: str, done: object) -> None:
        """Compare one answer to one reader."""
        assert self.with_them.read(who, asked) == self.without.read(who, asked), (who, asked, done)

    def do(self, *deeds: Command) -> None:
        """Play some deeds, with every rule waived. Those of the hidden happen at one table only."""
        for number, deed in enumerate(deeds):
            dark = any(getattr(deed, field, "") in UNSEEN for field in ("by", "who", "at"))
            for twin in (self.with_them,) if dark else (self.with_them, self.without):
                waive = frozenset(self.fights.ruleset.book.rules)
                assert carry_out(twin, deed, f"{'dark' if dark else 't'} {number}", waive) == "", (number, deed)
            self.compare(deed)


FRAME = "/encounters/<fight>/since/0"


def acting(command: Command, state: State) -> str:
    """Whom a command acts for, "" for nobody, or where what it goes on with is over."""
    acts_for = command_type(type(command)).acts_for
    with contextlib.suppress(RuleViolation):
        return acts_for(command, state) if acts_for else ""
    return ""


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are asked at both tables at the same moment, and never overdue."""
    for module in ("live.frames", "commands.writing"):
        monkeypatch.setattr(f"combat.{module}.time", lambda: NOW)


@pytest.mark.parametrize("key", sorted(point.name for point in BUILT_IN))  # others may have points that all see
@pytest.mark.parametrize("seed", range(max(1, FIGHTS // len(BUILT_IN))))
def test_players_are_answered_the_same_with_and_without_the_hidden(
    key: str, seed: int, person: Callable[[str], Any]
) -> None:
    twins = Twins(key, seed, person)
    play(twins.fights, f"pages {seed}", twins.with_them, twins.without, STEPS, twins.compare)
    twins.compare("the end", lots=AT_THE_END)


# ------------------------------------------------------------------ by hand


GUN, CHAIN = "Assault rifle", "Chain"


def armed(fights: Fights, seed: object, characters: str) -> Iterator[Newcomer]:
    """The cast, all with the same sheet, so that everybody can do everything with weapons and hands."""
    weapons = tuple(each for each in fights.gear[0] if each.name in (GUN, CHAIN, "Knife"))
    traits = {trait.key: 3 for trait in fights.traits}
    for one in newcomers(fights, seed, characters):
        yield replace(one, health_shown="boxes", sheet=Sheet(one.sheet.name, "mortal", traits, weapons=weapons))


def act(key: str, by: str, *at: str, weapon: str = "", **figures: Any) -> commands.TakeAction:
    return commands.TakeAction(key, by, at, figures=figures, weapon=weapon)


def shot(by: str, at: str, *modifiers: commands.Modifier) -> commands.Attack:
    return commands.Attack(by, (at,), GUN, modifiers)


WALL = {"durability": 1, "structure": 4}
BEHIND = commands.Modifier("cover", WALL)
DEEDS: dict[str, tuple[Command, ...]] = {
    "cover": (
        act("cover", "cy", cover="Bar", **WALL),
        act("seek_cover", "ann", degree="full", cover="Bar"),
        act("seek_cover", "xyz", degree="full", cover="Crate", **WALL),
        act("seek_cover", "bob", degree="partial", cover="Crate"),
        *[shot("wvu", "xyz"), shot("wvu", "xyz", BEHIND), shot("wvu", "zyx", BEHIND)] * 2,
        *[shot("cy", "ann")] * 3,
        act("seek_cover", "wvu", degree="partial", cover="Crate"),
        act("move", "wvu", distance=2),
        act("leave_cover", "xyz"),
        act("leave_cover", "ann"),
    ),
    "concealment": (
        act("seek_cover", "bob", degree="substantial"),
        act("seek_cover", "wvu", degree="obscured"),
        shot("xyz", "wvu", commands.Modifier("concealment", {"degree": "partial"})),
        shot("cy", "bob", commands.Modifier("concealment", {"degree": "partial"})),
        shot("wvu", "xyz", commands.Modifier("firing_from_concealment", {"degree": "barely"})),
        shot("bob", "cy"),
        commands.EndTurn(),
    ),
    "covering fire": (
        act("covering_fire", "cy", "ann", "bob", weapon=GUN),
        act("covering_fire", "wvu", "xyz", "zyx", weapon=GUN),
        act("act_under_fire", "xyz"),
        act("prone", "zyx"),
        act("act_under_fire", "ann"),
        commands.Act(),
        act("covering_fire", "xyz", weapon=GUN),
        commands.EndTurn(),
        act("prone", "bob"),
    ),
    "aim": (
        commands.ChangeConditions("ann", frozenset({"immobilized"})),
        act("aim", "ann", "cy", weapon=GUN),
        act("aim", "wvu", "xyz", weapon=GUN),
        commands.Harm("wvu", 1, Damage.BASHING),
        act("aim", "bob", "cy", weapon=GUN),
        commands.ChangeConditions("zyx", frozenset({"immobilized"})),
        act("aim", "zyx", "xyz", weapon=GUN),
        shot("wvu", "xyz"),
        commands.Harm("cy", 1, Damage.BASHING),
        commands.EndTurn(),
    ),
    "grapple": (
        act("grapple", "ann", "cy", weapon=CHAIN),
        act("grapple", "wvu", "xyz", weapon=CHAIN),
        act("aid_grapple", "bob", "cy"),
        act("aid_grapple", "zyx", "xyz"),
        act("grapple", "wvu", "xyz"),
        act("grapple", "ann", "cy"),
        commands.EndTurn(),
        act("grapple", "wvu", "xyz"),
        commands.EndTurn(),
        act("grapple", "ann", "cy"),
    ),
    "shield": (
        act("human_shield", "cy", "dee"),
        act("human_shield", "wvu", "xyz"),
        shot("zyx", "wvu"),
        shot("ann", "cy"),
        act("release_shield", "wvu"),
        act("release_shield", "cy"),
    ),
}
"""What visible and hidden combatants do by turns with hands, guns and cover, in Chronicles."""

COMES_ABOUT: dict[str, set[str]] = {
    "cover": {"CoverSet", "CoverStruck", "ShelterTaken"},
    "concealment": {"ShelterTaken", "AttackResolved"},
    "covering fire": {"CoveringFireLaid", "CoveringFireMet"},
    "aim": {"AimTaken", "Harmed"},
    "grapple": {"GrappleRolled", "GrappleChanged", "HandLent"},
    "shield": {"ShieldHeld", "ShieldStruck"},
}
"""Events that the hidden must have brought about, or else nothing was shown."""


@pytest.mark.parametrize("what", sorted(DEEDS))
def test_what_people_do_with_one_another_in_the_dark_is_noticed_nowhere(
    what: str, person: Callable[[str], Any]
) -> None:
    twins = Twins("chronicles", what, person, armed)
    twins.do(commands.Begin(), commands.RollInitiative(), *DEEDS[what])
    twins.compare("the end", lots=AT_THE_END)
    table = twins.with_them
    rows = LogRow.objects.filter(encounter_id=table.pk)
    dark = [row for row in rows if table.labels[row.token].startswith("<dark")]
    assert COMES_ABOUT[what] <= {event["is"] for row in dark for event in row.events}


# ------------------------------------------------------------------ what waits outside, and in which order


def test_what_is_prepared_is_noticed_by_nobody_and_joins_like_anybody(person: Callable[[str], Any]) -> None:
    """At one table reinforcements wait, are changed and brought in, and drafts are moved; at the other, quick add
    brings the same people in."""
    twins = Twins("masquerade", "reinforcements", person)
    one, other = twins.with_them, twins.without
    by = one.encounter.chronicle.memberships.get(user=one.people["storyteller"])
    wave, hidden = (reinforce(by, one.pk, label) for label in ("CANARY wave", "CANARY scouts"))
    twins.compare("prepared in the draft")
    twins.do(commands.Begin(), commands.RollInitiative())
    third = reinforce(by, one.pk, "CANARY reserve", mask="a CANARY mask")
    twins.compare("prepared in the fight")
    reinforcements.discard(by=by, encounter_id=one.pk, row_id=third)
    mill, pier = (drafts.create_encounter(by=by, name=name) for name in ("CANARY mill", "CANARY pier"))
    assert drafts.move_draft(by=by, encounter=mill, before=pier.pk)
    twins.compare("thought better of", lots=AT_THE_END)
    arrive(one, hidden, "dark scouts")
    twins.compare("the scouts hide", lots=AT_THE_END)
    arrive(one, wave, "wave")
    arrive(other, "", "wave")
    twins.compare("the wave is there", lots=AT_THE_END)
    seen = one.read("observer", FRAME)
    assert "Dog 1" in seen
    assert "CANARY" not in seen
    for seated in (one, other):
        perform.undo(encounter_id=seated.pk, actor=seated.people["storyteller"])
        row = LogRow.objects.filter(encounter_id=seated.pk).latest("seq")
        seated.labels |= {row.token: "<back>", seal.shown(row.seal): "<seal of back>"}
    twins.compare("they wait again", lots=AT_THE_END)


def reinforce(by: Membership, encounter_id: str, label: str, mask: str = "") -> str:
    """Let two dogs wait outside a fight, hidden if they are scouts; returns their id."""
    prepared = Prepared(label, "2 dogs", Shown(hidden="scouts" in label, mask=mask))
    meaning = partial(_dogs, by)
    reinforcements.prepare(by=by, encounter_id=encounter_id, prepared=prepared, meaning=meaning)
    return Reinforcement.objects.get(label=label).pk


def _dogs(by: Membership, encounter: Encounter) -> list[Wanted]:
    return [meant(encounter, "2 dogs", Making(by))]


def arrive(seated: Seated, row_id: str, token: str) -> None:
    """Bring in the reinforcement of this id, or with "" the same people by quick add."""
    before, storyteller = seated.state.combatants, seated.people["storyteller"]
    if row_id:
        done = reinforcements.bring_in(encounter_id=seated.pk, actor=storyteller, row_id=row_id)
    else:
        by = seated.encounter.chronicle.memberships.get(user=storyteller)
        dogs = _dogs(by, seated.encounter)
        done = drafts.add_wanted(encounter_id=seated.pk, actor=storyteller, wanted=dogs)
    row = LogRow.objects.get(encounter_id=seated.pk, seq=done.seq)
    seated.labels |= {row.token: f"<{token}>", seal.shown(row.seal): f"<seal of {token}>"}
    new = [who for who in seated.state.combatants if who not in before]
    seated.labels |= {who: f"<{token} {number}>" for number, who in enumerate(new)}


# ------------------------------------------------------------------ that it can fail


def test_a_count_of_what_the_hidden_do_is_found(person: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "_counted", lambda count, _view: count | {"version": count["version"] + 1})
    twins = Twins("chronicles", "control", person, armed)
    twins.do(commands.Begin())
    with pytest.raises(AssertionError, match="Harm"):
        twins.do(commands.Harm("wvu", 1, Damage.BASHING))


def test_a_page_that_tells_of_the_hidden_is_found(
    person: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = Twins("chronicles", "control", person, armed)
    twins.do(commands.Begin(), commands.Harm("wvu", 1, Damage.BASHING))
    report = "/encounters/<fight>/report/?log_kind=damage"
    assert report in twins.asks["combat:report"]
    monkeypatch.setattr("combat.web.views.report.reader_of", lambda *_fight: Reader(everything=True))
    with pytest.raises(AssertionError, match="log_kind=damage"):
        twins.same("observer", report, "control")
