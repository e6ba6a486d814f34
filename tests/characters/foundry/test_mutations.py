"""Changed actors: each is read or refused with a sentence, never a traceback, and only whole sheets are written."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.errors import Refused
from characters.forms.sheet import SheetForm
from characters.foundry import writing
from characters.foundry.reading import read
from characters.incoming.arrival import BadFile
from characters.incoming.creating import bring_in
from characters.incoming.previews import arrival_page
from characters.models import Armor, Character, Weapon
from characters.sheets import with_gear
from tests.characters.foundry.conftest import FILES, actor, playing

pytestmark = pytest.mark.django_db

ODD: list[Any] = [
    *(None, True, False, 0, -1, 7, 10**12, 10**40, 2.5, 3.0, "", " ", "0", "-2", "7", "1e3", "٣", "NaN", "x" * 5000),
    *("\x00", "\ud800", "\u202e\u200b", "<b>x</b>" * 50, "<div>" * 500, "[[Title]]", "wod.bio.vampire.set", "a.b.c"),
    *([], {}, [[]], {"value": {"value": 3}}, [1, "2", None], {"": ""}, {"max": -4}, {"a": {"b": [{}]}}, "’", "Ärger"),
]


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Each container of a tree with each of its keys."""
    found = []
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in pairs:
        found.append((tree, key))
        found += places(value)
    return found


@st.composite
def mutated(draw: Any) -> tuple[str, bytes]:
    """A test file with up to a dozen values changed, removed, doubled or moved, and sometimes broken bytes."""
    name = draw(st.sampled_from(sorted(FILES)))
    made = copy.deepcopy(actor(name))
    for _ in range(draw(st.integers(1, 12))):
        there = places(made)
        if not there:
            break
        holder, key = there[draw(st.integers(0, len(there) - 1))]
        match draw(st.sampled_from(["change", "remove", "double", "swap", "case"])):
            case "change":
                holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
            case "remove":
                del holder[key]
            case "double" if isinstance(holder, list):
                holder.insert(0, copy.deepcopy(holder[key]))
            case "swap":
                other, place = there[draw(st.integers(0, len(there) - 1))]
                holder[key] = copy.deepcopy(other[place]) if place in keys(other) else None
            case "case" if isinstance(holder, dict):
                holder[str(key).upper()] = holder.pop(key)
    content = json.dumps(made).encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 5)) == 0:
        at = draw(st.integers(0, len(content)))
        content = content[:at] + draw(st.binary(max_size=3)) + content[at + draw(st.integers(0, 5)) :]
    return name, content


def keys(tree: Any) -> Any:
    return tree if isinstance(tree, dict) else range(len(tree))


def rows() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in (Character, Weapon, Armor)]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=mutated())
def test_a_changed_actor_is_whole_or_nothing(
    shipped: None, chronicle: Any, storyteller: Any, case: tuple[str, bytes]
) -> None:
    name, content = case
    with transaction.atomic():
        asking = playing(chronicle, FILES[name], storyteller)
        before = rows()
        try:
            arrival = read(content, asking)
        except BadFile as problem:
            refused = str(problem)
        else:
            refused = ""
            arrival_page(asking.by, arrival)
            assert rows() == before, "a preview writes nothing"
            try:
                made = bring_in(by=asking.by, owner=None, arrival=arrival, key="")
            except Refused:
                assert rows() == before
            else:
                check(made)
        if refused:
            assert refused.endswith(".")
            assert rows() == before
        transaction.set_rollback(True)


def check(made: Character) -> None:
    """What was written is a sheet that its own form saves as it is, and that can be taken out again."""
    one = with_gear(Character.objects.filter(pk=made.pk)).get()
    drawn = SheetForm(chronicle=one.chronicle, character=one, for_storyteller=True)
    data: dict[str, Any] = {}
    for part in (drawn, drawn.weapons.management_form, drawn.armor.management_form, *drawn.weapons, *drawn.armor):
        for bound in part:
            value = bound.value()
            if value not in (None, []) and value is not False:
                data[bound.html_name] = value if isinstance(value, list) else str(value)
    from django.http import QueryDict

    posted = QueryDict(mutable=True)
    for key, value in data.items():
        posted.setlist(key, value if isinstance(value, list) else [value])
    form = SheetForm(posted, chronicle=one.chronicle, character=one, for_storyteller=True)
    assert form.is_valid(), (form.errors, form.weapons.errors, form.armor.errors)
    for row in (*(each.weapon for each in one.weapons.all()), *(each.armor for each in one.armor.all())):
        row.full_clean()
    json.loads(writing.write(one))
