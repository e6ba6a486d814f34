"""Suggestions on the desk: off by default, for Storytellers only, and one press does what its button says."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from campaigns.models import Chronicle
from combat.desk import suggestions as desk
from combat.history.records import ruleset_for
from combat.live.frames import frame
from combat.panes import versions
from combat.secrecy.access import storyteller_or_403
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience
from combat.web.forms.attack import AttackPreview
from combat.web.forms.endpoints import endpoints
from combat.web.forms.suggested import pressed
from combat.web.views.commands import form_for
from rules.forecast.suggestions import Suggestion
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.topics.commands import (
    Act,
    ClearJam,
    FullDefence,
    Harm,
    Leave,
    ProposeAttack,
    Reload,
    RollInitiative,
    TakeAction,
)
from tests.combat.conftest import Table, bar_fight
from tests.world import HTMX

pytestmark = pytest.mark.django_db

TRAITS = {
    "strength": 3,
    "weaponry": 3,
    "dexterity": 2,
    "wits": 2,
    "stamina": 2,
    "size": 5,
    "resolve": 2,
    "composure": 2,
}


@dataclass
class Button:
    """A suggestion as the page has it."""

    title: str
    using: str
    reason: str
    action: str
    fields: dict[str, str]


@pytest.fixture
def bar(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A guard's moment, who faces Mara; a lurker is hidden. Suggestions are on."""
    people = {"Mara": player, "Guard": None, "Lurker": None}
    table = bar_fight(chronicle, storyteller, people, TRAITS, name="Test knife", mode="melee", damage=1)
    Chronicle.objects.filter(pk=chronicle.pk).update(conduct={"suggestions": True})
    table.do(RollInitiative())
    for _ in range(3):
        table.do(Act())
        if table["Guard"] in table.state.acting:
            break
    return table


