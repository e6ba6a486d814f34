"""An attack as a conversation, as each of those who have a part in it finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from combat import services, versions
from combat.codec import dump_state
from combat.frames import frame
from rules import commands
from rules.commands import Attack, Defence, Modifier, ProposeAttack
from rules.encounter import Step
from rules.gear import Damage
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


def page(table: Table, name: str = "attack") -> str:
    return reverse(f"combat:{name}", args=[table.encounter_id])


def post(table: Table, client: Any, name: str, **said: Any) -> Any:
    url = reverse("combat:do", args=[table.encounter_id, name])
    return client.post(url, {"key": f"key {name} {len(repr(said))}"} | said, **HTMX)


def announced(table: Table, player: Any, *, at: str = "Marguerite", weapon: str = "Test sword", **more: Any) -> str:
    """A player's attack, which stands before the Storyteller; its id."""
    weapons = {each.name: each.key for each in table.state.combatants[table["Ilya"]].sheet.weapons}
    reference = weapons.get(weapon) or weapon
    table.do(ProposeAttack("mine", Attack(table["Ilya"], (table[at],), reference, **more)), by=player)
    return "mine"


def read(table: Table, audience: str) -> tuple[int, str, str]:
    """All that an audience has: its version, its view and its frame."""
    found = frame(table.encounter, audience, None)
    assert found is not None
    return versions.version_of(table.encounter, audience), repr(table.view(audience)), found.html


def sentences(table: Table, audience: Any) -> list[str]:
    entries = table.view(audience).log.entries
    return ["".join(span.text for span in line) for entry in entries for line in entry.lines]


@pytest.fixture
def others(player: Any, other_player: Any) -> tuple[str, ...]:
    return ("table", f"player-{other_player.pk}")


# ------------------------------------------------------------------ approval


def test_nobody_but_the_two_learns_of_an_attack_before_it_is_approved(
    fight: Table, player: Any, others: tuple[str, ...]
) -> None:
    """The target's player, everybody else and the wall receive nothing: no pane, no number, no entry."""
    before = {audience: read(fight, audience) for audience in others}
    announced(fight, player)
    assert {audience: read(fight, audience) for audience in others} == before
    fight.do(commands.SendBackAttack("mine", "Think again."))
    assert {audience: read(fight, audience) for audience in others} == before
    fight.do(ProposeAttack("again", Attack(fight["Ilya"], (fight["Marguerite"],))), by=player)
    fight.do(commands.WithdrawAttack("again"), by=player)
    assert {audience: read(fight, audience) for audience in others} == before
    assert sum("has to approve" in sentence for sentence in sentences(fight, player)) == 2


def test_what_a_question_says_is_not_read_out_again_by_the_log(fight: Table, player: Any, other_player: Any) -> None:
    def is_told_elsewhere(reader: Any) -> bool:
        return bool(fight.view(reader).log.entries[0].told_elsewhere)

    announced(fight, player)
    assert is_told_elsewhere("storyteller")
    assert not is_told_elsewhere(player), "what one waits for is no question"
    fight.do(commands.ApproveAttack("mine"))
    assert is_told_elsewhere(other_player)
    assert not is_told_elsewhere("table")


def test_the_storyteller_sees_what_she_approves(fight: Table, player: Any) -> None:
    announced(fight, player, at="Thug 1")
    (pending,) = fight.view("storyteller").asks.pending  # type: ignore[union-attr]
    assert (pending.attacker, pending.targets, pending.weapon) == ("Ilya", ("Thug 1",), "Test sword")
    assert pending.pool == 6
    assert [label for label, _text in pending.chances] == ["hits", "harms", "fells", "average"]
    (mine,) = fight.view(player).asks.waiting  # type: ignore[union-attr]
    assert (mine.step, mine.asked) == ("pending", ())


