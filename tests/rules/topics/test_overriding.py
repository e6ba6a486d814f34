"""Overriding a rolled attack, with later rows merged onto it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from rules.decide import decide
from rules.engine.messages import Command, Event, replay
from rules.engine.violations import Referee, RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.past import Past
from rules.model.results import Outcome
from rules.model.state import Encounter
from rules.model.system import Game, System
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.attacks.mishaps import Mishap
from rules.topics.attacks.overriding import rework
from rules.topics.attacks.past import SameFaces, past_of
from rules.topics.commands import (
    Act,
    AnswerAttack,
    ChangeConditions,
    ChooseMishap,
    Delay,
    Harm,
    Heal,
    Join,
    Leave,
    Newcomer,
    OverrideAttack,
    ProposeAttack,
    SetHealth,
)
from rules.topics.events import AttackOverridden, AttackResolved, ConditionsChanged, MishapPending, RankMoved
from tests.rules.table import KNIFE, PISTOL, Table, Written, mortal, only


class Logged(Table):
    """A table that keeps its log, so that an earlier row can be overridden."""

    def __init__(self, ruleset: System = MASQUERADE, **more: Any) -> None:
        self.rows: list[tuple[Encounter, Command, tuple[Event, ...]]] = []
        super().__init__(ruleset, **more)

    def does(self, command: Command, *, waive: Iterable[str] = (), why: str = "", **dice: Any) -> tuple[Event, ...]:
        before = self.state
        events = super().does(command, waive=waive, why=why, **dice)
        self.rows.append((before, command, events))
        return events

    def past(self, resolution: str = "r1") -> Past | None:
        for place, (before, command, events) in enumerate(self.rows):
            if any(isinstance(each, AttackResolved) and each.resolution == resolution for each in events):
                since = tuple(each for _, _, each in self.rows[place + 1 :])
                return past_of(resolution, before, command, events, since)
        return None

    def overrides(self, target: str, resolution: str = "r1", dice: Any = None, **said: Any) -> AttackOverridden:
        command = OverrideAttack(resolution, target, **said)
        written = Written(dice or {})
        events = decide(self.state, command, self.ruleset, written, past=self.past(resolution))
        written.check_used_up()
        self.rows.append((self.state, command, events))
        self.state = replay(self.state, events)
        return only(AttackOverridden, events)

    def touched(self, target: str, **said: Any) -> tuple[int, ...]:
        game = Game(self.state, self.ruleset, Written({}), Referee(), self.past())
        return rework(game, OverrideAttack("r1", target, **said)).touched


def brawl(**more: Any) -> Logged:
    """Ann stabs Ben: four levels, which a mortal doesn't soak."""
    table = Logged(
        ann=mortal(dexterity=3, melee=2, strength=2, weapons=(KNIFE,)),
        ben=mortal(dexterity=2, dodge=2, stamina=2),
        **more,
    )
    table.attacks("ann", "ben", "knife", attack=[6, 6, 2, 2, 2], damage=[7, 7, 8, 9])
    return table


# ------------------------------------------------------------------ the numbers


def test_fewer_successes_roll_fewer_of_the_same_dice():
    table = brawl()
    assert table.health("ben") == "XXXX"
    told = table.overrides("ben", successes=1)
    assert told.after.net == 1
    assert told.after.done
    assert told.after.done.damage
    assert told.after.done.damage.roll.faces == (7, 7, 8)
    assert table.health("ben") == "XXX"


def test_more_successes_than_dice_fell_roll_the_ones_that_are_lacking():
    table = brawl()
    table.overrides("ben", successes=3, dice={"damage": [9]})
    assert table.health("ben") == "XXXXX"


def test_a_hit_that_was_none_leaves_nothing():
    table = brawl()
    told = table.overrides("ben", outcome="miss", why="He was behind the door.")
    assert (told.before.outcome, told.after.outcome, told.after.done) == (Outcome.HIT, Outcome.MISS, None)
    assert (table.health("ben"), told.why) == ("", "He was behind the door.")


def test_a_miss_that_hits_all_the_same_is_one_ahead_of_the_defence():
    table = Logged(ann=mortal(dexterity=3, brawl=2, strength=2), ben=mortal(dexterity=2, dodge=2))
    command = Attack("ann", ("ben",), defences={"ben": Defence("dodge")})
    table.does(command, attack=[6, 6, 2, 2, 2], defence=[7, 7, 2, 2])
    assert table.health("ben") == ""
    told = table.overrides("ben", outcome="hit", dice={"damage": [8, 8], "soak": [2]})
    assert (told.after.attack.roll.successes, told.after.taken_off, told.after.net) == (3, 2, 1)
    assert table.health("ben") == "//"


