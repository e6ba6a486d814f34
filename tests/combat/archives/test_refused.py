"""Logs that don't match their seals, and fights that can't be, are refused: with the file and a reason, before anything
is saved."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from campaigns.archives.box import BadArchive
from campaigns.models import Chronicle
from campaigns.tokens import public_id
from combat.log import seal
from combat.models import Encounter, LogRow
from tests.combat.archives.moving import Files, sealed

TWICE = "enter-numbers-from-1-to-write-10"
"""A message that has its value twice."""

Change = Callable[[Files], None]


def name_of(files: Files, fight: str, file: str = "log.jsonl") -> str:
    return next(
        name.replace("encounter.json", file)
        for name, content in files.items()
        if name.endswith("encounter.json") and content["name"] == fight
    )


def log_of(files: Files, fight: str = "The chapel") -> list[dict[str, Any]]:
    """The lines of a fight's log: its header, and its rows from 1 on."""
    found: list[dict[str, Any]] = files[name_of(files, fight)]
    return found


def about(files: Files, fight: str) -> dict[str, Any]:
    found: dict[str, Any] = files[name_of(files, fight, "encounter.json")]
    return found


@pytest.fixture
def refused(moved: Any, full: Chronicle) -> Callable[..., BadArchive]:
    """refused(change) -> why the archive is refused once its files are changed. Nothing has been saved then."""

    def refuse(change: Change, **more: Any) -> BadArchive:
        before = Encounter.objects.count(), LogRow.objects.count()
        with pytest.raises(BadArchive) as problem:
            moved(change, **more)
        assert (Encounter.objects.count(), LogRow.objects.count()) == before
        assert problem.value.reason.endswith(".")
        return problem.value

    return refuse


# ------------------------------------------------------------------ seals


def _word(files: Files) -> None:
    log_of(files)[3]["actor_name"] = "nobody"


def _missing(files: Files) -> None:
    del log_of(files)[4]


def _last_missing(files: Files) -> None:
    log_of(files).pop()


def _swapped(files: Files) -> None:
    log = log_of(files)
    log[3], log[4] = log[4], log[3]


def _added(files: Files) -> None:
    log = log_of(files)
    log.append(log[-1] | {"seq": log[-1]["seq"] + 1})


def _of_another(files: Files) -> None:
    log_of(files)[2] = log_of(files, "The bridge")[2]


def _wrong_seal(files: Files) -> None:
    log_of(files)[5]["seal"] = "0" * 64


def _wrong_count(files: Files) -> None:
    log_of(files)[0]["rows"] += 1


def _wrong_last(files: Files) -> None:
    log_of(files)[0]["seal"] = seal.first("x")


def test_a_log_that_does_not_match_its_seals(refused: Any) -> None:
    changes = (_word, _missing, _last_missing, _swapped, _added, _of_another, _wrong_seal, _wrong_count, _wrong_last)
    for change in changes:
        problem = refused(change)
        assert problem.file.endswith("/log.jsonl"), change
        assert "seals don’t match" in problem.reason, change
    assert "Row 5 " in refused(_wrong_seal).reason


def test_the_whole_log_of_another_fight(refused: Any) -> None:
    def change(files: Files) -> None:
        files[name_of(files, "The chapel")] = log_of(files, "The bridge")

    assert "another fight" in refused(change).reason


def test_a_log_of_another_ruleset(refused: Any) -> None:
    def change(files: Files) -> None:
        log_of(files)[0]["ruleset"] = "wounds"

    assert "another ruleset" in refused(change).reason


def test_no_log(refused: Any) -> None:
    for head in ({"format": "vesper-log-2"}, {}, {"format": None}):

        def change(files: Files, head: Any = head) -> None:
            log_of(files)[0] = head

        assert "isn’t the log" in refused(change).reason


def test_false_counts(refused: Any) -> None:
    for counts in ({"encounters": 5, "rows": 1}, {"encounters": 1, "rows": 0}, {}, [], "x"):
        assert refused(lambda _files: None, counts=counts).file == "manifest.json"


