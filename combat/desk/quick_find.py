"""Whom quick add's words mean: somebody of the cast or a template of the library, with weapons from the tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Membership
from characters.library import Entry, fight_sheet, library
from characters.models import Character
from characters.plain import plain_sheet
from characters.services import create_character
from characters.sheets import weapon_of, weapon_table
from combat.commands.newcomers import MOST_COPIES, Wanted
from combat.desk import quick_add
from combat.desk.quick_add import Asked
from combat.history import records
from combat.models import Encounter
from rules.engine.violations import RuleViolation, bad_input
from rules.model import gear
from rules.model.plain import USUAL

MOST_NAMED = 6
SEVERAL = gettext_lazy("“{name}” could be {names}. Type more of the name.")


@dataclass
class Making:
    """Creates unknown characters once the user `agreed` to their names; `offers` is the name to agree to next."""

    by: Membership
    agreed: Collection[str] = ()
    offers: str = ""


def meant(encounter: Encounter, words: str, making: Making) -> Wanted:
    """Whom these words mean. Raises `RuleViolation` with what to do if that isn't one character or template.

    Called with the encounter locked, so that a repeated press can't create the same character twice.
    """
    asked = quick_add.read(words)
    if asked is None:
        raise bad_input(_("Enter a number and a name, and weapons after a comma, such as “3 thugs, clubs”."))
    if asked.count is not None and not 1 <= asked.count <= MOST_COPIES:
        raise bad_input(_("Add 1 to {most} at a time.").format(most=MOST_COPIES))
    asked = _with_comma(encounter, asked)
    weapons = _weapons(encounter, asked.weapons)
    found = _found(encounter, asked) or _made(encounter, asked, making)
    if isinstance(found, Entry):
        sheet, name = fight_sheet(encounter.chronicle, found.person), found.person.name
        return Wanted(name, asked.count, asked.hidden, group=found.group, sheet=sheet, weapons=weapons)
    if not found.is_npc and (asked.count or 1) > 1:
        raise bad_input(_("There is only one {name}. Type the name without a number.").format(name=found.name))
    return Wanted(found.name, asked.count, asked.hidden, character=found.pk, weapons=weapons)


def _with_comma(encounter: Encounter, asked: Asked) -> Asked:
    """The request with the comma as a part of the name, if somebody in the cast is called so."""
    cast = Character.objects.filter(chronicle_id=encounter.chronicle_id).values_list("pk", "name")
    named = asked.weapons and quick_add.find(asked.whole, cast)
    return replace(asked, name=asked.whole, weapons="") if named else asked


def _weapons(encounter: Encounter, words: str) -> tuple[gear.Weapon, ...]:
    """The weapons that these words name, from the chronicle's tables. Raises `RuleViolation` for any other."""
    if not words:
        return ()
    rows = weapon_table(encounter.chronicle)
    given = []
    for said, found in quick_add.find_weapons(words, [(key, row.name) for key, row in rows.items()]):
        names = [rows[key].name for key in found or rows][:MOST_NAMED]
        if not found:
            sentence = _("There is no weapon called “{name}” in the tables. Try {names} or another one.")
            raise bad_input(sentence.format(name=said, names=", ".join(names)))
        if len(found) > 1:
            raise bad_input(SEVERAL.format(name=said, names=", ".join(names)))
        given.append(weapon_of(rows[found[0]]))
    return tuple({weapon.name: weapon for weapon in given}.values())


def _found(encounter: Encounter, asked: Asked) -> Character | Entry | None:
    """Who is meant: a whole name in the cast, the chronicle's own templates or the ruleset's; else a part of one."""
    cast = dict(Character.objects.filter(chronicle_id=encounter.chronicle_id).values_list("pk", "name"))
    entries = {entry.group: entry for entry in library(encounter.chronicle)}
    own, shipped = (
        [(group, name) for group, entry in entries.items() if bool(entry.own) is mine for name in entry.names]
        for mine in (True, False)
    )
    ways = (
        (quick_add.find_whole, (cast.items(), own, shipped)),
        (quick_add.find, (cast.items(),)),
        (quick_add.find_begun, ([*own, *shipped],)),
    )
    found = next((who for look, each in ways for names in each if (who := look(asked.name, names))), ())
    if len(found) > 1:
        names = sorted({cast[who] if who in cast else entries[who].person.name for who in found})
        if len(names) == 1:
            raise bad_input(_("Several characters are called “{name}”. Add one from the list.").format(name=names[0]))
        raise bad_input(SEVERAL.format(name=asked.name, names=", ".join(names[:MOST_NAMED])))
    if not found:
        return None
    return entries[found[0]] if found[0] in entries else Character.objects.get(pk=found[0])


def _made(encounter: Encounter, asked: Asked, making: Making) -> Character:
    name = asked.name if asked.count is None else quick_add.singular(asked.name)
    name = name[:1].upper() + name[1:]
    if name not in making.agreed:
        making.offers = name
        raise _unknown(encounter, name, asked)
    sheet = plain_sheet(name, records.ruleset_for(encounter))
    return create_character(by=making.by, owner=None, sheet=sheet)


def _unknown(encounter: Encounter, name: str, asked: Asked) -> RuleViolation:
    known = [entry.person.name for entry in library(encounter.chronicle)]
    known += Character.objects.filter(chronicle_id=encounter.chronicle_id).values_list("name", flat=True)
    if close := quick_add.close_to(asked.name, known):
        sentence = _(
            "Nobody is called “{name}” yet. Did you mean {meant}? If not, create “{one}”, a mortal with {dots} dots in "
            "every Attribute and every combat Trait, and add them to the cast."
        )
        return bad_input(sentence.format(name=asked.name, meant=", ".join(close), one=name, dots=USUAL))
    sentence = _(
        "No character is called “{name}” yet. Create “{one}”, a mortal with {dots} dots in every Attribute and every "
        "combat Trait, and add them to the cast?"
    )
    return bad_input(sentence.format(name=asked.name, one=name, dots=USUAL))
