"""A question's deadline: shown to those involved, stopped by the Storyteller, settled once by any request."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse

from combat.commands import deadlines, perform
from combat.live import consumers
from combat.live.frames import frame
from combat.log import clocks
from combat.models import Encounter, LogRow
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import SECRET, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}
SECONDS = 30


@pytest.fixture
@kept
def timed(fight: Table) -> Table:
    """A fight at a table with half a minute to answer."""
    return with_clock(fight, SECONDS)


def with_clock(table: Table, seconds: int) -> Table:
    chronicle = table.encounter.chronicle
    chronicle.conduct = {"answer_seconds": seconds, "approval": False}
    chronicle.save()
    return table


def asked(table: Table, at: str = "Ilya") -> str:
    """Somebody is attacked; returns the question's name."""
    table.do(ProposeAttack("x", Attack(table["Thug 1"], (table[at],))))
    return clocks.question("x", table[at])


def run_out(table: Table) -> None:
    """Nobody has answered before the deadline."""
    encounter = table.encounter
    encounter.clocks = {question: due and due - SECONDS - 60 for question, due in encounter.clocks.items()}
    encounter.save()


def answers(table: Table) -> list[LogRow]:
    rows = LogRow.objects.filter(encounter_id=table.encounter_id).order_by("seq")
    return [row for row in rows if row.command["is"] == "AnswerByDefault"]


# ------------------------------------------------------------------ who sees it


