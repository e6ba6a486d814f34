"""The display names of keys."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.model.conditions import conditions
from rules.model.gear import Damage, Fault, Mode
from rules.model.words import WORDS, as_key, in_words
from rules.systems import RULESETS
from rules.topics.attacks.mishaps import Mishap


def test_a_key_has_a_word_and_what_somebody_wrote_reads_as_it_is():
    assert in_words("knocked_down") == "knocked down"
    assert in_words("torpor") == "in torpor"
    assert in_words("under_a_curse") == "under a curse"


def test_every_key_that_is_read_has_a_word_of_its_own():
    assert {*Damage, *Fault, *Mishap, *Mode} <= set(WORDS)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_key_of_a_ruleset_has_a_word_of_its_own(ruleset):
    assert {*ruleset.attack.defences.kinds, *ruleset.banes} <= set(WORDS)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("Iron Will", "iron_will"),
        (" -Cold  Iron! ", "cold_iron"),
        ("Gedächtniskünstler", "gedächtniskünstler"),
        ("O\u0308l (heiß)", "öl_heiß"),
        ("Железная воля", "железная_воля"),
        ("हिन्दी २", "हिन्दी_२"),
        ("…!_", ""),
    ],
)
def test_letters_of_every_script_make_a_key(words, key):
    assert as_key(words) == key


@given(st.text(max_size=12))
def test_a_key_is_its_own(words):
    key = as_key(words)
    assume(key not in WORDS and key not in {each.key for each in conditions()})  # they have words of their own
    assert as_key(key) == as_key(in_words(key)) == key
