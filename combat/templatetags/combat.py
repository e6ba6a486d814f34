"""Template tags for command forms, panes and the log."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaigns.current import reading
from campaigns.tokens import new_key
from combat.cache import Kept
from combat.history.entries import Entry
from combat.history.filters import Choices
from combat.history.panes import Log
from combat.history.tell.sentences import listed, text_of
from combat.panes import View
from combat.panes.figures import Row, Sheet, StorytellerRow
from combat.panes.pieces import PARTS, part_of, with_their_neighbours
from combat.panes.views import Me, Order, StorytellerBar
from combat.secrecy.audiences import STORYTELLER
from combat.templatetags.fight import body_state
from combat.web.forms.groups import SIDES

register = template.Library()

Drawn = tuple[Row, str]
"""A row of the turn order and its HTML."""

MOST_PIECES = 6000
_pieces = Kept(MOST_PIECES)
"""Cache of rendered parts of panes per language: log filters and turn order rows."""

MOST_LOGS = 100
_logs = Kept(MOST_LOGS)
"""Cache of the rendered newest entries of logs."""


@register.inclusion_tag("combat/forms/_command_fields.html", takes_context=True)
def command_fields(context: template.Context) -> dict[str, Any]:
    """Hidden fields with the page's version and a fresh idempotency key. Scripts renew both when a button is pressed.

    `{% command_fields %}` inside a `<form method="post" action="{% url 'combat:do' encounter_id 'act' %}">`.
    """
    return {"version": context.get("version", ""), "key": new_key(), "csrf_token": context.get("csrf_token")}


@register.simple_tag(takes_context=True)
def pane(context: template.Context, name: str) -> str:
    """Render a pane of the page's `view`, with the same template as in frames; "" if the view doesn't have it."""
    view: View = context["view"]
    if name not in view.panes():
        return ""
    more = {"pane": view.panes()[name], "pane_version": context["pane_versions"][name], "oob": False}
    assert context.template is not None  # set while rendering
    with context.push(**more):
        rendered: str = context.template.engine.get_template(f"combat/panes/_{name}.html").render(context)
    return rendered


@register.simple_tag(takes_context=True)
def log_within(context: template.Context, log: Log) -> str:
    """The contents of a log's pane, rendered once for all readers of the same entries, often the whole table."""
    place = _place(context)

    def within() -> dict[str, Any]:
        drawn = ((_entry(entry, *place.values(), levers=True),) for entry in log.entries)
        return {"pane": log, "entries": format_html_join("", "{}", drawn), "head": _log_head(log, place), **place}

    return _drawn("combat/panes/_log_within.html", _logs, (log.digest, *place.values()), within)


def _log_head(log: Log, place: Mapping[str, Any]) -> str:
    """A log's heading with its filter."""
    more = {"choices": log.choices, "some": bool(log.entries), **place}
    return _drawn("combat/panes/_log_head.html", _pieces, tuple(more.values()), lambda: more)


@register.simple_tag(takes_context=True)
def log_pieces(context: template.Context, log: Log, ids: Sequence[str]) -> str:
    """The pieces of a log's pane with these ids, the newest entries first."""
    place = _place(context)
    entries = (entry for entry in log.entries if f"entry-{entry.id}" in ids)
    head = [_log_head(log, place)] if "log-head" in ids else []
    return _joined([*head, *(_entry(entry, *place.values(), levers=True) for entry in entries)])


@register.simple_tag
def rule_mark(rule: str) -> str:
    """The mark of a cited rule. Cached, because entries cite the same few."""
    return _drawn("components/_rule.html", _pieces, rule, lambda: {"rule": rule})


@register.simple_tag
def log_choice(choices: Choices, action: str, *, outside: bool) -> str:
    """The filters of a log's pane. Cached, because few actions add to them."""
    context = {"choices": choices, "action": action, "outside": outside}
    return _drawn("combat/history/_log_choice.html", _pieces, tuple(context.values()), lambda: context)


@register.simple_tag(takes_context=True)
def log_entry(context: template.Context, entry: Entry) -> str:
    """A log entry on a page of its own, without the Storyteller's buttons."""
    return _entry(entry, *_place(context).values(), levers=False)


def _entry(entry: Entry, encounter_id: str, storyteller: bool, outside: bool, *, levers: bool) -> str:  # noqa: FBT001
    """A log entry, rendered once for all readers who see the same. Most of a log doesn't change."""
    about = {"encounter_id": encounter_id, "storyteller": storyteller, "outside": outside, "levers": levers}
    key = (entry.digest, *about.values())
    return _drawn("combat/panes/_entry.html", _pieces, key, lambda: {"entry": entry, **about})


def _place(context: template.Context) -> dict[str, Any]:
    """What the rendering of log entries depends on, other than the entries."""
    view = context.get("view")
    return {
        "encounter_id": context["encounter_id"],
        "storyteller": context.get("audience") == STORYTELLER or bool(context.get("storyteller")),
        "outside": view.outside_fights if view else bool(context.get("outside")),
    }


@register.simple_tag
def bar_turn(bar: StorytellerBar) -> str:
    """The turn and its stages. Cached, because few actions change them."""
    more = {name: getattr(bar, name) for name in ("status", "turn", "stages")}
    return _drawn("combat/panes/_stages.html", _pieces, tuple(more.values()), lambda: {"pane": more})


