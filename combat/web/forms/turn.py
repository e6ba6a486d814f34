"""Turns: declarations, waiting, giving an action up, the order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.base import AboutSomebody, PutsAll, line
from combat.web.forms.commanding import posted
from rules.engine.violations import bad_input
from rules.model.gear import Mode
from rules.model.groups import members
from rules.model.state import Encounter
from rules.model.system import System
from rules.topics.commands import Declare, SetOrder

MOST_ACTIONS = 4
ORDINALS = (_("First action"), _("Second action"), _("Third action"), _("Fourth action"))
ATTACKS = {
    Mode.UNARMED: _("Brawl"),
    Mode.MELEE: _("Strike"),
    Mode.FIREARM: _("Shoot"),
    Mode.ARCHERY: _("Shoot a bow"),
    Mode.THROWN: _("Throw"),
}
POINTS = "points_"


def actions_of(ruleset: System) -> list[tuple[Any, Any]]:
    """What can be declared in a ruleset, in groups: its attacks, its defences, what else it knows."""
    attacks = [(mode.value, label) for mode, label in ATTACKS.items() if mode in ruleset.attack.traits]
    defences = [(key, said(rule.label)) for key, rule in ruleset.attack.defences.kinds.items()]
    own = [(key, said(rule.label)) for key, rule in ruleset.actions.items() if not rule.needs.storytellers]
    groups = [(_("Attack"), attacks), (_("Defence"), defences), (_("Something else"), [*own, ("other", _("other"))])]
    return [group for group in groups if group[1]]


@posted(Declare)
class DeclareForm(AboutSomebody):
    """What somebody will do this turn; several actions share one pool."""

    title = _("Declare")
    submit = _("Declare")

    text = line(_("In your words"), help_text=_("What the table reads: “I go for the Deacon”."), most=120)
    delay = forms.BooleanField(label=_("Wait for a later moment"), required=False)
    celerity = forms.IntegerField(label=_("Celerity: extra actions"), required=False, min_value=0, max_value=10)
    willpower = forms.IntegerField(label=_("Willpower spent"), required=False, min_value=0, max_value=10)
    out_of_order = forms.BooleanField(label=_("Let them declare before those who are slower"), required=False)
    together = forms.BooleanField(label=_("For the whole group"), required=False, initial=True)

    def prepare(self) -> None:
        super().prepare()
        if self.picked is None or not self._alike(self.picked.id):
            del self.fields["together"]
        actions = actions_of(self.table.ruleset)
        for number in range(1, MOST_ACTIONS + 1):
            label = ORDINALS[number - 1]
            empty = _("as it comes") if number == 1 else _("none")
            field = forms.ChoiceField(label=label, required=False, choices=[("", empty), *actions])
            self.fields[f"action_{number}"] = field
        turns, cites = self.table.ruleset.turns, self.table.ruleset.cites
        if not self.table.is_storyteller or turns.at_will:
            del self.fields["out_of_order"]
        if turns.at_will:
            self.title = self.submit = _("Split the pool")
            self.help = _("All that you plan or may want to do. The smallest of the pools is shared.")
        elif turns.declares:
            self.help = _("Those who declare after you read it at once, the others when the first one acts.")
        for name, topic in (("delay", "delay"), ("willpower", "willpower")):
            if topic not in cites:
                del self.fields[name]
        self._powers()
        self.order_fields(
            ["who", "together", "text", *(f"action_{number}" for number in range(1, MOST_ACTIONS + 1)), "powers"]
        )

    def _alike(self, who: str) -> tuple[str, ...]:
        """Those of somebody's group who have declared what they have, or nothing as they have."""
        said = {each: self.table.state.combatants[each].turn.declaration for each in (who, *self.table.comrades(who))}
        return tuple(each for each in said if each != who and said[each] == said[who])

    def _powers(self) -> None:
        """What goes by the kind of creature: extra actions, powers by name, points that are meant to be spent."""
        ruleset, turns = self.table.ruleset, self.table.ruleset.turns
        self.fields["celerity"].label = _now("%(power)s: extra actions") % {
            "power": said(ruleset.layout.trait(turns.fast).label)
        }
        if self.picked is None:
            return
        sheet = self.picked.sheet
        if not turns.most_fast(sheet):
            del self.fields["celerity"]
        powers = ruleset.kind(sheet.kind).powers
        if powers:
            label = _now("%(powers)s used") % {"powers": said(powers)}
            self.fields["powers"] = line(label, help_text=_("By name, with commas between."), most=120)
        for resource in ruleset.layout.resources_for(sheet.kind):
            if resource.key in turns.intends:
                label = _now("%(points)s meant to be spent") % {"points": said(resource.label)}
                most = ruleset.layout.points(sheet, resource.key)
                field = forms.IntegerField(label=label, required=False, min_value=0, max_value=most)
                self.fields[f"{POINTS}{resource.key}"] = field

    def command(self) -> Declare:
        said = self.cleaned_data
        actions = [said[f"action_{number}"] for number in range(1, MOST_ACTIONS + 1) if said[f"action_{number}"]]
        powers = [name.strip() for name in str(said.get("powers") or "").split(",")]
        points = {name: said[name] for name in self.fields if name.startswith(POINTS)}
        return Declare(
            said["who"],
            said["text"],
            (*actions, *[self.table.ruleset.turns.fast] * (said.get("celerity") or 0)),
            bool(said.get("delay")),
            tuple(name for name in powers if name),
            said.get("willpower") or 0,
            out_of_order=bool(said.get("out_of_order")),
            points={name.removeprefix(POINTS): amount for name, amount in points.items() if amount},
            others=self._alike(said["who"]) if said.get("together") else (),
        )


