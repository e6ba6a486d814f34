"""A chronicle's page, making and changing it, its notes and house rules."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns import rulesets, services
from campaigns.errors import EditConflict
from campaigns.forms.house_rules import WoundLevelsField
from campaigns.models import Chronicle, Note, Role
from characters.models import Character
from combat.models import Encounter
from rules.options import Option, OptionKind, check_options
from rules.rulesets.masquerade import MASQUERADE

SECRETS = (
    "Planted note title",
    "Planted note body",
    "Planted antagonist",
    "Planted lair",
    "Planted ambush",
    "Planted label",
)


def page_of(client: Any, chronicle: Any) -> str:
    return client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()


@pytest.fixture
def full_table(chronicle: Any, member: Any, storyteller: Any, player: Any) -> Any:
    """The chronicle with something to see and something to hide in every part of its page."""
    from django.utils import timezone

    by = member(storyteller)
    services.write_note(by=by, title="Open letter", body="For *all*", audience="everyone")
    services.write_note(by=by, title=SECRETS[0], body=SECRETS[1], audience="storyteller")
    services.invite(
        by=by, role="player", expires=timezone.now() + timezone.timedelta(days=1), max_uses=2, label=SECRETS[5]
    )
    Character.objects.create(chronicle=chronicle, name="Ilya Voss", concept="Duellist", owner=player)
    Character.objects.create(pk="hidden-one", chronicle=chronicle, name=SECRETS[2], concept=SECRETS[3])
    Encounter.objects.create(pk="drafted-one", chronicle=chronicle, name=SECRETS[4])
    Encounter.objects.create(chronicle=chronicle, name="Church", status="running")
    Encounter.objects.create(chronicle=chronicle, name="Bridge", status="ended")
    return chronicle


def test_the_storyteller_sees_all_of_it(full_table: Any, storyteller: Any, client_of: Any) -> None:
    page = page_of(client_of(storyteller), full_table)
    for words in (*SECRETS, "Ilya Voss", "Open letter", "Church", "Bridge", "Invite"):
        assert words in page


@pytest.mark.parametrize("role", ["player", "other_player", "observer"])
def test_the_others_see_theirs_and_no_secret(role: str, full_table: Any, client_of: Any, request: Any) -> None:
    client = client_of(request.getfixturevalue(role))
    page = page_of(client, full_table)
    for words in ("Ilya Voss", "Duellist", "Open letter", "For <em>all</em>", "Church", "Bridge", "observer"):
        assert words in page
    home = client.get("/").content.decode()
    assert "Church" in home
    for secret in (*SECRETS, ">drafted<", "/invitations/", "/edit/", "/remove/", "hidden-one", "drafted-one"):
        assert secret not in page
        assert secret not in home


def test_what_is_hidden_leaves_no_trace(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    """The page is the same to the byte, but for its fresh token, whether hidden things exist or not."""
    client = client_of(player)

    def bare() -> str:
        return re.sub(r"[A-Za-z0-9]{64}", "", page_of(client, chronicle))

    before = bare()
    services.write_note(by=member(storyteller), title="T", body="B", audience="storyteller")
    Character.objects.create(chronicle=chronicle, name="X")
    Encounter.objects.create(chronicle=chronicle, name="Y")
    assert bare() == before


def test_a_hidden_note_is_as_absent_as_none(full_table: Any, player: Any, storyteller: Any, client_of: Any) -> None:
    secret = Note.objects.get(title=SECRETS[0])
    there = reverse("campaigns:note", args=[full_table.pk, secret.pk])
    absent = reverse("campaigns:note", args=[full_table.pk, "bcdfghjkmn"])
    client = client_of(player)
    assert client.get(there).status_code == client.get(absent).status_code == 404
    assert SECRETS[1] in client_of(storyteller).get(there).content.decode()


def test_home_shows_my_tables_with_their_fight_first(full_table: Any, player: Any, client_of: Any) -> None:
    response = client_of(player).get("/")
    (card,) = response.context["cards"]
    assert (card.name, card.role, card.players) == ("Ash and Amber", "player", 2)
    assert [fight.name for fight in card.fights] == ["Church"]
    assert "A fight is running" in response.content.decode()


def test_many_tables_and_many_storytellers_cost_no_more_queries_than_one(
    full_table: Any, storyteller: Any, person: Any, client_of: Any
) -> None:
    client = client_of(storyteller)
    addresses = ["/", reverse("campaigns:account"), reverse("campaigns:chronicle", args=[full_table.pk])]

    def asked() -> list[int]:
        counts = []
        for address in addresses:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
        return counts

    asked()
    before = asked()
    for number in range(10):
        other = services.create_chronicle(user=storyteller, name=f"Other {number}", ruleset="masquerade")
        Encounter.objects.create(chronicle=other, name=f"Fight {number}", status="paused")
        services.add_member(chronicle=full_table, user=person(f"teller{number}"), role=Role.STORYTELLER)
    assert asked() == before


def test_a_table_with_several_storytellers_holds_none_of_them(
    full_table: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    last = "The only Storyteller: make somebody else one"
    assert page_of(client_of(storyteller), full_table).count(last) == 1
    assert last not in page_of(client_of(player), full_table)
    services.add_member(chronicle=full_table, user=player, role=Role.STORYTELLER)
    assert last not in page_of(client_of(storyteller), full_table)


def test_home_of_somebody_new_says_what_to_do(stranger: Any, client_of: Any) -> None:
    page = client_of(stranger).get("/").content.decode()
    assert "No table yet" in page
    assert "I have an invitation" in page


def test_making_one_makes_its_storyteller(stranger: Any, client_of: Any) -> None:
    data = {"name": "Salt", "ruleset": "masquerade", "description": "By the sea", "role": "x", "id": "chosen"}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    made = Chronicle.objects.get(name="Salt")
    assert response["Location"] == reverse("campaigns:chronicle", args=[made.pk])
    assert made.pk != "chosen"
    assert made.memberships.get().is_storyteller
    assert made.memberships.get().user == stranger


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"ruleset": "none"}, "ruleset"),
        ({"description": "x" * 20_001}, "description"),
    ],
)
def test_bad_input_comes_back_with_a_sentence_and_all_that_was_typed(
    bad: Any, field: str, stranger: Any, client_of: Any
) -> None:
    data = {"name": "Salt", "ruleset": "masquerade", "description": "By the sea", **bad}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    assert response.status_code == 422
    form = response.context["form"]
    assert list(form.errors) == [field]
    assert {name: form[name].value() for name in data} == data
    assert not Chronicle.objects.exists()


def test_ten_megabytes_of_name_are_answered(stranger: Any, client_of: Any) -> None:
    started = time.monotonic()
    data = {"name": "x" * 10_000_000, "ruleset": "masquerade", "description": "By the sea"}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    assert response.status_code == 422
    page = response.content.decode()
    assert "at most 80 characters" in page
    assert "By the sea" in page
    assert len(page) < 300_000
    assert time.monotonic() - started < 10


def test_names_are_text(chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any) -> None:
    name = "<img src=x onerror=alert(1)>\"'"
    services.edit_chronicle(by=member(storyteller), name=name, description=name, version=1)
    services.write_note(by=member(storyteller), title=name, body=name, audience="everyone")
    client = client_of(player)
    for page in (page_of(client, chronicle), client.get("/").content.decode()):
        assert "<img" not in page
        assert "&lt;img" in page


def test_a_second_edit_does_not_bury_the_first(chronicle: Any, member: Any, storyteller: Any, client_of: Any) -> None:
    services.edit_chronicle(by=member(storyteller), name="First", description="theirs", version=1)
    address = reverse("campaigns:edit", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"name": "Second", "description": "mine", "version": "1"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Somebody else saved this" in page
    assert "theirs" in page
    assert "mine" in page
    chronicle.refresh_from_db()
    assert (chronicle.name, chronicle.version) == ("First", 2)
    again = {"name": "Second", "description": "mine", "version": response.context["form"]["version"].value()}
    assert client_of(storyteller).post(address, again).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.name == "Second"


def test_an_edit_that_is_refused_leaves_the_head_of_the_page_alone(
    chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    data = {"name": "Unsaved", "description": "x" * 20_001, "version": "1"}
    page = client_of(storyteller).post(reverse("campaigns:edit", args=[chronicle.pk]), data).content.decode()
    assert "<title>Edit Ash and Amber" in page
    assert page.count("Unsaved") == 1


def test_deleting_asks_for_the_name(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    address = reverse("campaigns:delete", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"typed_name": "Ash"})
    assert response.status_code == 422
    assert "That is not its name" in response.content.decode()
    assert Chronicle.objects.exists()
    response = client_of(storyteller).post(address, {"typed_name": " Ash and Amber "}, follow=True)
    assert "Ash and Amber is deleted." in response.content.decode()
    assert not Chronicle.objects.exists()


def test_its_name_is_typed_as_the_page_shows_it(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    Chronicle.objects.update(name="The  Fall")
    address = reverse("campaigns:delete", args=[chronicle.pk])
    assert client_of(storyteller).post(address, {"typed_name": "TheFall"}).status_code == 422
    assert client_of(storyteller).post(address, {"typed_name": " The Fall "}).status_code == 302


def test_a_chronicle_with_a_running_fight_stays(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    Encounter.objects.create(chronicle=chronicle, name="Church", status="running")
    address = reverse("campaigns:delete", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"typed_name": chronicle.name})
    assert "A fight is running in this chronicle. End it first." in response.content.decode()
    assert Chronicle.objects.filter(pk=chronicle.pk).exists()


# Notes -----------------------------------------------------------------------------------------------------------


def test_a_note_is_written_changed_and_torn_out(chronicle: Any, storyteller: Any, player: Any, client_of: Any) -> None:
    client = client_of(storyteller)
    data = {"title": "Rumours", "body": "The **Prince**", "audience": "everyone"}
    client.post(reverse("campaigns:write-note", args=[chronicle.pk]), data)
    note = Note.objects.get()
    assert (note.author, note.audience) == (storyteller, "everyone")
    assert "The <strong>Prince</strong>" in page_of(client_of(player), chronicle)
    edit = reverse("campaigns:edit-note", args=[chronicle.pk, note.pk])
    assert client.post(edit, {**data, "audience": "storyteller", "version": "1"}).status_code == 302
    assert "Rumours" not in page_of(client_of(player), chronicle)
    assert client.post(edit, {**data, "version": "1"}).status_code == 422
    client.post(reverse("campaigns:delete-note", args=[chronicle.pk, note.pk]))
    assert not Note.objects.exists()


def test_what_is_done_to_a_note_says_to_which(full_table: Any, storyteller: Any, client_of: Any) -> None:
    page = page_of(client_of(storyteller), full_table)
    for words in ("On its own page", "Edit", "Delete"):
        for title in ("Open letter", SECRETS[0]):
            assert f'{words}<span class="sr-only"> {title}</span></a>' in page


def test_the_service_refuses_a_stale_note(member: Any, storyteller: Any) -> None:
    by = member(storyteller)
    note = services.write_note(by=by, title="T", body="", audience="everyone")
    services.edit_note(by=by, note=note, title="U", body="", audience="everyone", version=1)
    with pytest.raises(EditConflict):
        services.edit_note(by=by, note=note, title="V", body="", audience="everyone", version=1)
    assert Note.objects.get().title == "U"


@pytest.mark.parametrize(
    "bad", [{"title": ""}, {"title": "x" * 81}, {"body": "x" * 20_001}, {"audience": "nobody"}, {"audience": ""}]
)
def test_a_bad_note_comes_back(bad: dict[str, str], chronicle: Any, storyteller: Any, client_of: Any) -> None:
    data = {"title": "Rumours", "body": "B", "audience": "everyone", **bad}
    response = client_of(storyteller).post(reverse("campaigns:write-note", args=[chronicle.pk]), data)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == set(bad)
    assert not Note.objects.exists()


# House rules -----------------------------------------------------------------------------------------------------

OPTIONS = (
    Option("cap", "Most dice", OptionKind.NUMBER, 10, "R1", minimum=1, maximum=20),
    Option("tens", "Tens again", OptionKind.SWITCH, False, "R2"),
    Option("soak", "Who soaks", OptionKind.CHOICE, "all", "R3", choices=(("all", "Everybody"), ("none", "Nobody"))),
    Option("levels", "Health", OptionKind.LEVELS, (("Hurt", -1), ("Out", None)), "R4"),
    Option("wounds", "Wounds", OptionKind.WOUND_LEVELS, ((3, -1, ""), (7, -3, "dead")), "R5"),
    Option("rolls", "Rolls", OptionKind.LINES, (), "R6"),
)


@pytest.fixture
def own_rules(monkeypatch: pytest.MonkeyPatch, chronicle: Any) -> str:
    """A ruleset with one option of each kind; gives the address of the form."""
    book = rulesets.book("masquerade")
    ruleset = SimpleNamespace(
        name="Test", book=book, options=OPTIONS, check_options=lambda given: check_options(OPTIONS, given)
    )
    monkeypatch.setattr(rulesets, "RULESETS", {"masquerade": ruleset})
    return reverse("campaigns:house-rules", args=[chronicle.pk])


def choices(**changes: str) -> dict[str, str]:
    chosen = {"cap": "10", "soak": "all", "levels": "Hurt -1\nOut -", "wounds": "3 -1\n7: -3 dead", **changes}
    return {"version": "1", **{f"option-{key}": value for key, value in chosen.items()}}


def test_the_form_stands_at_the_tables_own_values(own_rules: str, storyteller: Any, client_of: Any) -> None:
    form = client_of(storyteller).get(own_rules).context["form"]
    assert form["option-levels"].value() == "Hurt -1\nOut"
    assert form["option-cap"].value() == 10


def test_only_what_differs_is_kept_and_everybody_sees_it(
    own_rules: str, chronicle: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    data = choices(tens="on", cap="12", levels="Scratched 0\nBadly hurt \u22122\nOut —\n")
    assert client_of(storyteller).post(own_rules, data).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.options == {
        "cap": 12,
        "tens": True,
        "levels": [["Scratched", 0], ["Badly hurt", -2], ["Out", None]],
    }
    page = page_of(client_of(player), chronicle)
    assert "<b>Most dice</b>: 12" in page
    assert "(the book has 10)" in page
    assert "<b>Who soaks</b>" not in page
    changed = [rule.option.key for rule in rulesets.house_rules("masquerade", chronicle.options) if rule.changed]
    assert changed == ["cap", "tens", "levels"]


def test_a_table_is_drawn_as_it_can_be_saved_again(own_rules: str, storyteller: Any, client_of: Any) -> None:
    client = client_of(storyteller)
    for version in (1, 2):
        form = client.get(own_rules).context["form"]
        drawn = {name: form[f"option-{name}"].value() for name in ("levels", "wounds")}
        typed = choices(**(drawn if version == 2 else {"levels": "Bruised -\nHurt -1\nOut", "wounds": "5:-2 Dead"}))
        assert client.post(own_rules, typed | {"version": str(version)}).status_code == 302
    assert drawn == {"levels": "Bruised -\nHurt -1\nOut", "wounds": "5: -2 dead"}


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("7", (7, 0, "")),
        ("7:", (7, 0, "")),
        ("7 : \u22123 Dead", (7, -3, "dead")),
        ("7-3dead", (7, -3, "dead")),
        ("7 dead", (7, 0, "dead")),
        ("7:+0", (7, 0, "")),
    ],
)
def test_a_wound_level_is_read_however_it_is_spaced(line: str, row: tuple[int, int, str]) -> None:
    assert WoundLevelsField().clean(line) == [row]


def test_a_line_is_read_in_no_time_whatever_stands_in_it() -> None:
    started = time.monotonic()
    for _again in range(200):
        with pytest.raises(ValidationError):
            WoundLevelsField().clean("1" + " " * 198 + "!")
    assert time.monotonic() - started < 5


def test_back_to_the_book_keeps_nothing(own_rules: str, chronicle: Any, storyteller: Any, client_of: Any) -> None:
    client_of(storyteller).post(own_rules, choices())
    chronicle.refresh_from_db()
    assert chronicle.options == {}


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"cap": "21"}, "cap", "less than or equal to 20"),
        ({"cap": "many"}, "cap", "Enter a whole number"),
        ({"soak": "some"}, "soak", "Select a valid choice"),
        ({"levels": "Hurt\nOut"}, "levels", "Line 1: write the level"),
        ({"levels": "Hurt -1\n" + "x" * 31 + " -1"}, "levels", "Line 2: a level"),
        ({"levels": "Hurt -11"}, "levels", "The penalty of Hurt must lie between -10 and 0."),
        ({"levels": ""}, "levels", "This field is required."),
        ({"levels": "A -1\n" * 31}, "levels", "At most 30 levels"),
        ({"levels": "Hu\0rt -1\nOut"}, "levels", "Null characters are not allowed."),
        ({"levels": "Hurt -1\n" + " Out" * 51}, "levels", "Line 2 has more than 200 letters."),
        ({"wounds": "1: -1\n2:\0 -2"}, "wounds", "Null characters are not allowed."),
        ({"wounds": "1" + " " * 250 + "!"}, "wounds", "Line 1 has more than 200 letters."),
        ({"wounds": "1: -1\n2 -2 x!"}, "wounds", "Line 2: write the level"),
        ({"rolls": "Lock\0: Wits"}, "rolls", "Null characters are not allowed."),
        ({"rolls": "x" * 201}, "rolls", "Line 1 has more than 200 letters."),
    ],
)
def test_a_bad_house_rule_comes_back_with_a_sentence(
    changes: dict[str, str], field: str, sentence: str, own_rules: str, chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    response = client_of(storyteller).post(own_rules, choices(**changes))
    assert response.status_code == 422
    errors = response.context["form"].errors
    assert list(errors) == [f"option-{field}"]
    assert sentence in errors[f"option-{field}"][0]
    assert response.context["form"][f"option-{field}"].value() == changes[field]
    chronicle.refresh_from_db()
    assert chronicle.options == {}


@pytest.fixture
def masquerades_own(chronicle: Any) -> dict[str, str]:
    """The house rules' form of Masquerade as it stands at first."""
    levels = "Bruised 0\nHurt -1\nInjured -1\nWounded -2\nMauled -2\nCrippled -5\nIncapacitated"
    on = {f"option-{option.key}": "on" for option in MASQUERADE.options if option.default is True}
    return {"version": "1", "option-health_levels": levels, "option-own_rolls": ""} | on


