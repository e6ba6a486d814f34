"""What a power changes for ordinary people: the pools of attacks and rolls without it and with it, and their chances.

The one who has it and the other are plain creatures (:mod:`rules.model.plain`), in a fight of their own that nobody
plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules.engine.violations import Referee, RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import BARE_HANDS, Damage, Mode, Weapon
from rules.model.plain import USUAL, plain_traits
from rules.model.plan import Against, PoolPlan
from rules.model.power_effects import AT_ONCE, POOLED, Does, Effect, Pool
from rules.model.powers import Power
from rules.model.roll import RollTraits
from rules.model.sheet import Category, Sheet
from rules.model.state import Combatant, Encounter, Status
from rules.model.system import Game, System
from rules.odds.answers import best_answer
from rules.odds.attacks import Odds, each_answer, odds
from rules.odds.rolls import RollOdds, roll_odds
from rules.strike.attack import plan_answered
from rules.topics.rolls.pools import plan_roll

USER, OTHER = "user", "other"
SUCCESSES = 2
"""The successes of the power's own roll in the example."""

DEALT = frozenset({Pool.ATTACK, Pool.DAMAGE})
SUFFERED = frozenset({Pool.SOAK, Pool.DEFENCE, Pool.AGAINST})
_RANGE = (20, 40, 80)


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack without the power and with it: by the user, or (``suffered``) on the user."""

    suffered: bool
    weapon: Weapon
    without: Against
    having: Against
    odds_without: Odds
    odds_having: Odds


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll of Traits without the power and with it: by the user, or by the ``other`` whom it affects."""

    other: bool
    traits: tuple[str, ...]
    without: PoolPlan
    having: PoolPlan
    odds_without: RollOdds
    odds_having: RollOdds


@dataclass(frozen=True, slots=True)
class Shown:
    """All that a power changes in the example: the user's kind, and what is assumed of dots, successes and points."""

    kind: str
    rating: int
    successes: int
    points: int
    blows: tuple[Blow, ...]
    casts: tuple[Cast, ...]
    initiative: tuple[int, int] | None


def shown(system: System, power: Power) -> Shown:
    """What a power of a system changes in the example."""
    user, other = _user(system, power), Sheet("", "mortal", plain_traits(system, "mortal"))
    successes, points = SUCCESSES if power.test else 0, power.points
    settled = power.settled(user, system.layout, successes, max(1, points))
    if choice := power.chosen():
        settled = power.choosing(settled, choice[0])
    lasting = [each for each in settled if each.does not in AT_ONCE]
    before = _fight(system, user, other)
    after = _fight(system, _with(user, power, lasting, on_target=False), _with(other, power, lasting, on_target=True))
    compared = _Compared(before, after, tuple(lasting))
    ratings = [system.initiative.rating(each.state.combatants[USER].sheet) for each in (before, after)]
    return Shown(
        user.kind,
        power.dots(user, system.layout),
        successes,
        points,
        tuple(compared.blows()),
        tuple(compared.casts()),
        (ratings[0], ratings[1]) if ratings[0] != ratings[1] else None,
    )


def _user(system: System, power: Power) -> Sheet:
    """A plain creature that has the power, of a kind that can."""
    can = [each for each in system.kinds if not power.kinds or system.layout.likes.get(each, each) in power.kinds]
    has = [each for each in can if any(trait.key == power.trait for trait in system.layout.traits_for(each))]
    # Those whose own power it is have more Traits than others that can learn it.
    kind = max(has, key=lambda each: len(system.layout.traits_for(each))) if has else can[0]
    traits = plain_traits(system, kind)
    if power.trait:
        traits[power.trait] = max(power.rating, USUAL)
    return Sheet("", kind, traits, frozenset({power.entry} - {""}))


def _with(sheet: Sheet, power: Power, lasting: Iterable[Effect], *, on_target: bool) -> Sheet:
    mine = [each for each in lasting if each.on_target is on_target]
    return replace(sheet, powers=(power.in_effect(mine),)) if mine else sheet


def _fight(system: System, user: Sheet, other: Sheet) -> Game:
    """A fight of two, in which the powers in effect have brought about their conditions."""

    def combatant(who: str, sheet: Sheet) -> Combatant:
        brought = frozenset[str]().union(*(one.conditions for one in sheet.powers))
        return Combatant(who, system.health.fitted(sheet), conditions=brought)

    people = {USER: combatant(USER, user), OTHER: combatant(OTHER, other)}
    return Game(Encounter(status=Status.RUNNING, combatants=people), system)


