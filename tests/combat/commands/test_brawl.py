"""A brawl in the log and on the screens: everything can be undone, and hidden combatants stay hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from combat.commands import perform
from combat.log import rows as logs
from combat.models import LogRow
from combat.panes.questions import GrappleAsk
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.state import NO_DEFENCE
from rules.topics import commands
from rules.topics.commands import SetVisibility, TakeAction
from rules.topics.events import TraitsRolled
from tests.combat.conftest import Table, WrittenDice, bar_fight
from tests.combat.history.test_report import person, report
from tests.combat.log.test_replay import OF_BRAWLS
from tests.kept import kept

pytestmark = pytest.mark.django_db

TRAITS = {"strength": 6, "brawl": 4, "dexterity": 2, "stamina": 1, "wits": 2, "composure": 2, "weaponry": 1, "size": 5}


@pytest.fixture
@kept
def brawl(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight: a player's wrestler, a thug with a knife, a friend, and a hidden combatant."""
    people = {"Mara": player, "Thug": None, "Friend": None, "Nobody Knows": None}
    return bar_fight(
        chronicle,
        storyteller,
        people,
        TRAITS,
        name="Test knife",
        mode="melee",
        damage=1,
        form="slashing",
        tags="thrown",
    )


def test_every_kind_of_event_of_a_brawl_is_met_and_comes_back(brawl: Table) -> None:
    mara, thug, friend = brawl["Mara"], brawl["Thug"], brawl["Friend"]
    before = brawl.state
    knife = before.combatants[thug].sheet.weapons[0].key
    steps: list[tuple[Any, tuple[int, ...]]] = [
        (TakeAction("aid_grapple", friend, (thug,)), (8,)),
        (TakeAction("grapple", mara, (thug,)), (8,)),
        (TakeAction("control_weapon", mara, figures={"theirs": True}), (8,)),
        (TakeAction("grapple_damage", mara), (8,)),
        (TakeAction("grapple_disarm", mara), (8,)),
        (TakeAction("throw", mara), (8, 1, 1, 1, 1, 1, 1, 1, 8)),
        (TakeAction("pick_up", thug, weapon=knife), ()),
        (Attack(thug, (mara,), knife, (Modifier("thrown"),)), (1,)),
        (TakeAction("disarm", mara, (friend,)), (8,) * 6),
        (TakeAction("touch", mara, (friend,), figures={"willing": True}), ()),
        (Attack(mara, (friend,), "unarmed", (Modifier("target_arm"),)), (8, 8)),
    ]
    for command, dice in steps:
        brawl.do(command, dice=WrittenDice(*dice))

    met = {event["is"] for row in LogRow.objects.filter(encounter_id=brawl.encounter_id) for event in row.events}
    assert met >= OF_BRAWLS
    assert logs.state_of(logs.rows_of(brawl.encounter)) == brawl.state
    log = repr(brawl.view("storyteller").log)
    for words in (
        "lends a hand against",
        "grapples with",
        "throws",
        "picks up",
        "loses a weapon",
        "touches",
        "an arm wracked",
    ):
        assert words in log
    for rule in ("CD-GRP-1", "CD-GRP-5", "CD-GRP-6", "CD-GRP-11", "CD-GRP-12", "CD-MAN-2", "CD-AIM-1"):
        assert rule in log
    for _ in steps:
        perform.undo(encounter_id=brawl.encounter_id, actor=brawl.storyteller)
    assert brawl.state == before


