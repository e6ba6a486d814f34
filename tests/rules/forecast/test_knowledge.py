"""What a combatant knows: twins that differ only in what is unknown get the same moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rules.forecast.knowledge import Held, Known, Looks, Memory, known
from rules.forecast.moves import Tactics
from rules.forecast.policies import POLICIES, Policy
from rules.forecast.setup import Setup
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.state import Combatant, Declaration, Encounter, HealthShown, Score, Side, Stage, Status
from rules.model.system import Game, System
from rules.systems import BUILT_IN, RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import Newcomer
from tests.rules.forecast.people import draft, sheet
from tests.rules.table import KNIFE, PISTOL, VEST

BOOK = [point.name for point in BUILT_IN]


def running(system: System, **changes: Callable[[Combatant], Combatant]) -> Encounter:
    """Ann and Bob against Cid and Dee, whose turn order is set, with some of them changed."""
    people = [
        Newcomer("ann", sheet(system, KNIFE, PISTOL, kind="mortal"), player=True),
        Newcomer("bob", sheet(system, KNIFE), player=True),
        Newcomer("cid", sheet(system, KNIFE)),
        Newcomer("dee", sheet(system, PISTOL)),
    ]
    state = draft(system, *people)
    order = (("ann",), ("bob",), ("cid",), ("dee",))
    scores = {who: Score((5,), 4, 9 - place) for place, (who,) in enumerate(order)}
    changed = {who: changes.get(who, lambda each: each)(each) for who, each in state.combatants.items()}
    return replace(state, status=Status.RUNNING, combatants=changed, order=order, initiative=scores)


def seen_by(state: Encounter, system: System, who: str = "ann", memory: Memory | None = None) -> Known:
    return known(Game(state, system), who, memory or Memory())


def on_sheet(**changes: object) -> Callable[[Combatant], Combatant]:
    return lambda each: replace(each, sheet=replace(each.sheet, **changes))


def stronger(each: Combatant) -> Combatant:
    return on_sheet(traits={**each.sheet.traits, "dexterity": 5, "stamina": 5, "brawl": 5})(each)


HIDDEN_GEAR = (replace(PISTOL, name="derringer", hidden=True), replace(KNIFE, name="boot knife", stowed=True))

SECRETS: dict[str, Callable[[Combatant], Combatant]] = {
    "traits": stronger,
    "kind": on_sheet(kind="ghoul"),
    "points": on_sheet(resources={"willpower": 1, "blood": 9}),
    "merits": on_sheet(merits=frozenset({"quick_draw"})),
    "armour": on_sheet(armor=(VEST, Armor("mail", 5))),
    "name": on_sheet(name="Prince"),
    "mask": lambda each: replace(each, mask="a stranger"),
    "gear out of sight": lambda each: on_sheet(weapons=(*each.sheet.weapons, *HIDDEN_GEAR))(each),
    "a weapon on the ground": lambda each: on_sheet(weapons=(*each.sheet.weapons, replace(KNIFE, fault="dropped")))(
        each
    ),
    "rounds": lambda each: on_sheet(weapons=tuple(replace(w, rounds=1) if w.clip else w for w in each.sheet.weapons))(
        each
    ),
    "notes": lambda each: on_sheet(weapons=tuple(replace(w, note="cursed") for w in each.sheet.weapons))(each),
    "a private message": lambda each: replace(each, told="Run."),
    "how they answer attacks": lambda each: replace(each, default_defence="none"),
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("key", BOOK)
def test_twins_who_differ_in_what_is_unknown_get_the_same_moves(key: str, secret: str, policy: Policy) -> None:
    system = RULESETS[key]
    if secret == "kind" and "ghoul" not in system.kinds:
        secret = "name"
    change = SECRETS[secret]
    ours, theirs = running(system), running(system, cid=change, dee=change)
    assert ours != theirs
    assert seen_by(ours, system) == seen_by(theirs, system)
    check_same_moves(policy, system, ours, theirs)


def check_same_moves(policy: Policy, system: System, ours: Encounter, theirs: Encounter) -> None:
    both = [Tactics(system), Tactics(system)]
    states = (ours, theirs)
    moves = [list(each.moves(policy, seen_by(state, system))) for each, state in zip(both, states, strict=True)]
    said = [list(each.declarations(policy, seen_by(state, system))) for each, state in zip(both, states, strict=True)]
    answers = [each.defences(policy, state.combatants["ann"]) for each, state in zip(both, states, strict=True)]
    assert moves[0] == moves[1]
    assert moves[0], "nothing to compare"
    assert said[0] == said[1]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("key", BOOK)
def test_somebody_hidden_on_the_other_side_is_not_there(key: str, policy: Policy) -> None:
    system = RULESETS[key]
    with_eve = hidden(running(system))
    assert seen_by(with_eve, system) == seen_by(running(system), system)
    check_same_moves(policy, system, running(system), with_eve)
    assert [each.id for each in seen_by(with_eve, system, "cid").others] == ["ann", "bob", "dee", "eve"]


def hidden(state: Encounter) -> Encounter:
    """The state with Eve, who hides, has attacked Bob and was attacked by Cid's friend."""
    eve = Combatant("eve", state.combatants["cid"].sheet, hidden=True)
    eve = replace(eve, turn=replace(eve.turn, attackers=("dee",)))
    bob = state.combatants["bob"]
    bob = replace(bob, turn=replace(bob.turn, attackers=("eve",)))
    return replace(state, combatants={**state.combatants, "bob": bob, "eve": eve})


