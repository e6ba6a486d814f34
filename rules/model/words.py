"""Labels for the keys of conditions, damage types and the like."""

from __future__ import annotations

import unicodedata

from rules.engine.phrases import Phrase, phrase, phrases
from rules.model.conditions import condition_of

WORDS: dict[str, Phrase] = {
    # How somebody looks to those who may not see the boxes
    "badly hurt": phrase("badly-hurt"),
    "down": phrase("down"),
    "hurt": phrase("hurt"),
    "unhurt": phrase("unhurt"),
    # What is wrong with weapons
    "broken": phrase("broken"),
    "dropped": phrase("dropped"),
    "jammed": phrase("jammed"),
    "seized": phrase("seized"),
    "taken": phrase("taken"),
    # Where weapons are carried
    "in_hand": phrase("in-hand"),
    "holstered": phrase("holstered"),
    "put_away": phrase("put-away-somewhere"),
    "on_the_back": phrase("on-the-back"),
    "concealed": phrase("concealed"),
    # Damage types and banes
    "bashing": phrase("bashing"),
    "lethal": phrase("lethal"),
    "aggravated": phrase("aggravated"),
    "fire": phrase("fire"),
    "silver": phrase("silver"),
    "sunlight": phrase("sunlight"),
    "explosive": phrase("explosive"),
    # How weapons are used
    "archery": phrase("archery"),
    "firearm": phrase("firearm"),
    "melee": phrase("melee"),
    "thrown": phrase("thrown"),
    "unarmed": phrase("unarmed"),
    # What one of several circumstances is picked for
    "aim_at": phrase("aim-at"),
    "manoeuvre": phrase("manoeuvre"),
    # What is done in a turn
    "block": phrase("block"),
    "clash": phrase("clash"),
    "defence": phrase("defence"),
    "dodge": phrase("dodge"),
    "full_defence": phrase("full-defence"),
    "open": phrase("open"),
    "parry": phrase("parry"),
    "rise": phrase("rise"),
    "move": phrase("move"),
    "aim": phrase("aim"),
    "withhold_defense": phrase("hold-defense-back"),
    # What dice are thrown for
    "attack": phrase("attack"),
    "check": phrase("check"),
    "damage": phrase("damage"),
    "initiative": phrase("initiative"),
    "resist": phrase("resist"),
    "roll": phrase("roll"),
    "soak": phrase("soak"),
    "tie": phrase("tie"),
    # What a botch brings
    "ally_hit": phrase("ally-hit"),
    "explosion": phrase("explosion"),
    "fall": phrase("fall"),
    "jam": phrase("jam"),
    "nothing": phrase("nothing"),
    # Points
    "blood": phrase("blood"),
    "celerity": phrase("celerity"),
    "potence": phrase("potence"),
    "fortitude": phrase("fortitude"),
    "essence": phrase("essence"),
    "gnosis": phrase("gnosis"),
    "rage": phrase("rage"),
    "vitae": phrase("vitae"),
    "willpower": phrase("willpower"),
    # Degrees
    "barely": phrase("barely"),
    "partial": phrase("partial"),
    "substantial": phrase("substantial"),
    "full": phrase("full"),
    "light": phrase("light"),
    "good": phrase("good"),
    "superior": phrase("superior"),
    "adult": phrase("adult"),
    "child": phrase("child"),
    "house_cat": phrase("house-cat"),
    "small_mouse": phrase("small-mouse"),
    "horse": phrase("horse"),
    "truck": phrase("truck"),
    "house": phrase("house"),
    # What armour covers
    "arms": phrase("arms"),
    "head": phrase("head"),
    "legs": phrase("legs"),
    "torso": phrase("torso"),
    # What distances are counted in
    "metres": phrase("metres"),
    "yards": phrase("yards"),
    "feet": phrase("feet"),
}
"""Where the rules have a word of their own for a key; conditions say theirs themselves (rules/model/conditions.py)."""


def as_key(words: str) -> str:
    """Typed text as a key: lowercase letters and digits of any script, joined by single underscores; empty if there are
    none.
    """
    # Marks belong to letters: some scripts write their vowels so, and some keyboards the dots of an ö.
    text = unicodedata.normalize("NFC", words.lower())
    return "_".join("".join(each if unicodedata.category(each)[0] in "LMN" else " " for each in text).split())


def in_distance(amount: int, unit: str) -> Phrase:
    """A distance in one of the units of `System.unit`: "1 yard", "12 metres"."""
    if unit == "yards":
        return phrases("distance-in-yards", amount)
    if unit == "feet":
        return phrases("distance-in-feet", amount)
    return phrases("distance-in-metres", amount)


def in_words(key: str) -> str:
    """The label of a key."""
    return WORDS.get(key) or condition_of(key).label
