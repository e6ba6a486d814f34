"""A World of Darkness fight on the screens, from start to end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from combat.commands import drafts, perform
from combat.commands.dice import DiceWanted, TypedDice
from combat.log import codec, rows
from combat.models import LogRow
from combat.web.forms.endpoints import endpoints
from rules.engine.dice import Purpose
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import BARE_HANDS, Damage
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table, WrittenDice
from tests.combat.drawn import Desk
from tests.combat.log.test_replay import OF_DARKNESS
from tests.kept import kept

pytestmark = pytest.mark.django_db

TRAITS = {"strength": 3, "dexterity": 3, "stamina": 2, "wits": 2, "composure": 2, "brawl": 2, "firearms": 2, "size": 5}
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
@kept
def dark(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight: a player's hunter, a thug, and a hidden combatant."""
    from characters.models import CarriedWeapon, Character, Weapon

    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="darkness")
    chronicle.refresh_from_db()
    hunter = Character.objects.create(
        chronicle=chronicle, name="Mara", owner=player, traits=TRAITS, merits=["fresh_start"]
    )
    thug = Character.objects.create(chronicle=chronicle, name="Thug", traits=TRAITS)
    unseen = Character.objects.create(chronicle=chronicle, name="Nobody Knows", kind="vampire", traits=TRAITS)
    pistol, _ = Weapon.objects.get_or_create(
        name="Test pistol",
        ruleset="darkness",
        chronicle=None,
        defaults={"mode": "firearm", "damage": 3, "type": "lethal", "form": "ballistic", "range_short": 30, "clip": 7},
    )
    CarriedWeapon.objects.create(character=hunter, weapon=pistol)
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The alley", scene="Rain.")
    common = {"encounter_id": encounter.pk, "actor": storyteller}
    drafts.add_character(**common, character=hunter)
    drafts.add_character(**common, character=thug)
    drafts.add_character(**common, character=unseen, hidden=True)
    return Table.of(encounter, storyteller).begin()


def test_every_kind_of_event_of_the_family_is_met_and_comes_back(dark: Table) -> None:
    mara, thug = dark["Mara"], dark["Thug"]
    rain = (Modifier("circumstance", {"dice": -1, "why": "rain"}),)
    dark.do(commands.SetCircumstances("", rain))
    dark.do(commands.SetInitiativeMode(every_turn=False))
    dark.do(commands.Describe((mara,), "A smell of wet dog."))
    dark.do(commands.RollInitiative(), dice=WrittenDice(9, 5))
    dark.do(commands.HoldOver(thug))
    dark.do(commands.EndTurn())
    dark.do(Attack(thug, (mara,)), dice=WrittenDice(8))
    dark.do(commands.FreshStart(mara, 3))
    dark.do(commands.SetHealth(thug, (Damage.BASHING,) * 7))
    dark.do(commands.EndTurn(), dice=WrittenDice(8))
    dark.do(commands.SetHealth(thug, (Damage.LETHAL,) * 7))
    for _ in range(20):
        dark.do(commands.EndTurn())
    met = {event["is"] for row in LogRow.objects.filter(encounter_id=dark.encounter_id) for event in row.events}
    assert met >= OF_DARKNESS
    assert set(codec.EVENTS) >= OF_DARKNESS
    assert rows.state_of(rows.rows_of(dark.encounter)) == dark.state


def test_an_action_held_over_has_its_chip_until_it_is_taken(dark: Table, player: Any) -> None:
    """WD-DELAY-3."""

    def rows() -> list[tuple[bool, bool]]:
        views = (dark.view("storyteller"), dark.view(player))
        found = (next(row for row in view.order.rows() if row.id == dark["Thug"]) for view in views)  # type: ignore[union-attr]
        return [(row.waits, getattr(row, "holds", False)) for row in found]

    dark.do(commands.RollInitiative(), dice=WrittenDice(9, 5))
    dark.do(commands.HoldOver(dark["Thug"]))
    assert rows() == [(False, False), (False, False)]
    dark.do(commands.EndTurn())
    assert rows() == [(True, True), (True, False)]
    dark.do(Attack(dark["Thug"], (dark["Mara"],)), dice=WrittenDice(8))
    assert rows() == [(False, False), (False, False)]


