"""Conditions that outlast a fight, as the sheet and the cast show them: injured parts of the body, and all others."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.models import Chronicle
from campaigns.words import said
from characters import impairments
from characters.models import Character
from rules.model.sheet import Lasting, Sheet
from rules.model.system import System


@dataclass(frozen=True, slots=True)
class LastingLine:
    """A lasting condition in words: its rule, the fight it is from (id and name, "" if unknown), and the reason."""

    text: str
    rule: str = ""
    fight: str = ""
    name: str = ""
    why: str = ""


def lines_of(character: Character, sheet: Sheet, ruleset: System) -> tuple[LastingLine, ...]:
    """A character's lasting conditions, injured parts of the body first. One query if any is from a fight."""
    fights = _fights_of(character, sheet)
    hurt = (
        LastingLine(impairments.told(each), ruleset.conditions[each.condition].lasting_rule)
        for each in sheet.impairments
    )
    others = (
        LastingLine(
            in_words(each, ruleset),
            each.rule,
            each.fight if each.fight in fights else "",
            fights.get(each.fight, ""),
            each.why,
        )
        for each in sheet.lasting
    )
    return (*hurt, *others)


def in_words(lasting: Lasting, ruleset: System) -> str:
    """A lasting condition's label; the Storyteller's own word for one that no rule knows."""
    return said(ruleset.conditions[lasting.condition].label)


def log_of(chronicle: Chronicle) -> str:
    """The id of the chronicle's own log, in which conditions change outside fights; "" if there is none."""
    return chronicle.encounters.filter(outside_fights=True).values_list("pk", flat=True).first() or ""


def _fights_of(character: Character, sheet: Sheet) -> dict[str, str]:
    """The names of the existing fights that lasting conditions are from, by id."""
    wanted = {each.fight for each in sheet.lasting if each.fight}
    fights = character.chronicle.encounters.filter(pk__in=wanted, outside_fights=False)
    return dict(fights.values_list("pk", "name")) if wanted else {}
