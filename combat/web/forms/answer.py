"""Forms around an announced attack: answering it, rolling it, default defences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.attack import throws_before
from combat.web.forms.base import AboutSomebody, FieldsForm
from combat.web.forms.circumstances import PicksCircumstances
from combat.web.forms.commanding import posted
from combat.web.forms.specialties import UsesSpecialty
from combat.web.forms.typed import TypesDice
from rules.engine.dice import Dice, Purpose, Throw
from rules.model.choices import Defence
from rules.model.gear import Mode
from rules.model.modifiers import ModifierRule, Use
from rules.model.sheet import Sheet
from rules.model.state import ASK, NO_DEFENCE, Exchange
from rules.topics.commands import (
    AnswerAttack,
    ResolveAttack,
    SetDefaultDefence,
)
from rules.topics.exchanges.decide import exchange_of


@posted(AnswerAttack, name="answer")
class AnswerForm(TypesDice, UsesSpecialty, PicksCircumstances):
    """A target's answer: by one button (`answer`), or with parrying weapon, circumstances and share of a split pool.

    `answer` is the attack, its target (several, with commas between them, for the Storyteller), and the defence.
    """

    title = _("Defend")
    submit = _("Confirm")
    fragment = "combat/forms/_answer.html"
    answer = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    exchange = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    target = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("Defence"), required=False, widget=forms.RadioSelect(attrs={"class": "cards"}))
    parry_with = forms.ChoiceField(label=_("Parry with"), required=False)

    def prepare(self) -> None:
        asked = self.value("answer").split(" ")
        exchange, target = asked[:2] if len(asked) >= 2 else (self.value("exchange"), self.value("target"))
        defences = getattr(getattr(self.view, "asks", None), "defences", ())
        self.ask = next((each for each in defences if (each.exchange, each.target) == (exchange, target)), None)
        choices = [(each.kind, self._labelled(each)) for each in self.ask.choices if each.allowed] if self.ask else []
        self.let_choose("kind", choices)
        weapons = [(each.reference, each.name) for each in self.ask.weapons] if self.ask else []
        self.let_choose("parry_with", [("", _("any weapon in hand")), *weapons])
        if len(weapons) < 2:
            self.fields["parry_with"].widget = forms.HiddenInput()
        active = self.ask is not None and not self.ask.passive
        self.initial.setdefault("kind", "dodge" if active and "dodge" in dict(choices) else "")
        self.prepare_circumstances()
        self.offer_specialties(self._target, self._defended_with)

    @property
    def _target(self) -> Sheet | None:
        found = self.table.find(self.ask.target) if self.ask else None
        return found.sheet if found else None

    @property
    def _defended_with(self) -> tuple[str, ...]:
        """The Traits that the possible defences are rolled with; none where Defense applies by itself."""
        kinds = self.table.ruleset.attack.defences.kinds
        if self.ask is None or self.ask.passive:
            return ()
        open_to = [kinds[each.kind] for each in self.ask.choices if each.allowed and each.kind in kinds]
        return tuple(dict.fromkeys(key for rule in open_to for key in (*rule.traits, *rule.also)))

    @property
    def acting(self) -> str:
        return self.ask.target if self.ask else ""

    @property
    def offered(self) -> list[ModifierRule]:
        """The circumstances that apply to defending against this attack."""
        if self.ask is None:
            return []
        modes = {self.ask.mode} if self.ask.mode else frozenset(Mode)
        rules, kinds = self.table.ruleset.circumstances.played.values(), self.table.ruleset.attack.defences.kinds
        open_to = [kinds[choice.kind] for choice in self.ask.choices if choice.allowed and choice.kind in kinds]
        uses = {Use.DEFENCE} | {Use.ATTACK for kind in open_to if kind.attacks}
        return self.offer(rule for rule in rules if uses & rule.uses and modes <= rule.modes)

    def _labelled(self, choice: Any) -> str:
        minus = "−" if self.ask and self.ask.passive and choice.pool else ""
        return choice.label if choice.pool is None else f"{choice.label}: {minus}{choice.pool}"

    def command(self) -> AnswerAttack:
        said = self.cleaned_data
        if said["answer"]:
            exchange, targets, kind = (*str(said["answer"]).split(" "), "", "")[:3]
            target, *others = targets.split(",")
            return AnswerAttack(exchange, target, Defence(kind), tuple(others))
        # Without a defence nothing is rolled. Of a defence with other Traits, the rules refuse the specialty.
        special = self.specialty_picked if said["kind"] else ()
        weapon = said["parry_with"] if said["kind"] in ("parry", "clash") else ""
        defence = Defence(said["kind"], weapon, (*self.circumstances(), *special))
        return AnswerAttack(said["exchange"], said["target"], defence)

    def dice(self) -> Dice | None:
        # Not for players: seeing that soak dice are asked for, they could leave them out to have the attack rerolled.
        if not self.types_dice or not self.is_storyteller:
            return None
        said = self.cleaned_data
        exchange = exchange_of(self.table.state, said["exchange"] or str(said["answer"]).split(" ")[0])
        return self.typed_dice({exchange.attack.by, *exchange.attack.at})


@posted(ResolveAttack, name="resolve")
class ResolveForm(TypesDice, FieldsForm):
    """Rolls an announced attack."""

    title = _("Roll the attack")
    submit = _("Roll")
    fragment = "combat/forms/_resolve.html"
    exchange = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def expected(self) -> tuple[Throw, ...]:
        if not self.types_dice or not self.announced:
            return ()
        if self.is_storyteller:
            return throws_before(self.table, self.announced.attack, self.announced.waived)
        # As their page says: the size includes what the Storyteller changed, which their table doesn't know.
        waiting = getattr(getattr(self.view, "asks", None), "waiting", ())
        mine = (each for each in waiting if each.exchange == self.announced.id and each.pool)
        return tuple(Throw(Purpose.ATTACK, each.who, each.pool) for each in mine)

    @property
    def announced(self) -> Exchange | None:
        """The attack, or None if it was rolled or withdrawn in the meantime, or isn't the reader's."""
        reference = self.value("exchange")
        return next((each for each in self.table.announced if each.id == reference), None)

    def command(self) -> ResolveAttack:
        return ResolveAttack(self.cleaned_data["exchange"])

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        if self.is_storyteller:
            attack = exchange_of(self.table.state, self.cleaned_data["exchange"]).attack
            return self.typed_dice({attack.by, *attack.at})
        if self.announced is None:
            return None
        # Vesper rolls a player's damage: seeing how many dice are asked for, they could have the defence rerolled.
        typed, by = self.typed_dice({self.announced.attack.by}), self.announced.attack.by
        given = {throw: faces for throw, faces in typed.given.items() if throw[0] is Purpose.ATTACK}
        return replace(typed, given=given, rolled=typed.rolled | {(Purpose.DAMAGE, by)})


@posted(SetDefaultDefence, name="default-defence")
class DefaultDefenceForm(AboutSomebody):
    """A combatant's default answer to attacks."""

    title = _("Default defence")
    submit = _("Save")
    follows_who = True
    defence = forms.ChoiceField(label=_("Default defence"), widget=forms.RadioSelect(attrs={"class": "cards"}))
    group = forms.BooleanField(label=_("Apply to the whole group"), required=False)

    def prepare(self) -> None:
        super().prepare()
        defences, picked = self.table.ruleset.attack.defences, self.picked
        asks = _("Ask me each time") if self.is_storyteller and not (picked and picked.player) else _("No default")
        kinds = [(key, said(rule.label)) for key, rule in defences.kinds.items()]
        self.let_choose("defence", [(ASK, asks), (NO_DEFENCE, said(defences.plain)), *kinds])
        self.initial["defence"] = picked.default_defence if picked else ASK
        if not self._group():
            del self.fields["group"]

    def _group(self) -> list[str]:
        """The rest of the combatant's group, for the Storyteller only."""
        picked = self.picked
        if picked is None or not picked.group or not self.is_storyteller:
            return []
        people = self.table.state.combatants
        return [who for who, each in people.items() if each.group == picked.group and who != picked.id]

    def command(self) -> SetDefaultDefence:
        said = self.cleaned_data
        others = self._group() if said.get("group") else []
        return SetDefaultDefence((said["who"], *others), said["defence"])
