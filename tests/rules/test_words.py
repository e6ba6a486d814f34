"""What keys are called."""

from rules.gear import Damage, Fault
from rules.health import OUT_OF_ACTION
from rules.mishaps import Mishap
from rules.words import WORDS, in_words


def test_a_key_has_a_word_and_what_somebody_wrote_reads_as_it_is():
    assert in_words("knocked_down") == "knocked down"
    assert in_words("torpor") == "in torpor"
    assert in_words("under_a_curse") == "under a curse"


def test_every_key_that_is_read_has_a_word_of_its_own():
    assert {*OUT_OF_ACTION, *Damage, *Fault, *Mishap} <= set(WORDS)
