"""Reading a log from its end gives the same as the whole log: laws, over random fights with many undos."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction

from combat.cache import Kept
from combat.commands import perform
from combat.history import log as told
from combat.log import rows as logs
from combat.log.happened import Happened
from combat.models import Encounter, Kind, LogRow
from combat.panes import bar, sheets
from combat.panes.unaffected import ByCombatant, Whole
from combat.secrecy import initiative, looking_back
from rules.engine.log import redo_target, undo_target, undone
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.events import AttackOverridden, AttackResolved, RollShown
from tests.combat.conftest import FixedDice, Table
from tests.combat.log.test_replay import play

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def restart(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Clear this process's log caches, as in a new process."""

    def forget() -> None:
        caches = [
            (logs, "_decoded"),
            (logs, "_states"),
            (told, "_entries"),
            (told, "_last"),
            (looking_back, "_answers"),
        ]
        for module, name in caches:
            monkeypatch.setattr(module, name, Kept(5000))
        for name in ("_rows", "_sheets"):
            monkeypatch.setattr(sheets, name, ByCombatant(5000))
        for name in ("_bars", "_storyteller_bars"):
            monkeypatch.setattr(bar, name, Whole(5000))

    return forget


def written(fight: Table) -> list[Happened]:
    """All rows, straight from the database."""
    return [logs.decode(row) for row in LogRow.objects.filter(encounter_id=fight.encounter_id).order_by("seq")]


def whole(rows: Sequence[Happened]) -> list[Happened]:
    """The history as it stands, from the first row."""
    gone = undone(rows)
    events = [event for row in rows if row.seq not in gone for event in row.events]
    shown = {event.entry: event.shown for event in events if isinstance(event, RollShown)}
    overridden = {event.resolution for event in events if isinstance(event, AttackOverridden)}
    return [
        replace(
            row,
            undone=row.seq in gone,
            shown=shown.get(row.token),
            overridden=row.resolution in overridden,
        )
        for row in rows
        if row.kind not in (Kind.UNDO, Kind.REDO)
    ]


def without_before(rows: Sequence[Happened]) -> list[Happened]:
    return [replace(row, before="") for row in rows]


def test_a_fight_that_was_read_has_the_state_of_then_whatever_was_done_since(fight: Table, restart: Any) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    read = Encounter.objects.without_state().get(pk=fight.encounter_id)
    then = fight.state
    restart()
    assert logs.state_now(read) == then, "from the database"
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    restart()
    assert logs.state_now(read) == then != fight.state, "from the log: the database is further ahead"


def tamper(fight: Table, seed: random.Random) -> None:
    """A random statement about which older rows count."""
    rows = whole(written(fight))
    act = seed.random()
    by = {"encounter_id": fight.encounter_id, "actor": fight.storyteller}
    if act < 0.2:
        perform.undo(**by)
    elif act < 0.4:
        perform.redo(**by)
    elif act < 0.5:
        perform.undo_to(**by, token=seed.choice(rows[-6:]).token)
    elif act < 0.6:
        fight.do(commands.ShowRoll(seed.choice(rows).token, shown=seed.random() < 0.5))
    elif act < 0.7:
        struck = [event for row in rows if not row.undone for event in row.events if isinstance(event, AttackResolved)]
        event = seed.choice(struck[-3:])
        fight.do(commands.OverrideAttack(event.resolution, event.results[0].target, outcome="hit"))
    elif len(fight.state.combatants) < 4:
        # Undone to before they joined: nothing can be played.
        perform.redo(**by)
    else:
        play(fight, seed, 1)


