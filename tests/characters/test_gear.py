"""The built-in tables, and a chronicle's own weapons and armour."""

from __future__ import annotations

import csv
import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from campaigns.errors import Refused
from characters import services, tables
from characters.models import Armor, CarriedWeapon, Character, Weapon
from characters.signals import table_changed
from rules.systems import RULESETS

CAST = ("storyteller", "player", "other_player", "observer", "stranger", "admin")
FANG = {"name": "Fang", "mode": "melee", "damage": "2", "damage_from": "strength", "type": "aggravated"}


# The built-in tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(tables.FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_shipped_row_is_one_that_an_administrator_could_save(db: None, path: Any) -> None:
    rows = tables.rows(path.name, path.read_bytes())
    assert len(rows) == len(list(csv.DictReader(path.read_text().splitlines())))
    for row in rows:
        row.full_clean()
    assert tables.columns(type(rows[0])) == path.read_text().splitlines()[0].split(",")


@pytest.mark.servers
def test_loading_brings_all_rulesets_and_then_nothing(db: None, django_assert_num_queries: Any) -> None:
    assert tables.load() == Weapon.objects.count() + Armor.objects.count() > 150
    assert set(Weapon.objects.values_list("ruleset", flat=True)) == set(RULESETS)
    assert set(Armor.objects.values_list("ruleset", flat=True)) == set(RULESETS)
    with django_assert_num_queries(1):
        began = time.perf_counter()
        assert tables.load() == 0
    assert time.perf_counter() - began < 0.5


@pytest.mark.servers
def test_what_an_administrator_did_stays(weapon: Any) -> None:
    Weapon.objects.filter(pk=weapon("Sword").pk).update(damage=9)
    weapon("Sap").delete()
    call_command("load_tables", verbosity=0)
    assert weapon("Sword").damage == 9
    assert not Weapon.objects.filter(ruleset="masquerade", name="Sap").exists()


@pytest.mark.servers
def test_a_new_shipped_file_brings_what_is_missing_and_overwrites_nothing(weapon: Any) -> None:
    from characters.models import ShippedTable

    Weapon.objects.filter(pk=weapon("Sword").pk).update(damage=9)
    weapon("Sap").delete()
    ShippedTable.objects.filter(name="masquerade_weapons.csv").update(digest="older")
    assert tables.load() == 1
    assert weapon("Sword").damage == 9
    assert weapon("Sap").damage == 1


@pytest.mark.servers
def test_refreshing_overwrites_and_keeps_who_carries(weapon: Any, ilya: Character, chronicle: Any) -> None:
    sword = weapon("Sword")
    Weapon.objects.filter(pk=sword.pk).update(damage=9)
    own = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="Sword", mode="melee", damage=7)
    assert tables.load(refresh=True) == 1
    assert weapon("Sword") == sword
    assert weapon("Sword").damage == 2
    assert ilya.weapons.get(order=0).weapon == sword
    own.refresh_from_db()
    assert own.damage == 7


# A chronicle's own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gear", "gear-add", "gear-edit", "gear-delete", "gear-export", "gear-import"])
def test_the_tables_are_the_storytellers(
    name: str, request: Any, signed_in: Any, chronicle: Any, shipped: None
) -> None:
    row = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="CANARY", mode="melee")
    args = [] if name == "gear" else ["weapons", row.pk] if name in ("gear-edit", "gear-delete") else ["weapons"]
    url = reverse(f"characters:{name}", args=[chronicle.pk, *args])
    for who, status in zip(CAST, (200, 403, 403, 403, 404, 404), strict=True):
        response = signed_in(request.getfixturevalue(who)).get(url)
        assert response.status_code == status, who
        assert ("CANARY" in response.content.decode()) is (status == 200 and name not in ("gear-add", "gear-import"))


@pytest.mark.servers
def test_own_weapons_are_made_changed_and_deleted(
    signed_in: Any, storyteller: Any, chronicle: Any, shipped: None
) -> None:
    client = signed_in(storyteller)
    assert client.post(reverse("characters:gear-add", args=[chronicle.pk, "weapons"]), FANG).status_code == 302
    row = Weapon.objects.get(chronicle=chronicle)
    assert (row.name, row.ruleset, row.damage, row.rate) == ("Fang", "masquerade", 2, None)
    url = reverse("characters:gear-edit", args=[chronicle.pk, "weapons", row.pk])
    typed = FANG | {"damage": "3", "ruleset": "wounds", "chronicle": "", "version": services.gear_mark(row)}
    assert client.post(url, typed).status_code == 302
    row.refresh_from_db()
    assert (row.damage, row.ruleset, row.chronicle) == (3, "masquerade", chronicle)
    page = client.get(reverse("characters:gear", args=[chronicle.pk])).content.decode()
    assert "Strength + 3 aggravated" in page
    assert "Semi-automatic shotgun" in page
    assert client.post(reverse("characters:gear-delete", args=[chronicle.pk, "weapons", row.pk])).status_code == 302
    assert not Weapon.objects.filter(chronicle=chronicle).exists()


