"""Databases that earlier versions wrote, opened by this one: tests/old/README.md."""

from __future__ import annotations

import contextlib
import difflib
import json
import lzma
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from campaigns.models import Chronicle, Role, User
from characters import rulesets, sheets
from characters.history import as_of
from characters.listings import entries_of, merits_of
from characters.models import CarriedWeapon, Character
from characters.words import merit_label
from combat.cache import Kept
from combat.commands import entered, perform
from combat.history import log as log_shown
from combat.live import frames, wall
from combat.log import codec, export
from combat.log import rows as logs
from combat.models import Encounter, Kind, Status
from combat.panes import build, versions
from combat.secrecy import looking_back
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.events import Harmed, ResourceChanged
from tests.old import reading

KEPT = (
    (logs, "_decoded"),
    (logs, "_states"),
    (versions, "_views"),
    (frames, "_kept"),
    (log_shown, "_entries"),
    (log_shown, "_last"),
    (looking_back, "_answers"),
)
"""Caches keyed by a log's position: each test's copy of the database goes its own way, so each starts without."""

VIEWED = 25
"""One in so many undo and redo steps builds every audience's view."""

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="They are SQLite’s files.")
everywhere = pytest.mark.parametrize(
    ("old", "ruleset"),
    [
        pytest.param(old, ruleset, id=f"{old.name}-{ruleset}")
        for old in reading.databases()
        for ruleset in sorted({each["ruleset"] for each in reading.kept(old / reading.FACTS).values()})
    ],
)


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """upgraded(old) -> the file of a stored database, migrated once."""
    found: dict[Path, Path] = {}

    def upgrade(old: Path) -> Path:
        if old not in found:
            found[old] = reading.unpacked(old, tmp_path_factory.mktemp(old.name))
        return found[old]

    return upgrade


@pytest.fixture
def chronicle(
    old: Path, ruleset: str, upgraded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any
) -> Iterator[Chronicle]:
    """The chronicle of a ruleset, in this test's own copy of the database."""
    copied = shutil.copy(upgraded(old), tmp_path / "vesper.sqlite3")
    for module, name in KEPT:
        monkeypatch.setattr(module, name, Kept(4000))
    with django_db_blocker.unblock():
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "NAME", str(copied))
        yield Chronicle.objects.get(ruleset=ruleset)
        connection.close()


def encounters(chronicle: Chronicle) -> list[Encounter]:
    """Its fights and its log of rolls outside fights."""
    return list(Encounter.objects.filter(chronicle=chronicle).select_related("chronicle").order_by("pk"))


def fights(chronicle: Chronicle, status: str = Status.RUNNING) -> list[Encounter]:
    return [each for each in encounters(chronicle) if each.status == status and not each.outside_fights]


def again(encounter: Encounter) -> Encounter:
    return Encounter.objects.select_related("chronicle").get(pk=encounter.pk)


def people() -> dict[str, User]:
    return {user.username: user for user in User.objects.all()}


def check_sound(encounter: Encounter) -> None:
    """Every row decodes, the fold equals the cached state, and the seals are whole."""
    rows = list(logs.rows_of(encounter))
    assert len(rows) == encounter.seq
    for row in rows:
        if row.kind == Kind.COMMAND:
            codec.load_command(dict(row.command))
    assert logs.state_of(rows, logs.first_state(encounter)) == logs.load_state(encounter, encounter.state)
    assert export.is_whole(encounter)


def check_same(old: Path, name: str, told: dict[str, Any]) -> None:
    """Compare what encounters tell now, by id, with what was stored."""
    kept = reading.kept(old / name)
    different = [
        line
        for pk, now in told.items()
        for line in difflib.unified_diff(_lines(kept[pk]), _lines(now), f"{pk} then", f"{pk} now", n=1, lineterm="")
    ]
    assert not different, "\n".join(different[:200])


def _lines(told: Any) -> list[str]:
    return json.dumps(told, ensure_ascii=False, indent=1).splitlines()


# ------------------------------------------------------------------ what is read


def test_the_first_one_is_there() -> None:
    assert reading.databases()[0].name == "2026-11"