def test_levels_soak_and_boxes_follow_from_one_another():
    table = Logged(ann=mortal(strength=3, brawl=2, dexterity=3), ben=mortal(stamina=3))
    table.attacks("ann", "ben", attack=[6, 2, 2, 2, 2], damage=[6, 6, 6], soak=[6, 2, 2])
    assert table.health("ben") == "//"
    table.overrides("ben", soaked=0)
    assert table.health("ben") == "///"
    table.overrides("ben", levels=5)
    assert table.health("ben") == "////"
    told = table.overrides("ben", dealt=1)
    assert (told.before.done.dealt, told.after.done.dealt) == (4, 1)  # type: ignore[union-attr]
    assert table.health("ben") == "/"


def test_damage_without_a_hit_makes_it_one():
    table = Logged(ann=mortal(brawl=2, dexterity=2), ben=mortal())
    table.attacks("ann", "ben", attack=[2, 2, 2, 2])
    table.overrides("ben", dealt=2, dice={"damage": [2]})
    assert table.health("ben") == "//"


def test_a_botch_brings_its_mishap_and_takes_it_away_again():
    table = brawl()
    table.overrides("ben", outcome="botch")
    assert [each.resolution for each in table.state.mishaps] == ["r1"]
    table.overrides("ben", outcome="miss")
    assert table.state.mishaps == ()


def test_a_botch_that_was_none_needs_no_mishap():
    table = Logged(ann=mortal(brawl=2, dexterity=2), ben=mortal())
    events = table.does(Attack("ann", ("ben",)), attack=[1, 2, 2, 2])
    assert only(MishapPending, events)
    table.overrides("ben", outcome="hit", dice={"damage": [8], "soak": [2]})
    assert (table.state.mishaps, table.health("ben")) == ((), "/")


def test_what_falls_stands_again_and_the_log_says_so():
    table = Logged(ann=mortal(strength=4, melee=3, dexterity=3, weapons=(KNIFE,)), ben=mortal("XXXXX"))
    table.attacks("ann", "ben", "knife", attack=[6, 2, 2, 2, 2, 2], damage=[6, 6, 2, 2, 2])
    assert "incapacitated" in table.conditions("ben") | {"incapacitated"}
    fallen = table.conditions("ben")
    table.does(ChangeConditions("ben", add=frozenset({"prone"})))
    command = OverrideAttack("r1", "ben", dealt=0)
    events = decide(table.state, command, MASQUERADE, Written({}), past=table.past())
    changed = only(ConditionsChanged, events)
    assert changed.removed == fallen
    assert changed.conditions == {"prone"}


def test_an_attack_that_was_announced_is_found_by_its_exchange():
    table = Logged(ann=mortal(brawl=2, dexterity=2, strength=2), ben=mortal(dexterity=2, dodge=1))
    table.does(ProposeAttack("x", Attack("ann", ("ben",))))
    table.does(AnswerAttack("x", "ben", Defence("")), attack=[6, 2, 2, 2], damage=[6, 6], soak=[2])
    table.overrides("ben", dealt=1)
    assert table.health("ben") == "/"
    assert table.state.exchanges == ()


def test_an_attack_that_nobody_answers_is_found_by_itself():
    table = Logged(DARKNESS, ann=mortal(strength=3, brawl=2), ben=mortal(size=5, stamina=2))
    table.does(ProposeAttack("x", Attack("ann", ("ben",))), attack=[8, 8, 2])
    table.overrides("ben", successes=5)
    assert table.health("ben") == "/////"


def test_rounds_that_were_fired_stay_fired():
    table = Logged(ann=mortal(dexterity=3, firearms=2, weapons=(PISTOL,)), ben=mortal())
    table.attacks("ann", "ben", "pistol", attack=[6, 2, 2, 2, 2], damage=[6, 6, 6, 6])
    table.overrides("ben", outcome="miss")
    assert (table.weapon("ann", "pistol").rounds, table.health("ben")) == (6, "")