@pytest.mark.servers
@pytest.mark.parametrize(
    ("table", "first", "theirs", "mine", "told"),
    [
        (
            "weapons",
            FANG,
            {"damage": "5", "note": "cursed", "conceal": "J"},
            {"tags": "silver", "type": "lethal"},
            ["Tags: —", "Note: cursed", "Damage: 5", "Damage type: aggravated", "Can be hidden in: jacket"],
        ),
        ("armour", {"name": "Shroud", "rating": "2"}, {"penalty": "-1"}, {}, ["Penalty: -1"]),
    ],
)
def test_a_second_edit_of_own_gear_does_not_bury_the_first(
    signed_in: Any, storyteller: Any, chronicle: Any, table: str, first: Any, theirs: Any, mine: Any, told: Any
) -> None:
    client = signed_in(storyteller)
    client.post(reverse("characters:gear-add", args=[chronicle.pk, table]), first)
    row = {"weapons": Weapon, "armour": Armor}[table].objects.get(chronicle=chronicle)
    url = reverse("characters:gear-edit", args=[chronicle.pk, table, row.pk])
    drawn = {"version": client.get(url).context["form"]["version"].value()}
    assert client.post(url, first | theirs | drawn).status_code == 302
    response = client.post(url, first | mine | drawn)
    assert response.status_code == 422
    assert sorted(response.context["form"].theirs) == sorted(told)
    page = response.content.decode()
    assert "Somebody else saved this" in page
    assert f"<li>{told[-1]}</li>" in page
    kept = type(row).objects.get(pk=row.pk)
    assert services.gear_mark(kept) != drawn["version"]
    assert client.post(url, first | theirs | mine).status_code == 422, "who has seen nothing overwrites nothing"
    seen = {"version": response.context["form"]["version"].value()}
    assert client.post(url, first | theirs | mine | seen).status_code == 302
    saved = client.get(url).context["form"]
    assert all(str(saved[name].value()) == text for name, text in mine.items())


def test_one_round_is_one(signed_in: Any, storyteller: Any, chronicle: Any) -> None:
    for name, clip, chambered in (("Flare gun", 1, 0), ("Old revolver", 6, 0), ("New pistol", 7, 1)):
        Weapon.objects.create(
            ruleset=chronicle.ruleset, chronicle=chronicle, name=name, mode="firearm", clip=clip, chambered=chambered
        )
    page = signed_in(storyteller).get(reverse("characters:gear", args=[chronicle.pk])).context["page"]
    told = {line.name: line.figures.rpartition(", ")[2] for line in page.own_weapons}
    assert told == {"Flare gun": "1 round", "Old revolver": "6 rounds", "New pistol": "7 + 1 rounds"}


@pytest.mark.servers
def test_own_armour(signed_in: Any, storyteller: Any, chronicle: Any) -> None:
    url = reverse("characters:gear-add", args=[chronicle.pk, "armour"])
    client = signed_in(storyteller)
    bad = client.post(url, {"name": "Shroud", "rating": "two", "penalty": "1"})
    assert bad.status_code == 422
    assert "Enter a whole number from 0 to 20." in bad.content.decode()
    assert "Enter a whole number from -20 to 0." in bad.content.decode()
    assert bad.context["form"]["rating"].value() == "two"
    assert client.post(url, {"name": "Shroud", "rating": "2", "penalty": "-1"}).status_code == 302
    assert Armor.objects.get(chronicle=chronicle).penalty == -1


def test_bad_figures_come_back_with_sentences_and_as_typed(signed_in: Any, storyteller: Any, chronicle: Any) -> None:
    typed = FANG | {"mode": "firearm", "form": "ballistic", "rate": "0", "tags": "cursed", "clip": "lots"}
    response = signed_in(storyteller).post(reverse("characters:gear-add", args=[chronicle.pk, "weapons"]), typed)
    body = response.content.decode()
    assert response.status_code == 422
    for sentence in (
        "A ballistic weapon needs a range.",
        "Enter a whole number from 1 to 50.",
        "Unknown word: “cursed”.",
    ):
        assert sentence in body
    assert "Enter a whole number from 1 to 999." in body
    for name, text in typed.items():
        assert response.context["form"][name].value() == text


