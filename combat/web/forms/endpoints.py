"""All command forms by URL name: the registered ones, and those generated from declarations."""

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
    """All forms by URL name. A registered form takes precedence over a generated one."""
    return {**{each.name: form_of(each.cls) for each in command_types() if each.asked}, **posted_forms()}


def belongs_outside_fights(form: type[CommandForm]) -> bool:
    """Whether a form also works outside fights."""
    return command_type(form.becomes).outside_fights if form.becomes else form.also_outside


endpoints()  # fails at start-up if a declaration can't become a form