@pytest.fixture
def strip(bar: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> Callable[..., list[Button]]:
    """strip(**query) -> the suggestions on the Storyteller's page."""

    def read(**query: str) -> list[Button]:
        answer = signed_in(storyteller).get(reverse("combat:suggestions", args=[bar.encounter_id]), query, headers=HTMX)
        assert answer.status_code == 200
        forms = re.findall(r"<form .*?</form>", answer.content.decode(), re.DOTALL)
        return [_button(each) for each in forms]

    return read


def _button(form: str) -> Button:
    def one(pattern: str) -> str:
        found = re.search(pattern, form)
        assert found
        return html.unescape(found[1])

    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    fields = {name: html.unescape(value) for name, value in inputs}
    return Button(
        one("<b>(.*?)</b>"), one("<span>(.*?)</span>"), one("<small>(.*?)</small>"), one('action="([^"]+)"'), fields
    )


def test_they_are_off_by_default(
    fight: Table, storyteller: Any, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "to_move", None)  # nothing is computed
    client = signed_in(storyteller)
    assert 'id="suggestions"' not in client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    answer = client.get(reverse("combat:suggestions", args=[fight.encounter_id]))
    assert (answer.status_code, answer.content) == (200, b"")


def test_the_page_asks_for_them_after_it_is_drawn(
    bar: Table, storyteller: Any, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "suggestions", None)
    page = signed_in(storyteller).get(reverse("combat:encounter", args=[bar.encounter_id])).content.decode()
    assert f'id="suggestions" class="suggestions-place" hx-get="/encounters/{bar.encounter_id}/suggestions/"' in page


def test_each_is_a_move_with_its_reason(strip: Callable[..., list[Button]]) -> None:
    knife, fists = strip()[:2]
    assert knife.title == fists.title == "Attack Mara"
    assert (knife.using, fists.using) == ("Test knife", "Unarmed")
    assert re.fullmatch(r"against Dodge: \d+\s% to hit, \d+\s% to (hurt Mara|take Mara down)", knife.reason)


@pytest.mark.usefixtures("bar")
@pytest.mark.parametrize("who", ["player", "observer"])
def test_players_cannot_ask_for_them(bar: Table, who: str, request: Any, signed_in: Any) -> None:
    client = signed_in(request.getfixturevalue(who))
    assert client.get(reverse("combat:suggestions", args=[bar.encounter_id])).status_code == 403
    assert 'id="suggestions"' not in client.get(reverse("combat:encounter", args=[bar.encounter_id])).content.decode()
    chronicle = client.get(reverse("campaigns:chronicle", args=[bar.encounter.chronicle_id])).content.decode()
    assert "Suggest moves" not in chronicle


def test_one_press_makes_exactly_the_named_attack_and_a_second_one_none(
    bar: Table, strip: Callable[..., list[Button]], client: Any
) -> None:
    """CD-DODGE-1: Mara, a player's, has a choice of defence, so she is asked as always."""
    button, seq = strip()[0], bar.encounter.seq
    for _ in range(2):
        assert client.post(button.action, {**button.fields, "key": "once"}, headers=HTMX).status_code == 200
    (exchange,) = bar.state.exchanges
    weapon = bar.state.combatants[bar["Guard"]].sheet.weapons[0].reference
    assert exchange.attack == Attack(bar["Guard"], (bar["Mara"],), weapon)
    assert exchange.asked == (bar["Mara"],)
    assert bar.encounter.seq == seq + 1
    assert strip() == []


def test_a_stale_page_is_told_so(bar: Table, strip: Callable[..., list[Button]], client: Any) -> None:
    button = strip()[0]
    bar.do(Harm(bar["Guard"], 1, Damage.BASHING))
    seq = bar.encounter.seq
    newest = strip()[0].fields["version"]
    answer = client.post(button.action, {**button.fields, "version": newest, "key": "late"}, headers=HTMX)
    assert answer.status_code == 409
    assert "The fight has changed" in answer.content.decode()
    assert bar.encounter.seq == seq


@pytest.mark.parametrize("who", ["", "nobody", "x" * 5000, "\0", "😀 ' \" <script>"])
def test_any_other_name_gives_those_of_the_first(bar: Table, strip: Callable[..., list[Button]], who: str) -> None:
    assert [each.title for each in strip(who=who)] == [each.title for each in strip()]
    assert [each.title for each in strip(who=bar["Mara"])] == [each.title for each in strip()]


def test_several_who_act_at_once_are_shown_one_at_a_time(
    bar: Table, strip: Callable[..., list[Button]], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (bar["Guard"], bar["Lurker"])
    monkeypatch.setattr(desk, "to_move", lambda _state, _system: both)
    first, second = desk.advice_for(bar.encounter), desk.advice_for(bar.encounter, both[1])
    assert first is not None
    assert second is not None
    assert (first.name, first.after) == ("Guard", (both[1], "Lurker"))
    assert (second.name, second.after) == ("Lurker", (both[0], "Guard"))


def test_they_are_computed_once_for_each_seal(bar: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    before = desk.advice_for(bar.encounter)
    monkeypatch.setattr(desk, "suggestions", None)
    assert desk.advice_for(bar.encounter) == before


def test_no_byte_of_anybody_elses_stream_changes(bar: Table, strip: Callable[..., list[Button]], player: Any) -> None:
    def streams() -> list[object]:
        read = [player_audience(player.pk), TABLE, STORYTELLER]
        encounter = bar.encounter
        frames = [frame(encounter, audience, 0) for audience in read]
        return [*frames, *(versions.version_of(encounter, audience) for audience in read)]

    on = streams()
    assert strip()
    Chronicle.objects.update(conduct={})
    assert strip() == []
    assert streams() == on


# ------------------------------------------------------------------ filling in the forms


def test_every_move_fills_in_its_form(bar: Table, storyteller: Any) -> None:
    """The ordinary form makes the same command from the fields."""
    seen, guard, mara = storyteller_or_403(storyteller, bar.encounter_id), bar["Guard"], bar["Mara"]
    system = ruleset_for(bar.encounter)
    weapon = bar.state.combatants[guard].sheet.weapons[0].reference
    for command in (
        Attack(guard, (mara,), weapon),
        Attack(guard, (mara,), weapon, (Modifier("target_head"),)),
        Reload(guard, weapon),
        ClearJam(guard, weapon),
        Leave(guard),
        TakeAction("dodge", guard),
        TakeAction("draw", guard, weapon=weapon),
        TakeAction("grapple", guard, (mara,)),
        FullDefence(guard),
        TakeAction("seek_cover", guard, figures={"degree": "partial"}),
    ):
        ready = pressed(Suggestion(command, "", ""), system, lambda data: form_for(seen, AttackPreview, data))
        form = form_for(seen, endpoints()[ready.name], QueryDict(urlencode(ready.fields)))
        form.is_valid()
        made = form.command()
        assert (made.attack if isinstance(made, ProposeAttack) else made) == command, command


def test_names_are_text_and_never_markup(
    chronicle: Any, storyteller: Any, player: Any, signed_in: Callable[[Any], Any]
) -> None:
    name = "<img src=x onerror=alert(1)>"
    table = bar_fight(chronicle, storyteller, {name: player, "<b>Guard": None}, TRAITS, name='"><i>Knife', mode="melee")
    Chronicle.objects.filter(pk=chronicle.pk).update(conduct={"suggestions": True})
    table.do(RollInitiative())
    while table["<b>Guard"] not in table.state.acting:
        table.do(Act())
    strip = reverse("combat:suggestions", args=[table.encounter_id])
    answer = signed_in(storyteller).get(strip, headers=HTMX).content.decode()
    assert html.escape(f"Attack {name}") in answer
    assert not re.search(r"<img|<b>Guard|<i>", answer)
