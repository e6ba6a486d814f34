"""View model of guided creation: the sheet's form as steps, with the dots that remain of the budget.

The server counts what the form holds when it is drawn; `static/js/guide.js` counts the same way while dots are tapped.
A budget only warns. Nothing here validates.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.words import said
from characters.forms.details import detail_name
from characters.forms.fields import number_in
from characters.forms.listings import rows_of
from characters.forms.sheet import SheetForm
from characters.forms.sheet_fields import trait_name
from characters.forms.specialties import specialty_rows
from rules.model.creation import Account, Budget, Count, account, budget_of, in_entries

WHO, ADVANTAGES, GEAR = "who", "advantages", "gear"
"""The steps that every sheet has; each section with several columns is one more."""


@dataclass(frozen=True, slots=True)
class Left:
    """The dots that remain, and those too many; `key` is where the browser writes them."""

    key: str
    left: int
    over: int

    @property
    def words(self) -> str:
        """Such as "3 left", or "3 left, 2 over"."""
        texts = _texts()
        told = [texts["left"].format(count=self.left)] if self.left or not self.over else []
        return ", ".join([*told, *([texts["over"].format(count=self.over)] if self.over else [])])


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A line of the budget: what is given, in words, and what remains, also for each group if they have numbers."""

    given: str
    price: int
    left: Left
    groups: tuple[Left, ...]


@dataclass(frozen=True, slots=True)
class Step:
    key: str
    label: str
    left: Left | None


@dataclass(frozen=True, slots=True)
class Guide:
    """The steps and the budget, in `data` as JSON for the browser. `points` is None for one without points to spend."""

    steps: tuple[Step, ...]
    lines: Mapping[str, BudgetLine]
    points: Left | None
    rule: str
    data: str


def guide_of(form: SheetForm, columns: Iterable[tuple[str, str]]) -> Guide:
    """The guide for a form. `columns` are the key and label of the sections that are steps of their own."""
    budget = budget_of(form.ruleset, form.laid_for) or Budget(())
    counted = account(budget, _dots(form), _entries(form), _words(form))
    lines = {count.line.key: _line(form, budget, count) for count in counted.counts}
    steps = [(WHO, _("Concept")), *columns, (ADVANTAGES, _("Advantages")), (GEAR, _("Gear and notes"))]
    alone = {key: [key] for key, _label in columns}
    alone[ADVANTAGES] = [key for key in lines if key not in alone]
    return Guide(
        steps=tuple(Step(key, label, _sum(f"step-{key}", alone.get(key, ()), lines)) for key, label in steps),
        lines=lines,
        points=_points(counted) if budget.points else None,
        rule=next((each.rule for each in form.ruleset.options if each.key == "creation"), ""),
        data=json.dumps(_data(form, budget, alone)),
    )


def _texts() -> dict[str, str]:
    return {"left": _("{count} left"), "over": _("{count} over")}


def _dots(form: SheetForm) -> dict[str, int]:
    """The dots that the form shows, without those that are no numbers."""
    drawn = [trait for trait in form.ruleset.layout.traits() if trait_name(trait) in form.fields]
    typed = {trait.key: str(form[trait_name(trait)].value()) for trait in drawn}
    return {key: number for key, value in typed.items() if (number := number_in(value)) is not None}


def _entries(form: SheetForm) -> dict[str, int]:
    """What the filled-in lists and specialties count."""
    layout = form.ruleset.layout
    filled = {
        each.key: [(name, _number(form[dots])) for name, dots in rows_of(form, each) if _text(form[name])]
        for each in layout.lists_for(form.laid_for)
    }
    return in_entries(filled, sum(bool(_text(form[name])) for _trait, name in specialty_rows(form)))


def _words(form: SheetForm) -> list[str]:
    """The texts of the identity."""
    return [_text(form[detail_name(detail)]) for detail in form.ruleset.layout.details_for(form.laid_for)]


def _text(field: Any) -> str:
    return str(field.value() or "").strip()


def _number(field: Any) -> int:
    return number_in(_text(field)) or 0


def _line(form: SheetForm, budget: Budget, count: Count) -> BudgetLine:
    line = count.line
    if line.is_trait and line.key in budget.starts:
        given = str(count.given[0])
    elif line.base:
        given = " + ".join(said(form.ruleset.layout.trait(key, form.laid_for).label) for key in line.base)
    else:
        given = "/".join(map(str, line.dots)) + (f" + {line.extra}" if line.extra else "")
    groups = tuple(
        Left(f"{line.key}-{place}", max(0, most - used), max(0, used - most) if count.over else 0)
        for place, (used, most) in enumerate(zip(count.spent, count.given, strict=True))
    )
    return BudgetLine(given, line.price, Left(line.key, count.left, count.over), groups if len(groups) > 1 else ())


def _sum(key: str, wanted: Iterable[str], lines: Mapping[str, BudgetLine]) -> Left | None:
    found = [lines[each] for each in wanted if each in lines]
    return Left(key, sum(each.left.left for each in found), sum(each.left.over for each in found)) if found else None


def _points(counted: Account) -> Left:
    return Left("points", max(0, counted.left), max(0, -counted.left))


def _data(form: SheetForm, budget: Budget, steps: Mapping[str, list[str]]) -> dict[str, Any]:
    """The budget for the browser: each Trait is its field's name, its free dots, and whether a fifth counts twice.

    `entries` is the beginning of the names of a list's fields; `starts` are starting dots by word of the `details`.
    """
    lines = [
        {
            "key": line.key,
            "groups": [
                [[trait_name(trait), line.free(trait), budget.fifth_twice and not line.is_trait] for trait in group]
                for group in line.groups
            ],
            "dots": line.dots,
            "extra": line.extra,
            "base": [f"trait-{key}" for key in line.base],
            "price": line.price,
            "entries": f"list-{line.list}" if line.list else "" if line.groups else line.key,
            "starts": budget.starts.get(line.key, {}) if line.is_trait else {},
        }
        for line in budget.lines
    ]
    details = [detail_name(detail) for detail in form.ruleset.layout.details_for(form.laid_for)]
    return {"lines": lines, "points": budget.points, "steps": steps, "details": details, "texts": _texts()}
