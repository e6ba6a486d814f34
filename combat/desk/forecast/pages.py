"""What the page of a forecast shows: chances with their margins, means, plots, and what was changed in a what-if."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import said
from combat.desk.forecast.plots import Histogram, histogram
from combat.desk.forecast.question import BASE, CHANGED, WhatIf
from combat.desk.forecast.runs import Run, Stage
from rules.forecast.setup import SIDES
from rules.forecast.tally import Chance, Numbers, Tally
from rules.model.state import Side
from rules.model.system import System

LEFT_STANDING = {
    Side.ALLIES: gettext_lazy("Only allies are left standing"),
    Side.ENEMIES: gettext_lazy("Only enemies are left standing"),
}
SURPRISED = {
    Side.ALLIES: gettext_lazy("The allies are surprised"),
    Side.ENEMIES: gettext_lazy("The enemies are surprised"),
}
FEW_TURNS = 5
"""The turns for which the plot has columns, however few it takes."""

NOT_UNTIL = 2
"""The number of outcomes that every fight has; the others are shown once they have happened."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A chance in whole per cent with its interval; only what always or never happened is 100 or 0.

    `example` is the number of a fight in which it happened, None without one.
    """

    percent: int
    low: int
    high: int
    example: int | None = None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its margin of error, which is rounded up to one decimal place."""

    mean: float
    margin: float


@dataclass(frozen=True, slots=True)
class OddsLine:
    """A chance: of the fight as it is, and of a what-if if any. `key` names it on the page.

    `base` is the what-if's alone for a combatant whom it adds: `base_which` says of which of the two it is.
    """

    key: str
    label: str
    base: Odds
    changed: Odds | None
    base_which: str = BASE

    @property
    def difference(self) -> int:
        """The percentage points that the what-if adds."""
        return self.changed.percent - self.base.percent if self.changed else 0

    @property
    def differs(self) -> bool:
        """Whether the difference is larger than the margins of error."""
        return self.changed is not None and (self.base.high < self.changed.low or self.changed.high < self.base.low)


@dataclass(frozen=True, slots=True)
class MeanLine:
    """A mean: of the fight as it is, and of a what-if if any. Of a combatant whom it adds it is the only one."""

    label: str
    base: Mean
    changed: Mean | None


@dataclass(frozen=True, slots=True)
class PersonLine:
    """What a combatant may expect. `added`: only in the what-if."""

    id: str
    name: str
    side: str
    added: bool
    fates: tuple[OddsLine, ...]
    lost: MeanLine
    spent: tuple[MeanLine, ...]
    plot: Histogram


@dataclass(frozen=True, slots=True)
class ForecastPage:
    """A forecast as its page shows it. `what_if` are its changes in words. The results are empty before any fights."""

    id: str
    stage: Stage
    seed: int
    fights: int
    goal: int
    what_if: tuple[str, ...]
    outcomes: tuple[OddsLine, ...] = ()
    turns: MeanLine | None = None
    turns_plot: Histogram | None = None
    people: tuple[PersonLine, ...] = ()

    @property
    def playing(self) -> bool:
        return self.stage is Stage.PLAYING


def forecast_page(run: Run, system: System) -> ForecastPage:
    """A forecast as it is now."""
    said_of_it = (run.id, run.stage, run.seed, run.fights, run.goal, tuple(_changes(run, system)))
    if BASE not in run.tallies:
        return ForecastPage(*said_of_it)
    tallies = list(run.tallies.values())
    turns, people = [each.turns for each in tallies], _in_order(tallies[-1])
    # All plots of boxes have the same columns, so that they can be compared.
    most = max(value for each in tallies for who in each.sides for value in each.lost(who).histogram)
    return ForecastPage(
        *said_of_it,
        tuple(_outcomes(run.tallies)),
        _mean_line(_("Turns"), *turns),
        histogram(turns, 1, FEW_TURNS),
        tuple(_person(run, who, system, most) for who in people),
    )


