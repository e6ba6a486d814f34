"""The form for a ruleset's own actions, other than attacks and defences: a list of those possible now, then the inputs.

The fields follow from what the action declares (:class:`rules.model.system.Needs`); no action has its own form class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said, worded
from combat.panes.figures import Manoeuvre
from combat.panes.grapple_prompts import ROLL as GRAPPLE
from combat.panes.grapple_prompts import plan_of_grapple
from combat.panes.possible import own_actions
from combat.panes.questions import GrapplePlan
from combat.web.forms.base import AboutSomebody, Choices, take_press, weapon_choices
from combat.web.forms.circumstances import PicksCircumstances, figures_said
from combat.web.forms.commanding import posted
from combat.web.forms.inputs import input_field
from combat.web.forms.specialties import UsesSpecialty
from combat.web.forms.typed import TypesDice, throw_of
from combat.web.forms.willpower import SpendsWillpower
from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.inputs import Wanted
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.modifiers import ModifierRule
from rules.model.state import Combatant
from rules.model.system import ActionRule, Aim, Needs
from rules.topics.actions import targets
from rules.topics.commands import TakeAction
from rules.topics.grapples.holds import grapple_of, owes
from rules.topics.powers.using import TRAIT

POWERS = "powers"
"""The value of `only` for a list of powers alone."""

FIGURE = "figure_"
"""Name prefix of an action's own fields."""


