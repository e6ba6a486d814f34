"""House rules: a form field for each type of option, and what is saved."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from campaigns import rulesets, services
from campaigns.forms.house_rules import TableField
from rules.model.options import Option, OptionKind, check_options
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.wound_levels.table import WoundTable
from tests.campaigns.conftest import page_of

OPTIONS = (
    Option("cap", "Most dice", OptionKind.NUMBER, 10, "R1", minimum=1, maximum=20),
    Option("tens", "Tens again", OptionKind.SWITCH, False, "R2"),
    Option("soak", "Who soaks", OptionKind.CHOICE, "all", "R3", choices=(("all", "Everybody"), ("none", "Nobody"))),
    Option("levels", "Health", OptionKind.LEVELS, (("Hurt", -1), ("Out", None)), "R4"),
    Option("wounds", "Wounds", OptionKind.TABLE, ((3, -1, ""), (7, -3, "dead")), "R5", rows=WoundTable()),
    Option("rolls", "Rolls", OptionKind.LINES, (), "R6"),
)


@pytest.fixture
def own_rules(monkeypatch: pytest.MonkeyPatch, chronicle: Any) -> str:
    """A ruleset with one option of each type; returns the form's URL."""
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
    assert "(by the book: 10)" in page
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
    assert TableField(rows=WoundTable()).clean(line) == [row]


def test_a_line_is_read_in_no_time_whatever_stands_in_it() -> None:
    started = time.monotonic()
    for _again in range(200):
        with pytest.raises(ValidationError):
            TableField(rows=WoundTable()).clean("1" + " " * 198 + "!")
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
        ({"levels": "Hurt\nOut"}, "levels", "Line 1: enter the level"),
        ({"levels": "Hurt -1\n" + "x" * 31 + " -1"}, "levels", "Line 2: level names"),
        ({"levels": "Hurt -11"}, "levels", "The penalty of Hurt must be from -10 to 0."),
        ({"levels": ""}, "levels", "This field is required."),
        ({"levels": "A -1\n" * 31}, "levels", "Enter at most 30 levels"),
        ({"levels": "Hu\0rt -1\nOut"}, "levels", "Null characters are not allowed."),
        ({"levels": "Hurt -1\n" + " Out" * 51}, "levels", "Line 2 is too long. Lines can have at most 200 characters."),
        ({"wounds": "1: -1\n2:\0 -2"}, "wounds", "Null characters are not allowed."),
        ({"wounds": "1" + " " * 250 + "!"}, "wounds", "Line 1 is too long. Lines can have at most 200 characters."),
        ({"wounds": "1: -1\n2 -2 x!"}, "wounds", "Line 2: Write the level"),
        ({"rolls": "Lock\0: Wits"}, "rolls", "Null characters are not allowed."),
        ({"rolls": "x" * 201}, "rolls", "Line 1 is too long. Lines can have at most 200 characters."),
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
    """Masquerade's house rules form in its initial state."""
    levels = "Bruised 0\nHurt -1\nInjured -1\nWounded -2\nMauled -2\nCrippled -5\nIncapacitated"
    on = {f"option-{option.key}": "on" for option in MASQUERADE.options if option.default is True}
    lines = {
        f"option-{option.key}": "\n".join(option.default) for option in MASQUERADE.options if option.kind == "lines"
    }
    return {"version": "1", "option-health_levels": levels} | lines | on


def test_an_empty_number_means_the_books(
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
