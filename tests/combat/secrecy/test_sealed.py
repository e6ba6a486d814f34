"""Fights of every ruleset with a secret word in each declaration, for which everything anybody receives is searched.

The oracle in `tests.spoken` says what a reader must and must not find. A word found too early has leaked; words found
when they are known prove that the search works. Where declarations are sealed, all read after each step, elsewhere one
after the other; page and frame by turns. `VESPER_EVERYWHERE=1` reads everything each time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse

from campaigns.models import Chronicle
from combat.commands import drafts, perform
from combat.live import wall as walls
from combat.secrecy import declarations
from combat.web.forms.endpoints import endpoints
from combat.web.urls import urlpatterns
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.commands import (
    Abort,
    Act,
    Declare,
    Delay,
    End,
    EndTurn,
    FullDefence,
    Harm,
    Leave,
    Pause,
    ProposeAttack,
    Resume,
    RollInitiative,
    SetOrder,
    SetVisibility,
)
from tests import unzipped
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, make_character
from tests.combat.live.test_wall import WallSocket
from tests.combat.sockets import opened
from tests.spoken import ALOUD, Oracle, Told
from tests.world import HTMX

pytestmark = pytest.mark.django_db

EVERYWHERE = "VESPER_EVERYWHERE" in os.environ
MEMBERS = ("player", "other_player", "observer")
STRANGERS = ("stranger", "guest")
CAST = {
    "Ilya": "player",
    "Sasha": "player",
    "Marguerite": "other_player",
    "Goon": "",
    TRUE_NAME: "",
    SECRET: "",
}
"""Everybody, slowest first, with their players."""


@dataclass
class Play:
    """A fight with an oracle, and the differences found: leaked or missing words.

    `met` counts the oracle's answers by rule, so that a test can check which rules it covered.
    """

    fight: Table
    oracle: Oracle
    clients: dict[str, Client]
    people: dict[str, Any]
    wall: str
    wrong: list[str] = field(default_factory=list)
    met: Counter[tuple[Told, str]] = field(default_factory=Counter)
    words: int = 0
    judged: int = 0

    def word(self, who: str) -> str:
        """A new unique word."""
        self.words += 1
        return f"canary{self.words:02}{who.split(maxsplit=1)[0].lower()}"

    # ------------------------------------------------------------------ moves

    def do(self, command: Any, **more: Any) -> None:
        """Perform a command with all rules waived, if the ruleset has it."""
        ruleset = RULESETS[self.oracle.ruleset]
        if not ruleset.knows(type(command)):
            return
        before = self.fight.state
        self.fight.do(command, waive=set(ruleset.cites.values()) | {"AP-INIT-1"}, **more)
        self.oracle.did(command, before, self.fight.state)
        self.judge(type(command).__name__)

    def declare(self, who: str, **more: Any) -> None:
        """Declare for somebody, in turn or out of turn, with a word in each text."""
        said = Declare(self.fight[who], self.word(who), disciplines=(self.word(who),), out_of_order=True, **more)
        self.do(said)

    def delay(self, who: str) -> None:
        self.do(Delay(self.fight[who], self.word(who)))

    def undo(self) -> None:
        before = self.fight.state
        perform.undo(encounter_id=self.fight.encounter_id, actor=self.fight.storyteller)
        self.oracle.took_back(before, self.fight.state)
        self.judge("undo")

    def redo(self) -> None:
        before = self.fight.state
        perform.redo(encounter_id=self.fight.encounter_id, actor=self.fight.storyteller)
        self.oracle.brought_back(before, self.fight.state)
        self.judge("redo")

    # ------------------------------------------------------------------ what everybody reads

    def judge(self, step: str, *, everything: bool = False) -> None:
        """Compare everything that everybody reads after a step with the oracle: on the fight's own pages, or
        anywhere."""
        state = self.fight.state
        self.judged += 1
        for reader in self.readers(everything):
            texts = self.anywhere(reader) if everything else self.pages(reader)
            found = {word: [place for place in texts if word.text in texts[place]] for word in self.oracle.words}
            for word, places in found.items():
                verdict = self.oracle.verdict(word, reader, state)
                self.met[verdict.told, verdict.rule] += 1
                if verdict.told is Told.NO and places:
                    self.wrong.append(f"{step}: {reader} reads {word.text}, {verdict.rule}: {places}")
                if verdict.told is Told.YES and len(places) < len(texts) and not everything:
                    missing = sorted(texts.keys() - places)
                    self.wrong.append(f"{step}: {reader} does not read {word.text}, {verdict.rule}: {missing}")

    def readers(self, everything: bool) -> tuple[str, ...]:
        """Who reads after this step."""
        if everything:
            return (*MEMBERS, "wall", *STRANGERS)
        readers = (*MEMBERS, "wall")
        sealed = self.oracle.ruleset in IN_STAGES
        return readers if sealed or EVERYWHERE else (readers[self.judged % len(readers)],)

    def pages(self, reader: str) -> dict[str, str]:
        """The fight's page and its frame, and its log and two reports, which keep everything: of both one, in turn."""
        fight = self.fight.encounter_id
        if reader == "wall":
            live = [reverse("combat:wall", args=[self.wall]), reverse("combat:wall-since", args=[self.wall, fight, 0])]
            told = []
        else:
            live = [reverse("combat:encounter", args=[fight]), reverse("combat:since", args=[fight, 0])]
            told = [reverse(f"combat:{name}", args=[fight]) for name in ("entries", "report", "report-markdown")]
        # Each of four readers gets each page in turn, whether all read or one.
        turn = self.judged + self.judged // 4
        asked = [*live, *told] if EVERYWHERE else [kind[turn % len(kind)] for kind in (live, told) if kind]
        return {address: text_of(self.clients[reader].get(address)) for address in asked}

    def anywhere(self, reader: str) -> dict[str, str]:
        """Every URL and form of fights, with every query that filters a log; and the responses to presses."""
        client, found = self.clients[reader], dict[str, str]()
        for address in self.addresses(self.wall if reader == "wall" else "wrong"):
            found[address] = text_of(client.get(address, headers=HTMX))
        for name in endpoints():
            address = reverse("combat:do", args=[self.fight.encounter_id, name])
            found[f"{address} posted"] = text_of(client.post(address, {"who": self.fight["Goon"]}, headers=HTMX))
        return found | dict(enumerate(frames(self.people.get(reader), reader, self.fight.encounter_id, self.wall)))

    def addresses(self, wall: str) -> Iterator[str]:
        """Every URL of fights, the pages that link to them, and the forms about each combatant."""
        fight, chronicle = self.fight, self.fight.encounter.chronicle_id
        given: dict[str, Iterable[Any]] = {
            "encounter_id": [fight.encounter_id],
            "chronicle_id": [chronicle],
            "name": endpoints(),
            "who": fight.ids.values(),
            "have": [0, 2],
            "token": [wall],
            "portrait_id": ["none"],
            "row_id": ["none"],
            "passage_id": ["none"],
            "picture_id": ["none"],
            "run": ["none"],
            "which": ["base"],
            "number": [0],
        }
        for pattern in urlpatterns:
            names = list(pattern.pattern.converters)
            for values in product(*(given[name] for name in names)):
                yield reverse(f"combat:{pattern.name}", kwargs=dict(zip(names, values, strict=True)))
        for page, asked in product(("entries", "report"), ({"log_kind": "turn"}, {"log_turn": 1}, {"log_who": "Goon"})):
            yield f"{reverse(f'combat:{page}', args=[fight.encounter_id])}?{urlencode(asked)}"
        for page, name in product(("attack", "attack-plan"), ("Goon", "Marguerite")):
            asked = {"who": fight["Ilya"], "at": fight[name]}
            yield f"{reverse(f'combat:{page}', args=[fight.encounter_id])}?{urlencode(asked)}"
        for form, who in product(("declare", "abort", "delay", "attack", "roll"), fight.ids.values()):
            yield f"{reverse('combat:form', args=[fight.encounter_id, form])}?who={who}"
        yield reverse("campaigns:home")
        yield reverse("campaigns:chronicle", args=[chronicle])
        for each in fight.state.combatants.values():
            yield reverse("characters:sheet", args=[each.character])


