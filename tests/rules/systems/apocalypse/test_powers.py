"""Gifts in Apocalypse's fights (AP-POW-1 and following), beyond what scenarios show."""

from __future__ import annotations

from rules.model.kinds import read_kinds
from rules.model.power_effects import Lasts
from rules.model.powers import Source
from rules.model.sheet import Sheet
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.powers import GIFTS
from rules.systems.classic.apocalypse.system import APOCALYPSE


def test_the_list_of_gifts_suggests_those_with_effects_and_other_rulesets_dont():
    known = {each.key: each.known for each in APOCALYPSE.layout.lists}
    assert known["gifts"] == tuple(each.label for each in GIFTS)
    assert not any(each.label in known["merits"] for each in GIFTS)
    assert all(each.known == () for each in RULESETS["masquerade"].layout.lists if each.key == "gifts")


def test_gifts_and_merits_are_entries_that_rules_look_for():
    """AP-POW-1, AP-HEAL-1."""
    assert APOCALYPSE.entries["razor_claws"] == "Razor Claws"
    assert {"regenerates", *(each.entry for each in GIFTS)} == APOCALYPSE.entries.keys() - {"no_regeneration"}


def test_each_gift_has_a_ruling_of_its_own_and_belongs_to_garou():
    assert all(each.source is Source.GIFT and each.entry == each.key and each.kinds == {"garou"} for each in GIFTS)
    assert len({each.rule for each in GIFTS}) == len(GIFTS)
    assert all(each.turns == 1 or each.lasts is Lasts.TURN for each in GIFTS)


def test_kinds_like_garou_have_gifts_and_others_have_none():
    """AP-POW-1: a chronicle's own kind uses the sheet of one of the ruleset's."""
    own = read_kinds(
        {"kin": {"label": "Kin", "like": "garou"}, "hound": {"label": "Hound", "like": "mortal"}}, APOCALYPSE.kinds
    )
    layout = APOCALYPSE.with_kinds(own).layout
    claws = next(each for each in GIFTS if each.key == "razor_claws")
    have = {
        kind: claws.is_had_by(Sheet("Ann", kind, merits=frozenset({"razor_claws"})), layout)
        for kind in ("garou", "kin", "hound", "mortal", "vampire")
    }
    assert have == {"garou": True, "kin": True, "hound": False, "mortal": False, "vampire": False}
    assert not claws.is_had_by(Sheet("Ann", "garou"), layout)
