"""The forms of commands that are asked for by what they declare (:class:`rules.engine.inputs.Asked`)."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, ClassVar

from django import forms
from django.utils.functional import lazystr
from django.utils.text import capfirst
from django_stubs_ext import StrOrPromise, StrPromise

from campaigns.words import said, said_later
from combat.web.forms.base import AboutSomebody, FieldsForm, line
from combat.web.forms.commanding import CommandForm
from combat.web.forms.typed import TypesDice
from rules.engine.dice import Dice
from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command_type

LONGEST_REFERENCE = 40


class AskedForm(TypesDice, FieldsForm):
    """A command's form with the inputs that it declares."""

    asked: ClassVar[Asked]
    becomes: ClassVar[type[Command]]

    @property
    def rolls(self) -> bool:
        """Whether dice fall that can be typed."""
        return self.asked.rolls

    def prepare(self) -> None:
        super().prepare()
        for wanted in self.asked.inputs:
            if wanted.storytellers and not self.is_storyteller:
                del self.fields[wanted.key]
            elif wanted.kind is Want.SOMEBODY:
                nobody = [] if wanted.needed else [("", "—")]
                self.let_choose(wanted.key, [*nobody, *self.table.everybody()])

    def command(self) -> Command:
        said = self.cleaned_data
        given = {each.key: said[each.key] for each in self.asked.inputs if said.get(each.key) not in (None, "")}
        if self.asked.about:
            given[self.asked.about] = said["who"]
        return self.becomes(**given)

    def dice(self) -> Dice | None:
        if not (self.rolls and self.types_dice):
            return None
        hers = (each.key for each in self.asked.inputs if each.kind is Want.SOMEBODY and self.is_storyteller)
        people = {self.cleaned_data.get(name) for name in ("who", *hers)}
        return self.typed_dice({str(who) for who in people if who})


class AskedAboutSomebody(AskedForm, AboutSomebody):
    """The same about one combatant."""


_forms: dict[type[Command], type[CommandForm]] = {}


def form_of(command: type[Command]) -> type[CommandForm]:
    """The form of a command that is asked for by what it declares; made once."""
    return _forms.get(command) or _forms.setdefault(command, _made(command))


def _made(command: type[Command]) -> type[CommandForm]:
    declared = command_type(command)
    asked = declared.asked
    assert asked
    initial = {each.name: each.default for each in fields(command) if each.default is not MISSING}  # type: ignore[arg-type]
    words: dict[str, Any] = {
        "__doc__": command.__doc__,
        "asked": asked,
        "becomes": command,
        "storyteller_only": declared.acts_for is None,
        "title": sentence_case(asked.title),
        "submit": sentence_case(asked.submit),
        "help": said_later(asked.help),
        **({} if asked.page else {"fragment": ""}),
    }
    own = {wanted.key: _field(wanted, initial.get(wanted.key)) for wanted in asked.inputs}
    if taken := own.keys() & {*AskedAboutSomebody.base_fields, "dice"}:
        raise TypeError(f"An input of {command.__name__} cannot be called {min(taken)}: every form has that.")
    # Each a form of its own: a press is known again by what was sent with which form.
    base = AskedAboutSomebody if asked.about else AskedForm
    return type(f"{command.__name__}Form", (base,), {**words, **own})


def sentence_case(words: str) -> StrPromise:
    """A label of the rules as it begins a line, for whoever reads later."""
    return lazystr(_SentenceCase(words))


class _SentenceCase:
    def __init__(self, words: str) -> None:
        self._words = words

    def __str__(self) -> str:
        return capfirst(said(self._words))


def _field(wanted: Wanted, initial: Any) -> forms.Field:
    label, help_text = said_later(wanted.label), said_later(wanted.help)
    common: dict[str, Any] = {"label": label, "help_text": help_text, "initial": initial, "required": wanted.needed}
    match wanted.kind:
        case Want.NUMBER:
            words = dict.fromkeys(("invalid", "min_value", "max_value"), said_later(wanted.limits))
            return forms.IntegerField(min_value=wanted.least, max_value=wanted.most, error_messages=words, **common)
        case Want.SWITCH:
            return forms.BooleanField(**{**common, "required": False})
        case Want.REFERENCE:
            return forms.CharField(max_length=LONGEST_REFERENCE, widget=forms.HiddenInput, **common)
        case Want.WORDS:
            field = line(label, required=wanted.needed, help_text=help_text)
            field.initial = initial
            return field
        case _:
            return _choice(wanted, common)


def _choice(wanted: Wanted, common: dict[str, Any]) -> forms.Field:
    """One of what the input lists; whom there is to choose from is known once the form is filled in."""
    choices: list[tuple[str, StrOrPromise]] = [(key, said_later(each)) for key, each in wanted.choices]
    if not wanted.needed:
        return forms.ChoiceField(choices=[("", "—"), *choices], **common)
    cards: dict[str, Any] = (
        {"widget": forms.RadioSelect(attrs={"class": "cards"})} if wanted.kind is Want.CHOICE else {}
    )
    return forms.ChoiceField(choices=choices, **cards, **common)