@pytest.mark.parametrize("number", range(2))
def test_what_is_read_back_is_what_the_whole_log_says(fight: Table, number: int, player: Any, restart: Any) -> None:
    """After every row: the rows, the current history, what undo and redo would do, the state, and every view."""
    seed = random.Random(40 + number)
    fight.do(commands.Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(7, 2))
    fight.do(commands.OverrideAttack("r1", fight["Thug 1"], dealt=0))
    fight.turn()
    met = set[str]()
    for step in range(30):
        try:
            tamper(fight, seed)
        except (RuleViolation, IndexError):
            continue
        rows, encounter = written(fight), fight.encounter
        read = logs.rows_of(encounter)
        assert without_before(read) == rows
        assert without_before(logs.as_they_stand(read)) == whole(rows)
        assert [bool(row.before) for row in logs.as_they_stand(read)] == [
            row.seq > 1 and not any(mark.seq > row.seq > (mark.target or 0) for mark in rows if mark.target)
            for row in rows
            if row.kind not in logs.MARKS
        ]
        assert logs.targets(read) == (undo_target(rows), redo_target(rows))
        assert logs.fold_of(encounter, read) == logs.state_of(rows) == fight.state
        place = seed.randrange(1, len(rows))
        gone = undone(rows)
        done = [row for row in rows if row.kind not in logs.MARKS]
        counting = [row for row in done if row.seq not in gone and row.seq < place]
        assert logs.fold_of(encounter, read, place) == logs.state_of(counting)
        met |= {row.kind for row in rows} | {type(event).__name__ for row in rows for event in row.events}
        if step % 5 == 0:
            audiences = ("storyteller", "table", f"player-{player.pk}")
            known = [fight.view(each) for each in audiences]
            restart()
            assert [fight.view(each) for each in audiences] == known
    assert met >= {Kind.UNDO, Kind.REDO, "RollShown", "AttackOverridden"}


def test_what_another_process_did_is_carried_on_from_what_is_known(
    fight: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows are played onto the last state known here, so what they leave alone stays the same object."""
    before = logs.state_now(fight.encounter)
    for _time in range(3):
        fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    for known in (logs._states, logs._decoded):
        for row in fight.encounter.rows.order_by("-seq")[:3]:
            known._items.pop(row.seal)
    stored = fight.state
    monkeypatch.setattr(logs, "load_state", lambda *_given: pytest.fail("the stored state was read"))
    now = logs.state_now(fight.encounter)
    assert now == stored
    same = {who for who, each in now.combatants.items() if each is before.combatants[who]}
    assert same == set(now.combatants) - {fight["Ilya"]}


def test_of_a_long_log_the_end_is_read(fight: Table, restart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "ENTRIES", 5)
    fight.turn()
    for _time in range(20):
        fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
        fight.do(commands.SetHealth(fight["Thug 1"], ()))
    fight.do(commands.EndTurn())
    restart()
    decoded: list[int] = []
    decode = logs.decode
    monkeypatch.setattr(logs, "decode", lambda row, before="": decoded.append(row.seq) or decode(row, before))
    view = fight.view("storyteller")
    assert (len(view.log.entries), view.log.older) == (5, True)
    assert fight.view("table").log.older
    assert decoded
    assert min(decoded) > fight.encounter.seq - 25
    assert len(set(decoded)) == len(decoded), "once a process"


def test_the_order_of_a_turn_is_not_looked_for_again(fight: Table) -> None:
    """Declared, not advanced: whether initiative was rolled is known without reading that far, also after an undo."""
    fight.turn()
    for _time in range(3):
        fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
        assert not fight.view("table").bar.due
    for _time in range(4):
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.view("table").bar.due
    fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
    assert fight.view("table").bar.due
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.turn()
    assert not fight.view("table").bar.due


def test_what_was_taken_back_is_all_that_is_looked_at_again(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a fight without landmarks: no initiative was rolled and no turn ended."""
    looked: list[Happened] = []
    answer = initiative._rolls_initiative
    monkeypatch.setattr(initiative, "_rolls_initiative", lambda seen, row: looked.append(row) or answer(seen, row))
    for _time in range(20):
        fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
        fight.do(commands.SetHealth(fight["Thug 1"], ()))
    fight.view("table")
    for _time in range(3):
        looked.clear()
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
        fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
        assert fight.view("table").bar.due
        assert len(looked) <= 8


class Lost(Exception):
    """Simulates a database that loses a whole transaction."""


def test_what_was_rolled_back_is_never_met(fight: Table, player: Any) -> None:
    def lose() -> None:
        with transaction.atomic():
            fight.do(commands.Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(9))
            perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
            perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
            assert fight.view(player).bar.due
            raise Lost

    fight.turn()
    seq = fight.encounter.seq
    with pytest.raises(Lost):
        lose()
    assert fight.encounter.seq == seq
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    rows = written(fight)
    read = logs.rows_of(fight.encounter)
    assert [row.token for row in read] == [row.token for row in rows]
    assert logs.fold_of(fight.encounter, read) == logs.state_of(rows) == fight.state
    assert not fight.view(player).bar.due
