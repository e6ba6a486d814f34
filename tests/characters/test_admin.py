"""The tables in the administration: lists, validation, import with a preview, export, and missing features."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from import_export.tmp_storages import CacheStorage

from characters import tables
from characters.models import Armor, Character, Weapon

WEAPONS = "admin:characters_weapon"
ARMOR = "admin:characters_armor"


KEPT: set[str] = set()
"""The import waiting in the cache for confirmation."""


@pytest.fixture
def desk(signed_in: Any, admin: Any, shipped: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The administrator, with temporary files that other processes can't see."""
    KEPT.clear()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    save, remove = CacheStorage.save, CacheStorage.remove

    def note(storage: CacheStorage, data: bytes) -> None:
        save(storage, data)
        KEPT.add(storage.name)

    def forget(storage: CacheStorage) -> None:
        remove(storage)
        KEPT.discard(storage.name)

    monkeypatch.setattr(CacheStorage, "save", note)
    monkeypatch.setattr(CacheStorage, "remove", forget)
    return signed_in(admin)


def preview(desk: Any, content: str | bytes, *, table: str = WEAPONS, ruleset: str = "") -> Any:
    content = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile("table.csv", content, "text/csv")
    data = {"import_file": file, "format": "0", "resource": "0", "ruleset": ruleset}
    return desk.post(reverse(f"{table}_import"), data)


def confirm(desk: Any, shown: Any, *, table: str = WEAPONS, **changed: str) -> Any:
    data = {bound.html_name: str(bound.value()) for bound in shown.context["confirm_form"]}
    return desk.post(reverse(f"{table}_process_import"), data | changed)


def refusal(shown: Any) -> str:
    assert "confirm_form" not in shown.context
    return str(shown.content.decode())


def kept_files() -> set[str]:
    return set(KEPT)


def drawn(shown: Any) -> dict[str, str]:
    """What a list's page posts if nobody has typed anything."""
    formset = shown.context["cl"].formset
    said = {bound.html_name: bound.value() for bound in formset.management_form}
    for form in formset:
        for bound in form:
            said[bound.html_name] = bound.value()
            if bound.field.show_hidden_initial:
                said[bound.html_initial_name] = form.data.get(bound.html_initial_name, bound.value())
    return {name: "" if value is None else str(value) for name, value in said.items()} | {"_save": "Save"}


def test_only_administrators_come_in(request: Any, signed_in: Any, shipped: None) -> None:
    for who in ("storyteller", "player", "stranger"):
        for name in ("changelist", "import", "export", "add"):
            response = signed_in(request.getfixturevalue(who)).get(reverse(f"{WEAPONS}_{name}"))
            assert response.status_code == 404, who


def test_nothing_of_a_chronicle_is_there(desk: Any, ilya: Character, lurker: Character, chronicle: Any) -> None:
    own = Weapon.objects.create(ruleset="masquerade", chronicle=chronicle, name="CANARY Fang", mode="melee")
    for url in ("admin:index", f"{WEAPONS}_changelist", f"{ARMOR}_changelist", f"{WEAPONS}_export"):
        body = desk.get(reverse(url)).content.decode()
        for secret in ("CANARY", "Ilya", "sabre", chronicle.name):
            assert secret not in body
    assert desk.get(reverse(f"{WEAPONS}_change", args=[own.pk])).status_code == 302
    assert not any(
        name in desk.get(reverse("admin:index")).content.decode() for name in ("characters/character", "carriedweapon")
    )


