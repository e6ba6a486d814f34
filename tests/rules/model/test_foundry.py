"""What systems declare as their counterparts in Foundry."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.model.foundry import Harm, faults
from rules.systems import RULESETS

COUNTED = Harm("b", "l", "a")
INVERTED = Harm("value", "lethal", "aggravated", "max", inverted=True)


def test_who_has_a_counterpart() -> None:
    found = {key: system.foundry.id if system.foundry else "" for key, system in RULESETS.items()}
    assert {key: found[key] for key in ("masquerade", "apocalypse", "darkness", "chronicles", "wounds")} == {
        "masquerade": "worldofdarkness",
        "apocalypse": "worldofdarkness",
        "darkness": "",
        "chronicles": "mta",
        "wounds": "",
    }


@pytest.mark.parametrize("key", RULESETS)
def test_counterparts_name_only_what_sheets_have(key: str) -> None:
    system = RULESETS[key]
    assert not list(faults(system.foundry, system.layout, system.kinds))


def test_faults_name_what_is_missing() -> None:
    system = RULESETS["masquerade"]
    found = system.foundry
    assert found is not None
    layout = replace(system.layout, resources=(), details=(), lists=())
    said = list(faults(found, layout, system.kinds))
    for words in ("resource “blood”", "detail “clan”", "list “gifts”"):
        assert any(words in each for each in said), words
    kinds = replace(found, kinds=(("Vampire", "vampyr"),))
    said = list(faults(kinds, system.layout, system.kinds))
    assert any("kind “vampyr”" in each for each in said)
    assert any("no word for the kind “mortal”" in each for each in said)
    sorts = replace(found, trait_items=(replace(found.trait_items[0], sorts=()),))
    assert any("each group of “abilities”" in each for each in faults(sorts, system.layout, system.kinds))
    strange = replace(found, trait_items=(replace(found.trait_items[0], section="crafts"),))
    assert any("section “crafts”" in each for each in faults(strange, system.layout, system.kinds))


@given(
    st.integers(1, 20).flatmap(
        lambda most: st.tuples(
            st.just(most), st.lists(st.integers(0, most), min_size=3, max_size=3).filter(lambda each: sum(each) <= most)
        )
    )
)
def test_damage_is_read_as_it_is_written(case: tuple[int, list[int]]) -> None:
    most, (bashing, lethal, aggravated) = case
    for harm in (COUNTED, INVERTED):
        told = harm.numbers(bashing, lethal, aggravated, most)
        numbers = (told[harm.bashing], told[harm.lethal], told[harm.aggravated])
        assert harm.counts(numbers, most) == (bashing, lethal, aggravated)


def test_the_inverted_count_of_the_specification() -> None:
    """Aggravated = max − aggravated, lethal = aggravated − lethal, bashing = lethal − value."""
    assert INVERTED.counts((4, 5, 6), 7) == (1, 1, 1)
    assert INVERTED.counts((None, None, None), 7) == (0, 0, 0)
    assert INVERTED.counts((3, None, None), 7) == (4, 0, 0)


@given(*[st.one_of(st.none(), st.integers(-50, 50))] * 3, st.integers(0, 20))
def test_no_numbers_mean_less_than_no_damage(
    bashing: int | None, lethal: int | None, aggravated: int | None, most: int
) -> None:
    for harm in (COUNTED, INVERTED):
        assert min(harm.counts((bashing, lethal, aggravated), most)) >= 0


def test_kinds_have_words() -> None:
    found = RULESETS["masquerade"].foundry
    assert found is not None
    assert [found.word_for(kind) for kind in ("mortal", "ghoul", "vampire", "garou", "unheard of")] == [
        "Mortal",
        "Mortal",
        "Vampire",
        "Werewolf",
        "Mortal",
    ]
    second = RULESETS["chronicles"].foundry
    assert second is not None
    place = second.place_of("integrity", "garou")
    assert place is not None
    assert place.paths[0] == "werewolf_traits.harmony.value"
    assert second.place_of("nothing", "garou") is None
