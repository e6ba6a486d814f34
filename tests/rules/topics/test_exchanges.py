"""An attack as a conversation: the steps between its announcement and its dice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.state import ASK, NO_DEFENCE, Step
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import (
    Abort,
    AnswerAttack,
    AnswerByDefault,
    ApproveAttack,
    ChangeAttack,
    ChangeConditions,
    Declare,
    End,
    EndTurn,
    Harm,
    ProposeAttack,
    ResolveAttack,
    ReviseSheet,
    SendBackAttack,
    SetDefaultDefence,
    Spend,
    WithdrawAttack,
)
from rules.topics.events import (
    Aspect,
    AttackAnswered,
    AttackApproved,
    AttackChanged,
    AttackProposed,
    AttackResolved,
    AttackSentBack,
    Change,
    DefaultDefenceSet,
    RulesWaived,
)
from tests.rules.systems.second_edition import firefight
from tests.rules.systems.storytelling.table import sheet
from tests.rules.systems.storytelling.table import table as darkness
from tests.rules.table import BOW, CLUB, KNIFE, PISTOL, Table, mortal, only, strike_at


def brawl(**bob: object) -> Table:
    return Table(
        players=("ann", "cy"),
        ann=mortal(dexterity=1, weapons=(KNIFE, PISTOL, BOW)),
        bob=mortal(**({"dexterity": 2, "dodge": 1, "melee": 2} | bob)),
        cy=mortal(stamina=2, dodge=1),
    )


def announced(table: Table, *strikes: object, **more: object) -> Table:
    """Ann announces an attack on Bob that needs the Storyteller's approval."""
    attack = strike_at("ann", "bob", *strikes, **more)  # type: ignore[arg-type]
    table.does(ProposeAttack("x", attack, approval=True))
    return table


# ------------------------------------------------------------------ approval


def test_nobody_is_asked_before_the_storyteller_approves():
    table = announced(brawl())
    (exchange,) = table.state.exchanges
    assert (exchange.step, exchange.asked) == (Step.PENDING, ())
    table.refuses("input", AnswerAttack("x", "bob", Defence("dodge")))
    table.refuses("input", AnswerByDefault("x", "bob"))
    table.refuses("input", ResolveAttack("x"))
    told = only(AttackApproved, table.does(ApproveAttack("x")))
    assert (told.exchange.step, told.exchange.asked) == (Step.APPROVED, ("bob",))
    table.refuses("input", ApproveAttack("x"))
    table.refuses("input", AnswerByDefault("x", "ann"))
    assert only(AttackResolved, table.does(AnswerAttack("x", "bob", Defence()), attack=[2])).exchange == "x"


def test_what_is_refused_to_a_target_is_the_same_whether_an_attack_is_pending_or_there_is_none():
    pending, none = announced(brawl()), brawl()
    answer = AnswerAttack("x", "bob", Defence("dodge"))
    assert pending.refuses("input", answer) == none.refuses("input", answer)


def test_an_attack_that_cannot_be_made_is_not_even_laid_before_the_storyteller():
    """MQ-DEF-2's neighbours: the plan is checked when it is announced, and again when it is approved."""
    fallen = brawl()
    fallen.does(Harm("ann", 7, Damage.LETHAL))
    fallen.refuses("MQ-HEALTH-1", ProposeAttack("x", strike_at("ann", "bob"), approval=True))
    table = announced(brawl())
    table.does(Harm("ann", 7, Damage.LETHAL))
    table.refuses("MQ-HEALTH-1", ApproveAttack("x"))


def test_where_nobody_has_an_answer_approval_is_the_last_word():
    table = darkness(ann=sheet(), bob=sheet())
    table.does(ProposeAttack("x", strike_at("ann", "bob"), approval=True))
    assert only(AttackResolved, table.does(ApproveAttack("x"), attack=[1])).exchange == "x"
    assert table.state.exchanges == ()


def test_dice_of_the_table_are_awaited_after_approval_too():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True, approval=True))
    table.does(ApproveAttack("x"))
    table.does(AnswerAttack("x", "bob", Defence()))
    assert only(AttackResolved, table.does(ResolveAttack("x"), attack=[2]))