def declaring(at: str, spoke: int) -> Callable[[Combatant], Combatant]:
    said = Declaration(actions=("melee",), at=at)
    return lambda each: replace(each, turn=replace(each.turn, declaration=said, spoke=spoke))


def test_only_the_faster_know_what_was_declared() -> None:
    """MQ-DECL-1: Dee is the slowest, Cid is faster, Ann the fastest."""
    state = running(MASQUERADE, dee=declaring("bob", 1), cid=declaring("bob", 2))
    assert attacks(state, "ann") == {"cid": {"bob"}, "dee": {"bob"}}
    spoken = running(MASQUERADE, dee=declaring("bob", 2), ann=declaring("cid", 1))
    assert attacks(spoken, "ann") == {}
    assert attacks(spoken, "cid") == {"dee": {"bob"}}
    assert attacks(replace(spoken, stage=Stage.ATTACK), "cid") == {"ann": {"cid"}, "dee": {"bob"}}


def attacks(state: Encounter, who: str, system: System = MASQUERADE) -> dict[str, set[str]]:
    return {each.id: set(each.attacks) for each in seen_by(state, system, who).others if each.attacks}


def test_attacks_in_close_combat_are_seen() -> None:
    state = running(MASQUERADE, bob=lambda each: replace(each, turn=replace(each.turn, attackers=("cid", "dee"))))
    assert attacks(state, "ann") == {"cid": {"bob"}, "dee": {"bob"}}


@pytest.mark.parametrize(
    ("marks", "looks"),
    [(0, Looks.UNHURT), (2, Looks.HURT), (5, Looks.BADLY_HURT), (7, Looks.DOWN)],
)
def test_others_look_as_hurt_as_they_are(marks: int, looks: Looks) -> None:
    state = running(
        MASQUERADE, bob=on_sheet(marks=(Damage.LETHAL,) * marks), cid=on_sheet(marks=(Damage.LETHAL,) * marks)
    )
    bob, cid, _dee = seen_by(state, MASQUERADE).others
    assert (bob.looks, cid.looks) == (looks, looks)
    assert seen_by(state, MASQUERADE, "bob").lost == marks / 7


def unshown(marks: int) -> Callable[[Combatant], Combatant]:
    hurt = on_sheet(marks=(Damage.LETHAL,) * marks)
    return lambda each: replace(hurt(each), health_shown=HealthShown.NOTHING)


def test_of_those_whose_health_is_never_shown_only_the_fallen_are_known() -> None:
    looks = []
    for marks in (2, 7):
        state = running(MASQUERADE, bob=unshown(marks), cid=unshown(marks))
        looks.append([each.looks for each in seen_by(state, MASQUERADE).others])
    assert looks == [[Looks.HURT, Looks.UNHURT, Looks.UNHURT], [Looks.DOWN, Looks.DOWN, Looks.UNHURT]]


def test_where_injuries_are_kept_one_by_one_the_word_says_how_much_is_lost() -> None:
    state = running(WOUNDS)
    injured = WOUNDS.health.inflict(state.combatants["cid"].sheet, 4, Damage.LETHAL)
    state = running(WOUNDS, cid=lambda each: replace(each, sheet=injured))
    assert seen_by(state, WOUNDS, "cid").lost == Looks.BADLY_HURT / Looks.DOWN


def test_weapons_in_hand_are_seen() -> None:
    weapons = (KNIFE, *HIDDEN_GEAR, Weapon("claws", Mode.UNARMED, 1, type=Damage.AGGRAVATED))
    _bob, cid, dee = seen_by(
        running(MASQUERADE, cid=on_sheet(weapons=weapons), dee=on_sheet(weapons=())), MASQUERADE
    ).others
    assert cid.held == (Held(Mode.MELEE, 1, Damage.LETHAL), Held(Mode.UNARMED, 1, Damage.AGGRAVATED))
    assert cid.danger == (2, 1)
    assert dee.danger == (0, 0)


def test_those_on_neither_side_are_nobodys_friends_or_foes() -> None:
    state = running(MASQUERADE, dee=lambda each: replace(each, chosen_side=Side.OTHERS))
    seen = seen_by(state, MASQUERADE)
    assert [each.id for each in seen.foes] == ["cid"]
    assert [each.id for each in seen.friends] == ["bob"]


def test_memory_holds_what_the_state_does_not() -> None:
    memory = Memory(50, {"ann": 20, "cid": 10}, {"ann": "dee"}, {"ann"}, {"ann"}, {"dee"})
    seen = seen_by(running(MASQUERADE), MASQUERADE, memory=memory)
    assert (seen.last, seen.aiming, seen.sheltered, seen.place) == ("dee", True, True, 0)
    assert [(each.id, each.gap, each.looks) for each in seen.others] == [
        ("bob", 0, Looks.UNHURT),
        ("cid", 20, Looks.UNHURT),
        ("dee", 30, Looks.DOWN),
    ]
    assert seen_by(running(MASQUERADE), MASQUERADE, "bob").place == 1


def test_an_appearance_is_worked_out_again_when_it_changes() -> None:
    memory = Memory()
    one = running(MASQUERADE).combatants["cid"]
    first = memory.appearance(MASQUERADE, one)
    assert memory.appearance(MASQUERADE, replace(one, hidden=True)) is first
    assert memory.appearance(MASQUERADE, replace(one, conditions=frozenset({"unconscious"}))).down
    assert memory.appearance(MASQUERADE, on_sheet(marks=(Damage.LETHAL,))(one)).looks is Looks.HURT


def test_a_setup_knows_nobody_else() -> None:
    assert Setup(running(MASQUERADE), MASQUERADE).members(Side.ALLIES) == ("ann", "bob")
