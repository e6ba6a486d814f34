"""The powers on a sheet in words: what each costs and does, and its button during a fight."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.words import said
from characters.words import unhyphenated
from rules.model.power_words import SOURCES, TIMINGS, cost_of, duration_of, effects_of, roll_of
from rules.model.powers import Timing
from rules.model.sheet import Sheet
from rules.model.system import System


@dataclass(frozen=True, slots=True)
class PowerLine:
    """A power: its `facts` are cost, roll, timing and duration, its `effects` a line each.

    `use` is the address where its bearer uses it in a running fight; "" if it isn't used or there is none.
    """

    label: str
    facts: tuple[str, ...]
    effects: tuple[str, ...]
    rule: str
    use: str = ""


@dataclass(frozen=True, slots=True)
class PowerLines:
    """The powers of one source (Disciplines, Gifts)."""

    label: str
    powers: tuple[PowerLine, ...]


def power_lines(sheet: Sheet, system: System, using: str) -> tuple[PowerLines, ...]:
    """The powers that somebody has, by their source. `using` is the address of the fight's actions, "" if none."""
    had = [each for each in system.in_play.all if each.is_had_by(sheet, system.layout)]
    found = []
    for source, heading in SOURCES.items():
        lines = tuple(
            PowerLine(
                unhyphenated(said(each.label)),
                tuple(
                    said(words)
                    for words in (cost_of(each, system), roll_of(each, system), TIMINGS[each.timing], duration_of(each))
                    if words
                ),
                tuple(said(words) for words in effects_of(each, system)),
                each.rule,
                f"{using}&action={each.key}" if using and each.timing is not Timing.ALWAYS else "",
            )
            for each in had
            if each.source is source
        )
        if lines:
            found.append(PowerLines(said(heading), lines))
    return tuple(found)
