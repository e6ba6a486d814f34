"""One of two processes that do something at the same moment: `python -m tests.faults.racer`, JSON lines in and out.

A line is [moment, what, arguments]; at that moment the function of this name is called. The answer is what it returns.
"""

from __future__ import annotations

import json
import re
import sys
import time
from typing import Any

STORYTELLERS = ("story", "second")


def table(key: str) -> dict[str, Any]:
    """A chronicle with two Storytellers, a player's character with experience and a request, and a draft with her."""
    from campaigns import services as campaigns
    from campaigns.models import Role, User
    from characters import experience
    from characters.services import SheetData, create_character
    from combat.commands import drafts, outside

    people = {name: User.objects.create_user(f"{name}-{key}") for name in (*STORYTELLERS, "player")}
    chronicle = campaigns.create_chronicle(user=people["story"], name=key, ruleset="masquerade")
    campaigns.add_member(chronicle=chronicle, user=people["second"], role=Role.STORYTELLER)
    chronicle.options = {"experience_awards": ["Session played: 1", "Botch: 2"]}
    chronicle.save()
    mine = campaigns.add_member(chronicle=chronicle, user=people["player"], role=Role.PLAYER)
    by = chronicle.memberships.get(user=people["story"])
    traits = {"strength": 3, "stamina": 2, "wits": 2, "willpower": 5, "generation": 10}
    sheet = SheetData("Ilya", "vampire", traits=traits, resources={"blood": 10, "willpower": 5})
    ilya = create_character(by=mine, owner=people["player"], sheet=sheet)
    experience.award(by=by, to=[ilya.pk], amount=20, reason="Session played")
    asked = experience.ask(by=mine, character=ilya, wish=experience.Raise("brawl", 1))
    draft = drafts.create_encounter(by=by, name="The docks", scene="")
    drafts.add_character(encounter_id=draft.pk, actor=people["story"], character=ilya)
    assert asked is not None
    return {
        "chronicle": chronicle.pk,
        "ilya": ilya.pk,
        "request": asked.pk,
        "draft": draft.pk,
        "log": outside.open_log(chronicle).pk,
        "people": {name: each.username for name, each in people.items()},
    }


def post(who: str, address: str, said: dict[str, Any], press: bool = False) -> dict[str, Any]:
    """Press a button as a browser does: the status, and the text of the page."""
    from django.test import Client

    from campaigns.models import User

    client = Client(headers={"host": "localhost"} | ({"hx-request": "true"} if press else {}))
    client.force_login(User.objects.get(username=who), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(address, said)
    text = re.sub(r"<(script|style).*?</\1>", "", answer.content.decode(), flags=re.DOTALL)
    return {"status": answer.status_code, "text": " ".join(re.sub(r"<[^>]+>", " ", text).split()), "html": text}


def page(who: str, address: str) -> str:
    """A page as somebody reads it."""
    from django.test import Client

    from campaigns.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username=who), backend="django.contrib.auth.backends.ModelBackend")
    return str(client.get(address).content.decode())


def roll_badly(log: str, who: str, by: str) -> None:
    """Let somebody botch a roll outside fights, which the log proposes an award for."""
    from campaigns.models import User
    from combat.commands import perform
    from rules.topics.commands import RollTraits
    from tests.planted import Botch

    actor = User.objects.get(username=by)
    perform.perform(encounter_id=log, actor=actor, command=RollTraits(who, ("wits",)), dice=Botch())


def look(who: str) -> dict[str, Any]:
    """What is true of a character now, and everything that doesn't fit together anywhere."""
    from characters import experience, experience_seals
    from characters.models import Character
    from combat.commands import checking
    from combat.log import rows
    from combat.models import Encounter, LogRow

    one = Character.objects.get(pk=who)
    logs = Encounter.objects.filter(chronicle=one.chronicle_id).select_related("chronicle")
    fights = [rows.state_now(each) for each in logs if not each.outside_fights and each.status != "draft"]
    return {
        "traits": one.traits,
        "points": one.resources,
        "marks": one.marks,
        "concept": one.concept,
        "notes": one.notes,
        "version": one.version,
        "balance": experience.balance(one),
        "entries": [[each.kind, each.step, each.amount] for each in one.experience.order_by("seq")],
        "history": one.changes.count(),
        "rows": [row.command["is"] for row in LogRow.objects.filter(encounter__in=logs, kind="command").order_by("pk")],
        "in fights": [
            [each.sheet.resources.get("blood"), [mark.value for mark in each.sheet.marks]]
            for state in fights
            for each in state.combatants.values()
            if each.character == who
        ],
        "faults": [*map(str, checking.check_everything()), *map(str, experience_seals.faults_here(one.chronicle_id))],
    }


def main() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        moment, what, arguments = json.loads(line)
        time.sleep(max(0.0, moment - time.time()))
        sys.stdout.write(json.dumps(globals()[what](*arguments)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
