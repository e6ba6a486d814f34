"""The powers that a Storyteller makes: on the form with its preview, removed and put back, exchanged as files."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaigns import own_powers, power_files, services
from campaigns.forms.own_powers import PowerForm
from campaigns.models import Chronicle, Membership, Role
from characters.rulesets import ruleset_for
from rules.engine.copies import replace
from rules.model.own_powers import copyable, read_power, written
from rules.model.power_effects import Does, Per, Pool
from rules.model.powers import Cost, Reach
from rules.systems import RULESETS
from tests.world import HTMX

pytestmark = pytest.mark.django_db

ROWS = {"effects-TOTAL_FORMS": "1", "effects-INITIAL_FORMS": "0", "version": "1"}
BEGUN = {**ROWS, "source": "merit", "timing": "action", "lasts": "scene", "reach": "self", "notice": "seen"}
SKIN = {
    **BEGUN,
    "label": " Iron  skin ",
    "effects-0-does": "dice",
    "effects-0-amount": "2",
    "effects-0-pools": ["soak"],
}
STARE = {
    **BEGUN,
    "label": "Stare",
    "source": "discipline",
    "trait": "dominate",
    "rating": "2",
    "kinds": ["vampire"],
    "timing": "reflexive",
    "cost_1": "blood",
    "cost_2": "willpower",
    "paid_2": "2",
    "points": "3",
    "lasts": "turn",
    "turns": "2",
    "turns_per": "successes",
    "reach": "one",
    "notice": "felt",
    "roll_1": "charisma",
    "roll_2": "leadership",
    "of_1": "willpower",
    "resist_1": "wits",
    "difficulty": "7",
    "effects-0-does": "condition",
    "effects-0-condition": "Blinded",
    "effects-0-on_target": "on",
}
FILE = """
[powers.iron_skin]
label = "Iron skin"
[[powers.iron_skin.effects]]
does = "dice"
amount = 2
pools = ["soak"]
"""


def at(chronicle: Any, route: str = "powers", *more: str) -> str:
    return reverse(f"campaigns:{route}", args=[chronicle.pk, *more])


def add(client: Any, chronicle: Any, typed: dict[str, Any]) -> str:
    """Add one with the form; returns its key."""
    before = set(Chronicle.objects.get(pk=chronicle.pk).own_powers)
    answer = client.post(at(chronicle, "write-power"), typed)
    assert answer.status_code == 302, answer.context["form"].first_problem()
    chronicle.refresh_from_db()
    (key,) = set(chronicle.own_powers) - before
    return key


def text_of(page: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode())))


def submitted(form: PowerForm) -> dict[str, Any]:
    """What a browser submits of a form."""
    data: dict[str, Any] = {}
    for part in (form, form.rows.management_form, *form.rows):
        for bound in part:
            value = bound.value()
            if value not in (None, []) and value is not False:
                data[bound.html_name] = value if isinstance(value, list) else str(value)
    return data


@pytest.fixture
def client(client_of: Any, storyteller: Any) -> Any:
    return client_of(storyteller)


def test_what_is_made_is_a_power_of_the_chronicle(client: Any, chronicle: Any) -> None:
    assert add(client, chronicle, SKIN) == "own_iron_skin"
    key = add(client, chronicle, STARE)
    played = ruleset_for(chronicle)
    skin, stare = played.powers[-2:]
    assert (skin.label, skin.rule, skin.effects[0].pools) == ("Iron skin", "MQ-POW-1", {Pool.SOAK})
    assert played.actions[key].label == "Stare"
    assert (stare.trait, stare.rating, stare.kinds, stare.reach) == ("dominate", 2, {"vampire"}, Reach.ONE)
    assert stare.costs == (Cost("blood"), Cost("willpower", 2))
    assert (stare.points, stare.turns, stare.turns_per) == (3, 2, Per.SUCCESSES)
    assert stare.test is not None
    assert (stare.test.traits, stare.test.difficulty_of) == (("charisma", "leadership"), ("willpower",))
    assert (stare.test.difficulty, stare.test.resist) == (7, ("wits",))
    assert (stare.effects[0].condition, stare.effects[0].on_target) == ("blinded", True)
    told = text_of(client.get(at(chronicle)))
    for words in (
        "Iron skin",
        "+2 dice to soak",
        "all characters",
        "Dominate 2 or more (Vampire)",
        "1 to 3 blood",
    ):
        assert words in told
    add(client, chronicle, SKIN | {"label": "Named", "entry": "Quick Claws"})
    assert own_powers.lines(chronicle)[-1].whose == "“quick claws” in a list"
    add(client, chronicle, SKIN | {"label": "Theirs", "kinds": ["garou"]})
    assert own_powers.both(chronicle)[0][-1].whose == "Garou"


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        (SKIN | {"label": "\u200b"}, "label", "This has no visible characters. Use letters or digits."),
        (SKIN | {"label": "!!"}, "label", "The name needs at least one letter or digit."),
        (SKIN | {"label": "Potence"}, "label", "There is already a power called “Potence”. Choose another name."),
        (SKIN | {"rating": "much"}, "rating", "Enter a whole number from 1 to 10."),
        (SKIN | {"points": "2"}, "points", "Choose the points that it costs."),
        (SKIN | {"trait": "wits", "entry": "Claws"}, "entry", "Choose a Trait or a name in a list, not both."),
        (SKIN | {"lasts": "hours"}, "hours", "Enter the number of hours."),
        (STARE | {"roll_1": "", "roll_2": "leadership"}, "roll_1", "Roll an Ability together with an Attribute."),
        (STARE | {"cost_1": "vitae"}, "cost_1", "Select a valid choice. vitae is not one of the available choices."),
        (SKIN | {"effects-0-does": ""}, None, "Choose at least one effect."),
    ],
)
def test_what_is_wrong_is_told_at_its_field(client: Any, chronicle: Any, typed: Any, field: Any, says: str) -> None:
    answer = client.post(at(chronicle, "write-power"), typed)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors == {field or "__all__": [says]}
    assert form["label"].value() == typed["label"]
    chronicle.refresh_from_db()
    assert chronicle.own_powers == {}


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"does": "dice", "amount": "2"}, "pools", "Choose the pools that it changes."),
        ({"does": "dice", "amount": "x"}, "amount", "Enter a whole number from -10 to 10."),
        ({"does": "weapon"}, "name", "Enter a name."),
        ({"does": "weapon", "name": "Fang", "range": "far"}, "range", "Enter one distance, or three with commas "),
        ({"does": "weapon", "name": "Fang", "rating": "90"}, "rating", "Enter a whole number from 0 to 20."),
        ({"does": "armor", "name": "Hide"}, "general", "Enter a number other than 0."),
        ({"does": "condition"}, "condition", "Choose a condition."),
        ({"does": "heal", "per": "successes"}, "per", "The power takes no roll, so it has no successes."),
        ({"does": "damage", "tags": "?"}, "tags", "“?” needs at least one letter or digit."),
        ({"does": "trait", "rest": "["}, "traits", "Choose the Trait that it changes."),
    ],
)
def test_a_wrong_effect_is_told_in_its_row(client: Any, chronicle: Any, typed: Any, field: str, says: str) -> None:
    """A row before it is empty, and one is removed: neither counts."""
    rows = {"effects-TOTAL_FORMS": "3", "effects-1-does": "heal", "effects-1-amount": "99", "effects-1-remove": "on"}
    wrong = {f"effects-2-{name}": value for name, value in typed.items()}
    answer = client.post(at(chronicle, "write-power"), {**BEGUN, **rows, **wrong, "label": "Iron skin"})
    assert answer.status_code == 422
    row = answer.context["form"].rows[2]
    assert list(row.errors) == [field]
    assert row.errors[field][0].startswith(says)
    assert says in html.unescape(answer.content.decode())


def test_rows_that_did_not_arrive_and_too_many_are_told(client: Any, chronicle: Any) -> None:
    lacking = {name: value for name, value in SKIN.items() if name != "effects-TOTAL_FORMS"}
    answer = client.post(at(chronicle, "write-power"), lacking)
    assert answer.status_code == 422
    assert "Some rows didn’t reach the server." in answer.content.decode()
    answer = client.post(at(chronicle, "write-power"), {**SKIN, "effects-TOTAL_FORMS": "13"})
    assert "A power can have at most 12 effects." in answer.content.decode()


def test_the_preview_follows_what_is_typed(client: Any, chronicle: Any) -> None:
    look = {"preview": "1"}
    nameless = {**SKIN, "label": "", **look}
    told = text_of(client.post(at(chronicle, "write-power"), nameless, headers=HTMX))
    for words in (
        "+2 dice to soak",
        "Attacked: Unarmed",
        "without with it",
        "Soak 2 4",
        "This power 2",
        "average damage",
    ):
        assert words in told, words
    assert "Mortal with 2 dots in each Attribute and combat Ability" in told
    told = text_of(
        client.post(
            at(chronicle, "write-power"), {**STARE, **look, "effects-0-does": "dice", "effects-0-pools": ["attack"]}
        )
    )
    assert "Vampire with 2 dots in each Attribute and combat Ability; Dominate 2; 2 successes on the" in told
    for typed, words in (
        (BEGUN, "Choose an effect to see what it changes."),
        (SKIN | {"effects-0-amount": "x"}, "Amount: Enter a whole number from -10 to 10."),
        (SKIN | {"lasts": "hours"}, "Enter the number of hours."),
        (SKIN | {"effects-0-does": "heal"}, "It changes no pool of an ordinary attack or roll."),
        (SKIN | {"effects-0-pools": ["initiative"]}, "Initiative without with it Rating 4 6"),
        (SKIN | {"effects-0-pools": ["roll"], "effects-0-traits": ["wits"]}, "Roll: Wits without with it Pool 2 4"),
        (SKIN | {"effects-0-does": "weapon", "effects-0-name": "Fang"}, "Attack: Fang"),
        (SKIN | {"effects-0-pools": ["attack"], "effects-0-modes": ["firearm"]}, "Attack: firearm"),
        (SKIN | {"effects-0-does": "damage", "effects-0-damage": ["lethal"]}, "Damage type bashing lethal"),
    ):
        answer = client.post(at(chronicle, "write-power"), {**typed, **look})
        assert (answer.status_code, words in text_of(answer)) == (200, True), (words, text_of(answer)[-900:])
        assert not answer.context["form"].errors
    chronicle.refresh_from_db()
    assert chronicle.own_powers == {}


def test_the_target_of_a_power_is_shown_too(client: Any, chronicle: Any) -> None:
    weak = {"reach": "one", "effects-0-on_target": "on", "effects-0-amount": "-1", "preview": "1"}
    told = text_of(client.post(at(chronicle, "write-power"), {**SKIN, **weak, "effects-0-pools": ["roll", "against"]}))
    assert "The target rolls Strength" in told
    assert "Attack: Unarmed" in told


def test_an_ordinary_attack_of_each_ruleset_shows_what_changes(client: Any, chronicle: Any, storyteller: Any) -> None:
    for key in ("chronicles", "wounds"):
        made = Chronicle.objects.create(name=key, ruleset=key)
        Membership.objects.create(chronicle=made, user=storyteller, role=Role.STORYTELLER)
        answer = client.post(at(made, "write-power"), {**SKIN, "preview": "1"})
        assert "Attacked: Unarmed" in text_of(answer)


def test_rows_are_added_as_the_form_is_typed(client: Any, chronicle: Any) -> None:
    answer = client.post(at(chronicle, "write-power"), {**SKIN, "label": "", "add-effect": "1"})
    form = answer.context["form"]
    assert (answer.status_code, len(form.rows), form.errors) == (200, 2, {})
    assert form.rows[0]["amount"].value() == "2"


def test_a_copy_of_the_rulesets_power_is_changed(client: Any, chronicle: Any) -> None:
    page = client.get(at(chronicle))
    assert f"{at(chronicle, 'write-power')}?from=feral_claws" in page.content.decode()
    answer = client.get(f"{at(chronicle, 'write-power')}?from=feral_claws")
    form = answer.context["form"]
    assert form.rows[0]["name"].value() == "feral claws"
    assert "Attack: feral claws" in text_of(answer)
    key = add(client, chronicle, submitted(form) | {"label": "Iron claws", "effects-0-rating": "3"})
    claws = ruleset_for(chronicle).powers[-1]
    assert claws.effects[0].weapon.damage == 3
    again = client.get(f"{at(chronicle, 'write-power')}?from={key}").context["form"]
    assert (again["label"].value(), again.rows[0]["rating"].value()) == ("", 3)
    assert client.get(f"{at(chronicle, 'write-power')}?from=none").status_code == 404


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_the_form_loses_nothing_of_a_power(ruleset: str) -> None:
    """Of each that the ruleset has, and of one from a file with settings that have no field."""
    system = RULESETS[ruleset]
    weapon = {"name": "Gun arm", "mode": "firearm", "damage": 3, "type": "lethal", "range": [10, 20, 40], "clip": 6}
    armed = {"does": "weapon", "weapon": {**weapon, "two_handed": True, "initiative": 1, "tags": ["silver"]}}
    hide = {"does": "armor", "armor": {"name": "Hide", "rating": 1, "ballistic": 2, "penalty": -1}}
    cloud = {"does": "condition", "condition": "hidden away", "amount": 2, "needs": 1, "least": 2}
    more = {"frail": True, "roll": {"traits": ["wits"]}, "effects": [armed, hide, cloud]}
    filed = read_power("x", {"label": "Arm", **more}, system)
    for power in (*copyable(system), filed):
        plain = written(power)
        form = PowerForm(ruleset=system, answers=plain, version=1)
        sent = PowerForm(submitted(form), ruleset=system, answers=plain, version=1)
        assert sent.is_valid(), (power.key, sent.first_problem())
        again = read_power(power.key, sent.answers(), system)
        assert again == replace(power, label=again.label, rule=again.rule, setting=""), power.key


def test_a_change_keeps_the_key(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, SKIN)
    form = client.get(at(chronicle, "edit-power", key)).context["form"]
    renamed = {**submitted(form), "label": "Stone skin"}
    assert client.post(at(chronicle, "edit-power", key), renamed).status_code == 302
    chronicle.refresh_from_db()
    assert {key: each["label"] for key, each in chronicle.own_powers.items()} == {"own_iron_skin": "Stone skin"}
    assert add(client, chronicle, SKIN) == "own_iron_skin_2"


def test_an_edit_meanwhile_is_told(client: Any, chronicle: Any, member: Any, storyteller: Any) -> None:
    key = add(client, chronicle, SKIN)
    stale = {**SKIN, "version": str(chronicle.version)}
    effects = [{"does": "dice", "amount": 3, "pools": ["soak"]}, {"does": "heal"}]
    theirs = {"label": "Steel skin", "effects": effects}
    services.save_power(by=member(storyteller), key=key, answers=theirs, version=chronicle.version)
    answer = client.post(at(chronicle, "edit-power", key), stale)
    assert answer.status_code == 422
    told = answer.context["form"].theirs
    for line in ("Name: Steel skin", "Effect 1, Amount: 3", "Effect 2: Heals damage"):
        assert line in told
    again = {**stale, "version": str(chronicle.version + 1)}
    assert client.post(at(chronicle, "edit-power", key), again).status_code == 302


def test_what_is_removed_can_be_put_back(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, SKIN)
    assert "Nobody can use it any more." in text_of(client.get(at(chronicle, "delete-power", key)))
    assert client.post(at(chronicle, "delete-power", key)).status_code == 302
    chronicle.refresh_from_db()
    assert key not in ruleset_for(chronicle).actions
    assert "Removed" in text_of(client.get(at(chronicle)))
    form = client.get(at(chronicle, "edit-power", key)).context["form"]
    assert client.post(at(chronicle, "edit-power", key), submitted(form)).status_code == 302
    chronicle.refresh_from_db()
    assert key not in ruleset_for(chronicle).actions
    assert "Put Iron skin back?" in text_of(client.get(at(chronicle, "delete-power", key)))
    assert client.post(at(chronicle, "delete-power", key)).status_code == 302
    chronicle.refresh_from_db()
    assert key in ruleset_for(chronicle).actions


def test_one_that_is_no_longer_valid_is_left_out_and_told(client: Any, chronicle: Any) -> None:
    """As after an update of a ruleset's package: the chronicle's fights go on."""
    add(client, chronicle, SKIN)
    broken = {"label": "Old song", "effects": [{"does": "sings"}]}
    chronicle.own_powers = {**chronicle.own_powers, "own_song": broken}
    chronicle.save()
    assert [each.key for each in ruleset_for(chronicle).powers if each.key.startswith("own_")] == ["own_iron_skin"]
    assert "Can’t be used: Choose one of the options." in text_of(client.get(at(chronicle)))


def test_an_unknown_one_is_not_found(client: Any, chronicle: Any) -> None:
    for route in ("edit-power", "delete-power"):
        assert client.get(at(chronicle, route, "own_none")).status_code == 404
    assert client.get(f"{at(chronicle, 'export-powers')}?only=own_none").status_code == 404


# ------------------------------------------------------------------ files


def sent(client: Any, chronicle: Any, content: str | bytes, clash: str = "rename") -> Any:
    raw = content.encode() if isinstance(content, str) else content
    return client.post(at(chronicle, "import-powers"), {"file": SimpleUploadedFile("powers.toml", raw), "clash": clash})


def test_what_is_exported_is_imported_elsewhere_as_it_was(client: Any, chronicle: Any, storyteller: Any) -> None:
    keys = [add(client, chronicle, typed) for typed in (SKIN, STARE, SKIN | {"label": "Gone"})]
    client.post(at(chronicle, "delete-power", keys[2]))
    chronicle.refresh_from_db()
    answer = client.get(at(chronicle, "export-powers"))
    assert answer["Content-Disposition"] == 'attachment; filename="powers.toml"'
    made = Chronicle.objects.create(name="Elsewhere", ruleset="masquerade")
    Membership.objects.create(chronicle=made, user=storyteller, role=Role.STORYTELLER)
    assert sent(client, made, answer.content).status_code == 302
    made.refresh_from_db()
    assert ruleset_for(made).powers == ruleset_for(chronicle).powers
    assert sorted(made.own_powers) == sorted(keys[:2])
    one = client.get(f"{at(chronicle, 'export-powers')}?only={keys[1]}")
    assert one["Content-Disposition"] == 'attachment; filename="own_stare.toml"'
    assert list(power_files.read(one.content)) == [keys[1]]


def test_odd_texts_and_values_come_back() -> None:
    power = {"label": 'Ünder "the" \\ moon\x7f', "on": True, "parts": [1, -2], "odd key": {"a": "b", "c": []}}
    powers = {"schlüssel": {**power, "effects": [{"does": "dice"}, {"weapon": {"name": "x"}}]}}
    cleaned = {**powers["schlüssel"], "label": 'Ünder "the" \\ moon'}
    assert power_files.read(power_files.write(powers).encode()) == {"schlüssel": cleaned}


def test_a_taken_name_gets_a_number_or_is_replaced(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, SKIN)
    other = FILE.replace("amount = 2", "amount = 3")
    assert "1 power added, 0 replaced." in text_of(client.get(sent(client, chronicle, other)["Location"]))
    chronicle.refresh_from_db()
    assert [each["label"] for each in chronicle.own_powers.values()] == ["Iron skin", "Iron skin (2)"]
    assert sent(client, chronicle, other, clash="replace").status_code == 302
    chronicle.refresh_from_db()
    assert len(chronicle.own_powers) == 2
    assert chronicle.own_powers[key]["effects"][0]["amount"] == 3
    potence = FILE.replace("Iron skin", "Potence")
    assert sent(client, chronicle, potence, clash="replace").status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.own_powers["own_potence_2"]["label"] == "Potence (2)"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (FILE + FILE.replace("iron_skin", "b").replace('"soak"', '"luck"'), "b, effects, 0, pools: Choose one of"),
        (FILE.replace("Iron skin", "!!"), "iron_skin, label: The name needs at least one letter or digit."),
        (b"\xff", "This file isn’t in UTF-8."),
        ("label = ", "This file can’t be read as TOML:"),
        ("a = 1", "This file has no powers."),
        ("[powers]", "This file has no powers."),
        ("[powers]\na = 1", "This file has no powers."),
        (FILE + "[kinds.a]", "Unknown table: “kinds”."),
        ("#" * (power_files.MOST_BYTES + 1), "This file is larger than 200 KB."),
        ("".join(f"[powers.a{n}]\n" for n in range(201)), "The file has 201 powers. Import at most 200 at once."),
    ],
)
def test_a_wrong_file_changes_nothing(client: Any, chronicle: Any, content: str | bytes, says: str) -> None:
    answer = sent(client, chronicle, content)
    assert answer.status_code == 422
    assert answer.context["form"].errors["file"][0].startswith(says)
    chronicle.refresh_from_db()
    assert chronicle.own_powers == {}


def test_a_chronicle_takes_no_more_than_it_can_hold(client: Any, chronicle: Any) -> None:
    many = "".join(FILE.replace("iron_skin", f"a{n}").replace("Iron skin", f"A {n}") for n in range(101))
    answer = sent(client, chronicle, many)
    assert answer.status_code == 422
    assert "at most 100 powers of its own" in answer.context["form"].errors["file"][0]


def test_effects_that_heal_need_no_name_of_their_own(client: Any, chronicle: Any) -> None:
    """Fields of other effects are filled in and don't count."""
    typed = {
        **SKIN,
        "effects-0-does": "heal",
        "effects-0-name": "Fang",
        "effects-0-damage": ["lethal"],
        "lasts": "at_once",
    }
    key = add(client, chronicle, typed)
    assert chronicle.own_powers[key]["effects"] == [{"does": "heal", "amount": 2, "damage": ["lethal"]}]
    assert ruleset_for(chronicle).powers[-1].effects[0].does is Does.HEAL
