"""The end of a fight: it asks what stays if anybody is in a condition that may, and is one press otherwise."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from rules.topics.commands import ChangeConditions
from tests.combat.conftest import TRUE_NAME, Table

pytestmark = pytest.mark.django_db


class _Fields(HTMLParser):
    """The fields that a browser would submit."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.data: dict[str, list[str]] = {}
        self.feed(page.partition('<form class="form form-end"')[2].partition("</form>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "input" and (found.get("type") != "checkbox" or "checked" in found):
            self.data.setdefault(found["name"] or "", []).append(found.get("value") or "")


def fields_of(page: str) -> dict[str, list[str]]:
    return _Fields(page).data


def menu(fight: Table, client: Any) -> str:
    client.force_login(fight.storyteller)
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    return page.partition('id="fight-menu"')[2].partition("</div>")[0]


def lasting(name: str) -> list[str]:
    return [each["condition"] for each in Character.objects.get(name=name).lasting]


def asks(fight: Table, client: Any) -> str:
    client.force_login(fight.storyteller)
    return str(client.get(reverse("combat:form", args=[fight.encounter_id, "ending"])).content.decode())


def post(fight: Table, client: Any, data: dict[str, Any]) -> Any:
    return client.post(reverse("combat:do", args=[fight.encounter_id, "ending"]), data)


def test_a_fight_that_leaves_nothing_behind_ends_with_one_press(fight: Table, client: Any) -> None:
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"prone", "grappled"})))
    fight.do(ChangeConditions(fight["Thug 1"], frozenset({"staked"})))
    assert reverse("combat:do", args=[fight.encounter_id, "end"]) in menu(fight, client)
    assert reverse("combat:form", args=[fight.encounter_id, "ending"]) not in menu(fight, client)
    assert "Nobody is in a condition that lasts." in asks(fight, client)


def test_it_asks_about_each_condition_ticked_by_rule(fight: Table, client: Any) -> None:
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"staked", "prone", "in_<b>debt"})))
    fight.do(ChangeConditions(fight[TRUE_NAME], frozenset({"immobilized"})))
    assert reverse("combat:form", args=[fight.encounter_id, "ending"]) in menu(fight, client)
    page = asks(fight, client)
    typed = fields_of(page)
    ilya, masked = fight["Ilya"], fight[TRUE_NAME]
    assert typed[f"stays_{ilya}"] == ["staked"]
    assert typed[f"stays_{masked}"] == ["immobilized"]
    assert "In &lt;b&gt;debt" in page
    assert "prone" not in page
    typed[f"stays_{ilya}"] = ["in_<b>debt"]
    typed[f"stays_{masked}"] = []
    assert post(fight, client, typed).status_code == 302
    assert (lasting("Ilya"), lasting(TRUE_NAME)) == (["in_<b>debt"], [])


def test_what_changed_in_the_meantime_is_asked_again(fight: Table, client: Any) -> None:
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"staked"})))
    typed = fields_of(asks(fight, client))
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"cursed"}), frozenset({"staked"})))
    answer = post(fight, client, typed)
    assert answer.status_code == 422
    assert "One of these conditions is over." in answer.content.decode()
    typed[f"stays_{fight['Ilya']}"] = []
    assert post(fight, client, typed).status_code == 409
    assert fight.state.status == "running"
    # A press on a menu from before leaves it to the rules.
    assert client.post(reverse("combat:do", args=[fight.encounter_id, "end"])).status_code == 302
    assert (fight.state.status, lasting("Ilya")) == ("ended", [])


def test_players_are_not_asked(fight: Table, client: Any, player: Any) -> None:
    client.force_login(player)
    assert client.get(reverse("combat:form", args=[fight.encounter_id, "ending"])).status_code == 403
