"""Two people press at the same moment, each on a server process of their own: one wins, the other reads why.

Each race is run several times, with either ahead by a little, so that both orders happen.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from bench.harness.panes import fields_of
from bench.harness.server import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

AHEAD = (0.0, 0.02, -0.02, 0.0)
"""How many seconds the first presses before the second, in each round."""
SOON = 0.2
NUMBERS = count(1)
DONE, REFUSED, STALE = 302, 422, 409


class Process:
    """A process with Vesper and the database."""

    def __init__(self, url: str, data: Path) -> None:
        ours = {"DATABASE_URL": url, "VESPER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "tests.faults.racer"]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **ours}, **pipes)

    def send(self, moment: float, what: str, arguments: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([moment, what, arguments]) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def do(self, what: str, *arguments: Any) -> Any:
        self.send(0, what, arguments)
        return self.answer()

    def end(self) -> None:
        self.process.communicate(timeout=30)


@dataclass
class Race:
    """Two processes, and the table at which they press."""

    one: Process
    other: Process
    ids: dict[str, Any] = field(default_factory=dict)

    def begin(self) -> None:
        """Set a table of its own."""
        self.ids = self.one.do("table", f"race-{next(NUMBERS)}")

    def both(self, ahead: float, *presses: tuple[str, str, Any]) -> list[dict[str, Any]]:
        """The answers to two presses: who, where, and what the form says. The first one is this much ahead."""
        soon = time.time() + SOON
        for process, moment, (who, address, said) in zip(
            (self.one, self.other), (soon - min(ahead, 0), soon + max(ahead, 0)), presses, strict=True
        ):
            process.send(moment, "post", [self.ids["people"][who], address, said])
        return [self.one.answer(), self.other.answer()]

    def look(self) -> dict[str, Any]:
        """What is true now. Nothing may contradict anything else."""
        found: dict[str, Any] = self.one.do("look", self.ids["ilya"])
        assert found["faults"] == []
        return found

    def fields(self, who: str, address: str, form: str) -> dict[str, Any]:
        """What a browser would send from the form of a page with this mark."""
        html = self.one.do("page", self.ids["people"][who], address)
        said = dict[str, Any]()
        for name, value in fields_of(html.partition(form)[2].partition("</form>")[0]):
            said.setdefault(name, []).append(value)
        return said

    def page(self, name: str, *more: Any) -> str:
        return reverse(name, args=more)


@pytest.fixture(scope="module")
def processes(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Process]]:
    data = tmp_path_factory.mktemp("races")
    ours = {"DATABASE_URL": database, "VESPER_DATA": str(data)}
    migrate = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(migrate, cwd=ROOT, env={**os.environ, **ours}, check=True)
    both = Process(database, data), Process(database, data)
    yield both
    for process in both:
        process.end()


@pytest.fixture
def race(processes: tuple[Process, Process]) -> Race:
    return Race(*processes)


def one_of(answers: list[dict[str, Any]], *lost: int) -> dict[str, Any]:
    """The answer of the one who lost; the other one's press was carried out."""
    statuses = [each["status"] for each in answers]
    assert statuses.count(DONE) == 1, [each["text"][:300] for each in answers]
    (loser,) = (each for each in answers if each["status"] != DONE)
    assert loser["status"] in lost, loser["text"][:300]
    return loser


# ------------------------------------------------------------------ experience


@pytest.mark.parametrize("second", ["grant", "refuse"])
def test_one_request_is_answered_once(race: Race, second: str) -> None:
    for ahead in AHEAD:
        race.begin()
        address = race.page("characters:answer", race.ids["chronicle"], race.ids["request"])
        answers = race.both(ahead, ("story", address, {"grant": ""}), ("second", address, {second: "", "note": "Hm."}))
        loser = one_of(answers, REFUSED)
        granted = second == "grant" or answers[0]["status"] == DONE
        assert f"This request is no longer open: it was {'granted' if granted else 'refused'}." in loser["text"]
        if second == "refuse" and granted:
            assert "Your note was not sent: “Hm.”" in loser["text"]
        now = race.look()
        assert (now["traits"].get("brawl", 0), now["balance"]) == ((1, 17) if granted else (0, 20))
        assert len(now["entries"]) == 3


def test_an_award_that_is_pressed_twice_counts_once(race: Race) -> None:
    for ahead in AHEAD:
        race.begin()
        address = race.page("characters:ledgers", race.ids["chronicle"])
        said = {"to": [race.ids["ilya"]], "reason": "own", "words": "Heroism", "amount": 4, "key": "one press"}
        answers = race.both(ahead, ("story", address, said), ("story", address, said))
        assert [each["status"] for each in answers] == [DONE, DONE]
        assert race.look()["balance"] == 24
        # Two Storytellers who mean two awards make two.
        race.both(ahead, ("story", address, said | {"key": "a"}), ("second", address, said | {"key": "b"}))
        assert race.look()["balance"] == 32


def test_one_proposal_is_granted_once(race: Race) -> None:
    for ahead in AHEAD:
        race.begin()
        race.one.do("roll_badly", race.ids["log"], race.ids["ilya"], race.ids["people"]["player"])
        ledgers = race.page("characters:ledgers", race.ids["chronicle"])
        address = race.page("characters:proposals", race.ids["chronicle"])
        html = race.one.do("page", race.ids["people"]["story"], ledgers)
        found = re.findall(r'name="proposal" value="([^"]+)"', html)
        assert found
        said = {"proposal": found, "grant": ""}
        answers = race.both(ahead, ("story", address, said), ("second", address, said))
        assert [each["status"] for each in answers] == [DONE, DONE]
        now = race.look()
        assert (now["balance"], len(now["entries"])) == (22, 3)