@dataclass(frozen=True, slots=True)
class _Compared:
    """The same fight without a power and with it; ``effects`` are those of the power that last."""

    before: Game
    after: Game
    effects: tuple[Effect, ...]

    def blows(self) -> Iterator[Blow]:
        """The attacks that it changes, by the user and on the user."""
        for suffered in (False, True):
            found = self._blow(suffered=suffered)
            if found is not None and found.without != found.having:
                yield found

    def _blow(self, *, suffered: bool) -> Blow | None:
        by, at = (OTHER, USER) if suffered else (USER, OTHER)
        grown = next((each.weapon for each in self._effects(Does.WEAPON, by) if each.weapon), None)
        weapon = grown or self._sample(by, at)
        armed = self._armed(self.after, by, None if grown else weapon)
        plain = self._armed(self.before, by, None if grown else weapon)
        attack = Attack(by, (at,), weapon.name)
        try:
            answer = self._answer(armed, attack, at)
            having = plan_answered(armed, attack, at, answer)
            bare = replace(attack, weapon=BARE_HANDS) if grown else attack
            without = plan_answered(plain, bare, at, answer)
        except RuleViolation:
            return None
        return Blow(suffered, weapon, without, having, odds(without, plain), odds(having, armed))

    def _effects(self, does: Does, who: str) -> Iterator[Effect]:
        return (each for each in self.effects if each.does is does and each.on_target is (who == OTHER))

    def _sample(self, by: str, at: str) -> Weapon:
        """Bare hands, or a weapon of the mode and the damage type that the power is limited to."""
        modes, damage = frozenset[Mode](), frozenset[Damage]()
        for each in self.effects:
            holder = OTHER if each.on_target else USER
            dealt = each.does is Does.DAMAGE or bool(each.pools & DEALT)
            if (holder == by and dealt) or (holder == at and each.pools & SUFFERED):
                modes |= each.modes
                damage |= each.damage if each.does in POOLED else frozenset()
        mode = next((each for each in Mode if each in modes), Mode.UNARMED)
        kind = next((each for each in Damage if each in damage), Damage.BASHING)
        if mode is Mode.UNARMED and kind is Damage.BASHING:
            return Weapon(BARE_HANDS, Mode.UNARMED)
        mode = Mode.MELEE if mode is Mode.UNARMED and not modes else mode
        return Weapon("weapon", mode, 1, "" if mode is Mode.FIREARM else "strength", kind, range=_RANGE)

    def _armed(self, game: Game, who: str, weapon: Weapon | None) -> Game:
        if weapon is None or weapon.name == BARE_HANDS:
            return game
        one = game.state.combatants[who]
        armed = replace(one, sheet=replace(one.sheet, weapons=(weapon,)))
        return game.at(replace(game.state, combatants={**game.state.combatants, who: armed}))

    def _answer(self, game: Game, attack: Attack, at: str) -> Defence:
        """The best defence if the power changes defences, otherwise none."""
        if not any(Pool.DEFENCE in each.pools and each.on_target is (at == OTHER) for each in self.effects):
            return Defence()
        best = best_answer(game, attack, at) or next((kind for kind, _odds in each_answer(game, attack, at)), "")
        return Defence(best)

    def casts(self) -> Iterator[Cast]:
        """The rolls that it changes, one for each Trait that it names."""
        seen = set[tuple[bool, tuple[str, ...]]]()
        for effect in self.effects:
            for traits in self._rolled(effect):
                if (effect.on_target, traits) not in seen:
                    seen.add((effect.on_target, traits))
                    cast = self._cast(traits, other=effect.on_target)
                    if cast is not None and cast.without != cast.having:
                        yield cast

    def _rolled(self, effect: Effect) -> Iterator[tuple[str, ...]]:
        """The Traits of the rolls that show an effect."""
        system = self.after.system
        if effect.does is Does.SIGHT:
            yield system.perception
        if Pool.ROLL in effect.pools or effect.does is Does.TRAIT:
            attributes = (each.key for each in system.layout.traits() if each.category is Category.ATTRIBUTE)
            for trait in sorted(effect.traits) or [next(attributes)]:
                yield _rollable(system, trait)

    def _cast(self, traits: tuple[str, ...], *, other: bool) -> Cast | None:
        command = RollTraits(OTHER if other else USER, traits)
        try:
            without, having = plan_roll(self.before, command), plan_roll(self.after, command)
        except RuleViolation:
            return None
        mechanic = self.after.system.mechanic
        return Cast(other, traits, without, having, roll_odds(without, mechanic), roll_odds(having, mechanic))


def _rollable(system: System, trait: str) -> tuple[str, ...]:
    """The Trait alone or with the first Attribute that it can be rolled with."""
    attributes = [each.key for each in system.layout.traits() if each.category is Category.ATTRIBUTE]
    pairs = ((trait,), *((each, trait) for each in attributes if each != trait))
    return next(traits for traits in pairs if _fit(system, traits))


def _fit(system: System, traits: tuple[str, ...]) -> bool:
    """Whether Traits may be rolled together."""
    try:
        system.pools.check(traits, Referee())
    except RuleViolation:
        return False
    return True
