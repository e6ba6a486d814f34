"""Preparing fights: creating, naming, ordering and discarding drafts, and adding combatants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Max

from campaigns.access import check_still_storyteller
from campaigns.bins import put_in
from campaigns.models import Membership, User
from campaigns.tokens import public_id
from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import naming, perform
from combat.commands.writing import Performed, change, locked
from combat.log import rows
from combat.models import Encounter, Status
from combat.secrecy.sight import shown_name
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.model.state import Encounter as State
from rules.topics.commands import Join, Newcomer

MOST_COPIES = 20
MOST_COMBATANTS = 60


def create_encounter(*, by: Membership, name: str, scene: str = "") -> Encounter:
    """Create a draft, first in the list. For Storytellers only."""
    check_still_storyteller(by)
    ours = Encounter.with_bin.filter(chronicle_id=by.chronicle_id)
    place = (ours.aggregate(highest=Max("place"))["highest"] or 0) + 1
    made: Encounter = Encounter.objects.create(chronicle_id=by.chronicle_id, name=name, scene=scene, place=place)
    return made


def move_draft(*, by: Membership, encounter: Encounter, before: str = "", after: str = "") -> bool:
    """Move a draft past its neighbour in the list: directly `before` or `after` the draft with this id.

    Nothing moves if they are in that order already, so a repeated press is harmless. Returns False if they aren't
    neighbours any more.
    """
    ours = Encounter.objects.listed().filter(chronicle_id=by.chronicle_id, status=Status.DRAFT)
    with locked(ours):
        check_still_storyteller(by)
        found = {each.pk: each for each in sorted(ours, key=lambda each: -each.place)}
        order, wanted = list(found), [encounter.pk, before] if before else [after, encounter.pk]
        if not any(order[at : at + 2] in (wanted, wanted[::-1]) for at in range(len(order))):
            return False
        at = min(order.index(each) for each in wanted)
        order[at : at + 2] = wanted
        for place, pk in enumerate(reversed(order), 1):
            if found[pk].place != place:
                found[pk].place = place
                found[pk].save(update_fields=["place"])
        return True


def describe(*, by: Membership, encounter: Encounter, name: str | None = None, scene: str | None = None) -> None:
    """Set a fight's name or its scene (Markdown); None keeps the current one.

    Everybody sees the change at once.
    """
    check_still_storyteller(by)
    said = {"name": name, "scene": scene}
    changed = {field: text for field, text in said.items() if text is not None}
    perform.refresh(encounter_id=encounter.pk, change_row=changed)


def delete_encounter(*, by: Membership, encounter: Encounter) -> None:
    """Put a draft or an ended fight in the bin. Raises `RuleViolation` for one that goes on."""
    check_still_storyteller(by)
    with change(encounter.pk) as locked:
        if locked.status in (Status.RUNNING, Status.PAUSED):
            raise bad_input(phrase("end-the-fight-before-you-delete-it"))
        put_in(locked)


def add_character(*, character: Character, **how: Any) -> Performed:
    """Add one character: see :func:`add_characters`."""
    return add_characters(characters=[character], **how)


def add_characters(
    *,
    encounter_id: str,
    actor: User,
    characters: Sequence[Character],
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    side: str = "",
    weapons: tuple[Weapon, ...] = (),
    key: str = "",
    sent: str = "",
) -> Performed:
    """Add characters as themselves, in one step. The fight writes what happens to them back to their sheets.

    By default (`health_shown` ""), players' characters show everybody their health boxes, and others a word.
    Raises as :func:`combat.commands.perform.perform`.
    """
    with change(encounter_id) as encounter:
        state = _check_room(encounter, characters, len(characters))
        present = {each.character for each in state.combatants.values()}
        for character in characters:
            if character.pk in present:
                raise bad_input(phrase("is-already-in-this-fight", character=character.name))
        wanted = [character.pk for character in characters]
        # Locked, so that a concurrent edit of a sheet is saved either before they join or after.
        list(Character.objects.filter(pk__in=wanted).order_by("pk").select_for_update().values_list("pk"))
        sheets = sheets_of(wanted)
        newcomers = tuple(
            Newcomer(
                id=public_id(),
                sheet=sheets[character.pk],
                character=character.pk,
                player=not character.is_npc,
                hidden=hidden,
                mask=mask,
                health_shown=health_shown,
                side=side,
                weapons=weapons,
            )
            for character in characters
        )
        return perform.perform(encounter_id=encounter_id, actor=actor, command=Join(newcomers), key=key, sent=sent)


def add_copies(*, encounter_id: str, actor: User, character: Character, count: int, **how: Any) -> Performed:
    """Add several numbered copies of an NPC, as :func:`add_like`, each with its own health."""
    with change(encounter_id) as encounter:
        _check_chronicle(encounter, [character])
        sheet = replace(
            sheets_of([character.pk])[character.pk], marks=(), injuries=(), scars=(), impairments=(), lasting=()
        )
        return add_like(
            encounter_id=encounter_id, actor=actor, sheet=sheet, group=character.pk, count=count, numbered=True, **how
        )


def add_like(
    *,
    encounter_id: str,
    actor: User,
    sheet: Sheet,
    group: str,
    count: int,
    numbered: bool = False,
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    side: str = "",
    weapons: tuple[Weapon, ...] = (),
    key: str = "",
    sent: str = "",
    together: bool = False,
) -> Performed:
    """Add several combatants with the same sheet, numbered by its name. Nothing is written back to any sheet.

    A single one gets no number, unless `numbered` or its name is taken. Those of one `group` were made from the same
    character or template; with `together` they act and roll as one. Raises as :func:`combat.commands.perform.perform`.
    """
    if not 1 <= count <= MOST_COPIES:
        raise bad_input(phrase("add-1-to-at-time", most_copies=MOST_COPIES))
    with change(encounter_id) as encounter:
        state = _check_room(encounter, [], count)
        taken = naming.numbers_in((each.sheet.name for each in state.combatants.values()), sheet.name)
        if count > 1 or numbered or taken:
            names = _numbered(sheet.name, count, state, hidden=hidden, mask=mask)
        else:
            names = iter([(sheet.name, mask)])
        ids = [public_id() for _copy in range(count)]
        newcomers = tuple(
            Newcomer(
                id=own,
                sheet=replace(sheet, name=name),
                group=group,
                band=ids[0] if together and count > 1 else "",
                hidden=hidden,
                mask=shown,
                health_shown=health_shown,
                side=side,
                weapons=weapons,
            )
            for own, (name, shown) in zip(ids, names, strict=True)
        )
        return perform.perform(encounter_id=encounter_id, actor=actor, command=Join(newcomers), key=key, sent=sent)


def _numbered(name: str, count: int, state: State, *, hidden: bool, mask: str) -> Iterator[tuple[str, str]]:
    """Each copy's name and, if players number them differently, the mask they see.

    A hidden copy without a mask is numbered when players first see it.
    """
    people = state.combatants.values()
    first = naming.next_number((each.sheet.name for each in people), name)
    seen = naming.next_number((shown_name(each) for each in people if not each.hidden), mask or name)
    for index in range(count):
        own, shown = f"{name} {first + index}", f"{mask or name} {seen + index}"
        yield own, "" if shown == own or (hidden and not mask) else shown


def _check_room(encounter: Encounter, characters: Sequence[Character], count: int) -> State:
    """The fight's state. Raises `RuleViolation` unless these characters fit in, as `count` combatants in all."""
    _check_chronicle(encounter, characters)
    state = rows.state_now(encounter)
    if len(state.combatants) + count > MOST_COMBATANTS:
        raise bad_input(phrase("fight-can-have-at-most-combatants", most_combatants=MOST_COMBATANTS))
    return state


def _check_chronicle(encounter: Encounter, characters: Sequence[Character]) -> None:
    if any(encounter.chronicle_id != character.chronicle_id for character in characters):
        raise bad_input(phrase("that-character-belongs-to-another-chronicle"))
