"""Archives whose cast somebody changed: refused with the file's name, or a chronicle in which everything works."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from campaigns.archives.box import BadArchive
from campaigns.models import Chronicle
from characters import rulesets
from characters.models import Character, Weapon
from tests.characters.archives import everything
from tests.characters.archives.everything import coming_in, rewritten, saved, taken_out
from tests.characters.archives.test_round_trip import check_alive, check_pages, made
from tests.kept import kept

pytestmark = pytest.mark.django_db

BAD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 3, 10**9, 10**30, 2.5, "", "x", "x" * 30_000, "a\nb", "\u202e", " "),
    *(
        [],
        {},
        [[]],
        [{}],
        [[1, 2, 3]],
        {"x": 1},
        {"": ""},
        ["x"],
        "2345678923",
        "p1",
        "2026-02-30",
        "9999-12-31T23:59:59+14:00",
    ),
)
"""Values for any place."""

MUTATIONS = int(os.environ.get("VESPER_MUTATIONS", "8"))
"""How many are tried for each ruleset."""


@pytest.fixture
@kept
def whole(chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any) -> Chronicle:
    return made(chronicle, "masquerade", storyteller, player, other_player)


@pytest.fixture
@kept
def wounds(chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any) -> Chronicle:
    return made(chronicle, "wounds", storyteller, player, other_player)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    yield path
    found = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in found:
        yield from places(each, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with something else in one place."""
    if not path:
        return new
    made = dict(value) if isinstance(value, dict) else list(value)
    made[path[0]] = put(value[path[0]], path[1:], new)
    return made


def mutate(chance: random.Random, where: list[str], files: dict[str, bytes]) -> None:
    """Change one value of one file, to anything or to something like it, and note where."""
    names = [each for each in files if each.endswith((".json", ".jsonl")) and each != "manifest.json"]
    # Every change of a ledger breaks its seals.
    name = chance.choice([each for each in names if each != "experience.jsonl" or chance.random() < 0.2])
    lines = files[name].decode().splitlines() if name.endswith(".jsonl") else [files[name].decode()]
    number = chance.randrange(len(lines))
    said = json.loads(lines[number])
    path = chance.choice(list(places(said))[1:] or [()])
    where.append(f"{name} {path}")
    holder = said
    for step in path[:-1]:
        holder = holder[step]
    if chance.random() < 0.15 and path:
        del holder[path[-1]]
    elif chance.random() < 0.5 and path:
        holder[path[-1]] = alike(holder[path[-1]], chance)
    else:
        said = put(said, path, chance.choice(BAD))
    lines[number] = json.dumps(said)
    files[name] = ("\n".join(lines) + "\n").encode()


def alike(value: Any, chance: random.Random) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 2, 7, 100])
    if isinstance(value, str):
        return chance.choice([value[1:], value + value[:1], value.upper(), "x", "", "strength", "lethal"])
    if isinstance(value, list):
        return chance.choice([value[1:], value[::-1], value * 2, value * 300])
    return {} if isinstance(value, dict) else 0


@pytest.mark.parametrize("ruleset", ["masquerade", "wounds"])
def test_mutations_are_refused_or_harmless(
    ruleset: str, request: Any, tmp_path: Path, storyteller: Any, signed_in: Any
) -> None:
    there = request.getfixturevalue("whole" if ruleset == "masquerade" else "wounds")
    going, refused, alive = taken_out(there, tmp_path / "good.zip"), 0, 0
    client = signed_in(storyteller)
    for number in range(MUTATIONS):
        path = tmp_path / f"{number}.zip"
        path.write_bytes((tmp_path / "good.zip").read_bytes())
        where: list[str] = []
        rewritten(path, partial(mutate, random.Random(number), where))
        try:
            coming = coming_in(path, going)
        except BadArchive as problem:
            refused += bool(problem.file and problem.reason)
            continue
        finally:
            path.unlink()
        try:
            with transaction.atomic():
                check_alive(saved(coming), storyteller, client)
                raise Undone
        except Undone:
            alive += 1
        except Exception as error:
            raise AssertionError(where) from error
    assert refused + alive == MUTATIONS
    assert alive > 0


class Undone(Exception):
    """Takes back what one mutation saved."""


# ------------------------------------------------------------------ sheets at their bounds


