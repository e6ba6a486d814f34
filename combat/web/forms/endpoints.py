"""Which form is behind which name: those that registered themselves, and those that commands declare."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from combat.web import forms
from combat.web.forms.asked import form_of
from combat.web.forms.commanding import CommandForm, posted_forms
from rules.engine.messages import command_type, command_types

for _module in iter_modules(forms.__path__, f"{forms.__name__}."):
    import_module(_module.name)


def endpoints() -> dict[str, type[CommandForm]]:
    """Everything that can be posted, by name. A form of its own stands before one that follows from a declaration."""
    return {**{each.name: form_of(each.cls) for each in command_types() if each.asked}, **posted_forms()}


def belongs_outside_fights(form: type[CommandForm]) -> bool:
    """Whether what a form does can be done where no fight is."""
    return command_type(form.becomes).outside_fights if form.becomes else form.also_outside


endpoints()  # what no form can be made of is found at the start