def test_one_who_is_hidden_stays_hidden_in_all_of_it(brawl: Table, player: Any) -> None:
    """CD-GRP-1 to CD-GRP-12, CD-MAN-2, CD-MAN-5: no name and no id in what players read."""
    mara, hidden, thug = brawl["Mara"], brawl["Nobody Knows"], brawl["Thug"]
    brawl.do(TakeAction("aid_grapple", hidden, (mara,)), dice=WrittenDice(8))
    brawl.do(TakeAction("aid_grapple", thug, (hidden,)), dice=WrittenDice(8))
    brawl.do(TakeAction("grapple", hidden, (mara,)), dice=WrittenDice(8, 8, 8))
    brawl.do(TakeAction("hold", hidden), dice=WrittenDice(8, 8, 8, 8))
    brawl.do(TakeAction("take_cover", hidden), dice=WrittenDice(8, 8, 8, 8))
    seen = [repr(brawl.view(audience)) for audience in ("table", player)]
    brawl.do(TakeAction("throw", hidden), dice=WrittenDice(8, 8, 8, 8))
    brawl.do(TakeAction("disarm", hidden, (mara,)), dice=WrittenDice(8, 8, 8, 8, 8, 8))
    brawl.do(TakeAction("touch", hidden, (mara,), figures={"willing": True}))
    brawl.do(TakeAction("improvised", hidden, figures={"name": "brick", "durability": 2, "size": 1}))
    brawl.do(Attack(hidden, (thug,), "unarmed", (Modifier("target_arm"),)), dice=WrittenDice(8, 8))
    brawl.do(commands.EndTurn())

    seen += [repr(brawl.view(audience)) for audience in ("table", player)]
    for each in seen:
        for planted in ("Nobody Knows", hidden, "brick"):
            assert planted not in each
    assert "Nobody Knows" in repr(brawl.view("storyteller"))


def test_a_weapon_that_is_lost_is_lost_on_the_sheet(brawl: Table) -> None:
    """CD-MAN-2: it stays lost after the fight; a weapon taken from somebody is on nobody else's sheet."""
    from characters.models import CarriedWeapon

    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(TakeAction("disarm", mara, (thug,)), dice=WrittenDice(8, 8))

    assert [each.fault for each in CarriedWeapon.objects.filter(character__name="Thug")] == ["dropped"]
    brawl.do(TakeAction("disarm", thug, (mara,)), dice=WrittenDice(8, 8, 8, 8, 8, 8))
    assert [each.fault for each in CarriedWeapon.objects.filter(character__name="Mara")] == ["taken"]
    assert CarriedWeapon.objects.filter(character__name="Thug").count() == 1


# ------------------------------------------------------------------ Defense, which applies by itself


def test_defense_is_the_first_answer_and_the_log_says_that_it_applied(brawl: Table, player: Any, client: Any) -> None:
    """CD-DEF-1, CD-DODGE-1: Defense 2 takes two dice off unasked, dodging takes four."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(commands.ProposeAttack("x", Attack(thug, (mara,), "unarmed")))
    (ask,) = brawl.view(player).asks.defences  # type: ignore[union-attr]
    assert [(each.kind, each.pool) for each in ask.choices] == [("", 2), ("dodge", 4), ("withhold_defense", 0)]
    client.force_login(player)
    page = client.get(reverse("combat:encounter", args=[brawl.encounter_id])).content.decode()
    labels = re.findall(r'name="answer"[^>]*>([^<]+)(?:<small>([^<]*)</small>)?', page)
    assert [(label.strip(), dice) for label, dice in labels] == [
        ("Defense", "−2 dice"),
        ("Dodge", "−4 dice"),
        ("Hold Defense back", ""),
    ]

    brawl.do(commands.AnswerAttack("x", mara, Defence()), dice=WrittenDice(1, 1, 1, 1, 1, 1, 1, 1))
    for reader in ("storyteller", player, "table"):
        assert "Defense took 2 dice off the attack." in told(brawl, reader)
    assert "Mara relies on Defense." in told(brawl, "storyteller")
    assert "doesn’t defend" not in told(brawl, "storyteller")


def test_how_well_somebody_defends_is_for_those_who_know_them(brawl: Table, player: Any) -> None:
    """The thug's Defense is told to the Storyteller alone."""
    brawl.do(Attack(brawl["Mara"], (brawl["Thug"],), "unarmed"), dice=WrittenDice(*[1] * 8))
    assert "Defense took 2 dice off the attack." in told(brawl, "storyteller")
    assert "Defense took" not in told(brawl, player) + told(brawl, "table")


def test_the_default_of_those_who_have_none_is_defense(brawl: Table) -> None:
    brawl.do(commands.SetDefaultDefence((brawl["Thug"],), NO_DEFENCE))
    assert "Default defence for Thug: Defense." in told(brawl, "storyteller")
    assert [row.answers for row in brawl.view("storyteller").order.rows() if row.name == "Thug"] == ["Defense"]