@pytest.mark.servers
def test_a_name_can_be_used_beside_a_common_one_and_not_twice(
    signed_in: Any, storyteller: Any, chronicle: Any, shipped: None
) -> None:
    client, url = signed_in(storyteller), reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
    assert client.post(url, FANG | {"name": "Sword"}).status_code == 302
    again = client.post(url, FANG | {"name": "sword"})
    assert again.status_code == 422
    assert "This name is already taken." in again.content.decode()


@pytest.mark.servers
@pytest.mark.parametrize("pair", [("İx", "ix"), ("ix", "İx"), ("\u212ax", "kx"), ("Öx", "öx")])
def test_a_name_that_the_database_takes_for_anothers_is_refused_or_another(
    signed_in: Any, storyteller: Any, chronicle: Any, pair: tuple[str, str]
) -> None:
    client, url = signed_in(storyteller), reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
    first, second = (client.post(url, {**FANG, "name": name}) for name in pair)
    assert (first.status_code, second.status_code in (302, 422)) == (302, True)


@pytest.mark.servers
def test_the_second_who_takes_a_name_at_the_same_moment_reads_so(
    signed_in: Any, storyteller: Any, chronicle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Weapon, "_is_taken", lambda _row: False)
    client, url = signed_in(storyteller), reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
    assert client.post(url, FANG).status_code == 302
    response = client.post(url, FANG)
    assert response.status_code == 422
    assert response.context["form"].errors == {"name": ["This name is already taken."]}


def test_common_rows_and_other_chronicles_are_out_of_reach(
    signed_in: Any, storyteller: Any, chronicle: Any, weapon: Any
) -> None:
    from campaigns.services import create_chronicle

    elsewhere = create_chronicle(user=storyteller, name="Elsewhere", ruleset="masquerade")
    theirs = Weapon.objects.create(ruleset="masquerade", chronicle=elsewhere, name="Theirs", mode="melee")
    client = signed_in(storyteller)
    for row in (weapon("Sword"), theirs):
        for name in ("gear-edit", "gear-delete"):
            assert client.post(reverse(f"characters:{name}", args=[chronicle.pk, "weapons", row.pk])).status_code == 404
    assert client.get(reverse("characters:gear-add", args=[chronicle.pk, "ships"])).status_code == 404
    assert Weapon.objects.filter(pk__in=[theirs.pk, weapon("Sword").pk]).count() == 2


@pytest.mark.servers
def test_a_carried_weapon_is_not_deleted_and_its_bearers_are_named(
    signed_in: Any, storyteller: Any, chronicle: Any, ilya: Character, lurker: Character
) -> None:
    row = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="Fang", mode="melee")
    for bearer in (lurker, ilya, ilya):
        CarriedWeapon.objects.create(character=bearer, weapon=row)
    url = reverse("characters:gear-delete", args=[chronicle.pk, "weapons", row.pk])
    response = signed_in(storyteller).post(url)
    assert response.status_code == 422
    assert "Fang can’t be deleted: still carried by CANARY Lurker, Ilya Voss." in response.content.decode()
    with pytest.raises(Refused):
        services.delete_gear(row=Armor.objects.get(worn__character=ilya))


@pytest.mark.servers
def test_changes_of_a_table_are_told(chronicle: Any) -> None:
    heard: list[tuple[str, Any]] = []

    def hear(*, ruleset: str, chronicle_id: Any, **_more: Any) -> None:
        heard.append((ruleset, chronicle_id))

    table_changed.connect(hear)
    try:
        row = Weapon(ruleset="masquerade", chronicle=chronicle, name="Fang", mode="melee")
        services.save_gear(row=row)
        services.delete_gear(row=row)
    finally:
        table_changed.disconnect(hear)
    assert heard == [("masquerade", chronicle.pk)] * 2


def test_where_injuries_are_kept_one_by_one_no_kind_of_damage_is_named(
    chronicle: Any, client: Any, storyteller: Any
) -> None:
    chronicle.ruleset = "wounds"
    chronicle.save()
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    tables.load()
    page = client.get(reverse("characters:gear", args=[chronicle.pk])).context["page"]
    told = {line.name: line.figures for line in page.common_weapons}
    assert told["Stabbing sword"] == "Dexterity + Melee, +1, difficulty 6, form: piercing, large"
    form = client.get(reverse("characters:gear-add", args=[chronicle.pk, "weapons"])).content.decode()
    assert 'name="damage"' in form
    assert 'name="type"' not in form


