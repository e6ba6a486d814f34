"""Fights from archives that somebody made by hand: they are refused, or every page of them can be shown."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaigns.archives.box import BadArchive
from campaigns.models import Chronicle
from combat.models import Encounter, LogRow
from combat.web.forms.endpoints import endpoints
from tests.combat.archives import moving
from tests.combat.archives.hostile import changed

MUTATIONS = int(os.environ.get("VESPER_MUTATIONS", "15"))
BEGIN = int(os.environ.get("VESPER_MUTATIONS_FROM", "0"))

OF_FIGHTS = ("encounter", "report", "report-markdown", "entries")


def pages(chronicle: Chronicle) -> list[str]:
    """The pages on which fights are shown."""
    found = [reverse(f"combat:{name}", args=[chronicle.pk]) for name in ("rolls", "dice", "time")]
    found += [reverse(f"characters:{name}", args=[chronicle.pk]) for name in ("cast", "ledgers")]
    found += [reverse(f"story:{name}", args=[chronicle.pk]) for name in ("timeline", "statistics")]
    found.append(reverse("campaigns:chronicle", args=[chronicle.pk]))
    for encounter in Encounter.objects.fights().filter(chronicle=chronicle):
        found += [reverse(f"combat:{name}", args=[encounter.pk]) for name in OF_FIGHTS]
    return found


def forms(chronicle: Chronicle) -> list[str]:
    """The forms of running fights: some are refused, but none fails."""
    found = []
    for encounter in Encounter.objects.fights().filter(chronicle=chronicle, status="running"):
        people = list(encounter.state["combatants"])
        found += [reverse("combat:somebody", args=[encounter.pk, who]) for who in people]
        found += [reverse(f"combat:{name}", args=[encounter.pk]) for name in ("attack", "cast", "edit")]
        for name in sorted(endpoints()):
            found.append(reverse("combat:form", args=[encounter.pk, name]) + f"?who={people[0]}&by={people[0]}")
    return found


def check_pages(chronicle: Chronicle, clients: dict[str, Client]) -> None:
    for who, client in clients.items():
        for page in pages(chronicle):
            status = client.get(page).status_code
            assert status == 200 or (who != "storyteller" and status in (403, 404)), (who, page, status)
        for form in forms(chronicle):
            assert client.get(form).status_code < 500, (who, form)


@pytest.fixture
def clients(storyteller: Any, player: Any, observer: Any) -> dict[str, Client]:
    found = {}
    for name, user in (("storyteller", storyteller), ("player", player), ("observer", observer)):
        found[name] = Client()
        found[name].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return found


def test_changed_archives_are_refused_or_can_be_shown(
    full: Chronicle, clients: dict[str, Client], tmp_path: Path, storyteller: Any
) -> None:
    files, _counts = moving.taken_out(full, tmp_path / "out.zip")
    ids = list(full.characters.values_list("pk", flat=True))
    refused, faults = 0, list[str]()
    for number in range(BEGIN, BEGIN + MUTATIONS):
        hostile, told = changed(files, Random(number), ids)
        box = moving.packed(hostile, moving.counted(hostile), tmp_path / "in.zip")
        try:
            with transaction.atomic():
                made = moving.bring_in(box, full, storyteller)
                _check_ids(made, full)
                check_pages(made, clients)
                transaction.set_rollback(True)
        except BadArchive as problem:
            _check_said(problem)
            refused += 1
        except Exception as fault:
            where = traceback.extract_tb(fault.__traceback__)[-1]
            faults.append(f"{number}: {told}: {fault!r} in {where.filename}:{where.lineno}")
    assert not faults, "\n".join(faults)
    assert MUTATIONS / 5 < refused < MUTATIONS


def _check_said(problem: BadArchive) -> None:
    assert problem.file.startswith(("encounters/", "manifest"))
    assert problem.reason


def _check_ids(made: Chronicle, full: Chronicle) -> None:
    """No id from before is in what was brought in, except in words that somebody typed."""
    here = set(full.characters.values_list("pk", flat=True))
    for encounter in Encounter.objects.filter(chronicle=made):
        people = encounter.state["combatants"]
        assert not here & {each["character"] for each in people.values()}
        assert not here & people.keys()
    for row in LogRow.objects.filter(encounter__chronicle=made):
        assert not here & {card["character"] for card in row.cast["who"].values()}
