"""Who attacks whom: the likeliest, the attacker's group, and those whom an attack may meet besides its target."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import Choices
from combat.web.forms.circumstances import PicksCircumstances
from rules.model.gear import Weapon
from rules.model.modifiers import RANGED
from rules.model.state import Combatant

ALSO, NEAR = "also", "near"


class MeetsSeveral(PicksCircumstances):
    """A form of an attack with further targets, and with people who stand near."""

    @property
    def held(self) -> Weapon | None:
        """The weapon that is picked."""
        raise NotImplementedError

    def prepare_targets(self, others: Choices) -> None:
        """Add the fields that the weapon and the rules ask for; `others` are all but attacker and target."""
        for name, label, there in (
            (ALSO, _("more targets"), self._bursts()),
            (NEAR, _("others close by"), self._endangers()),
        ):
            if there and others:
                self.fields[name] = forms.MultipleChoiceField(
                    label=label, required=False, choices=others, widget=forms.CheckboxSelectMultiple
                )

    def _bursts(self) -> bool:
        """Whether the weapon may meet several targets at once."""
        bursts = "several_targets" in self.table.ruleset.cites and any(rule.rounds for rule in self.offered)
        return bursts or any(rule.several for rule in self.offered)

    def _endangers(self) -> bool:
        """Whether the attack may hit those who stand near its target."""
        known = "into_melee" in self.table.ruleset.modifiers
        return known and self.held is not None and self.held.mode in RANGED

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields of those whom the attack may meet besides its target."""
        return [self[name] for name in (ALSO, NEAR) if name in self.fields]

    def targets(self) -> tuple[str, ...]:
        """Everybody whom the attack is meant for."""
        said = self.cleaned_data
        return tuple(dict.fromkeys((said["at"], *(said.get(ALSO) or ()))))

    def near(self) -> tuple[str, ...]:
        """Those who stand close by without being targets."""
        return tuple(who for who in self.cleaned_data.get(NEAR) or () if who not in self.targets())


class KnowsWhom(MeetsSeveral):
    """A form of an attack that has an attacker and a target, and knows the likeliest."""

    @property
    def attacker(self) -> Combatant | None:
        """Who attacks, as far as it is known."""
        who = self.value("who")
        return self.table.find(who) if self.table.may_act_for(who) else None

    @property
    def comrades(self) -> tuple[str, ...]:
        """Those of the attacker's group who can make the same attack."""
        return tuple(who for who in self.table.comrades(self.value("who")) if who != self.value("at"))

    @property
    def target(self) -> Combatant | None:
        """Who is attacked, as far as it is known."""
        return self.table.find(self.value("at"))

    def likely_attacker(self, mine: Choices) -> str:
        """Whoever acts, those first who still can; else the first of the reader's own."""
        state = self.table.state
        acting = [who for who in state.acting if self.table.may_act_for(who)]
        acting.sort(key=lambda who: not state.combatants[who].turn.actions)  # whoever still can comes first
        return acting[0] if acting else mine[0][0] if mine else ""

    def likely_target(self) -> str:
        """Somebody on the other side, whoever still stands first."""
        attacker = self.attacker
        others = self.choosable("at")
        foes = [who for who in others if attacker and self.table.state.combatants[who].player is not attacker.player]
        standing = [who for who in foes if not self.table.is_down(who)]
        in_sight = [who for who in standing if not self.table.state.combatants[who].hidden]
        return next(iter([*in_sight, *standing, *foes, *others]), "")

    def standing_first(self, people: Iterable[tuple[str, str]]) -> Choices:
        """Whoever is down comes last, and is marked: they may be struck all the same."""
        standing, fallen = [], []
        for who, name in people:
            if self.table.is_down(who):
                fallen.append((who, _now("{name} (down)").format(name=name)))
            else:
                standing.append((who, name))
        return [*standing, *fallen]