@posted(TakeAction, name="action")
class OwnActionForm(TypesDice, SpendsWillpower, UsesSpecialty, PicksCircumstances, AboutSomebody):
    """Takes one of the ruleset's own actions, picked from a list or, if it needs no input, by one button (`press`)."""

    fragment = "combat/forms/_action.html"
    title = _("Other actions")
    submit = _("Do it")
    press = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    action = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    only = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)

    def prepare(self) -> None:
        take_press(self, "action", "who", f"{FIGURE}{TRAIT}")
        super().prepare()
        self.prepare_circumstances()
        needs = self.rule.needs if self.rule else Needs()
        own = dict.fromkeys(("by", "by_why", "extra", "extra_why"), needs.rolls)
        kept = {"split": needs.pool, "mods": False, **own}
        for name, stays in kept.items():
            if not stays:
                self.fields.pop(name, None)
        self.offer_willpower(rolls=needs.rolls and not needs.storytellers)
        self.offer_specialties(self.spender.sheet if self.spender else None, self._traits_rolled(needs))
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

    # -------------------------------------------------------------- available actions

    @property
    def spender(self) -> Combatant | None:
        return self.picked if self.picked and self.table.may_act_for(self.picked.id) else None

    @property
    def rule(self) -> ActionRule | None:
        """The picked action, if any. Readers don't learn the name of a power that isn't in their list."""
        ruleset = self.table.ruleset
        found = ruleset.actions.get(self.value("action"))
        if found is None or not ruleset.plays(found.needs.setting):
            return None
        if found.needs.power and not (self.spender and found.needs.are_for(self.spender.sheet, ruleset.layout)):
            return None
        return None if found.needs.storytellers and not self.is_storyteller else found

    @property
    def heading(self) -> object:
        """The picked action's name, or the form's title."""
        if self.rule:
            return said(self.rule.label)
        return _("Powers") if self.value("only") == POWERS else self.title

    @property
    def paces(self) -> list[str]:
        """How far the picked combatant moves in a turn, for actions that ask for a distance: "Speed: 9 yards"."""
        if self.rule is None or self.picked is None or all(each.key != "distance" for each in self._figures()):
            return []
        ruleset, sheet = self.table.ruleset, self.picked.sheet
        moves = (each for each in ruleset.derived if each.unit)
        return [f"{said(each.label)}: {each.value(ruleset, sheet)} {worded(each.unit)}" for each in moves]

    @property
    def offered(self) -> list[ModifierRule]:
        """Only the Storyteller's own circumstances: an action's inputs are declared in its needs."""
        return []

    @cached_property
    def manoeuvres(self) -> tuple[Manoeuvre, ...]:
        """The ruleset's actions for this combatant, with the refusal of each that is impossible now."""
        if self.picked is None:
            return ()
        found = own_actions(self.table.game, self.picked.id, everything=self.is_storyteller)
        return tuple(each for each in found if each.power or self.value("only") != POWERS)

    @property
    def rolls(self) -> bool:
        """Whether the action rolls dice, which can be typed."""
        return bool(self.rule and self.rule.needs.rolls)

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """The fields that the action declares."""
        return [field for field in self if field.name in ("at", "weapon", "split") or field.name.startswith(FIGURE)]

    @property
    def plans(self) -> bool:
        """Whether the form shows a live preview."""
        return self.rule is not None and self.rule is self.table.ruleset.actions.get(GRAPPLE)

    @property
    def plan(self) -> GrapplePlan | None:
        """The preview of a grapple with what is filled in so far."""
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
            modifiers=(*self.willpower_spent, *self.specialty_picked),
        )

    # -------------------------------------------------------------- fields

    def _traits_rolled(self, needs: Needs) -> tuple[str, ...]:
        """The Traits of the actor's roll; a move that was won before is made without one."""
        grapple = grapple_of(self.table.state, self.picked.id) if self.picked else None
        owed = needs.only_in and self.picked and grapple and owes(self.table.state, grapple, self.picked.id)
        return () if owed else needs.rolled

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
        nobody = [("", _("no target"))] if aim is Aim.ANYBODY else []
        if aim is Aim.ONE and needs.rolls and choices:
            self.initial.setdefault("at", self._foe(at))
        return forms.ChoiceField(label=_("Against"), choices=[*nobody, *choices], required=aim is Aim.ONE)

    def _how_many(self, needs: Needs) -> Aim:
        """How many targets it takes: one to start a grapple; inside one the opponent is known."""
        begins = self.plans and self.picked is not None and grapple_of(self.table.state, self.picked.id) is None
        return Aim.ONE if begins else needs.aim

    def _foe(self, at: Sequence[str]) -> str:
        """The likeliest target: the first on the other side, else the first."""
        people = self.table.state.combatants
        other = (who for who in at if self.picked and people[who].side is not self.picked.side)
        return next(other, at[0])

    def _weapon(self, needs: Needs) -> forms.Field | None:
        if needs.weapon is None or self.picked is None:
            return None
        held = weapon_choices(weapon for weapon in self.picked.sheet.weapons if needs.weapon(weapon))
        if not needs.unarmed:
            return forms.ChoiceField(label=_("With"), choices=held)
        return forms.ChoiceField(label=_("With"), choices=[("", _("none")), *held], required=False) if held else None

    # -------------------------------------------------------------- command

    def command(self) -> TakeAction:
        if self.rule is None:
            raise bad_input(phrase("choose-an-action"))
        said = self.cleaned_data
        at = said.get("at") or ()
        return TakeAction(
            said["action"],
            said["who"],
            tuple(at) if isinstance(at, list) else (at,) if at else (),
            (*self.circumstances(), *self.willpower_spent, *self.specialty_picked),
            figures_said(self._figures(), said, FIGURE),
            said.get("weapon") or "",
        )

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        command = self.command()
        return self.typed_dice({command.by, *(self._resisting(command) if self.is_storyteller else ())})

    def _resisting(self, command: TakeAction) -> Iterable[str]:
        """Who rolls against the action: its targets, and the opponent in a grapple, who is not named again."""
        grapple = grapple_of(self.table.state, command.by)
        return (*command.at, *((grapple.opponent(command.by),) if grapple else ()))

    def expected(self) -> tuple[Throw, ...]:
        """The dice of both sides of a grapple's roll, for the Storyteller: players may not know how many there are."""
        rules = self.table.ruleset.grappling
        if not (rules and self.plans and self.types_dice and self.is_storyteller) or self.errors:
            return ()
        command = self.command()
        opponent = next(iter(self._resisting(command)), "")
        try:
            pools = rules.planned(self.table.game, command.by, opponent, command.weapon, command.modifiers)
        except RuleViolation:
            return ()
        sides = ((Purpose.ROLL, command.by), (Purpose.RESIST, opponent))
        throws = (throw_of(purpose, who, plan) for (purpose, who), plan in zip(sides, pools, strict=True) if plan)
        return tuple(throw for throw in throws if throw.count)