@everywhere
def test_logs_decode_and_fold_to_the_cached_state(chronicle: Chronicle) -> None:
    for encounter in encounters(chronicle):
        check_sound(encounter)
    assert {each.status for each in encounters(chronicle)} == set(Status)


@everywhere
def test_every_audience_learns_the_same_facts(old: Path, chronicle: Chronicle) -> None:
    told = {each.pk: json_of(reading.facts_of(each)) for each in encounters(chronicle)}
    stored = reading.kept(old / reading.FACTS)
    assert told.keys() == {pk for pk, each in stored.items() if each["ruleset"] == chronicle.ruleset}
    check_same(old, reading.FACTS, told)


@everywhere
@pytest.mark.parametrize("language", reading.LANGUAGES)
def test_every_audience_reads_the_same_text(old: Path, chronicle: Chronicle, language: str) -> None:
    told = {each.pk: json_of(reading.words_of(each, language)) for each in encounters(chronicle)}
    check_same(old, reading.words_file(language), told)


def json_of(told: Any) -> Any:
    return json.loads(json.dumps(told))


# ------------------------------------------------------------------ what is kept


MOVES_ON = {"characters_shippedtable": {"digest"}}
"""Columns that an upgrade is meant to change: what is known of the files that the tables were filled from."""


def rows_by_key(file: Path) -> dict[str, dict[Any, dict[str, Any]]]:
    """Every row of our tables by its primary key, as the database file holds it."""
    found = dict[str, dict[Any, dict[str, Any]]]()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table.partition("_")[0] in ("campaigns", "characters", "combat", "story"):
                (key, *_more) = (row["name"] for row in database.execute(f"PRAGMA table_info({table})") if row["pk"])
                found[table] = {row[key]: dict(row) for row in database.execute(f"SELECT * FROM {table}")}
    return found


def lost(then: dict[str, dict[Any, dict[str, Any]]], now: dict[str, dict[Any, dict[str, Any]]]) -> list[str]:
    """What was in a database and isn't any more, or differs: a row, or a column of one."""
    found = []
    for table, rows in then.items():
        for key, row in rows.items():
            present = now.get(table, {}).get(key, {})
            same = {name for name, value in row.items() if name in present and present[name] == value}
            found += [f"{table} {key} {name}" for name in sorted(row.keys() - same - MOVES_ON.get(table, set()))]
    return found


def with_pages(rows: dict[str, dict[Any, dict[str, Any]]]) -> dict[str, dict[Any, dict[str, Any]]]:
    """The rows of an earlier version with its notes as the pages that they become, each with one passage by page."""
    later = {table: kept for table, kept in rows.items() if table != "campaigns_note"}
    notes, kept = rows.get("campaigns_note", {}), ("id", "chronicle_id", "title", "author_id", "created", "binned")
    later["campaigns_page"] = {
        key: {name: note[name] for name in kept if name in note} | {"kind": "note"} for key, note in notes.items()
    }
    later["passages by page"] = {
        key: {
            "text": note["body"],
            "author_id": note["author_id"],
            "written": note["updated"],
            "audience": "everyone" if note["audience"] == "everyone" else "storytellers",
            "opened": note["updated"] if note["audience"] == "everyone" else None,
            "created": note["created"],
        }
        for key, note in notes.items()
    }
    return later


def by_page(rows: dict[str, dict[Any, dict[str, Any]]]) -> dict[str, dict[Any, dict[str, Any]]]:
    """Today's rows, with the passages also by their page."""
    return {**rows, "passages by page": {row["page_id"]: row for row in rows["campaigns_passage"].values()}}


HARMED = """
UPDATE characters_character SET
    marks = '["aggravated", "lethal", "bashing"]',
    resources = '{"willpower": 2, "blood": 3}',
    notes = 'Owes **everybody**.',
    storyteller_notes = 'Is followed.'
WHERE chronicle_id NOT IN (SELECT id FROM campaigns_chronicle WHERE ruleset = 'wounds');
UPDATE characters_character SET
    injuries = '[{"level": 4, "cause": "an axe"}, {"level": 1, "cause": ""}]',
    scars = '[{"level": 4, "cause": "fire", "turn": 2, "resolution": "r1", "fight": ""}]'
WHERE chronicle_id IN (SELECT id FROM campaigns_chronicle WHERE ruleset = 'wounds');
"""
"""Harm in the words of the earlier version, whose stored database has next to none on sheets."""