def test_pending_attacks_lapse_with_the_turn():
    table = announced(brawl())
    table.does(EndTurn())
    assert table.state.exchanges == ()


def test_pending_attacks_lapse_with_the_fight():
    table = announced(brawl())
    table.does(End())
    assert table.state.exchanges == ()


def test_what_was_let_go_by_for_an_attack_holds_until_it_is_rolled():
    """MQ-HEALTH-1."""
    table = brawl()
    table.does(Harm("ann", 7, Damage.BASHING))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob")), waive={"MQ-HEALTH-1"})
    assert only(RulesWaived, told).flags
    assert table.state.exchanges[0].waived == {"MQ-HEALTH-1"}
    told = table.does(AnswerAttack("x", "bob", Defence("dodge")), defence=[2, 2, 2])
    assert only(AttackResolved, told)


def test_what_was_let_go_by_for_an_attack_is_no_leave_for_its_target():
    """MQ-HEALTH-1: Bob is out of action as well, and nobody has waived that."""
    table = brawl()
    for who in ("ann", "bob"):
        table.does(Harm(who, 7, Damage.BASHING))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob")), waive={"MQ-HEALTH-1"})
    assert only(AttackResolved, told).results[0].defence is None
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True), waive={"MQ-HEALTH-1"})
    table.refuses("MQ-HEALTH-1", AnswerAttack("x", "bob", Defence("dodge")))


def test_what_was_let_go_by_for_an_answer_holds_until_the_tables_dice_are_typed():
    """MQ-HEALTH-1."""
    table = brawl()
    table.does(Harm("bob", 7, Damage.BASHING))
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True))
    table.does(AnswerAttack("x", "bob", Defence("dodge")), waive={"MQ-HEALTH-1"})
    assert only(AttackResolved, table.does(ResolveAttack("x"), attack=[2]))


def test_what_has_become_of_the_attacker_is_not_for_the_target_to_hear():
    """Ann falls while Bob is asked: his answer is accepted, and the rest is up to the Storyteller."""
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    table.does(Harm("ann", 7, Damage.LETHAL))
    assert not [
        told for told in table.does(AnswerAttack("x", "bob", Defence("dodge"))) if isinstance(told, AttackResolved)
    ]
    assert table.state.exchanges[0].asked == ()
    table.refuses("MQ-HEALTH-1", ResolveAttack("x"))


# ------------------------------------------------------------------ who is asked


def test_who_has_only_one_answer_is_not_asked():
    """MQ-HEALTH-1, MQ-DEF-2: an incapacitated target can't defend."""
    table = brawl()
    table.does(Harm("cy", 7, Damage.BASHING))
    assert only(AttackResolved, table.does(ProposeAttack("x", strike_at("ann", "cy")), attack=[2]))
    assert table.state.exchanges == ()


def test_who_has_no_defense_is_not_asked_about_it_unless_dodging_brings_some():
    """CD-DEF-4, CD-DODGE-1: after two attacks Defense 2 is 0, and a dodge takes two dice off."""
    fists = {"ann": mortal(strength=3, brawl=3), "bob": mortal(dexterity=2, wits=2)}
    table = firefight.table(**fists)
    for dice in (4, 5):
        table.does(strike_at("ann", "bob"), attack=[2] * dice)
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert table.state.exchanges[0].asked == ("bob",)
    table.does(AnswerAttack("x", "bob", Defence("dodge")), attack=[2] * 4)

    far = firefight.table(bob=mortal(dexterity=3, wits=3))
    shot = ProposeAttack("y", firefight.shot("bob", "pistol", distance=9))
    assert only(AttackResolved, far.does(shot, attack=[2] * 6))


