"""Before the attacks begin, a declaration is known to those who declare later, and to nobody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from django.urls import reverse

from combat.commands import perform
from combat.history.records import read
from combat.history.report import report_of
from combat.live import wall
from combat.live.frames import frame
from combat.panes.build import reader_of
from combat.panes.versions import version_of
from rules.engine.violations import RuleViolation
from rules.topics.commands import Abort, Act, Declare, Delay, End, FullDefence, Leave, RollInitiative, SetOrder
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.combat.sockets import opened
from tests.kept import kept

pytestmark = pytest.mark.django_db

PLAN = "CANARY: through the window"
SLOWEST_FIRST = ("Ilya", "Thug 1", TRUE_NAME, "Thug 2", "Marguerite")


@pytest.fixture
@kept
def stage(fight: Table) -> Table:
    """Initiative is rolled: Ilya is slowest, Marguerite fastest, and nobody is hidden."""
    fight.do(Leave(fight[SECRET]))
    fight.do(RollInitiative())
    fight.do(SetOrder(tuple((fight[name],) for name in reversed(SLOWEST_FIRST))))
    return fight


def up_to(stage: Table, name: str) -> None:
    """Everybody slower than this person declares."""
    for who in SLOWEST_FIRST:
        if who == name:
            return
        stage.do(Declare(stage[who], f"{who} is ready"))


def everything(table: Table, audience: str) -> str:
    """Everything an audience receives: values, frame, report, and the pages of its forms."""
    fight, found = read(table.encounter), frame(table.encounter, audience, None)
    assert found is not None
    report = report_of(fight.name, fight.rows, fight.ruleset, reader_of(fight, audience))
    return repr(table.view(audience)) + found.html + repr(report)


def pages(table: Table, user: Any) -> str:
    """Every page and form of the fight that a player can open, with its HTML."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    names = ("encounter", "report", "report-markdown", "attack", "attack-plan")
    asked = [reverse(f"combat:{name}", args=[table.encounter_id]) for name in names]
    asked += [reverse("combat:since", args=[table.encounter_id, 0])]
    asked += [reverse("combat:form", args=[table.encounter_id, name]) for name in ("declare", "abort", "roll", "spend")]
    return "".join(client.get(address, headers={"HX-Request": "true"}).content.decode() for address in asked)


def newest(stage: Table, audience: Any) -> str:
    """The text of the newest entry in an audience's log."""
    return str(stage.view(audience).log.entries[0].news)


def test_who_declared_before_reads_nothing_of_it(stage: Table, player: Any, other_player: Any) -> None:
    """MQ-DECL-1: the fastest declares last, with Willpower, a wait and text of her own."""
    up_to(stage, "Marguerite")
    ilya, marguerite = f"player-{player.pk}", f"player-{other_player.pk}"
    before = version_of(stage.encounter, ilya)
    said = Declare(stage["Marguerite"], PLAN, ("unarmed", "melee"), True, ("celerity-CANARY",), 1)
    stage.do(said, by=other_player)
    assert version_of(stage.encounter, ilya) == before + 1
    for audience in ("storyteller", marguerite):
        assert PLAN in everything(stage, audience)
    for audience in (ilya, "table"):
        text = everything(stage, audience)
        assert "CANARY" not in text
        assert "Willpower" not in "".join(
            span.text for line in stage.view(audience).log.entries[0].lines for span in line
        )
        row = next(row for row in stage.view(audience).order.rows() if row.name == "Marguerite")
        assert row.has_declared
        assert (row.declared, row.waits, row.full_defence) == ("", False, False)
        assert newest(stage, audience) == "Marguerite has declared."
        assert stage.view(audience).log.entries[0].rolls == ()
    assert "CANARY" not in pages(stage, player)
    assert PLAN in pages(stage, other_player)


def test_who_comes_after_reads_all_of_it(stage: Table, player: Any, other_player: Any, observer: Any) -> None:
    """MQ-DECL-1: the slowest declares first; nobody who only watches reads it."""
    stage.do(Declare(stage["Ilya"], PLAN), by=player)
    assert PLAN in everything(stage, f"player-{other_player.pk}")
    assert "CANARY" not in everything(stage, "table")
    assert "CANARY" not in pages(stage, observer)


def test_the_wall_shows_it_when_the_attacks_begin(stage: Table, other_player: Any) -> None:
    stage.do(Declare(stage["Ilya"], PLAN))
    by = stage.encounter.chronicle.memberships.get(user=stage.storyteller)
    address = reverse("combat:wall", args=[wall.open_wall(by=by)])
    assert PLAN not in Client().get(address).content.decode()
    stage.do(Act())
    assert PLAN in Client().get(address).content.decode()


def test_when_the_attacks_begin_all_is_known_to_all(stage: Table, player: Any) -> None:
    up_to(stage, "Marguerite")
    stage.do(Declare(stage["Marguerite"], PLAN, ("unarmed",), willpower=1))
    order = [entry.id for entry in stage.view(player).log.entries]
    stage.do(Act())
    view = stage.view(player)
    assert PLAN in repr(view.order)
    assert PLAN in repr(view.log)
    assert "1 Willpower" in repr(view.log)
    # Earlier log entries stay in place.
    assert [entry.id for entry in view.log.entries] == order


