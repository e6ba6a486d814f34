"""`manage.py scenario`: its output lines, JSON and exit code."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from .conftest import HEADING

GOOD = f'{HEADING}[[steps]]\ndo = "harm"\nat = "ben"\namount = 2\ntype = "bashing"\nexpect.health.ben = "//....."\n'
WRONG = GOOD.replace("//.....", "/......")
UNREADABLE = "title = "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "b.toml").write_text(GOOD)
    (tmp_path / "a.toml").write_text(WRONG)
    (tmp_path / "inner" / "c.toml").write_text(UNREADABLE)
    (tmp_path / "notes.md").write_text("no scenario")
    return tmp_path


def run(*arguments: object) -> tuple[list[str], int]:
    out = StringIO()
    try:
        call_command("scenario", *map(str, arguments), stdout=out)
    except SystemExit as left:
        return out.getvalue().splitlines(), int(left.code or 0)
    return out.getvalue().splitlines(), 0


def test_all_hold(folder: Path) -> None:
    assert run(folder / "b.toml") == ([f"ok {folder}/b.toml: A brawl", "1 scenario: 1 ok, 0 failed."], 0)


def test_a_folder_is_walked_in_order_and_nothing_stops_the_others(folder: Path) -> None:
    lines, code = run(folder)

    assert lines[0] == (f'FAIL {folder}/a.toml: A brawl: step 1 (harm): health.ben: expected "/......", got "//....."')
    assert lines[1] == f"ok {folder}/b.toml: A brawl"
    assert lines[2].startswith(f"FAIL {folder}/inner/c.toml: c: the file cannot be read: ")
    assert lines[3:] == ["3 scenarios: 1 ok, 2 failed."]
    assert code == 1


def test_several_paths(folder: Path) -> None:
    lines, code = run(folder / "b.toml", folder / "gone.toml", folder / "b.toml")

    assert [line.split()[0] for line in lines] == ["ok", "FAIL", "ok", "3"]
    assert code == 1


def test_a_folder_without_scenarios_proves_nothing(tmp_path: Path) -> None:
    lines, code = run(tmp_path)

    assert lines[0].endswith("there is no scenario in this folder.")
    assert code == 1


def test_a_title_cannot_break_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(GOOD.replace('"A brawl"', '"A\\nbrawl\\n"'))

    assert run(path)[0] == [f"ok {path}: A brawl", "1 scenario: 1 ok, 0 failed."]


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x\udcff.toml"
    path.write_text(GOOD)

    assert run(tmp_path)[0][0] == f"ok {tmp_path}/x\\udcff.toml: A brawl"


def test_json_is_one_object_a_scenario(folder: Path) -> None:
    lines, code = run(folder, "--json")
    wrong, good, unreadable = map(json.loads, lines)

    assert code == 1
    assert list(good) == ["title", "ruleset", "ok", "steps"]
    assert (good["title"], good["ruleset"], good["ok"]) == ("A brawl", "masquerade", True)
    assert [list(step) for step in good["steps"]] == [["do", "result", "mismatch"]]
    assert good["steps"][0]["do"] == "harm"
    assert good["steps"][0]["mismatch"] is None
    assert good["steps"][0]["result"]["health"] == {"ana": ".......", "ben": "//....."}
    assert wrong["steps"][0]["mismatch"] == 'health.ben: expected "/......", got "//....."'
    assert (unreadable["ok"], unreadable["ruleset"]) == (False, "")
    assert unreadable["steps"][0]["mismatch"].startswith("the file cannot be read")


def test_something_must_be_named() -> None:
    with pytest.raises(CommandError):
        call_command("scenario")
