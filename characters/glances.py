"""Characters at a glance: the answer to `campaigns.glance`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.glance import Glance
from campaigns.words import said, worded
from characters import impairments, lasting, rulesets
from characters.models import Character
from characters.sheets import body_of
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage
from rules.model.sheet import Sheet
from rules.model.system import System


def glances_at(characters: Iterable[Character]) -> dict[str, Glance]:
    """A glance at each character, by id."""
    return {one.pk: _at(body_of(one), rulesets.ruleset_for(one.chronicle)) for one in characters}


def _at(sheet: Sheet, ruleset: System) -> Glance:
    layout, health = ruleset.layout, ruleset.health
    boxes = () if health.one_by_one else health.levels(sheet)
    marks = [mark.value for mark in sheet.marks[: len(boxes)]]
    return Glance(
        boxes=(*marks, *[""] * (len(boxes) - len(marks))),
        health=_health(sheet, ruleset),
        points=tuple(
            (said(each.label), layout.points(sheet, each.key), layout.maximum(sheet, each.key))
            for each in layout.resources_for(sheet.kind)
        ),
        lasting=(
            *(capfirst(impairments.told(each)) for each in sheet.impairments),
            *(capfirst(lasting.in_words(each, ruleset)) for each in sheet.lasting),
        ),
    )


def _health(sheet: Sheet, ruleset: System) -> str:
    """The health in words, such as "hurt: 1 lethal, 2 bashing" or "hurt: wound level 3"."""
    word = worded(ruleset.health.word(sheet))
    if kept := ruleset.health.one_by_one:
        level = kept.come_to(sheet)
        return _("{word}: wound level {level}").format(word=word, level=level) if level else word
    counts = Counter(sheet.marks)
    harm = ", ".join(said(of_kind(each, counts[each])) for each in reversed(Damage) if counts[each])
    return f"{word}: {harm}" if harm else word