@pytest.mark.parametrize("ruleset", everything.RULESETS)
@pytest.mark.parametrize("most", [True, False])
def test_a_sheet_at_its_bounds_renders_and_fights(
    ruleset: str, most: bool, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any,
    tmp_path: Path, signed_in: Any,
) -> None:  # fmt: skip
    """All Traits and points as high or as low as a file may say, with a few wounds."""
    there = made(chronicle, ruleset, storyteller, player, other_player)
    played = rulesets.ruleset_for(there)
    facts = {each.key: each for each in played.layout.traits() if each.category == "fact" and not each.own}

    def change(files: dict[str, bytes]) -> None:
        for name in [each for each in files if each.startswith("characters/")]:
            said = json.loads(files[name])
            for trait in played.layout.traits():
                fact = facts.get(trait.key)
                bound = (fact.maximum if most else fact.minimum) if fact else (10 if most else 0)
                said["traits"][trait.key] = max(bound, trait.maximum) if most and not fact else bound
            said["resources"] = {each.key: 100 if most else 0 for each in played.layout.resources}
            kept = played.health.one_by_one
            said["marks"] = [] if kept else ["bashing"] * (3 if most else 0)
            said["injuries"] = [{"level": 1, "cause": "x"}] * 3 if kept and most else []
            said["kind"] = "unheard_of" if most else said["kind"]
            files[name] = json.dumps(said).encode()

    going = taken_out(there, tmp_path / "a.zip")
    rewritten(tmp_path / "a.zip", change)
    came = saved(coming_in(tmp_path / "a.zip", going))
    check_alive(came, storyteller, signed_in(storyteller))


@pytest.mark.parametrize("ruleset", ["masquerade", "wounds"])
def test_a_sheet_full_of_wounds_renders(
    ruleset: str, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any, tmp_path: Path, signed_in: Any
) -> None:
    """More than there are boxes: nobody gets up from these, but their pages open."""
    there = made(chronicle, ruleset, storyteller, player, other_player)
    kept = rulesets.ruleset_for(there).health.one_by_one

    def change(files: dict[str, bytes]) -> None:
        for name in [each for each in files if each.startswith("characters/")]:
            said = json.loads(files[name])
            said["marks"] = [] if kept else ["aggravated"] * 100
            said["injuries"] = [{"level": kept.most_level, "cause": "x"}] * 100 if kept else []
            files[name] = json.dumps(said).encode()

    going = taken_out(there, tmp_path / "a.zip")
    rewritten(tmp_path / "a.zip", change)
    came = saved(coming_in(tmp_path / "a.zip", going))
    check_pages(came, signed_in(storyteller))


# ------------------------------------------------------------------ ledgers


def ledger_broken(files: dict[str, bytes], how: Any) -> None:
    lines = [json.loads(line) for line in files["experience.jsonl"].decode().splitlines()]
    how(lines)
    files["experience.jsonl"] = "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda lines: lines[2].update(amount=9_000), "row 2"),
        (lambda lines: lines[3].update(seal="0" * 64), "row 3"),
        (lambda lines: lines[1].update(by="p2" if lines[1]["by"] == "p1" else "p1"), "row 1"),
        (lambda lines: lines[1].update(at="2026-01-01T00:00:00.000000+00:00"), "row 1"),
    ],
)
def test_a_wrong_seal_is_refused_by_its_row(whole: Chronicle, tmp_path: Path, how: Any, said: str) -> None:
    going = taken_out(whole, tmp_path / "a.zip")
    rewritten(tmp_path / "a.zip", lambda files: ledger_broken(files, how))
    with pytest.raises(BadArchive) as refused:
        coming_in(tmp_path / "a.zip", going)
    assert refused.value.file == "experience.jsonl"
    assert said in refused.value.reason


def test_missing_entries_are_refused(whole: Chronicle, tmp_path: Path) -> None:
    going = taken_out(whole, tmp_path / "a.zip")

    def shorten(files: dict[str, bytes]) -> None:
        ledger_broken(files, lambda lines: lines.pop())
        manifest = json.loads(files["manifest.json"])
        manifest["counts"]["experience"] -= 1
        files["manifest.json"] = json.dumps(manifest).encode()

    rewritten(tmp_path / "a.zip", shorten)
    with pytest.raises(BadArchive, match="is missing"):
        coming_in(tmp_path / "a.zip", going)