@pytest.fixture(scope="module")
def then_and_now(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], tuple[Path, Path]]:
    """then_and_now(old) -> a stored database in which everybody is hurt, and the same after an upgrade."""
    found: dict[Path, tuple[Path, Path]] = {}

    def upgrade(old: Path) -> tuple[Path, Path]:
        if old not in found:
            before = tmp_path_factory.mktemp("then") / "vesper.sqlite3"
            before.write_bytes(lzma.decompress((old / reading.PACKED).read_bytes()))
            with contextlib.closing(sqlite3.connect(before)) as database:
                database.executescript(HARMED)
            after = shutil.copy(before, tmp_path_factory.mktemp("now"))
            found[old] = before, reading.upgraded(Path(after))
        return found[old]

    return upgrade


stored = pytest.mark.parametrize("old", [pytest.param(old, id=old.name) for old in reading.databases()])


@stored
def test_every_row_is_there_as_it_was(old: Path, then_and_now: Callable[[Path], tuple[Path, Path]]) -> None:
    """Each mark, injury, point, Trait, Merit, note, weapon, portrait, fight and log row, and whose they are."""
    then, now = map(rows_by_key, then_and_now(old))
    then, now = with_pages(then), by_page(now)
    assert lost(then, now) == []
    characters = then["characters_character"].values()
    for column in ("marks", "injuries", "scars", "resources", "traits", "merits", "notes", "storyteller_notes"):
        assert any(row[column] not in ("", "[]", "{}") for row in characters), column
    assert {row["owner_id"] is None for row in characters} == {True, False}
    for table in ("characters_carriedweapon", "characters_wornarmor", "characters_portrait", "campaigns_page"):
        assert then[table], table
    assert then["combat_fightnotes"]


@stored
def test_carried_rows_have_the_keys_that_logs_and_histories_know(old: Path, then_and_now: Any) -> None:
    """Earlier versions used primary keys."""
    _then, now = map(rows_by_key, then_and_now(old))
    rows = [*now["characters_carriedweapon"].items(), *now["characters_wornarmor"].items()]
    assert rows
    assert [row["key"] for _pk, row in rows] == [str(pk) for pk, _row in rows]


@stored
def test_a_mark_that_is_lost_is_found(old: Path, then_and_now: Callable[[Path], tuple[Path, Path]]) -> None:
    then, now = map(rows_by_key, then_and_now(old))
    hurt = next(row for row in now["characters_character"].values() if row["marks"] != "[]")
    hurt["marks"] = "[]"
    then, now = with_pages(then), by_page(now)
    (page, *_more) = now["campaigns_page"]
    del now["campaigns_page"][page]
    del now["passages by page"][page]
    wanted = {f"campaigns_page {page} title", f"passages by page {page} text"}
    assert wanted | {f"characters_character {hurt['id']} marks"} <= set(lost(then, now))


@everywhere
def test_sheets_begin_their_history_as_they_stood(chronicle: Chronicle) -> None:
    """Each sheet has one row of history, shows its Merits by name, and looks on that day as it does now."""
    client = Client()
    client.force_login(people()["story"], backend="django.contrib.auth.backends.ModelBackend")
    ruleset, merits = rulesets.ruleset_for(chronicle), 0
    for one in Character.objects.filter(chronicle=chronicle):
        (first,) = one.changes.all()
        assert (first.cause, first.by, first.changes) == ("begun", None, [])
        history = client.get(reverse("characters:history", args=[one.pk])).content.decode()
        assert "As it stood when this history began" in history
        past, gone = as_of(one, first.at)
        assert (past.marks, past.traits, past.merits, gone) == (one.marks, one.traits, one.merits, ())
        listed = [entry.casefold() for each in ruleset.layout.lists for entry, _dots in entries_of(one, ruleset, each)]
        shown = [*listed, *(label.casefold() for label in merits_of(one, ruleset))]
        assert {merit_label(key, ruleset).casefold() for key in one.merits} <= set(shown)
        sheet = client.get(reverse("characters:sheet", args=[one.pk])).content.decode()
        for key in one.merits:
            assert escape(merit_label(key, ruleset)) in sheet, (one.name, key)
        merits += len(one.merits)
    assert merits


