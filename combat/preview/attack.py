"""Preview of an attack: the plan part by part with its exact chances, or the rule that forbids it.

Players only get their own pool and the chance to hit an undefended target: soak and armour, and so the chances of
harm, are hidden from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import decimal, said, worded
from combat.history.plan_parts import FIXED, Chance, stem, told_flags
from combat.panes.chances import percent
from rules.engine.violations import Flag, Refusal, RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.damage_steps import DamageStep, Effect
from rules.model.plan import Against, AttackPlan, Part, PoolPlan, dice_of, tells_of_target
from rules.model.system import Game
from rules.odds.answers import default_answer
from rules.odds.attacks import Odds, odds, prospects
from rules.strike.active_defence import DEFENSE
from rules.strike.attack import plan_attack

MOST_BARS = 6


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram: the chance of exactly that many levels, and (``or_more``) of at least that many."""

    label: str
    percent: float
    kind: str
    or_more: float


@dataclass(frozen=True, slots=True)
class Compared:
    """A table of the chances for several answers of the target: column headings and rows."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Met:
    """A further target. `pool` is the size of the roll against them, 0 for a chance roll."""

    name: str
    pool: int
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as shown.

    Only the Storyteller gets `compared`, `damage`, `soak`, `defence`, `bars`, `steps`, `met` and `needs`. `first` is
    the name of the target that the plan is about, `met` the other targets. `needed` is the number of successes that a
    hit takes, and `needs` the reasons if it is more than one. `automatic` are the successes of a hit without a roll.
    """

    attack: PoolPlan
    chances: tuple[Chance, ...]
    rounds: int
    damage: PoolPlan | None = None
    damage_type: str = ""
    soak: PoolPlan | None = None
    defence: PoolPlan | None = None
    defence_kind: str = ""
    bars: tuple[Bar, ...] = ()
    tallest: float = 100.0
    compared: Compared | None = None
    flags: tuple[Flag, ...] = ()
    steps: tuple[DamageStep, ...] = ()
    first: str = ""
    met: tuple[Met, ...] = ()
    needs: tuple[Part, ...] = ()
    needed: int = 1
    automatic: int = 0


def plan_of(game: Game, attack: Attack, *, answered: bool, everything: bool) -> Planned | Refusal:
    """The preview of an attack, or the rule that forbids it, in the game as the reader knows it.

    With `answered` the target gives its default answer. `everything` is for the Storyteller.
    """
    try:
        plan = plan_attack(game.asking(), _answered(game, attack) if answered else attack)
    except RuleViolation as violation:
        return violation.refusal
    return _for_storyteller(game, attack, plan) if everything else _for_player(game, plan)


def _answered(game: Game, attack: Attack) -> Attack:
    """The attack with its target's default answer."""
    kind, _why_not = default_answer(game.asking(), attack, attack.at[0])
    return replace(attack, defences={attack.at[0]: Defence(kind)})


def _for_player(game: Game, plan: AttackPlan) -> Planned:
    against = plan.against[0]
    if against.automatic:
        certain = (Chance(_("hits if undefended"), percent(Fraction(1))),)
        return Planned(against.attack, certain, plan.rounds, automatic=against.automatic)
    if against.damage is None:
        # This pool includes the target's armour and Defense, which the player must not see.
        own = _without_target(game, against.attack)
        return Planned(own, _fails(game, own, _("hits, without Defense or armour")), plan.rounds)
    # How many successes a hit needs may depend on the target, so only those of the roll are foretold.
    hits = _("rolls a success") if against.needs else _("hits if undefended")
    return Planned(against.attack, _fails(game, against.attack, hits), plan.rounds)


def _without_target(game: Game, pool: PoolPlan) -> PoolPlan:
    """A pool without the parts that depend on the target."""
    kept = [part for part in pool.parts if not tells_of_target(part) and stem(part) not in FIXED]
    forced = next((part for part in pool.parts if part.key == "chance" and part.dice < 0), None)
    if forced is not None:
        return replace(pool, parts=(*kept, replace(forced, dice=-dice_of(kept))))
    return replace(game.system.pools.total(kept), again=pool.again)


def _fails(game: Game, pool: PoolPlan, hits: str) -> tuple[Chance, ...]:
    """The chances that a pool hits, and that it botches or fails dramatically."""
    outcomes = game.system.mechanic.outcomes_of(pool)
    chances = (
        (hits, 1 - Fraction(outcomes.successes[0], outcomes.total)),
        (_("botch"), Fraction(outcomes.botches, outcomes.total)),
        (_("dramatic failure"), Fraction(outcomes.dramatic, outcomes.total)),
    )
    return tuple(Chance(label, percent(chance)) for label, chance in chances if chance or label == hits)


