"""What every form that commands carries, and panes on a full page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import template

from combat.perspectives import View

register = template.Library()


@register.inclusion_tag("combat/_command_fields.html", takes_context=True)
def command_fields(context: template.Context) -> dict[str, Any]:
    """The version that the page stands at, and a fresh key for this press: with scripts, both are renewed at the press.

    `{% command_fields %}` inside a `<form method="post" action="{% url 'combat:do' encounter_id 'act' %}">`.
    """
    return {"version": context.get("version", ""), "key": uuid4().hex, "csrf_token": context.get("csrf_token")}


@register.simple_tag(takes_context=True)
def pane(context: template.Context, name: str) -> str:
    """A pane of the page's `view` by its name: the same template that frames send. Nothing where the view has none."""
    view: View = context["view"]
    if name not in view.panes():
        return ""
    more = {"pane": view.panes()[name], "pane_version": context["pane_versions"][name], "oob": False}
    with context.push(**more):
        rendered: str = context.template.engine.get_template(f"combat/panes/_{name}.html").render(context)
    return rendered
