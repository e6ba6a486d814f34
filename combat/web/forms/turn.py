"""Forms for declarations and the turn order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from characters.words import powers_of
from combat.panes.views import StorytellerBar, StorytellerView
from combat.web.forms.base import AboutSomebody, FieldsForm, PutsAll, line
from combat.web.forms.commanding import CommandForm, posted
from rules.engine.violations import Refusal, RuleViolation, bad_input
from rules.model.gear import Mode
from rules.model.groups import members
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import Needs, System
from rules.topics.commands import Act, Declare, EndTurn, RollInitiative, SetOrder
from rules.topics.turns.decide import shares

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


def actions_of(ruleset: System, sheet: Sheet | None = None) -> list[tuple[Any, Any]]:
    """What can be declared in a ruleset, in groups: attacks, defences, other actions.

    Powers are among them only for those who have them: the name of another's may be a secret.
    """
    attacks = [(mode.value, label) for mode, label in ATTACKS.items() if mode in ruleset.attack.traits]
    defences = [(key, said(rule.label)) for key, rule in ruleset.attack.defences.kinds.items()]
    played = [(key, rule) for key, rule in ruleset.actions.items() if ruleset.plays(rule.needs.setting)]
    theirs = [each for each in played if each[1].needs.power is None or _has(sheet, each[1].needs, ruleset)]
    own = [(key, said(rule.label)) for key, rule in theirs if not rule.needs.storytellers]
    groups = [(_("Attack"), attacks), (_("Defence"), defences), (_("Other actions"), [*own, ("other", _("other"))])]
    return [group for group in groups if group[1]]


def _has(sheet: Sheet | None, needs: Needs, ruleset: System) -> bool:
    return sheet is not None and needs.are_for(sheet, ruleset.layout)


class GoesOn(CommandForm):
    """Moves the turn on. If that leaves something out, `skip` must be the token with which the page asks about it."""

    storyteller_only = True
    skip = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def clean_skip(self) -> str:
        said: str = self.cleaned_data["skip"]
        if self.unconfirmed not in ("", said):
            raise forms.ValidationError([self._bar.reminder, _now("Press “Next” again to go on anyway.")])
        return said

    @property
    def unconfirmed(self) -> str:
        """The token of what the page asks about; "" if nothing is left out."""
        return self._bar.asks

    @property
    def _bar(self) -> StorytellerBar:
        assert isinstance(self.view, StorytellerView)
        return self.view.bar


@posted(Act)
class ActForm(GoesOn):
    """Goes on to the next combatants to act."""

    def command(self) -> Act:
        return Act()


@posted(EndTurn, name="next-turn")
class NextTurnForm(GoesOn):
    """Goes on to the next turn and the first thing to do in it."""

    def command(self) -> EndTurn:
        return EndTurn(onward=True)


@posted(Declare)
class DeclareForm(AboutSomebody):
    """Declares a combatant's actions for this turn; several actions split one pool."""

    title = _("Declare")
    submit = _("Declare")
    below = "combat/preview/_split.html"

    at = forms.ChoiceField(label=_("Target"), required=False)
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
        mine = self.picked if self.picked and self.table.may_act_for(self.picked.id) else None
        actions = actions_of(self.table.ruleset, mine.sheet if mine else None)
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
        people = [(who, name) for who, name in self.table.everybody() if self.picked is None or who != self.picked.id]
        self.let_choose("at", [("", _("nobody in particular")), *people])
        self._powers()
        self.order_fields(
            ["who", "together", "text", "at", *(f"action_{number}" for number in range(1, MOST_ACTIONS + 1)), "powers"]
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
        powers, known = ruleset.kind(sheet.kind).powers, powers_of(sheet, ruleset)
        if powers and known:
            self.fields["powers"] = forms.MultipleChoiceField(
                label=_now("%(powers)s used") % {"powers": said(powers)},
                required=False,
                choices=[(key, said(label)) for key, label in known.items()],
                widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
            )
        for resource in ruleset.layout.resources_for(sheet.kind):
            if resource.key in turns.intends:
                label = _now("%(points)s to spend") % {"points": said(resource.label)}
                most = ruleset.layout.points(sheet, resource.key)
                field = forms.IntegerField(label=label, required=False, min_value=0, max_value=most)
                self.fields[f"{POINTS}{resource.key}"] = field

    @cached_property
    def shared(self) -> tuple[tuple[str, int], ...] | Refusal:
        """The actions chosen so far with their dice, if they split a pool; or what forbids them."""
        chosen = [self.value(f"action_{number}") for number in range(1, MOST_ACTIONS + 1)]
        actions, who, more = tuple(filter(None, chosen)), self.value("who"), self.value("celerity")
        if not self.table.may_act_for(who):
            return ()
        count = int(more) if more.isdecimal() and len(more) < 4 else 0
        fast = (self.table.ruleset.turns.fast,) * min(count, MOST_ACTIONS)
        try:
            dice = shares(self.table.game.waiving(self.waived()), Declare(who, actions=(*actions, *fast)))
        except RuleViolation as violation:
            return violation.refusal
        groups = actions_of(self.table.ruleset, self.table.state.combatants[who].sheet)
        labels = {key: str(label) for _group, listed in groups for key, label in listed}
        return tuple((labels.get(action, action), share) for action, share in zip(actions, dice, strict=False))

    @property
    def shared_dice(self) -> int:
        """The dice of the pool that is split."""
        return 0 if isinstance(self.shared, Refusal) else sum(dice for _label, dice in self.shared)

    def command(self) -> Declare:
        said = self.cleaned_data
        actions = [said[f"action_{number}"] for number in range(1, MOST_ACTIONS + 1) if said[f"action_{number}"]]
        known = powers_of(self.table.state.combatants[said["who"]].sheet, self.table.ruleset)
        points = {name: said[name] for name in self.fields if name.startswith(POINTS)}
        return Declare(
            said["who"],
            said["text"],
            (*actions, *[self.table.ruleset.turns.fast] * (said.get("celerity") or 0)),
            bool(said.get("delay")),
            tuple(known[key] for key in said.get("powers") or ()),
            said.get("willpower") or 0,
            out_of_order=bool(said.get("out_of_order")),
            points={name.removeprefix(POINTS): amount for name, amount in points.items() if amount},
            others=self._alike(said["who"]) if said.get("together") else (),
            at=said["at"],
        )


@posted(RollInitiative, name="initiative")
class InitiativeForm(FieldsForm):
    """Rolls initiative for everyone due.

    Those caught unawares act after everyone else or are surprised, by the ruleset's rule, without a roll of their own.
    """

    title = _("Roll initiative after an ambush")
    submit = _("Roll initiative")
    storyteller_only = True
    ambushed = forms.MultipleChoiceField(label=_("Ambushed"), required=False, widget=forms.CheckboxSelectMultiple)
    surprised = forms.MultipleChoiceField(label=_("Surprised"), required=False, widget=forms.CheckboxSelectMultiple)

    def prepare(self) -> None:
        everybody, fighting = self.table.everybody(), self.table.state.initiative
        self.let_choose("ambushed", everybody)
        self.let_choose("surprised", [pair for pair in everybody if pair[0] not in fighting])
        cites = self.table.ruleset.cites
        if "ambushed_last" in cites:
            self.help = _("Those caught unawares act after everyone else.")
        elif "surprise" in cites:
            self.help = _("The surprised can’t act and have no Defense in the first turn.")
        for name, topic in (("ambushed", "ambushed_last"), ("surprised", "surprise")):
            if topic not in cites:
                del self.fields[name]

    def command(self) -> RollInitiative:
        said = self.cleaned_data
        caught = {key: tuple(said.get(key, ())) for key in ("ambushed", "surprised")}
        return RollInitiative(**caught)


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
