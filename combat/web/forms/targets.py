"""Attacker and targets of an attack form: likely defaults, the attacker's group, further targets and bystanders."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import Choices
from combat.web.forms.circumstances import PicksCircumstances
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.modifiers import RANGED
from rules.model.state import Combatant, Side
from rules.strike.attack import can_attack

ALSO, NEAR = "also", "near"


class MeetsSeveral(PicksCircumstances):
    """An attack form with further targets and bystanders."""

    @property
    def held(self) -> Weapon | None:
        """The picked weapon."""
        raise NotImplementedError

    def prepare_targets(self, others: Choices) -> None:
        """Add the fields that weapon and rules need. `others` is everybody but attacker and target."""
        for name, label, there in (
            (ALSO, _("more targets"), self._bursts()),
            (NEAR, _("others close by"), self._endangers()),
        ):
            if there and others:
                self.fields[name] = forms.MultipleChoiceField(
                    label=label, required=False, choices=others, widget=forms.CheckboxSelectMultiple
                )

    def _bursts(self) -> bool:
        """Whether the weapon can attack several targets at once."""
        bursts = "several_targets" in self.table.ruleset.cites and any(rule.rounds for rule in self.offered)
        return bursts or any(rule.several for rule in self.offered)

    def _endangers(self) -> bool:
        """Whether the attack can hit bystanders."""
        known = "into_melee" in self.table.ruleset.modifiers
        return known and self.held is not None and self.held.mode in RANGED

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields for further targets and bystanders."""
        return [self[name] for name in (ALSO, NEAR) if name in self.fields]

    def targets(self) -> tuple[str, ...]:
        """All intended targets."""
        said = self.cleaned_data
        return tuple(dict.fromkeys((said["at"], *(said.get(ALSO) or ()))))

    def near(self) -> tuple[str, ...]:
        """The bystanders: those close by who are not targets."""
        return tuple(who for who in self.cleaned_data.get(NEAR) or () if who not in self.targets())


class KnowsWhom(MeetsSeveral):
    """An attack form that defaults to the likeliest attacker and target."""

    @property
    def attacker(self) -> Combatant | None:
        """The picked attacker, if the reader may act for them."""
        who = self.value("who")
        return self.table.find(who) if self.table.may_act_for(who) else None

    @cached_property
    def comrades(self) -> tuple[str, ...]:
        """The members of the attacker's group who can join the attack, with the same weapon."""
        at = self.value("at")
        others = tuple(who for who in self.table.comrades(self.value("who")) if who != at)
        # What forbids it to the attacker as well is left to the plan to say.
        if not others or not self._can_attack(self.value("who")):
            return others
        return tuple(who for who in others if self._can_attack(who))

    def _can_attack(self, who: str) -> bool:
        return can_attack(
            self.table.game.waiving(self.waived()), Attack(who, (self.value("at"),), self.value("weapon"))
        )

    @property
    def target(self) -> Combatant | None:
        """The picked target, if any."""
        return self.table.find(self.value("at"))

    def likely_attacker(self, mine: Choices) -> str:
        """The combatant now acting, preferably one who has yet to act and has no attack waiting; else the first."""
        state = self.table.state
        acting = [who for who in state.acting if self.table.may_act_for(who)]
        owing = self.table.ruleset.turns.owing(state)
        busy = {each.attack.by for each in self.table.announced}
        acting.sort(key=lambda who: (who in busy, who not in owing, not state.combatants[who].turn.actions))
        return acting[0] if acting else mine[0][0] if mine else ""

    def likely_target(self) -> str:
        """The likeliest target: the declared one, else on the other side, standing and in sight if possible."""
        attacker = self.attacker
        others = self.choosable("at")
        declared = attacker.turn.declaration if attacker else None
        if declared and declared.at in others:
            return declared.at
        foes = [who for who in others if attacker and self.table.state.combatants[who].side is not attacker.side]
        foes.sort(key=lambda who: self.table.state.combatants[who].side is Side.OTHERS)
        standing = [who for who in foes if not self.table.is_down(who)]
        in_sight = [who for who in standing if not self.table.state.combatants[who].hidden]
        return next(iter([*in_sight, *standing, *foes, *others]), "")

    def standing_first(self, people: Iterable[tuple[str, str]]) -> Choices:
        """Targets with those who are down last and marked; they can still be attacked."""
        standing, fallen = [], []
        for who, name in people:
            if self.table.is_down(who):
                fallen.append((who, _now("{name} (down)").format(name=name)))
            else:
                standing.append((who, name))
        return [*standing, *fallen]
