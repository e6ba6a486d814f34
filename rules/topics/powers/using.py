"""Using a power: each power that is used is an action of its system, with its cost, its roll and its effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model import points
from rules.model.conditions import DEAD
from rules.model.gear import Damage
from rules.model.power_effects import AT_ONCE, Does, Effect, Lasts, Notice, Per
from rules.model.powers import Power, Reach, Timing
from rules.model.results import Outcome
from rules.model.roll import DifficultyOf, Resistance, RollTraits
from rules.model.state import Stage
from rules.model.system import Aim, Game, Needs, System, SystemPart
from rules.topics import bars, effects
from rules.topics.commands import TakeAction
from rules.topics.events import Healed, PowerUsed, TurnRecordChanged
from rules.topics.powers.beholding import unseen
from rules.topics.powers.lasting import put_on
from rules.topics.rolls.decide import roll_once

POINTS, TRAIT = "points", "trait"
_AIMS = {Reach.SELF: Aim.NOBODY, Reach.ONE: Aim.ONE, Reach.MANY: Aim.AREA}


@dataclass(frozen=True, slots=True)
class UsePower(SystemPart):
    """Use a power: pay for it, roll if it takes a roll, and put it into effect."""

    power: Power

    @property
    def label(self) -> str:
        return self.power.label

    @property
    def rule(self) -> str:
        return self.power.rule

    @property
    def needs(self) -> Needs:
        power, figures = self.power, list[Wanted]()
        if power.points:
            figures.append(Wanted(POINTS, phrase("points"), least=1, most=power.points))
        if chosen := power.chosen():
            named = tuple((key, self.system.layout.trait(key).label) for key in chosen)
            figures.append(Wanted(TRAIT, phrase("trait"), Want.CHOICE, named, needed=True))
        return Needs(
            _AIMS[power.reach],
            figures=tuple(figures),
            rolls=power.test is not None,
            instant=power.timing is Timing.ACTION,
            setting=power.setting,
            rolled=power.test.traits if power.test else (),
            power=power,
        )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """Refuses what a condition bars, what is too late in the turn, in effect already, or can't be paid for."""
        combatant, power = game.state.combatants[by], self.power
        if against := bars.barred(game, by, power.source):
            return against
        if power.timing is Timing.FIRST and game.state.ordered and game.state.stage is not Stage.INITIATIVE:
            return RuleViolation(power.rule, phrase("only-before-anybody-acts", power=power.label))
        lasts = power.reach is Reach.SELF and power.lasts is not Lasts.AT_ONCE and not power.points
        if lasts and any(one.key == power.key for one in combatant.sheet.powers):
            return bad_input(phrase("is-in-effect-already", power=power.label))
        try:
            for cost in power.costs:
                points.check(game, by, cost.resource, cost.amount)
        except RuleViolation as violation:
            return violation
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        power, by = self.power, command.by
        for at in command.at:
            game.referee.uphold(unseen(game, by, at))
        spent = int(command.figures.get(POINTS, 1))
        game.referee.uphold(self._too_high(game, command, spent))
        told: tuple[Event, ...] = effects.used(game, by, command.key) if power.timing is Timing.ACTION else ()
        for cost in power.costs:
            amount = cost.amount * (spent if power.points else 1)
            told += effects.pay(game.after(told), by, cost.resource, amount, power.label)
        successes, works = 0, True
        if power.test is not None:
            rolled = roll_once(game.after(told), self._roll(game, command))
            told += (rolled,)
            works = rolled.outcome in (Outcome.SUCCESS, Outcome.EXCEPTIONAL)
            successes = max(0, rolled.roll.roll.successes if rolled.margin is None else rolled.margin)
        affected = self._affected(game, command)
        works = works and (bool(affected) or not command.at)
        # What was done is told before what it cost.
        told = (PowerUsed(by, power.key, power.label, power.rule, command.at, works, power.notice), *told)
        if not works:
            return told
        settled = power.settled(game.combatant(by).sheet, game.system.layout, successes, spent)
        if chosen := command.figures.get(TRAIT):
            settled = power.choosing(settled, str(chosen))
        for who in dict.fromkeys((by, *affected)):
            told += self._affect(game.after(told), who, by, settled, successes)
        return told

    def _too_high(self, game: Game, command: TakeAction, spent: int) -> RuleViolation | None:
        """Refuses points for more dots than the user's Traits can have."""
        power, layout, sheet = self.power, game.system.layout, game.combatant(command.by).sheet
        if power.ceiling is None:
            return None
        most = power.ceiling(sheet, layout)
        raised = power.choosing(power.settled(sheet, layout, points=spent), str(command.figures.get(TRAIT, "")))
        for each in raised:
            over = (
                key for key in each.traits if each.does is Does.TRAIT and layout.dots(sheet, key) + each.amount > most
            )
            if key := next(over, ""):
                return RuleViolation(power.rule, phrase("raised-to-at-most", trait=layout.trait(key).label, most=most))
        return None

    def _affected(self, game: Game, command: TakeAction) -> tuple[str, ...]:
        """The targets that the power doesn't spare."""
        user, layout = game.combatant(command.by).sheet, game.system.layout
        return tuple(at for at in command.at if not self.power.spares(user, game.combatant(at).sheet, layout))

    def _roll(self, game: Game, command: TakeAction) -> RollTraits:
        test = self.power.test
        assert test is not None
        at = next(iter(command.at), "")
        difficulty: int | DifficultyOf | None = test.difficulty
        if at and test.difficulty_of:
            difficulty = DifficultyOf(at, test.difficulty_of)
        return RollTraits(
            command.by,
            test.traits,
            difficulty,
            command.modifiers,
            Resistance(at, test.resist, test.resist_difficulty) if at and test.resist else None,
            label=self.power.label,
            secret=self.power.notice is not Notice.SEEN and not game.combatant(command.by).player,
        )

    def _affect(self, game: Game, who: str, by: str, settled: Iterable[Effect], successes: int) -> tuple[Event, ...]:
        """What the power does to one of those affected: at once, and as long as it lasts."""
        power = self.power
        # Those aimed at take what is meant for targets; aimed at nobody else, the user takes everything.
        mine = [each for each in settled if power.reach is Reach.SELF or each.on_target is (who != by)]
        told: tuple[Event, ...] = ()
        for each in mine:
            if each.does in AT_ONCE:
                told += _AT_ONCE[each.does](game.after(told), who, each, power.rule)
        lasting = [each for each in mine if each.does not in AT_ONCE]
        if not lasting:
            return told
        if power.lasts is Lasts.AT_ONCE:
            given = frozenset(each.condition for each in lasting if each.does is Does.CONDITION)
            return (*told, *effects.marked(game.after(told), who, given))
        factor = {Per.SUCCESSES: successes, Per.RATING: power.dots(game.combatant(by).sheet, game.system.layout)}
        turns = power.turns * factor.get(power.turns_per, 1)
        until = game.state.turn + turns - 1 + power.beyond if power.lasts is Lasts.TURN else 0
        one = power.in_effect(lasting, turn=until, hours=power.hours, by=by if who != by else "")
        return (*told, *put_on(game.after(told), who, one, adds=bool(power.points)))


