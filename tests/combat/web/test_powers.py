"""Powers on the screens: what a phone offers, what is in effect, and what others notice (MQ-POW-1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import perform
from combat.log import rows as logs
from rules.model.power_effects import Does, Effect, Lasts, Notice, Pool
from rules.model.powers import Power, Reach, Source, Timing
from rules.systems import RULESETS
from rules.topics.commands import EndPower, ReviseSheet, SetHealth, TakeAction
from rules.topics.powers.using import with_powers
from tests.combat.conftest import SECRET, TRUE_NAME, Table
from tests.kept import kept
from tests.rules.table import boxes, row

pytestmark = pytest.mark.django_db

Client = Callable[[Any], Any]
HTMX = {"headers": {"HX-Request": "true"}}


@pytest.fixture
@kept
def powers(fight: Table) -> Table:
    Chronicle.objects.update(options={"powers": True})
    return fight


def page(table: Table, client: Any) -> str:
    body: str = client.get(reverse("combat:encounter", args=[table.encounter_id])).content.decode()
    return body


def press(table: Table, client: Any, name: str, value: str) -> Any:
    return client.post(reverse("combat:do", args=[table.encounter_id, name]), {"press": value}, **HTMX)


def told(table: Table, reader: Any) -> str:
    """The log as text, as a reader sees it."""
    entries = table.view(reader).log.entries
    return " ".join("".join(span.text for span in line) for entry in entries for line in entry.lines)


def chips(table: Table, reader: Any, who: str) -> list[str]:
    rows = table.view(reader).order.rows()
    return [each.label for row in rows if row.id == who for each in row.conditions]


def test_a_phone_offers_each_power_with_its_cost_in_one_press(powers: Table, player: Any, signed_in: Client) -> None:
    client, ilya = signed_in(player), powers["Ilya"]
    body = page(powers, client)
    assert f'value="blood_buff {ilya} strength"' in body
    assert "1 blood" in body
    assert "1 to 5" not in body
    assert press(powers, client, "action", f"blood_buff {ilya} strength").status_code == 200
    assert powers.state.combatants[ilya].sheet.resources["blood"] == 9
    assert powers.state.combatants[ilya].sheet.powers[0].effects[0].traits == {"strength"}


def test_without_the_house_rule_nothing_is_offered(fight: Table, player: Any, signed_in: Client) -> None:
    assert "blood_buff" not in page(fight, signed_in(player))
    assert press(fight, signed_in(player), "action", f"blood_buff {fight['Ilya']} strength").status_code != 204
    assert fight.state.combatants[fight["Ilya"]].sheet.powers == ()


def test_what_is_in_effect_is_beside_the_name_with_its_end_and_a_press_ends_it(
    powers: Table, player: Any, signed_in: Client
) -> None:
    client, ilya = signed_in(player), powers["Ilya"]
    press(powers, client, "action", f"blood_buff {ilya} strength")
    assert chips(powers, player, ilya) == ["Blood boost · scene"]
    assert f'value="blood_buff {ilya}"' in page(powers, client)
    assert press(powers, client, "end-power", f"blood_buff {ilya}").status_code == 200
    assert chips(powers, player, ilya) == []
    assert "Blood boost ends for Ilya." in told(powers, player)


@pytest.mark.parametrize(
    ("marks", "healed", "left"),
    [("//", "1 bashing", "/"), ("X", "1 lethal", ""), ("X/", "1 bashing", "X"), ("*", "", "*")],
)
def test_blood_heals_with_one_press(
    fight: Table, player: Any, signed_in: Client, marks: str, healed: str, left: str
) -> None:
    """MQ-HEAL-1: the phone offers what one point heals of the least severe damage."""
    client, ilya = signed_in(player), fight["Ilya"]
    fight.do(SetHealth(ilya, boxes(marks)))
    found = re.search(rf'value="({ilya} \w+ \d)">Heal ([\w ]+) with blood<', page(fight, client))
    assert (found is not None) is bool(healed)
    if found:
        assert found[2] == healed
        assert press(fight, client, "heal", found[1]).status_code == 200
    assert row(fight.state.combatants[ilya].sheet.marks) == left


def test_a_press_that_heals_nothing_is_refused(fight: Table, player: Any, signed_in: Client) -> None:
    for value in (fight["Ilya"], f"{fight['Ilya']} lethal", f"{fight['Ilya']} lethal 1", "x y z"):
        assert press(fight, signed_in(player), "heal", value).status_code != 200


def test_undo_restores_the_cost(powers: Table, player: Any) -> None:
    ilya, before = powers["Ilya"], powers.state
    powers.do(TakeAction("blood_buff", ilya, figures={"trait": "strength"}), player)
    perform.undo(encounter_id=powers.encounter_id, actor=powers.storyteller)
    assert powers.state == before
    perform.redo(encounter_id=powers.encounter_id, actor=powers.storyteller)
    assert powers.state.combatants[ilya].sheet.resources["blood"] == 9
    assert logs.state_of(logs.rows_of(powers.encounter)) == powers.state


def test_the_storyteller_s_key_lists_a_character_s_powers_alone(
    powers: Table, storyteller: Any, signed_in: Client
) -> None:
    client, ilya = signed_in(storyteller), powers["Ilya"]
    assert 'data-do="power"' in page(powers, client)
    form = reverse("combat:form", args=[powers.encounter_id, "action"])
    listed = client.get(form, {"who": ilya, "only": "powers"}, **HTMX).content.decode()
    assert f"blood_buff {ilya} strength" in listed
    assert f"shape {ilya}" not in listed
    assert "action=draw" not in listed
    assert "blood_buff" not in client.get(form, {"who": powers["Thug 1"], "only": "powers"}, **HTMX).content.decode()


ROLLS = frozenset({Pool.ROLL})
MADE_UP = {
    notice: Power(
        f"{notice.value}_power",
        f"The {notice.value} power",
        "MQ-POW-1",
        Source.SPELL,
        (
            Effect(Does.DICE, -1, pools=frozenset({Pool.ROLL}), on_target=True),
            Effect(Does.DICE, 1, pools=frozenset({Pool.ROLL})),
        ),
        timing=Timing.REFLEXIVE,
        reach=Reach.MANY,
        lasts=Lasts.SCENE,
        notice=notice,
    )
    for notice in Notice
}


@pytest.fixture
def made_up(powers: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The chronicle's ruleset with a power of each sort of notice."""
    monkeypatch.setitem(RULESETS, "masquerade", with_powers(RULESETS["masquerade"], MADE_UP.values()))
    return powers


