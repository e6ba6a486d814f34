"""What every form that commands carries, and panes on a full page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any
from uuid import uuid4

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from combat.cache import Kept, for_each
from combat.history.entries import Entry
from combat.history.filters import Choices
from combat.history.panes import Log
from combat.history.tell.sentences import listed, text_of
from combat.panes import View
from combat.panes.figures import Row
from combat.panes.views import Order
from combat.secrecy.audiences import STORYTELLER

register = template.Library()

MOST_PIECES = 6000
_pieces = Kept(MOST_PIECES)
"""Parts of panes as they were drawn, in each language: the choices over logs, and rows of orders."""

MOST_LOGS = 100
_logs = Kept(MOST_LOGS)
"""The newest entries of logs, as they were drawn."""


@register.inclusion_tag("combat/forms/_command_fields.html", takes_context=True)
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
    assert context.template is not None  # it is being drawn
    with context.push(**more):
        rendered: str = context.template.engine.get_template(f"combat/panes/_{name}.html").render(context)
    return rendered


@register.simple_tag(takes_context=True)
def log_within(context: template.Context, log: Log) -> str:
    """What stands in a log's pane, drawn once for all who read the same: often the whole table."""
    place = _place(context)

    def within() -> dict[str, Any]:
        drawn = ((_entry(entry, *place.values(), levers=True),) for entry in log.entries)
        return {"pane": log, "entries": format_html_join("", "{}", drawn), **place}

    return _drawn("combat/panes/_log_within.html", _logs, (log.digest, *place.values()), within)


@register.simple_tag
def log_choice(choices: Choices, action: str, *, outside: bool) -> str:
    """By what a log's pane can be looked through: most actions add nothing to it."""
    context = {"choices": choices, "action": action, "outside": outside}
    return _drawn("combat/history/_log_choice.html", _pieces, tuple(context.values()), lambda: context)


@register.simple_tag(takes_context=True)
def log_entry(context: template.Context, entry: Entry) -> str:
    """An entry of the log as it is read on a page of its own, where the Storyteller can do nothing with it."""
    return _entry(entry, *_place(context).values(), levers=False)


@for_each(MOST_PIECES)
def _entry(entry: Entry, encounter_id: str, storyteller: bool, outside: bool, *, levers: bool) -> str:  # noqa: FBT001
    """An entry of the log, drawn once for all who read the same of it: most of a log is as it was."""
    more = {"encounter_id": encounter_id, "storyteller": storyteller, "outside": outside}
    return render_to_string("combat/panes/_entry.html", {"entry": entry, "levers": levers, **more})


def _place(context: template.Context) -> dict[str, Any]:
    """What entries of a log hang on besides themselves."""
    view = context.get("view")
    return {
        "encounter_id": context["encounter_id"],
        "storyteller": context.get("audience") == STORYTELLER or bool(context.get("storyteller")),
        "outside": view.outside_fights if view else bool(context.get("outside")),
    }


@register.simple_tag(takes_context=True)
def order_rows(context: template.Context, order: Order) -> str:
    """Everybody in the order, each drawn once for all who see the same of them: most rows are as they were."""
    audience = STORYTELLER if context.get("audience") == STORYTELLER else "players"
    place = {"audience": audience, "encounter_id": context["encounter_id"]}

    def drawn(row: Row, rank: Sequence[Row] = (), *, ranked: bool) -> tuple[str]:
        beside = tuple(each.name for each in rank if each.id != row.id and not each.acted)
        more = {"row": row, "beside": _named(beside), "ranked": ranked, **place}
        return (_drawn("combat/panes/_row.html", _pieces, tuple(more.values()), lambda: more),)

    ranked = [drawn(row, rank, ranked=True) for rank in order.ranks for row in rank]
    return format_html_join("", "{}", [*ranked, *(drawn(row, ranked=False) for row in order.others)])


def _named(names: Sequence[str]) -> str:
    """Two names, or the first and how many more: what a row has room for."""
    shown = names if len(names) < 3 else (names[0], _("{count} more").format(count=len(names) - 1))
    return text_of(listed(shown))


def _drawn(name: str, kept: Kept, stands_for: Hashable, context: Callable[[], dict[str, Any]]) -> str:
    """A template with this context and nothing besides; from what is kept where it was drawn before.

    `stands_for` is the same only where all is that the template hangs on.
    """
    key = (name, get_language(), stands_for)
    drawn: str | None = kept.get(key)
    return drawn if drawn is not None else kept.put(key, render_to_string(name, context()))
