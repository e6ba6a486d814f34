"""What is waiting: for each reader what they can do, and nothing of what others are asked."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns import open_places
from campaigns.models import Attendance, Membership, Progress, Role, Session
from characters import experience
from characters.models import Character
from combat.history.records import people_in
from combat.log.rows import state_now
from combat.panes.versions import audiences_of
from combat.secrecy.audiences import player_audience
from rules.model.attack import Attack
from rules.topics.commands import ProposeAttack
from story.waiting import waiting_for
from tests.combat.conftest import Table, characters, draft, fight

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


MEETINGS = "2 meetings proposed by fights"


def member(fight: Table, name: str) -> Membership:
    rows = Membership.objects.select_related("chronicle", "user")
    return rows.get(chronicle=fight.encounter.chronicle, user__username=name)


def waiting(fight: Table, name: str) -> list[str]:
    """Without what the fight itself proposes all the time."""
    return [task.text for task in waiting_for(member(fight, name)) if task.text != MEETINGS]


def test_sessions_are_answered_by_players_and_written_by_storytellers(fight: Table) -> None:
    chronicle, now = fight.encounter.chronicle, timezone.now()
    Session.objects.create(chronicle=chronicle, number=3, progress=Progress.PLAYED, recap=" ")
    Session.objects.create(chronicle=chronicle, number=4, starts=now)
    later = Session.objects.create(chronicle=chronicle, number=5, title="The envoy")
    # The session that comes next is answered on the same page.
    assert waiting(fight, "player") == ["Answer: Session 5: The envoy"]
    assert waiting(fight, "observer") == []
    assert waiting(fight, "storyteller") == ["Write the recap: Session 3"]
    Attendance.objects.create(session=later, user=member(fight, "player").user, answer="no")
    assert waiting(fight, "player") == []
    assert waiting(fight, "other_player") == ["Answer: Session 5: The envoy"]
    Session.objects.filter(number=3).update(recap="It burned.")
    Session.objects.filter(number=4).update(progress=Progress.PLAYING)
    assert waiting(fight, "storyteller") == ["End when it is over: Session 4"]


def test_a_question_in_a_fight_waits_for_who_is_asked_and_for_nobody_else(fight: Table, client: Any) -> None:
    attack = Attack(fight["Thug 1"], (fight["Ilya"],))
    fight.do(ProposeAttack("ask", attack))
    name = fight.encounter.name
    everybody = {who: waiting(fight, who) for who in ("player", "other_player", "observer", "storyteller")}
    assert everybody == {
        "player": [f"{name}: 1 question"],
        "other_player": [],
        "observer": [],
        "storyteller": [],
    }
    assert MEETINGS in [task.text for task in waiting_for(member(fight, "storyteller"))]
    assert MEETINGS not in [task.text for task in waiting_for(member(fight, "player"))]
    # Others at the table wait for it, so on a phone it is on the first screen.
    Session.objects.create(chronicle=fight.encounter.chronicle, number=4)
    client.force_login(member(fight, "player").user, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("campaigns:chronicle", args=[fight.encounter.chronicle_id])).content.decode()
    assert page.index("A fight is running") < page.index("1 question") < page.index("Next session")
    assert page.count("1 question") == 1
    urgent = waiting_for(member(fight, "player"))[0]
    assert (urgent.urgent, urgent.url) == (True, reverse("combat:encounter", args=[fight.encounter_id]))


def test_requests_for_experience_wait_for_storytellers(fight: Table, characters: dict[str, Any]) -> None:
    by, mine = member(fight, "storyteller"), member(fight, "player")
    experience.award(by=by, to=[characters["Ilya"].pk], amount=9, reason="Session played")
    experience.ask(by=mine, character=characters["Ilya"], wish=experience.Other("A favour", 3))
    assert waiting(fight, "storyteller") == ["1 request for experience is waiting."]
    assert waiting(fight, "player") == []


def test_nothing_waits_where_nothing_can_be_changed(fight: Table) -> None:
    Session.objects.create(chronicle=fight.encounter.chronicle, number=4, progress=Progress.PLAYED)
    one = member(fight, "storyteller")
    assert waiting_for(one)
    one.chronicle.ruleset = "gone"
    assert waiting_for(one) == ()


def test_what_a_character_of_an_open_place_is_asked_waits_for_a_storyteller(fight: Table) -> None:
    fight.do(ProposeAttack("ask", Attack(fight["Thug 1"], (fight["Ilya"],))))
    name = fight.encounter.name
    chronicle = fight.encounter.chronicle
    place = open_places.account_for(chronicle, "Ana")
    place.save()
    Membership.objects.create(chronicle=chronicle, user=place, role=Role.PLAYER)
    Character.objects.filter(name="Ilya").update(owner=place)
    assert waiting(fight, "storyteller") == [f"{name}: 1 question"]
    assert waiting(fight, "other_player") == []
    # Nobody looks: the place has no version of the fight, and nothing is held for it to see first.
    assert player_audience(place.pk) not in audiences_of(fight.encounter)
    assert place.pk not in people_in(state_now(fight.encounter)).owners.values()
