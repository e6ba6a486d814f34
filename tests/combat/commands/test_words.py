"""The names of commands in undo."""

from rules.engine.messages import command_types, label_of


def test_every_command_has_a_label_that_can_be_translated():
    assert all(each.label.id for each in command_types())
    assert label_of("RollInitiative") == "roll initiative"


def test_a_command_that_only_an_old_log_knows_still_reads():
    assert label_of("SomethingElse") == "something else"