# ------------------------------------------------------------------ what is done


@everywhere
def test_every_page_opens(chronicle: Chronicle) -> None:
    for name in ("story", "ann", "bob", "eye"):
        client = Client()
        client.force_login(people()[name], backend="django.contrib.auth.backends.ModelBackend")
        for address in addresses(chronicle, name):
            assert client.get(address).status_code == 200, (name, address)
    token = wall.open_wall(by=chronicle.memberships.get(role=Role.STORYTELLER))
    assert Client().get(reverse("combat:wall", args=[token])).status_code == 200


def addresses(chronicle: Chronicle, name: str) -> Iterator[str]:
    """The pages of a chronicle that somebody may open."""
    story = name == "story"
    for route in ("campaigns:chronicle", "combat:rolls", "combat:dice", "campaigns:house-rules", "campaigns:kinds"):
        if story or route not in ("campaigns:house-rules", "campaigns:kinds"):
            yield reverse(route, args=[chronicle.pk])
    if story:
        yield reverse("campaigns:rulebook", args=[chronicle.ruleset])
        yield reverse("characters:gear", args=[chronicle.pk])
    for page in chronicle.pages.all() if story else chronicle.pages.filter(passages__audience="everyone"):
        yield reverse("campaigns:page", args=[chronicle.pk, page.pk])
    for one in Character.objects.filter(chronicle=chronicle).order_by("name")[:2]:
        if story or (one.owner and one.owner.username == name):
            for route in ("sheet", "edit", "portrait") if story else ("sheet", "notes"):
                yield reverse(f"characters:{route}", args=[one.pk])
    for encounter in encounters(chronicle):
        if story or encounter.visible_to_players:
            yield reverse("combat:entries", args=[encounter.pk])
            yield reverse("combat:since", args=[encounter.pk, 0])
            yield from () if encounter.outside_fights else _pages_of(encounter, story=story)


def _pages_of(encounter: Encounter, *, story: bool) -> Iterator[str]:
    for route in ("encounter", "report", "report-markdown"):
        yield reverse(f"combat:{route}", args=[encounter.pk])
    if not story or encounter.status != Status.RUNNING:
        return
    for route in ("cast", "notes", "keys", "edit", "log"):
        yield reverse(f"combat:{route}", args=[encounter.pk])
    state = logs.state_now(encounter)
    for who in list(state.combatants)[:3]:
        yield reverse("combat:somebody", args=[encounter.pk, who])
    for route in ("attack", "attack-plan"):
        yield reverse(f"combat:{route}", args=[encounter.pk])
    for name in ("damage", "heal", "roll", "conditions", "order"):
        yield reverse("combat:form", args=[encounter.pk, name])