# ------------------------------------------------------------------ sealed by hand


def _by_hand(fight: str, act: Callable[[list[dict[str, Any]]], None]) -> Change:
    """A change of a log, which is sealed again afterwards."""

    def change(files: Files) -> None:
        log = log_of(files, fight)
        act(log)
        sealed(log)

    return change


def _combatant(log: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = next(
        event["combatant"] for event in log[1]["events"] if event["is"] == "Joined" and event["combatant"]["character"]
    )
    return found


def _named_by_hand(log: list[dict[str, Any]]) -> None:
    # Only what is typed gets no new id.
    one = _combatant(log)
    one["character"] = {"typed": one["character"]}


def _other_shape(log: list[dict[str, Any]]) -> None:
    _combatant(log)["character"] = "1"


def _bomb(log: list[dict[str, Any]]) -> None:
    _combatant(log)["sheet"]["name"] = {"text": "{x:>1999999999}", "with": {"x": 1}}


def _doubling(log: list[dict[str, Any]]) -> None:
    text: Any = "x" * 1000
    for _level in range(24):
        text = {"text": TWICE, "with": {"sides": text}}
    _combatant(log)["sheet"]["name"] = text


def _boxes(log: list[dict[str, Any]]) -> None:
    _combatant(log)["sheet"]["marks"] = ["lethal"] * 100_000


def _points(log: list[dict[str, Any]]) -> None:
    _combatant(log)["sheet"]["resources"]["blood"] = 10**9


def _long(log: list[dict[str, Any]]) -> None:
    _combatant(log)["mask"] = "x" * 30_000


def _typed_long(log: list[dict[str, Any]]) -> None:
    _combatant(log)["mask"] = {"typed": "x" * 30_000}


def _face(log: list[dict[str, Any]]) -> None:
    roll = next(event for row in log[1:] for event in row["events"] if event["is"] == "TraitsRolled")
    roll["roll"]["roll"]["faces"][0] = 11


def _pool(log: list[dict[str, Any]]) -> None:
    roll = next(event for row in log[1:] for event in row["events"] if event["is"] == "TraitsRolled")
    roll["roll"]["plan"]["pool"] = 500


def _command(log: list[dict[str, Any]]) -> None:
    log[2]["command"] = {"is": "Nothing"}


def _event(log: list[dict[str, Any]]) -> None:
    log[2]["events"].append({"is": "Nothing"})


def _field(log: list[dict[str, Any]]) -> None:
    log[2]["events"][0]["nothing"] = 1


def _token(log: list[dict[str, Any]]) -> None:
    log[3]["token"] = log[2]["token"]


def _undone(log: list[dict[str, Any]]) -> None:
    row = next(row for row in log[1:] if row["kind"] == "undo")
    row["target"] -= 1


def _undone_later(log: list[dict[str, Any]]) -> None:
    row = next(row for row in log[1:] if row["kind"] == "undo")
    row["target"] = row["seq"] + 1


def _redone(log: list[dict[str, Any]]) -> None:
    log.append(deepcopy(next(row for row in log[1:] if row["kind"] == "redo")) | {"token": public_id()})


def _year(log: list[dict[str, Any]]) -> None:
    log[2]["created"] = "0001-01-01T00:00:00+00:00"


def _stranger(log: list[dict[str, Any]]) -> None:
    row = next(row for row in log[1:] if any(event["is"] == "BoxesMarked" for event in row["events"]))
    next(event for event in row["events"] if event["is"] == "BoxesMarked")["who"] = public_id()


def test_what_somebody_sealed_by_hand(refused: Any) -> None:
    acts = (
        *(_named_by_hand, _other_shape, _bomb, _doubling, _boxes, _points, _long, _typed_long, _face, _pool),
        *(_command, _event, _field, _token, _undone, _undone_later, _redone, _year, _stranger),
    )
    for act in acts:
        assert refused(_by_hand("The chapel", act)).file.startswith("encounters/"), act


def test_a_hundred_combatants(refused: Any) -> None:
    def crowd(log: list[dict[str, Any]]) -> None:
        for _copy in range(100):
            who = public_id()
            joined = next(event for event in log[1]["events"] if not event["combatant"]["character"])
            log[1]["events"].append(deepcopy(joined))
            log[1]["events"][-1]["combatant"]["id"] = who
            card = next(iter(log[1]["cast"]["who"].values()))
            log[1]["cast"]["who"][who] = card | {"character": ""}

    assert "at most 60" in refused(_by_hand("The crypt", crowd)).reason


def test_somebody_in_two_running_fights(full: Chronicle, refused: Any) -> None:
    def resumed(log: list[dict[str, Any]]) -> None:
        log.pop()  # the pause

    def change(files: Files) -> None:
        _by_hand("The towpath", resumed)(files)
        about(files, "The towpath")["status"] = "running"

    assert "another running fight" in refused(change).reason


# ------------------------------------------------------------------ what is said beside the log


def test_bad_values(refused: Any) -> None:
    for field, value in (
        *(("status", "running"), ("status", "over"), ("ended", None), ("held", 3), ("held", 10_000), ("held", "1")),
        *(("name", ""), ("name", "x" * 81), ("name", 5), ("scene", None), ("outside_fights", True), ("place", 10**30)),
        *(("session", "x"), ("session", 5), ("notes", 5), ("notes", "x" * 30_000), ("paused", ["x"]), ("paused", "x")),
        *(("reinforcements", "x"), ("reinforcements", [5]), ("reinforcements", [{}])),
        *(("created", "yesterday"), ("begun", "9999-12-31T23:59:59+00:00"), ("more", 1)),
    ):

        def change(files: Files, field: str = field, value: Any = value) -> None:
            about(files, "The chapel")[field] = value

        assert refused(change).file.startswith("encounters/"), (field, value)


def test_bad_reinforcements(refused: Any) -> None:
    for field, value in (
        *(("people", 5), ("people", [5]), ("people", [{}]), ("joined", 0), ("joined", 99), ("side", "x")),
        *(("health_shown", "x"), ("id", "x"), ("label", ""), ("hidden", 1)),
    ):

        def change(files: Files, field: str = field, value: Any = value) -> None:
            about(files, "The bridge")["reinforcements"][0][field] = value

        assert refused(change).file.endswith("/encounter.json"), (field, value)
    for many in (0, -1, 21, 10**9):

        def count(files: Files, many: int = many) -> None:
            about(files, "The bridge")["reinforcements"][0]["people"][0]["count"] = many

        assert refused(count).file.endswith("/encounter.json"), many


def test_two_logs_of_rolls(refused: Any) -> None:
    def change(files: Files) -> None:
        name = next(name for name in files if name.endswith(".json") and files[name]["outside_fights"])
        other = public_id()
        log = deepcopy(files[name.replace("encounter.json", "log.jsonl")])
        log[0]["encounter"] = other
        sealed(log)
        files[f"encounters/{other}/encounter.json"] = files[name]
        files[f"encounters/{other}/log.jsonl"] = log

    assert "not several" in refused(change).reason


def test_other_files(refused: Any) -> None:
    for name in ("encounters/x.json", "encounters/bcdfghjkmn/more.txt", "encounters/a/b/log.jsonl"):
        assert refused(lambda files, name=name: files.update({name: b"{}"})).file == name


def test_half_a_fight(refused: Any) -> None:
    for file in ("encounter.json", "log.jsonl"):

        def change(files: Files, file: str = file) -> None:
            del files[name_of(files, "The chapel", file)]

        assert "missing" in refused(change).reason


def test_no_json(refused: Any) -> None:
    for content in (b"", b"{", b"[1]\n", b"\xff\xfe", b"null\n", b'{"a": 1, "a": 2}', b'{"format": NaN}'):
        for file in ("encounter.json", "log.jsonl"):

            def change(files: Files, file: str = file, content: bytes = content) -> None:
                files[name_of(files, "The chapel", file)] = content

            assert refused(change).file.endswith(file)