def test_who_can_give_up_an_action_for_a_defence_is_asked():
    """MQ-ABORT-1: for a point of Willpower, if the roll has failed."""
    table = brawl(willpower=3, resources={"willpower": 1})
    table.initiative(ann=9, bob=1, cy=1)
    for who, actions in (("bob", ("melee",)), ("cy", ()), ("ann", ())):
        table.does(Declare(who, actions=actions, out_of_order=True))
    table.does(ProposeAttack("x", strike_at("ann", "bob")), waive={"MQ-TURN-1"})
    assert table.state.exchanges[0].asked == ("bob",)
    table.does(WithdrawAttack("x"))
    table.does(Abort("bob", "roll"), roll=[2, 2, 2])
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert table.state.exchanges[0].asked == ("bob",)
    table.does(WithdrawAttack("x"))
    table.does(Spend("bob", "willpower"))
    assert only(AttackResolved, table.does(ProposeAttack("x", strike_at("ann", "bob")), attack=[2]))


SMG = Weapon("SMG", Mode.FIREARM, 1, attribute="dexterity", ability="firearms", clip=30, rounds=30, automatic=True)


def swept() -> Table:
    """Ann announces a sweep of three with two dice."""
    at = ("bob", "cy", "dan")
    people = {who: mortal(dexterity=1, dodge=1) for who in at}
    table = Table(WOUNDS, players=("ann",), ann=mortal(dexterity=1, firearms=1, weapons=(SMG,)), **people)
    table.does(ProposeAttack("x", Attack("ann", at, "SMG", (Modifier("sweep"),))))
    return table


def test_one_answer_is_given_for_several_targets_by_each_who_can():
    """WL-DEF-1, WL-DEF-2: Cy answered for himself."""
    table = swept()
    assert table.state.exchanges[0].asked == ("bob", "cy", "dan")
    table.does(AnswerAttack("x", "cy", Defence()))
    table.refuses("input", AnswerAttack("x", "bob", Defence("dodge"), others=("cy",)))
    table.refuses("input", AnswerAttack("x", "bob", Defence("teleport"), others=("dan",)))
    told = table.does(AnswerAttack("x", "bob", Defence("dodge"), others=("dan",)), attack=[2, 2], defence=[2] * 4)
    assert [(each.target, each.by_default) for each in told if isinstance(each, AttackAnswered)] == [
        ("bob", False),
        ("dan", False),
    ]
    kinds = {each.target: each.defence_kind for each in only(AttackResolved, told).results}
    assert kinds == {"bob": "dodge", "cy": "", "dan": "dodge"}


def test_who_cannot_answer_as_the_others_do_does_what_they_can():
    """WL-DMG-5: Dan is out of action by the time the others dodge."""
    table = swept()
    table.does(ChangeConditions("dan", frozenset({"unconscious"})))
    dodge = AnswerAttack("x", "bob", Defence("dodge"), others=("cy", "dan"))
    told = table.does(dodge, attack=[2, 2], defence=[2] * 4)
    dan = [each for each in told if isinstance(each, AttackAnswered)][-1]
    assert (dan.target, dan.instead_of, bool(dan.why)) == ("dan", "dodge", True)


# ------------------------------------------------------------------ changed, sent back


def test_the_storyteller_changes_any_part_of_an_attack():
    table = announced(brawl(), "knife", Modifier("difficulty", {"by": 1, "why": "rain"}))
    changed = Attack("ann", ("cy",), "pistol", (), 15, {}, frozenset({"trait:dexterity"}))
    told = only(AttackChanged, table.does(ChangeAttack("x", changed)))
    assert told.changes == (
        Change(Aspect.TARGET, ("bob",), ("cy",)),
        Change(Aspect.WEAPON, ("knife",), ("pistol",)),
        Change(Aspect.DISTANCE, (), ("15 metres",)),
        Change(Aspect.CIRCUMSTANCE, ("Difficulty (1, rain)",), ()),
        Change(Aspect.STRUCK, (), ("Dexterity",)),
    )
    (exchange,) = table.state.exchanges
    assert (exchange.attack, exchange.asked, exchange.step) == (changed, ("cy",), Step.APPROVED)


@pytest.mark.parametrize(
    ("unit", "near", "far"),
    [("metres", "1 metre", "2 metres"), ("yards", "1 yard", "2 yards"), ("feet", "1 foot", "2 feet")],
)
def test_a_changed_distance_is_told_in_the_unit_of_the_ruleset(unit, near, far):
    table = brawl()
    table.ruleset = replace(table.ruleset, unit=unit)
    shot = strike_at("ann", "bob", "pistol")
    table.does(ProposeAttack("x", replace(shot, distance=1), approval=True))
    told = only(AttackChanged, table.does(ChangeAttack("x", replace(shot, distance=2))))
    assert told.changes == (Change(Aspect.DISTANCE, (near,), (far,)),)