def test_what_is_rolled_again_is_named_in_the_plan_and_the_log(brawl: Table, player: Any, client: Any) -> None:
    """CD-DICE-1: the log tells it to those who see the roll's parts."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    for who in (mara, thug):
        sheet = brawl.state.combatants[who].sheet
        brawl.do(commands.ReviseSheet(who, replace(sheet, weapons=(replace(sheet.weapons[0], again=9),))))
    knife = brawl.state.combatants[mara].sheet.weapons[0].key
    client.force_login(player)
    plan = reverse("combat:attack-plan", args=[brawl.encounter_id])
    assert "9-again" in client.get(plan, {"who": mara, "at": thug, "weapon": knife}).content.decode()
    brawl.do(Attack(mara, (thug,), knife), dice=WrittenDice(*[1] * 8))
    rolls = {reader: brawl.view(reader).log.entries[0].rolls for reader in ("storyteller", player)}
    assert {reader: roll.again for reader, (roll,) in rolls.items()} == {"storyteller": "9-again", player: "9-again"}
    brawl.do(SetVisibility(thug, dice_shown=True))
    brawl.do(Attack(thug, (mara,), "Test knife"), dice=WrittenDice(*[1] * 8))
    assert [each.again for each in brawl.view(player).log.entries[0].rolls] == [""]


def told(brawl: Table, reader: Any) -> str:
    """The log as a reader reads it."""
    return " ".join(entry.news for entry in brawl.view(reader).log.entries)


def test_the_storyteller_rolls_for_an_ambush_of_many_by_many(brawl: Table, player: Any, client: Any) -> None:
    """CD-SURP-1: one of the ambushers rolls against each; players aren't told what is secret."""
    client.force_login(brawl.storyteller)
    page = reverse("combat:form", args=[brawl.encounter_id, "surprise"])
    assert "The ambusher with the fewest dice rolls" in client.get(page).content.decode()
    said = {"ambushers": [brawl["Thug"], brawl["Nobody Knows"]], "caught": [brawl["Mara"], brawl["Friend"]]}
    url = reverse("combat:do", args=[brawl.encounter_id, "surprise"])
    assert client.post(url, said | {"secret": "on"}).status_code == 302
    rolls = [each for row in logs.rows_of(brawl.encounter) for each in row.events if isinstance(each, TraitsRolled)]
    assert [each.resisted.by for each in rolls if each.resisted] == [brawl["Mara"], brawl["Friend"]]
    assert "Surprise" not in told(brawl, player)


def test_the_surprised_are_named_when_initiative_is_rolled(brawl: Table, client: Any) -> None:
    """CD-SURP-1: without a roll, because the Storyteller says so."""
    client.force_login(brawl.storyteller)
    form = reverse("combat:form", args=[brawl.encounter_id, "initiative"])
    assert form in client.get(reverse("combat:encounter", args=[brawl.encounter_id])).content.decode()
    page = client.get(form).content.decode()
    assert ('name="surprised"' in page, 'name="ambushed"' in page) == (True, False)
    caught = [brawl["Mara"], brawl["Friend"]]
    url = reverse("combat:do", args=[brawl.encounter_id, "initiative"])
    assert client.post(url, {"surprised": caught}).status_code == 302
    surprised = {who for who, each in brawl.state.combatants.items() if "surprised" in each.conditions}
    assert surprised == set(caught)
    assert f'value="{brawl["Mara"]}"' not in client.get(form).content.decode()


# ------------------------------------------------------------------ on the screens


def asked(brawl: Table, reader: Any) -> tuple[GrappleAsk, ...]:
    """The grapples that a reader's view asks about."""
    asks: tuple[GrappleAsk, ...] = brawl.view(reader).asks.grapples
    return asks


def test_both_read_that_there_is_a_grapple_to_roll_for(brawl: Table, player: Any) -> None:
    """CD-GRP-2, CD-GRP-12: with the helpers' dice; nothing else can be done in the meantime."""
    mara, thug, friend = brawl["Mara"], brawl["Thug"], brawl["Friend"]
    assert asked(brawl, player) == ()
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))
    brawl.do(TakeAction("aid_grapple", friend, (thug,)), dice=WrittenDice(8, 8))

    (ask,) = asked(brawl, player)
    assert (ask.name, ask.opponent, ask.picks, ask.lent, ask.rule) == ("Mara", "Thug", 0, 2, "CD-GRP-2")
    assert len(asked(brawl, "storyteller")) == 1
    (sheet,) = brawl.view(player).me.sheets
    attack = sheet.may("attack")
    assert attack.refusal.rule == "CD-GRP-2"


