"""A fight with injuries on the screens: what each audience sees of them, and how they are corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from campaigns import services as campaigns
from campaigns.models import Chronicle
from combat.commands import drafts, perform
from combat.history import records
from combat.log import codec
from combat.log import rows as logs
from combat.models import LogRow
from combat.panes import build
from combat.panes.build import player_view, storyteller_view, table_view
from rules.model.choices import Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.sheet import Injury
from rules.model.state import HealthShown
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table
from tests.combat.drawn import Desk, fields_of
from tests.combat.log.test_replay import OF_WOUNDS
from tests.kept import kept

pytestmark = pytest.mark.django_db

TRAITS = {"strength": 3, "dexterity": 3, "stamina": 3, "wits": 2, "brawl": 2, "dodge": 2, "firearms": 2, "willpower": 3}
SECRET = "the Deacon's razor"


@pytest.fixture
@kept
def fight(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight: a player's Ann, a thug whose health is shown as a word, and a hidden combatant."""
    from characters.models import CarriedWeapon, Character, Weapon

    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="wounds")
    chronicle.refresh_from_db()
    ann = Character.objects.create(chronicle=chronicle, name="Ann", owner=player, traits=TRAITS)
    razor = Weapon.objects.create(
        ruleset="wounds", name=SECRET, mode="melee", attribute="strength", ability="brawl", difficulty=5, damage=6
    )
    others = [Character.objects.create(chronicle=chronicle, name=name, traits=TRAITS) for name in ("Thug", "Unseen")]
    CarriedWeapon.objects.create(character=others[1], weapon=razor)
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The alley", scene="Rain.")
    common = {"encounter_id": encounter.pk, "actor": storyteller}
    drafts.add_character(**common, character=ann)
    drafts.add_character(**common, character=others[0])
    drafts.add_character(**common, character=others[1], hidden=True)
    return Table.of(encounter, storyteller).begin()


def views(fight: Table, player: Any) -> tuple[Any, Any, Any]:
    seen = records.read(fight.encounter)
    return storyteller_view(seen), player_view(seen, player.pk), table_view(seen)


def row_of(view: Any, who: str) -> Any:
    rows = [row for rank in view.order.ranks for row in rank] + list(view.order.others)
    return next(row for row in rows if row.id == who)


def test_what_caused_an_injury_is_said_in_the_readers_language(fight: Table, player: Any) -> None:
    fight.do(commands.Attack(fight["Thug"], (fight["Ann"],)), dice=FixedDice(9))
    with translation.override("de"):
        injuries = row_of(views(fight, player)[1], fight["Ann"]).health.injuries
    assert [each.cause for each in injuries] == ["bloße Hände"]


def test_injuries_of_others_are_a_word_or_nothing(fight: Table, player: Any) -> None:
    """WL-DMG-3: the Storyteller reads the list, the table only what is shown."""
    thug = fight["Thug"]
    fight.do(commands.Harm(thug, 4, Damage.LETHAL, why="a very private cause"))
    told, theirs, table = views(fight, player)
    assert [(each.level, each.cause) for each in row_of(told, thug).health.injuries] == [(4, "a very private cause")]
    assert row_of(told, thug).health.wounds == 4
    for view in (theirs, table):
        health = row_of(view, thug).health
        assert (health.word, health.injuries, health.wounds, health.scars) == ("badly hurt", (), None, 0)
    fight.do(commands.SetVisibility(thug, health_shown=HealthShown.NOTHING))
    for view in views(fight, player)[1:]:
        health = row_of(view, thug).health
        assert (health.word, health.injuries, health.wounds) == ("", (), None)
    fight.do(commands.SetVisibility(thug, health_shown=HealthShown.BOXES))
    assert row_of(views(fight, player)[1], thug).health.wounds == 4