def _heal(game: Game, who: str, effect: Effect, rule: str) -> tuple[Event, ...]:
    """Heal levels, the most severe of the types that the effect heals first; nothing heals the dead."""
    if DEAD in game.combatant(who).conditions:
        return ()
    before, left = game.combatant(who).sheet, effect.amount
    sheet, healed = before, dict[str, int]()
    for damage in sorted(effect.damage or {Damage.BASHING}, key=lambda each: -each.severity):
        sheet, done = game.system.health.remove(sheet, left, damage)
        left -= done
        if done:
            healed[damage.value] = done
    return (Healed(who, healed, rule=rule), effects.boxes(game, who, sheet)) if healed else ()


def _actions(game: Game, who: str, effect: Effect, rule: str) -> tuple[Event, ...]:
    """Add further actions to the turn."""
    record = game.combatant(who).turn
    more = (game.system.turns.fast,) * effect.amount
    return (TurnRecordChanged(who, replace(record, actions=(*record.actions, *more))),) if more else ()


def _cure(game: Game, who: str, effect: Effect, rule: str) -> tuple[Event, ...]:
    """End a condition."""
    return effects.marked(game, who, frozenset(), frozenset({effect.condition}))


def _first(game: Game, who: str, effect: Effect, rule: str) -> tuple[Event, ...]:
    """Move somebody to the first place of the turn."""
    return game.system.turns.to_front(game.state, who)


_AT_ONCE = {Does.HEAL: _heal, Does.ACTIONS: _actions, Does.FIRST: _first, Does.CURE: _cure}


def power_actions(powers: Iterable[Power]) -> Mapping[str, UsePower]:
    """An action for each power that is used, by its key."""
    return {each.key: UsePower(each) for each in powers if each.timing is not Timing.ALWAYS}


def with_powers(system: System, own: Iterable[Power]) -> System:
    """A system plus a chronicle's own powers."""
    more = tuple(own)
    return (
        replace(system, powers=(*system.powers, *more), actions={**system.actions, **power_actions(more)})
        if more
        else system
    )
