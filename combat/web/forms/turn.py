"""Forms for declarations and the turn order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.base import AboutSomebody, FieldsForm, PutsAll, line
from combat.web.forms.commanding import posted
from rules.engine.violations import bad_input
from rules.model.gear import Mode
from rules.model.groups import members
from rules.model.state import Encounter
from rules.model.system import System
from rules.topics.commands import Declare, RollInitiative, SetOrder

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
    """What can be declared in a ruleset, in groups: attacks, defences, other actions."""
    attacks = [(mode.value, label) for mode, label in ATTACKS.items() if mode in ruleset.attack.traits]
    defences = [(key, said(rule.label)) for key, rule in ruleset.attack.defences.kinds.items()]
    own = [(key, said(rule.label)) for key, rule in ruleset.actions.items() if not rule.needs.storytellers]
    groups = [(_("Attack"), attacks), (_("Defence"), defences), (_("Other actions"), [*own, ("other", _("other"))])]
    return [group for group in groups if group[1]]


@posted(Declare)
class DeclareForm(AboutSomebody):
    """Declares a combatant's actions for this turn; several actions split one pool."""

    title = _("Declare")
    submit = _("Declare")

    text = line(
        _("In your own words"), help_text=_("The table reads this, for example “I go for the Deacon”."), most=120
    )
    delay = forms.BooleanField(label=_("Delay until later in the turn"), required=False)
    celerity = forms.IntegerField(label=_("Celerity: extra actions"), required=False, min_value=0, max_value=10)
    willpower = forms.IntegerField(label=_("Willpower to spend"), required=False, min_value=0, max_value=10)
    out_of_order = forms.BooleanField(label=_("Declare before slower characters"), required=False)
    together = forms.BooleanField(label=_("For the whole group"), required=False, initial=True)

    def prepare(self) -> None:
        super().prepare()
        if self.picked is None or not self._alike(self.picked.id):
            del self.fields["together"]
        actions = actions_of(self.table.ruleset)
        for number in range(1, MOST_ACTIONS + 1):
            label = ORDINALS[number - 1]
            empty = _("undecided") if number == 1 else _("none")
            field = forms.ChoiceField(label=label, required=False, choices=[("", empty), *actions])
            self.fields[f"action_{number}"] = field
        turns, cites = self.table.ruleset.turns, self.table.ruleset.cites
        if not self.table.is_storyteller or turns.at_will:
            del self.fields["out_of_order"]
        if turns.at_will:
            self.title = self.submit = _("Split the pool")
            self.help = _("Choose everything you plan or may want to do. The smallest pool is split.")
        elif turns.declares:
            self.help = _(
                "Anyone who declares after you sees this at once. Everyone else sees it when the first character acts."
            )
        for name, topic in (("delay", "delay"), ("willpower", "willpower")):
            if topic not in cites:
                del self.fields[name]
        self._powers()
        self.order_fields(
            ["who", "together", "text", *(f"action_{number}" for number in range(1, MOST_ACTIONS + 1)), "powers"]
        )

    def _alike(self, who: str) -> tuple[str, ...]:
        """The members of the combatant's group whose declaration is the same, including none yet."""
        said = {each: self.table.state.combatants[each].turn.declaration for each in (who, *self.table.comrades(who))}
        return tuple(each for each in said if each != who and said[each] == said[who])

    def _powers(self) -> None:
        """Adjust the fields to the kind of creature: extra actions, powers by name, points to spend."""
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
            self.fields["powers"] = line(label, help_text=_("Names, separated by commas."), most=120)
        for resource in ruleset.layout.resources_for(sheet.kind):
            if resource.key in turns.intends:
                label = _now("%(points)s to spend") % {"points": said(resource.label)}
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


@posted(RollInitiative, name="initiative")
class InitiativeForm(FieldsForm):
    """Rolls initiative for everyone due; the ambushed act after everyone else, where the ruleset has that rule."""

    title = _("Roll initiative after an ambush")
    submit = _("Roll initiative")
    help = _("Those caught unawares act after everyone else.")
    storyteller_only = True
    ambushed = forms.MultipleChoiceField(label=_("Ambushed"), required=False, widget=forms.CheckboxSelectMultiple)

    def prepare(self) -> None:
        if "ambushed_last" not in self.table.ruleset.cites:
            del self.fields["ambushed"]
            return
        self.let_choose("ambushed", self.table.everybody())

    def command(self) -> RollInitiative:
        return RollInitiative(ambushed=tuple(self.cleaned_data.get("ambushed", ())))


@posted(SetOrder, name="order")
class OrderForm(PutsAll):
    """Sets the turn order as numbers; equal numbers act at the same time."""

    title = _("Change the turn order")
    submit = _("Apply")
    help = _("1 acts first. Equal numbers act at the same time.")
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
            raise forms.ValidationError(_now("There is no turn order yet. Roll initiative first."))
        return super().clean() or self.cleaned_data

    def command(self) -> SetOrder:
        places: dict[int, list[str]] = {}
        for name, place in self.cleaned_data.items():
            if name.startswith("place_"):
                places.setdefault(place, []).append(name.removeprefix("place_"))
        return SetOrder(tuple(tuple(places[place]) for place in sorted(places)))


@posted(SetOrder, name="move")
class MoveForm(AboutSomebody):
    """Moves a combatant and their group in the turn order: before another's rank (or last), or one step up or down."""

    fragment = ""
    storyteller_only = True
    before = forms.CharField(required=False, max_length=20)
    step = forms.ChoiceField(required=False, choices=[("up", "up"), ("down", "down")])

    def command(self) -> SetOrder:
        who, state = self.cleaned_data["who"], self.table.state
        place = next((number for number, rank in enumerate(state.order) if who in rank), None)
        if place is None:
            raise bad_input(_now("Roll this character’s initiative first."))
        alike = members(state, state.combatants[who].band) or (who,)
        moving = tuple(each for rank in state.order for each in rank if each in alike)
        return SetOrder(_moved(state.order, moving, self._to(state.order, place, moving)))

    def _to(self, order: Sequence[tuple[str, ...]], place: int, moving: Sequence[str]) -> int:
        """The index of the rank they are inserted before."""
        if self.cleaned_data["step"]:
            # Inside a tie one step leads out of it; at its edge, one step passes the next rank.
            up = self.cleaned_data["step"] == "up"
            past = order[place][0 if up else -1] in moving
            return max(0, place - past) if up else place + 1 + past
        before = self.cleaned_data["before"]
        return next((number for number, rank in enumerate(order) if before in rank), len(order))


def _moved(order: Sequence[tuple[str, ...]], moving: tuple[str, ...], to: int) -> tuple[tuple[str, ...], ...]:
    """The order with `moving` in a rank of their own before rank `to`; other ties are kept."""
    left = [tuple(each for each in rank if each not in moving) for rank in order]
    left.insert(min(to, len(left)), moving)
    return tuple(rank for rank in left if rank)