def test_what_is_struck_of_the_damage_is_told():
    table = announced(brawl())
    told = only(AttackChanged, table.does(ChangeAttack("x", strike_at("ann", "bob", strike=["damage:strength", "X"]))))
    assert told.changes == (Change(Aspect.STRUCK, (), ("Strength",)),)


def test_what_is_struck_of_a_target_stands_apart():
    """CD-DEF-1: Defense is in the pool, armour in the steps to the damage."""
    table = firefight.table(bob=mortal(dexterity=3, wits=3, armor=(firefight.VEST,)))
    attack = firefight.shot("bob", "pistol", distance=1)
    table.does(ProposeAttack("x", attack, by_hand=True, approval=True))
    struck = replace(attack, strike=frozenset({"trait:firearms", "defense", "armor"}))
    told = only(AttackChanged, table.does(ChangeAttack("x", struck, by_hand=True)))
    own, of_target = told.changes
    assert (own.aspect, own.now) == (Aspect.STRUCK, ("Firearms",))
    assert of_target.aspect is Aspect.STRUCK_OF_TARGET
    assert len(of_target.now) == 2


def test_an_answer_that_the_storyteller_gives_with_the_change_is_not_asked_for():
    table = announced(brawl())
    told = table.does(ChangeAttack("x", strike_at("ann", "bob", defence="dodge")), attack=[2], defence=[2, 2, 2])
    assert only(AttackResolved, told).results[0].defence_kind == "dodge"


def test_whoever_answered_is_asked_anew_when_the_attack_is_another():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True))
    table.does(AnswerAttack("x", "bob", Defence("dodge")))
    table.does(ChangeAttack("x", strike_at("ann", "bob", "pistol"), by_hand=True))
    assert table.state.exchanges[0].asked == ("bob",)


def test_who_attacks_stays_the_same():
    announced(brawl()).refuses("input", ChangeAttack("x", strike_at("cy", "bob")))


def test_a_weapon_that_is_gone_is_told_by_what_it_was_called():
    table = announced(brawl(), "knife", strike=["trait:dexterity"])
    table.does(ReviseSheet("ann", replace(table.sheet("ann"), weapons=(CLUB,))))
    told = only(AttackChanged, table.does(ChangeAttack("x", strike_at("ann", "bob", "club"))))
    assert told.changes == (Change(Aspect.WEAPON, ("knife",), ("club",)),)


def test_an_attack_that_is_sent_back_waits_for_its_attacker():
    table = announced(brawl(), "knife")
    told = only(AttackSentBack, table.does(SendBackAttack("x", "  He is behind the bar. ")))
    assert (told.exchange.step, told.exchange.word) == (Step.RETURNED, "He is behind the bar.")
    for command in (ApproveAttack("x"), ResolveAttack("x"), AnswerAttack("x", "bob", Defence())):
        table.refuses("input", command)
    told = only(AttackProposed, table.does(ProposeAttack("y", strike_at("ann", "cy"), approval=True)))
    assert [exchange.id for exchange in table.state.exchanges] == ["y"]


def test_an_attack_that_is_sent_back_may_be_dropped():
    table = announced(brawl())
    table.does(SendBackAttack("x"))
    table.does(WithdrawAttack("x"))
    assert table.state.exchanges == ()


# ------------------------------------------------------------------ defences by default


def test_a_default_answers_by_itself():
    table = brawl()
    assert only(DefaultDefenceSet, table.does(SetDefaultDefence(("bob", "bob"), "dodge"))).who == ("bob",)
    told = table.does(ProposeAttack("x", strike_at("ann", "bob")), attack=[2], defence=[2, 2, 2])
    answered = only(AttackAnswered, told)
    assert (answered.by_default, answered.instead_of) == (True, "")
    assert only(AttackResolved, told).results[0].defence_kind == "dodge"