def text_of(answer: Any) -> str:
    """A response with its headers, in lower case, since powers are capitalised."""
    assert answer.status_code < 500
    return f"{sorted(answer.headers.items())}{unzipped.text_of(answer)}".lower()


def frames(user: Any, reader: str, encounter: str, wall: str) -> list[str]:
    """What a socket sends to a new page, and to a page without any state."""
    heard: list[str] = []

    async def listen() -> None:
        socket = WallSocket(wall, encounter) if reader == "wall" else await opened(user, encounter)
        if reader == "wall":
            await socket.connect()
        heard.append(str(await socket.receive_output()))
        if reader in (*MEMBERS, "wall"):
            await socket.send_to(text_data='{"have": 0}')
            heard.append(str(await socket.receive_output()))
            await socket.disconnect()

    async_to_sync(listen)()
    return [text.lower() for text in heard]


def table(key: str, chronicle: Any, people: dict[str, Any]) -> Table:
    """A fight with everybody in it, including the masked and the hidden combatant."""
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset=key)
    chronicle.refresh_from_db()
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=people["storyteller"]), name="It", scene="")
    kind = {"masquerade": "vampire", "apocalypse": "garou"}.get(key, "mortal")
    for name, who in CAST.items():
        one = make_character(chronicle, name, people.get(who), kind=kind)
        how = {SECRET: {"hidden": True}, TRUE_NAME: {"mask": "a tall man"}}.get(name, {})
        drafts.add_character(encounter_id=encounter.pk, actor=people["storyteller"], character=one, **how)
    return Table.of(encounter, people["storyteller"]).begin()


