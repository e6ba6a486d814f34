"""The form of a chronicle's own power: its settings, and a row for each of its effects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from campaigns.forms.base import KeepsTyping, NameField, let_choose, words_in
from campaigns.forms.differences import differences, in_words
from campaigns.forms.fields import number
from campaigns.own_powers import SOURCES
from campaigns.own_traits import base_kinds
from campaigns.words import said, said_later, worded
from rules.model.gear import Damage, Mode
from rules.model.own_powers import (
    ALL_HAVE,
    ARMOR_NUMBERS,
    LONGEST_NAME,
    LONGEST_RANGE,
    MOST_AMOUNT,
    MOST_COSTS,
    MOST_EFFECTS,
    MOST_HOURS,
    MOST_POINTS,
    MOST_RATING,
    MOST_TURNS,
    NUMBERS,
    SETTINGS,
    STRENGTHS,
    bringable,
    circumstances,
    has_difficulty,
    offered_effects,
)
from rules.model.power_effects import Does, Lasts, Notice, Per, Pool
from rules.model.powers import Reach, Source, Timing
from rules.model.sheet import Category
from rules.model.system import System
from rules.model.words import as_key
from rules.model.words import in_words as labelled

PREFIX = "effects"
COSTS = range(1, MOST_COSTS + 1)
ROLLED = {
    "traits": ("roll_1", "roll_2", "roll_3"),
    "resist": ("resist_1", "resist_2", "resist_3"),
    "difficulty_of": ("of_1", "of_2"),
}
"""The settings of the roll that are Traits, and the fields of these."""

REST = frozenset({"beyond", "frail", "spares_below"})
"""The settings of a power without a field of their own."""

NONE = ("", "—")
DOES = {
    Does.DICE: _("More or fewer dice"),
    Does.SUCCESSES: _("Automatic successes"),
    Does.DIFFICULTY: _("Another difficulty"),
    Does.TRAIT: _("More or fewer dots in a Trait"),
    Does.DAMAGE: _("Another type of damage"),
    Does.WEAPON: _("A natural weapon"),
    Does.ARMOR: _("Protection like armour"),
    Does.CONDITION: _("Brings about a condition"),
    Does.CURE: _("Ends a condition"),
    Does.HEAL: _("Heals damage"),
    Does.SOFTEN: _("Makes damage less severe"),
    Does.EASE: _("Makes wound penalties smaller"),
    Does.ACTIONS: _("More actions this turn"),
    Does.FIRST: _("Acts first this turn"),
    Does.SIGHT: _("Sees through what hinders"),
}
POOLS = {
    Pool.ATTACK: _("Attacks"),
    Pool.DAMAGE: _("Damage"),
    Pool.SOAK: _("Soak"),
    Pool.DEFENCE: _("Defences"),
    Pool.ROLL: _("Other rolls"),
    Pool.INITIATIVE: _("Initiative"),
    Pool.AGAINST: _("Attacks against them"),
}
PERS = {Per.ONCE: _("once"), Per.RATING: _("per dot"), Per.SUCCESSES: _("per success"), Per.POINTS: _("per point")}
TIMINGS = {
    Timing.ACTION: _("As an action"),
    Timing.REFLEXIVE: _("At any time, without an action"),
    Timing.FIRST: _("At the beginning of a turn, without an action"),
    Timing.ALWAYS: _("It is always on"),
}
LASTS = {
    Lasts.AT_ONCE: _("It is over at once"),
    Lasts.ATTACK: _("The next attack"),
    Lasts.ACTION: _("Until they attack or act"),
    Lasts.TURN: _("Turns"),
    Lasts.SCENE: _("The fight"),
    Lasts.HOURS: _("Hours"),
}
REACHES = {Reach.SELF: _("The user alone"), Reach.ONE: _("One target"), Reach.MANY: _("Several targets")}
NOTICES = {
    Notice.SEEN: _("Everybody who sees the user"),
    Notice.FELT: _("Those whom it affects"),
    Notice.UNSEEN: _("Nobody"),
}


def _choices(of: Mapping[Any, StrOrPromise]) -> list[tuple[str, StrOrPromise]]:
    return [(each.value, label) for each, label in of.items()]


def _cards(label: Any, choices: Sequence[tuple[str, Any]] = (), **more: Any) -> forms.MultipleChoiceField:
    """Checkboxes, any number of them."""
    widget = forms.CheckboxSelectMultiple(attrs={"class": "inline"})
    return forms.MultipleChoiceField(label=label, required=False, choices=choices, widget=widget, **more)


def _pick(label: Any, **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, **more)


def trait_choices(ruleset: System) -> list[tuple[str, list[tuple[str, str]]]]:
    """The Traits that can have dots, under the headings of the sheet."""
    groups = []
    for section in ruleset.layout.sections:
        traits = [trait for group in section.groups for trait in group.traits if trait.category is not Category.FACT]
        groups.append((said(section.label), [(trait.key, said(trait.label)) for trait in traits]))
    return [group for group in groups if group[1]]


class EffectRow(KeepsTyping, forms.Form):
    """One effect. Only the settings that it has are read; `rest` are those from a file that have no field."""

    does = forms.ChoiceField(label=_("Effect"), required=False)
    amount = number(_("Amount"), -MOST_AMOUNT, MOST_AMOUNT, required=False)
    per = _pick(_("Times"), choices=_choices(PERS))
    pools = _cards(_("Of which pools"), _choices(POOLS))
    traits = forms.MultipleChoiceField(
        label=_("Traits"), required=False, widget=forms.SelectMultiple(attrs={"size": 4})
    )
    modes = _cards(_("Only attacks"), [(each.value, said_later(labelled(each.value))) for each in Mode])
    damage = _cards(_("Damage"), [(each.value, said_later(labelled(each.value))) for each in Damage])
    tags = forms.CharField(
        label=_("Tags"),
        required=False,
        max_length=200,
        help_text=_("Separate them with commas, such as: silver, fire."),
    )
    most = number(_("To at most"), 0, 2 * MOST_RATING, required=False)
    name = NameField(label=_("Name of the weapon or armour"), required=False, max_length=LONGEST_NAME)
    mode = _pick(_("Used like"), choices=[(each.value, said_later(labelled(each.value))) for each in Mode])
    rating = number(_("Damage rating"), *NUMBERS["damage"], required=False)
    adds = _pick(_("Added to"))
    type = _pick(_("Damage type"), choices=[(each.value, said_later(labelled(each.value))) for each in Damage])
    range = forms.CharField(
        label=_("Range"), required=False, max_length=30, help_text=_("One distance, or three: 10, 20, 40.")
    )
    general = number(_("Protection"), *ARMOR_NUMBERS["rating"], required=False)
    ballistic = number(_("Against bullets"), *ARMOR_NUMBERS["rating"], required=False)
    condition = forms.CharField(label=_("Condition"), required=False, max_length=LONGEST_NAME)
    lifts = forms.MultipleChoiceField(
        label=_("What no longer hinders"), required=False, widget=forms.SelectMultiple(attrs={"size": 5})
    )
    on_target = forms.BooleanField(label=_("On the targets, not the user"), required=False)
    remove = forms.BooleanField(label=_("Remove this effect"), required=False)
    rest = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)

    use_required_attribute = False

    def __init__(self, *args: Any, ruleset: System, **kwargs: Any) -> None:
        self.ruleset = ruleset
        super().__init__(*args, **kwargs)
        let_choose(self, "does", [NONE, *((each.value, DOES[each]) for each in offered_effects(ruleset))])
        let_choose(self, "traits", trait_choices(ruleset))
        let_choose(self, "adds", [NONE, *trait_choices(ruleset)])
        let_choose(self, "lifts", [(key, said(label)) for key, label in circumstances(ruleset).items()])
        self.fields["condition"].widget.attrs["list"] = "known-conditions"

    def has_changed(self) -> bool:
        # Rows are read whether or not somebody changed them.
        return True

    @property
    def is_read(self) -> bool:
        """Whether the row is an effect. Only for a valid row."""
        return bool(self.cleaned_data.get("does")) and not self.cleaned_data.get("remove")

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        if data.get("remove"):
            self.errors.clear()  # errors in a removed row don't matter
        return data

    def clean_tags(self) -> list[str]:
        return words_in(self.cleaned_data["tags"])

    def clean_range(self) -> list[int]:
        typed = [each.strip() for each in self.cleaned_data["range"].split(",") if each.strip()]
        if any(not (each.isascii() and each.isdecimal() and len(each) <= len(str(LONGEST_RANGE))) for each in typed):
            raise forms.ValidationError(_now("Enter one distance, or three with commas between them."))
        return [int(each) for each in typed]

    def clean_condition(self) -> str:
        typed = " ".join(self.cleaned_data["condition"].split())
        return {label.casefold(): key for key, label in _conditions(self.ruleset)}.get(typed.casefold(), as_key(typed))

    def settings(self) -> dict[str, Any]:
        """The effect as `rules.model.own_powers.read_power` takes it."""
        data, does = self.cleaned_data, Does(self.cleaned_data["does"])
        weapon = {
            "name": data["name"],
            "mode": data["mode"] or Mode.UNARMED.value,
            "damage": data["rating"] or 0,
            "damage_from": data["adds"],
            "type": data["type"] or Damage.LETHAL.value,
            "range": data["range"],
        }
        armor = {"name": data["name"], "rating": data["general"] or 0, "ballistic": data["ballistic"]}
        measured = {"amount": 1 if data["amount"] is None else data["amount"], "per": data["per"]}
        told = {
            **({} if does in STRENGTHS else measured),
            **({"lifts": data["lifts"]} if does is Does.SIGHT else {}),
            **{name: data[name] for name in ("pools", "traits", "modes", "damage", "condition")},
            "most": data["most"] or 0,
            "tags": data["tags"],
            "weapon": _filled({**weapon, "tags": data["tags"]}),
            "armor": {name: value for name, value in armor.items() if value is not None},
        }
        read = {name: value for name, value in told.items() if name in SETTINGS[does] and value not in ("", [], {})}
        rest = _rest(data["rest"])
        known = ALL_HAVE | SETTINGS[does]
        kept = {name: value for name, value in rest.items() if name in known and name not in {*told, "on_target"}}
        for name in ("weapon", "armor"):
            if name in read and isinstance(inner := rest.get(name), dict):
                read[name] = {**inner, **read[name]}
        return {"does": does.value, **read, **kept, **({"on_target": True} if data["on_target"] else {})}

    def refuse(self, path: str, message: str) -> None:
        """Add an error from the rules to one setting's field."""
        inner = {
            "weapon.damage": "rating",
            "weapon.damage_from": "adds",
            "weapon.type": "type",
            "armor.rating": "general",
        }
        name = inner.get(path, path.rpartition(".")[2])
        self.add_error(name if name in self.fields else "does", said(message))


