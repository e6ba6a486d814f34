"""The page on which a Storyteller lets time pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.words import said
from characters.models import Character
from combat.commands import drafts, perform
from combat.commands.outside import open_log
from combat.history import records
from combat.history.tell.sentences import text_of
from combat.models import Kind, LogRow
from combat.panes.build import view_for
from combat.secrecy.access import audience_of
from rules.engine.violations import RuleViolation
from rules.topics import commands
from tests.kept import kept
from tests.world import plain

pytestmark = pytest.mark.django_db

MORTAL = {"kind": "mortal", "traits": {"stamina": 2, "size": 5}, "resources": {}}
VAMPIRE = {"kind": "vampire", "traits": {"stamina": 2, "blood_potency": 1}, "resources": {"vitae": 9, "willpower": 3}}


class Page:
    """The page as its browser uses it: ask for the preview, then confirm what it showed."""

    def __init__(self, client: Any, url: str) -> None:
        self.client, self.url = client, url

    def preview(self, **chosen: Any) -> str:
        answer = self.client.post(self.url, self.sent(chosen), headers={"HX-Request": "true"})
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    def confirm(self, seen: str = "", key: str = "a" * 32, **chosen: Any) -> Any:
        found = re.search(r'name="seen" value="(\w+)"', seen or self.preview(**chosen))
        sent = self.sent(chosen) | {"seen": found[1] if found else "", "key": key, "apply": "1"}
        return self.client.post(self.url, sent)

    @staticmethod
    def sent(chosen: dict[str, Any]) -> dict[str, Any]:
        more = chosen.pop("more", {}) if "more" in chosen else {}
        who = [each.pk for each in chosen["who"]]
        return {"amount": 9, "unit": "nights", **chosen, "who": who, **more}


@pytest.fixture
@kept
def chronicle(chronicle: Any) -> Any:
    chronicle.ruleset = "chronicles"
    chronicle.save()
    return chronicle


@pytest.fixture
@kept
def cast(chronicle: Any, player: Any, other_player: Any) -> dict[str, Character]:
    def make(name: str, owner: Any, marks: list[str], **more: Any) -> Character:
        return Character.objects.create(chronicle=chronicle, name=name, owner=owner, marks=marks, **more)

    return {
        "Marek": make("Marek", player, ["aggravated", "lethal", "bashing"], **MORTAL),
        "Ana": make("Ana", other_player, ["lethal"], **VAMPIRE),
        "Nurse": make("Nurse", None, ["lethal"] * 5, **MORTAL),
    }


@pytest.fixture
def form(chronicle: Any, storyteller: Any, signed_in: Callable[[Any], Any]) -> Page:
    return Page(signed_in(storyteller), reverse("combat:time", args=[chronicle.pk]))


def boxes(character: Character) -> str:
    character.refresh_from_db()
    return "".join(mark[0] for mark in character.marks)


def points(character: Character) -> dict[str, int]:
    character.refresh_from_db()
    return dict(character.resources)


def test_nine_nights_pass_with_marek_in_hospital(form: Page, chronicle: Any, storyteller: Any, cast: Any) -> None:
    marek, ana = cast["Marek"], cast["Ana"]
    chosen: dict[str, Any] = {"who": [marek, ana], f"care-{marek.pk}": "hospital", "dusk": "on"}
    first = form.client.get(form.url).content.decode()
    assert "Before and after" in first
    assert first.count("checked") == 3  # two players' characters, and the unit
    shown = form.preview(**chosen)
    assert "1 aggravated, 1 lethal, 1 bashing" in shown
    assert re.search(r"Vitae <span[^>]*>9 → 0</span>", shown)
    assert boxes(marek) == "alb"
    assert form.confirm(shown, **chosen).status_code == 302
    assert (boxes(marek), points(ana)["vitae"]) == ("", 0)
    log = open_log(chronicle)
    row = LogRow.objects.get(encounter=log, kind=Kind.COMMAND)
    assert row.command["is"] == "PassTime"
    perform.undo(encounter_id=log.pk, actor=storyteller)
    assert (boxes(marek), boxes(ana), points(ana)["vitae"]) == ("alb", "l", 9)


def test_nobody_in_a_fight_ages(form: Page, chronicle: Any, storyteller: Any, cast: Any) -> None:
    by = chronicle.memberships.get(user=storyteller)
    fight = drafts.create_encounter(by=by, name="The bridge", scene="")
    drafts.add_character(encounter_id=fight.pk, actor=storyteller, character=cast["Marek"])
    for command in (commands.Begin(), commands.Pause()):
        perform.perform(encounter_id=fight.pk, actor=storyteller, command=command)
        assert "In the fight “The bridge”" in form.client.get(form.url).content.decode()
        refused = form.confirm(who=[cast["Marek"], cast["Ana"]])
        assert refused.status_code == 422
        assert "Marek is in the fight “The bridge”. End it first." in refused.content.decode()
    with pytest.raises(RuleViolation) as refusal:
        perform.perform(encounter_id=open_log(chronicle).pk, actor=storyteller, command=passes(cast, 24))
    assert "Marek" in said(refusal.value.message)
    assert (boxes(cast["Marek"]), boxes(cast["Ana"])) == ("alb", "l")


def test_what_time_did_before_a_fight_is_not_undone_after_it(
    form: Page, chronicle: Any, storyteller: Any, cast: Any
) -> None:
    assert form.confirm(who=[cast["Marek"]]).status_code == 302
    by = chronicle.memberships.get(user=storyteller)
    fight = drafts.create_encounter(by=by, name="The bridge", scene="")
    drafts.add_character(encounter_id=fight.pk, actor=storyteller, character=cast["Marek"])
    for command in (commands.Begin(), commands.End()):
        perform.perform(encounter_id=fight.pk, actor=storyteller, command=command)
        with pytest.raises(RuleViolation) as refusal:
            perform.undo(encounter_id=open_log(chronicle).pk, actor=storyteller)
        assert all(each in said(refusal.value.message) for each in ("Marek", "The bridge"))
    assert boxes(cast["Marek"]) == "al"


def passes(cast: dict[str, Character], hours: int, **more: Any) -> commands.PassTime:
    return commands.PassTime(tuple(each.pk for each in cast.values()), hours, **more)


def test_what_changed_since_the_preview_is_shown_before_it_counts(form: Page, cast: Any) -> None:
    marek = cast["Marek"]
    seen = form.preview(who=[marek])
    Character.objects.filter(pk=marek.pk).update(marks=["bashing", "bashing"])
    answer = form.confirm(seen, who=[marek])
    assert answer.status_code == 409
    assert "Something has changed. Check the new preview, then confirm again." in answer.content.decode()
    assert boxes(marek) == "bb"
    assert form.confirm(answer.content.decode(), who=[marek]).status_code == 302
    assert boxes(marek) == ""


@pytest.mark.servers
def test_a_press_that_is_sent_again_counts_once(form: Page, cast: Any) -> None:
    """Also when the first one has killed somebody, about whom there is nothing left to ask."""
    nurse = cast["Nurse"]
    chosen: dict[str, Any] = {"who": [nurse], "amount": 1, "unit": "hours", "bleeding": 5, f"care-{nurse.pk}": "none"}
    seen = form.preview(**chosen)
    assert "Nurse dies." in seen
    assert [form.confirm(seen, **chosen).status_code for _press in range(2)] == [302, 302]
    assert boxes(nurse) == "a" * 7
    assert LogRow.objects.filter(kind=Kind.COMMAND).count() == 1


def test_bleeding_waits_for_the_storyteller(form: Page, cast: Any) -> None:
    """CD-HEALTH-3."""
    shown = form.preview(who=[cast["Nurse"]])
    assert "No rule says how fast this gets worse without care. You decide." in shown
    assert "1 sheet stays the same" in shown
    assert "no longer bleeding" in form.preview(who=[cast["Nurse"]], more={f"care-{cast['Nurse'].pk}": "care"})


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"amount": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"amount": "soon"}, "Enter a whole number."),
        ({"amount": "99999", "unit": "weeks"}, "Ensure this value is less than or equal to 87600."),
        ({"amount": "9999", "unit": "weeks"}, "Enter at most ten years."),
        ({"unit": "moons"}, "Select a valid choice. moons is not one of the available choices."),
        ({"who": []}, "Choose at least one character."),
        ({"who": ["zed"]}, "A character you chose is no longer in this chronicle."),
        ({"bleeding": "-1"}, "Ensure this value is greater than or equal to 0."),
    ],
)
def test_each_mistake_is_told_and_nothing_happens(form: Page, cast: Any, sent: dict[str, Any], told: str) -> None:
    chosen = {"amount": "9", "unit": "nights", "who": [cast["Marek"].pk], **sent}
    assert told in form.client.post(form.url, chosen, headers={"HX-Request": "true"}).content.decode()
    answer = form.client.post(form.url, {**chosen, "apply": "1"})
    assert (answer.status_code, boxes(cast["Marek"])) == (422, "alb")
    assert told in answer.content.decode()


def test_halves_of_a_day_add_up_in_the_log(chronicle: Any, storyteller: Any, cast: Any) -> None:
    """CD-HEAL-1: a day with care heals a lethal level, after an hour for the bashing one."""
    log = open_log(chronicle)
    for hours, left in ((12, "al"), (12, "al"), (1, "a")):
        care = {cast["Marek"].pk: commands.Care.CARE}
        perform.perform(encounter_id=log.pk, actor=storyteller, command=passes({"": cast["Marek"]}, hours, care=care))
        assert boxes(cast["Marek"]) == left


def test_injuries_improve_by_hand(form: Page, chronicle: Any, player: Any) -> None:
    """WL-DMG-4."""
    chronicle.ruleset = "wounds"
    chronicle.save()
    injuries = [{"level": 4, "cause": "axe"}, {"level": 1, "cause": ""}]
    ann = Character.objects.create(chronicle=chronicle, name="Ann", owner=player, kind="mortal", injuries=injuries)
    assert "This ruleset has no rule for healing over time" in form.client.get(form.url).content.decode()
    assert "No sheet changes." in form.preview(who=[ann])
    levels = {f"levels-{ann.pk}-0": 3, f"levels-{ann.pk}-1": 1}
    assert "Give the reason for the levels that heal by your decision." in form.preview(who=[ann], more=levels)
    assert form.confirm(who=[ann], more={**levels, "why": "Nuns."}).status_code == 302
    ann.refresh_from_db()
    assert [each["level"] for each in ann.injuries] == [1]


def test_twenty_characters_take_few_queries(form: Page, chronicle: Any, storyteller: Any, player: Any) -> None:
    def asked(count: int) -> int:
        Character.objects.filter(chronicle=chronicle).delete()
        people = [
            Character.objects.create(chronicle=chronicle, name=f"C{n}", owner=player, marks=["bashing"] * 3, **MORTAL)
            for n in range(count)
        ]
        with CaptureQueriesContext(connection) as queries:
            assert form.confirm(who=people, key=f"{count:032x}").status_code == 302
        assert {boxes(each) for each in people} == {""}
        return len(queries)

    few, many = asked(2), asked(20)
    assert many - few <= 18 * 3


def test_players_read_of_their_own_character_alone(
    form: Page, chronicle: Any, player: Any, other_player: Any, cast: Any
) -> None:
    """Time that passes for NPCs too leaves the same pages as without them, and for NPCs alone none."""
    log, views = open_log(chronicle), (player, other_player)

    def lines(user: Any) -> list[str]:
        log.refresh_from_db()
        shown = view_for(records.read(log), audience_of(chronicle.memberships.get(user=user)))
        return [text_of(line) for entry in shown.log.entries for line in entry.lines]

    chosen = {"amount": 1, "dusk": "on", f"care-{cast['Nurse'].pk}": "care"}
    assert form.confirm(who=[cast["Nurse"]], **chosen).status_code == 302
    assert [lines(user) for user in views] == [[], []]
    assert form.confirm(key="b" * 32, who=list(cast.values()), **chosen).status_code == 302
    assert lines(player) == ["1 night passes for Marek.", "Marek heals 1 bashing."]
    assert lines(other_player) == ["1 night passes for Ana.", "Ana spends 1 Vitae at dusk. 8 left."]


def test_the_page_is_the_storytellers(form: Page, chronicle: Any, player: Any, signed_in: Any) -> None:
    assert form.url in form.client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    client = signed_in(player)
    assert form.url not in client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert client.post(form.url, {"amount": 1, "unit": "nights"}).status_code == 403


def test_a_players_pages_are_the_same_with_and_without_npcs(
    form: Page, chronicle: Any, storyteller: Any, player: Any, cast: Any
) -> None:
    marek, nurse = cast["Marek"], cast["Nurse"]
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")

    def pages(*who: Character) -> list[str]:
        """A player's pages after time for these characters, which is then taken back."""
        with transaction.atomic():
            if who:
                care = {each.pk: commands.Care.CARE for each in who}
                command = commands.PassTime(tuple(each.pk for each in who), 24, care)
                perform.perform(encounter_id=open_log(chronicle).pk, actor=storyteller, command=command)
            found = [client.get(url).content.decode() for url in urls]
            transaction.set_rollback(True)
        return [re.sub(r"\b[b-z2-9]{10}\b", "", plain(each)) for each in found]

    urls = [
        reverse("combat:rolls", args=[chronicle.pk]),
        reverse("campaigns:chronicle", args=[chronicle.pk]),
        reverse("characters:sheet", args=[marek.pk]),
        reverse("combat:since", args=[open_log(chronicle).pk, 0]),
    ]
    assert pages(nurse) == pages()
    assert pages(marek, nurse) == pages(marek) != pages()
