"""Commands over HTTP: who may press what, and the responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from combat.panes import versions
from combat.secrecy.access import audience_of
from combat.web.forms.endpoints import endpoints
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, Table, make_character

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


def url(table: Table, name: str) -> str:
    return reverse("combat:do", args=[table.encounter_id, name])


def stood_at(table: Table, user: Any) -> int:
    return versions.version_of(table.encounter, audience_of(table.encounter.chronicle.memberships.get(user=user)))


@pytest.fixture
def press(fight: Table, signed_in: Callable[[Any], Any]) -> Callable[..., Any]:
    """press(user, "act", key="k", **fields) -> the response to a button, from an up-to-date page."""

    def send(user: Any, name: str, *, htmx: bool = True, **fields: Any) -> Any:
        fields.setdefault("version", stood_at(fight, user))
        return signed_in(user).post(url(fight, name), fields, **(HTMX if htmx else {}))

    return send


# ------------------------------------------------------------------ what comes back


def test_a_press_brings_the_panes_that_changed(fight: Table, storyteller: Any, press: Any) -> None:
    answer = press(storyteller, "initiative", key="one")
    body = answer.content.decode()
    assert answer.status_code == 200
    assert 'id="pane-order"' in body
    assert 'id="pane-scene"' not in body
    assert f'data-version="{stood_at(fight, storyteller)}"' in body
    assert fight.state.ordered


def test_without_scripts_a_press_leads_back_to_the_fight(fight: Table, storyteller: Any, press: Any) -> None:
    answer = press(storyteller, "initiative", htmx=False)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("combat:encounter", args=[fight.encounter_id])


@pytest.mark.parametrize("htmx", [True, False])
def test_a_refusal_comes_with_its_rule(fight: Table, storyteller: Any, press: Any, htmx: bool) -> None:
    fight.do(commands.Harm(fight["Ilya"], 7, Damage.LETHAL))
    answer = press(storyteller, "full-defence", who=fight["Ilya"], htmx=htmx)
    assert answer.status_code == 422
    assert "MQ-HEALTH-1" in answer.content.decode()


@pytest.mark.parametrize("htmx", [True, False])
def test_a_stale_press_is_asked_to_look_again(fight: Table, storyteller: Any, press: Any, htmx: bool) -> None:
    version = stood_at(fight, storyteller)
    fight.do(commands.RollInitiative())
    seq = fight.encounter.seq
    answer = press(storyteller, "initiative", version=version, htmx=htmx)
    assert answer.status_code == 409
    assert "Check it and try again" in answer.content.decode()
    assert ('id="pane-order"' in answer.content.decode()) is htmx
    assert fight.encounter.seq == seq


def test_the_same_press_twice_counts_once(fight: Table, storyteller: Any, press: Any) -> None:
    version = stood_at(fight, storyteller)
    first = press(storyteller, "initiative", key="unsure", version=version)
    seq = fight.encounter.seq
    second = press(storyteller, "initiative", key="unsure", version=version)
    assert (first.status_code, second.status_code, fight.encounter.seq) == (200, 200, seq)


def test_there_are_only_these_commands(press: Any, storyteller: Any) -> None:
    assert press(storyteller, "cheat").status_code == 404


def test_the_panes_a_press_brings_hold_no_secret(fight: Table, player: Any, press: Any) -> None:
    body = press(player, "full-defence", who=fight["Ilya"], version="").content.decode()
    assert "Ilya" in body
    for planted in (SECRET, fight[SECRET], TRUE_NAME):
        assert planted not in body


# ------------------------------------------------------------------ who may


@pytest.mark.parametrize("name", sorted(endpoints()))
def test_strangers_find_nothing_to_press(fight: Table, name: str, stranger: Any, signed_in: Any) -> None:
    assert signed_in(stranger).post(url(fight, name)).status_code == 404


@pytest.mark.parametrize("name", sorted(endpoints()))
def test_nobody_presses_unless_signed_in(fight: Table, name: str, client: Any) -> None:
    assert client.post(url(fight, name)).status_code in (302, 404)


@pytest.mark.parametrize("name", sorted(endpoints()))
def test_observers_change_nothing(fight: Table, name: str, observer: Any, press: Any) -> None:
    before = fight.encounter.seq
    answer = press(observer, name, who=fight["Ilya"], by=fight["Ilya"], resource="blood", amount=1, type="lethal")
    assert answer.status_code in (403, 422)
    assert fight.encounter.seq == before


@pytest.mark.parametrize("name", sorted(endpoints()))
def test_nothing_is_done_by_looking(fight: Table, name: str, storyteller: Any, signed_in: Any) -> None:
    assert signed_in(storyteller).get(url(fight, name)).status_code == 405


@pytest.mark.parametrize(
    "name", ["begin", "act", "next-turn", "end-turn", "initiative", "pause", "end", "undo", "redo"]
)
def test_the_storytellers_levers_are_no_players(fight: Table, name: str, player: Any, press: Any) -> None:
    before = fight.encounter.seq
    assert press(player, name).status_code == 403
    assert fight.encounter.seq == before


# ------------------------------------------------------------------ since


def test_since_brings_what_is_lacking(fight: Table, player: Any, signed_in: Any) -> None:
    have = stood_at(fight, player)
    address = reverse("combat:since", args=[fight.encounter_id, have])
    client = signed_in(player)
    assert client.get(address).status_code == 204
    fight.do(commands.Harm(fight[SECRET], 1, Damage.LETHAL))
    assert client.get(address).status_code == 204
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    answer = client.get(address)
    assert answer.status_code == 200
    assert 'id="pane-log"' in answer.content.decode()
    assert SECRET not in answer.content.decode()


def test_since_tells_a_page_of_another_role_to_reload(fight: Table, player: Any, signed_in: Any) -> None:
    answer = signed_in(player).get(reverse("combat:since", args=[fight.encounter_id, 1]), {"audience": "storyteller"})
    assert answer["HX-Refresh"] == "true"
    assert not answer.content


def test_since_is_for_members(fight: Table, stranger: Any, signed_in: Any) -> None:
    assert signed_in(stranger).get(reverse("combat:since", args=[fight.encounter_id, 1])).status_code == 404


# ------------------------------------------------------------------ the page


def test_the_page_holds_no_secret(fight: Table, player: Any, other_player: Any, observer: Any, signed_in: Any) -> None:
    for user in (player, other_player, observer):
        body = signed_in(user).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
        assert "Marguerite" in body
        for planted in (SECRET, fight[SECRET], TRUE_NAME):
            assert planted not in body, (user, planted)


def test_frame_and_page_are_the_same_panes(fight: Table, player: Any, signed_in: Any) -> None:
    """A page kept up to date looks like a freshly loaded one."""
    import re

    from combat.live.frames import frame

    fight.turn()
    page = signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    found = frame(fight.encounter, f"player-{player.pk}", None)
    assert found is not None
    for pane in ("order", "log"):
        drawn = re.search(rf'<(\w+)[^>]*id="pane-{pane}".*?</\1>', found.html, re.DOTALL)
        assert drawn is not None
        assert _plain(drawn[0]) in _plain(page), pane


def _plain(html: str) -> str:
    import re

    html = re.sub(r' hx-swap-oob="\w+"|value="[0-9a-f]{32}"', "", html)
    return re.sub(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>|\s+', "", html)


# ------------------------------------------------------------------ back to here


def test_going_back_shows_first_what_it_takes_back(fight, storyteller, signed_in, press):
    for amount in (1, 2):
        fight.do(commands.Harm(fight["Ilya"], amount, Damage.BASHING, why=f"blow {amount}"))
    entries = fight.view("storyteller").log.entries
    client = signed_in(storyteller)
    form = reverse("combat:form", args=[fight.encounter_id, "back"])
    shown = client.get(form, {"token": entries[1].id}, headers={"HX-Request": "true"}).content.decode()
    assert "blow 2" in shown
    assert "blow 1" not in shown
    assert "Undo all of this" in shown
    newest = client.get(form, {"token": entries[0].id}, headers={"HX-Request": "true"}).content.decode()
    assert "Nothing has happened since." in newest
    answer = press(storyteller, "back", token=entries[1].id)
    assert answer.status_code == 200
    assert len(fight.state.combatants[fight["Ilya"]].sheet.marks) == 1


def test_players_cannot_go_back(fight, player, signed_in, press):
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    token = fight.view(player).log.entries[1].id
    assert press(player, "back", token=token).status_code == 403
    assert (
        "Back to here"
        not in signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    )


STORYTELLERS = sorted(name for name, form in endpoints().items() if form.storyteller_only)


@pytest.mark.parametrize("name", STORYTELLERS)
def test_what_is_the_storytellers_alone_is_refused_before_it_is_read(
    fight: Table, player: Any, observer: Any, press: Any, name: str
) -> None:
    for user in (player, observer):
        assert press(user, name).status_code == 403


@pytest.mark.parametrize("count", [{}, {"count": 1}, {"count": 3}])
def test_a_player_learns_of_nobody_by_letting_them_join(
    fight: Table, characters: Any, player: Any, press: Any, count: dict[str, int]
) -> None:
    """For hidden, masked, absent and nonexistent combatants, the response is the same."""
    absent = make_character(fight.encounter.chronicle, "Absent")
    who = [characters[SECRET].pk, characters[TRUE_NAME].pk, absent.pk, "nobody"]
    answers = [press(player, "join", character=each, key=each, **count) for each in (*who, "")]
    answers.append(press(player, "join", players="on", key="all"))
    assert [answer.status_code for answer in answers] == [403] * 6
    for body in (answer.content.decode() for answer in answers):
        assert not [planted for planted in (SECRET, TRUE_NAME, "Absent", "is in this fight") if planted in body]


# ------------------------------------------------------------------ answers that did not arrive


def test_a_repeat_of_what_means_something_else_by_now_is_the_same_press(fight, storyteller, press):
    """Another step down the order would start from where the first one ended."""
    fight.do(commands.RollInitiative())
    first_to_act = fight.state.order[0][0]
    fields = {"who": first_to_act, "step": "down", "key": "unsure", "version": stood_at(fight, storyteller)}
    first = press(storyteller, "move", **fields)
    rows, order = fight.encounter.rows.count(), fight.state.order
    second = press(storyteller, "move", **fields)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (fight.encounter.rows.count(), fight.state.order) == (rows, order)


def test_a_repeat_that_cannot_be_chosen_any_more_is_the_same_press(fight, storyteller, press):
    """Somebody who has left can no longer be chosen; an error would suggest that the press failed."""
    fields = {"who": fight["Thug 1"], "key": "unsure", "version": stood_at(fight, storyteller)}
    assert press(storyteller, "leave", **fields).status_code == 200
    rows = fight.encounter.rows.count()
    answer = press(storyteller, "leave", **fields)
    assert answer.status_code == 200
    assert 'id="pane-order"' in answer.content.decode()
    assert fight.encounter.rows.count() == rows
    assert press(storyteller, "leave", **{**fields, "key": "another press"}).status_code == 422


def test_the_same_key_with_another_form_is_refused(fight, storyteller, press):
    fields = {"amount": 1, "type": "bashing", "key": "one press"}
    assert press(storyteller, "damage", who=fight["Ilya"], **fields).status_code == 200
    rows = fight.encounter.rows.count()
    other = press(storyteller, "damage", who=fight["Marguerite"], **fields)
    assert other.status_code == 409
    assert "The fight has changed. Check it and try again." in other.content.decode()
    assert fight.encounter.rows.count() == rows


def test_the_same_key_with_another_button_is_refused(fight, storyteller, press):
    """Neither form sends any fields but its name."""
    assert press(storyteller, "initiative", key="one press").status_code == 200
    rows = fight.encounter.rows.count()
    assert press(storyteller, "pause", key="one press").status_code == 409
    assert fight.encounter.rows.count() == rows
    assert fight.state.status == "running"


def test_somebody_elses_key_does_nothing_for_me(fight, storyteller, player, press):
    fields = {"who": fight["Ilya"], "resource": "blood", "amount": 1, "key": "one press"}
    assert press(storyteller, "spend", **fields).status_code == 200
    assert press(player, "spend", **{**fields, "who": "nobody"}).status_code == 422