def test_whoever_has_won_picks_among_the_moves_that_are_possible(brawl: Table, player: Any) -> None:
    """CD-GRP-6, CD-GRP-9, CD-GRP-11: and reads why the others are not possible."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(TakeAction("grapple", thug, (mara,)), dice=WrittenDice(8))
    brawl.do(TakeAction("grapple", mara), dice=WrittenDice(8, 8, 8, 8, 1))

    (ask,) = asked(brawl, player)
    assert (ask.who, ask.picks) == (mara, 1)
    closed = {move.key: (move.refusal.message, move.refusal.rule) for move in ask.moves if not move.allowed}
    assert closed == {
        "grapple_disarm": ("Control a weapon first.", "CD-GRP-6"),
        "restrain": ("Hold the opponent first.", "CD-GRP-9"),
    }
    assert {move.key for move in ask.moves if move.press} >= {"hold", "throw", "break_free"}
    assert [each.who for each in asked(brawl, "storyteller")] == [mara]


def test_one_who_grapples_with_somebody_unseen_is_asked_and_reads_no_name(
    brawl: Table, player: Any, observer: Any
) -> None:
    """CD-GRP-2."""
    hidden = brawl["Nobody Knows"]
    brawl.do(TakeAction("grapple", hidden, (brawl["Mara"],)), dice=WrittenDice(8))

    (ask,) = asked(brawl, player)
    assert (ask.name, ask.opponent) == ("Mara", "somebody unseen")
    assert len(asked(brawl, "storyteller")) == 1
    seen = repr(brawl.view(player)) + repr(brawl.view(observer))
    for planted in ("Nobody Knows", hidden):
        assert planted not in seen
    told = ["".join(span.text for span in line) for line in brawl.view(player).log.entries[0].lines]
    assert told[0].startswith("Somebody unseen ")
    assert not any("Somebody unseen" in line[1:] for line in told)


def test_whoever_grapples_with_somebody_unseen_reads_why_there_is_no_attack(brawl: Table, player: Any) -> None:
    """CD-GRP-2: before trying, and without a name."""
    (sheet,) = brawl.view(player).me.sheets
    assert sheet.may("attack").allowed
    brawl.do(TakeAction("grapple", brawl["Nobody Knows"], (brawl["Mara"],)), dice=WrittenDice(8))
    view = brawl.view(player)
    (sheet,) = view.me.sheets
    assert sheet.may("attack").refusal.rule == "CD-GRP-2"
    assert "Nobody Knows" not in repr(view)
    assert brawl["Nobody Knows"] not in repr(view)


def test_the_roll_is_known_before_it_is_made(brawl: Table, player: Any, storyteller: Any, client: Any) -> None:
    """CD-GRP-1, CD-GRP-2: Strength 6 and Brawl 4, less the opponent's Strength of 6, which players don't read."""
    mara, thug = brawl["Mara"], brawl["Thug"]

    def form(reader: Any) -> str:
        client.force_login(reader, backend="django.contrib.auth.backends.ModelBackend")
        address = reverse("combat:form", args=[brawl.encounter_id, "action"])
        return str(client.get(address, {"who": mara, "action": "grapple", "at": thug}).content.decode())

    for reader in (player, storyteller):
        assert "<b>10 dice</b>" in form(reader)
    assert "against <b>6</b>" in form(storyteller)
    assert "against <b>" not in form(player)
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))

    (ask,) = asked(brawl, player)
    assert (ask.plan.pool, ask.plan.less, ask.plan.resisted, ask.plan.wins) == (10, True, None, "")
    assert [part.dice for part in ask.plan.parts] == [6, 4]
    assert "<b>10 dice</b>" in form(player)
    (ask,) = asked(brawl, "storyteller")
    assert (ask.plan.pool, ask.plan.resisted, ask.plan.less) == (4, 4, False)
    assert [part.dice for part in ask.plan.parts] == [part.dice for part in ask.plan.against] == [6, 4, -6]
    page = client.get(reverse("combat:encounter", args=[brawl.encounter_id])).content.decode()
    assert "minus the opponent’s Strength" in page
    brawl.do(commands.ChangeConditions(thug, frozenset({"incapacitated"})))
    (ask,) = asked(brawl, "storyteller")
    assert ask.plan.resisted is None


def test_a_grapple_that_begins_is_aimed_at_somebody(brawl: Table, storyteller: Any, client: Any) -> None:
    client.force_login(storyteller)
    asked = {"who": brawl["Thug"], "action": "grapple"}
    form = client.get(reverse("combat:form", args=[brawl.encounter_id, "action"]), asked).content.decode()
    assert "no target" not in form
    assert f'value="{brawl["Mara"]}" selected' in form  # the opponent, listed before his friend
    assert 'id="action-plan"' in form
    done = client.post(reverse("combat:do", args=[brawl.encounter_id, "action"]), asked)
    assert done.status_code == 422
    brawl.do(TakeAction("grapple", brawl["Mara"], (brawl["Thug"],)), dice=WrittenDice(8))
    form = client.get(reverse("combat:form", args=[brawl.encounter_id, "action"]), asked).content.decode()
    assert "no target" in form  # within one it is known whom


def test_a_point_of_willpower_goes_into_a_grapple(brawl: Table, player: Any, client: Any) -> None:
    """CD-WILL-1: three dice, which the form mentions in advance; nobody reads what others have."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:form", args=[brawl.encounter_id, "action"])
    asked = {"who": mara, "action": "grapple", "at": thug}
    assert "Spend a point of Willpower (4 left)" in client.get(address, asked).content.decode()
    assert "<b>13 dice</b>" in client.get(address, {**asked, "willpower": "on"}).content.decode()
    assert "<b>10 dice</b>" in client.get(address, {**asked, "willpower": "false"}).content.decode()
    press = reverse("combat:do", args=[brawl.encounter_id, "action"])
    assert "(0 left)" in client.post(press, {**asked, "who": thug}).content.decode()
    assert "Willpower" not in client.get(address, {"who": mara, "action": "draw"}).content.decode()
    done = client.post(
        reverse("combat:do", args=[brawl.encounter_id, "action"]), {**asked, "willpower": "on", "key": "k"}
    )
    assert done.status_code == 302
    assert brawl.state.combatants[mara].sheet.resources["willpower"] == 3