@pytest.mark.parametrize("command", [FullDefence, Delay])
def test_what_is_said_instead_of_a_declaration_is_sealed_as_well(
    stage: Table, player: Any, other_player: Any, command: Any
) -> None:
    up_to(stage, "Marguerite")
    stage.do(command(stage["Marguerite"]), by=other_player)
    row = next(row for row in stage.view(player).order.rows() if row.name == "Marguerite")
    assert not row.waits
    assert not row.full_defence
    assert newest(stage, player) == "Marguerite has declared."


def test_a_changed_mind_is_an_abort_and_sealed_from_those_who_have_declared(
    stage: Table, player: Any, other_player: Any
) -> None:
    """MQ-ABORT-1: those who declared in between know the declaration, but not that it was aborted."""
    up_to(stage, "Marguerite")
    stage.do(Declare(stage["Marguerite"], "waits and sees", ("unarmed",)))
    with pytest.raises(RuleViolation, match="To do something else, abort first"):
        stage.do(Declare(stage["Ilya"], "and now this"), by=player)
    stage.do(Abort(stage["Ilya"], "roll"), by=player, dice=FixedDice(9))
    assert "aborts to a defence" in repr(stage.view(player).log)
    other = stage.view(other_player).log
    assert "aborts to a defence" not in repr(other)
    assert "Ilya is ready" in repr(other)
    assert other.entries[0].rolls == ()


def test_what_was_taken_back_while_it_was_sealed_stays_sealed(stage: Table, player: Any) -> None:
    up_to(stage, "Marguerite")
    stage.do(Declare(stage["Marguerite"], PLAN))
    perform.undo(encounter_id=stage.encounter_id, actor=stage.storyteller)
    assert "CANARY" not in everything(stage, f"player-{player.pk}")
    stage.do(Act())
    assert "CANARY" in everything(stage, f"player-{player.pk}")


def test_what_was_open_once_stays_open(stage: Table, player: Any) -> None:
    up_to(stage, "Marguerite")
    stage.do(Declare(stage["Marguerite"], PLAN))
    stage.do(Act())
    perform.undo(encounter_id=stage.encounter_id, actor=stage.storyteller)
    assert PLAN in repr(stage.view(player).log)


def test_a_hidden_ones_first_act_opens_nothing(fight: Table, player: Any, other_player: Any) -> None:
    """Otherwise everybody would see that somebody acted."""
    others = [who for name, who in fight.ids.items() if name != SECRET]
    fight.do(RollInitiative())
    fight.do(SetOrder(tuple((who,) for who in (fight[SECRET], *others))))
    fight.do(Declare(fight["Marguerite"], PLAN, out_of_order=True), by=fight.storyteller)
    before = repr(fight.view(player))
    fight.do(Act())
    assert fight[SECRET] in fight.state.acting
    assert repr(fight.view(player)) == before


def test_at_the_end_of_the_fight_all_is_told(stage: Table, player: Any) -> None:
    up_to(stage, "Marguerite")
    stage.do(Declare(stage["Marguerite"], PLAN))
    stage.do(End())
    assert PLAN in everything(stage, f"player-{player.pk}")


def test_no_frame_brings_it_before_its_time(stage: Table, player: Any, other_player: Any) -> None:
    up_to(stage, "Marguerite")

    heard: dict[str, list[str]] = {"slow": [], "fast": []}

    async def watch() -> None:
        sockets = {
            "slow": await opened(player, stage.encounter_id),
            "fast": await opened(other_player, stage.encounter_id),
        }
        for name, socket in sockets.items():
            heard[name].append(await socket.receive_from())
        await sync_to_async(stage.do)(Declare(stage["Marguerite"], PLAN), by=other_player)
        for name, socket in sockets.items():
            await socket.send_to(json.dumps({"have": 1}))
            heard[name].append(await socket.receive_from())
            await socket.disconnect()

    async_to_sync(watch)()
    assert any(PLAN in text for text in heard["fast"])
    assert not any("CANARY" in text for text in heard["slow"])


def test_a_declared_target_is_named_only_to_those_who_see_them(fight: Table, player: Any, signed_in: Any) -> None:
    fight.do(RollInitiative())
    fight.do(Declare(fight["Thug 1"], actions=("melee",), at=fight[SECRET], out_of_order=True))
    fight.do(Declare(fight["Thug 2"], actions=("unarmed",), at=fight[TRUE_NAME], out_of_order=True))
    with pytest.raises(RuleViolation, match="Nobody by that name"):
        fight.do(Declare(fight["Ilya"], at=fight[SECRET], out_of_order=False), by=player)
    fight.do(Act())
    mask = fight.state.combatants[fight[TRUE_NAME]].mask
    for audience in ("table", f"player-{player.pk}"):
        told = everything(fight, audience)
        assert f"→ {mask}" in told
        assert SECRET not in told
        assert fight[SECRET] not in told
    assert f"→ {SECRET}" in repr(fight.view("storyteller"))


def test_an_attack_starts_with_the_declared_target(fight: Table, signed_in: Any) -> None:
    fight.do(RollInitiative())
    fight.do(Declare(fight["Ilya"], actions=("melee",), at=fight["Thug 2"], out_of_order=True))
    client, form = signed_in(fight.storyteller), reverse("combat:attack", args=[fight.encounter_id])
    page = client.get(form, {"who": fight["Ilya"]}, headers={"HX-Request": "true"}).content.decode()
    assert f'<option value="{fight["Thug 2"]}" selected>' in page or f'value="{fight["Thug 2"]}" checked' in page
