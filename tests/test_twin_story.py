"""Two chronicles written at random, one of them with things that some readers don't know: they get the same bytes.

Pages and passages are written, changed, linked, shown and narrowed, characters met, tied and named, sessions prepared
and played. What is hidden is done in one of the two alone. After each step, pages drawn by lot are compared, and what
is hidden must change no page that is open; at the end, every page. `VESPER_SEQUENCES=60` plays that many.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from bench import chronicle as many
from campaigns import page_services as writing
from campaigns import readable, session_services, showing
from campaigns import services as campaigns
from campaigns.errors import Refused
from campaigns.live import token
from campaigns.models import Answer, Membership, PassageAudience
from characters import face_services, tie_services
from characters.models import Character
from combat.commands import drafts
from combat.commands.outside import open_log
from combat.live import wall
from combat.live.pages import HOME, PAGES, shown
from combat.secrecy.audiences import player_audience
from tests.combat.conftest import Table
from tests.combat.secrecy.test_twin_pages import READERS, Seated, numbered_apart
from tests.world import World

pytestmark = pytest.mark.django_db

SEQUENCES = int(os.environ.get("VESPER_SEQUENCES", "5"))
STEPS = 10
LOTS, AT_THE_END = 2, 0 if "VESPER_SEQUENCES" in os.environ else 16
"""How many pages each reader asks for after a step, and at the end; 0 for all."""
EVERYONE, CHOSEN, AUTHOR, STORYTELLERS = (
    PassageAudience.EVERYONE,
    PassageAudience.CHOSEN,
    PassageAudience.AUTHOR,
    PassageAudience.STORYTELLERS,
)
NUMBERS, ID = count(1), 12
KINDS = {
    "chronicle": "chronicle_id",
    "page": "page_id",
    "passage": "passage_id",
    "session": "session_id",
    "npc": "character_id",
    "Ilya": "character_id",
    "Odile": "character_id",
    "tie": "tie_id",
}
"""What a label's first word stands for in an address."""
TITLES = ("The mill", "The Prince", "The river", "Cold ashes", "The ninth guest")
WORDS = ("ashes", "mill", "Prince", "guest", "nobody")
FROM_PLAYERS = ("other_player", "observer", "stranger")
"""Who must not learn what is one player's own. All of them, and this player, what is the Storyteller's."""


class Twin(Seated):
    """One of the two chronicles. They differ in ids and account names only, which `labels` replaces."""

    def __init__(self, person: Callable[[str], Any]) -> None:
        number = f"zs{next(NUMBERS):04}"
        self.people = {name: person(f"{name}{number}") for name in ("storyteller", *READERS, "stranger")}
        by = self.people["storyteller"]
        chronicle = campaigns.create_chronicle(user=by, name="Twins", ruleset="masquerade", description="Of two.")
        for name, role in READERS.items():
            campaigns.add_member(chronicle=chronicle, user=self.people[name], role=role)
        self.chronicle = chronicle
        members = numbered_apart(chronicle)
        self.members = {each.user.username.removesuffix(number): each for each in chronicle.memberships.all()}
        self.labels = {chronicle.pk: "<chronicle>", number: "<number>", open_log(chronicle).pk: "<rolls>", **members}
        self.tokens: dict[tuple[str, str], dict[str, int]] = {}
        self.clients = {
            who: World(Table("", by, {}), chronicle, self.people).client(who) for who in (*READERS, "stranger")
        }
        self.things: dict[str, Any] = {}
        for name, owner in (("Ilya", "player"), ("Odile", "other_player")):
            one = Character.objects.create(chronicle=chronicle, name=name, owner=self.people[owner])
            self.keep(name, one)
        self.labels[wall.open_wall(by=self.members["storyteller"])] = "<wall>"
        self.labels |= {player_audience(one.pk): f"player-<{name}>" for name, one in self.people.items()}

    def keep(self, name: str, row: Any) -> Any:
        """Keep a row that both twins have under a name, which replaces its id in what is compared."""
        self.things[name], self.labels[row.pk] = row, f"<{name}>"
        return row

    def now(self, name: str) -> Any:
        """A row as it is now."""
        row = self.things[name]
        return type(row).objects.get(pk=row.pk)

    def member(self, who: str) -> Membership:
        """A membership as the services get it."""
        return Membership.objects.select_related("chronicle", "user").get(pk=self.members[who].pk)


Deed = Callable[[Twin], None]


