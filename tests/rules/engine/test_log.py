"""Undo and redo over a numbered log."""

from __future__ import annotations

from rules.engine.log import Entry, redo_target, standing, undo_target, undone
from rules.topics.events import Delayed


def log(*rows):
    """A log of appended rows: None for a command, "-3" undoes, "+3" redoes the third."""
    entries = []
    for seq, row in enumerate(rows, start=1):
        if row is None:
            entries.append(Entry(seq, (Delayed(f"c{seq}"),)))
        elif row < 0:
            entries.append(Entry(seq, undoes=-row))
        else:
            entries.append(Entry(seq, redoes=row))
    return entries


def stands(*rows):
    return [entry.seq for entry in standing(log(*rows))]


def test_all_commands_of_an_untouched_log_stand():
    assert stands(None, None) == [1, 2]
    assert stands() == []


def test_what_is_undone_does_not_stand_and_undoing_is_no_command():
    assert stands(None, None, -2) == [1]
    assert stands(None, None, -2, -1) == []
    assert undone(log(None, None, -2)) == {2}


def test_what_is_redone_stands_again():
    assert stands(None, None, -2, 2) == [1, 2]
    assert stands(None, None, -2, -1, 1) == [1]
    assert stands(None, -1, 1, -1) == []


def test_an_undo_takes_back_the_last_that_stands():
    assert undo_target([]) is None
    assert undo_target(log(None, None)) == 2
    assert undo_target(log(None, None, -2)) == 1
    assert undo_target(log(None, None, -2, None)) == 4
    assert undo_target(log(None, -1)) is None


def test_a_redo_brings_back_the_last_undone():
    assert redo_target(log(None)) is None
    assert redo_target(log(None, None, -2, -1)) == 1
    assert redo_target(log(None, None, -2, -1, 1)) == 2
    assert redo_target(log(None, None, -2, -1, 1, 2)) is None


def test_nothing_is_redone_once_something_new_was_done():
    assert redo_target(log(None, -1, None)) is None


def test_a_redo_of_what_nobody_undid_changes_nothing():
    assert redo_target(log(None, -1, None, 1)) is None


def test_what_nobody_did_is_passed_over():
    """A fixed entry counts, is never undone, and doesn't prevent a redo."""
    entries = [*log(None), Entry(2, (Delayed("c2"),), fixed=True)]
    assert undo_target(entries) == 1
    entries.append(Entry(3, undoes=1))
    assert [entry.seq for entry in standing(entries)] == [2]
    assert undo_target(entries) is None
    assert redo_target([*entries, Entry(4, (Delayed("c4"),), fixed=True)]) == 1