@posted(SetOrder, name="order")
class OrderForm(PutsAll):
    """Places in the order as numbers; the same number acts at once."""

    title = _("Change the order")
    submit = _("Put them so")
    help = _("1 acts first. Those with the same number act at once.")
    storyteller_only = True

    def puts(self, state: Encounter) -> object:
        return state.order

    def prepare(self) -> None:
        super().prepare()
        for place, rank in enumerate(self.table.state.order, start=1):
            for who in rank:
                name = self.table.state.combatants[who].sheet.name
                field = forms.IntegerField(label=name, min_value=1, max_value=200)
                self.fields[f"place_{who}"] = field
                self.initial.setdefault(f"place_{who}", place)

    def clean(self) -> dict[str, Any]:
        if not self.table.state.ordered:
            raise forms.ValidationError(_now("Roll initiative first: there is no order yet."))
        return super().clean() or self.cleaned_data

    def command(self) -> SetOrder:
        places: dict[int, list[str]] = {}
        for name, place in self.cleaned_data.items():
            if name.startswith("place_"):
                places.setdefault(place, []).append(name.removeprefix("place_"))
        return SetOrder(tuple(tuple(places[place]) for place in sorted(places)))


@posted(SetOrder, name="move")
class MoveForm(AboutSomebody):
    """A row of the order put elsewhere, with its group: before somebody's rank (or last), or a step up or down."""

    fragment = ""
    storyteller_only = True
    before = forms.CharField(required=False, max_length=20)
    step = forms.ChoiceField(required=False, choices=[("up", "up"), ("down", "down")])

    def command(self) -> SetOrder:
        who, state = self.cleaned_data["who"], self.table.state
        place = next((number for number, rank in enumerate(state.order) if who in rank), None)
        if place is None:
            raise bad_input(_now("Who has no initiative yet has no place to leave: roll initiative first."))
        alike = members(state, state.combatants[who].band) or (who,)
        moving = tuple(each for rank in state.order for each in rank if each in alike)
        return SetOrder(_moved(state.order, moving, self._to(state.order, place, moving)))

    def _to(self, order: Sequence[tuple[str, ...]], place: int, moving: Sequence[str]) -> int:
        """The rank that they come before."""
        if self.cleaned_data["step"]:
            # Out of the midst of those who act at once one step leads beside them; from their edge, past the next ones.
            up = self.cleaned_data["step"] == "up"
            past = order[place][0 if up else -1] in moving
            return max(0, place - past) if up else place + 1 + past
        before = self.cleaned_data["before"]
        return next((number for number, rank in enumerate(order) if before in rank), len(order))


def _moved(order: Sequence[tuple[str, ...]], moving: tuple[str, ...], to: int) -> tuple[tuple[str, ...], ...]:
    """The order with some in a rank of their own before the rank `to`; others who act at once stay together."""
    left = [tuple(each for each in rank if each not in moving) for rank in order]
    left.insert(min(to, len(left)), moving)
    return tuple(rank for rank in left if rank)
