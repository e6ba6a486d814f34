"""Copies of ended fights: the same cast in a new draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.db import transaction

from campaigns.models import Membership
from campaigns.tokens import public_id
from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import drafts, perform
from combat.commands.reinforcements import copy_waiting
from combat.log import rows as logs
from combat.models import Encounter, FightNotes, Status
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import DEAD
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.model.state import Combatant
from rules.topics.commands import Join, Newcomer
from rules.topics.events import Joined


def copy_encounter(
    *, by: Membership, encounter: Encounter, name: str, scene: bool = True, healed: bool = True
) -> Encounter:
    """Create a draft with the cast of an ended fight. For Storytellers only.

    With `scene` it has its scene, its notes and the reinforcements that weren't brought in, too.

    Characters get their sheet as it is now; those in the bin are left out. Copies of NPCs, who have no sheet of their
    own, are `healed`, with the points that they began with, full weapons and whole armour; or as the fight left them,
    without the dead. Raises `RuleViolation` unless the fight has ended.
    """
    if encounter.status != Status.ENDED:
        raise bad_input(phrase("only-ended-fights-can-be-copied"))
    with transaction.atomic():
        made = drafts.create_encounter(by=by, name=name, scene=encounter.scene if scene else "")
        newcomers = tuple(_newcomers(encounter, healed=healed))
        if newcomers:
            perform.perform(encounter_id=made.pk, actor=by.user, command=Join(newcomers))
        if scene and (notes := FightNotes.objects.filter(encounter=encounter).first()) and notes.text:
            FightNotes.objects.create(encounter=made, text=notes.text)
        if scene:
            copy_waiting(encounter, made.pk)
    made.refresh_from_db()
    return made


def _newcomers(encounter: Encounter, *, healed: bool) -> Iterator[Newcomer]:
    people = logs.state_now(encounter).combatants
    characters = {each.pk: each for each in Character.objects.filter(pk__in=[one.character for one in people.values()])}
    sheets, began = sheets_of(characters), _sheets_at_first(encounter)
    ids = {who: public_id() for who in people}
    for who, one in people.items():
        if one.character:
            if one.character not in characters:
                continue
            sheet = sheets[one.character]
        elif healed:
            sheet = _restored(one.sheet, began[who])
        elif DEAD in one.conditions:
            continue
        else:
            sheet = replace(one.sheet, shape=None)
        yield replace(
            _as_seen(one),
            id=ids[who],
            sheet=sheet,
            player=bool(one.character) and not characters[one.character].is_npc,
            band=ids.get(one.band, ""),
            side=one.chosen_side or "",
        )


def _as_seen(one: Combatant) -> Newcomer:
    """What the Storyteller has set for a combatant."""
    return Newcomer(
        id=one.id,
        sheet=one.sheet,
        character=one.character,
        group=one.group,
        hidden=one.hidden,
        mask=one.mask,
        health_shown=one.health_shown,
        dice_shown=one.dice_shown,
        default_defence=one.default_defence,
    )


def _sheets_at_first(encounter: Encounter) -> Mapping[str, Sheet]:
    """Everybody's sheet as they joined."""
    events = (event for row in logs.as_they_stand(logs.rows_of(encounter)) for event in row.events)
    return {each.combatant.id: each.combatant.sheet for each in events if isinstance(each, Joined)}


def _restored(sheet: Sheet, began: Sheet) -> Sheet:
    """Unhurt, with full weapons, whole armour and the points of the beginning. What was given in the fight is kept."""
    return replace(
        sheet,
        marks=(),
        injuries=(),
        scars=(),
        impairments=(),
        lasting=(),
        resources=began.resources,
        weapons=tuple(map(_loaded, sheet.weapons)),
        armor=tuple(replace(each, destroyed=False) for each in sheet.armor),
        shape=None,
    )


def _loaded(weapon: Weapon) -> Weapon:
    rounds = weapon.rounds if weapon.capacity is None else weapon.capacity
    return replace(weapon, rounds=rounds, fault=None, stowed=False)