def test_an_attack_that_became_impossible_says_why(fight: Table, player: Any) -> None:
    announced(fight, player)
    fight.do(commands.ChangeConditions(fight["Ilya"], add=frozenset({"torpor"})))
    (pending,) = fight.view("storyteller").asks.pending  # type: ignore[union-attr]
    assert pending.rule == "MQ-HEALTH-1"
    assert "torpor" in pending.why_not


def test_one_press_approves_and_the_target_is_asked(
    fight: Table, player: Any, other_player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player)
    answer = post(fight, signed_in(storyteller), "approve", exchange="mine")
    assert answer.status_code == 200
    (ask,) = fight.view(other_player).asks.defences  # type: ignore[union-attr]
    assert (ask.attacker, ask.weapon) == ("Ilya", "Test sword")
    assert "Ilya is about to attack Marguerite." in sentences(fight, "table")


def test_only_storytellers_approve_change_and_send_back(fight: Table, player: Any, other_player: Any) -> None:
    from django.core.exceptions import PermissionDenied

    announced(fight, player)
    attack = fight.state.exchanges[0].attack
    for command in (
        commands.ApproveAttack("mine"),
        commands.ChangeAttack("mine", attack),
        commands.SendBackAttack("mine"),
        commands.AnswerByDefault("mine", fight["Marguerite"]),
        commands.SetDefaultDefence((fight["Thug 1"],), "none"),
        commands.SetDefaultDefence((fight["Ilya"], fight["Marguerite"]), "none"),
    ):
        for somebody in (player, other_player):
            with pytest.raises(PermissionDenied):
                fight.do(command, by=somebody)


def test_undo_gives_each_step_back(fight: Table, player: Any) -> None:
    announced(fight, player)
    for command in (commands.ApproveAttack("mine"), commands.SendBackAttack("mine", "No.")):
        before = dump_state(fight.state)
        fight.do(command)
        services.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
        assert dump_state(fight.state) == before
    assert fight.state.exchanges[0].step is Step.PENDING


