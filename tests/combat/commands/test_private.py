"""Private messages: from the desk to one player, on their screen at once and on nobody else's, in every ruleset."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from combat.desk import keys as desk_keys
from rules.systems import RULESETS
from rules.topics.commands import Describe
from tests.combat.conftest import TRUE_NAME, Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
WHISPER = "The CANARY sings."


def test_every_ruleset_has_them() -> None:
    assert all(system.knows(Describe) for system in RULESETS.values())


def test_two_taps_from_the_desk(fight: Table, player: Any, other_player: Any, signed_in: Any) -> None:
    client = signed_in(fight.storyteller)
    row = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    form = reverse("combat:form", args=[fight.encounter_id, "describe"])
    assert f'href="{form}?to={fight["Ilya"]}"' in row
    assert f"{form}?to={fight['Thug 1']}" not in row
    shown = client.get(form, {"to": fight["Ilya"]}, headers=HTMX).content.decode()
    assert f'value="{fight["Ilya"]}" id="id_to_0" checked' in " ".join(shown.split())
    assert TRUE_NAME not in shown
    sent = {"to": fight["Ilya"], "text": WHISPER, "version": "1"}  # sent late, from an old page
    done = client.post(reverse("combat:do", args=[fight.encounter_id, "describe"]), sent, headers=HTMX)
    assert done.status_code == 200
    read = {reader: repr(fight.view(reader)) for reader in ("storyteller", player, other_player, "table")}
    assert [WHISPER in view for view in read.values()] == [True, True, False, False]


def test_it_stays_readable_for_its_player_alone(fight: Table, player: Any, other_player: Any) -> None:
    before = fight.view(other_player)
    fight.do(Describe((fight["Ilya"],), WHISPER))
    (first,) = fight.view(player).private.messages  # type: ignore[union-attr]
    fight.do(Describe((fight["Ilya"],), WHISPER))
    (again,) = fight.view(player).private.messages  # type: ignore[union-attr]
    assert first.mark != again.mark, "the same words again are news"
    fight.do(Describe((fight["Ilya"],), "Nothing."))
    for reader in (player, "storyteller"):
        told = ["".join(span.text for line in entry.lines for span in line) for entry in fight.view(reader).log.entries]
        assert told.count(f"Only for Ilya: {WHISPER}") == 2
    assert fight.view(other_player) == before
    assert "CANARY" not in repr(fight.view("table"))


def test_a_key_opens_it() -> None:
    assert desk_keys.bindings({})["tell"] == "l"