def use(table: Table, notice: Notice, by: str, *at: str, player: Any = None) -> None:
    table.do(TakeAction(MADE_UP[notice].key, by, at), player)


@pytest.mark.parametrize(
    ("notice", "by", "target_hears", "others_hear"),
    [
        (Notice.SEEN, TRUE_NAME, True, True),
        (Notice.FELT, TRUE_NAME, True, False),
        (Notice.UNSEEN, TRUE_NAME, False, False),
        (Notice.SEEN, SECRET, True, False),
        (Notice.FELT, SECRET, True, False),
        (Notice.UNSEEN, SECRET, False, False),
    ],
)
def test_players_hear_of_an_opponent_s_power_what_they_notice(
    made_up: Table, player: Any, other_player: Any, notice: Notice, by: str, target_hears: bool, others_hear: bool
) -> None:
    ilya, foe, label = made_up["Ilya"], made_up[by], MADE_UP[notice].label
    use(made_up, notice, foe, ilya)
    assert label in told(made_up, made_up.storyteller)
    assert (label in told(made_up, player)) is target_hears
    assert (label in told(made_up, other_player)) is others_hear
    assert any(label in each for each in chips(made_up, player, ilya)) is target_hears
    assert any(label in each for each in chips(made_up, other_player, ilya)) is (notice is Notice.SEEN)
    assert any(label in each for each in chips(made_up, other_player, foe)) is (
        notice is Notice.SEEN and by == TRUE_NAME
    )
    for reader in (player, other_player):
        assert TRUE_NAME not in told(made_up, reader)
        assert SECRET not in told(made_up, reader)


def test_a_power_that_somebody_does_not_have_is_not_named(powers: Table, player: Any, signed_in: Client) -> None:
    form = reverse("combat:form", args=[powers.encounter_id, "action"])
    asked = {"who": powers["Ilya"], "action": "feral_claws"}
    assert "Feral claws" not in signed_in(player).get(form, asked, **HTMX).content.decode()
    Character.objects.filter(name="Ilya").update(traits={"protean": 2})
    powers.do(ReviseSheet(powers["Ilya"], sheets_of([powers.state.combatants[powers["Ilya"]].character]).popitem()[1]))
    assert "Feral claws" in signed_in(player).get(form, asked, **HTMX).content.decode()


def test_a_player_s_own_power_is_theirs_to_read_and_to_end(made_up: Table, player: Any, signed_in: Client) -> None:
    ilya = made_up["Ilya"]
    use(made_up, Notice.UNSEEN, ilya, made_up["Marguerite"], player=player)
    assert MADE_UP[Notice.UNSEEN].label in told(made_up, player)
    assert press(made_up, signed_in(player), "end-power", f"unseen_power {made_up['Marguerite']}").status_code != 204
    assert made_up.state.combatants[made_up["Marguerite"]].sheet.powers
    made_up.do(EndPower(ilya, "unseen_power"), player)
    assert not made_up.state.combatants[ilya].sheet.powers