def _filled(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value not in ("", [])}


def _rest(text: str) -> dict[str, Any]:
    """The settings without a field, which a hidden field carries as JSON."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _conditions(ruleset: System) -> Iterator[tuple[str, str]]:
    """Key and label of the conditions that a power may bring about."""
    return ((key, worded(key)) for key in bringable(ruleset))


def _row_of(effect: Mapping[str, Any]) -> dict[str, Any]:
    """A row's initial values."""
    weapon, armor = effect.get("weapon", {}), effect.get("armor", {})
    measured = ("amount", "per") if effect.get("does") not in STRENGTHS else ()
    lifts = ("lifts",) if effect.get("does") == Does.SIGHT else ()
    shown = {
        **{name: effect.get(name) for name in ("does", *measured, *lifts, "pools", "traits", "modes", "damage")},
        "most": effect.get("most") or None,
        "tags": ", ".join(each.replace("_", " ") for each in effect.get("tags", weapon.get("tags", ()))),
        "name": weapon.get("name", armor.get("name", "")),
        "mode": weapon.get("mode"),
        "rating": weapon.get("damage", 0) if weapon else None,
        "adds": weapon.get("damage_from", ""),
        "type": weapon.get("type"),
        "range": ", ".join(map(str, weapon.get("range", ()))),
        "general": armor.get("rating"),
        "ballistic": armor.get("ballistic"),
        "condition": worded(effect["condition"]) if "condition" in effect else "",
        "on_target": effect.get("on_target", False),
    }
    known = {"name", "mode", "damage", "damage_from", "type", "range", "tags", "rating", "ballistic"}
    inner = {
        name: {key: value for key, value in found.items() if key not in known}
        for name, found in (("weapon", weapon), ("armor", armor))
    }
    rest = {name: value for name, value in effect.items() if name not in {*shown, "weapon", "armor"}}
    return {**shown, "rest": json.dumps({**rest, **{name: each for name, each in inner.items() if each}})}


