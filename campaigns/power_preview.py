"""The preview of a power on its form: what it changes for an ordinary user, part by part, and the chances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.own_powers import PowerLine, line
from campaigns.words import decimal, percent, said, worded
from rules.model.damage_steps import DamageStep
from rules.model.gear import BARE_HANDS, label_of
from rules.model.plan import Against, Part, PoolPlan
from rules.model.powers import Power
from rules.model.system import System
from rules.odds.powers import Blow, Cast, shown


@dataclass(frozen=True, slots=True)
class Parts:
    """A pool with the power, part by part. `outright` is one that counts levels instead of dice."""

    label: str
    parts: tuple[Part | DamageStep, ...]
    total: int | None
    outright: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """A table of values without the power and with it: column headings and rows."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that the power changes: a heading, the values that differ, and the changed pools."""

    label: str
    compared: Compared
    pools: tuple[Parts, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """All of a preview. `example` says who is assumed to use the power; `problem` why there is nothing to see."""

    line: PowerLine | None = None
    example: str = ""
    shown: tuple[Shown, ...] = ()
    problem: str = ""


def preview_of(power: Power, base: System, played: System) -> Preview:
    """The preview of a power: described by the ruleset that it is read with, shown in the one that is played."""
    found = shown(played, power)
    scenes = [*map(_blow, found.blows), *(_cast(each, played) for each in found.casts)]
    if found.initiative:
        before, after = map(str, found.initiative)
        scenes.append(Shown(_("Initiative"), _compared([(_("Rating"), before, after)])))
    user = said(played.kind(found.kind).label)
    told = [_("{kind} with 2 dots in each Attribute and combat Ability").format(kind=user)]
    if power.trait:
        trait = said(played.layout.trait(power.trait).label)
        told.append(f"{trait} {found.rating}")
    told += [_("2 successes on the power’s roll")] if found.successes else []
    told += [_("pays {points} times").format(points=found.points)] if found.points > 1 else []
    return Preview(line(power, base), "; ".join(told), tuple(scenes))


def _blow(blow: Blow) -> Shown:
    name = said(label_of(blow.weapon)) if blow.weapon.name == BARE_HANDS else blow.weapon.name
    if blow.weapon.name == "weapon":
        name = worded(blow.weapon.mode)
    label = _("Attacked: {weapon}") if blow.suffered else _("Attack: {weapon}")
    before, after = blow.without, blow.having
    rows = [
        *_pools(_("Attack"), before.attack, after.attack),
        *_pools(_("Damage"), before.damage, after.damage),
        (_("Damage type"), worded(before.damage_type), worded(after.damage_type)),
        *_pools(_("Soak"), before.soak, after.soak),
        *_pools(_("Defence"), before.defence, after.defence),
    ]
    chances = [
        (_("hits"), percent(blow.odds_without.hit), percent(blow.odds_having.hit)),
        (_("average damage"), _mean(blow.odds_without.expected), _mean(blow.odds_having.expected)),
    ]
    changed = [row for row in rows if row[1] != row[2]]
    return Shown(label.format(weapon=name), _compared([*changed, *chances]), tuple(_parts_of(before, after)))


def _parts_of(before: Against, after: Against) -> Iterator[Parts]:
    """The pools that differ, as they are with the power."""
    for label, old, new in (
        (_("Attack"), before.attack, after.attack),
        (_("Damage"), before.damage, after.damage),
        (_("Soak"), before.soak, after.soak),
        (_("Defence"), before.defence, after.defence),
    ):
        if new is not None and (old is None or old.parts != new.parts):
            yield Parts(label, new.parts, new.pool, new.outright)
    if before.steps != after.steps:
        yield Parts(_("Damage from successes"), after.steps, None)


def _cast(cast: Cast, played: System) -> Shown:
    names = " + ".join(said(played.layout.trait(each).label) for each in cast.traits)
    label = _("The target rolls {traits}") if cast.other else _("Roll: {traits}")
    rows = [row for row in _pools(_("Pool"), cast.without, cast.having) if row[1] != row[2]]
    chances = [
        (_("succeeds"), percent(cast.odds_without.succeeds), percent(cast.odds_having.succeeds)),
        (_("average successes"), _mean(cast.odds_without.mean), _mean(cast.odds_having.mean)),
    ]
    pool = Parts(_("Pool"), cast.having.parts, cast.having.pool)
    return Shown(label.format(traits=names), _compared([*rows, *chances]), (pool,))


def _mean(number: Fraction) -> str:
    return decimal(float(number))


def _pools(label: str, before: PoolPlan | None, after: PoolPlan | None) -> Iterator[tuple[str, str, str]]:
    """The sizes of a pool, its difficulties and its automatic successes."""
    old, new = ((each.pool, each.difficulty, each.sure) if each else (0, 0, 0) for each in (before, after))
    for name, one, other in zip(
        (label, f"{label}: {_('Difficulty')}", f"{label}: {_('Automatic successes')}"), old, new, strict=True
    ):
        yield name, str(one), str(other)


def _compared(rows: list[tuple[str, str, str]]) -> Compared:
    heads = (_("without"), _("with it"))
    return Compared(heads, tuple((label, (before, after)) for label, before, after in rows))
