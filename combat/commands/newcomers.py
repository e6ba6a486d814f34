"""Newcomers: characters as themselves, and numbered copies of NPCs and templates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from campaigns.tokens import public_id
from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import naming
from combat.secrecy.sight import shown_name
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.model.state import Combatant
from rules.topics.commands import Newcomer

MOST_COPIES = 20

Present = Collection[Combatant | Newcomer]
"""Those who are in a fight already, or join it in the same step."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the Storyteller sets for newcomers. For the fields see :class:`rules.model.state.Combatant`."""

    hidden: bool = False
    mask: str = ""
    health_shown: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whom to add: a character of the cast by id, or a template's `sheet` with its `group`.

    Without a `count` a single one, of an NPC the character himself unless copies of him are there.
    """

    name: str
    count: int | None = None
    hidden: bool = False
    character: str = ""
    group: str = ""
    sheet: Sheet | None = None
    weapons: tuple[Weapon, ...] = ()


def joining(chronicle_id: str, present: Present, wanted: Iterable[Wanted], shown: Shown) -> tuple[Newcomer, ...]:
    """All who are wanted, in one step; copies made together act as a group.

    Raises `RuleViolation` for somebody who is in the fight already, or no longer in the cast.
    """
    asked, found = list(wanted), list[Newcomer]()
    ids = {each.character for each in asked if each.character}
    cast = {one.pk: one for one in locked(Character.objects.filter(chronicle_id=chronicle_id, pk__in=ids))}
    for each in asked:
        so_far, how = [*present, *found], replace(shown, hidden=shown.hidden or each.hidden)
        if each.sheet is not None:
            found += alike(so_far, each.sheet, each.group, each.count or 1, how, each.weapons, together=True)
        elif each.character not in cast:
            raise bad_input(phrase("is-no-longer-in-the-cast", name=each.name))
        else:
            found += _of_the_cast(so_far, cast[each.character], each, how)
    return tuple(found)


def _of_the_cast(present: Present, character: Character, wanted: Wanted, shown: Shown) -> tuple[Newcomer, ...]:
    himself = any(each.character == character.pk for each in present)
    copied = any(each.group == character.pk for each in present)
    many = (wanted.count or 1) > 1 or copied or (himself and wanted.count)
    if character.is_npc and many:
        return copies(present, character, wanted.count or 1, shown, wanted.weapons, together=True)
    return themselves(present, [character], shown, wanted.weapons)


def locked(characters: Iterable[Character]) -> list[Character]:
    """These characters, locked, so that a concurrent edit of a sheet is saved either before they join or after."""
    found = list(characters)
    list(Character.objects.filter(pk__in=found).order_by("pk").select_for_update().values_list("pk"))
    return found


def themselves(
    present: Present, characters: Sequence[Character], shown: Shown, weapons: tuple[Weapon, ...] = ()
) -> tuple[Newcomer, ...]:
    """Characters as themselves. The fight writes what happens to them back to their sheets."""
    here = {each.character for each in present}
    for character in characters:
        if character.pk in here:
            raise bad_input(phrase("is-already-in-this-fight", character=character.name))
    sheets = sheets_of(character.pk for character in locked(characters))
    return tuple(
        Newcomer(
            id=public_id(),
            sheet=sheets[character.pk],
            character=character.pk,
            player=not character.is_npc,
            hidden=shown.hidden,
            mask=shown.mask,
            health_shown=shown.health_shown,
            side=shown.side,
            weapons=weapons,
        )
        for character in characters
    )


def copies(
    present: Present,
    character: Character,
    count: int,
    shown: Shown,
    weapons: tuple[Weapon, ...] = (),
    *,
    together: bool = False,
) -> tuple[Newcomer, ...]:
    """Numbered copies of an NPC, as :func:`alike`, each with its own health."""
    sheet = replace(
        sheets_of([character.pk])[character.pk], marks=(), injuries=(), scars=(), impairments=(), lasting=()
    )
    return alike(present, sheet, character.pk, count, shown, weapons, numbered=True, together=together)


def alike(
    present: Present,
    sheet: Sheet,
    group: str,
    count: int,
    shown: Shown,
    weapons: tuple[Weapon, ...] = (),
    *,
    numbered: bool = False,
    together: bool = False,
) -> tuple[Newcomer, ...]:
    """Several with the same sheet, numbered by its name. Nothing is written back to any sheet.

    A single one gets no number, unless `numbered` or its name is taken. Those of one `group` were made from the same
    character or template; with `together` they act and roll as one.
    """
    if not 1 <= count <= MOST_COPIES:
        raise bad_input(phrase("add-1-to-at-time", most_copies=MOST_COPIES))
    taken = naming.numbers_in((each.sheet.name for each in present), sheet.name)
    if count > 1 or numbered or taken:
        names = _numbered(sheet.name, count, present, shown)
    else:
        names = iter([(sheet.name, shown.mask)])
    ids = [public_id() for _copy in range(count)]
    return tuple(
        Newcomer(
            id=own,
            sheet=replace(sheet, name=name),
            group=group,
            band=ids[0] if together and count > 1 else "",
            hidden=shown.hidden,
            mask=mask,
            health_shown=shown.health_shown,
            side=shown.side,
            weapons=weapons,
        )
        for own, (name, mask) in zip(ids, names, strict=True)
    )


def _numbered(name: str, count: int, present: Present, shown: Shown) -> Iterator[tuple[str, str]]:
    """Each copy's name and, if players number them differently, the mask they see.

    A hidden copy without a mask is numbered when players first see it.
    """
    first = naming.next_number((each.sheet.name for each in present), name)
    seen = naming.next_number((shown_name(each) for each in present if not each.hidden), shown.mask or name)
    for index in range(count):
        own, seen_as = f"{name} {first + index}", f"{shown.mask or name} {seen + index}"
        yield own, "" if seen_as == own or (shown.hidden and not shown.mask) else seen_as