class _Rows(forms.BaseFormSet[EffectRow]):
    """All submitted rows, however many there are."""

    default_error_messages = {
        "too_many_forms": _("A power can have at most %(num)d effects."),
        "missing_management_form": _(
            "Some rows didn’t reach the server. Check the list, add what’s missing and save again."
        ),
    }


EffectRows = forms.formset_factory(
    EffectRow,
    formset=_Rows,
    extra=0,
    min_num=1,
    max_num=MOST_EFFECTS,
    absolute_max=2 * MOST_EFFECTS,
    validate_max=True,
)


class PowerForm(KeepsTyping, forms.Form):
    """A power. Its effects are `rows`; `rest` are settings from a file that have no field."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    rest = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    label = NameField(label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autofocus": True}))
    source = forms.ChoiceField(label=_("What it is"), choices=_choices(SOURCES))
    trait = _pick(_("Trait"), help_text=_("Those with enough dots in it have the power."))
    rating = number(_("Dots needed"), 1, MOST_RATING, required=False)
    entry = forms.CharField(label=_("Name in a list of the sheet"), required=False, max_length=LONGEST_NAME)
    kinds = _cards(_("Kinds of creature"), help_text=_("If nothing is chosen, all characters have it."))
    timing = forms.ChoiceField(label=_("When it is used"), choices=_choices(TIMINGS))
    points = number(
        _("Up to how many times"),
        0,
        MOST_POINTS,
        required=False,
        help_text=_("The user chooses how often to pay the cost. Leave empty if it is always paid once."),
    )
    lasts = forms.ChoiceField(label=_("How long it lasts"), choices=_choices(LASTS))
    turns = number(_("Turns"), 1, MOST_TURNS, required=False)
    turns_per = _pick(_("Times"), choices=_choices(PERS))
    hours = number(_("Hours"), 1, MOST_HOURS, required=False)
    reach = forms.ChoiceField(label=_("Whom it affects"), choices=_choices(REACHES))
    notice = forms.ChoiceField(label=_("Who notices it"), choices=_choices(NOTICES))
    roll_1 = _pick(_("Roll"))
    roll_2 = _pick(_("and"))
    roll_3 = _pick(_("and"))
    difficulty = number(_("Difficulty"), 2, 10, required=False)
    of_1 = _pick(_("Or the target’s dots in"))
    of_2 = _pick(_("plus"))
    resist_1 = _pick(_("The target resists with"))
    resist_2 = _pick(_("and"))
    resist_3 = _pick(_("and"))
    resist_difficulty = number(_("Difficulty of resisting"), 2, 10, required=False)

    use_required_attribute = False

    def __init__(self, data: Any = None, *, ruleset: System, answers: Mapping[str, Any] | None, version: int) -> None:
        self.ruleset = ruleset
        given = answers or {"effects": [{"does": ""}]}
        super().__init__(data, initial={**_initial(given), "version": version})
        self._let_choose()
        rows = [_row_of(each) for each in given.get("effects", ())]
        self.saved_rows = rows
        kwargs: dict[str, Any] = {"prefix": PREFIX, "form_kwargs": {"ruleset": ruleset}}
        self.rows: Any = EffectRows(data, **kwargs) if data is not None else EffectRows(initial=rows, **kwargs)
        self._drop()

    def _let_choose(self) -> None:
        traits: list[tuple[str, Any]] = [NONE, *trait_choices(self.ruleset)]
        let_choose(self, "kinds", base_kinds(self.ruleset.key))
        for name in ("trait", *(name for names in ROLLED.values() for name in names)):
            let_choose(self, name, traits)
        points = [NONE, *((each.key, said(each.label)) for each in self.ruleset.layout.resources)]
        costs: dict[str, forms.Field] = {}
        for place in COSTS:
            costs[f"cost_{place}"] = _pick(_now("Cost") if place == 1 else _now("Cost %s") % place, choices=points)
            costs[f"paid_{place}"] = number(_now("How many"), 1, MOST_POINTS, required=False)
        self.fields = {**self.fields, **costs}
        for name, field in costs.items():
            field.initial = self.initial.get(name)

    def _drop(self) -> None:
        """Drop the fields that the ruleset has no use for."""
        useless: list[str] = []
        if not has_difficulty(self.ruleset):
            useless += ["difficulty", "of_1", "of_2", "resist_difficulty"]
        if not any(each.read for each in self.ruleset.layout.lists):
            useless.append("entry")
        for name in useless:
            del self.fields[name]

    @property
    def costs(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of the costs."""
        return [(self[f"cost_{place}"], self[f"paid_{place}"]) for place in COSTS]

    @property
    def conditions(self) -> list[str]:
        """The labels of the conditions that the form suggests."""
        offered = {each.key for each in self.ruleset.conditions.offered}
        return sorted({label for key, label in _conditions(self.ruleset) if key in offered})

    @property
    def wrong(self) -> bool:
        """Whether there is any error, in a row or elsewhere."""
        return self.is_bound and bool(self.errors or self.rows.total_error_count())

    def is_valid(self) -> bool:
        rows = self.rows.is_valid()
        return super().is_valid() and rows

    def first_problem(self) -> str:
        """What is wrong first, apart from a missing name; "" if nothing is. Only for a bound form."""
        self.is_valid()
        for form in (self, *self.rows):
            for name, messages in form.errors.items():
                if name != "label" or self.data.get("label"):
                    label = form.fields[name].label if name in form.fields else ""
                    return f"{label}: {messages[0]}" if label else str(messages[0])
        return "".join(map(str, self.rows.non_form_errors()[:1]))

    def show_as_typed(self) -> None:
        """Show the submitted values without errors, because the user is still editing."""
        self._errors = forms.utils.ErrorDict()
        self.rows._errors, self.rows._non_form_errors = [{} for _form in self.rows.forms], self.rows.error_class()
        for row in self.rows.forms:
            row._errors = forms.utils.ErrorDict()

    def answers(self, *, label: str = "") -> dict[str, Any]:
        """The settings as `services.save_power` takes them, with a name for one that has none yet.

        Only for a valid form; settings that others leave without a meaning are left out.
        """
        data = self.cleaned_data
        always = data["timing"] == Timing.ALWAYS
        told: dict[str, Any] = {
            "label": " ".join(data.get("label", "").split()) or label,
            **{name: data[name] for name in ("source", "trait", "kinds", "timing", "notice")},
            "entry": self._entry(),
            "rating": data["rating"],
            "lasts": Lasts.SCENE.value if always else data["lasts"],
        }
        if not always:
            told |= {"reach": data["reach"], "costs": self._costs(), "points": data["points"], "roll": self._roll()}
            told |= {"turns": data["turns"], "turns_per": data["turns_per"]} if data["lasts"] == Lasts.TURN else {}
            told |= {"hours": data["hours"] or 0} if data["lasts"] == Lasts.HOURS else {}
        told |= {name: value for name, value in _rest(data["rest"]).items() if name in REST}
        told["effects"] = [row.settings() for row in self.rows if row.is_read]
        return {name: value for name, value in told.items() if value not in (None, "", [], {})}

    def _entry(self) -> str:
        """The name in a list, by the key of the ruleset's Merit of that name."""
        typed = " ".join(self.cleaned_data.get("entry", "").split())
        known = {said(merit.label).casefold(): merit.key for merit in self.ruleset.merits}
        return known.get(typed.casefold(), typed)

    def _costs(self) -> list[dict[str, Any]]:
        data = self.cleaned_data
        return [
            {"resource": data[f"cost_{place}"], "amount": data[f"paid_{place}"] or 1}
            for place in COSTS
            if data[f"cost_{place}"]
        ]

    def _roll(self) -> dict[str, Any]:
        data = self.cleaned_data
        told: dict[str, Any] = {key: [data[name] for name in names if data.get(name)] for key, names in ROLLED.items()}
        if not told["traits"]:
            return {}
        told |= {key: data.get(key) for key in ("difficulty", "resist_difficulty")}
        return {key: value for key, value in told.items() if value not in (None, [])}

    def refuse(self, path: str, message: str) -> None:
        """Add an error from the rules to one setting's field; `path` is without the power's key."""
        head, _dot, rest = path.partition(".")
        if head == PREFIX and rest:
            place, _dot, inner = rest.partition(".")
            [row for row in self.rows if row.is_read][int(place)].refuse(inner, message)
            return
        name = ROLLED[rest][0] if rest in ROLLED else rest or head
        self.add_error(name if name in self.fields else None, said(message))

    def differences(self) -> list[str]:
        """The saved values that differ from the submitted ones, in words."""
        lines = differences(self)
        for place, row in enumerate(self.rows):
            row.initial = self.saved_rows[place] if place < len(self.saved_rows) else {}
            lines += [f"{_now('Effect')} {place + 1}, {each}" for each in differences(row)]
        for place, saved in enumerate(self.saved_rows[len(self.rows) :], start=len(self.rows) + 1):
            what = in_words(EffectRow(ruleset=self.ruleset).fields["does"], saved["does"])
            lines.append(_now("%(label)s: %(saved)s") % {"label": f"{_now('Effect')} {place}", "saved": what})
        return lines