@pytest.fixture
def play(chronicle: Any, people: dict[str, Any]) -> Callable[..., Play]:
    """play(ruleset) -> a running fight."""

    def begin(key: str, **more: Any) -> Play:
        fight = table(key, chronicle, people)
        clients = {name: Client() for name in (*MEMBERS, "wall", *STRANGERS)}
        for name, client in clients.items():
            if people.get(name) is not None:
                client.force_login(people[name], backend="django.contrib.auth.backends.ModelBackend")
        readers = {name: frozenset(fight[who] for who, by in CAST.items() if by == name) for name in MEMBERS}
        wall = walls.open_wall(by=chronicle.memberships.get(user=people["storyteller"]))
        return Play(fight, Oracle(key, readers | {"wall": frozenset()}, **more), clients, people, wall)

    return begin


# ------------------------------------------------------------------ fights, each a function of what is played


def lined_up(play: Play, *ranks: str) -> None:
    """Roll initiative, and set these ranks, first to act first; "A, B" act simultaneously."""
    play.do(RollInitiative())
    wanted = ranks or tuple(reversed(CAST))
    play.do(SetOrder(tuple(tuple(play.fight[who] for who in rank.split(", ")) for rank in wanted)))


def in_turn_and_out_of_turn(play: Play) -> None:
    """Slowest first, and one who declares early; three of equal rank; a masked and a hidden one; then they act."""
    lined_up(play, SECRET, "Marguerite, Goon, Sasha", TRUE_NAME, "Ilya")
    for who in ("Ilya", "Marguerite", TRUE_NAME, SECRET, "Goon", "Sasha"):
        play.declare(who)
    if play.oracle.ruleset == "masquerade":
        play.judge("all have declared", everything=True)
    play.do(Act())  # the hidden one
    play.do(Act())
    play.do(Pause())
    play.do(Resume())
    play.do(EndTurn())


def taken_back_and_changed(play: Play) -> None:
    """Undo and redo of declarations and of the first action; declarations replaced; waiting, aborting, defending."""
    lined_up(play)
    play.declare("Ilya", actions=("unarmed",))
    play.declare("Marguerite", actions=("unarmed", play.word("Marguerite")))
    play.undo()
    play.declare("Goon")
    play.declare("Marguerite", actions=("unarmed",))
    play.undo()
    play.redo()
    play.declare("Ilya", actions=("unarmed",))  # a changed mind
    play.delay("Sasha")
    play.delay("Goon")
    if RULESETS[play.oracle.ruleset].turns.aborts:
        play.do(Abort(play.fight["Ilya"], "point"))
        play.do(Abort(play.fight["Marguerite"], "roll"), dice=FixedDice(9), hold=True)
    play.do(FullDefence(play.fight[TRUE_NAME]))
    play.do(Act())
    play.do(Act())
    play.undo()
    play.undo()
    play.declare(TRUE_NAME)
    play.do(End())
    play.undo()
    play.declare("Sasha")
    play.do(End())