class Sequence:
    """A sequence of deeds, drawn by lot: each for both twins, or hidden from `readers` and for the first alone.

    All that is drawn is drawn before a deed, so that both twins do the same.
    """

    def __init__(self, seed: int, person: Callable[[str], Any]) -> None:
        self.random = Random(f"story {seed}")
        self.one, self.other = Twin(person), Twin(person)
        # In every third sequence it is a player who has secrets, from the others.
        self.keeper = "player" if seed % 3 == 2 else "storyteller"
        self.readers = FROM_PLAYERS if self.keeper == "player" else (*READERS, "stranger")
        self.pages, self.passages = list[str](), list[str]()
        self.npcs, self.ties, self.sessions = list[str](), list[str](), list[str]()
        self.dark, self.named = list[str](), set[str]()

    def play(self) -> None:
        for step in range(STEPS):
            deed, hidden = self.draw(step)
            if hidden:
                before = self.open_pages()
                deed(self.one)
                assert self.open_pages() == before, (step, deed)
            else:
                for twin in (self.one, self.other):
                    deed(twin)
            self.compare((step, deed), LOTS)
        self.compare("the end", AT_THE_END)

    def compare(self, done: object, lots: int) -> None:
        """Compare so many pages drawn by lot, or all; what the other answers with 404 is there for neither."""
        asked = addresses(self.other)
        for who in self.readers:
            for address in self.random.sample(asked, lots) if lots else asked:
                assert self.one.read(who, address) == self.other.read(who, address), (who, address, done)

    def open_pages(self) -> dict[tuple[str, str, str], str]:
        """The token of each live page that a reader may have open."""
        found = dict[tuple[str, str, str], str]()
        keys = [HOME, *(row for row, label in self.one.labels.items() if len(row) == ID)]
        for who in self.readers:
            for name in PAGES:
                for key in keys:
                    with suppress(Http404, PermissionDenied):
                        found[who, name, key] = token(shown(self.one.people[who], name, key).value)
        assert found
        return found

    # -------------------------------------------------------------- what is drawn

    def draw(self, step: int) -> tuple[Deed, bool]:
        """A deed, and whether it is hidden."""
        hidden = self.random.random() < 0.6 and step > 0
        deeds = self.in_the_dark() if hidden else self.in_the_light()
        return self.random.choice(deeds)(f"{step}"), hidden

    def in_the_light(self) -> list[Callable[[str], Deed]]:
        found = [self.page, self.npc, self.session, self.journal]
        found += [self.passage, self.change, self.show, self.tie] if self.passages else []
        return found + ([self.evening] if self.sessions else [])

    def in_the_dark(self) -> list[Callable[[str], Deed]]:
        found = [self.secret_page, self.secret_page, self.secret_tie]
        found += [self.secret_passage, self.secret_change, self.secret_show] if self.pages and self.dark else []
        if self.keeper == "storyteller":
            found += [self.secret_npc, self.draft, *([self.preparation] if self.sessions else [])]
        return found

    def text(self) -> str:
        """Some words, with a link to something that is there, isn't, or is hidden."""
        title = self.random.choice(TITLES)
        return f"{' '.join(self.random.choices(WORDS, k=4))} [[{title}]]"

    # -------------------------------------------------------------- for both

    def page(self, name: str) -> Deed:
        title, text, kind = self.random.choice(TITLES), self.text(), self.random.choice(["note", "handout", "group"])
        audience = self.random.choice([EVERYONE, EVERYONE, STORYTELLERS])
        self.pages.append(f"page {name}")
        self.passages.append(f"passage {name}")

        def deed(twin: Twin) -> None:
            made = writing.create_page(
                by=twin.member("storyteller"), title=title, text=text, kind=kind, audience=audience
            )
            twin.keep(f"page {name}", made)
            twin.keep(f"passage {name}", made.passages.get())

        return deed

    def passage(self, name: str) -> Deed:
        page, text, audience = self.random.choice(self.pages), self.text(), self.random.choice([EVERYONE, CHOSEN])
        self.passages.append(f"passage {name}")

        def deed(twin: Twin) -> None:
            chosen = [twin.members["other_player"].pk]
            by = twin.member("storyteller")
            made = writing.add_passage(by=by, page=twin.now(page), text=text, audience=audience, readers=chosen)
            twin.keep(f"passage {name}", made)

        return deed

    def change(self, name: str) -> Deed:
        passage, text = self.random.choice(self.passages), self.text()
        return lambda twin: change(twin, passage, text)

    def show(self, name: str) -> Deed:
        passage, everyone = self.random.choice(self.passages), self.random.random() < 0.5

        def deed(twin: Twin) -> None:
            to = [] if everyone else [twin.members["player"].pk, twin.members["other_player"].pk]
            showing.show(by=twin.member("storyteller"), passage_id=twin.now(passage).pk, everyone=everyone, to=to)

        return deed

    def npc(self, name: str) -> Deed:
        # Two of the same name are in the order of their random ids.
        known_as, all_of_them = self.random.choice(["", f"The man in grey {name}"]), self.random.random() < 0.5
        called = self.random.choice([f"Guest {name}", "The Prince"][: 1 if "The Prince" in self.named else 2])
        self.named.add(called)
        self.npcs.append(f"npc {name}")

        def deed(twin: Twin) -> None:
            npc = twin.keep(f"npc {name}", Character.objects.create(chronicle=twin.chronicle, name=called))
            met = {"": known_as} if all_of_them else {twin.now("Ilya").pk: known_as}
            meet(twin, npc, met)

        return deed

    def tie(self, name: str) -> Deed:
        other, kind = self.random.choice(["Odile", *self.npcs]), self.random.choice(["relation", "boon"])
        return lambda twin: tie(twin, f"tie {name}", "Ilya", other, kind=kind, audience=EVERYONE)

    def session(self, name: str) -> Deed:
        self.sessions.append(f"session {name}")

        def deed(twin: Twin) -> None:
            by = twin.member("storyteller")
            twin.keep(f"session {name}", session_services.announce(by=by, title="Night", place="Here"))

        return deed

    def evening(self, name: str) -> Deed:
        which, way = self.random.choice(self.sessions), self.random.choice(["answer", "begin", "end"])

        def deed(twin: Twin) -> None:
            by, session, now = twin.member("storyteller"), twin.now(which), timezone.now()
            with suppress(Refused, PermissionDenied):
                if way == "answer":
                    session_services.answer(by=twin.member("player"), session=session, answer=Answer.YES, now=now)
                elif way == "begin":
                    session_services.begin(by=by, session=session, now=now)
                else:
                    session_services.end(
                        by=by, session=session, version=session.version, recap="They met.", came={}, now=now
                    )

        return deed

    def journal(self, name: str) -> Deed:
        text = self.text()

        def deed(twin: Twin) -> None:
            by = twin.member("other_player")
            made = writing.create_page(by=by, title="A journal", text=text, kind="journal", audience=EVERYONE)
            twin.keep(f"page {name}", made)
            twin.keep(f"passage {name}", made.passages.get())

        return deed

    # -------------------------------------------------------------- hidden

    def secret_page(self, name: str) -> Deed:
        """It has a title that open texts may name, and links to open pages."""
        title, text = self.random.choice(TITLES), self.text()
        self.dark.append(f"dark {name}")

        def deed(twin: Twin) -> None:
            by = twin.member(self.keeper)
            made = writing.create_page(by=by, title=title, text=f"CANARY {text}")
            twin.things[f"dark {name}"] = made.passages.get()

        return deed

    def secret_passage(self, name: str) -> Deed:
        page, text = self.random.choice(self.pages), self.text()
        self.dark.append(f"dark {name}")

        def deed(twin: Twin) -> None:
            by, to = twin.member("storyteller"), [twin.members["player"].pk]
            audience = STORYTELLERS if self.keeper == "storyteller" else CHOSEN
            made = writing.add_passage(by=by, page=twin.now(page), text=f"CANARY {text}", audience=audience, readers=to)
            twin.things[f"dark {name}"] = made

        return deed

    def secret_change(self, name: str) -> Deed:
        passage, text = self.random.choice(self.dark), self.text()

        def deed(twin: Twin) -> None:
            row = twin.now(passage)
            by = twin.member("player" if row.author_id == twin.people["player"].pk else "storyteller")
            chosen = list(row.readership.values_list("membership", flat=True))
            writing.edit_passage(
                by=by,
                passage=row,
                text=f"CANARY {text}",
                audience=row.audience,
                readers=chosen,
                version=row.version,
            )

        return deed

    def secret_show(self, name: str) -> Deed:
        """To the one player who has secrets; a Storyteller's own stay with her, with a passage added beside them."""
        if self.keeper == "storyteller":
            return self.secret_passage(name)
        passage = self.random.choice(self.dark)

        def deed(twin: Twin) -> None:
            row = twin.now(passage)
            with suppress(Refused):  # the player's own
                to = [twin.members["player"].pk]
                showing.show(by=twin.member("storyteller"), passage_id=row.pk, everyone=False, to=to)

        return deed

    def secret_tie(self, name: str) -> Deed:
        kind = self.random.choice(["relation", "boon"])
        audience = STORYTELLERS if self.keeper == "storyteller" else AUTHOR

        def deed(twin: Twin) -> None:
            tie(twin, "", "Ilya", "Odile", kind=kind, audience=audience, by=self.keeper)

        return deed

    def secret_npc(self, name: str) -> Deed:
        """Somebody nobody has met, with a tie that everyone could read if they knew both ends."""
        called = self.random.choice(TITLES)

        def deed(twin: Twin) -> None:
            npc = Character.objects.create(chronicle=twin.chronicle, name=called)
            twin.things[f"npc {name}"] = npc
            meet(twin, npc, {})
            tie(twin, "", f"npc {name}", "Ilya", kind="boon", audience=EVERYONE)

        return deed

    def draft(self, name: str) -> Deed:
        def deed(twin: Twin) -> None:
            drafts.create_encounter(by=twin.member("storyteller"), name="CANARY ambush")

        return deed

    def preparation(self, name: str) -> Deed:
        which = self.random.choice(self.sessions)

        def deed(twin: Twin) -> None:
            with suppress(Refused):
                by = twin.member("storyteller")
                session_services.prepare(by=by, session=twin.now(which), text="CANARY clue")

        return deed


