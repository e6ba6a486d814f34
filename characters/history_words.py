"""A change of a sheet in words: "Strength: 2 → 3", "Merit added: Iron Stamina"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from characters import impairments, lasting, rulesets
from characters.changes import ARMOR, ORIGIN, OWNER, WEAPONS
from characters.models.characters import Fault
from characters.words import merit_label
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage
from rules.model.sheet import Lasting
from rules.model.system import System

NOTHING = "–"
LONGEST = 200
"""How much of a long text is shown."""


def in_words(
    ruleset: System, name: str, before: Any, after: Any, people: Mapping[int, str], kind: str = ""
) -> Iterator[str]:
    """A change of one watched value, as one line or several.

    `people` are the names of users by id, `kind` is the character's, by which some Traits are called differently.
    """
    column, _colon, key = name.partition(":")
    if name.startswith((WEAPONS, ARMOR)):
        yield from _gear(before, after)
    elif column == "merits":
        yield from _added(_("Merit added: {merit}"), _("Merit removed: {merit}"), before, after, ruleset)
    elif column == "lists":
        yield from _listed(ruleset, key, dict(before or ()), dict(after or ()))
    elif name == ORIGIN:
        yield _("Copied from {name}").format(name=after)
    elif name == OWNER:
        yield _line(_("Player"), *(people.get(each, "") or _("the Storyteller") for each in (before, after)))
    elif column in LISTS:
        label, told = LISTS[column](ruleset)
        yield _line(label, *(", ".join(map(told, each or ())) or _("none") for each in (before, after)))
    else:
        yield _line(_label(ruleset, column, key, kind), _value(ruleset, column, before), _value(ruleset, column, after))


def _listed(ruleset: System, key: str, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    """What changed in a list of named entries with dots. Names in a list of Merits are told as Merits."""
    label = _label(ruleset, "lists", key)
    names = dict.fromkeys((*before, *after))
    if any(each.key == key and each.read for each in ruleset.layout.lists):
        names = {name: None for name in names if name in before and name in after}
    for name in names:
        if name not in before:
            yield _("{list}: {entry} added").format(list=label, entry=_entry(name, after[name]))
        elif name not in after:
            yield _("{list}: {entry} removed").format(list=label, entry=_entry(name, before[name]))
        elif before[name] != after[name]:
            yield _line(f"{label}, {name}", before[name] or NOTHING, after[name] or NOTHING)


def _entry(name: str, dots: int) -> str:
    return f"{name} {dots}" if dots else name


def _line(label: str, before: Any, after: Any) -> str:
    return _("{label}: {before} → {after}").format(label=label, before=before, after=after)


def _label(ruleset: System, column: str, key: str, kind: str = "") -> str:
    if column == "traits":
        return said(ruleset.layout.trait(key, kind).label)
    if column == "specialties":
        return _("Specialties of {trait}").format(trait=said(ruleset.layout.trait(key, kind).label))
    if column in ("details", "lists"):
        known = ruleset.layout.details if column == "details" else ruleset.layout.lists
        return next((said(each.label) for each in known if each.key == key), rulesets.in_words(key))
    if column == "resources":
        resource = ruleset.layout.resource(key)
        return said(resource.label) if resource else rulesets.in_words(key)
    if column == "marks":
        return _("Health")
    return {"name": _("Name"), "kind": _("Kind"), "concept": _("Concept")}.get(column, rulesets.in_words(key or column))


def _value(ruleset: System, column: str, value: Any) -> str:
    if column == "kind":
        return said(ruleset.kind(value).label)
    if column == "marks":
        counts = Counter(Damage(mark) for mark in value or ())
        return ", ".join(said(of_kind(damage, count)) for damage, count in counts.items()) or _("unhurt")
    if column == "resources" and value is None:
        return _("full")
    if column == "specialties":
        return ", ".join(value or ()) or NOTHING
    words = ", ".join(str(value).splitlines()) if value not in (None, "") else NOTHING
    return f"{words[:LONGEST]}…" if len(words) > LONGEST else words


def _added(added: str, removed: str, before: Iterable[str], after: Iterable[str], ruleset: System) -> Iterator[str]:
    was, now = list(before or ()), list(after or ())
    yield from (added.format(merit=merit_label(each, ruleset)) for each in now if each not in was)
    yield from (removed.format(merit=merit_label(each, ruleset)) for each in was if each not in now)


def _gear(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> Iterator[str]:
    if before is None or after is None:
        if there := after or before:
            yield (_("Added: {one}") if after else _("Removed: {one}")).format(one=_called(there))
        return
    if _called(before) != _called(after):
        yield _line(_called(before), before["called"], _called(after))
    if before.get("rounds") != after.get("rounds"):
        rounds = (NOTHING if each.get("rounds") is None else each["rounds"] for each in (before, after))
        yield _line(_("{weapon}, rounds").format(weapon=_called(after)), *rounds)
    if before.get("fault") != after.get("fault"):
        yield _line(
            _called(after),
            *(str(Fault(each["fault"]).label) if each.get("fault") else _("ready") for each in (before, after)),
        )
    if before.get("destroyed") != after.get("destroyed"):
        yield _line(
            _called(after), *(_("destroyed") if each.get("destroyed") else _("whole") for each in (before, after))
        )


def _called(there: Mapping[str, Any]) -> str:
    return str(there["name"] or there["called"])


def _injury(injury: Mapping[str, Any]) -> str:
    cause = injury.get("cause", "")
    return f"{injury['level']} ({worded(cause)})" if cause else str(injury["level"])


def _impairment(kept: Mapping[str, Any]) -> str:
    return impairments.told(impairments.one(kept))


def _lasting(ruleset: System, kept: Mapping[str, Any]) -> str:
    return lasting.in_words(Lasting(**kept), ruleset)


LISTS: dict[str, Any] = {
    "injuries": lambda _ruleset: (_("Injuries"), _injury),
    "scars": lambda _ruleset: (_("Scars"), _injury),
    "impairments": lambda _ruleset: (_("Impairments"), _impairment),
    "lasting": lambda ruleset: (_("Lasting conditions"), partial(_lasting, ruleset)),
}
"""For each watched column that is a list: its label, and what tells an entry."""