@everywhere
def test_everything_is_undone_and_redone(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    actor, advance, steps = people()["story"], versions.advance, count()
    # Building every view after each step would take most of the time.
    monkeypatch.setattr(versions, "advance", lambda *how: [] if next(steps) % VIEWED else advance(*how))
    # These fights share their people, which earlier versions allowed.
    monkeypatch.setattr(entered, "refuse_elsewhere", lambda *_: None)
    met = Counter(who for encounter in encounters(chronicle) for who in entered.characters_in(encounter))
    for encounter in encounters(chronicle):
        before, taken = logs.state_now(encounter), 0
        while turned(perform.undo, encounter, actor):
            taken += 1
        assert {row.kind for row in logs.counting_back(logs.rows_of(again(encounter)))} <= {Kind.CAST}
        assert taken > 3 or encounter.status == Status.DRAFT
        for _ in range(taken):
            assert turned(perform.redo, encounter, actor)
        now = logs.state_now(again(encounter))
        assert now == replace(before, combatants=now.combatants)
        # Outside fights, undo brings the sheets in as they are now; so it does for people of other fights.
        alone = [who for who, each in before.combatants.items() if met[each.character] < 2 or not each.character]
        for who in alone if not encounter.outside_fights else ():
            assert now.combatants[who] == before.combatants[who]
        check_sound(again(encounter))


@everywhere
def test_a_shot_from_a_weapon_of_an_old_sheet_is_counted_there(chronicle: Chronicle) -> None:
    """A fight that runs since before carried rows had keys still finds them."""
    found = 0
    for encounter in fights(chronicle):
        for who, each in logs.state_now(encounter).combatants.items():
            for weapon in each.sheet.weapons:
                rows = CarriedWeapon.objects.filter(character=each.character, key=weapon.key)
                if each.group or not each.character or not weapon.rounds or not rows:
                    continue
                before = sheets.carried_weapon(rows.get()).rounds or 0
                now = each.sheet.weapons
                spent = tuple(replace(one, rounds=weapon.rounds - 1) if one is weapon else one for one in now)
                sheets.write_back(each.character, each.sheet, replace(each.sheet, weapons=spent))
                assert rows.get().rounds == max(0, before - 1), who
                found += 1
    assert found or chronicle.ruleset not in ("chronicles", "masquerade")


def turned(way: Callable[..., Any], encounter: Encounter, actor: User) -> bool:
    """Undo or redo once; returns whether there was anything to undo or redo."""
    try:
        way(encounter_id=encounter.pk, actor=actor)
    except RuleViolation:
        return False
    return True


@everywhere
def test_play_goes_on(chronicle: Chronicle) -> None:
    for encounter in fights(chronicle):
        state = logs.state_now(encounter)
        who, somebody = next((who, each) for who, each in state.combatants.items() if each.player)
        harm = commands.Harm(who, 1, Damage.LETHAL, why="It has been years.")
        perform.perform(encounter_id=encounter.pk, actor=people()["story"], command=harm)
        now = again(encounter)
        assert now.seq == encounter.seq + 1
        assert logs.state_now(now).combatants[who].sheet != somebody.sheet
        check_sound(now)
        for audience in versions.audiences_of(now):
            drawn = frames.frame(now, audience, versions.version_of(encounter, audience))
            assert drawn is not None
            assert somebody.sheet.name in drawn.html
    assert fights(chronicle)


@everywhere
def test_exports_are_verified(chronicle: Chronicle, tmp_path: Path) -> None:
    for encounter in encounters(chronicle):
        file = tmp_path / f"{encounter.pk}.jsonl"
        file.write_text("".join(export.lines(encounter)), encoding="utf-8")
        if encounter.seal:
            call_command("verify", str(file), "--seal", encounter.seal)
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        if len(lines) > 2:
            file.write_text("".join([*lines[:-2], lines[-1]]), encoding="utf-8")
            with pytest.raises(CommandError):
                call_command("verify", str(file))


# ------------------------------------------------------------------ that these tests can fail


def check_all_sound(chronicle: Chronicle) -> None:
    for encounter in encounters(chronicle):
        check_sound(encounter)


@everywhere
def test_a_stored_name_that_is_unknown_fails(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(codec.EVENTS, Harmed.__name__)
    with pytest.raises(KeyError):
        check_all_sound(chronicle)


@everywhere
def test_a_stored_field_that_changes_its_meaning_fails(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    load = codec.load_events

    def one_more(event: Any) -> Any:
        return replace(event, left=event.left + 1) if isinstance(event, ResourceChanged) else event

    monkeypatch.setattr(codec, "load_events", lambda written: tuple(map(one_more, load(written))))
    with pytest.raises(AssertionError):
        check_all_sound(chronicle)


@everywhere
def test_a_held_roll_that_others_see_fails(old: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = next(each for each in fights(chronicle) if each.held)
    check_same(old, reading.FACTS, {encounter.pk: json_of(reading.facts_of(encounter))})
    monkeypatch.setattr(build, "as_seen_by", lambda fight, _audience: fight)
    with pytest.raises(AssertionError, match="table player-2 player-3"):
        check_same(old, reading.FACTS, {encounter.pk: json_of(reading.facts_of(encounter))})
