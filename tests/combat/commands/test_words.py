"""What commands are called where one is taken back."""

from combat.command_words import COMMANDS as WORDS
from combat.command_words import command_words
from combat.log.codec import COMMANDS


def test_every_command_has_a_word_that_can_be_translated():
    assert set(COMMANDS) <= set(WORDS)
    assert command_words("RollInitiative") == "roll initiative"


def test_what_an_old_log_knows_still_reads():
    assert command_words("SomethingElse") == "something else"