def test_a_table_without_approval_asks_at_once(fight: Table, player: Any, other_player: Any) -> None:
    """Switched off in the midst of a fight: what is pending stays so, and can be approved."""
    announced(fight, player)
    chronicle = fight.encounter.chronicle
    chronicle.conduct = {"approval": False}
    chronicle.save()
    assert fight.state.exchanges[0].step is Step.PENDING
    fight.do(ProposeAttack("theirs", Attack(fight["Marguerite"], (fight["Ilya"],))), by=other_player)
    (ask,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert ask.exchange == "theirs"
    fight.do(commands.ApproveAttack("mine"))
    assert fight.view(other_player).asks.defences  # type: ignore[union-attr]


def test_the_storytellers_own_attacks_need_no_approval(fight: Table, player: Any) -> None:
    fight.do(ProposeAttack("hers", Attack(fight["Thug 1"], (fight["Ilya"],))))
    assert fight.view(player).asks.defences  # type: ignore[union-attr]


# ------------------------------------------------------------------ changed


def test_the_attacks_form_comes_filled_in(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    offered = {rule.key for rule in _ruleset(fight).modifiers.values() if not rule.figures and not rule.group}
    key = sorted(offered & {"specialty", "willpower"})[0]
    announced(fight, player, at="Thug 1", weapon="Test pistol", distance=12, modifiers=(Modifier(key),))
    form = signed_in(storyteller).get(page(fight), {"exchange": "mine"}, **HTMX).context["form"]
    attack = fight.state.exchanges[0].attack
    assert form.errors == {}
    assert form.attack() == attack
    assert [who for who, _name in form.fields["who"].choices] == [fight["Ilya"]]


def test_a_changed_attack_says_what_was_changed(
    fight: Table, player: Any, storyteller: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player)
    said = {"exchange": "mine", "who": fight["Ilya"], "at": fight["Thug 1"], "weapon": "unarmed", "defence": "ask"}
    said |= {"by": "1", "by_why": f"{SECRET} jostles"}
    assert post(fight, signed_in(storyteller), "attack", **said).status_code == 200
    (exchange,) = fight.state.exchanges
    assert exchange.step is Step.APPROVED
    assert exchange.attack.at == exchange.asked == (fight["Thug 1"],)
    (told,) = [sentence for sentence in sentences(fight, player) if "changes the attack" in sentence]
    assert "at Thug 1 instead of Marguerite" in told
    assert "instead of Test sword" in told
    assert SECRET not in told
    assert f"{SECRET} jostles" in repr(fight.view("storyteller").log)
    for audience in ("table", other_player):
        assert not any("changes the attack" in sentence for sentence in sentences(fight, audience))
        assert "Ilya is about to attack Thug 1." in sentences(fight, audience)


def test_a_target_that_the_attacker_does_not_see_is_not_named(fight: Table, player: Any) -> None:
    announced(fight, player)
    fight.do(commands.ChangeAttack("mine", Attack(fight["Ilya"], (fight[SECRET],))))
    _version, view, html = read(fight, f"player-{player.pk}")
    assert SECRET not in view + html
    assert fight[SECRET] not in view + html


def test_what_the_storyteller_changes_she_may_answer_at_once(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player, at="Thug 1")
    said = {"exchange": "mine", "who": fight["Ilya"], "at": fight["Thug 1"], "weapon": "unarmed", "defence": ""}
    assert post(fight, signed_in(storyteller), "attack", **said).status_code == 200
    assert fight.state.exchanges == ()


def test_dice_that_a_player_throws_stay_theirs_through_a_change(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(ProposeAttack("mine", Attack(fight["Ilya"], (fight["Thug 1"],)), by_hand=True), by=player)
    body = signed_in(storyteller).get(page(fight), {"exchange": "mine"}, **HTMX).content.decode()
    assert '<input type="hidden" name="own_dice" value="on">' in body
    said = {"exchange": "mine", "who": fight["Ilya"], "at": fight["Thug 1"], "weapon": "unarmed"}
    post(fight, signed_in(storyteller), "attack", defence="", own_dice="on", **said)
    assert fight.state.exchanges[0].by_hand


def _ruleset(fight: Table) -> Any:
    from combat.records import ruleset_for

    return ruleset_for(fight.encounter)


# ------------------------------------------------------------------ sent back


def test_what_is_sent_back_is_filled_in_again_with_the_word(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player)
    said = {"exchange": "mine", "word": f"She stands behind {TRUE_NAME}."}
    assert post(fight, signed_in(storyteller), "send-back", **said).status_code == 200
    (waiting,) = fight.view(player).asks.waiting  # type: ignore[union-attr]
    assert (waiting.step, waiting.word) == ("returned", "She stands behind a tall man.")
    body = signed_in(player).get(page(fight), {"exchange": "mine"}, **HTMX).content.decode()
    assert TRUE_NAME not in body
    assert "Announce it anew" in body
    again = {"exchange": "mine", "who": fight["Ilya"], "at": fight["Thug 1"], "weapon": "unarmed"}
    assert post(fight, signed_in(player), "attack", **again).status_code == 200
    (exchange,) = fight.state.exchanges
    assert (exchange.step, exchange.attack.at) == (Step.PENDING, (fight["Thug 1"],))
    assert exchange.id != "mine"


def test_what_the_storyteller_made_of_an_attack_comes_back_without_what_is_hers(
    fight: Table, player: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player)
    hers = Modifier("difficulty", {"by": 2, "why": f"{SECRET} jostles"})
    changed = Attack(fight["Ilya"], (fight[SECRET],), modifiers=(hers,), near=(fight[SECRET],))
    fight.do(commands.ChangeAttack("mine", changed, by_hand=True))
    fight.do(commands.SendBackAttack("mine"))
    body = signed_in(player).get(page(fight), {"exchange": "mine"}, **HTMX).content.decode()
    assert "Announce it anew" in body
    for planted in (SECRET, fight[SECRET], "jostles"):
        assert planted not in body


def test_an_attack_that_comes_back_can_be_announced_anew_without_the_storytellers_word(
    hunt: Table, player: Any, signed_in: Callable[[Any], Any]
) -> None:
    wolf, gunman = hunt["Wolf"], hunt["Gunman"]
    hunt.do(ProposeAttack("mine", Attack(wolf, (gunman,), "unarmed")), by=player)
    offered, hers = Modifier("target_medium"), Modifier("past_armor")
    hunt.do(commands.ChangeAttack("mine", Attack(wolf, (gunman,), "unarmed", (offered, hers))))
    hunt.do(commands.SendBackAttack("mine"))
    answer = signed_in(player).get(page(hunt), {"exchange": "mine"}, **HTMX)
    body = answer.content.decode()
    assert hers.key not in body
    assert "Announce it anew" in body
    form = answer.context["form"]
    assert (form.errors, form.circumstances()) == ({}, (offered,))


def test_another_players_announced_attack_fills_in_no_form(
    fight: Table, player: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player, at="Thug 1")
    form = signed_in(other_player).get(page(fight), {"exchange": "mine"}, **HTMX).context["form"]
    assert form.announced is None


# ------------------------------------------------------------------ the question


def test_a_choice_says_what_it_does_to_the_odds(fight: Table, player: Any, other_player: Any) -> None:
    """Another player's dice are no secret: the chances are exact."""
    announced(fight, player)
    fight.do(commands.ApproveAttack("mine"))
    for audience in ("storyteller", other_player):
        (ask,) = fight.view(audience).asks.defences  # type: ignore[union-attr]
        chances = {choice.kind: dict(choice.chances) for choice in ask.choices if choice.allowed}
        assert set(chances) >= {"", "dodge"}
        assert float(chances["dodge"]["hits"].split()[0]) < float(chances[""]["hits"].split()[0])


def test_what_a_player_is_told_of_the_odds_comes_from_their_own_dice_alone(fight: Table, player: Any) -> None:
    """The same question, whether the thug is a weakling or a titan in plate: nothing of it differs."""
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    (weak,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    sheet = fight.state.combatants[fight["Thug 1"]].sheet
    titan = replace(sheet, traits={**sheet.traits, "strength": 10, "dexterity": 10, "brawl": 10})
    fight.do(commands.ReviseSheet(fight["Thug 1"], titan))
    (strong,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert strong == weak
    dodge = next(choice for choice in weak.choices if choice.kind == "dodge")
    assert [label for label, _text in dodge.chances] == ["1+ off", "2+ off", "3+ off"]
    (hers,) = fight.view("storyteller").asks.defences  # type: ignore[union-attr]
    assert [label for label, _text in hers.choices[0].chances][:2] == ["hits", "harms"]


def test_why_an_attack_cannot_be_made_is_not_for_its_target(fight: Table, player: Any) -> None:
    """The thug falls while the player is asked: every answer stays open, and nothing says why it comes to nothing."""
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    fight.do(commands.ChangeConditions(fight["Thug 1"], add=frozenset({"incapacitated"})))
    (ask,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert all(choice.allowed and not choice.why_not for choice in ask.choices)
    fight.do(commands.AnswerAttack("x", fight["Ilya"], Defence("dodge")), by=player)
    assert fight.view("storyteller").asks.waiting  # type: ignore[union-attr]


# ------------------------------------------------------------------ defences by default


def test_a_default_is_set_for_one_or_for_the_group(
    draft: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    """In the draft already."""
    said = {"who": draft["Thug 1"], "defence": "dodge", "group": "on"}
    assert post(draft, signed_in(storyteller), "default-defence", **said).status_code == 200
    rows = {row.name: row.answers for row in draft.view("storyteller").order.rows()}
    assert (rows["Thug 1"], rows["Thug 2"], rows["Ilya"]) == ("Dodge", "Dodge", "")


def test_approving_an_attack_on_somebody_with_a_default_rolls_it(fight: Table, player: Any) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    announced(fight, player, at="Thug 1")
    fight.do(commands.ApproveAttack("mine"))
    assert fight.state.exchanges == ()
    assert any("answers by default: dodge" in sentence for sentence in sentences(fight, "storyteller"))
    assert not any("by default" in sentence for sentence in sentences(fight, player))


def test_a_default_that_cannot_be_is_said_plainly(fight: Table, player: Any) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "parry"))
    announced(fight, player, at="Thug 1", weapon="Test pistol")
    fight.do(commands.ApproveAttack("mine"))
    (told,) = [sentence for sentence in sentences(fight, "storyteller") if "cannot" in sentence]
    assert told.startswith("Thug 1 would answer with parry, and cannot: ")


def test_a_player_settles_their_own_default(
    fight: Table, player: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    said = {"who": fight["Ilya"], "defence": "dodge"}
    assert post(fight, signed_in(player), "default-defence", **said).status_code == 200
    assert fight.state.combatants[fight["Ilya"]].default_defence == "dodge"
    assert any("by default" in sentence for sentence in sentences(fight, player))
    assert not any("by default" in sentence for sentence in sentences(fight, other_player))
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    assert fight.view(player).asks.defences  # type: ignore[union-attr]


def test_the_desk_attacks_whoever_answers_by_themselves_in_one_press(
    fight: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    client = signed_in(storyteller)
    asked = {"who": fight["Ilya"], "at": fight["Thug 1"]}
    answer = client.get(page(fight), asked, **HTMX)
    assert "by default: Dodge" in answer.content.decode()
    assert answer.context["form"].value("defence") == "ask"
    said = asked | {"weapon": "unarmed", "defence": "ask"}
    assert post(fight, client, "attack", **said).status_code == 200
    assert fight.state.exchanges == ()
    (entry, *_before) = fight.view("storyteller").log.entries
    assert {roll.purpose for roll in entry.rolls} >= {"attack", "dodge"}


def test_another_target_on_the_desk_answers_as_they_do(
    fight: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    client, old = signed_in(storyteller), fight["Thug 2"]

    def defence(at: str, chosen: str, of: str) -> str:
        said = {"who": fight["Ilya"], "at": fight[at], "defence": chosen, "defence_of": of}
        answer = client.get(page(fight), said, **HTMX)
        assert f'name="defence_of" value="{fight[at]}"' in answer.content.decode()
        return str(answer.context["form"].value("defence"))

    assert defence("Thug 1", "", old) == "ask"
    assert defence("Marguerite", "dodge", old) == "ask"
    assert defence("Thug 2", "ask", fight["Thug 1"]) == ""
    assert defence("Thug 2", "dodge", old) == "dodge"


def test_rolling_goes_on_without_an_answer(fight: Table, player: Any) -> None:
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    fight.do(commands.ResolveAttack("x"), dice=FixedDice(9))
    assert fight.state.exchanges == ()


def test_whoever_is_down_is_the_last_to_be_struck_at_and_marked(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 7, Damage.LETHAL))
    fight.do(commands.Harm(fight[TRUE_NAME], 7, Damage.LETHAL))
    fight.do(commands.SetVisibility(fight[TRUE_NAME], health_shown="nothing"))
    for user, last in ((storyteller, {"Thug 1 (down)", f"{TRUE_NAME} (down)"}), (player, {"Thug 1 (down)"})):
        form = signed_in(user).get(page(fight), {"who": fight["Ilya"]}, **HTMX).context["form"]
        names = [name for _who, name in form.fields["at"].choices]
        assert set(names[-len(last) :]) == last
        assert not any("(down)" in name for name in names[: -len(last)])