def test_points_that_were_paid_stay_paid():
    ann = mortal(dexterity=2, brawl=2, strength=2, willpower=5, resources={"willpower": 3})
    table = Logged(ann=ann, ben=mortal())
    table.attacks("ann", "ben", "", "willpower", attack=[2, 2, 2, 2], damage=[2, 2])
    table.overrides("ben", outcome="miss")
    assert table.sheet("ann").resources["willpower"] == 2


def test_a_place_in_the_turn_that_was_taken_stays_taken():
    fast = mortal(dexterity=3, composure=3, strength=2, brawl=2, size=5, stamina=2)
    table = Logged(DARKNESS, ann=fast, ben=mortal(size=5, stamina=2))
    table.initiative(ann=9, ben=1)
    table.does(Act())
    table.does(Delay("ann"))
    table.does(Act())
    events = table.does(Attack("ann", ("ben",)), attack=[8, 2])
    moved = only(RankMoved, events)
    table.overrides("ben", outcome="miss")
    assert table.state.order == moved.order
    assert table.health("ben") == ""


def test_chance_goes_on_where_faces_do_not_decide():
    assert SameFaces({}, Written({}, picks=[1])).pick(3) == 1


# ------------------------------------------------------------------ later rows


def test_later_damage_comes_on_top():
    table = brawl()
    table.does(Harm("ben", 2, Damage.BASHING))
    assert table.health("ben") == "XXXX//"
    assert table.touched("ben", outcome="miss") == (0,)
    table.overrides("ben", dealt=1)
    assert table.health("ben") == "X//"


def test_later_damage_fills_the_boxes_as_it_would_have():
    table = brawl()
    table.does(Harm("ben", 5, Damage.BASHING))
    assert table.health("ben") == "XXXXXX/"
    table.overrides("ben", outcome="miss")
    assert table.health("ben") == "/////"
    assert "incapacitated" not in table.conditions("ben")


def test_later_healing_takes_what_is_there():
    table = brawl()
    table.does(Heal("ben", 3, Damage.LETHAL))
    table.overrides("ben", dealt=2)
    assert table.health("ben") == ""


def test_what_the_storyteller_put_as_it_should_be_stays():
    table = brawl()
    table.does(SetHealth("ben", (Damage.AGGRAVATED,)))
    table.overrides("ben", outcome="miss")
    assert table.health("ben") == "*"


def test_later_attacks_keep_their_rolls():
    table = brawl(cid=mortal(brawl=2, dexterity=2, strength=1))
    later = table.attacks("cid", "ben", attack=[6, 6, 2, 2], damage=[6, 6], soak=[2, 2])
    table.overrides("ben", dealt=1)
    assert later.done
    assert later.done.dealt == 2
    assert table.health("ben") == "X//"
    table.overrides("ben", "r2", dealt=1)
    assert table.health("ben") == "X/"
    table.overrides("ben", dealt=3)
    assert table.health("ben") == "XXX/"


def test_conditions_come_and_go_as_they_did():
    table = brawl()
    table.does(ChangeConditions("ben", add=frozenset({"prone", "stunned"})))
    table.does(ChangeConditions("ben", remove=frozenset({"stunned"})))
    table.overrides("ben", dealt=1)
    assert (table.health("ben"), table.conditions("ben")) == ("X", {"prone"})


def test_who_came_and_who_went_since_is_as_it_is():
    table = brawl(cid=mortal())
    table.does(Join((Newcomer("dee", mortal()),)))
    table.does(Leave("cid"))
    table.overrides("ben", dealt=1)
    assert set(table.state.combatants) == {"ann", "ben", "dee"}


def test_nobody_botches_with_dice_that_do_not():
    table = Logged(DARKNESS, ann=mortal(strength=2, brawl=2), ben=mortal(size=5))
    table.does(Attack("ann", ("ben",)), attack=[8, 2])
    with pytest.raises(RuleViolation):
        table.overrides("ben", outcome="botch")


@pytest.mark.parametrize("ruleset", [MASQUERADE, APOCALYPSE])
def test_nothing_waits_for_whoever_went_since(ruleset):
    table = Logged(ruleset, ann=mortal(brawl=2, dexterity=2), ben=mortal())
    table.does(Attack("ann", ("ben",)), attack=[2, 2, 2, 2])
    table.does(Leave("ann"))
    assert table.overrides("ben", outcome="botch").after.outcome is Outcome.BOTCH
    assert table.state.mishaps == ()


