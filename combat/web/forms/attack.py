"""The attack form: announces, changes or rolls an attack, with the system's dice or typed ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.commands.dice import roller_at
from combat.panes.figures import Handling
from combat.panes.possible import handling, own_actions
from combat.preview.attack import Planned, plan_of
from combat.web.forms.base import Choices, Table, weapon_choices
from combat.web.forms.commanding import posted
from combat.web.forms.specialties import UsesSpecialty
from combat.web.forms.targets import KnowsWhom
from combat.web.forms.typed import TypesDice
from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.messages import Command
from rules.engine.phrases import phrase
from rules.engine.violations import Refusal, RuleViolation, bad_input
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import BARE_HANDS, Mode, Weapon
from rules.model.modifiers import ModifierRule, Use
from rules.model.state import ASK as DEFAULT_ASKS
from rules.model.state import Exchange
from rules.model.words import WORDS
from rules.strike.attack import plan_attack
from rules.strike.throwing import THROWN, can_be_thrown, in_flight
from rules.topics.attacks.prepare import weapon_of
from rules.topics.commands import ChangeAttack, ProposeAttack
from rules.topics.exchanges.decide import with_a_choice

ASK = "ask"
"""Choice in the defence field: ask the target."""


@posted(ProposeAttack, name="attack")
class AttackForm(TypesDice, UsesSpecialty, KnowsWhom):
    """Attacker, target, weapon and circumstances of an attack."""

    fragment = "combat/forms/_attack.html"
    title = _("Attack")
    preview: ClassVar[bool] = False

    who = forms.ChoiceField(label=_("Attacker"))
    at = forms.ChoiceField(label=_("Target"))
    weapon = forms.ChoiceField(label=_("Weapon"), required=False)
    distance = forms.IntegerField(label=_("Distance"), required=False, min_value=0, max_value=20000)
    attackers = forms.IntegerField(label=_("Attackers close by"), required=False, min_value=1, max_value=100)
    strike = forms.MultipleChoiceField(required=False)
    defence = forms.ChoiceField(label=_("Defence"), required=False)
    defence_of = forms.CharField(required=False, max_length=20)
    together = forms.BooleanField(label=_("The whole group"), required=False)
    one_roll = forms.BooleanField(label=_("One roll for all"), required=False)
    own_dice = forms.BooleanField(label=_("I’ll roll my own dice"), required=False)
    exchange = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self.auto_id = "attack_%s"  # on the desk, another form can be open over it
        mine, everybody = self.table.mine(), self.table.everybody()
        if self.announced:
            mine = [pair for pair in mine if pair[0] == self.announced.attack.by]
        self.let_choose("who", mine)
        self._settle("who", self.likely_attacker(mine))
        self.let_choose("at", self.standing_first(pair for pair in everybody if pair[0] != self.value("who")))
        self._settle("at", self.likely_target())
        weapons = self._weapons()
        self.let_choose("weapon", weapons)
        self._settle("weapon", weapons[0][0])
        self.prepare_circumstances()
        self.offer_specialties(self.attacker.sheet if self.attacker else None, self._pool)
        self.prepare_targets([pair for pair in everybody if pair[0] not in (self.value("who"), self.value("at"))])
        defences = self._defences()
        self.let_choose("defence", defences)
        self._follow_target(defences[0][0])
        self._settle("defence", defences[0][0])
        # Any key is accepted: one that the plan no longer has strikes out nothing.
        self.let_choose("strike", [(key, key) for key in self.listed("strike")])
        if not self.is_storyteller:
            del self.fields["strike"], self.fields["defence"], self.fields["defence_of"]
        if not self.comrades:
            del self.fields["together"], self.fields["one_roll"]
        if "several_attackers" not in self.table.ruleset.modifiers:
            del self.fields["attackers"]
        # The desk keeps its lists, because its keys move between them.
        for name in () if self.is_storyteller else ("who", "at", "weapon"):
            if len(self.choosable(name)) == 1:
                self.fields[name].widget = forms.HiddenInput()

    def _settle(self, name: str, likely: str) -> None:
        """Set the field to `likely` if its value is missing or no longer a choice, such as another attacker's weapon.

        Never changes attacker or target of an attack that is being sent: if the target is gone, nobody else must be hit
        instead.
        """
        known = self.choosable(name)
        if self.is_bound:
            said = self.data.get(name)
            if said not in known and (self.preview or (not said and name in ("weapon", "defence"))):
                self.data = self.data.copy()
                self.data[name] = likely
        elif self.initial.get(name) not in known:
            self.initial[name] = likely

    def _follow_target(self, likely: str) -> None:
        """After a change of target, reset the defence chosen for the previous one."""
        if self.preview and self.value("defence_of") not in ("", self.value("at")):
            self.data = self.data.copy()
            self.data["defence"] = likely

    @cached_property
    def announced(self) -> Exchange | None:
        """The announced attack that this form changes or announces again, if any."""
        reference = self.value("exchange")
        return next((each for each in self.table.announced if each.id == reference), None)

    @property
    def alongside(self) -> tuple[str, ...]:
        """The comrades who attack as well."""
        return self.comrades if self.cleaned_data.get("together") else ()

    @property
    def how_many(self) -> int:
        """The number of attackers."""
        return 1 + len(self.alongside)

    def _weapons(self) -> Choices:
        held = self.attacker.sheet.at_hand if self.attacker else ()
        # What must be drawn comes last, so that it isn't the default.
        drawn, away = ([each for each in held if each.drawn is is_drawn] for is_drawn in (True, False))
        return [*weapon_choices(drawn), (BARE_HANDS, str(_("Bare hands"))), *weapon_choices(away)]

    @property
    def handling(self) -> tuple[Handling, ...]:
        """What brings the picked weapon into the attacker's hand now, if it isn't there."""
        if self.attacker is None or self.carried is None or self.carried.in_hand:
            return ()
        return handling(own_actions(self.table.game, self.attacker.id), self.carried, self.table.ruleset)

    @cached_property
    def carried(self) -> Weapon | None:
        """The picked weapon, if the attacker has it."""
        try:
            return weapon_of(self.attacker.sheet, self.value("weapon")) if self.attacker else None
        except RuleViolation:
            return None

    @cached_property
    def held(self) -> Weapon | None:
        """The picked weapon as it is used: perhaps thrown."""
        thrown = THROWN in self.listed("mods") and self.carried and can_be_thrown(self.carried)
        return in_flight(self.carried) if thrown and self.carried else self.carried

    @property
    def _pool(self) -> tuple[str, ...]:
        """The Traits that the weapon is used with."""
        return tuple(self.table.ruleset.attack.traits_of(self.held)) if self.held else ()

    @property
    def offered(self) -> list[ModifierRule]:
        """The circumstances that apply to the weapon."""
        mode = self.held.mode if self.held else Mode.UNARMED
        rules = self.table.ruleset.circumstances.played.values()
        fitting = (rule for rule in rules if mode in rule.modes and Use.ATTACK in rule.uses)
        return self.offer(rule for rule in fitting if rule.fits is None or (self.carried and rule.fits(self.carried)))

    @property
    def is_ranged(self) -> bool:
        """Whether distance matters."""
        return bool(self.held and not self.held.mode.close)

    @property
    def unit(self) -> str:
        """The unit of the distance."""
        return said(WORDS[self.table.ruleset.unit])

    def _defences(self) -> Choices:
        defences = self.table.ruleset.attack.defences
        chosen = [("", said(defences.plain)), *((key, said(rule.label)) for key, rule in defences.kinds.items())]
        if not defences.kinds:
            return chosen
        asked = (ASK, self._by_default() or str(_("Ask the target")))
        ask_first = self.announced or self.target is None or self.target.player or self._by_default()
        return [asked, *chosen] if ask_first else [*chosen, asked]

    def _by_default(self) -> str:
        """The target's default answer, in words; "" if its player or the Storyteller is asked."""
        target, kinds = self.target, self.table.ruleset.attack.defences.kinds
        if target is None or target.player or target.default_defence == DEFAULT_ASKS:
            return ""
        kind = kinds.get(target.default_defence)
        defence = kind.label if kind else self.table.ruleset.attack.defences.plain
        return _now("Default: {defence}").format(defence=said(defence))

    # -------------------------------------------------------------- command and preview

    @property
    def asks(self) -> bool:
        """Whether the target is asked before the roll: always when a player attacks."""
        return not self.is_storyteller or self.cleaned_data.get("defence") == ASK

    @property
    def knows_difficulty(self) -> bool:
        """Whether rolls have a difficulty in this ruleset."""
        return "difficulty" in self.table.ruleset.modifiers

    @property
    def knows_defences(self) -> bool:
        """Whether the ruleset has active defences."""
        return bool(self.table.ruleset.attack.defences.kinds)

    @property
    def answers_itself(self) -> bool:
        """Whether every target answers by default, or has only one possible answer, so that nobody is asked."""
        return self.is_storyteller and self.asks and not self.asked

    @cached_property
    def with_a_choice(self) -> tuple[str, ...]:
        """The targets with more than one possible answer, for the Storyteller. Empty if the attack is impossible."""
        try:
            return with_a_choice(self.table.game.waiving(self.waived()).asking(), self.attack())
        except RuleViolation:
            return ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of those who are asked for their defence, for the Storyteller."""
        people = (self.table.state.combatants[who] for who in self.with_a_choice)
        return tuple(each.sheet.name for each in people if each.player or each.default_defence == DEFAULT_ASKS)

    def attack(self) -> Attack:
        """The attack as filled in. Also works with the `cleaned_data` of an invalid form, for previews."""
        said = self.cleaned_data
        kind = said.get("defence") or ""
        at = said.get("at") or ""
        if not said.get("who") or not at:
            raise bad_input(phrase("choose-attacker-and-target"))
        return Attack(
            said["who"],
            self.targets(),
            said.get("weapon") or BARE_HANDS,
            self._modifiers(),
            said.get("distance") if self.is_ranged else None,
            {} if self.asks else {who: Defence(kind) for who in self.targets()},
            frozenset(said.get("strike") or ()),
            self.near(),
            self.alongside,
            one_roll=bool(said.get("one_roll")),
        )

    def planned(self) -> Planned | Refusal | None:
        """The preview, or the rule that forbids the attack; None while the form is invalid."""
        if self.errors:
            return None
        try:
            attack = self.attack()
        except RuleViolation as violation:
            return violation.refusal
        game = self.table.game.waiving(self.waived())
        return plan_of(game, attack, answered=self.answers_itself, everything=self.is_storyteller)

    def _modifiers(self) -> tuple[Modifier, ...]:
        count = self.cleaned_data.get("attackers")
        several = (Modifier("several_attackers", {"count": count}),) if count else ()
        special = self.specialty_used(self.attacker.sheet if self.attacker else None, self._pool)
        return (*several, *special, *self.circumstances())

    def command(self) -> Command:
        by_hand = self.types_dice or bool(self.cleaned_data.get("own_dice"))
        if self.changes:
            return ChangeAttack(self.cleaned_data["exchange"], self.attack(), by_hand)
        if not self.asks:
            return self.attack()
        return ProposeAttack(self.fresh_id(), self.attack(), by_hand)

    @property
    def changes(self) -> bool:
        """Whether the Storyteller is changing an announced attack."""
        return self.is_storyteller and bool(self.value("exchange"))

    def expected(self) -> tuple[Throw, ...]:
        if not self.types_dice or self.errors or self.asks or self.changes:
            return ()
        return throws_before(self.table, self.attack(), self.waived())

    def dice(self) -> Dice | None:
        if self.asks or self.changes or not self.types_dice:
            return None
        said = self.cleaned_data
        return self.typed_dice({said["who"], *self.alongside, *self.targets(), *self.near()})


class AttackPreview(AttackForm):
    """The attack form while it is being filled in: empty or unfit fields get the likeliest value."""

    preview = True


def throws_before(table: Table, attack: Attack, waive: Iterable[str]) -> tuple[Throw, ...]:
    """The throws of an attack whose size is known beforehand: the attack rolls and the defence rolls."""
    try:
        plan = plan_attack(table.game.waiving(waive), attack)
    except RuleViolation:
        return ()
    throws: list[Throw] = []
    # A single roll against all targets names none of them.
    together = len(plan.against) > 1 and table.ruleset.settings.get("sweep_one_roll", False)
    for number, against in enumerate(plan.against):
        pool = against.attack
        by = roller_at(plan.by, against.target) if number else plan.by
        at = "" if together else against.target
        if not (together and number):
            throws.append(Throw(Purpose.ATTACK, by, 1 if pool.chance else pool.pool, at, pool.again))
        if against.defence:
            throws.append(Throw(Purpose.DEFENCE, against.target, against.defence.pool, plan.by))
    return tuple(throw for throw in throws if throw.count)
