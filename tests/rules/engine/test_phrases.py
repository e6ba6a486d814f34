"""Texts in English that remember what they were made of."""

from rules.engine.phrases import Phrase, Typed, listed, made_of, names, phrase, phrases, separated
from rules.model.gear import titled


def test_a_phrase_is_its_english_text():
    said = phrase("{weapon} holds {rounds} rounds.", weapon="Pistol", rounds=5)
    assert said == "Pistol holds 5 rounds."
    assert said in {"Pistol holds 5 rounds."}
    assert (said.template, said.values) == ("{weapon} holds {rounds} rounds.", {"weapon": "Pistol", "rounds": 5})


def test_what_it_speaks_of_may_be_a_phrase_of_its_own():
    said = phrase("{who} is {how}.", who="Ilya", how=phrase("prone"))
    assert said == "Ilya is prone."
    assert said.values["how"].template == "prone"


def test_one_and_several():
    assert phrases("{count} round", "{count} rounds", 1) == "1 round"
    assert phrases("{count} round of {all}", "{count} rounds of {all}", 2, all=9) == "2 rounds of 9"
    assert phrases("One is left.", "Some are left.", 0) == "Some are left."


def test_one_without_values_is_made_once_and_keeps_its_braces():
    assert phrase("Wounds") is phrase("Wounds")
    assert phrase("{}") == "{}"


def test_another_of_the_same_parts():
    said = phrases("{count} die", "{count} dice", 3)
    again = made_of(said.template, said.values, said.plural, said.number)
    assert (again, again.plural, again.number) == ("3 dice", "{count} dice", 3)


def test_labels_given_together_are_each_a_phrase() -> None:
    strength, ken = names("Strength, Animal Ken")
    assert (strength.template, ken.template) == ("Strength", "Animal Ken")


def test_things_are_listed_and_stay_phrases() -> None:
    assert listed(()) == ""
    assert listed(["Ann"]) == "Ann"
    said = listed([phrase("prone"), "Bob", "Cid"])
    assert said == "prone, Bob and Cid"
    assert isinstance(said, Phrase)
    assert said.values["last"] == "Cid"
    assert separated(["Dexterity", "Melee", "Wits"], " + ") == "Dexterity + Melee + Wits"


def test_what_a_player_typed_stays_marked_while_it_is_trimmed() -> None:
    typed = Typed(" behind Quintus ")
    assert [str(typed), typed[1:7], typed.strip()] == [" behind Quintus ", "behind", "behind Quintus"]
    assert titled(typed.strip()) == "Behind Quintus"
    for trimmed in (str(typed), typed[1:7], typed.strip(), titled(typed.strip())):
        assert isinstance(trimmed, Typed)
    assert not isinstance(titled("behind Quintus"), Typed)
