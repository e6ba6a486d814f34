"""A process that keeps fighting in the demo's encounter, and one that prints its state. For tests of backups.

python -m tests.config.fighting fight   prints the number of each acknowledged action, until it is killed
python -m tests.config.fighting tell    prints the database's content as JSON
"""

# ruff: noqa: E402, T201
import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from campaigns.models import Membership, Role
from combat.commands import perform
from combat.log import codec
from combat.log import rows as logs
from combat.models import Encounter
from rules.topics import commands

PAUSE = 0.02
"""Seconds between actions. A backup takes several times as long, so some fall into it; without a pause, the process
would take a whole core from the other tests."""


def encounter() -> Encounter:
    return Encounter.objects.fights().earliest("created")


def fight() -> None:
    here = encounter()
    storyteller = Membership.objects.get(chronicle=here.chronicle, role=Role.STORYTELLER).user
    who = next(iter(codec.load_state(here.state).combatants))
    for turn in range(20_000):
        seen = commands.SetVisibility(who, hidden=turn % 2 == 0)
        print(perform.perform(encounter_id=here.pk, actor=storyteller, command=seen).seq, flush=True)
        time.sleep(PAUSE)


def tell() -> None:
    here = encounter()
    rows = logs.rows_of(here)
    fold = logs.state_of(rows, logs.first_state(here))
    same = fold == codec.load_state(here.state)
    print(json.dumps({"seq": here.seq, "numbers": [row.seq for row in rows], "fold is state": same}))


{"fight": fight, "tell": tell}[sys.argv[1]]()