def _for_storyteller(game: Game, attack: Attack, plan: AttackPlan) -> Planned:
    against = plan.against[0]
    found = odds(against, game.strict())
    bars = _bars(game, against, found)
    return Planned(
        against.attack,
        (),
        plan.rounds,
        against.damage,
        worded(against.damage_type) if game.system.health.one_by_one is None else "",
        against.soak,
        against.defence,
        worded(against.defence_kind),
        bars,
        max((bar.percent for bar in bars), default=100.0) or 100.0,
        _compared(game, attack, against, found),
        told_flags(plan.flags),
        against.steps,
        game.state.combatants[against.target].sheet.name,
        tuple(_met(game, each) for each in plan.against[1:]),
        against.needs if against.needed > 1 else (),
        against.needed,
        against.automatic,
    )


def _met(game: Game, against: Against) -> Met:
    found = odds(against, game.strict())
    chances = (
        Chance(_("hits"), percent(found.hit)),
        Chance(_("average"), decimal(float(found.expected))),
        Chance(_("fells"), percent(found.incapacitates)),
    )
    return Met(game.state.combatants[against.target].sheet.name, against.attack.pool, chances)


def step_in_figures(step: DamageStep) -> str:
    """A damage step in short, such as "−2"."""
    kinds = {"kind": worded(step.of or ""), "into": worded(step.into or "")}
    texts = {
        Effect.COUNT: _("1 each"),
        Effect.ADD: f"+{step.amount}",
        Effect.MOST: _("at most {amount}").format(amount=step.amount),
        Effect.LESS: f"−{step.amount}",
        Effect.CATCH: _("as much"),
        Effect.PIERCE: "0",
        Effect.STOP: _("nothing gets through"),
        Effect.SOFTEN: _("{amount} {kind} as {into}").format(amount=step.amount, **kinds),
        Effect.TURN: _("{kind} as {into}").format(**kinds),
    }
    fewer = " " + _("below {points}").format(points=step.below) if step.below else ""
    return texts[step.effect] + fewer


def _compared(game: Game, attack: Attack, against: Against, found: Odds) -> Compared:
    """The chances without defence, with the chosen one, and with the best.

    A Defense that applies by itself takes the place of no defence, and is compared to none if nothing is better.
    """
    known = prospects(game.asking(), attack)
    columns = [(_("no defence"), known.bare)]
    if known.passive:
        columns = [(_("without Defense"), known.bare)] if known.defence == DEFENSE else []
        columns.append((_answer(game, DEFENSE), known.passive))
    if against.defence_kind and against.defence_kind != known.defence:
        columns.append((_answer(game, against.defence_kind), found))
    if known.best is not None and known.defence != DEFENSE:
        columns.append((_("best: {defence}").format(defence=_answer(game, known.defence)), known.best))
    return Compared(tuple(head for head, _odds in columns), tuple(_rows([each for _head, each in columns])))


def _answer(game: Game, kind: str) -> str:
    """The name of a defence."""
    return _("Defense") if kind == DEFENSE else said(game.system.attack.defences.kinds[kind].label)


def _bars(game: Game, against: Against, found: Odds) -> tuple[Bar, ...]:
    chances = list(found.levels)
    while len(chances) > 1 and not chances[-1]:
        chances.pop()
    felled = _felled_at(game, against, len(chances))
    last = len(chances) - 1

    def bar(level: int) -> Bar:
        gathered = level == MOST_BARS < last
        share = found.at_least(level) if gathered else chances[level]
        label = f"{level}+" if gathered else _label(level)
        return Bar(label, _share(share), _kind(level, felled), _share(found.at_least(level)))

    return tuple(bar(level) for level in range(min(MOST_BARS, last) + 1))


def _label(level: int) -> str:
    return str(level) if level else _("none")


def _kind(level: int, felled: int) -> str:
    if not level:
        return ""
    return "felling" if level >= felled else "harmful"


def _felled_at(game: Game, against: Against, most: int) -> int:
    """The fewest levels of damage that put the target out of action."""
    health, sheet = game.system.health, game.state.combatants[against.target].sheet
    for level in range(most):
        if health.follows(health.inflict(sheet, level, against.damage_type)):
            return level
    return most


def _rows(columns: Sequence[Odds]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rows of the table: label, and a text for each column. Mishaps are left out if impossible."""
    figures: tuple[tuple[str, Callable[[Odds], Fraction], bool], ...] = (
        (_("hits"), lambda each: each.hit, True),
        (_("harms"), lambda each: each.harms, True),
        (_("fells"), lambda each: each.incapacitates, True),
        (_("kills"), lambda each: each.kills, True),
        (_("exceptional"), lambda each: each.exceptional, False),
        (_("botch"), lambda each: each.botch, False),
        (_("dramatic failure"), lambda each: each.dramatic, False),
    )
    yield _("average damage"), tuple(decimal(float(each.expected)) for each in columns)
    for label, figure, always in figures:
        if always or any(figure(each) for each in columns):
            yield label, tuple(percent(figure(each)) for each in columns)


def _share(chance: Fraction) -> float:
    return round(float(100 * chance), 2)