def those_who_fall(play: Play) -> None:
    """Those who cannot act don't learn anything early; declarations of the fallen and the departed are told with the
    rest."""
    lined_up(play)
    play.declare("Goon")
    play.do(Harm(play.fight["Marguerite"], 7, Damage.LETHAL))
    play.declare("Ilya")
    play.do(Harm(play.fight["Goon"], 7, Damage.LETHAL))
    play.do(commands.ChangeConditions(play.fight["Sasha"], add=frozenset({"dazed"})))
    play.declare(TRUE_NAME)
    play.do(Leave(play.fight[TRUE_NAME]))
    play.do(Leave(play.fight["Marguerite"]))
    play.do(Pause())
    play.do(Resume())
    play.do(Act())
    play.do(Act())
    play.do(EndTurn())


def out_of_sight(play: Play) -> None:
    """The first to act is hidden, comes into view, hides again, and all of it is undone."""
    lined_up(play)
    play.declare(SECRET)
    play.declare("Ilya")
    play.declare("Marguerite")
    play.do(Act())
    play.undo()
    play.do(SetVisibility(play.fight[SECRET], hidden=False))
    play.declare(SECRET)
    play.do(Act())
    play.do(SetVisibility(play.fight[SECRET], hidden=True))
    play.declare("Goon")
    play.do(Act())
    play.do(EndTurn())
    play.declare(SECRET)


def before_initiative(play: Play) -> None:
    """Declarations before there is an order, before this turn's is rolled, and last turn's declarations repeated."""
    play.declare("Goon")
    lined_up(play)
    play.declare("Ilya")
    play.declare("Sasha")
    play.do(Act())
    play.do(EndTurn())
    play.declare("Sasha")
    play.declare("Marguerite")
    if play.oracle.rolled_each_turn:
        lined_up(play, *CAST)
    play.declare("Ilya")
    play.undo()
    play.declare("Ilya")
    play.do(Act())


def deeds_before_their_time(play: Play) -> None:
    """Attacks under a declaration, several actions in one turn, and declarations for another action after acting."""
    one, other = play.fight["Ilya"], play.fight["Marguerite"]
    lined_up(play)
    play.declare("Ilya", actions=("unarmed", play.word("Ilya"), "dodge"))
    play.do(ProposeAttack("x", Attack(one, (other,)), approval=True))
    play.do(commands.ApproveAttack("x"))
    play.do(Attack(one, (play.fight["Goon"],)))
    play.declare("Marguerite", actions=("unarmed", "unarmed"))
    play.do(commands.RollTraits(one, ("wits",), label="listening"), hold=True)
    play.declare("Goon")
    play.do(Act())
    play.do(Act())
    play.do(Attack(other, (one,)), hold=True)
    play.declare("Marguerite")
    play.declare("Ilya")
    play.delay("Sasha")
    play.do(EndTurn())
    play.do(End())


FIGHTS = (
    in_turn_and_out_of_turn,
    taken_back_and_changed,
    those_who_fall,
    out_of_sight,
    before_initiative,
    deeds_before_their_time,
)
IN_STAGES: dict[str, dict[str, Any]] = {
    "masquerade": {"rolled_each_turn": True},
    "apocalypse": {"any_order": True},
}


@pytest.mark.parametrize("fought", FIGHTS)
@pytest.mark.parametrize("key", [*IN_STAGES, *ALOUD])
def test_everybody_reads_what_they_may_know_and_nothing_else(play: Callable[..., Play], key: str, fought: Any) -> None:
    played = play(key, **IN_STAGES.get(key, {}))
    fought(played)
    assert played.wrong == []
    said = {told for told, _rule in played.met}
    assert said >= ({Told.YES, Told.NO} if key in IN_STAGES else {Told.YES}), "the oracle was asked in earnest"


def test_a_declaration_that_is_not_sealed_is_found(play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declarations, "_knows", lambda *_: True)
    played = play("masquerade", **IN_STAGES["masquerade"])
    before_initiative(played)
    assert any("reads" in wrong and "MQ-DECL-1" in wrong for wrong in played.wrong)
