"""A chronicle with everything: out, in again, out again gives the same content."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models

from campaigns import page_services
from campaigns.archives.box import MANIFEST, BadArchive, Reader
from campaigns.models import Chronicle, User
from characters.models import Character
from combat.commands import drafts
from combat.models import Encounter
from rules.topics import commands
from tests import planted
from tests.characters.archives import everything
from tests.characters.archives.test_round_trip import attacks, made
from tests.combat.conftest import Table
from tests.story.archives.contents import brought_in, content, first_difference, packed_again, taken_out
from tests.world import SECRETS, World

pytestmark = pytest.mark.django_db


def test_everything_returns(world: World, tmp_path: Path) -> None:
    by = world.people["storyteller"]
    before = taken_out(world.chronicle, tmp_path / "before.zip")
    made = brought_in(before, by, world.people["player"])
    after = taken_out(made, tmp_path / "after.zip")
    there, here = content(before), content(after)
    assert first_difference(there, here) == ""
    again = brought_in(after, by)
    assert content(taken_out(again, tmp_path / "again.zip")) == there


@pytest.mark.parametrize("ruleset", everything.RULESETS)
def test_every_ruleset_returns(
    ruleset: str, chronicle: Chronicle, storyteller: User, player: User, other_player: User, tmp_path: Path
) -> None:
    """Sheets on which nothing is empty, a fight that is over and one that goes on, rolls, a session and pages."""
    made(chronicle, ruleset, storyteller, player, other_player)
    by = chronicle.memberships.select_related("chronicle", "user").get(user=storyteller)
    planted.session_over(by)
    page_services.create_page(by=by, title="The mill", text="[[Ashes]] and *smoke*.", audience="everyone")
    for name in ("The pier", "The alley"):
        encounter = drafts.create_encounter(by=by, name=name, scene="Fog.")
        for one in Character.objects.filter(chronicle=chronicle).order_by("name"):
            drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=one)
        fight = Table.of(encounter, storyteller).begin().turn()
        one, other, *_rest = fight.ids.values()
        attacks(fight, one, other)
        if name == "The pier":
            fight.do(commands.End())
    before = taken_out(by.chronicle, tmp_path / "before.zip")
    there = content(before)
    again = brought_in(before, storyteller, player)
    assert first_difference(there, content(taken_out(again, tmp_path / "after.zip"))) == ""
    # The fight goes on, on the imported sheets.
    running = Encounter.objects.get(chronicle=again, name="The alley")
    assert running.status == "running"
    fight = Table.of(running, storyteller)
    one, other, *_rest = fight.ids.values()
    attacks(fight, other, one)


def test_every_secret_is_in_it_but_nobodys_address(world: World, tmp_path: Path) -> None:
    path = taken_out(world.chronicle, tmp_path / "archive.zip")
    text = "\n".join(content(path).values())
    # The roll is made by the tests that need it.
    left_out = {"address", "binned note", "label", "roll"}
    for name, secret in world_texts(world).items():
        assert (secret in text) == (name not in left_out), (name, secret)
    for user in world.people.values():
        assert user is None or user.email not in text


def world_texts(world: World) -> dict[str, str]:
    return {name: text for name, text in SECRETS.items() if name != "picture"}


def test_the_original_isnt_touched(world: World, tmp_path: Path) -> None:
    path = taken_out(world.chronicle, tmp_path / "archive.zip")
    before = content(path)
    brought_in(path, world.people["storyteller"])
    assert content(taken_out(world.chronicle, tmp_path / "later.zip")) == before


NOT_IN_IT = {
    "Chronicle": "It is the chronicle.",
    "Invitation": "Links die with the place they lead to.",
    "Wall": "A link.",
    "CalendarFeed": "A link.",
    "Webhook": "Its address is a secret of this server's Storyteller.",
    "Delivery": "What a webhook was sent.",
    "Looked": "A reader's mark, here and now.",
    "StoredDigest": "A cache.",
    "Transfer": "This is one.",
    "User": "Accounts don't travel, names do.",
    "SignIn": "Accounts don't travel.",
    "DeskKeys": "An account's own.",
    "ForecastPolicies": "Chosen again in a minute, and their fight has new combatants' ids.",
    "ShippedTable": "The server's own.",
}


def test_no_model_is_forgotten(world: World, tmp_path: Path) -> None:
    """A new model is in the archive, or in the list above with a reason."""
    made = brought_in(taken_out(world.chronicle, tmp_path / "archive.zip"), world.people["storyteller"])
    ours = [
        model
        for app in ("campaigns", "characters", "combat", "story")
        for model in apps.get_app_config(app).get_models()
    ]
    for model in ours:
        if model.__name__ in NOT_IN_IT:
            continue
        path = _to_chronicle(model)
        assert path is not None, f"{model.__name__} isn't connected to a chronicle"
        there, here = (_rows(model, path, each) for each in (world.chronicle, made))
        assert here == there, model.__name__
        assert here or model.__name__ in MAY_BE_EMPTY, f"{model.__name__}: the test has no row"


MAY_BE_EMPTY = {"Armor", "Weapon", "DeclinedProposal", "Reveal"}


def _rows(model: Any, path: str, chronicle: Chronicle) -> int:
    """How many rows a chronicle has that are neither in the bin nor of something in it."""
    found, way, at = model._base_manager.filter(**{path: chronicle.pk}), "", model
    for step in (*path.split("__"), ""):
        if any(field.name == "binned" for field in at._meta.fields):
            found = found.filter(**{f"{way}binned": None})
        if not step or step == "pk":
            break
        at, way = at._meta.get_field(step).related_model, f"{way}{step}__"
    return int(found.count())


def _to_chronicle(model: type[models.Model], seen: tuple[type, ...] = ()) -> str | None:
    """The look-up from a model to its chronicle."""
    if model is Chronicle:
        return "pk"
    if model in seen:
        return None
    keys = [field for field in model._meta.fields if isinstance(field, models.ForeignKey)]
    direct = [field for field in keys if field.related_model is Chronicle]
    if direct:
        return direct[0].name
    for field in keys:
        further = _to_chronicle(field.related_model, (*seen, model))  # type: ignore[arg-type]
        if further:
            return f"{field.name}__{further}" if further != "pk" else field.name
    return None


# ------------------------------------------------------------------ on the command line


def test_by_the_command_line(world: World, tmp_path: Path) -> None:
    file, said = tmp_path / "archive.zip", StringIO()
    call_command("export_chronicle", world.chronicle.pk, str(file), stdout=said)
    assert content(file) == content(taken_out(world.chronicle, tmp_path / "page.zip"))
    with pytest.raises(CommandError, match="exists already"):
        call_command("export_chronicle", world.chronicle.pk, str(file))
    before = Chronicle.objects.count()
    call_command("import_chronicle", str(file), stdout=said)
    assert "can be imported" in said.getvalue()
    assert Chronicle.objects.count() == before
    person = f"{world.people['player'].display_name}={world.people['player'].username}"
    call_command("import_chronicle", str(file), storyteller="storyteller", person=[person], stdout=said)
    made = Chronicle.objects.exclude(pk=world.chronicle.pk).get(name=world.chronicle.name)
    assert made.memberships.filter(user=world.people["player"], role="player").exists()
    with pytest.raises(CommandError, match="0 people with the name “Nobody”"):
        call_command("import_chronicle", str(file), storyteller="storyteller", person=["Nobody=player"])
    with pytest.raises(CommandError, match="no account “nobody”"):
        call_command("import_chronicle", str(file), storyteller="nobody")
    with pytest.raises(CommandError, match="no chronicle"):
        call_command("export_chronicle", "nothing", str(tmp_path / "b.zip"))
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(CommandError, match="can’t be imported"):
        call_command("import_chronicle", str(file), storyteller="storyteller")


def test_a_false_count_is_refused(world: World, tmp_path: Path) -> None:
    path = taken_out(world.chronicle, tmp_path / "archive.zip")
    with Reader(path) as box:
        counts = box.manifest["counts"]
    before = Chronicle.objects.count()
    for name in counts:
        for wrong in (counts[name] + 1, str(counts[name]), None):
            forged = packed_again(path, {}, tmp_path / "forged.zip", counts=counts | {name: wrong})
            with pytest.raises(BadArchive) as caught:
                brought_in(forged, world.people["storyteller"])
            assert "manifest" in caught.value.reason or name in caught.value.reason, name
    assert Chronicle.objects.count() == before


@pytest.mark.parametrize(
    "name", ["more.json", "pages/bcdfghjkmn.md", "characters/more.json", "portraits/x.webp", "x/y"]
)
def test_a_file_that_belongs_to_nothing_is_refused(world: World, name: str, tmp_path: Path) -> None:
    path, forged = taken_out(world.chronicle, tmp_path / "archive.zip"), tmp_path / "forged.zip"
    packed_again(path, {}, forged, {name: b"{}"})
    with pytest.raises(BadArchive) as caught:
        brought_in(forged, world.people["storyteller"])
    assert caught.value.file in (name, MANIFEST)


SOMETHING_ELSE: list[dict[str, Any]] = [
    *({"part": "characters"}, {"part": None}, {"ruleset": "gone"}, {"ruleset": 5}, {"counts": 3}, {"counts": None})
]


@pytest.mark.parametrize("said", SOMETHING_ELSE)
def test_a_manifest_of_something_else_is_refused(world: World, said: dict[str, Any], tmp_path: Path) -> None:
    path = taken_out(world.chronicle, tmp_path / "archive.zip")
    forged = packed_again(path, {}, tmp_path / "forged.zip", **said)
    with pytest.raises(BadArchive):
        brought_in(forged, world.people["storyteller"])