def test_a_mishap_that_was_settled_since_stays_settled():
    table = Logged(ann=mortal(brawl=2, dexterity=2, strength=2), ben=mortal())
    table.does(Attack("ann", ("ben",)), attack=[1, 2, 2, 2])
    table.does(ChooseMishap("r1", Mishap.FALL))
    table.overrides("ben", outcome="hit", dice={"damage": [8, 2], "soak": [2]})
    assert (table.health("ben"), table.conditions("ann"), table.state.mishaps) == ("/", {"prone"}, ())


def test_one_attack_of_several_is_put_right_alone():
    thug = mortal(brawl=2, dexterity=2, strength=2)
    table = Logged(one=thug, two=thug, ben=mortal())
    table.does(
        Attack("one", ("ben",), others=("two",)),
        attack={"one": [6, 2, 2, 2], "two": [6, 2, 2, 2]},
        damage={"one": [6, 2], "two": [6, 6]},
        soak={"ben": [2, 2]},
    )
    assert table.health("ben") == "///"
    assert table.touched("ben", outcome="miss") == (0,)
    table.overrides("ben", dealt=3)
    assert table.health("ben") == "/////"
    table.overrides("ben", "r2", outcome="miss")
    assert table.health("ben") == "///"
    table.overrides("ben", outcome="miss")
    assert table.health("ben") == ""


# ------------------------------------------------------------------ the other rulesets


def test_in_apocalypse_armour_breaks_by_what_it_came_to():
    jacket = Armor("jacket", 1)
    blade = Weapon("sabre", Mode.MELEE, 3, "strength", Damage.LETHAL)
    table = Logged(
        APOCALYPSE,
        ann=mortal(dexterity=3, melee=2, strength=3, weapons=(blade,)),
        ben=mortal(stamina=2, armor=(jacket,)),
    )
    table.attacks("ann", "ben", "sabre", attack=[6, 2, 2, 2, 2], damage=[6, 6, 2, 2, 2, 2], soak=[2])
    assert [each.destroyed for each in table.sheet("ben").armor] == [True]
    table.overrides("ben", levels=1)
    assert [each.destroyed for each in table.sheet("ben").armor] == [False]


def test_in_chronicles_the_steps_make_damage_of_the_successes_that_are_said():
    table = Logged(CHRONICLES, ann=mortal(strength=3, brawl=2), ben=mortal(size=5, stamina=2))
    table.attacks("ann", "ben", attack=[8, 2, 2])
    told = table.overrides("ben", successes=3)
    assert told.after.done
    assert told.after.done.told
    assert table.health("ben") == "///"
    assert table.overrides("ben", outcome="dramatic_failure").after.outcome is Outcome.DRAMATIC_FAILURE
    assert table.health("ben") == ""
    assert table.overrides("ben", successes=5).after.outcome is Outcome.EXCEPTIONAL
    assert table.overrides("ben", soaked=2).after.done.dealt == 3  # type: ignore[union-attr]


def test_where_injuries_are_kept_one_by_one_the_injury_is_another():
    table = Logged(WOUNDS, ann=mortal(dexterity=3, brawl=2, strength=3), ben=mortal(stamina=2))
    table.attacks("ann", "ben", attack=[6, 6, 6, 6, 2])
    first = [each.level for each in table.sheet("ben").injuries]
    assert first
    table.does(Harm("ben", 4, Damage.LETHAL))
    table.overrides("ben", dealt=1)
    assert [each.level for each in table.sheet("ben").injuries] == [4, 1]
    table.overrides("ben", dealt=6)
    assert [each.level for each in table.sheet("ben").injuries] == [6, 4]
    table.overrides("ben", outcome="miss")
    assert [each.level for each in table.sheet("ben").injuries] == [4]


# ------------------------------------------------------------------ what cannot be


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"dealt": 4},
        {"outcome": "hit"},
        {"successes": -1},
        {"successes": 51},
        {"levels": 1000},
        {"outcome": "glory"},
        {"outcome": "miss", "dealt": 2},
    ],
)
def test_what_is_refused(said):
    table = brawl()
    with pytest.raises(RuleViolation) as refused:
        table.overrides("ben", **said)
    assert refused.value.rule == "input"


@pytest.mark.parametrize(("target", "resolution"), [("ann", "r1"), ("ben", "r2"), ("nobody", "r1")])
def test_only_what_was_an_attack_is_put_right(target, resolution):
    with pytest.raises(RuleViolation):
        brawl().overrides(target, resolution, dealt=1)