def test_an_empty_damage_type_is_explained_and_shown_as_what_it_does(
    chronicle: Any, client: Any, storyteller: Any
) -> None:
    chronicle.ruleset = "chronicles"
    chronicle.save()
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    add = reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
    assert "If empty, the weapon does lethal damage." in client.get(add).content.decode()
    client.post(add, {"name": "Chair leg", "mode": "melee", "damage": "1"})
    assert "1 lethal" in client.get(reverse("characters:gear", args=[chronicle.pk])).content.decode()
    chronicle.ruleset = "masquerade"
    chronicle.save()
    assert "If empty, firearms do lethal damage" in client.get(add).content.decode()


def test_a_form_asks_what_its_ruleset_uses_and_what_the_row_says_anyway(
    chronicle: Any, client: Any, storyteller: Any
) -> None:
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    add = reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
    asked = {}
    for ruleset in ("masquerade", "chronicles", "wounds"):
        chronicle.ruleset = ruleset
        chronicle.save()
        asked[ruleset] = set(client.get(add).context["form"].fields)
    assert asked["masquerade"] - asked["chronicles"] == {"difficulty", "damage_from", "conceal", "rate"}
    assert asked["chronicles"] - asked["wounds"] >= {"again", "size", "initiative", "range_long", "type"}
    assert "committed" in asked["wounds"]
    odd = Weapon.objects.create(ruleset="wounds", chronicle=chronicle, name="Odd", mode="melee", size=3)
    assert (
        "size" in client.get(reverse("characters:gear-edit", args=[chronicle.pk, "weapons", odd.pk])).content.decode()
    )


