"""Forms for adding combatants, and for a fight's name and scene."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import TEXT_LENGTH, User
from characters.library import fight_sheet, library
from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import drafts, newcomers
from combat.commands.entered import running_with
from combat.commands.writing import Performed, change
from combat.history import records
from combat.log import rows
from combat.models import Encounter
from combat.secrecy.access import Seen
from combat.web.forms.base import FieldsForm, called
from combat.web.forms.commanding import posted
from combat.web.forms.groups import SIDES
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import Fallen, condition_of

SHOWN = [
    ("", _("default")),
    ("boxes", _("boxes")),
    ("word", _("a word")),
    ("nothing", _("nothing")),
]


class EncounterForm(KeepsTyping, forms.Form):
    """A fight's name and scene, with hidden initial values so that only real changes are saved."""

    name = name_field(_("Name"), help_text=_("Players see it once the fight begins."), show_hidden_initial=True)
    scene = forms.CharField(
        label=_("Scene"),
        required=False,
        max_length=TEXT_LENGTH,
        help_text=_("Describe the place as everyone sees it. You can use Markdown."),
        widget=forms.Textarea(attrs={"rows": 5}),
        show_hidden_initial=True,
    )


class CopyForm(KeepsTyping, forms.Form):
    """What a new draft takes over from an ended fight."""

    name = name_field(_("Name"), help_text=_("Players see it once the fight begins."))
    scene = forms.BooleanField(label=_("Copy the scene, the notes and waiting reinforcements too"), required=False)
    healed = forms.TypedChoiceField(
        label=_("Those without a sheet of their own"),
        choices=[
            ("yes", _("healed, with full weapons and whole armour")),
            ("no", _("as the fight left them, without the dead")),
        ],
        coerce=lambda value: value == "yes",
        help_text=_("Characters keep their sheet as it is now."),
        widget=forms.RadioSelect,
    )


@posted(name="join")
class JoinForm(FieldsForm):
    """Adds one character, several copies of an NPC, or (`players`) all players' characters not in the fight yet.

    Or (`template`) one or several from a template of the library, by its group, with a `name` of their own if wanted.
    """

    fragment = ""
    storyteller_only = True
    players = forms.BooleanField(required=False)
    character = forms.CharField(required=False, max_length=12)
    template = forms.CharField(required=False, max_length=80)
    name = called(_("Name"), most=60)
    together = forms.BooleanField(label=_("Act as a group"), required=False)
    count = forms.IntegerField(label=_("How many"), required=False, min_value=1, max_value=newcomers.MOST_COPIES)
    hidden = forms.BooleanField(label=_("hidden"), required=False)
    mask = called(_("Mask"), most=60)
    health_shown = forms.ChoiceField(label=_("Health"), choices=SHOWN, required=False)
    side = forms.ChoiceField(label=_("Side"), choices=list(SIDES.items()), required=False)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Add them to the fight."""
        said = self.cleaned_data
        people = Character.objects.filter(chronicle_id=seen.encounter.chronicle_id)
        how: dict[str, Any] = {"encounter_id": seen.encounter.pk, "actor": actor, "key": said["key"], "sent": self.sent}
        with change(seen.encounter.pk) as encounter:
            present = present_in(encounter)
            if said["players"]:
                return drafts.add_characters(characters=absent_players(encounter), **how)
            how |= {key: said[key] for key in ("hidden", "mask", "health_shown", "side")}
            if said["template"]:
                return _add_from_template(encounter, said, **how)
            character = people.filter(pk=said["character"]).first()
            if character is None:
                raise bad_input(phrase("nobody-by-that-name"))
            how |= {"character": character}
            if said["count"] and character.is_npc and (said["count"] > 1 or character.pk in present):
                return drafts.add_copies(count=said["count"], together=said["together"], **how)
            return drafts.add_character(**how)


def _add_from_template(encounter: Encounter, said: dict[str, Any], **how: Any) -> Performed:
    entry = next((one for one in library(encounter.chronicle) if one.group == said["template"]), None)
    if entry is None:
        raise bad_input(phrase("nobody-by-that-name"))
    sheet = fight_sheet(encounter.chronicle, entry.person)
    if said["name"]:
        sheet = replace(sheet, name=said["name"])
    return drafts.add_like(sheet=sheet, group=entry.group, count=said["count"] or 1, together=said["together"], **how)


def absent_players(encounter: Encounter) -> list[Character]:
    """The players' characters who aren't in a fight yet, without those out of action or in another running fight.

    If all others are in running fights, they are in the list, so that adding them says where. Raises `RuleViolation` if
    there are none.
    """
    theirs = Character.objects.filter(chronicle_id=encounter.chronicle_id, owner__isnull=False)
    absent = list(theirs.exclude(pk__in=present_in(encounter)))
    if not absent:
        raise bad_input(phrase("all-players-characters-are-already-here"))
    fallen = fallen_of(encounter, absent)
    absent = [each for each in absent if each.pk not in fallen]
    if not absent:
        raise bad_input(phrase("players-characters-not-here-are-dead-or-dying"))
    elsewhere = running_with([each.pk for each in absent], encounter.pk)
    busy = frozenset[str]().union(*(who for _fight, who in elsewhere))
    return [each for each in absent if each.pk not in busy] or absent


def fallen_of(encounter: Encounter, characters: Iterable[Character]) -> dict[str, str]:
    """Which of these characters their harm keeps from fighting: by id, the condition (dead, dying, in torpor)."""
    health = records.ruleset_for(encounter).health
    sheets = sheets_of(each.pk for each in characters)
    worst = {
        who: max(health.follows(sheet), key=lambda key: condition_of(key).fallen, default="")
        for who, sheet in sheets.items()
    }
    return {who: key for who, key in worst.items() if condition_of(key).fallen >= Fallen.GRAVELY}


def present_in(encounter: Encounter) -> set[str]:
    """The ids of characters in a fight as themselves, not as copies."""
    state = rows.state_now(encounter)
    return {each.character for each in state.combatants.values() if each.character}
