"""Quick add: adds combatants from a few words, such as “3 thugs”."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from campaigns.models import User
from characters.models import Character
from characters.plain import USUAL, plain_sheet
from characters.services import create_character
from combat.commands import drafts
from combat.commands.writing import Performed, change
from combat.desk import quick_add
from combat.desk.quick_add import Asked
from combat.history import records
from combat.log import rows
from combat.models import Encounter
from combat.secrecy.access import Seen
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.engine.violations import RuleViolation, bad_input


@posted(name="add")
class QuickAddForm(FieldsForm):
    """The words, and (`plain`) the name of the unknown character that the user agreed to create."""

    fragment = "combat/desk/_quick_add.html"
    storyteller_only = True
    words = forms.CharField(required=False, max_length=100)
    plain = forms.CharField(required=False, max_length=100)

    makes = ""
    """The unknown name that the form offers to create."""

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Add them to the fight. An unknown character is created only after confirmation."""
        said = self.cleaned_data
        asked = quick_add.read(said["words"])
        if asked is None:
            raise bad_input(_("Enter a number and a name, such as “3 thugs”."))
        if asked.count is not None and not 1 <= asked.count <= drafts.MOST_COPIES:
            raise bad_input(_("Add 1 to {most} at a time.").format(most=drafts.MOST_COPIES))
        # Looked up under the lock, so that a repeated press can't create the same character twice.
        with change(seen.encounter.pk) as encounter:
            character = _found(encounter, asked) or _made(seen, self, asked)
            return _bring(encounter, character, asked, actor=actor, key=said["key"], sent=self.sent)


def _found(encounter: Encounter, asked: Asked) -> Character | None:
    cast = dict(Character.objects.filter(chronicle_id=encounter.chronicle_id).values_list("pk", "name"))
    found = quick_add.find(asked.name, cast.items())
    if len(found) > 1:
        names = sorted({cast[who] for who in found})
        if len(names) == 1:
            raise bad_input(_("Several characters are called “{name}”. Add one from the list.").format(name=names[0]))
        several = _("“{name}” could be {names}. Type more of the name.")
        raise bad_input(several.format(name=asked.name, names=", ".join(names[:6])))
    return Character.objects.get(pk=found[0]) if found else None


def _made(seen: Seen, form: QuickAddForm, asked: Asked) -> Character:
    name = asked.name if asked.count is None else quick_add.singular(asked.name)
    name = name[:1].upper() + name[1:]
    if form.cleaned_data["plain"] != name:
        form.makes = name
        raise _unknown(name, asked)
    sheet = plain_sheet(name, records.ruleset_for(seen.encounter))
    return create_character(by=seen.membership, owner=None, sheet=sheet)


def _unknown(name: str, asked: Asked) -> RuleViolation:
    sentence = _(
        "No character is called “{name}” yet. Create “{one}”, a mortal with {dots} dots in every Attribute and every "
        "combat Trait, and add them to the cast?"
    )
    return bad_input(sentence.format(name=asked.name, one=name, dots=USUAL))


def _bring(encounter: Encounter, character: Character, asked: Asked, **press: Any) -> Performed:
    how: dict[str, Any] = {"encounter_id": encounter.pk, "character": character, "hidden": asked.hidden} | press
    if not character.is_npc:
        if (asked.count or 1) > 1:
            raise bad_input(_("There is only one {name}. Type the name without a number.").format(name=character.name))
        return drafts.add_character(**how)
    himself, copies = _there(encounter, character)
    if (asked.count or 1) > 1 or copies or (himself and asked.count):
        return drafts.add_copies(count=asked.count or 1, together=True, **how)
    return drafts.add_character(**how)


def _there(encounter: Encounter, character: Character) -> tuple[bool, bool]:
    """Whether the NPC himself is in the fight, and whether copies of him are."""
    people = rows.state_now(encounter).combatants.values()
    return any(each.character == character.pk for each in people), any(each.group == character.pk for each in people)