def _changes(run: Run, system: System) -> Iterator[str]:
    """The what-if in words."""
    wanted, names = WhatIf(**run.what_if), run.names
    if wanted.moved:
        sentence = _("{name} takes no part") if wanted.to == Side.OTHERS else _("{name} changes sides")
        yield sentence.format(name=names[wanted.moved])
    if wanted.armor:
        yield _("{name} has +{better} armour").format(name=names[wanted.armor], better=wanted.better)
    if wanted.more:
        yield _("One more {name}").format(name=names[wanted.more])
    if wanted.distance is not None:
        yield _("The sides begin {distance} {unit} apart").format(
            distance=wanted.distance, unit=said(system.short_unit)
        )
    if wanted.surprised:
        yield str(SURPRISED[Side(wanted.surprised)])


def _outcomes(tallies: Mapping[str, Tally]) -> Iterator[OddsLine]:
    lines = [
        (side.value, str(LEFT_STANDING[side]), {n: each.standing(side) for n, each in tallies.items()})
        for side in SIDES
    ]
    lines.append(("undecided", _("Undecided: both fight on"), {n: each.undecided for n, each in tallies.items()}))
    lines.append(("nobody", _("Nobody is left standing"), {n: _nobody(each) for n, each in tallies.items()}))
    for place, (key, label, chances) in enumerate(lines):
        if place < NOT_UNTIL or any(each.hits for each in chances.values()):
            what, who = ("standing", key) if place < NOT_UNTIL else (key, "")
            yield _odds_line(tallies, chances, key, label, what, who)


def _nobody(tally: Tally) -> Chance:
    decided = sum(tally.standing(side).hits for side in SIDES) + tally.undecided.hits
    return Chance(tally.fights - decided, tally.fights)


def _odds_line(
    tallies: Mapping[str, Tally], chances: Mapping[str, Chance], key: str, label: str, what: str, who: str
) -> OddsLine:
    found = {name: _odds(chance, tallies[name].examples(what, who)) for name, chance in chances.items()}
    if BASE not in found:
        return OddsLine(key, label, found[CHANGED], None, CHANGED)
    return OddsLine(key, label, found[BASE], found.get(CHANGED))


def _odds(chance: Chance, examples: tuple[int, ...]) -> Odds:
    percent = round(100 * chance.share)
    if 0 < chance.hits < chance.fights:
        percent = min(99, max(1, percent))
    return Odds(percent, floor(100 * chance.low), ceil(100 * chance.high), examples[0] if examples else None)


def _in_order(tally: Tally) -> list[str]:
    """The combatants by side, in the order in which they joined."""
    sides = list(Side)
    return sorted(tally.sides, key=lambda who: sides.index(tally.sides[who]))


def _person(run: Run, who: str, system: System, most: int) -> PersonLine:
    tallies = {name: each for name, each in run.tallies.items() if who in each.sides}
    found = list(tallies.values())
    fates = (("fallen", _("Falls")), ("dead", _("Dies")), ("left", _("Leaves")))
    chances = {
        "fallen": {name: each.fallen(who) for name, each in tallies.items()},
        "dead": {name: each.dead(who) for name, each in tallies.items()},
        "left": {name: each.left(who) for name, each in tallies.items()},
    }
    lost = [each.lost(who) for each in found]
    return PersonLine(
        who,
        run.names.get(who, who),
        found[-1].sides[who].value,
        BASE not in tallies,
        tuple(_odds_line(tallies, chances[what], f"{what}-{who}", label, what, who) for what, label in fates),
        _mean_line(_("Boxes lost"), *lost),
        tuple(_spent(found, who, system)),
        histogram(lost, 0, most, first=int(BASE not in tallies)),
    )


def _spent(tallies: list[Tally], who: str, system: System) -> Iterator[MeanLine]:
    for key in dict.fromkeys(key for each in tallies for key in each.resources(who)):
        resource = system.layout.resource(key)
        yield _mean_line(said(resource.label) if resource else key, *(each.spent(who, key) for each in tallies))
    rounds = [each.rounds(who) for each in tallies]
    if any(each.mean for each in rounds):
        yield _mean_line(_("Rounds fired"), *rounds)


def _mean_line(label: str, base: Numbers, changed: Numbers | None = None) -> MeanLine:
    return MeanLine(label, _mean(base), _mean(changed) if changed else None)


def _mean(numbers: Numbers) -> Mean:
    return Mean(numbers.mean, ceil(10 * numbers.margin) / 10)
