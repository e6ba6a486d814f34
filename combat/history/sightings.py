"""Whom players' characters saw in fights, for the meetings that are proposed to Storytellers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.models import Chronicle
from characters.hooks import Sighting
from combat.cache import Kept
from combat.log import rows as logs
from combat.models import Encounter, Status
from combat.secrecy.sight import cast_of

MOST_FIGHTS = 5
"""How many of the fights that began last are looked at."""

_found = Kept(200)

Cast = Mapping[str, Mapping[str, Any]]


def sightings(chronicle: Chronicle) -> tuple[Sighting, ...]:
    """For each fight, whom each player's character in it saw, under the last name shown.

    Who was once seen without a mask is known by name. Nobody saw what was hidden, in a draft, or undone.
    """
    fights = Encounter.objects.filter(chronicle=chronicle, outside_fights=False).exclude(status=Status.DRAFT)
    latest = fights.select_related("chronicle").order_by("-begun", "pk")[:MOST_FIGHTS]
    return tuple(each for fight in latest for each in _in_fight(fight))


def _in_fight(encounter: Encounter) -> tuple[Sighting, ...]:
    if not encounter.seal:
        return ()
    key = (encounter.pk, encounter.seal, encounter.name)
    known: tuple[Sighting, ...] | None = _found.get(key)
    return _found.put(key, tuple(_look(encounter))) if known is None else known


def _look(encounter: Encounter) -> Iterator[Sighting]:
    state = logs.state_now(encounter)
    names: dict[tuple[str, str], str] = {}
    unmasked = set[tuple[str, str]]()
    rows = logs.as_they_stand(logs.rows_of(encounter))
    casts = [row.cast["who"] for row in rows if row.cast.get("begun") and not row.undone]
    for cast in (*casts, cast_of(state, state)["who"]):
        for pair, name, masked in _pairs(cast):
            if not masked:
                unmasked.add(pair)
            if not masked or pair not in unmasked:
                names[pair] = name
    for (npc, by), name in names.items():
        yield Sighting(npc, by, name, encounter.name)


def _pairs(cast: Cast) -> Iterable[tuple[tuple[str, str], str, bool]]:
    """Each NPC that is seen with each player's character that is there, the name shown, and whether it is a mask."""
    mine = [card["character"] for card in cast.values() if card["player"] and card["character"]]
    for card in cast.values():
        if card["character"] and not card["player"] and not card["hidden"]:
            for by in mine:
                yield (card["character"], by), str(card["mask"] or card["name"]), bool(card["mask"])