@pytest.mark.servers
def test_the_list_filters_searches_and_edits(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_changelist")
    page = desk.get(url, {"ruleset": "masquerade", "mode": "melee", "q": "sw"})
    assert [row.name for row in page.context["cl"].result_list] == ["Sword"]
    assert 'name="initial-form-0-damage"' in page.content.decode()
    data = drawn(page) | {"form-0-damage": "3"}
    query = "?ruleset=masquerade&mode=melee&q=sw"
    assert desk.post(url + query, data).status_code == 302
    assert weapon("Sword").damage == 3
    assert weapon("Sword").damage_from == "strength"


def test_what_is_wrong_outside_the_lists_columns_is_said_in_the_list(desk: Any, shipped: None) -> None:
    Weapon.objects.create(ruleset="masquerade", name="Odd one", mode="melee", tags="cursed")
    url = reverse(f"{WEAPONS}_changelist") + "?q=Odd"
    data = drawn(desk.get(url)) | {"form-0-damage": "3", "form-0-rate": "0"}
    response = desk.post(url, data)
    body = response.content.decode()
    assert response.status_code == 200
    assert "Unknown word: “cursed”." in body
    assert "Enter 1 or more." in body


@pytest.mark.servers
def test_a_second_edit_of_a_common_row_does_not_bury_the_first(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_change", args=[weapon("Sword").pk])
    form = desk.get(url).context["adminform"].form
    drawn = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
    assert desk.post(url, drawn | {"damage": "5", "note": "cursed"}).status_code == 302
    response = desk.post(url, drawn | {"tags": "silver"})
    body = response.content.decode()
    for sentence in ("Somebody else saved this", "Damage: 5", "Note: cursed"):
        assert sentence in body
    assert weapon("Sword").damage == 5
    seen = {"version": response.context["adminform"].form["version"].value()}
    assert desk.post(url, drawn | {"tags": "silver"} | seen).status_code == 302
    assert (weapon("Sword").damage, weapon("Sword").tags) == (2, "silver")


def test_the_form_explains_itself(desk: Any) -> None:
    data = {"ruleset": "masquerade", "name": "Blunderbuss", "mode": "firearm", "form": "ballistic", "damage": "4"}
    body = desk.post(reverse(f"{WEAPONS}_add"), data).content.decode()
    assert "A ballistic weapon needs a range." in body
    assert "A firearm needs a clip. Enter how many rounds it holds." in body
    assert desk.post(reverse(f"{WEAPONS}_add"), data | {"range_short": "9", "clip": "1"}).status_code == 302
    assert Weapon.objects.get(name="Blunderbuss").chronicle is None


@pytest.mark.servers
def test_a_carried_weapon_stays_with_the_names_of_its_bearers(desk: Any, ilya: Character, weapon: Any) -> None:
    sword = weapon("Sword")
    sentence = "Sword can’t be deleted: still carried by Ilya Voss. Remove it from their sheets first."
    url = reverse(f"{WEAPONS}_delete", args=[sword.pk])
    assert sentence in desk.get(url).content.decode()
    assert sentence in desk.post(url, {"post": "yes"}).content.decode()
    many = {"action": "delete_selected", "_selected_action": [str(sword.pk), str(weapon("Axe").pk)]}
    assert sentence in desk.post(reverse(f"{WEAPONS}_changelist"), many).content.decode()
    assert sentence in desk.post(reverse(f"{WEAPONS}_changelist"), many | {"post": "yes"}).content.decode()
    assert weapon("Sword") == sword
    assert weapon("Axe")
    free = {"action": "delete_selected", "_selected_action": [str(weapon("Axe").pk)], "post": "yes"}
    assert desk.post(reverse(f"{WEAPONS}_changelist"), free).status_code == 302
    assert not Weapon.objects.filter(ruleset="masquerade", name="Axe").exists()
    assert desk.post(reverse(f"{WEAPONS}_delete", args=[weapon("Sap").pk]), {"post": "yes"}).status_code == 302
    assert not Weapon.objects.filter(ruleset="masquerade", name="Sap").exists()


# Concurrent edits --------------------------------------------------------------------------------------------------


@pytest.mark.servers
def test_the_list_leaves_alone_what_somebody_else_changed(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_changelist") + "?ruleset=masquerade&mode=melee"
    page = desk.get(url)
    names = [row.name for row in page.context["cl"].result_list]
    sword, axe = names.index("Sword"), names.index("Axe")
    Weapon.objects.filter(pk=weapon("Sword").pk).update(damage=7)
    Weapon.objects.filter(pk=weapon("Axe").pk).update(type="aggravated", note="cursed")
    assert desk.post(url, drawn(page) | {f"form-{axe}-damage": "9"}).status_code == 302
    assert weapon("Sword").damage == 7
    assert (weapon("Axe").damage, weapon("Axe").type, weapon("Axe").note) == (9, "aggravated", "cursed")
    assert sword != axe


@pytest.mark.servers
def test_the_list_says_by_the_field_that_somebody_else_was_quicker(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_changelist") + "?ruleset=masquerade&mode=melee"
    page = desk.get(url)
    names = [row.name for row in page.context["cl"].result_list]
    sword, axe = names.index("Sword"), names.index("Axe")
    Weapon.objects.filter(pk=weapon("Sword").pk).update(damage=7, type="aggravated")
    typed = {f"form-{sword}-damage": "5", f"form-{sword}-type": "", f"form-{axe}-damage": "9"}
    shown = desk.post(url, drawn(page) | typed)
    errors = shown.context["cl"].formset.forms[sword].errors
    assert "7" in str(errors["damage"])
    assert "aggravated" in str(errors["type"])
    assert "Somebody else" in shown.content.decode()
    assert (weapon("Sword").damage, weapon("Axe").damage) == (7, 3)
    again = drawn(shown)
    assert {name: again[name] for name in typed} == typed
    assert desk.post(url, again).status_code == 302
    assert (weapon("Sword").damage, weapon("Sword").type, weapon("Axe").damage) == (5, "", 9)


@pytest.mark.servers
def test_a_list_that_comes_back_has_each_row_beside_its_own_name(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_changelist") + "?ruleset=masquerade&mode=melee"
    page = desk.get(url)
    names = [row.name for row in page.context["cl"].result_list]
    gone, last = names.index("Axe"), len(names) - 1
    weapon("Axe").delete()
    shown = desk.post(url, drawn(page) | {f"form-{gone}-damage": "9", f"form-{last}-damage": "lots"})
    cl = shown.context["cl"]
    beside = {form.instance.name: row.name for row, form in zip(cl.result_list, cl.formset.forms, strict=True)}
    assert set(names) - {"Axe"} <= set(beside)
    assert all(name == other for name, other in beside.items())
    assert desk.post(url, drawn(shown) | {f"form-{last}-damage": "6"}).status_code == 302
    assert weapon(names[last]).damage == 6
    assert not Weapon.objects.filter(ruleset="masquerade", name="Axe").exists()


@pytest.mark.servers
def test_a_row_of_the_list_that_is_gone_is_said_to_be(desk: Any, weapon: Any) -> None:
    url = reverse(f"{WEAPONS}_changelist") + "?ruleset=masquerade&mode=melee"
    page = desk.get(url)
    names = [row.name for row in page.context["cl"].result_list]
    weapon("Axe").delete()
    axe, sword = names.index("Axe"), names.index("Sword")
    shown = desk.post(url, drawn(page) | {f"form-{axe}-damage": "9", f"form-{sword}-damage": "5"})
    assert "Somebody else deleted this row" in shown.content.decode()
    assert desk.post(url, drawn(shown)).status_code == 302
    assert weapon("Sword").damage == 5
    page = desk.get(url)
    weapon("Sword").delete()
    assert desk.post(url, drawn(page)).status_code == 302


# Import and export -----------------------------------------------------------------------------------------------


@pytest.mark.servers
@pytest.mark.parametrize("path", sorted(tables.FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_the_shipped_files_go_out_as_they_came_in(desk: Any, path: Path) -> None:
    ruleset, kind = path.stem.rsplit("_", 1)
    table = WEAPONS if kind == "weapons" else ARMOR
    answer = desk.get(reverse(f"{table}_export"), {"ruleset": ruleset})
    lines = answer.content.decode().splitlines()
    assert answer["Content-Type"] == "text/csv"
    assert all(line.startswith(("ruleset,", f"{ruleset},")) for line in lines)
    assert [line.split(",", 1)[1] for line in lines] == path.read_text().splitlines()
    for shown in (
        preview(desk, answer.content, table=table),
        preview(desk, path.read_bytes(), table=table, ruleset=ruleset),
    ):
        totals = shown.context["result"].totals
        assert totals["skip"] == len(lines) - 1
        assert totals["new"] == totals["update"] == totals["invalid"] == totals["error"] == 0


@pytest.mark.servers
def test_an_import_is_shown_before_it_counts(desk: Any, weapon: Any) -> None:
    content = (
        "ruleset,name,mode,damage,type,form,range_short,rate,clip,automatic,tags\n"
        "masquerade,Sword,melee,5,lethal,slashing,,,,,\n"
        "masquerade,Flare gun,firearm,2,aggravated,ballistic,10,1,1,no,fire\n"
    )
    before = kept_files()
    shown = preview(desk, content)
    assert shown.context["result"].totals["new"] == 1
    assert shown.context["result"].totals["update"] == 1
    assert weapon("Sword").damage == 2
    assert confirm(desk, shown).status_code == 302
    assert weapon("Sword").damage == 5
    assert weapon("Sword").damage_from == "strength"
    assert weapon("Flare gun").tags == "fire"
    assert kept_files() == before
    again = confirm(desk, shown)
    assert again.status_code == 200
    assert "This preview has expired." in again.content.decode()


def test_the_preview_shows_markup_as_text_and_needs_no_styles(desk: Any) -> None:
    shown = preview(desk, 'ruleset,name,mode,note\nmasquerade,<script>,melee,"<i style=""x"">"\n').content.decode()
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "<ins>" in shown
    assert "style=" not in shown.replace('style="x"', "").replace("style=&quot;", "")


BAD_FILES = [
    ("ruleset,name,mode\nmasquerade,Gun,psychic\n", "not a valid choice"),
    ("ruleset,name,mode\ncheckers,Gun,melee\n", "not a valid choice"),
    ("ruleset,name,mode,form\nmasquerade,Gun,firearm,ballistic\n", "A ballistic weapon needs a range."),
    ("ruleset,name,mode,damage\nmasquerade,Axe II,melee,a lot\n", "“a lot” isn’t a whole number."),
    ("ruleset,name,mode,damage\nmasquerade,Axe II,melee,1.5\n", "“1.5” isn’t a whole number."),
    ("ruleset,name,mode,damage\nmasquerade,Axe II,melee,99999\n", "Enter 50 or less."),
    ("ruleset,name,mode,automatic\nmasquerade,Axe II,melee,perhaps\n", "“perhaps” isn’t “yes” or “no”."),
    ("ruleset,name,mode\nmasquerade,,melee\n", "This field cannot be blank."),
    (f"ruleset,name,mode\nmasquerade,{'x' * 81},melee\n", "at most 80 characters"),
    ("ruleset,name,mode\nmasquerade,sword,melee\n", "This name is already taken."),
    (
        "ruleset,name,mode\nmasquerade,Axe II,melee\nmasquerade,axe ii,melee\n",
        "This name is already taken.",
    ),
    ("ruleset,name,mode\nmasquerade,Sword,melee\nmasquerade,Sword,melee\n", "This name is already taken."),
    ("ruleset,name,mode,owner\nmasquerade,Axe II,melee,me\n", "Unknown column: “owner”."),
    ("ruleset,name,mode,id\nmasquerade,Axe II,melee,1\n", "Unknown column: “id”."),
    ("ruleset,name,mode,chronicle\nmasquerade,Axe II,melee,1\n", "Unknown column: “chronicle”."),
    ("ruleset,name,name\nmasquerade,Axe II,melee\n", "The file has the same column twice. Remove one of them."),
    ("ruleset,mode\nmasquerade,melee\n", "The file has no “name” column. Add one."),
    ("name,mode\nAxe II,melee\n", "Choose a ruleset above"),
    (
        "ruleset,name,mode\n" + "".join(f"masquerade,Axe {n},melee\n" for n in range(2001)),
        "Import at most 2000 at once.",
    ),
    (b"x" * 1_000_001, "This file is larger than 1 MB."),
    ("ruleset;name;mode\nmasquerade;Axe II;melee\n", "This file’s columns are separated by “;”"),
    ("ruleset,name,mode\nmasquerade,Säbel,melee\n".encode("latin-1"), "This file isn’t in UTF-8"),
    (b"\x89PNG\r\n\x1a\n\0\0", "This file isn’t in UTF-8"),
    ("", "empty"),
]


@pytest.mark.parametrize(
    ("content", "sentence"),
    # The database decides which names are equal.
    [pytest.param(*row, marks=pytest.mark.servers if "already" in row[1] else ()) for row in BAD_FILES],
    ids=[row[1][:30] for row in BAD_FILES],
)
def test_a_bad_file_is_refused_whole_in_words(desk: Any, content: Any, sentence: str) -> None:
    before, files = list(Weapon.objects.values()), kept_files()
    good = "masquerade,Good one,melee\n"
    if isinstance(content, str) and content.count(",") == 4 and content.count("\n") == 2:
        content += good
    shown = preview(desk, content)
    assert sentence in refusal(shown)
    assert list(Weapon.objects.values()) == before
    assert kept_files() == files


def test_a_refused_row_is_named_by_its_number_and_field(desk: Any) -> None:
    content = "ruleset,name,mode,damage\nmasquerade,Good,melee,1\nmasquerade,Bad,melee,-3\n"
    result = preview(desk, content).context["result"]
    (row,) = result.invalid_rows
    assert row.number == 2
    assert row.field_specific_errors == {"damage": ["Enter 0 or more."]}


def test_a_row_with_too_many_cells_is_no_error_page(desk: Any) -> None:
    assert preview(desk, "ruleset,name,mode\nmasquerade,A,melee,1,2,3\n").status_code == 200
    assert preview(desk, "ruleset,name,mode\nmasquerade\n").status_code == 200
    assert not Weapon.objects.filter(name="A").exists()


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_names_that_a_spreadsheet_would_run_go_out_quoted_and_come_back(desk: Any, name: str) -> None:
    Weapon.objects.create(ruleset="masquerade", name=name, mode="melee", note="=cmd|' /C calc'!A0", damage=1)
    content = desk.get(reverse(f"{WEAPONS}_export"), {"q": name}).content.decode()
    (line,) = [line for line in content.splitlines() if name in line]
    assert f",'{name}," in line
    assert "'=cmd|" in line
    shown = preview(desk, content)
    assert shown.context["result"].totals["skip"] == 1
    typed = preview(desk, f"ruleset,name,mode,note\nmasquerade,New {name},melee,{name}\n")
    assert confirm(desk, typed).status_code == 302
    assert Weapon.objects.get(name=f"New {name}").note == name


def test_a_confirmation_without_its_ruleset_is_refused_in_words(desk: Any) -> None:
    shown = preview(desk, "name,mode\nAxe II,melee\n", ruleset="masquerade")
    assert "Choose a ruleset above" in refusal(confirm(desk, shown, ruleset=""))
    assert not Weapon.objects.filter(name="Axe II").exists()


@pytest.mark.servers
@pytest.mark.parametrize("forged", ["/etc/passwd", "tmpabc", "", "x" * 5000])
def test_the_confirmation_reads_no_other_file(desk: Any, forged: str) -> None:
    shown = preview(desk, "ruleset,name,mode\nmasquerade,Axe II,melee\n")
    response = confirm(desk, shown, import_file_name=forged)
    assert response.status_code == 200
    assert not Weapon.objects.filter(name="Axe II").exists()
    assert confirm(desk, shown, format="7", resource="9").status_code == 302
    assert Weapon.objects.filter(name="Axe II").exists()


@pytest.mark.servers
def test_a_confirmation_that_no_longer_holds_imports_nothing(desk: Any, chronicle: Any) -> None:
    shown = preview(desk, "ruleset,name,mode\nmasquerade,Axe II,melee\nmasquerade,Axe III,melee\n")
    Weapon.objects.create(ruleset="masquerade", name="AXE III", mode="melee")
    body = refusal(confirm(desk, shown))
    assert "Nothing was imported" in body
    assert "This name is already taken." in body
    assert not Weapon.objects.filter(name="Axe II").exists()
    assert not kept_files()
    assert "This preview has expired." in confirm(desk, shown).content.decode()


@pytest.mark.servers
def test_an_import_does_not_bury_what_somebody_else_saved_since_its_preview(desk: Any, weapon: Any) -> None:
    content = (
        "ruleset,name,mode,damage,type,clip\n"
        "masquerade,Sword,melee,5,lethal,\nmasquerade,Flare gun,thrown,2,lethal,\nmasquerade,Axe,melee,3,lethal,\n"
    )
    shown = preview(desk, content)
    assert [row.import_type for row in shown.context["result"]] == ["update", "new", "skip"]
    Weapon.objects.filter(pk=weapon("Sword").pk).update(damage=9, note="cursed")
    Weapon.objects.create(ruleset="masquerade", name="Flare gun", mode="thrown", damage=8)
    Weapon.objects.filter(pk=weapon("Axe").pk).update(damage=6)
    again = confirm(desk, shown)
    assert again.status_code == 200
    body = again.content.decode()
    assert "Nothing is imported yet" in body
    assert [row.import_type for row in again.context["result"]] == ["update"] * 3
    assert "<del>9</del>" in body
    assert (weapon("Sword").damage, weapon("Flare gun").damage, weapon("Axe").damage) == (9, 8, 6)
    assert confirm(desk, again).status_code == 302
    assert (weapon("Sword").damage, weapon("Flare gun").damage, weapon("Axe").damage) == (5, 2, 3)
    assert weapon("Sword").note == "cursed"
    assert not kept_files()


def test_an_import_takes_no_notice_of_rows_that_it_does_not_touch(desk: Any, weapon: Any) -> None:
    shown = preview(desk, "ruleset,name,mode,damage,type\nmasquerade,Sword,melee,5,lethal\n")
    Weapon.objects.filter(pk=weapon("Axe").pk).update(damage=6)
    assert confirm(desk, shown).status_code == 302
    assert (weapon("Sword").damage, weapon("Axe").damage) == (5, 6)


@pytest.mark.servers
def test_a_row_that_was_deleted_since_the_preview_does_not_come_back_unsaid(desk: Any, weapon: Any) -> None:
    shown = preview(desk, "ruleset,name,mode,damage,type\nmasquerade,Sword,melee,5,lethal\n")
    weapon("Sword").delete()
    again = confirm(desk, shown)
    assert [row.import_type for row in again.context["result"]] == ["new"]
    assert not Weapon.objects.filter(ruleset="masquerade", name="Sword").exists()


def test_staff_import_and_export_what_they_may_change_and_see(client: Any, shipped: None, stranger: Any) -> None:
    stranger.is_staff = True
    stranger.save()
    client.force_login(stranger)
    for name in ("import", "export"):
        assert client.get(reverse(f"{WEAPONS}_{name}")).status_code == 403, name
    assert client.post(reverse(f"{WEAPONS}_process_import"), {}).status_code == 403
    stranger.user_permissions.set(Permission.objects.filter(codename="view_weapon"))
    assert client.get(reverse(f"{WEAPONS}_export")).status_code == 200
    assert client.get(reverse(f"{WEAPONS}_import")).status_code == 403
    stranger.user_permissions.set(Permission.objects.filter(codename__in=("add_weapon", "change_weapon")))
    assert client.get(reverse(f"{WEAPONS}_import")).status_code == 200
    assert client.get(reverse(f"{ARMOR}_import")).status_code == 403


def test_armour_too(desk: Any) -> None:
    shown = preview(desk, "name,rating,penalty,covers\nTin hat,1,-1,head\n", table=ARMOR, ruleset="masquerade")
    assert confirm(desk, shown, table=ARMOR).status_code == 302
    assert Armor.objects.get(name="Tin hat").covers == "head"