def _initial(given: Mapping[str, Any]) -> dict[str, Any]:
    """The form's initial values."""
    roll, costs = given.get("roll", {}), given.get("costs", [])
    begun = {"source": Source.MERIT, "timing": Timing.ACTION, "lasts": Lasts.SCENE, "reach": Reach.SELF}
    shown: dict[str, Any] = {**begun, "notice": Notice.SEEN, **given}
    shown["entry"] = str(given.get("entry", "")).replace("_", " ")
    for place, cost in enumerate(costs, start=1):
        shown |= {f"cost_{place}": cost["resource"], f"paid_{place}": cost.get("amount", 1)}
    for key, names in ROLLED.items():
        shown |= dict(zip(names, roll.get(key, ()), strict=False))
    shown["rest"] = json.dumps({name: value for name, value in given.items() if name in REST})
    return {**shown, **{key: roll.get(key) for key in ("difficulty", "resist_difficulty")}}


class PowerFileForm(forms.Form):
    """A file of powers to import."""

    file = forms.FileField(
        label=_("File with powers"),
        widget=forms.FileInput(attrs={"accept": ".toml,application/toml,text/plain"}),
        error_messages={"required": _("Choose a file first."), "empty": _("This file is empty. Choose another.")},
    )
    clash = forms.ChoiceField(
        label=_("If a name is already taken"),
        choices=[("rename", _("Add a number to the new one")), ("replace", _("Replace this chronicle’s power"))],
        initial="rename",
        widget=forms.RadioSelect(attrs={"class": "cards"}),
    )
