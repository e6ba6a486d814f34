"""What a ruleset knows besides attacks and defences: a list of what can be done now, and the form of each.

The fields are those that the action needs (:class:`rules.topics.actions.Needs`); no action has a form of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.panes.figures import Manoeuvre
from combat.panes.grapple_prompts import ROLL as GRAPPLE
from combat.panes.grapple_prompts import plan_of_grapple
from combat.panes.possible import own_actions
from combat.panes.questions import GrapplePlan
from combat.web.forms.base import AboutSomebody, Choices, weapon_choices
from combat.web.forms.circumstances import PicksCircumstances, figures_said
from combat.web.forms.commanding import posted
from combat.web.forms.inputs import input_field
from combat.web.forms.typed import TypesDice
from combat.web.forms.willpower import SpendsWillpower
from rules.engine.dice import Dice
from rules.engine.inputs import Wanted
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.modifiers import ModifierRule
from rules.model.state import Combatant
from rules.model.system import ActionRule, Aim, Needs
from rules.topics.actions import targets
from rules.topics.commands import TakeAction
from rules.topics.grapples.holds import grapple_of

FIGURE = "figure_"
"""What the names of an action's own fields begin with."""


@posted(TakeAction, name="action")
class OwnActionForm(TypesDice, SpendsWillpower, PicksCircumstances, AboutSomebody):
    """One of the ruleset's own actions: picked from a list, or in one press (`press`) where it needs nothing."""

    fragment = "combat/forms/_action.html"
    title = _("Something else")
    submit = _("Do it")
    press = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    action = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self._pressed()
        super().prepare()
        self.prepare_circumstances()
        needs = self.rule.needs if self.rule else Needs()
        own = dict.fromkeys(("by", "by_why", "extra", "extra_why"), needs.rolls)
        kept = {"split": needs.pool, "mods": False, **own}
        for name, stays in kept.items():
            if not stays:
                self.fields.pop(name, None)
        self.offer_willpower(rolls=needs.rolls and not needs.storytellers)
        if self.rule is None:
            return
        fields = {
            "at": self._aim(needs),
            "weapon": self._weapon(needs),
            **{
                FIGURE + wanted.key: input_field(wanted, needed=wanted.needed, people=self.table.everybody())
                for wanted in self._figures()
            },
        }
        self.fields.update({name: field for name, field in fields.items() if field is not None})

    def _pressed(self) -> None:
        """Read one press as the action and whose it is."""
        if self.is_bound and self.data.get("press"):
            key, _space, who = str(self.data["press"]).partition(" ")
            self.data = self.data.copy()
            self.data["action"], self.data["who"] = key, who

    # -------------------------------------------------------------- what there is

    @property
    def spender(self) -> Combatant | None:
        return self.picked if self.picked and self.table.may_act_for(self.picked.id) else None

    @property
    def rule(self) -> ActionRule | None:
        """The action that is picked."""
        found = self.table.ruleset.actions.get(self.value("action"))
        return None if found and found.needs.storytellers and not self.is_storyteller else found

    @property
    def heading(self) -> object:
        """The action's own name, once it is picked."""
        return said(self.rule.label) if self.rule else self.title

    @property
    def offered(self) -> list[ModifierRule]:
        """No circumstances but the Storyteller's own: an action's figures are in its needs."""
        return []

    @cached_property
    def manoeuvres(self) -> tuple[Manoeuvre, ...]:
        """What can be picked, and what cannot now."""
        if self.picked is None:
            return ()
        return own_actions(self.table.game, self.picked.id, everything=self.is_storyteller)

    @property
    def rolls(self) -> bool:
        """Whether dice fall that can be typed."""
        return bool(self.rule and self.rule.needs.rolls)

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """The fields of what the action needs."""
        return [field for field in self if field.name in ("at", "weapon", "split") or field.name.startswith(FIGURE)]

    @property
    def plans(self) -> bool:
        """Whether the form shows what it comes to as it is filled in."""
        return self.rule is not None and self.rule is self.table.ruleset.actions.get(GRAPPLE)

    @property
    def plan(self) -> GrapplePlan | None:
        """What a grapple would be rolled with, as far as the form is filled in."""
        if self.picked is None or not self.plans:
            return None
        grapple = grapple_of(self.table.state, self.picked.id)
        at = grapple.opponent(self.picked.id) if grapple else self.value("at")
        return plan_of_grapple(
            self.table.game,
            self.picked.id,
            at,
            everything=self.is_storyteller,
            weapon=self.value("weapon"),
            modifiers=self.willpower_spent,
        )

    # -------------------------------------------------------------- its fields

    def _figures(self) -> Iterable[Wanted]:
        assert self.rule is not None
        return (wanted for wanted in self.rule.needs.figures if self.is_storyteller or not wanted.storytellers)

    def _aim(self, needs: Needs) -> forms.Field | None:
        if needs.aim is Aim.NOBODY or needs.only_in or self.picked is None:
            return None
        at = targets(self.table.game, self.picked.id, needs)
        choices: Choices = [(who, self.table.state.combatants[who].sheet.name) for who in at]
        aim = self._how_many(needs)
        if aim is Aim.AREA:
            boxes, label = forms.CheckboxSelectMultiple, _("Against")
            return forms.MultipleChoiceField(label=label, choices=choices, widget=boxes, required=False) if at else None
        nobody = [("", _("nobody else"))] if aim is Aim.ANYBODY else []
        if aim is Aim.ONE and needs.rolls and choices:
            self.initial.setdefault("at", self._foe(at))
        return forms.ChoiceField(label=_("Against"), choices=[*nobody, *choices], required=aim is Aim.ONE)

    def _how_many(self, needs: Needs) -> Aim:
        """How many it is aimed at: somebody, where a grapple is still to begin; within one it is known whom."""
        begins = self.plans and self.picked is not None and grapple_of(self.table.state, self.picked.id) is None
        return Aim.ONE if begins else needs.aim

    def _foe(self, at: Sequence[str]) -> str:
        """Somebody of the other side, where there is one: the likeliest."""
        people = self.table.state.combatants
        other = (who for who in at if self.picked and people[who].player is not self.picked.player)
        return next(other, at[0])

    def _weapon(self, needs: Needs) -> forms.Field | None:
        if needs.weapon is None or self.picked is None:
            return None
        held = weapon_choices(weapon for weapon in self.picked.sheet.weapons if needs.weapon(weapon))
        if not needs.unarmed:
            return forms.ChoiceField(label=_("With"), choices=held)
        return forms.ChoiceField(label=_("With"), choices=[("", _("none")), *held], required=False) if held else None

    # -------------------------------------------------------------- what it comes to

    def command(self) -> TakeAction:
        if self.rule is None:
            raise bad_input(phrase("choose-an-action"))
        said = self.cleaned_data
        at = said.get("at") or ()
        return TakeAction(
            said["action"],
            said["who"],
            tuple(at) if isinstance(at, list) else (at,) if at else (),
            (*self.circumstances(), *self.willpower_spent),
            figures_said(self._figures(), said, FIGURE),
            said.get("weapon") or "",
        )

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        command = self.command()
        return self.typed_dice({command.by, *(command.at if self.is_storyteller else ())})