def test_a_ledger_that_was_tampered_with_here_stays_broken(whole: Chronicle, tmp_path: Path) -> None:
    """Sealing it again on the way out doesn't hide it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("UPDATE characters_experienceentry SET amount = 5000 WHERE seq = 3")
    going = taken_out(whole, tmp_path / "a.zip")
    with pytest.raises(BadArchive, match="row 3"):
        coming_in(tmp_path / "a.zip", going)


def test_entries_cut_off_here_stay_missing(whole: Chronicle, tmp_path: Path) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM characters_experienceentry WHERE seq = (SELECT MAX(seq) FROM characters_ledger)")
    going = taken_out(whole, tmp_path / "a.zip")
    with pytest.raises(BadArchive, match="is missing"):
        coming_in(tmp_path / "a.zip", going)


# ------------------------------------------------------------------ other things


@pytest.mark.parametrize("name", ["characters", "portraits", "templates", "ties", "experience", "changes", "weapons"])
@pytest.mark.parametrize("count", [0, None, "3"])
def test_a_false_count_is_refused(whole: Chronicle, tmp_path: Path, name: str, count: Any) -> None:
    going = taken_out(whole, tmp_path / "a.zip")

    def change(files: dict[str, bytes]) -> None:
        manifest = json.loads(files["manifest.json"])
        manifest["counts"][name] = count
        files["manifest.json"] = json.dumps(manifest).encode()

    rewritten(tmp_path / "a.zip", change)
    with pytest.raises(BadArchive, match=name):
        coming_in(tmp_path / "a.zip", going)


@pytest.mark.parametrize(
    "picture", [b"", b"GIF89a", b"RIFF\x04\0\0\0WEBP", everything.portrait() + b"<script>", everything.portrait()[:-9]]
)
def test_what_is_no_portrait_is_refused(whole: Chronicle, tmp_path: Path, picture: bytes) -> None:
    going = taken_out(whole, tmp_path / "a.zip")

    def change(files: dict[str, bytes]) -> None:
        files[next(name for name in files if name.startswith("portraits/"))] = picture

    rewritten(tmp_path / "a.zip", change)
    with pytest.raises(BadArchive, match="portrait"):
        coming_in(tmp_path / "a.zip", going)


def test_a_common_weapon_that_differs_here_becomes_the_chronicles_own(whole: Chronicle, tmp_path: Path) -> None:
    going = taken_out(whole, tmp_path / "a.zip")
    ana = Character.objects.get(chronicle=whole, name="Ana Ruiz")
    common = ana.weapons.filter(weapon__chronicle=None).first().weapon
    before = common.damage
    Weapon.objects.filter(pk=common.pk).update(damage=before + 7)
    came = saved(coming_in(tmp_path / "a.zip", going))
    there = Character.objects.get(chronicle=came, name="Ana Ruiz").weapons.filter(weapon__name=common.name)
    assert {(row.weapon.damage, row.weapon.chronicle_id) for row in there} == {(before, came.pk)}
    assert Weapon.objects.get(pk=common.pk).damage == before + 7


def test_a_common_weapon_that_is_the_same_is_used(whole: Chronicle, tmp_path: Path) -> None:
    going = taken_out(whole, tmp_path / "a.zip")
    came = saved(coming_in(tmp_path / "a.zip", going))
    assert list(Weapon.objects.filter(chronicle=came).values_list("name", flat=True)) == ["=Hook"]


def test_a_taken_name_gets_a_number(whole: Chronicle, tmp_path: Path) -> None:
    """A common row that differs here, in a chronicle with an own one of that name: each keeps its values."""
    ana = Character.objects.get(chronicle=whole, name="Ana Ruiz")
    common = ana.weapons.filter(weapon__chronicle=None).first().weapon
    Weapon.objects.create(chronicle=whole, ruleset=whole.ruleset, name=common.name.upper(), mode="melee", damage=1)
    going = taken_out(whole, tmp_path / "a.zip")
    Weapon.objects.filter(pk=common.pk).update(damage=common.damage + 7)
    came = saved(coming_in(tmp_path / "a.zip", going))
    names = set(Weapon.objects.filter(chronicle=came).values_list("name", flat=True))
    assert names == {"=Hook", common.name.upper(), f"{common.name} (2)"}
    there = Character.objects.get(chronicle=came, name="Ana Ruiz").weapons.filter(weapon__name=f"{common.name} (2)")
    assert {row.weapon.damage for row in there} == {common.damage}
