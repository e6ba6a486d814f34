"""What “next” would leave out: it is named beside the button, and has to be confirmed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from combat.commands import perform
from combat.panes.left_out import LeftOut
from rules.model.attack import Attack
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table
from tests.combat.panes.test_whose_turn import until_acts

pytestmark = pytest.mark.django_db


def bar(fight: Table) -> Any:
    return fight.view("storyteller").bar


@pytest.fixture
def press(fight: Table, signed_in: Callable[[Any], Any]) -> Callable[..., Any]:
    """press("act", skip=…) -> the response to the Storyteller's button."""

    def send(name: str, *, htmx: bool = True, **fields: Any) -> Any:
        headers = {"HX-Request": "true"} if htmx else {}
        address = reverse("combat:do", args=[fight.encounter_id, name])
        return signed_in(fight.storyteller).post(address, {"version": "", **fields}, headers=headers)

    return send


def test_who_acts_now_is_named_until_they_have_acted(fight: Table) -> None:
    until_acts(fight, fight["Ilya"])
    assert bar(fight).reminder == "Not acted yet: Ilya."
    assert bar(fight).asks
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(2))
    assert (bar(fight).reminder, bar(fight).asks) == ("", "")


def test_who_has_not_declared_is_named_but_not_asked_about(fight: Table) -> None:
    """Nobody loses an action by not declaring."""
    fight.turn()
    assert bar(fight).reminder.startswith("Not declared yet: ")
    assert bar(fight).reminder.endswith(" and 4 more.")
    assert not bar(fight).asks


@pytest.mark.parametrize("htmx", [True, False])
def test_the_first_press_asks_and_the_second_goes_on(fight: Table, press: Any, htmx: bool) -> None:
    until_acts(fight, fight["Ilya"])
    before, asks = fight.encounter.seq, bar(fight).asks
    for skip in ("", "something else"):
        answer = press("act", htmx=htmx, skip=skip)
        body = answer.content.decode()
        assert answer.status_code == 422
        assert "Not acted yet: Ilya." in body
        assert fight.encounter.seq == before
        # Without scripts, the answer itself has the button that goes on.
        assert (f'name="skip" value="{asks}"' in body) is not htmx
    assert press("act", htmx=htmx, skip=asks).status_code == (200 if htmx else 302)
    assert fight["Ilya"] not in fight.state.acting
    # It confirmed one place of the turn, not the next one.
    assert press("act", htmx=htmx, skip=asks).status_code == 422


def test_what_waits_for_approval_is_asked_about_and_what_was_sent_back_only_at_the_end(fight: Table) -> None:
    until_acts(fight, fight["Ilya"])
    first = bar(fight).asks
    fight.do(commands.ProposeAttack("x", Attack(fight["Ilya"], (fight["Thug 1"],)), approval=True))
    assert bar(fight).reminder == "Not acted yet: Ilya. Attack still waiting: Ilya."
    assert bar(fight).asks != first
    fight.do(commands.SendBackAttack("x", "No."))
    assert bar(fight).reminder == "Not acted yet: Ilya."
    while bar(fight).next != "next-turn":
        fight.do(commands.Act())
    assert bar(fight).reminder.endswith("Attack still waiting: Ilya. The end of the turn cancels it.")


def test_a_move_won_in_a_grapple_is_named(fight: Table) -> None:
    left = LeftOut(moves=(fight["Ilya"],))
    assert left.reminder(fight.state) == "Move not chosen yet: Ilya."
    assert left.token(fight.state)


def test_one_press_leads_from_the_last_action_to_the_next_turn(fight: Table, press: Any) -> None:
    fight.turn()
    while bar(fight).next == "act":
        fight.do(commands.Act())
    assert bar(fight).next == "next-turn"
    assert press("next-turn", skip=bar(fight).asks).status_code == 200
    assert (fight.state.turn, bar(fight).next) == (2, "initiative")
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert (fight.state.turn, bar(fight).next) == (1, "next-turn")