def test_what_strikes_out_of_hiding_leaves_no_name_on_a_players_sheet(fight: Table, player: Any, client: Any) -> None:
    """WL-DMG-2, WL-SCAR-1: neither on the phone nor on the character's page."""
    from characters.models import Character

    command = commands.Attack(fight["Unseen"], (fight["Ann"],), SECRET)
    perform.perform(encounter_id=fight.encounter_id, actor=fight.storyteller, command=command, dice=FixedDice(6))
    ann = Character.objects.get(name="Ann")
    assert ann.injuries
    assert ann.scars[0]["fight"] == fight.encounter_id
    _, theirs, table = views(fight, player)
    assert SECRET not in repr(theirs)
    assert SECRET not in repr(table)
    client.force_login(player)
    for url in (reverse("characters:sheet", args=[ann.pk]), reverse("combat:encounter", args=[fight.encounter_id])):
        assert "razor" not in client.get(url).content.decode()


def test_a_stock_and_an_aim_are_their_bearers_own(fight: Table, player: Any) -> None:
    """WL-DEF-4, WL-MOD-3."""
    thug, ann = fight["Thug"], fight["Ann"]
    for who in (thug, ann):
        evade = commands.TakeAction("evade", who)
        perform.perform(encounter_id=fight.encounter_id, actor=fight.storyteller, command=evade, dice=FixedDice(7))
    told, theirs, _ = views(fight, player)
    assert "evades: 5 left" in [each.label for each in row_of(told, thug).conditions]
    assert [each.label for each in row_of(theirs, thug).conditions] == []
    assert "evades: 5 left" in [each.label for each in row_of(theirs, ann).conditions]


def test_every_kind_of_event_is_met_and_comes_back(fight: Table) -> None:
    ann, thug = fight["Ann"], fight["Thug"]
    fight.do(commands.TakeAction("evade", ann))
    fight.do(commands.Harm(thug, 5, Damage.LETHAL))
    fight.do(commands.Heal(thug, 1, injury=1))
    fight.do(commands.SetHealth(ann, injuries=(Injury(2, "a fall"),)))
    bow = codec.load_state(codec.dump_state(fight.state)).combatants[ann].sheet
    from dataclasses import replace

    from rules.model.gear import Mode, Weapon

    fight.do(commands.ReviseSheet(ann, replace(bow, weapons=(Weapon("bow", Mode.ARCHERY, range=(50,)),))))
    fight.do(commands.TakeAction("aim", ann, (thug,)))
    met = {event["is"] for row in LogRow.objects.filter(encounter_id=fight.encounter_id) for event in row.events}
    assert met >= OF_WOUNDS
    assert logs.state_of(logs.rows_of(fight.encounter)) == fight.state


def do(client: Any, fight: Table, name: str, **said: Any) -> Any:
    url = reverse("combat:do", args=[fight.encounter_id, name])
    data = {"key": f"{name}{fight.encounter.seq}", **said}
    return client.post(url, data, HTTP_HX_REQUEST="true")


def test_the_storyteller_marks_lowers_and_puts_injuries_right(fight: Table, client: Any, storyteller: Any) -> None:
    """WL-DMG-2, WL-DMG-4."""
    client.force_login(storyteller)
    thug = fight["Thug"]

    def levels() -> list[int]:
        return [each.level for each in fight.state.combatants[thug].sheet.injuries]

    page = client.get(reverse("combat:form", args=[fight.encounter_id, "damage"]), {"who": thug}).content.decode()
    assert "bashing" not in page
    assert do(client, fight, "damage", who=thug, amount=5, reason="a fall").status_code == 200
    assert do(client, fight, "damage", who=thug, amount=2).status_code == 200
    assert levels() == [5, 2]
    page = client.get(reverse("combat:form", args=[fight.encounter_id, "heal"]), {"who": thug}).content.decode()
    assert "5, a fall" in page
    assert do(client, fight, "heal", who=thug, injury=1, amount=2).status_code == 200
    assert do(client, fight, "heal", who=thug, injury=2).status_code == 200
    assert levels() == [3]
    page = client.get(reverse("combat:form", args=[fight.encounter_id, "boxes"]), {"who": thug}).content.decode()
    assert "3 a fall" in page
    assert do(client, fight, "boxes", who=thug, injuries="1\n6 a lorry").status_code == 200
    assert fight.state.combatants[thug].sheet.injuries == (Injury(6, "a lorry"), Injury(1))
    assert do(client, fight, "boxes", who=thug, injuries="a lorry").status_code == 422
    assert levels() == [6, 1]


