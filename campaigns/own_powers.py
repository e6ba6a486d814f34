"""A chronicle's own powers: how they are stored and described."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import kinds, own_traits
from campaigns.models import Chronicle
from campaigns.own_traits import PREFIX, base_kinds
from campaigns.rulesets import system
from campaigns.words import said
from rules.model import power_words
from rules.model.options import BadOption
from rules.model.own_powers import LONGEST_NAME, copyable, key_of, read_power, read_powers, without_gone, written
from rules.model.powers import Power, Source
from rules.model.system import System
from rules.topics.powers.using import with_powers

Stored = Mapping[str, Mapping[str, Any]]
SOURCES = {
    Source.DISCIPLINE: gettext_lazy("Discipline"),
    Source.GIFT: gettext_lazy("Gift"),
    Source.MERIT: gettext_lazy("Merit"),
    Source.SPELL: gettext_lazy("Spell"),
    Source.ITEM: gettext_lazy("Item"),
    Source.NATURE: gettext_lazy("Part of their nature"),
}
"""What a power is."""


@dataclass(frozen=True, slots=True)
class PowerLine:
    """A power as its page shows it. `problem` says why it can't be used, "" if it can."""

    key: str
    name: str
    source: str
    whose: str
    use: str
    effects: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """A power that a new one can begin with: its key and name."""

    key: str
    name: str


def base_of(chronicle: Chronicle) -> System:
    """The ruleset that powers are validated against: with the chronicle's own Traits, without its house rules.

    House rules are changed later, and must not make a saved power invalid.
    """
    return own_traits.with_own(system(chronicle.ruleset), chronicle.own_traits)


def played_without(chronicle: Chronicle) -> System:
    """The ruleset as the chronicle plays it, without its own powers."""
    return kinds.with_own(base_of(chronicle).with_options(chronicle.options), chronicle.own_kinds)


def check_all(chronicle: Chronicle) -> None:
    """Validate all together. Raises `rules.model.options.BadOption`; the path begins with the power's key."""
    read_powers(without_gone(chronicle.own_powers, gone=None), base_of(chronicle))


def taken_in(chronicle: Chronicle, powers: Stored, *, replacing: bool) -> dict[str, dict[str, Any]]:
    """The powers of a file under the keys and names that they get here.

    Raises `BadOption` for an invalid one; the path begins with its key in the file.
    """
    base = base_of(chronicle)
    own = {str(each.get("label", "")).casefold(): key for key, each in chronicle.own_powers.items()}
    names = {said(each.label).casefold() for each in base.powers} | {str(each.label).casefold() for each in base.powers}
    names |= own.keys()
    found: dict[str, dict[str, Any]] = {}
    for key, each in powers.items():
        try:
            label = read_power(key, each, base).label
            there = own.get(label.casefold()) if replacing else None
            if there is None or there in found:
                label = _free(label, names)
                there = new_key(label, {**chronicle.own_powers, **found})
        except BadOption as bad:
            raise BadOption(f"{key}.{bad.key}", bad.message) from None
        names.add(label.casefold())
        found[there] = {**each, "label": label}
    return found


def _free(label: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    number, free = 1, label
    while free.casefold() in taken:
        number += 1
        free = f"{label[: LONGEST_NAME - len(str(number)) - 3].rstrip()} ({number})"
    return free


def with_own(played: System, base: System, given: Stored) -> System:
    """The ruleset as it is played, extended by a chronicle's own powers.

    One that is no longer valid, because the ruleset's package has changed, is left out: the fights go on.
    """
    return (
        with_powers(played, (each for each, _problem in _sound(base, given, gone=False) if each)) if given else played
    )


def _sound(base: System, given: Stored, *, gone: bool) -> list[tuple[Power | None, str]]:
    """Those that are (not) removed, each with the reason why it can't be used."""
    found: list[tuple[Power | None, str]] = []
    for key, each in without_gone(given, gone=gone).items():
        try:
            found.append((read_power(key, each, base), ""))
        except BadOption as bad:
            found.append((None, said(bad.message)))
    return found


def new_key(label: str, given: Stored) -> str:
    """The key of a new power. Raises `BadOption` for a name without a letter or digit."""
    return key_of(label, given.keys(), PREFIX)


def starts(chronicle: Chronicle) -> list[Start]:
    """The ruleset's powers that a new one can begin with."""
    return [Start(each.key, said(each.label)) for each in copyable(base_of(chronicle))]


def saved(chronicle: Chronicle, key: str) -> dict[str, Any]:
    """The settings of the chronicle's power of that key."""
    return without_gone(chronicle.own_powers, gone=None)[key]


def in_use(chronicle: Chronicle, only: str = "") -> dict[str, dict[str, Any]]:
    """The settings of the powers that weren't removed, by key; with `only` of that one, removed or not."""
    return {only: saved(chronicle, only)} if only else without_gone(chronicle.own_powers)


def beginning(chronicle: Chronicle, key: str) -> dict[str, Any] | None:
    """The settings of a new power like the ruleset's or the chronicle's of that key; None for an unknown one."""
    if key in chronicle.own_powers:
        return {**saved(chronicle, key), "label": ""}
    base = base_of(chronicle)
    found = next((each for each in copyable(base) if each.key == key), None)
    return {**written(found), "label": ""} if found else None


def lines(chronicle: Chronicle, *, gone: bool = False) -> tuple[PowerLine, ...]:
    """The powers for display, or those that were removed. Raises `RulesetMissing`."""
    base = base_of(chronicle)
    keys = without_gone(chronicle.own_powers, gone=gone)
    read = zip(keys, _sound(base, chronicle.own_powers, gone=gone), strict=True)
    return tuple(
        line(power, base) if power else _broken(key, str(keys[key].get("label", "")), problem)
        for key, (power, problem) in read
    )


def both(chronicle: Chronicle) -> tuple[tuple[PowerLine, ...], tuple[PowerLine, ...]]:
    """The powers in use, and those that were removed: what the page shows."""
    return lines(chronicle), lines(chronicle, gone=True)


def _broken(key: str, name: str, problem: str) -> PowerLine:
    return PowerLine(key, name, "", "", "", (), problem)


def line(power: Power, base: System) -> PowerLine:
    """A power in words."""
    told = (
        said(power_words.TIMINGS[power.timing]),
        said(power_words.cost_of(power, base)),
        said(power_words.roll_of(power, base)),
        said(power_words.duration_of(power)),
    )
    effects = tuple(said(each) for each in power_words.effects_of(power, base))
    source = str(SOURCES[power.source])
    return PowerLine(power.key, said(power.label), source, _whose(power, base), "; ".join(filter(None, told)), effects)


def _whose(power: Power, base: System) -> str:
    named = ", ".join(name for key, name in base_kinds(base.key) if key in power.kinds)
    if power.trait:
        had = _("{trait} {dots} or more").format(trait=said(base.layout.trait(power.trait).label), dots=power.rating)
        return f"{had} ({named})" if named else had
    if power.entry:
        had = _("“{entry}” in a list").format(entry=power.entry.replace("_", " "))
        return f"{had} ({named})" if named else had
    return named or _("all characters")
