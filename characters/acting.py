"""What a reader of a sheet may do from there, outside fights."""

from __future__ import annotations

from dataclasses import dataclass

from characters import rulesets
from characters.access import Seen
from characters.pages import SheetPage
from characters.sheets import body_of


@dataclass(frozen=True, slots=True)
class Acting:
    """The actions offered with a sheet, in the chronicle's `log`; only the Storyteller's are without limits.

    `heals`: healing is among them, which for players is by blood alone. During a fight (`fought`) only rolls are: the
    fight manages the rest.
    """

    log: str
    who: str
    is_storyteller: bool
    heals: bool
    spends: bool
    fought: bool


def acting(seen: Seen, page: SheetPage) -> Acting | None:
    """The actions of somebody who reads this page; None for those who only watch."""
    if not page.log:
        return None
    one = seen.character
    ruleset = rulesets.ruleset_for(one.chronicle)
    heals = seen.is_storyteller or ruleset.health.by_blood(body_of(one)) is not None
    spends = bool(ruleset.layout.resources_for(one.kind))
    return Acting(page.log, one.pk, seen.is_storyteller, heals, spends, bool(page.fight))