@pytest.mark.parametrize("before", [0, 2])
def test_injuries_done_meanwhile_are_not_put_right_unseen(
    fight: Table, client: Any, storyteller: Any, before: int
) -> None:
    client.force_login(storyteller)
    desk, thug = Desk(client, fight), fight["Thug"]
    for _each in range(before):
        fight.do(commands.Harm(thug, 2, Damage.LETHAL, why="a fall"))
    form = desk.open("boxes", who=thug)
    fight.do(commands.Harm(thug, 4, Damage.LETHAL, why="an axe"))
    assert desk.send("boxes", form, injuries="1").status_code == 409
    assert len(fight.state.combatants[thug].sheet.injuries) == before + 1
    form = desk.open("boxes", who=thug)
    again = desk.send("boxes", form, injuries="a lorry")
    assert again.status_code == 422
    assert desk.send("boxes", fields_of(again.content.decode()), injuries="3 a lorry").status_code == 200
    assert fight.state.combatants[thug].sheet.injuries == (Injury(3, "a lorry"),)


def test_the_first_injury_is_healed_only_while_it_is_the_one_that_was_shown(
    fight: Table, client: Any, storyteller: Any
) -> None:
    client.force_login(storyteller)
    desk, thug = Desk(client, fight), fight["Thug"]
    fight.do(commands.Harm(thug, 2, Damage.LETHAL, why="a fall"))
    form = desk.open("heal", who=thug)
    fight.do(commands.Harm(thug, 5, Damage.LETHAL, why="an axe"))
    assert desk.send("heal", form, injury="1").status_code == 409
    assert desk.send("heal", desk.open("heal", who=thug), injury="1").status_code == 200
    assert fight.state.combatants[thug].sheet.injuries == (Injury(2, "a fall"),)


def test_a_copy_of_somebody_begins_unhurt_and_unscarred(fight: Table, chronicle: Any) -> None:
    from characters.models import Character

    thug = Character.objects.get(name="Thug")
    thug.injuries, thug.scars = [{"level": 4, "cause": ""}], [{"level": 4, "cause": "", "turn": 1}]
    thug.save()
    drafts.add_copies(encounter_id=fight.encounter_id, actor=fight.storyteller, character=thug, count=2)
    copies = [each for each in fight.state.combatants.values() if each.group == thug.pk]
    assert [(each.sheet.injuries, each.sheet.scars) for each in copies] == [((), ())] * 2


@pytest.mark.parametrize(("figure", "difficulty"), [({}, 7), ({"figure_secondary_ability": "on"}, 6)])
def test_a_player_marks_a_secondary_ability_when_evading(
    fight: Table, client: Any, player: Any, figure: dict[str, str], difficulty: int
) -> None:
    """WL-ATK-2, WL-DEF-4."""
    client.force_login(player)
    ann = fight["Ann"]
    form = client.get(reverse("combat:form", args=[fight.encounter_id, "action"]), {"who": ann, "action": "evade"})
    assert 'name="figure_secondary_ability"' in form.content.decode()
    assert do(client, fight, "action", who=ann, action="evade", **figure).status_code == 200
    told, *_ = fight.encounter.rows.last().events
    assert (told["is"], told["roll"]["plan"]["difficulty"]) == ("TraitsRolled", difficulty)


def test_who_cannot_act_is_not_offered_to_ignore_being_stunned(fight: Table) -> None:
    """WL-WILL-1 ends the stun, which doesn't help somebody who is also incapacitated."""

    def offered() -> list[str]:
        sheet = build.somebody(records.read(fight.encounter), fight["Ann"])
        return [each.key for each in sheet.possible]

    fight.do(commands.ChangeConditions(fight["Ann"], frozenset({"stunned"})))
    assert "lift" in offered()
    fight.do(commands.ChangeConditions(fight["Ann"], frozenset({"unconscious"})))
    assert "lift" not in offered()


