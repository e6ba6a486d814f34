"""English texts that keep their template and values."""

from rules.engine.phrases import Phrase, Typed, formerly, listed, made_of, names, phrase, phrases, separated
from rules.model.gear import titled


def test_a_phrase_is_its_english_text():
    said = phrase("isnt-jammed", weapon="Pistol")
    assert said == "Pistol isn’t jammed."
    assert said in {"Pistol isn’t jammed."}
    assert (said.id, said.values, said.number) == ("isnt-jammed", {"weapon": "Pistol"}, None)


def test_an_unknown_id_is_its_own_text():
    said = phrase("{who} is {how}.", who="Ilya", how=phrase("prone"))
    assert said == "Ilya is prone."
    assert said.values["how"].id == "prone"


def test_one_and_several():
    assert phrases("aimed-for-round", 1) == "Aimed for 1 round"
    assert phrases("aimed-for-round", 2) == "Aimed for 2 rounds"
    assert phrases("aimed-for-round", 0).number == 0


def test_one_without_values_is_made_once_and_keeps_its_braces():
    assert phrase("wounds") is phrase("wounds")
    assert phrase("isnt-jammed") == "{weapon} isn’t jammed."
    assert phrase("{}") == "{}"


def test_another_of_the_same_parts():
    said = phrases("aimed-for-round", 3)
    again = made_of(said.id, said.values, said.number)
    assert (again, again.id, again.number) == ("Aimed for 3 rounds", "aimed-for-round", 3)


def test_a_phrase_knows_its_former_wording():
    assert formerly(phrase("isnt-jammed", weapon="Pistol")) == "Pistol is not jammed."
    assert formerly(phrase("isnt-jammed", weapon=phrase("prone-from-distance"))) == (
        "Lying down, from afar is not jammed."
    )
    assert formerly("Pistol") == "Pistol"


def test_labels_given_together_are_each_a_phrase() -> None:
    strength, ken = names("strength, animal-ken")
    assert (strength.id, ken.id) == ("strength", "animal-ken")
    assert (strength, ken) == ("Strength", "Animal Ken")


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
