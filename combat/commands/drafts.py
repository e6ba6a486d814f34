"""Preparing fights: creating, naming, ordering and discarding drafts, and adding combatants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Max

from campaigns.access import check_still_storyteller
from campaigns.bins import put_in
from campaigns.models import Membership, User
from characters.models import Character
from combat.commands import newcomers, perform
from combat.commands.newcomers import Present, Shown, Wanted
from combat.commands.writing import Performed, change, locked
from combat.log import rows
from combat.models import Encounter, Status
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.topics.commands import Join, Newcomer

MOST_COMBATANTS = 60

NO_SECRET = Shown()
"""Shown to players as usual."""


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
    shown = Shown(hidden, mask, health_shown, side)
    with change(encounter_id) as encounter:
        _check_chronicle(encounter, characters)
        return join(
            encounter,
            lambda present: newcomers.themselves(present, characters, shown, weapons),
            actor=actor,
            key=key,
            sent=sent,
        )


def add_copies(
    *,
    encounter_id: str,
    actor: User,
    character: Character,
    count: int,
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    side: str = "",
    weapons: tuple[Weapon, ...] = (),
    together: bool = False,
    key: str = "",
    sent: str = "",
) -> Performed:
    """Add several numbered copies of an NPC, each with its own health; with `together` they act and roll as one.

    Raises as :func:`combat.commands.perform.perform`.
    """
    shown = Shown(hidden, mask, health_shown, side)
    with change(encounter_id) as encounter:
        _check_chronicle(encounter, [character])
        return join(
            encounter,
            lambda present: newcomers.copies(present, character, count, shown, weapons, together=together),
            actor=actor,
            key=key,
            sent=sent,
        )


def add_like(
    *,
    encounter_id: str,
    actor: User,
    sheet: Sheet,
    group: str,
    count: int,
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    side: str = "",
    together: bool = False,
    key: str = "",
    sent: str = "",
) -> Performed:
    """Add several combatants with the same sheet, as :func:`combat.commands.newcomers.alike`.

    Raises as :func:`combat.commands.perform.perform`.
    """
    shown = Shown(hidden, mask, health_shown, side)
    with change(encounter_id) as encounter:
        return join(
            encounter,
            lambda present: newcomers.alike(present, sheet, group, count, shown, together=together),
            actor=actor,
            key=key,
            sent=sent,
        )


def add_wanted(
    *,
    encounter_id: str,
    actor: User,
    wanted: Iterable[Wanted],
    shown: Shown = NO_SECRET,
    key: str = "",
    sent: str = "",
) -> Performed:
    """Add all who are wanted, in one step. Raises as :func:`combat.commands.perform.perform`."""
    with change(encounter_id) as encounter:
        return join(
            encounter,
            lambda present: newcomers.joining(encounter.chronicle_id, present, wanted, shown),
            actor=actor,
            key=key,
            sent=sent,
        )


def join(
    encounter: Encounter, who: Callable[[Present], tuple[Newcomer, ...]], *, actor: User, key: str, sent: str
) -> Performed:
    """Let those join a locked encounter that `who` makes, beside those who are present."""
    state = rows.state_now(encounter)
    found = who(tuple(state.combatants.values()))
    check_room(len(state.combatants) + len(found))
    return perform.perform(encounter_id=encounter.pk, actor=actor, command=Join(found), key=key, sent=sent)


def check_room(combatants: int) -> None:
    """Raise `RuleViolation` if these are too many for a fight."""
    if combatants > MOST_COMBATANTS:
        raise bad_input(phrase("fight-can-have-at-most-combatants", most_combatants=MOST_COMBATANTS))


def _check_chronicle(encounter: Encounter, characters: Sequence[Character]) -> None:
    if any(encounter.chronicle_id != character.chronicle_id for character in characters):
        raise bad_input(phrase("that-character-belongs-to-another-chronicle"))