def test_the_log_tells_what_came_of_it_and_not_who_is_hidden(dark: Table, player: Any) -> None:
    hidden = dark["Nobody Knows"]
    dark.do(commands.RollInitiative(), dice=WrittenDice(9, 5, 2))
    dark.do(commands.HoldOver(hidden))
    dark.do(commands.SetCircumstances(hidden, (Modifier("circumstance", {"dice": -1, "why": "fear"}),)))
    dark.do(commands.EndTurn())
    dark.do(Attack(hidden, (dark["Thug"],)), dice=WrittenDice(8, 8, 8, 8, 8))
    dark.do(commands.Delay(dark["Thug"]))
    for audience in ("table", player):
        seen = repr(dark.view(audience))
        for planted in ("Nobody Knows", hidden, "fear"):
            assert planted not in seen
    everything = repr(dark.view("storyteller"))
    assert "Nobody Knows" in everything
    assert "holds this turn’s action over" in everything


def test_a_circumstance_without_dice_of_its_own_is_told_without_them(dark: Table) -> None:
    dark.do(commands.SetCircumstances(dark["Thug"], (Modifier("willpower"), Modifier("circumstance", {"dice": -1}))))
    lines = ["".join(span.text for span in line) for line in dark.view("storyteller").log.entries[0].lines]
    assert lines == ["Thug: Willpower, circumstance -1."]


