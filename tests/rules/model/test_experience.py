"""Prices and awards of experience."""

from __future__ import annotations

import pytest

from rules.model.experience import Award, Cost, Trigger, choices, cost_of, parse_award, parse_price
from rules.model.options import BadOption
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS


def cost(system, trait, was, to, words=""):
    found = cost_of(system.prices(), system.layout.trait(trait), was, to, words)
    return found and found.points


@pytest.mark.parametrize(
    ("trait", "was", "to", "words", "points"),
    [
        ("brawl", 3, 4, "", 6),
        ("brawl", 0, 1, "", 3),
        ("brawl", 0, 3, "", 3 + 2 + 4),
        ("strength", 2, 3, "", 8),
        ("auspex", 0, 1, "in clan", 10),
        ("auspex", 1, 3, "in clan", 5 + 10),
        ("auspex", 1, 2, "out of clan", 7),
        ("auspex", 1, 2, "", None),
        ("courage", 3, 4, "", 6),
        ("willpower", 5, 6, "", 5),
        ("willpower", 0, 1, "", None),
        ("generation", 9, 10, "", None),
        ("brawl", 3, 3, "", None),
    ],
)
def test_masquerades_prices(trait, was, to, words, points):
    """MQ-EXP-1: what has no price is never free."""
    assert cost(MASQUERADE, trait, was, to, words) == points


def test_the_others_prices():
    """AP-EXP-1, WD-EXP-1, CD-EXP-1, WL-EXP-1."""
    assert [cost(APOCALYPSE, key, 3, 4) for key in ("rage", "gnosis", "celerity", "wits")] == [3, 6, 21, 12]
    assert [cost(DARKNESS, key, 3, 4) for key in ("wits", "occult", "blood_potency", "morality")] == [20, 12, 32, 12]
    assert [cost(CHRONICLES, key, 0, 2) for key in ("wits", "occult", "blood_potency")] == [8, 4, 10]
    assert cost(CHRONICLES, "vigor", 1, 2, "out of clan") == 4
    assert [cost(CHRONICLES, key, 1, 2) for key in ("primal_urge", "purity", "integrity")] == [5, 3, 2]
    assert [cost(DARKNESS, "primal_urge", 1, 2), cost(DARKNESS, "purity", 1, 2)] == [16, None]
    assert cost(WOUNDS, "brawl", 1, 2) is None
    assert cost(RULESETS["hollow"], "brawl", 1, 2) is None


def test_what_earns_experience():
    """MQ-EXP-2, AP-EXP-2, WD-EXP-2: a point for each reason; WL-EXP-1: nothing; CD-EXP-2: Beats, some from the log."""
    for system in (MASQUERADE, APOCALYPSE, DARKNESS):
        assert (system.beats, [award.amount for award in system.awards()]) == (1, [1, 1, 1, 1])
        assert system.awards()[0] == Award("Session played", 1)
    assert WOUNDS.awards() == RULESETS["hollow"].awards() == ()
    assert CHRONICLES.beats == 5
    proposed = {award.trigger for award in CHRONICLES.awards()}
    assert proposed == {None, Trigger.DRAMATIC, Trigger.LAST_BOX, Trigger.RESOLVED}


def test_the_most_exact_line_counts_and_words_are_to_choose_from():
    lines = [
        "Ability: 5",
        "Brawl: current × 2",
        "Brawl (with a teacher): new",
        "new Brawl: 9",
        "new Brawl (with a teacher): 8",
        "new Virtue: 1",
    ]
    prices = [parse_price(line, MASQUERADE.layout) for line in lines]
    brawl, occult, courage, wits = (MASQUERADE.layout.trait(key) for key in ("brawl", "occult", "courage", "wits"))
    assert choices(prices, brawl) == ("", "with a teacher")
    assert [choices(prices, each) for each in (occult, courage, wits)] == [("",), ("",), ()]
    assert cost_of(prices, brawl, 0, 2) == Cost(9 + 2, "new Brawl: 9; Brawl: current × 2")
    assert cost_of(prices, brawl, 0, 2, "with a teacher").points == 8 + 2
    assert cost_of(prices, occult, 0, 2) == Cost(10, "Ability: 5")
    assert cost_of(prices, courage, 1, 2) is None


def entry_cost(system, key, was, to, words=""):
    listing = next(each for each in system.layout.lists if each.key == key)
    found = cost_of(system.prices(), listing, was, to, words)
    return found and (found.points, found.line)


def test_entries_of_lists_have_prices():
    """MQ-EXP-1, AP-EXP-1, WD-EXP-1, CD-EXP-1: a Gift or Rite costs what its rank costs, and is never raised."""
    assert entry_cost(MASQUERADE, "backgrounds", 0, 1) == (3, "new Background: 3")
    assert entry_cost(MASQUERADE, "backgrounds", 0, 3) == (3 + 3 + 6, "new Background: 3; Background: current x 3")
    assert entry_cost(MASQUERADE, "blood_paths", 1, 2) == (4, "Path of Blood Magic: current x 4")
    assert entry_cost(MASQUERADE, "disciplines", 1, 2, "in clan") == (5, "Discipline (in clan): current x 5")
    assert entry_cost(MASQUERADE, "merits", 0, 1) is None
    assert entry_cost(APOCALYPSE, "gifts", 0, 3) == (9, "Gift: new x 3")
    assert entry_cost(APOCALYPSE, "rites", 0, 2) == (4, "Rite: new x 2")
    assert entry_cost(APOCALYPSE, "gifts", 1, 2) is None
    assert entry_cost(DARKNESS, "merits", 1, 3) == (4 + 6, "Merit: new x 2")
    assert entry_cost(CHRONICLES, "merits", 0, 3) == (3, "Merit: 1")
    assert entry_cost(CHRONICLES, "gifts", 0, 2) == (3, "Gift: 3")


def test_a_list_is_called_by_its_name_or_one_of_its_entries():
    lines = ["Fetishes: 5", "fetish (a gift): 1", "new Merit: 9", "Merits: new x 2"]
    prices = [parse_price(line, APOCALYPSE.layout) for line in lines]
    fetishes, merits, flaws = (
        next(each for each in APOCALYPSE.layout.lists if each.key == key) for key in ("fetishes", "merits", "flaws")
    )
    assert [choices(prices, each) for each in (fetishes, merits, flaws)] == [("", "a gift"), ("",), ()]
    assert cost_of(prices, fetishes, 0, 1, "a gift") == Cost(1, "fetish (a gift): 1")
    assert cost_of(prices, merits, 0, 2) == Cost(9 + 4, "new Merit: 9; Merits: new x 2")


@pytest.mark.parametrize("line", ["", "Brawl", "Brawl: x", "Luck: 3", "Generation: 4", "Brawl: current x", "(a): 3"])
def test_a_line_that_sets_no_price_is_refused_with_a_sentence(line):
    with pytest.raises(ValueError, match=r"\.$"):
        parse_price(line, MASQUERADE.layout)
    with pytest.raises(BadOption):
        MASQUERADE.with_options({"experience_prices": [line]})


def test_a_line_that_describes_no_award_is_refused_with_a_sentence():
    assert parse_award(" Saved: a child: 2 Experiences", 5) == Award("Saved: a child", 10)
    assert parse_award("Botch: 1", 1) == Award("Botch", 1, Trigger.BOTCH)
    for line, beats in (("", 5), ("Heroism", 5), ("Heroism: 0", 5), ("Heroism: 1 Beat", 1), (": 1", 1)):
        with pytest.raises(ValueError, match=r"\.$"):
            parse_award(line, beats)