@pytest.mark.parametrize("path", sorted(tables.FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_the_page_shows_all_that_a_shipped_row_says(
    path: Any, chronicle: Any, client: Any, storyteller: Any, shipped: None
) -> None:
    """Numbers as digits, switches and choices by their words: each row has as many as the file."""
    ruleset, table = path.stem.rsplit("_", 1)
    chronicle.ruleset = ruleset
    chronicle.save()
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("characters:gear", args=[chronicle.pk])).context["page"]
    told = {line.name: line.figures for line in (page.common_weapons if table == "weapons" else page.common_armor)}
    for row in csv.DictReader(path.read_text().splitlines()):
        for column, cell in row.items():
            if column not in ("name", "rating") and cell.lstrip("-").isdecimal() and int(cell):
                assert cell.lstrip("-") in told[row["name"]], (row["name"], column)
            elif column in ("note", "automatic", "two_handed", "single_rounds") and cell:
                words = {"automatic": "automatic", "two_handed": "two-handed", "single_rounds": "single rounds"}
                assert words.get(column, cell) in told[row["name"]], (row["name"], column)


@pytest.mark.servers
def test_a_common_weapon_is_copied_with_everything_it_says(
    signed_in: Any, storyteller: Any, chronicle: Any, weapon: Any
) -> None:
    client, pistol = signed_in(storyteller), weapon("Light pistol")
    page = client.get(reverse("characters:gear", args=[chronicle.pk])).context["page"]
    copy = next(line.copy for line in page.common_weapons if line.name == "Light pistol")
    form = client.get(copy).context["form"]
    typed = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
    assert client.post(copy, typed | {"name": "Grandfather's pistol"}).status_code == 302
    made = Weapon.objects.get(chronicle=chronicle)
    names = [name for name in tables.columns(Weapon) if name != "name"]
    assert [getattr(made, name) for name in names] == [getattr(pistol, name) for name in names]
    elsewhere = Weapon.objects.exclude(ruleset="masquerade").first()
    for strange in (made.pk, elsewhere.pk if elsewhere else 0, "x", "9" * 30):
        add = reverse("characters:gear-add", args=[chronicle.pk, "weapons"])
        assert not client.get(add, {"copy": strange}).context["form"]["name"].value()


# Files ------------------------------------------------------------------------------------------------------------

ODD_NAMES = ["=HYPERLINK(1)", "'=1", "''+1", "@x", "-5 knife", 'Fang, the "old"', "Çakı"]


def import_file(client: Any, chronicle: Any, content: str | bytes, table: str = "weapons") -> Any:
    url = reverse("characters:gear-import", args=[chronicle.pk, table])
    return client.post(
        url, {"file": SimpleUploadedFile("gear.csv", content if isinstance(content, bytes) else content.encode())}
    )


def test_a_file_comes_back_as_it_left(signed_in: Any, storyteller: Any, chronicle: Any) -> None:
    """Text that a spreadsheet would run is escaped in the file."""
    for number, name in enumerate(ODD_NAMES):
        Weapon.objects.create(
            ruleset=chronicle.ruleset,
            chronicle=chronicle,
            name=name,
            mode="melee",
            damage=number,
            initiative=-number,
            automatic=False,
            two_handed=True,
            tags="silver",
            note="=1+1",
        )
    client, columns = signed_in(storyteller), tables.columns(Weapon)
    before = list(Weapon.objects.filter(chronicle=chronicle).values(*columns))
    response = client.get(reverse("characters:gear-export", args=[chronicle.pk, "weapons"]))
    assert response["Content-Disposition"] == 'attachment; filename="weapons.csv"'
    cells = [cell for row in csv.reader(response.content.decode("utf-8-sig").splitlines()) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@")) or cell == "-5 knife"]
    assert import_file(client, chronicle, response.content).status_code == 302
    assert list(Weapon.objects.filter(chronicle=chronicle).values(*columns)) == before
    Weapon.objects.filter(chronicle=chronicle).delete()
    assert import_file(client, chronicle, response.content).status_code == 302
    assert list(Weapon.objects.filter(chronicle=chronicle).values(*columns)) == before


def test_a_file_changes_what_it_names_and_leaves_the_rest(
    signed_in: Any, storyteller: Any, chronicle: Any, shipped: None
) -> None:
    common = Weapon.objects.filter(chronicle=None).count()
    kept = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="Kept", mode="melee", damage=1)
    fang = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="Fang", mode="melee", note="old")
    page = import_file(signed_in(storyteller), chronicle, "Name;Damage;Mode\nfang;4;melee\n\nSword;2;melee\n")
    assert page.status_code == 302
    assert {(row.pk, row.damage, row.note) for row in Weapon.objects.filter(chronicle=chronicle)} == {
        (kept.pk, 1, ""),
        (fang.pk, 4, "old"),
        (Weapon.objects.get(chronicle=chronicle, name="Sword").pk, 2, ""),
    }
    assert Weapon.objects.filter(chronicle=None).count() == common


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "name,mode,damage\nFang,melee,lots\nClaw,melee,2\nTooth,bite,99\n",
            ["Line 2, damage:", "Line 4, mode:", "Line 4, damage:"],
        ),
        ('name,mode,note\nFang,melee,"two\nlines"\nClaw,hop,\n', ["Line 4, mode:"]),
        ("name,mode\nFang,melee\nfang,melee\n", ["Line 3, name: This name is in the file twice."]),
        ("name,mode\n,melee\n", ["Line 2, name: Enter a name."]),
        ("name,mode\nGun,firearm\n", ["Line 2, range_short:", "Line 2, clip:"]),
        ("name,mode\nFang,melee,3\n", ["Line 2 has 3 cells, but there are 2 columns."]),
        ("name,mode,chronicle\nFang,melee,x\n", ["Unknown column: “chronicle”."]),
        ("name,name\nFang,melee\n", ["the same column twice"]),
        ("mode\nmelee\n", ["no “name” column"]),
        ('name,mode\n"Fang"x,melee\n', ["can’t be read as CSV"]),
        (b"name,mode\n\xff,melee\n", ["isn’t in UTF-8"]),
        ("name,mode\n" + "".join(f"F{number},melee\n" for number in range(501)), ["at most 500"]),
        ("name,mode\n" + "x" * 200_000, ["larger than 200 KB"]),
        ("name,mode\n" + "".join(f"F{number},hop\n" for number in range(30)), ["Line 21, mode:", "10 more problems"]),
    ],
)
def test_a_bad_file_changes_nothing_and_says_where_it_is_bad(
    signed_in: Any, storyteller: Any, chronicle: Any, content: Any, told: list[str]
) -> None:
    Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="Claw", mode="melee", damage=1)
    response = import_file(signed_in(storyteller), chronicle, content)
    assert response.status_code == 422
    page = response.content.decode()
    assert [sentence for sentence in told if sentence not in page] == []
    assert list(Weapon.objects.filter(chronicle=chronicle).values_list("name", "damage")) == [("Claw", 1)]


def test_only_storytellers_import(signed_in: Any, player: Any, chronicle: Any) -> None:
    assert import_file(signed_in(player), chronicle, "name,mode\nFang,melee\n").status_code == 403
    assert not Weapon.objects.filter(chronicle=chronicle).exists()