def test_the_scene_reaches_everybody_and_a_perspective_only_whose_it_is(
    dark: Table, player: Any, other_player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    """WD-SCENE-1, WD-SCENE-2."""
    membership = dark.encounter.chronicle.memberships.get(user=storyteller)
    drafts.describe(by=membership, encounter=dark.encounter, scene="Snow, and no moon.")
    fields = {"to": [dark["Mara"]], "text": "CANARY: the snow is warm.", "version": ""}
    answer = signed_in(storyteller).post(reverse("combat:do", args=[dark.encounter_id, "describe"]), fields, **HTMX)
    assert answer.status_code == 200, answer.content.decode()
    for audience in ("storyteller", "table", player, other_player):
        assert dark.view(audience).scene.text == "Snow, and no moon."
    for audience in ("storyteller", player):
        assert "CANARY" in repr(dark.view(audience))
    for audience in ("table", other_player):
        assert "CANARY" not in repr(dark.view(audience))


def test_narration_is_shown_above_the_numbers(dark: Table, player: Any) -> None:
    """WD-NARR-1."""
    dark.do(Attack(dark["Mara"], (dark["Thug"],)))
    assert dark.state.unnarrated == ("r1",)
    dark.do(commands.Narrate("r1", "He folds around her fist."))
    assert dark.state.unnarrated == ()
    assert any(entry.narration == "He folds around her fist." for entry in dark.view(player).log.entries)


def test_the_form_for_a_move_says_how_far(dark: Table, player: Any, signed_in: Callable[[Any], Any]) -> None:
    """WD-MOVE-1."""
    form = reverse("combat:form", args=[dark.encounter_id, "action"])
    said = {"who": dark["Mara"], "action": "move"}
    assert "Speed: 11 yards" in signed_in(player).get(form, said, **HTMX).content.decode()
    assert "Speed" not in signed_in(player).get(form, said | {"action": "shape"}, **HTMX).content.decode()


def test_manoeuvres_beyond_the_document_are_on_the_screens_where_they_are_played(
    dark: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    """WD-MAN-1, WD-DODGE-1, WD-AUTO-1, WD-COV-1, WD-GRP-1."""
    client, who = signed_in(storyteller), {"who": dark["Mara"], "at": dark["Thug"], "weapon": BARE_HANDS}
    attack, actions = (
        reverse(f"combat:{name}", args=[dark.encounter_id, *more]) for name, *more in (("attack",), ("form", "action"))
    )

    def offered() -> set[str]:
        told = client.get(attack, who, **HTMX).content.decode() + client.get(actions, who, **HTMX).content.decode()
        keys = {"all_out", "mod_charge_distance", "dodge", "seek_cover", "grapple"}
        return {key for key in keys if re.search(rf'(value|name)="{key}\b|action={key}\b', told)}

    assert offered() == set()
    Chronicle.objects.update(options=dict.fromkeys(("all_out", "charge", "dodge", "cover", "grapple"), True))
    assert offered() == {"all_out", "mod_charge_distance", "dodge", "seek_cover", "grapple"}


def test_everybody_reads_that_initiative_is_rolled_every_turn(dark: Table, player: Any) -> None:
    """WD-INIT-4."""
    dark.do(commands.RollInitiative())
    assert dark.view("storyteller").bar.next == "act"  # type: ignore[union-attr]
    dark.do(commands.SetInitiativeMode(every_turn=True))
    dark.do(commands.EndTurn())
    for audience in ("storyteller", "table", player):
        assert dark.view(audience).bar.notice == "Initiative is rolled every turn"
    assert dark.view("storyteller").bar.next == "initiative"  # type: ignore[union-attr]


def test_whoever_was_surprised_is_due_when_the_next_turn_begins(dark: Table) -> None:
    """WD-SURP-1."""
    dark.do(commands.CheckSurprise((dark["Thug"],)), dice=WrittenDice())
    dark.do(commands.RollInitiative())
    assert dark.view("storyteller").bar.next == "act"  # type: ignore[union-attr]
    dark.do(commands.EndTurn())
    assert dark.view("storyteller").bar.next == "initiative"  # type: ignore[union-attr]
    dark.do(commands.RollInitiative())
    assert dark.view("storyteller").bar.next == "act"  # type: ignore[union-attr]


# ------------------------------------------------------------------ typed dice


def test_what_is_rolled_again_is_asked_for_behind_the_rolls_own_dice(dark: Table) -> None:
    mara, thug = dark["Mara"], dark["Thug"]
    strike, own = Attack(mara, (thug,)), frozenset({mara})
    with pytest.raises(DiceWanted) as wanted:
        dark.do(strike, dice=TypedDice({}, own))
    assert (wanted.value.throw.purpose, wanted.value.throw.count) == (Purpose.ATTACK, 3)
    with pytest.raises(DiceWanted) as wanted:
        dark.do(strike, dice=TypedDice({(Purpose.ATTACK, mara): (10, 10, 1)}, own))
    assert wanted.value.throw.count == 5
    for faces in ((10, 10), (10, 10, 1, 8), (10, 10, 1, 8, 2, 2), (8, 1, 1, 1)):
        with pytest.raises(RuleViolation):
            dark.do(strike, dice=TypedDice({(Purpose.ATTACK, mara): faces}, own))
    done = dark.do(strike, dice=TypedDice({(Purpose.ATTACK, mara): (10, 10, 1, 8, 2)}, own))
    assert done.events[0].results[0].net == 3  # type: ignore[union-attr]


def test_rerolls_that_nobody_types_are_rolled(dark: Table) -> None:
    given = {(Purpose.ATTACK, dark["Mara"]): (10, 1, 1)}
    done = dark.do(Attack(dark["Mara"], (dark["Thug"],)), dice=TypedDice(given, rest=FixedDice(2)))  # type: ignore[arg-type]
    assert done.events[0].results[0].attack.roll.faces == (10, 1, 1, 2)  # type: ignore[union-attr]


# ------------------------------------------------------------------ screens


@pytest.fixture
def page(dark: Table, signed_in: Callable[[Any], Any]) -> Callable[..., str]:
    """page(user, "combat:attack", **query) -> the page at this URL."""

    def look(user: Any, name: str, *parts: str, **query: Any) -> str:
        answer = signed_in(user).get(reverse(name, args=[dark.encounter_id, *parts]), query)
        assert answer.status_code == 200, name
        return answer.content.decode()

    return look


def test_a_player_attacks_without_anybody_being_asked(
    dark: Table, signed_in: Callable[[Any], Any], player: Any, page: Any
) -> None:
    form = page(player, "combat:attack", who=dark["Mara"])
    assert "yards" in form
    assert "Difficulty" not in form
    chronicle = dark.encounter.chronicle
    chronicle.conduct = {"approval": False}
    chronicle.save()
    client = signed_in(player)
    view = dark.view(player)
    sheet = view.me.sheets[0]  # type: ignore[union-attr]
    fields = {"who": dark["Mara"], "at": dark["Thug"], "weapon": sheet.weapons[0].reference, "key": "k", "version": ""}
    answer = client.post(reverse("combat:do", args=[dark.encounter_id, "attack"]), fields, **HTMX)
    assert answer.status_code == 200, answer.content.decode()
    assert not dark.state.exchanges
    assert LogRow.objects.filter(encounter_id=dark.encounter_id).latest("seq").command["is"] == "ProposeAttack"


def test_a_player_does_not_learn_what_the_target_wears(dark: Table, page: Any, player: Any, storyteller: Any) -> None:
    query = {"who": dark["Mara"], "at": dark["Thug"], "weapon": "unarmed"}
    theirs, whole = page(player, "combat:attack-plan", **query), page(storyteller, "combat:attack-plan", **query)
    assert "Defense of" in whole
    assert "exceptional" in whole
    assert "Defense of" not in theirs


def test_the_log_tells_players_of_a_target_only_what_it_took_from_the_pool(dark: Table, player: Any) -> None:
    dark.do(Attack(dark["Mara"], (dark["Thug"],)))
    whole, theirs = (dark.view(each).log.entries[0].rolls[0].parts for each in ("storyteller", player))
    assert ("Defense of Thug", -2) in [(part.label, part.dice) for part in whole]
    assert ("The target’s Defense and armour", -2) in [(part.label, part.dice) for part in theirs]
    assert sum(part.dice for part in whole) == sum(part.dice for part in theirs)
    dark.do(Attack(dark["Thug"], (dark["Mara"],)), dice=WrittenDice())
    dark.do(commands.ChangeConditions(dark["Thug"], add=frozenset({"surprised"})))
    dark.do(Attack(dark["Mara"], (dark["Thug"],)))
    unhindered = dark.view(player).log.entries[0].rolls[0].parts
    assert [part.label for part in unhindered] == ["Strength", "Brawl"]


def test_the_storyteller_is_offered_only_what_the_ruleset_knows(dark: Table, page: Any, storyteller: Any) -> None:
    shown = page(storyteller, "combat:encounter")
    assert "/form/delay/" in shown
    assert "/form/abort/" not in shown
    assert "/do/full-defence/" not in shown


@pytest.mark.parametrize(
    "name", ["surprise", "circumstances", "describe", "hold-over", "fresh-start", "initiative-mode", "roll"]
)
def test_the_familys_forms_are_there(dark: Table, page: Any, storyteller: Any, name: str) -> None:
    assert page(storyteller, "combat:form", name, who=dark["Mara"])
    if name != "roll":
        assert f"/form/{name}/" in page(storyteller, "combat:encounter")


def test_the_forms_do_what_they_say(dark: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)

    def press(name: str, **fields: Any) -> Any:
        answer = client.post(reverse("combat:do", args=[dark.encounter_id, name]), fields | {"version": ""}, **HTMX)
        assert answer.status_code == 200, answer.content.decode()
        return dark.state

    assert press("circumstances", dice_1="-2", why_1="fog").circumstances[0].figures == {"dice": -2, "why": "fog"}
    assert press("circumstances", who=dark["Mara"], dice_2="1").combatants[dark["Mara"]].circumstances
    assert press("initiative-mode", every_turn="on").initiative_every_turn
    assert not press("initiative-mode").initiative_every_turn
    press("surprise", caught=[dark["Thug"], dark["Nobody Knows"]])
    assert dark.state.resolutions == 2
    for who in ("Thug", "Nobody Knows"):
        perform.perform(
            encounter_id=dark.encounter_id,
            actor=storyteller,
            command=commands.ChangeConditions(dark[who], remove=frozenset({"surprised"})),
        )
    dark.do(commands.RollInitiative())
    assert press("hold-over", who=dark["Thug"]).combatants[dark["Thug"]].turn.holding
    assert press("fresh-start", who=dark["Mara"], rank="30").combatants[dark["Mara"]].turn.rank == 30
    press("end-turn")
    assert dark.state.order[0] == (dark["Mara"],)


def test_a_whole_fight_is_played_by_its_buttons(
    dark: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    client = signed_in(storyteller)
    for name in ("initiative", *["act"] * 4, "next-turn", "act", "end-turn", "undo", "redo", "pause", "resume", "end"):
        assert name in endpoints()
        sent = {"version": "", "skip": dark.view("storyteller").bar.asks}  # type: ignore[union-attr]
        answer = client.post(reverse("combat:do", args=[dark.encounter_id, name]), sent, **HTMX)
        assert answer.status_code == 200, (name, answer.content.decode())
        for user in (storyteller, player):
            shown = signed_in(user).get(reverse("combat:encounter", args=[dark.encounter_id]))
            assert shown.status_code == 200
        signed_in(storyteller)
    assert dark.state.status == "ended"


def test_players_hold_over_and_start_afresh_for_their_own(dark: Table, player: Any, page: Any) -> None:
    dark.do(commands.RollInitiative())
    seat = page(player, "combat:encounter")
    assert "/form/hold-over/" in seat
    assert "/form/fresh-start/" in seat
    dark.do(commands.HoldOver(dark["Mara"]), by=player)
    assert dark.state.combatants[dark["Mara"]].turn.holding


def test_boxes_are_drawn_as_the_family_draws_them(dark: Table, page: Any, storyteller: Any) -> None:
    assert 'data-family="storytelling"' in page(storyteller, "combat:encounter")


def test_what_one_alone_sees_stands_in_their_scene(
    dark: Table, player: Any, other_player: Any, page: Any, storyteller: Any
) -> None:
    """WD-SCENE-2: until it is removed, and on nobody else's screen."""
    secret = "A smell of CANARY dog."
    before = dark.view(other_player)
    dark.do(commands.Describe((dark["Mara"],), secret))
    assert [(each.name, each.text) for each in dark.view(player).private.messages] == [("Mara", secret)]
    assert dark.view("storyteller").scene.told == (("Mara", secret),)
    assert dark.view(other_player) == before
    assert "CANARY" not in repr(dark.view("table"))
    assert "Only for Mara" in page(player, "combat:encounter")
    assert "Only for Mara" in page(storyteller, "combat:encounter")
    assert secret not in page(other_player, "combat:encounter")
    dark.do(commands.Describe((dark["Mara"],), ""))
    assert not dark.view(player).private.messages


def test_a_turn_has_two_stages(dark: Table) -> None:
    """WD-TURN-1."""

    def stages() -> list[tuple[str, bool]]:
        return [(stage.label, stage.now) for stage in dark.view("table").bar.stages]

    assert stages() == [("Initiative", True), ("Attack", False)]
    dark.turn()
    for _ in range(4):
        dark.do(commands.Act())
        assert stages() == [("Initiative", False), ("Attack", True)]


def test_nobody_is_waited_for_to_declare(dark: Table, player: Any, page: Any) -> None:
    """WD-TURN-1: declaring is possible, but optional."""
    dark.turn()
    assert not dark.view("storyteller").bar.reminder  # type: ignore[union-attr]
    phone = page(player, "combat:encounter")
    assert "The turn begins" in phone
    assert "have spoken" not in phone
    assert reverse("combat:form", args=[dark.encounter_id, "declare"]) in phone


@pytest.mark.parametrize("on", ["", "Mara"])
def test_circumstances_that_came_meanwhile_are_not_lifted_unseen(
    dark: Table, client: Any, storyteller: Any, on: str
) -> None:
    client.force_login(storyteller)
    desk, who = Desk(client, dark), dark[on] if on else ""
    form = desk.open("circumstances", who=who)
    rain, fog = (Modifier("circumstance", {"dice": -2, "why": why}) for why in ("rain", "fog"))
    dark.do(commands.SetCircumstances(who, (rain,)))
    assert desk.send("circumstances", form, why_1="fog", dice_1=-2).status_code == 409
    form = desk.open("circumstances", who=who)
    assert (form["why_1"], form["dice_1"], form["why_2"]) == (["rain"], ["-2"], [""])
    assert desk.send("circumstances", form, why_2="fog", dice_2=-2).status_code == 200
    lying = dark.state.combatants[who].circumstances if who else dark.state.circumstances
    assert lying == (rain, fog)