def change(twin: Twin, passage: str, text: str) -> None:
    row = twin.now(passage)
    chosen = list(row.readership.values_list("membership", flat=True))
    with suppress(PermissionDenied):
        writing.edit_passage(
            by=twin.member("storyteller"),
            passage=row,
            text=text,
            audience=row.audience,
            readers=chosen,
            version=row.version,
        )


def meet(twin: Twin, npc: Character, met: dict[str, str]) -> None:
    face_services.save_face(
        by=twin.member("storyteller"),
        character_id=npc.pk,
        text="Grey eyes.",
        with_portrait=False,
        met=met,
        seen=face_services.face_mark(npc.pk),
    )


def tie(twin: Twin, name: str, one: str, other: str, *, kind: str, audience: str, by: str = "storyteller") -> None:
    data = tie_services.TieData(
        kind=kind, first=twin.now(one).pk, second=twin.now(other).pk, text="For the mill.", audience=audience
    )
    made = tie_services.write_tie(by=twin.member(by), data=data)
    if name:
        twin.keep(name, made)


def addresses(twin: Twin) -> list[str]:
    """Every page that needs only ids with a label, with the labels in place of them; and searches."""
    rows = defaultdict[str, list[str]](list)
    for row, label in twin.labels.items():
        rows[KINDS.get(label.strip("<>").split()[0], "")].append(row)
    found = []
    for app, pattern in many.patterns():
        names = [*pattern.pattern.converters]
        if set(names) <= {"chronicle_id", *KINDS.values()} and len(set(names) - {"chronicle_id"}) <= 1:
            for row in rows[next((name for name in names if name != "chronicle_id"), "chronicle_id")]:
                known = {name: twin.chronicle.pk if name == "chronicle_id" else row for name in names}
                found.append(twin.bare(reverse(f"{app}:{pattern.name}", kwargs=known)))
    search = twin.bare(reverse("story:search", args=[twin.chronicle.pk]))
    return [*found, *(f"{search}?q={word}" for word in (*WORDS, "CANARY"))]


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_what_is_hidden_changes_no_byte(seed: int, person: Callable[[str], Any]) -> None:
    Sequence(seed, person).play()


def test_a_leak_is_found(person: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody reads every passage and tie."""
    right = readable.in_audience
    for each in [each for each in sys.modules.values() if getattr(each, "in_audience", None) is right]:
        monkeypatch.setattr(each, "in_audience", lambda rows, *_: rows.annotate(told=F("written"), first=F("written")))
    monkeypatch.setattr("tests.test_twin_story.AT_THE_END", 0)
    with pytest.raises((AssertionError, KeyError)):
        _play_some(person)


def _play_some(person: Callable[[str], Any]) -> None:
    for seed in range(3):
        Sequence(seed, person).play()