def test_the_last_points_are_spent_once(race: Race) -> None:
    """Two requests that the balance pays for one of."""
    for ahead in AHEAD:
        race.begin()
        address = race.page("characters:experience", race.ids["ilya"])
        buys = [{"what": name, "points": 15, "key": name} for name in ("A horse", "A house")]
        loser = one_of(race.both(ahead, *(("story", address, each) for each in buys)), REFUSED)
        assert "This costs 15 points, and Ilya has 5 points." in loser["text"]
        assert race.look()["balance"] == 5


# ------------------------------------------------------------------ one sheet in two browsers


def test_one_sheet_is_edited_in_two_browsers(race: Race) -> None:
    for ahead in AHEAD:
        race.begin()
        address = race.page("characters:edit", race.ids["ilya"])
        typed = race.fields("story", address, 'id="sheet-form"')
        assert "version" in typed
        first = typed | {"concept": ["Dockhand"], "trait-strength": ["4"]}
        second = typed | {"concept": ["Smuggler"], "notes": ["Owes Ana."]}
        answers = race.both(ahead, ("story", address, first), ("player", address, second))
        loser = one_of(answers, STALE)
        now, won = race.look(), answers[0]["status"] == DONE
        assert (now["concept"], now["traits"]["strength"]) == (("Dockhand", 4) if won else ("Smuggler", 3))
        # Nothing typed is lost: it is still in the form, which says what somebody else has changed meanwhile.
        assert 'value="Smuggler"' in loser["html"] if won else 'value="Dockhand"' in loser["html"]
        assert "Owes Ana." in (loser["html"] if won else now["notes"])
        assert ("Dockhand" if won else "Smuggler") in loser["text"]


def test_a_grant_and_an_edit_of_the_sheet(race: Race) -> None:
    """The later edit is told; the dots that were bought are on the sheet in either order."""
    for ahead in AHEAD:
        race.begin()
        edit = race.page("characters:edit", race.ids["ilya"])
        typed = race.fields("player", edit, 'id="sheet-form"') | {"concept": ["Dockhand"]}
        grant = race.page("characters:answer", race.ids["chronicle"], race.ids["request"])
        granted, edited = race.both(ahead, ("story", grant, {"grant": ""}), ("player", edit, typed))
        assert granted["status"] == DONE
        now = race.look()
        assert (now["traits"]["brawl"], now["balance"]) == (1, 17)
        assert (edited["status"], now["concept"]) in ((DONE, "Dockhand"), (STALE, ""))


# ------------------------------------------------------------------ time, fights, and harm outside them


def time_form(race: Race) -> tuple[str, dict[str, Any]]:
    """The confirmation that a night passes for Ilya, after its preview."""
    key = secrets.token_hex(16)
    address = race.page("combat:time", race.ids["chronicle"])
    said = {"amount": "1", "unit": "nights", "dusk": "on", "who": [race.ids["ilya"]], "key": key}
    html = race.one.do("post", race.ids["people"]["story"], address, said, True)["html"]
    (seen,) = (value for name, value in fields_of(html) if name == "seen")
    return address, said | {"seen": seen, "apply": "1"}


def test_time_passes_while_a_fight_begins(race: Race) -> None:
    orders = set[bool]()
    for ahead in (*AHEAD, 0.15, -0.15):
        race.begin()
        address, said = time_form(race)
        begin = race.page("combat:do", race.ids["draft"], "begin")
        passed, begun = race.both(ahead, ("story", address, said), ("second", begin, {"key": "begin"}))
        assert begun["status"] == DONE
        now = race.look()
        if passed["status"] == DONE:
            assert now["points"]["blood"] == 9
            assert now["rows"].count("PassTime") == 1
        else:
            assert passed["status"] == REFUSED
            assert re.search("Ilya is in (the fight )?“The docks”", passed["text"])
            assert now["points"]["blood"] == 10
        assert now["in fights"] == [[now["points"]["blood"], now["marks"]]]
        orders.add(passed["status"] == DONE)
    assert orders == {True, False}


def test_harm_outside_fights_while_time_passes(race: Race) -> None:
    for ahead in AHEAD:
        race.begin()
        address, said = time_form(race)
        damage = race.page("combat:do", race.ids["log"], "damage")
        harm = {"who": race.ids["ilya"], "amount": "2", "type": "lethal", "why": "A fall", "key": "harm"}
        passed, harmed = race.both(ahead, ("story", address, said), ("second", damage, harm))
        assert harmed["status"] == DONE
        now = race.look()
        assert now["marks"] == ["lethal", "lethal"]
        assert "Harm" in now["rows"]
        # Either it passed before the fall, or its preview no longer holds, and the page shows a new one.
        if passed["status"] == DONE:
            assert now["points"]["blood"] == 9
        else:
            assert passed["status"] == STALE
            assert "Something has changed. Check the new preview, then confirm again." in passed["text"]
            assert now["points"]["blood"] == 10


def test_two_let_the_same_night_pass(race: Race) -> None:
    for ahead in AHEAD:
        race.begin()
        (address, first), (_address, second) = time_form(race), time_form(race)
        loser = one_of(race.both(ahead, ("story", address, first), ("second", address, second)), STALE)
        assert "Something has changed. Check the new preview, then confirm again." in loser["text"]
        now = race.look()
        assert (now["points"]["blood"], now["rows"].count("PassTime")) == (9, 1)
        # The same press sent twice counts once.
        address, again = time_form(race)
        answers = race.both(ahead, ("story", address, again), ("story", address, again))
        assert [each["status"] for each in answers] == [DONE, DONE]
        now = race.look()
        assert (now["points"]["blood"], now["rows"].count("PassTime")) == (8, 2)
