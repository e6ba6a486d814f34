"""Generated forms for commands that declare their inputs (:class:`rules.engine.inputs.Asked`)."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, ClassVar

from django.utils.functional import lazystr
from django.utils.text import capfirst
from django_stubs_ext import StrPromise

from campaigns.words import said, said_later
from combat.web.forms.base import AboutSomebody, FieldsForm
from combat.web.forms.commanding import CommandForm
from combat.web.forms.inputs import NOTHING, input_field
from combat.web.forms.typed import TypesDice
from rules.engine.dice import Dice
from rules.engine.inputs import Asked, Want
from rules.engine.messages import Command, command_type


class AskedForm(TypesDice, FieldsForm):
    """Base of the generated forms, with a field for each declared input."""

    asked: ClassVar[Asked]
    becomes: ClassVar[type[Command]]

    @property
    def rolls(self) -> bool:
        """Whether the command rolls dice, which can be typed."""
        return self.asked.rolls

    def prepare(self) -> None:
        super().prepare()
        for wanted in self.asked.inputs:
            if wanted.storytellers and not self.is_storyteller:
                del self.fields[wanted.key]
            elif wanted.kind is Want.SOMEBODY:
                nobody = [] if wanted.needed else [NOTHING]
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
    """The same for commands about one combatant."""


_forms: dict[type[Command], type[CommandForm]] = {}


def form_of(command: type[Command]) -> type[CommandForm]:
    """The generated form of a command, memoised."""
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
    own = {
        wanted.key: input_field(wanted, needed=wanted.needed, initial=initial.get(wanted.key), cards=True)
        for wanted in asked.inputs
    }
    if taken := own.keys() & {*AskedAboutSomebody.base_fields, "dice"}:
        raise TypeError(
            f"An input of {command.__name__} can't be called {min(taken)}: every form has a field of that name."
        )
    # One class per command: its name is part of the digest that recognises a repeated press.
    base = AskedAboutSomebody if asked.about else AskedForm
    return type(f"{command.__name__}Form", (base,), {**words, **own})


def sentence_case(words: str) -> StrPromise:
    """A rules label with a capital first letter, translated lazily."""
    return lazystr(_SentenceCase(words))


class _SentenceCase:
    def __init__(self, words: str) -> None:
        self._words = words

    def __str__(self) -> str:
        return capfirst(said(self._words))
