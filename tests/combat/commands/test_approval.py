"""An attack announced by a player: approved, changed or sent back by the Storyteller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from combat.commands import perform
from combat.live.frames import frame
from combat.log.codec import dump_state
from combat.panes import versions
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.state import Step
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.commands.announcing import HTMX, announced, page, post, sentences
from tests.combat.conftest import SECRET, TRUE_NAME, Table

pytestmark = pytest.mark.django_db


def read(table: Table, audience: str) -> tuple[int, str, str]:
    """Everything an audience has: its version, its view and its frame."""
    found = frame(table.encounter, audience, None)
    assert found is not None
    return versions.version_of(table.encounter, audience), repr(table.view(audience)), found.html


@pytest.fixture
def others(player: Any, other_player: Any) -> tuple[str, ...]:
    return ("table", f"player-{other_player.pk}")


# ------------------------------------------------------------------ approval


def test_nobody_but_the_two_learns_of_an_attack_before_it_is_approved(
    fight: Table, player: Any, others: tuple[str, ...]
) -> None:
    """The target's player, everybody else and the wall receive nothing: no pane, no version, no entry."""
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


def test_the_storyteller_reads_that_an_attack_is_out_of_turn(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    """MQ-INIT-1: without an order nobody is out of turn."""
    announced(fight, player, at="Thug 1")
    assert not fight.view("storyteller").asks.pending[0].out_of_turn  # type: ignore[union-attr]
    fight.do(commands.RollInitiative())
    page = signed_in(storyteller).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert fight.view("storyteller").asks.pending[0].out_of_turn  # type: ignore[union-attr]
    assert '<span class="chip brass">out of turn</span>' in page
    while fight["Ilya"] not in fight.state.acting:
        fight.do(commands.Act())
    assert not fight.view("storyteller").asks.pending[0].out_of_turn  # type: ignore[union-attr]


def test_an_attack_that_became_impossible_says_why(fight: Table, player: Any) -> None:
    announced(fight, player)
    fight.do(commands.ChangeConditions(fight["Ilya"], add=frozenset({"torpor"})))
    (pending,) = fight.view("storyteller").asks.pending  # type: ignore[union-attr]
    assert pending.refusal.rule == "MQ-HEALTH-1"
    assert "torpor" in pending.refusal.message


@pytest.mark.servers
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


@pytest.mark.servers
def test_undo_gives_each_step_back(fight: Table, player: Any) -> None:
    announced(fight, player)
    for command in (commands.ApproveAttack("mine"), commands.SendBackAttack("mine", "No.")):
        before = dump_state(fight.state)
        fight.do(command)
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
        assert dump_state(fight.state) == before
    assert fight.state.exchanges[0].step is Step.PENDING


def test_a_table_without_approval_asks_at_once(fight: Table, player: Any, other_player: Any) -> None:
    """Switched off during a fight: pending attacks stay pending, and can be approved."""
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
    (told,) = [sentence for sentence in sentences(fight, player) if "changes Ilya’s attack" in sentence]
    assert "target: Thug 1 (was Marguerite)" in told
    assert "(was Test sword)" in told
    assert SECRET not in told
    assert f"{SECRET} jostles" in repr(fight.view("storyteller").log)
    for audience in ("table", other_player):
        assert not any("changes Ilya’s attack" in sentence for sentence in sentences(fight, audience))
        assert "Ilya is about to attack Thug 1." in sentences(fight, audience)


def test_an_attack_approved_through_the_form_without_a_change_says_no_changes(fight: Table, player: Any) -> None:
    announced(fight, player)
    fight.do(commands.ChangeAttack("mine", fight.state.exchanges[0].attack))
    assert "The Storyteller changes Ilya’s attack." in sentences(fight, player)


def test_a_target_that_the_attacker_does_not_see_is_not_named(fight: Table, player: Any) -> None:
    announced(fight, player)
    fight.do(commands.ChangeAttack("mine", Attack(fight["Ilya"], (fight[SECRET],))))
    (told,) = [sentence for sentence in sentences(fight, player) if "changes Ilya’s attack" in sentence]
    assert "target: not given (was Marguerite)" in told
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
    from combat.history.records import ruleset_for

    return ruleset_for(fight.encounter)


# ------------------------------------------------------------------ sent back


@pytest.mark.servers
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
    assert "Announce again" in body
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
    assert "Announce again" in body
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
    assert "Announce again" in body
    form = answer.context["form"]
    assert (form.errors, form.circumstances()) == ({}, (offered,))


def test_another_players_announced_attack_fills_in_no_form(
    fight: Table, player: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    announced(fight, player, at="Thug 1")
    form = signed_in(other_player).get(page(fight), {"exchange": "mine"}, **HTMX).context["form"]
    assert form.announced is None