def test_nobody_is_asked_in_a_fight_that_is_set_aside(brawl: Table) -> None:
    """CD-GRP-2."""
    brawl.do(TakeAction("grapple", brawl["Mara"], (brawl["Thug"],)), dice=WrittenDice(8))
    brawl.do(commands.Pause())

    assert asked(brawl, "storyteller") == ()


def test_the_roll_comes_once_a_turn_on_the_higher_initiative(brawl: Table, player: Any) -> None:
    """CD-GRP-2: turn by turn, nobody is asked twice."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(commands.RollInitiative())
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))
    assert asked(brawl, player) == asked(brawl, "storyteller") == ()
    brawl.do(commands.EndTurn())

    first = next(who for rank in brawl.state.order for who in rank if who in (mara, thug))
    assert [each.who for each in asked(brawl, "storyteller")] == [first]


def test_a_grapple_is_played_by_presses(brawl: Table, player: Any, client: Any) -> None:
    """CD-GRP-1, CD-GRP-2, CD-GRP-8: the page has the buttons, and they work."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("combat:encounter", args=[brawl.encounter_id])).content.decode()
    assert f'value="grapple {mara}"' in page

    brawl.do(TakeAction("grapple", mara), dice=WrittenDice(8, 8, 8, 8))
    page = client.get(reverse("combat:encounter", args=[brawl.encounter_id])).content.decode()
    assert f'value="hold {mara}"' in page
    assert "Control a weapon first." in page
    done = client.post(reverse("combat:do", args=[brawl.encounter_id, "action"]), {"press": f"hold {mara}"})
    assert done.status_code == 302
    assert "held" in brawl.state.combatants[thug].conditions


