"""A character as a file: out as its owner reads it, and into another chronicle as a claim."""

from __future__ import annotations

import io
import json
import random
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from campaigns.models import Chronicle, Membership
from campaigns.tokens import new_key
from characters import experience
from characters.access import Seen
from characters.archives import single
from characters.archives.arriving import read
from characters.history import heads_for, lines_of
from characters.incoming.arrival import Asking, BadFile
from characters.incoming.creating import bring_in
from characters.models import Character, Weapon
from tests.characters.archives import everything
from tests.characters.archives.everything import OWN_KINDS, OWN_TRAITS, rewritten
from tests.characters.archives.test_bad import mutate
from tests.characters.archives.test_round_trip import check_alive, made

pytestmark = pytest.mark.django_db


def elsewhere(chronicle: Chronicle, ruleset: str, *people: Any) -> list[Membership]:
    """Another chronicle with the same people, and nothing of its own."""
    there = Chronicle.objects.create(name="Another", ruleset=ruleset)
    Character.objects.create(chronicle=there, name="A foe")
    members = chronicle.memberships.order_by("pk")
    return [Membership.objects.create(chronicle=there, user=user, role=members.get(user=user).role) for user in people]


def inside(file: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(file)) as packed:
        return {name: packed.read(name).decode(errors="replace") for name in packed.namelist()}


@pytest.mark.parametrize("ruleset", everything.RULESETS)
def test_a_player_takes_a_character_along(
    ruleset: str, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any, signed_in: Any
) -> None:
    there = made(chronicle, ruleset, storyteller, player, other_player)
    ana = Character.objects.get(chronicle=there, name="Ana Ruiz")
    by, hers = elsewhere(there, ruleset, storyteller, player)
    arrival = read(single.file_of(ana), Asking(hers))
    assert arrival.makes == []
    assert "=Hook" in " ".join(arrival.noted)
    came = bring_in(by=hers, owner=player, arrival=arrival, key=new_key())
    for name in ("kind", "concept", "marks", "injuries", "specialties", "resources", "lists", "impairments"):
        assert getattr(came, name) == getattr(ana, name), name
    own = {"own_sailing", "own_debts", "own_gone", "of_another_version"}
    assert came.traits == {key: dots for key, dots in ana.traits.items() if key not in own}
    assert came.notes.startswith(ana.notes)
    assert "Sailing: 3" in came.notes
    assert "My own_oaths" in came.notes
    assert (came.storyteller_notes, came.owner, experience.balance(came)) == ("", player, 0)
    assert bytes(came.portrait.picture) == bytes(ana.portrait.picture)
    common = ana.weapons.exclude(weapon__chronicle=there)
    assert [(row.weapon, row.rounds, row.fault) for row in came.weapons.all()] == [
        (row.weapon, row.rounds, row.fault) for row in common
    ]
    check_alive(by.chronicle, storyteller, signed_in(storyteller))


@pytest.mark.parametrize("ruleset", ["masquerade", "wounds"])
def test_a_storyteller_makes_the_rows_that_are_missing(
    ruleset: str, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any
) -> None:
    there = made(chronicle, ruleset, storyteller, player, other_player)
    ana = Character.objects.get(chronicle=there, name="Ana Ruiz")
    (by,) = elsewhere(there, ruleset, storyteller)
    Weapon.objects.create(chronicle=by.chronicle, ruleset=ruleset, name="=hook", mode="melee", damage=9)
    arrival = read(single.file_of(ana), Asking(by))
    came = bring_in(by=by, owner=None, arrival=arrival, key=new_key())
    assert str(came.weapons.all()[0].weapon) == "=Hook (2)"
    assert [row.name for row in came.weapons.all()] == [row.name for row in ana.weapons.all()]
    again = bring_in(by=by, owner=None, arrival=read(single.file_of(ana), Asking(by)), key=new_key())
    assert [row.weapon_id for row in again.weapons.all()] == [row.weapon_id for row in came.weapons.all()]