def test_without_the_option_nothing_waits_for_a_clock(fight: Table, player: Any) -> None:
    asked(fight)
    assert fight.encounter.clocks == {}
    (ask,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert ask.clock is None


def test_the_clock_is_shown_to_those_concerned(timed: Table, player: Any, other_player: Any) -> None:
    question = asked(timed)
    for audience in ("storyteller", player):
        (ask,) = timed.view(audience).asks.defences  # type: ignore[union-attr]
        assert ask.clock is not None
        assert ask.clock.question == question
        assert 0 < ask.clock.due / 1000 - time() <= SECONDS
        assert ask.clock.then == "No defence"
    for audience in ("table", f"player-{other_player.pk}"):
        found = frame(timed.encounter, audience, None)
        assert found is not None
        assert "clock" not in repr(timed.view(audience)).replace("clock=None", "")
        assert "data-now" not in found.html
    mine = frame(timed.encounter, f"player-{player.pk}", None)
    assert mine is not None
    assert "data-now" in mine.html


def test_whoever_attacks_sees_how_long_they_wait_and_not_for_what(timed: Table, player: Any) -> None:
    timed.do(commands.SetDefaultDefence((timed["Marguerite"],), "dodge"))
    timed.do(ProposeAttack("mine", Attack(timed["Ilya"], (timed["Marguerite"],))), by=player)
    (waiting,) = timed.view(player).asks.waiting  # type: ignore[union-attr]
    assert waiting.clock is not None
    assert waiting.clock.due
    assert (waiting.clock.question, waiting.clock.then) == ("", "")


def test_the_clock_of_somebody_unseen_is_nobodys(timed: Table, player: Any) -> None:
    timed.do(ProposeAttack("mine", Attack(timed["Ilya"], (timed["Thug 1"],))), by=player)
    timed.do(commands.SetVisibility(timed["Thug 1"], hidden=True))
    (waiting,) = timed.view(player).asks.waiting  # type: ignore[union-attr]
    assert waiting.clock is None


# ------------------------------------------------------------------ when it runs out


def test_nothing_happens_before_the_time_is_up(timed: Table) -> None:
    asked(timed)
    assert deadlines.answer_overdue(encounter_id=timed.encounter_id) == 0
    assert timed.state.exchanges


@pytest.mark.servers
@pytest.mark.parametrize("default", ["ask", "dodge"])
def test_the_question_is_answered_by_default_and_once(timed: Table, default: str) -> None:
    timed.do(commands.SetDefaultDefence((timed["Ilya"],), default))
    asked(timed)
    run_out(timed)
    assert [deadlines.answer_overdue(encounter_id=timed.encounter_id) for _ in range(3)] == [1, 0, 0]
    (row,) = answers(timed)
    assert (row.actor, row.actor_name) == (None, "")
    assert timed.state.exchanges == ()
    assert timed.encounter.clocks == {}
    said = repr(timed.view("storyteller").log)
    assert "doesn’t answer in time: " + ("dodge" if default == "dodge" else "no defence") in said


@pytest.mark.servers
@pytest.mark.parametrize("how", ["page", "poll", "command", "nobody"])
def test_whoever_comes_by_settles_it(
    timed: Table, how: str, observer: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    asked(timed)
    run_out(timed)
    if how == "page":
        signed_in(observer).get(reverse("combat:encounter", args=[timed.encounter_id]))
    elif how == "poll":
        signed_in(observer).get(reverse("combat:since", args=[timed.encounter_id, 1]))
    elif how == "command":
        said = {"who": timed["Marguerite"], "resource": "blood", "amount": "1", "key": "k"}
        signed_in(other_player).post(reverse("combat:do", args=[timed.encounter_id, "spend"]), said)
    else:
        deadlines.settle()
    assert len(answers(timed)) == 1


@pytest.mark.servers
def test_an_answer_that_comes_too_late_is_turned_down(
    timed: Table, player: Any, signed_in: Callable[[Any], Any]
) -> None:
    asked(timed)
    run_out(timed)
    said = {"answer": f"x {timed['Ilya']} dodge", "key": "late"}
    answer = signed_in(player).post(reverse("combat:do", args=[timed.encounter_id, "answer"]), said, **HTMX)
    assert answer.status_code == 422
    assert "no longer waiting" in answer.content.decode()
    assert len(answers(timed)) == 1


@pytest.mark.servers
def test_a_fight_that_is_paused_keeps_no_time(timed: Table) -> None:
    asked(timed)
    timed.do(commands.Pause())
    assert timed.encounter.clocks == {}
    timed.do(commands.Resume())
    (due,) = timed.encounter.clocks.values()
    assert 0 < due - time() <= SECONDS


@pytest.mark.servers
def test_undo_gives_the_question_back_with_a_clock_of_its_own(timed: Table) -> None:
    question = asked(timed)
    run_out(timed)
    deadlines.answer_overdue(encounter_id=timed.encounter_id)
    perform.undo(encounter_id=timed.encounter_id, actor=timed.storyteller)
    assert timed.encounter.clocks[question] > time()
    run_out(timed)
    deadlines.answer_overdue(encounter_id=timed.encounter_id)
    assert len(answers(timed)) == 2


@pytest.mark.servers
def test_nobodys_time_is_up_because_a_backup_was_put_back(timed: Table) -> None:
    question = asked(timed)
    run_out(timed)
    call_command("restored")
    deadlines.settle()
    assert answers(timed) == []
    timed.do(commands.Harm(timed["Thug 1"], 1, Damage.BASHING))
    assert timed.encounter.clocks[question] > time() + SECONDS - 10
    deadlines.set_clock(encounter_id=timed.encounter_id, actor=timed.storyteller, question=question, runs=False)
    call_command("restored")
    timed.do(commands.Harm(timed["Thug 1"], 1, Damage.BASHING))
    assert timed.encounter.clocks == {question: None}


def test_a_clock_that_the_chronicle_gave_up_answers_nothing(timed: Table) -> None:
    asked(timed)
    run_out(timed)
    with_clock(timed, 0)
    assert deadlines.answer_overdue(encounter_id=timed.encounter_id) == 0
    assert timed.encounter.clocks == {}
    assert timed.state.exchanges


def test_what_cannot_be_answered_any_more_has_no_clock(timed: Table) -> None:
    encounter = timed.encounter
    encounter.clocks = {f"gone {timed['Ilya']}": time() - 60}
    encounter.save()
    assert deadlines.answer_overdue(encounter_id=timed.encounter_id) == 0
    assert timed.encounter.clocks == {}


@pytest.mark.servers
def test_the_watch_sleeps_until_the_next_is_due(timed: Table) -> None:
    assert deadlines.settle() == deadlines.LONGEST_SLEEP
    with_clock(timed, 5)
    asked(timed)
    assert 0 < deadlines.settle() <= 5 + clocks.GRACE


@pytest.mark.servers
def test_a_fight_that_cannot_be_settled_keeps_nobody_from_the_others(
    timed: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked(timed)
    run_out(timed)
    tried = []

    def broken(*, encounter_id: str, now: float) -> int:
        tried.append(encounter_id)
        raise KeyError("a state that nobody can read")

    monkeypatch.setattr(deadlines, "answer_overdue", broken)
    assert deadlines.settle() == deadlines.LONGEST_SLEEP
    assert tried == [timed.encounter_id]
    assert "could not be answered" in caplog.text


@pytest.mark.servers
def test_a_question_that_cannot_be_settled_keeps_nobody_from_the_fight(
    timed: Table, storyteller: Any, signed_in: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    asked(timed)
    run_out(timed)
    monkeypatch.setattr(perform, "carry_on", lambda *_: 1 / 0)
    page = signed_in(storyteller).get(reverse("combat:encounter", args=[timed.encounter_id]))
    assert page.status_code == 200
    assert "could not be answered" in caplog.text


@pytest.mark.servers
def test_a_fight_that_is_gone_has_no_questions(
    timed: Table, storyteller: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked(timed)
    run_out(timed)
    real = deadlines.answer_overdue

    def gone(*, encounter_id: str, now: float | None = None) -> int:
        Encounter.objects.get(pk=encounter_id).delete()
        return real(encounter_id=encounter_id, now=now)

    monkeypatch.setattr(deadlines, "answer_overdue", gone)
    with transaction.atomic():
        assert consumers._in_time([storyteller.pk], timed.encounter_id) == {}
        transaction.set_rollback(True)
    assert deadlines.settle() == deadlines.LONGEST_SLEEP
    assert caplog.text == ""


# ------------------------------------------------------------------ stopped


@pytest.mark.servers
def test_the_storyteller_stops_the_clock_of_one_question(
    timed: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    question, address = asked(timed), reverse("combat:do", args=[timed.encounter_id, "clock"])
    before = LogRow.objects.count()
    assert signed_in(storyteller).post(address, {"stop": question, "key": "s"}, **HTMX).status_code == 200
    (ask,) = timed.view(player).asks.defences  # type: ignore[union-attr]
    assert ask.clock is not None
    assert ask.clock.due is None
    run_out(timed)
    assert deadlines.answer_overdue(encounter_id=timed.encounter_id) == 0
    assert LogRow.objects.count() == before
    assert signed_in(storyteller).post(address, {"run": question, "key": "r"}, **HTMX).status_code == 200
    assert timed.encounter.clocks[question] > time()
    assert signed_in(storyteller).post(address, {"key": "n"}, **HTMX).status_code == 422


def test_players_stop_no_clock(timed: Table, player: Any) -> None:
    question = asked(timed)
    with pytest.raises(PermissionDenied):
        deadlines.set_clock(encounter_id=timed.encounter_id, actor=player, question=question, runs=False)
    with pytest.raises(RuleViolation):
        deadlines.set_clock(
            encounter_id=timed.encounter_id, actor=timed.storyteller, question=f"x {timed[SECRET]}", runs=False
        )


def test_a_clock_that_was_stopped_stays_so_through_a_pause(timed: Table) -> None:
    question = asked(timed)
    deadlines.set_clock(encounter_id=timed.encounter_id, actor=timed.storyteller, question=question, runs=False)
    timed.do(commands.Pause())
    timed.do(commands.Resume())
    assert timed.encounter.clocks == {question: None}


def test_one_that_runs_begins_again_after_a_pause(timed: Table) -> None:
    question = asked(timed)
    timed.do(commands.Pause())
    assert timed.encounter.clocks == {}
    timed.do(commands.Resume())
    due = timed.encounter.clocks[question]
    assert due is not None
    assert due > time() + SECONDS - 10


@pytest.mark.servers
def test_the_watch_hears_of_a_clock_that_is_started_anew(timed: Table, django_capture_on_commit_callbacks: Any) -> None:
    question, mine = asked(timed), {"encounter_id": timed.encounter_id, "actor": timed.storyteller}
    deadlines.set_clock(**mine, question=question, runs=False)
    clocks.changed.clear()
    assert deadlines.settle() == deadlines.LONGEST_SLEEP
    with django_capture_on_commit_callbacks(execute=True):
        deadlines.set_clock(**mine, question=question, runs=True)
    assert clocks.changed.is_set()