def test_no_defence_is_a_default_too():
    table = brawl()
    table.does(SetDefaultDefence(("bob",), NO_DEFENCE))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob"), approval=True))
    told = table.does(ApproveAttack("x"), attack=[2])
    assert only(AttackResolved, told).results[0].defence is None


def test_a_default_that_cannot_be_gives_way_to_the_best_that_can():
    """MQ-DEF-2: a shot can't be parried, so it is dodged."""
    table = brawl(weapons=(CLUB,))
    table.does(SetDefaultDefence(("bob",), "parry"))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob", "pistol")), attack=[2], defence=[2, 2, 2])
    answered = only(AttackAnswered, told)
    assert (answered.instead_of, answered.rule) == ("parry", "MQ-DEF-2")
    assert "Only close attacks can be parried." in answered.why
    assert only(AttackResolved, told).results[0].defence_kind == "dodge"


def test_where_no_defence_is_left_the_blow_comes():
    """MQ-HEALTH-1."""
    table = brawl()
    table.does(SetDefaultDefence(("bob",), "dodge"))
    table.does(Harm("bob", 7, Damage.BASHING))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob")), attack=[2])
    assert only(AttackAnswered, told).instead_of == "dodge"
    assert only(AttackResolved, told).results[0].defence is None


def test_a_defence_without_dice_is_no_better_than_none():
    """MQ-DEF-2: too badly hurt to dodge, and a shot can't be parried."""
    table = brawl(weapons=(CLUB,), marks="XXXXXX")
    table.does(SetDefaultDefence(("bob",), "parry"))
    told = table.does(ProposeAttack("x", strike_at("ann", "bob", "pistol")), attack=[2])
    assert only(AttackResolved, told).results[0].defence_kind == ""


def test_a_player_is_asked_whatever_the_default():
    table = brawl()
    table.does(SetDefaultDefence(("cy",), "dodge"))
    table.does(ProposeAttack("x", strike_at("bob", "cy")))
    assert table.state.exchanges[0].asked == ("cy",)
    told = table.does(AnswerByDefault("x", "cy"), attack=[2, 2], defence=[2, 2])
    assert only(AttackResolved, told).results[0].defence_kind == "dodge"


def test_who_has_no_default_answers_with_nothing():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("bob", "cy")))
    told = table.does(AnswerByDefault("x", "cy"), attack=[2, 2])
    assert only(AttackResolved, told).results[0].defence is None
    table.refuses("input", AnswerByDefault("x", "cy"))


def test_a_default_of_an_attack_that_cannot_be_made_any_more_waits_for_the_storyteller():
    table = brawl()
    table.does(SetDefaultDefence(("cy",), "dodge"))
    table.does(ProposeAttack("x", strike_at("bob", "cy")))
    table.does(Harm("bob", 7, Damage.LETHAL))
    answered = only(AttackAnswered, table.does(AnswerByDefault("x", "cy")))
    assert (answered.instead_of, answered.exchange.asked) == ("", ())


def test_defaults_answer_and_the_tables_dice_are_awaited():
    table = brawl()
    table.does(SetDefaultDefence(("bob",), "dodge"))
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True))
    assert table.state.exchanges[0].asked == ()
    assert only(AttackResolved, table.does(ResolveAttack("x"), attack=[2], defence=[2, 2, 2]))


def test_a_default_is_one_that_there_is():
    table = brawl()
    table.refuses("input", SetDefaultDefence(("bob",), "teleport"))
    table.refuses("input", SetDefaultDefence((), "dodge"))
    table.refuses("input", SetDefaultDefence(("zed",), "dodge"))
    table.does(SetDefaultDefence(("bob",), "dodge"))
    table.does(SetDefaultDefence(("bob",), ASK))
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert table.state.exchanges[0].asked == ("bob",)


def test_a_circumstance_that_is_known_no_more_keeps_its_key():
    assert (
        brawl().ruleset.circumstances.in_words(Modifier("moonlight", {"by": 2, "on": True, "why": ""}))
        == "moonlight (2)"
    )
    assert brawl().ruleset.circumstances.in_words(Modifier("difficulty")) == "Difficulty"