def test_nothing_that_its_owner_does_not_know_is_in_it(
    chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any
) -> None:
    there = made(chronicle, "masquerade", storyteller, player, other_player)
    hidden = {
        **OWN_TRAITS,
        "own_secret": {"kinds": ["mortal"], "label": "CANARY leash", "sort": "fact", "section": "CANARY", "most": 5},
    }
    there.own_traits = hidden
    there.own_kinds = {**OWN_KINDS, "own_ghost": {"label": "CANARY ghost", "like": "mortal", "banes": ["canarysalt"]}}
    there.save()
    ana = Character.objects.get(chronicle=there, name="Ana Ruiz")
    ana.traits = {**ana.traits, "own_secret": 0}
    ana.lasting = [{"condition": "cursed", "rule": "", "fight": "zkzkzkzkzk", "why": ""}]
    ana.save()
    Weapon.objects.filter(chronicle=there).update(tags="canarysalt")
    text = " ".join(inside(single.file_of(ana)).values())
    assert "canary" not in text.casefold()
    for secret in ("own_secret", 'zkzkzkzkzk"', 'proof": "b', player.email):
        assert not secret or secret not in text, secret
    assert "Grandfather's hook" in text
    known = [line.changes for line in lines_of(seen(ana, player), list(heads_for(seen(ana, player))), newest=True)]
    told = [json.loads(line) for line in inside(single.file_of(ana))["changes.jsonl"].splitlines()]
    assert [each["changes"] for each in told] == [list(each) for each in reversed(known)]


def seen(one: Character, user: Any) -> Seen:
    return Seen(one, one.chronicle.memberships.get(user=user))


def test_another_ruleset_is_refused_by_name(
    chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any
) -> None:
    there = made(chronicle, "masquerade", storyteller, player, other_player)
    file = single.file_of(Character.objects.get(chronicle=there, name="Ana Ruiz"))
    (by,) = elsewhere(there, "wounds", storyteller)
    with pytest.raises(BadFile, match="Masquerade"):
        read(file, Asking(by))


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + b"x" * 200, b"PK\x05\x06" + b"\0" * 18])
def test_a_broken_zip_is_refused(content: bytes, chronicle: Chronicle, storyteller: Any) -> None:
    with pytest.raises(BadFile):
        read(content, Asking(chronicle.memberships.get(user=storyteller)))


@pytest.mark.parametrize("ruleset", ["chronicles", "wounds"])
def test_mutations_are_refused_or_give_a_sheet_that_works(
    ruleset: str, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any, tmp_path: Path, signed_in: Any
) -> None:
    there = made(chronicle, ruleset, storyteller, player, other_player)
    good = single.file_of(Character.objects.get(chronicle=there, name="Ana Ruiz"))
    (by,) = elsewhere(there, ruleset, storyteller)
    came, client = 0, signed_in(storyteller)
    for number in range(10):
        path, where = tmp_path / f"{number}.zip", list[str]()
        path.write_bytes(good)
        rewritten(path, partial(mutate, random.Random(number), where))
        try:
            arrival = read(path.read_bytes(), Asking(by))
        except BadFile as problem:
            assert str(problem)  # noqa: PT017
            continue
        with transaction.atomic():
            bring_in(by=by, owner=None, arrival=arrival, key=new_key())
            check_alive(by.chronicle, storyteller, client)
            transaction.set_rollback(True)
        came += 1
    assert came


def test_all_own_characters_are_a_file_each(
    chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any, signed_in: Any
) -> None:
    there = made(chronicle, "masquerade", storyteller, player, other_player)
    Character.objects.create(chronicle=there, owner=player, name="Ana  Ruiz!")
    answer = signed_in(player).get(reverse("characters:take-out-own", args=[there.pk]))
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert sorted(packed.namelist()) == ["ana-ruiz-2.zip", "ana-ruiz.zip"]
        (by,) = elsewhere(there, "masquerade", player)
        names = {read(packed.read(name), Asking(by)).sheet.name for name in packed.namelist()}
    assert names == {"Ana Ruiz", "Ana  Ruiz!"}