def test_a_clash_is_answered_with_the_circumstances_of_attacks(fight: Table, client: Any, player: Any) -> None:
    """WL-DEF-5, WL-MOD-2; a dodge isn’t an attack."""
    client.force_login(player)
    fight.do(commands.ProposeAttack("x", commands.Attack(fight["Thug"], (fight["Ann"],))))
    asked = {"exchange": "x", "target": fight["Ann"], "mods": "off_hand"}
    form = client.get(reverse("combat:form", args=[fight.encounter_id, "answer"]), asked)
    assert "Off hand" in form.content.decode()
    refused = do(client, fight, "answer", **asked, kind="dodge")
    assert (refused.status_code, "doesn’t apply here" in refused.content.decode()) == (422, True)
    assert do(client, fight, "answer", **asked, kind="clash").status_code == 200
    (result,) = [each for each in fight.encounter.rows.last().events if each["is"] == "AttackResolved"]
    (against,) = result["plan"]["against"]
    assert "off_hand" in [part["key"] for part in against["defence"]["parts"]]


def test_the_ambushed_are_named_when_initiative_is_rolled(fight: Table, client: Any, storyteller: Any) -> None:
    """WL-INIT-3; a ruleset without that rule does not ask."""
    client.force_login(storyteller)
    form = reverse("combat:form", args=[fight.encounter_id, "initiative"])
    assert form in client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert 'name="ambushed"' in client.get(form).content.decode()
    assert do(client, fight, "initiative", ambushed=[fight["Ann"]]).status_code == 200
    ranks = [who for rank in fight.state.order for who in rank]
    assert (ranks[-1], fight.state.initiative[fight["Ann"]].ambushed) == (fight["Ann"], True)
    elsewhere = campaigns.create_chronicle(user=storyteller, name="Elsewhere", ruleset="masquerade")
    draft = drafts.create_encounter(by=elsewhere.memberships.get(), name="The bar")
    form = reverse("combat:form", args=[draft.pk, "initiative"])
    assert 'name="ambushed"' not in client.get(form).content.decode()


# ------------------------------------------------------------------ the question for a defence


def test_what_was_evaded_counts_in_the_question(fight: Table, player: Any, client: Any) -> None:
    """WL-DEF-4: three successes are ready in addition to the dodge."""
    ann, thug = fight["Ann"], fight["Thug"]
    fight.do(commands.TakeAction("evade", ann), dice=FixedDice(9, 9, 9, 2, 2))
    fight.do(commands.ProposeAttack("x", commands.Attack(thug, (ann,))))
    (ask,) = fight.view(player).asks.defences
    assert ask.stock == 3
    assert [label for label, _chance in ask.choices[1].chances] == ["cancels 4+", "cancels 5+", "cancels 6+"]
    client.force_login(player)
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert "Ann evades with 3 successes" in page


def test_the_storyteller_answers_for_all_npcs_at_once(fight: Table, player: Any, client: Any) -> None:
    """WL-AUTO-1: a sweep over two NPCs; a player can't answer for others."""
    ann, thug, unseen = fight["Ann"], fight["Thug"], fight["Unseen"]
    gun = Weapon("SMG", Mode.FIREARM, 1, attribute="dexterity", ability="firearms", clip=30, rounds=30, automatic=True)
    fight.do(commands.ReviseSheet(ann, replace(fight.state.combatants[ann].sheet, weapons=(gun,))))
    fight.do(commands.ProposeAttack("x", commands.Attack(ann, (thug, unseen), "SMG", (Modifier("sweep"),))))
    (group,) = fight.view("storyteller").asks.groups
    assert (group.name, group.targets) == ("Thug and Unseen", (thug, unseen))
    assert [(each.label, each.can) for each in group.choices if each.can] == [("Dodge", 2), ("No defence", 2)]
    assert not hasattr(fight.view(player).asks, "groups")
    answer = {"answer": f"x {thug},{unseen} dodge"}
    url = reverse("combat:do", args=[fight.encounter_id, "answer"])
    client.force_login(player)
    assert client.post(url, answer).status_code == 403
    client.force_login(fight.storyteller)
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert f'value="{answer["answer"]}"' in page
    assert client.post(url, answer).status_code == 302
    assert fight.state.exchanges == ()