def test_a_figure_that_is_left_empty_is_the_books(
    masquerades_own: dict[str, str], chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    """MQ-ATK-8."""
    address = reverse("campaigns:house-rules", args=[chronicle.pk])
    figures = {"option-burst_dice": "", "option-scope_dice": "3"}
    assert client_of(storyteller).post(address, masquerades_own | figures).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.options == {"scope_dice": 3}


def test_a_chronicle_writes_its_own_ready_made_rolls(
    masquerades_own: dict[str, str], chronicle: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    """MQ-DICE-8."""
    rolls = "Picking a lock: Dexterity + Security, 7\n\nTailing: Dexterity + Stealth against Perception + Alertness"
    address = reverse("campaigns:house-rules", args=[chronicle.pk])
    assert client_of(storyteller).post(address, masquerades_own | {"option-own_rolls": rolls}).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.options == {"own_rolls": rolls.split("\n\n")}
    assert "Picking a lock: Dexterity + Security, 7; Tailing" in page_of(client_of(player), chronicle)
    assert client_of(storyteller).get(address).context["form"]["option-own_rolls"].value() == rolls.replace(
        "\n\n", "\n"
    )


def test_a_roll_that_nobody_can_read_comes_back_with_a_sentence(
    masquerades_own: dict[str, str], chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    address = reverse("campaigns:house-rules", args=[chronicle.pk])
    response = client_of(storyteller).post(address, masquerades_own | {"option-own_rolls": "Lock: Luck + Security"})
    assert response.status_code == 422
    assert response.context["form"].errors == {"option-own_rolls": ["There is no Trait called “Luck”."]}
    assert response.context["form"]["option-own_rolls"].value() == "Lock: Luck + Security"


def test_house_rules_changed_meanwhile_are_not_buried(
    own_rules: str, chronicle: Any, member: Any, storyteller: Any, client_of: Any
) -> None:
    services.change_options(by=member(storyteller), options={"cap": 15}, version=1)
    response = client_of(storyteller).post(own_rules, choices(cap="12"))
    assert response.status_code == 422
    assert "Somebody else saved this" in response.content.decode()
    chronicle.refresh_from_db()
    assert chronicle.options == {"cap": 15}


def test_what_was_saved_of_the_house_rules_meanwhile_stands_beside_what_was_typed(
    own_rules: str, chronicle: Any, member: Any, storyteller: Any, client_of: Any
) -> None:
    saved = {"tens": True, "soak": "none", "levels": [["Hurt", None], ["Out", None]], "rolls": ["a", "b"]}
    services.change_options(
        by=member(storyteller), options=saved, at_the_table={"answer_seconds": 473, "approval": True}, version=1
    )
    client = client_of(storyteller)
    typed = choices(cap="12", wounds="3 -1\r\n7: -3 dead\r\n", approval="on", answer_seconds="0")
    response = client.post(own_rules, typed)
    assert response.context["form"].theirs == [
        "Seconds to answer an attack: 473",
        "Most dice: 10",
        "Tens again: on",
        "Who soaks: Nobody",
        "Health: Hurt -; Out",
        "Wounds: 3: -1; 7: -3 dead",
        "Rolls: a; b",
    ]
    assert "<li>Seconds to answer an attack: 473</li>" in response.content.decode()
    assert response.context["form"]["option-cap"].value() == "12"
    again = typed | {"version": str(response.context["form"]["version"].value())}
    assert client.post(own_rules, again).status_code == 302
