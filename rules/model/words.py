"""What the keys of conditions, kinds of damage and the like are called."""

from __future__ import annotations

import unicodedata

from rules.engine.phrases import Phrase, phrase

WORDS: dict[str, Phrase] = {
    # Conditions, as somebody "is" them
    "aiming": phrase("aiming"),
    "arm_wrack": phrase("arm wrack"),
    "asleep": phrase("asleep"),
    "bleeding": phrase("bleeding"),
    "blinded": phrase("blinded"),
    "blinded_left": phrase("blinded left"),
    "blinded_right": phrase("blinded right"),
    "dazed": phrase("dazed"),
    "dead": phrase("dead"),
    "deafened": phrase("deafened"),
    "dying": phrase("dying"),
    "frenzy": phrase("frenzy"),
    "good_cover": phrase("good cover"),
    "grappled": phrase("grappled"),
    "held": phrase("held"),
    "immobilized": phrase("immobilized"),
    "in_cover": phrase("in cover"),
    "in_frenzy": phrase("in frenzy"),
    "incapacitated": phrase("incapacitated"),
    "knocked_down": phrase("knocked down"),
    "leg_wrack": phrase("leg wrack"),
    "light_cover": phrase("light cover"),
    "meditating": phrase("meditating"),
    "pinned": phrase("pinned"),
    "prone": phrase("prone"),
    "running": phrase("running"),
    "staked": phrase("staked"),
    "stunned": phrase("stunned"),
    "superior_cover": phrase("superior cover"),
    "surprised": phrase("surprised"),
    "torpor": phrase("in torpor"),
    "unconscious": phrase("unconscious"),
    # How somebody looks to those who may not see the boxes
    "badly hurt": phrase("badly hurt"),
    "down": phrase("down"),
    "hurt": phrase("hurt"),
    "unhurt": phrase("unhurt"),
    # What is wrong with weapons
    "broken": phrase("broken"),
    "dropped": phrase("dropped"),
    "jammed": phrase("jammed"),
    "seized": phrase("seized"),
    "taken": phrase("taken"),
    # Kinds of damage, and what some cannot stand
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
    "aim_at": phrase("aim at"),
    # What is done in a turn
    "block": phrase("block"),
    "clash": phrase("clash"),
    "defence": phrase("defence"),
    "dodge": phrase("dodge"),
    "full_defence": phrase("full defence"),
    "open": phrase("open"),
    "parry": phrase("parry"),
    "rise": phrase("rise"),
    "move": phrase("move"),
    "aim": phrase("aim"),
    "withhold_defense": phrase("hold Defense back"),
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
    "ally_hit": phrase("ally hit"),
    "explosion": phrase("explosion"),
    "fall": phrase("fall"),
    "jam": phrase("jam"),
    "nothing": phrase("nothing"),
    # Points
    "blood": phrase("blood"),
    "celerity": phrase("Celerity"),
    "essence": phrase("Essence"),
    "gnosis": phrase("Gnosis"),
    "rage": phrase("Rage"),
    "vitae": phrase("Vitae"),
    "willpower": phrase("Willpower"),
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
    "house_cat": phrase("house cat"),
    "small_mouse": phrase("small mouse"),
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
"""Where the rules have a word of their own for a key; what somebody wrote themselves has none."""


def as_key(words: str) -> str:
    """What somebody typed as a key: small letters and figures of any script, with one _ between; empty without any."""
    # Marks belong to letters: some scripts write their vowels so, and some keyboards the dots of an ö.
    text = unicodedata.normalize("NFC", words.lower())
    return "_".join("".join(each if unicodedata.category(each)[0] in "LMN" else " " for each in text).split())


def in_words(key: str) -> str:
    """A key as people say it."""
    return WORDS.get(key) or key.replace("_", " ")
