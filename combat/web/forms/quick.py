"""Adding to a fight in a few words, such as “3 thugs”."""

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
    """A few words, and the name of somebody unknown whom they may make (`plain`), once that was said."""

    fragment = "combat/desk/_quick_add.html"
    storyteller_only = True
    words = forms.CharField(required=False, max_length=100)
    plain = forms.CharField(required=False, max_length=100)

    makes = ""
    """The name that nobody has: sent once more, the words make somebody of it."""

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Bring them in; somebody unknown only when it was said before that they would be made."""
        said = self.cleaned_data
        asked = quick_add.read(said["words"])
        if asked is None:
            raise bad_input(_("Say whom: a number and a name, such as “3 thugs”."))
        if asked.count is not None and not 1 <= asked.count <= drafts.MOST_COPIES:
            raise bad_input(_("Between 1 and {most} at a time.").format(most=drafts.MOST_COPIES))
        # Looked up under the lock: a press that is sent again while the first is under way must make nobody twice.
        with change(seen.encounter.pk) as encounter:
            character = _found(encounter, asked) or _made(seen, self, asked)
            return _bring(encounter, character, asked, actor=actor, key=said["key"], sent=self.sent)


def _found(encounter: Encounter, asked: Asked) -> Character | None:
    cast = dict(Character.objects.filter(chronicle_id=encounter.chronicle_id).values_list("pk", "name"))
    found = quick_add.find(asked.name, cast.items())
    if len(found) > 1:
        names = sorted({cast[who] for who in found})
        if len(names) == 1:
            raise bad_input(_("Several in the cast are called “{name}”: add one from the list.").format(name=names[0]))
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
        "Nobody in the cast is called “{name}”. Once more makes “{one}”: a mortal with {dots} dots in every "
        "Attribute and in all that one fights with, who stays in the cast."
    )
    return bad_input(sentence.format(name=asked.name, one=name, dots=USUAL))


def _bring(encounter: Encounter, character: Character, asked: Asked, **press: Any) -> Performed:
    how: dict[str, Any] = {"encounter_id": encounter.pk, "character": character, "hidden": asked.hidden} | press
    if not character.is_npc:
        if (asked.count or 1) > 1:
            raise bad_input(_("There is one {name}.").format(name=character.name))
        return drafts.add_character(**how)
    himself, copies = _there(encounter, character)
    if (asked.count or 1) > 1 or copies or (himself and asked.count):
        return drafts.add_copies(count=asked.count or 1, together=True, **how)
    return drafts.add_character(**how)


def _there(encounter: Encounter, character: Character) -> tuple[bool, bool]:
    """Whether an NPC is in the fight as himself, and whether copies of him are."""
    people = rows.state_now(encounter).combatants.values()
    return any(each.character == character.pk for each in people), any(each.group == character.pk for each in people)
