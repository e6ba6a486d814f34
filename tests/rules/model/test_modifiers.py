"""Circumstances that the Storyteller picks."""

from rules.model.choices import Modifier
from rules.model.modifiers import ModifierRule, Modifiers, nothing

FOG = ModifierRule("fog", "Fog", "MQ-ATK-5", nothing)
DOOM = ModifierRule("doom", "Doom", "MQ-ATK-5", nothing, storytellers=True, aliases=("fate",))
KNOWN = Modifiers({"fog": FOG, "doom": DOOM}, "Masquerade", {})


def test_a_circumstance_may_say_that_only_the_storyteller_picks_it():
    assert not KNOWN.are_reserved([Modifier("fog"), Modifier("nobody knows it")])
    assert KNOWN.are_reserved([Modifier("fog"), Modifier("doom")])
    assert KNOWN.are_reserved([Modifier("fate")])
    assert KNOWN.are_reserved([Modifier("difficulty")])