@register.simple_tag(takes_context=True)
def bar_menu(context: template.Context, bar: StorytellerBar) -> str:
    """The menu in the Storyteller's bar. Cached, because few actions change it."""
    fields = ("status", "ordered", "rolled", "also", "stays")
    more = {name: getattr(bar, name) for name in fields} | {"encounter_id": context["encounter_id"]}
    return _drawn("combat/panes/_bar_menu.html", _pieces, tuple(more.values()), more.copy)


@register.simple_tag(takes_context=True)
def order_rows(context: template.Context, order: Order) -> str:
    """The rows of the turn order, each rendered once for all readers who see the same. Most rows don't change."""
    drawn = _drawn_rows(context, order)
    many = sum(map(len, order.ranks))
    ranked, others = drawn[:many], drawn[many:]
    return _joined([*_in_groups(ranked), *(_in_groups(others) if ranked else _in_sides(others))])


@register.simple_tag(takes_context=True)
def order_pieces(context: template.Context, order: Order, ids: Sequence[str]) -> str:
    """The rows with these HTML ids."""
    return _joined(piece for _row, piece in _drawn_rows(context, order, ids))


def _drawn_rows(context: template.Context, order: Order, ids: Sequence[str] | None = None) -> list[Drawn]:
    """The rows of these ids (None: all), in order, each with its HTML."""
    audience = STORYTELLER if context.get("audience") == STORYTELLER else "players"
    place = {"audience": audience, "encounter_id": context["encounter_id"]}
    ranked = {row.id for rank in order.ranks for row in rank}
    found: list[Drawn] = []
    for row, beside in with_their_neighbours(order):
        if ids is None or f"row-{row.id}" in ids:
            more = {"row": row, "beside": _named(beside), "ranked": row.id in ranked, **place}
            found.append((row, _drawn("combat/panes/_row.html", _pieces, tuple(more.values()), more.copy)))
    return found


@register.simple_tag(takes_context=True)
def mine(context: template.Context, sheet: Sheet, part: str) -> str:
    """A part of one of the reader's characters (`combat.panes.pieces.PARTS`), rendered again only if it changed."""
    more = {"sheet": part_of(sheet, part), "encounter_id": context["encounter_id"]}
    return _drawn(f"combat/panes/_mine_{part}.html", _pieces, tuple(more.values()), lambda: more)


@register.simple_tag(takes_context=True)
def me_pieces(context: template.Context, me: Me, ids: Sequence[str]) -> str:
    """The parts of the reader's characters with these HTML ids."""
    whose = [render_to_string("combat/panes/_whose.html", {"sheets": me.sheets})] if "me-whose" in ids else []
    parts = ((sheet, part) for sheet in me.sheets for part in PARTS if f"me-{sheet.id}-{part}" in ids)
    return _joined([*whose, *(mine(context, sheet, part) for sheet, part in parts)])


def _joined(pieces: Iterable[str]) -> SafeString:
    return format_html_join("", "{}", ((piece,) for piece in pieces))


def _in_groups(rows: Sequence[Drawn]) -> list[str]:
    """The rows, with those of a group who are next to each other in a part that folds; players know of no groups."""
    pieces: list[str] = []
    for band, run in groupby(rows, lambda each: each[0].band if isinstance(each[0], StorytellerRow) else ""):
        together = list(run)
        if band and len(together) > 1:
            label = _named([row.name for row, _drawn in together])
            pieces.append(
                _folding("group", f"group-{together[0][0].id}", label, together, [each for _row, each in together])
            )
        else:
            pieces += [each for _row, each in together]
    return pieces


def _in_sides(rows: Sequence[Drawn]) -> list[str]:
    """The rows by side, each in a part that folds, unless all are on the same; players know of no sides."""
    sides = {
        side: [each for each in rows if isinstance(each[0], StorytellerRow) and each[0].side == side] for side in SIDES
    }
    if sum(map(bool, sides.values())) < 2:
        return _in_groups(rows)
    return [
        _folding("side", f"side-{side}", str(SIDES[side]), found, _in_groups(found))
        for side, found in sides.items()
        if found
    ]


def _folding(kind: str, name: str, label: str, rows: Sequence[Drawn], pieces: Iterable[str]) -> str:
    people = [row for row, _drawn in rows]
    about = {
        "out": sum(bool(body_state(row.conditions)) for row in people),
        "acting": any(row.acting for row in people),
        "total": people[0].total if kind == "group" else None,
    }
    return render_to_string(
        "combat/panes/_fold.html", {"id": name, "kind": kind, "label": label, "rows": _joined(pieces), **about}
    )


def _named(names: Sequence[str]) -> str:
    """One or two names, or the first and the number of others, to fit in a row."""
    shown = names if len(names) < 3 else (names[0], _("{count} more").format(count=len(names) - 1))
    return text_of(listed(shown))


def _drawn(name: str, kept: Kept, stands_for: Hashable, context: Callable[[], dict[str, Any]]) -> str:
    """Render a template with only this context, memoised in `kept`.

    `stands_for` is the cache key, in addition to template and language: it must cover everything the template uses.
    """
    key = (name, reading(), stands_for)
    drawn: str | None = kept.get(key)
    return drawn if drawn is not None else kept.put(key, render_to_string(name, context()))