def test_the_beaten_down_fight_on_or_surrender_by_a_press(
    brawl: Table, player: Any, storyteller: Any, client: Any
) -> None:
    """CD-BEAT-1, CD-BEAT-2: with the house rule there are both buttons; players learn as much as of health."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    page = f"{reverse('combat:form', args=[brawl.encounter_id, 'action'])}?who={mara}"
    do = reverse("combat:do", args=[brawl.encounter_id, "action"])
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    brawl.do(commands.Harm(mara, 1, Damage.LETHAL))
    assert f'value="surrender {mara}"' not in client.get(page).content.decode()

    Chronicle.objects.update(options={"beaten_down": True})
    brawl.do(commands.SetVisibility(thug, health_shown="nothing"))
    for who in (mara, thug):
        brawl.do(commands.Harm(who, 1, Damage.LETHAL))

    def beaten(reader: Any) -> set[str]:
        lines = (line for entry in brawl.view(reader).log.entries for line in entry.lines)
        told = {"".join(span.text for span in line) for line in lines}
        return {text.removesuffix(" is beaten down.") for text in told if text.endswith(" is beaten down.")}

    assert (beaten("storyteller"), beaten(player)) == ({"Mara", "Thug"}, {"Mara"})
    assert repr(brawl.view(player).order).count("beaten down") == 1
    read = client.get(page).content.decode()
    assert f'value="fight_on {mara}"' in read
    assert "Beaten down: fight on for a point of Willpower first, or surrender." in read
    client.post(do, {"press": f"fight_on {mara}"})
    brawl.do(Attack(mara, (thug,), "unarmed"), dice=WrittenDice())
    client.post(do, {"press": f"surrender {mara}"})
    assert "surrendered" in brawl.state.combatants[mara].conditions

    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    form = reverse("combat:form", args=[brawl.encounter_id, "conditions"])
    assert 'value="beaten_down"' in client.get(form, {"who": thug}, HTTP_HX_REQUEST="true").content.decode()


def test_chips_say_of_what_has_two_sides_whether_both_have_it(brawl: Table, player: Any) -> None:
    """CD-AIM-8: one hand, then the other; blindness not caused by a blow affects both eyes."""
    mara, thug = brawl["Mara"], brawl["Thug"]

    def chips() -> set[str]:
        rows = (row for row in brawl.view(player).order.others if row.id == mara)
        return {condition.label for row in rows for condition in row.conditions}

    for words in ("arm wracked", "both arms wracked"):
        brawl.do(Attack(thug, (mara,), "unarmed", (Modifier("target_hand"),)), dice=WrittenDice(8))
        assert chips() == {words}
    brawl.do(Attack(thug, (mara,), "unarmed", (Modifier("target_eye"),)), dice=WrittenDice(8))
    assert "blinded in one eye" in chips()
    brawl.do(commands.ChangeConditions(thug, frozenset({"blinded"})))
    assert "blinded" in {each.label for row in brawl.view(player).order.others for each in row.conditions}


def test_what_is_aimed_at_is_chosen_from_one_list(brawl: Table, storyteller: Any, client: Any) -> None:
    """CD-AIM-1 to CD-AIM-6: a leg is listed twice, by the intended effect."""
    mara, thug = brawl["Mara"], brawl["Thug"]
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    picked = {"who": mara, "at": thug, "weapon": "unarmed", "one_of_aim_at": "target_leg effect knocked_down"}
    address = reverse("combat:attack", args=[brawl.encounter_id])
    form = client.get(address, {"who": mara, "at": thug, "weapon": "unarmed"}).content.decode()
    for value in ("target_head", "target_leg effect leg_wrack", "target_leg effect knocked_down", "stake"):
        assert f'value="{value}"' in form
    plan = client.get(reverse("combat:attack-plan", args=[brawl.encounter_id]), picked).content.decode()
    assert "Aimed at a leg" in plan
    assert "CD-AIM-2" in plan


@pytest.mark.parametrize(
    ("language", "label"), [("en", "Charge distance in yards"), ("de", "Strecke des Sturmangriffs in Metern")]
)
def test_a_number_named_like_its_circumstance_is_named_once(
    brawl: Table, storyteller: Any, client: Any, language: str, label: str
) -> None:
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    asked = {"who": brawl["Mara"], "at": brawl["Thug"], "weapon": "unarmed"}
    address = reverse("combat:attack", args=[brawl.encounter_id])
    form = client.get(address, asked, headers={"accept-language": language}).content.decode()
    assert form.count(label.split(maxsplit=1)[0].strip(",")) == form.count(label) == 1


def test_what_was_aimed_at_is_filled_in_again(brawl: Table, storyteller: Any, client: Any) -> None:
    """CD-AIM-2: when the Storyteller changes an announced blow at a leg, the leg stays selected."""
    blow = Modifier("target_leg", {"side": "left", "effect": "knocked_down"})
    brawl.do(commands.ProposeAttack("x", Attack(brawl["Mara"], (brawl["Thug"],), "unarmed", (blow,)), approval=True))
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    form = client.get(reverse("combat:attack", args=[brawl.encounter_id]), {"exchange": "x"}).content.decode()
    assert 'value="target_leg effect knocked_down" selected' in form
    assert 'value="left" selected' in form
    assert "Aimed at a leg" in form


def test_which_arm_or_leg_is_said_once_for_all(brawl: Table, storyteller: Any, client: Any) -> None:
    """CD-AIM-1, CD-AIM-2: the side applies to paired parts only."""
    from tests.combat.web.test_commands import stood_at

    mara, thug = brawl["Mara"], brawl["Thug"]
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:do", args=[brawl.encounter_id, "attack"])
    for number, (part, figures) in enumerate(
        (
            ("target_arm", {"side": "left"}),
            ("target_leg effect knocked_down", {"side": "left", "effect": "knocked_down"}),
            ("target_head", {}),
        )
    ):
        picked = {"who": mara, "at": thug, "weapon": "unarmed", "one_of_aim_at": part, "one_of_aim_at_side": "left"}
        picked |= {"version": stood_at(brawl, storyteller), "key": f"k{number}", "defence": ""}
        assert client.post(address, picked).status_code == 302
        (modifier,) = brawl.encounter.rows.last().command["modifiers"]
        assert (modifier["key"], modifier["figures"]) == (part.split(" ")[0], figures)


def test_the_report_counts_what_is_done_in_a_grapple(brawl: Table) -> None:
    mara, thug, friend = brawl["Mara"], brawl["Thug"], brawl["Friend"]
    brawl.do(TakeAction("aid_grapple", friend, (thug,)), dice=WrittenDice(8))
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))
    brawl.do(TakeAction("grapple_damage", mara), dice=WrittenDice(8, 8))
    told, marks = report(brawl), len(brawl.state.combatants[thug].sheet.marks)
    assert person(told, "Thug").taken == person(told, "Mara").dealt == marks > 0
    assert person(told, "Friend").rolls == 1
    assert any(each.text.startswith("The heaviest blow: Mara against Thug, ") for each in told.turnings)


def test_the_storyteller_types_both_sides_of_a_grapple(brawl: Table, signed_in: Any, storyteller: Any) -> None:
    mara, thug = brawl["Mara"], brawl["Thug"]
    brawl.do(TakeAction("grapple", mara, (thug,)), dice=WrittenDice(8))
    brawl.do(TakeAction("grapple_damage", mara), dice=WrittenDice(8))
    brawl.do(commands.EndTurn())
    client, url = signed_in(storyteller), reverse("combat:do", args=[brawl.encounter_id, "action"])
    sent: dict[str, Any] = {"action": "grapple", "who": mara, "dice": "type", "key": "k"}
    first = client.post(url, sent, HTTP_HX_REQUEST="true").content.decode()
    mine, theirs = (first.count(f'name="die-{throw}"') for throw in (f"roll-{mara}", f"resist-{thug}"))
    assert mine
    assert theirs
    # The opponent's are asked for although the roller gets nothing, unless Vesper rolls them.
    sent |= {f"die-roll-{mara}": ["1"] * mine}
    assert client.post(url, sent, HTTP_HX_REQUEST="true").status_code == 422
    before = brawl.state.resolutions
    assert client.post(url, sent | {"rolled": f"die-resist-{thug}"}, HTTP_HX_REQUEST="true").status_code == 200
    assert brawl.state.resolutions == before + 1
