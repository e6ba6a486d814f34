"""Forms for adding combatants, and for a fight's name and scene."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import TEXT_LENGTH, User
from characters.models import Character
from combat.commands import drafts
from combat.commands.entered import running_with
from combat.commands.writing import Performed, change
from combat.log import rows
from combat.models import Encounter
from combat.secrecy.access import Seen
from combat.web.forms.base import FieldsForm, called
from combat.web.forms.commanding import posted
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input

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


@posted(name="join")
class JoinForm(FieldsForm):
    """Adds one character, several copies of an NPC, or (`players`) all players' characters not in the fight yet."""

    fragment = ""
    storyteller_only = True
    players = forms.BooleanField(required=False)
    character = forms.CharField(required=False, max_length=12)
    together = forms.BooleanField(label=_("Act as a group"), required=False)
    count = forms.IntegerField(label=_("How many"), required=False, min_value=1, max_value=drafts.MOST_COPIES)
    hidden = forms.BooleanField(label=_("hidden"), required=False)
    mask = called(_("Mask"), most=60)
    health_shown = forms.ChoiceField(label=_("Health"), choices=SHOWN, required=False)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Add them to the fight."""
        said = self.cleaned_data
        people = Character.objects.filter(chronicle_id=seen.encounter.chronicle_id)
        how: dict[str, Any] = {"encounter_id": seen.encounter.pk, "actor": actor, "key": said["key"], "sent": self.sent}
        with change(seen.encounter.pk) as encounter:
            present = present_in(encounter)
            if said["players"]:
                return drafts.add_characters(characters=absent_players(encounter), **how)
            character = people.filter(pk=said["character"]).first()
            if character is None:
                raise bad_input(phrase("nobody-by-that-name"))
            how |= {key: said[key] for key in ("hidden", "mask", "health_shown")} | {"character": character}
            if said["count"] and character.is_npc and (said["count"] > 1 or character.pk in present):
                return drafts.add_copies(count=said["count"], together=said["together"], **how)
            return drafts.add_character(**how)


def absent_players(encounter: Encounter) -> list[Character]:
    """The players' characters who aren't in a fight yet, without those who are busy in another running one.

    If all are busy, they are in the list, so that adding them says where. Raises `RuleViolation` if there are none.
    """
    theirs = Character.objects.filter(chronicle_id=encounter.chronicle_id, owner__isnull=False)
    absent = list(theirs.exclude(pk__in=present_in(encounter)))
    if not absent:
        raise bad_input(phrase("all-players-characters-are-already-here"))
    elsewhere = running_with([each.pk for each in absent], encounter.pk)
    busy = frozenset[str]().union(*(who for _fight, who in elsewhere))
    return [each for each in absent if each.pk not in busy] or absent


def present_in(encounter: Encounter) -> set[str]:
    """The ids of characters in a fight as themselves, not as copies."""
    state = rows.state_now(encounter)
    return {each.character for each in state.combatants.values() if each.character}
