"""A chronicle's own powers: read from plain values, refused with the path of what is wrong, and written back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine.copies import replace
from rules.model import power_words
from rules.model.gear import Damage, Mode
from rules.model.given import MOST_WORDS, Given
from rules.model.options import BadOption
from rules.model.own_powers import (
    KEYS,
    LONGEST_KEY,
    LONGEST_NAME,
    MOST_COSTS,
    MOST_EFFECTS,
    MOST_POWERS,
    STRENGTHS,
    bringable,
    check_powers,
    circumstances,
    copyable,
    has_difficulty,
    key_of,
    offered_effects,
    read_power,
    read_powers,
    without_gone,
    written,
)
from rules.model.power_effects import AT_ONCE, POOLED, Does, Effect, Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Timing
from rules.model.sheet import Category
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES

SOAK = {"does": "dice", "amount": 2, "pools": ["soak"]}
CLAWS = {"does": "weapon", "weapon": {"name": "Claws", "damage": 1, "damage_from": "strength", "type": "lethal"}}


def read(system=MASQUERADE, **given_):
    return read_power("own_x", {"label": "Iron skin", "effects": [SOAK], **given_}, system)


def refused(system=MASQUERADE, **given_):
    with pytest.raises(BadOption) as bad:
        read(system, **given_)
    return bad.value.key, bad.value.message.id


def test_a_name_and_an_effect_are_enough():
    power = read()
    assert power == Power(
        "own_x",
        "Iron skin",
        "MQ-POW-1",
        Source.MERIT,
        (Effect(Does.DICE, 2, pools=frozenset({Pool.SOAK})),),
        setting="",
    )


def test_everything_can_be_set():
    power = read(
        source="spell",
        entry="Cold Iron",
        rating=2,
        kinds=["vampire"],
        timing="reflexive",
        costs=[{"resource": "blood", "amount": 2}, {"resource": "willpower"}],
        points=3,
        roll={"traits": ["strength", "brawl"], "difficulty": 7, "resist": ["wits"], "resist_difficulty": 8},
        reach="one",
        lasts="turn",
        turns=2,
        turns_per="successes",
        notice="unseen",
        effects=[{**SOAK, "per": "points", "on_target": True, "damage": ["lethal"], "modes": ["melee"]}],
    )
    assert (power.source, power.entry, power.rating, power.kinds) == (Source.SPELL, "cold_iron", 2, {"vampire"})
    assert power.costs == (Cost("blood", 2), Cost("willpower"))
    assert (power.timing, power.points, power.reach) == (Timing.REFLEXIVE, 3, Reach.ONE)
    assert (power.lasts, power.turns, power.turns_per, power.notice) == (Lasts.TURN, 2, Per.SUCCESSES, Notice.UNSEEN)
    assert power.test is not None
    assert (power.test.traits, power.test.difficulty, power.test.resist) == (("strength", "brawl"), 7, ("wits",))
    (effect,) = power.effects
    assert (effect.per, effect.on_target, effect.damage, effect.modes) == (
        Per.POINTS,
        True,
        {Damage.LETHAL},
        {Mode.MELEE},
    )


@pytest.mark.parametrize(
    ("wrong", "path", "says"),
    [
        ({"label": " "}, "label", "enter-a-name"),
        ({"label": 3}, "label", "enter-a-word"),
        ({"label": "x" * (LONGEST_NAME + 1)}, "label", "enter-at-most-characters"),
        ({"rule": "MQ-POW-2"}, "rule", "powers-have-no-such-setting"),
        ({"source": "rite"}, "source", "choose-one-of-options"),
        ({"trait": "cooking"}, "trait", "sheet-has-no-trait-called"),
        ({"trait": "potence", "entry": "claws"}, "entry", "choose-trait-or-name-in-list"),
        ({"entry": "!!!"}, "entry", "name-needs-letter-or-digit"),
        ({"rating": 0}, "rating", "whole-number-from-to"),
        ({"rating": True}, "rating", "whole-number-from-to"),
        ({"kinds": ["dragon"]}, "kinds", "choose-one-of-rulesets-kinds"),
        ({"kinds": "vampire"}, "kinds", "enter-list-of-words"),
        ({"kinds": ["vampire"] * (MOST_WORDS + 1)}, "kinds", "choose-at-most"),
        ({"costs": [{"resource": "vitae"}]}, "costs.0.resource", "ruleset-has-no-points-called"),
        ({"costs": [{"resource": "blood", "of": 1}]}, "costs.0.of", "powers-have-no-such-setting"),
        ({"costs": "blood"}, "costs", "enter-list-of-tables"),
        ({"costs": [{"resource": "blood"}] * (MOST_COSTS + 1)}, "costs", "choose-at-most"),
        ({"costs": [{"resource": "blood", "amount": 99}]}, "costs.0.amount", "whole-number-from-to"),
        ({"points": 3}, "points", "choose-points-that-it-costs"),
        ({"roll": 3}, "roll", "enter-settings-as-table"),
        ({"roll": {"traits": []}}, "roll.traits", "choose-traits-that-are-rolled"),
        ({"roll": {"pool": 3}}, "roll.pool", "powers-have-no-such-setting"),
        ({"roll": {"traits": ["generation"]}}, "roll.traits", "is-never-rolled"),
        ({"roll": {"traits": ["brawl"]}}, "roll.traits", "roll-ability-together-with-attribute"),
        ({"roll": {"traits": ["wits"], "difficulty": 11}}, "roll.difficulty", "whole-number-from-to"),
        ({"roll": {"traits": ["wits"], "resist": ["wits"]}}, "roll.resist", "power-is-aimed-at-nobody"),
        ({"roll": {"traits": ["wits"], "difficulty_of": ["wits"]}}, "roll.difficulty_of", "power-is-aimed-at-nobody"),
        ({"lasts": "hours"}, "hours", "enter-number-of-hours"),
        ({"turns_per": "successes"}, "turns_per", "power-takes-no-roll"),
        ({"timing": "always", "costs": [{"resource": "blood"}]}, "costs", "always-on-power-costs-nothing"),
        ({"timing": "always", "roll": {"traits": ["wits"]}}, "roll", "always-on-power-takes-no-roll"),
        ({"timing": "always", "reach": "one"}, "reach", "always-on-power-is-aimed-at-nobody"),
        ({"effects": []}, "effects", "add-at-least-one-effect"),
        ({"effects": [SOAK] * (MOST_EFFECTS + 1)}, "effects", "choose-at-most"),
    ],
)
def test_what_cannot_be_is_refused_with_its_path(wrong, path, says):
    assert refused(**wrong) == (path, says)


@pytest.mark.parametrize(
    ("wrong", "path", "says"),
    [
        ({}, "does", "choose-one-of-options"),
        ({"does": "fly"}, "does", "choose-one-of-options"),
        ({**SOAK, "weapon": {}}, "weapon", "effect-has-no-such-setting"),
        ({**SOAK, "amount": 0}, "amount", "enter-number-other-than-0"),
        ({**SOAK, "amount": 11}, "amount", "whole-number-from-to"),
        ({**SOAK, "does": "successes", "amount": -1}, "amount", "whole-number-from-to"),
        ({**SOAK, "pools": []}, "pools", "choose-pools-that-it-changes"),
        ({**SOAK, "pools": ["luck"]}, "pools", "choose-one-of-options"),
        ({**SOAK, "traits": ["luck"]}, "traits", "sheet-has-no-trait-called"),
        ({**SOAK, "per": "successes"}, "per", "power-takes-no-roll"),
        ({**SOAK, "per": "points"}, "per", "power-has-no-variable-cost"),
        ({**SOAK, "on_target": True}, "on_target", "power-is-aimed-at-nobody"),
        ({**SOAK, "on_target": "yes"}, "on_target", "choose-yes-or-no"),
        ({"does": "trait", "amount": 1}, "traits", "choose-trait-that-it-changes"),
        ({"does": "damage"}, "damage", "choose-one-type-of-damage"),
        ({"does": "damage", "damage": ["lethal", "bashing"]}, "damage", "choose-one-type-of-damage"),
        ({"does": "damage", "tags": [f"t{n}" for n in range(11)]}, "tags", "choose-at-most"),
        ({"does": "weapon"}, "weapon.name", "enter-a-name"),
        ({"does": "weapon", "weapon": {"name": "x", "ability": "luck"}}, "weapon.ability", "sheet-has-no-trait-called"),
        ({"does": "weapon", "weapon": {"name": "x", "range": [1, 2]}}, "weapon.range", "enter-one-distance-or-three"),
        ({"does": "weapon", "weapon": {"name": "x", "range": ["1"]}}, "weapon.range", "enter-one-distance-or-three"),
        ({"does": "weapon", "weapon": {"name": "x", "range": [0]}}, "weapon.range", "whole-number-from-to"),
        ({"does": "armor", "armor": {"name": "x"}}, "armor.rating", "enter-number-other-than-0"),
        ({"does": "condition"}, "condition", "choose-condition"),
        ({"does": "condition", "condition": "torpor"}, "condition", "condition-follows-from-harm"),
        ({"does": "sight"}, "lifts", "choose-circumstances-that-no-longer-hinder"),
        ({"does": "sight", "lifts": ["love"]}, "lifts", "choose-circumstances-that-no-longer-hinder"),
    ],
)
def test_a_wrong_effect_is_refused_with_its_path(wrong, path, says):
    assert refused(effects=[SOAK, wrong]) == (f"effects.1.{path}", says)


@pytest.mark.parametrize(
    "effect",
    [
        CLAWS,
        {"does": "armor", "armor": {"name": "Hide", "rating": 2}},
        {"does": "condition", "condition": "prone"},
        {"does": "cure", "condition": "prone"},
        {"does": "heal", "amount": 1},
        {"does": "actions", "amount": 1},
    ],
    ids=lambda effect: effect["does"],
)
def test_what_a_use_brings_is_refused_for_one_that_is_always_on(effect):
    assert refused(timing="always", effects=[effect]) == ("effects.0.does", "effect-needs-power-that-is-used")
    assert read(effects=[effect]).effects[0].does == effect["does"]


def test_what_lasts_is_refused_for_one_that_is_over_at_once():
    assert refused(lasts="at_once") == ("effects.0.does", "effect-needs-duration")
    power = read(lasts="at_once", effects=[{"does": "heal"}, {"does": "condition", "condition": "prone"}])
    assert [each.does for each in power.effects] == [Does.HEAL, Does.CONDITION]


def test_a_family_without_difficulty_refuses_it_by_name():
    assert not has_difficulty(CHRONICLES)
    assert refused(CHRONICLES, effects=[{**SOAK, "does": "difficulty"}]) == (
        "effects.0.does",
        "ruleset-has-no-such-effect",
    )
    assert read(CHRONICLES, effects=[{**SOAK, "does": "successes"}]).effects[0].amount == 2
    for key, value in (("difficulty", 6), ("resist_difficulty", 6), ("difficulty_of", ["wits"])):
        wrong = {"traits": ["wits", "occult"], key: value}
        assert refused(CHRONICLES, reach="one", roll=wrong) == (f"roll.{key}", "rolls-have-no-difficulty-in-ruleset")
    bare = replace(CHRONICLES, layout=replace(CHRONICLES.layout, lists=()))
    assert refused(bare, entry="Claws") == ("entry", "sheets-have-no-list-that-rules-read")


def test_damage_becomes_milder_only_where_successes_are_the_damage():
    milder = {"does": "soften", "amount": 2, "damage": ["bashing", "aggravated"]}
    assert refused(effects=[milder]) == ("effects.0.does", "ruleset-has-no-such-effect")
    assert read(CHRONICLES, effects=[milder]).effects[0].damage == {Damage.AGGRAVATED}
    wrong = {**milder, "damage": ["bashing"]}
    assert refused(CHRONICLES, effects=[wrong]) == ("effects.0.damage", "choose-lethal-or-aggravated")


def test_settings_of_files_are_read():
    effect = {**SOAK, "needs": 2, "least": 3, "weapons": ["Cold iron"]}
    power = read(effects=[effect], roll={"traits": ["wits"]}, frail=True, beyond=True, spares_below="wits")
    assert (power.frail, power.beyond, power.spares_below) == (True, True, "wits")
    assert power.effects[0] == Effect(
        Does.DICE, 2, pools=frozenset({Pool.SOAK}), weapons=frozenset({"cold_iron"}), needs=2, least=3
    )
    assert refused(spares_below="luck") == ("spares_below", "sheet-has-no-trait-called")
    assert refused(effects=[effect]) == ("effects.0.needs", "power-takes-no-roll")
    assert refused(effects=[{"does": "ease", "lifts": ["love"]}]) == ("effects.0.lifts", "choose-penalty-of-wounds")
    strong = {"does": "condition", "condition": "hiding", "amount": 2}
    assert read(effects=[strong]).effects[0].amount == 2


def test_all_are_checked_together():
    given_ = {"own_a": {"label": "A", "effects": [SOAK]}, "own_b": {"label": "B", "effects": [SOAK]}}
    assert [each.key for each in read_powers(given_, MASQUERADE)] == ["own_a", "own_b"]
    with pytest.raises(BadOption) as bad:
        read_powers({**given_, "own_c": {"label": "C"}}, MASQUERADE)
    assert bad.value.key == "own_c.effects"
    one = read()
    for label in ("iron SKIN", "Potence"):
        with pytest.raises(BadOption) as bad:
            check_powers([one, replace(one, key="own_y", label=label)], MASQUERADE)
        assert (bad.value.key, bad.value.message.id) == ("label", "there-is-already-power-called")
    many = [replace(one, key=str(number), label=str(number)) for number in range(MOST_POWERS + 1)]
    with pytest.raises(BadOption) as bad:
        check_powers(many, MASQUERADE)
    assert bad.value.message.id == "chronicle-can-have-at-most-powers"


def test_a_key_is_made_from_the_name_and_stays_free():
    assert key_of("Iron Skin", (), "own_") == "own_iron_skin"
    assert key_of("Iron skin!", {"own_iron_skin", "own_iron_skin_2"}, "own_") == "own_iron_skin_3"
    assert len(key_of("x" * 90, (), "own_")) == LONGEST_KEY
    with pytest.raises(BadOption) as bad:
        key_of("!!", ())
    assert bad.value.key == "label"


def test_removed_ones_are_left_out():
    stored = {"a": {"label": "A"}, "b": {"label": "B", "gone": True}, "c": {"label": "C", "gone": False}}
    assert without_gone(stored) == {"a": {"label": "A"}, "c": {"label": "C"}}
    assert without_gone(stored, gone=True) == {"b": {"label": "B"}}
    assert without_gone(stored, gone=None).keys() == stored.keys()


def test_the_rulesets_powers_can_be_copied():
    copied = {each.key for each in copyable(MASQUERADE)}
    assert {"potence", "feral_claws"} <= copied
    assert "blood_buff" not in copied  # no setting says what its ceiling depends on
    strange = replace(MASQUERADE.powers[0], rating=99)
    assert copyable(replace(MASQUERADE, powers=(strange,))) == ()
    unknown = replace(strange, rating=1, effects=(replace(strange.effects[0], does="sings"),))
    assert copyable(replace(MASQUERADE, powers=(unknown,))) == ()


def test_a_list_of_words_has_each_once():
    assert Given({"a": ["x", "y", "x"]}).words("a") == ("x", "y")


# ------------------------------------------------------------------ the law: what is written is read as it was


def some(of, least=0):
    return st.lists(st.sampled_from(sorted(of)), min_size=least, max_size=3, unique=True)


names = st.text("abc déß12", min_size=1, max_size=20).filter(lambda text: text.strip())


@st.composite
def powers(draw, system):
    rolled = [each.key for each in system.layout.traits() if each.category is not Category.FACT]
    attributes = [each.key for each in system.layout.traits() if each.category is Category.ATTRIBUTE]
    timing = draw(st.sampled_from(Timing))
    always = timing is Timing.ALWAYS
    told = {
        "label": draw(names),
        "source": draw(st.sampled_from(Source)).value,
        "rating": draw(st.integers(1, 5)),
        "kinds": draw(some(system.kinds)),
        "timing": timing.value,
        "lasts": draw(st.sampled_from([Lasts.ATTACK, Lasts.TURN, Lasts.SCENE, Lasts.HOURS])).value,
        "hours": draw(st.integers(1, 24)),
        "turns": draw(st.integers(1, 9)),
        "notice": draw(st.sampled_from(Notice)).value,
        "frail": draw(st.booleans()),
        "beyond": draw(st.booleans()),
        "spares_below": draw(st.sampled_from(["", rolled[0]])),
        **draw(st.sampled_from([{}, {"trait": rolled[0]}])),
    }
    if "trait" not in told and any(each.read for each in system.layout.lists):
        told["entry"] = draw(st.sampled_from(["", "Cold iron"]))
    if not always:
        told["reach"] = draw(st.sampled_from(Reach)).value
        costs = draw(st.lists(st.sampled_from([each.key for each in system.layout.resources]), max_size=2))
        told["costs"] = [{"resource": each, "amount": draw(st.integers(1, 3))} for each in costs]
        told["points"] = draw(st.integers(0, 3)) if costs else 0
        if draw(st.booleans()):
            told["roll"] = {"traits": [draw(st.sampled_from(attributes))]}
            if has_difficulty(system):
                told["roll"]["difficulty"] = draw(st.integers(3, 9))
    told["effects"] = draw(st.lists(effects(system, rolled, told), min_size=1, max_size=3))
    return told


@st.composite
def effects(draw, system, rolled, power):
    always = power["timing"] == "always"
    used = {Does.WEAPON, Does.ARMOR, Does.CONDITION, *AT_ONCE}
    does = draw(st.sampled_from([each for each in offered_effects(system) if not (always and each in used)]))
    told = {"does": does.value, "on_target": power.get("reach", "self") != "self" and draw(st.booleans())}
    told |= {"least": draw(st.integers(0, 3)), "needs": draw(st.integers(0, 3)) if power.get("roll") else 0}
    pers = [Per.ONCE, Per.RATING]
    pers += [Per.SUCCESSES] if power.get("roll") else []
    pers += [Per.POINTS] if power.get("points") else []
    if does in POOLED | {Does.TRAIT, Does.HEAL, Does.ACTIONS, Does.SOFTEN, Does.EASE, *STRENGTHS}:
        told |= {"amount": draw(st.integers(1, 5)), "per": draw(st.sampled_from(pers)).value}
    kinds = draw(some(Damage))
    if does in POOLED:
        told |= {"pools": draw(some(Pool, 1)), "traits": draw(some(rolled)), "modes": draw(some(Mode)), "damage": kinds}
    more = {
        Does.TRAIT: {"traits": draw(some(rolled, 1)), "most": draw(st.integers(0, 9))},
        Does.DAMAGE: {"damage": [draw(st.sampled_from(Damage)).value], "tags": draw(some(["silver", "fire"]))},
        Does.WEAPON: {
            "weapon": {
                "name": draw(names),
                "mode": draw(st.sampled_from(Mode)).value,
                "damage": draw(st.integers(0, 5)),
                "damage_from": draw(st.sampled_from(["", rolled[0]])),
                "range": draw(st.sampled_from([[], [10], [10, 20, 40]])),
                "two_handed": draw(st.booleans()),
                "clip": draw(st.sampled_from([None, 5])),
                "tags": draw(some(["silver", "cold iron"])),
            }
        },
        Does.ARMOR: {"armor": {"name": draw(names), "rating": draw(st.integers(1, 5)), "ballistic": None}},
        Does.CONDITION: {"condition": draw(st.sampled_from(bringable(system)))},
        Does.CURE: {"condition": draw(st.sampled_from(bringable(system)))},
        Does.HEAL: {"damage": kinds},
        Does.SOFTEN: {"damage": [Damage.LETHAL.value]},
        Does.SIGHT: {"lifts": draw(some(circumstances(system), 1))},
    }
    return told | more.get(does, {})


@pytest.mark.parametrize("system", RULESETS.values(), ids=list(RULESETS))
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_is_read_as_it_was(system, data):
    power = read_power("own_x", data.draw(powers(system)), system)
    plain = written(power)
    assert plain.keys() <= KEYS
    assert read_power("own_x", plain, system) == power
    assert written(read_power("own_x", plain, system)) == plain
    assert len(power_words.effects_of(power, system)) == len(power.effects)
    told = (power_words.cost_of(power, system), power_words.roll_of(power, system), power_words.duration_of(power))
    assert all(isinstance(each, str) for each in told)
