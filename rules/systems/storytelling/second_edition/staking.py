"""A stake through the heart of the dead, and its effects over the following nights (CD-VAMP-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.conditions import DEAD, STAKED, TORPOR
from rules.model.gear import Damage
from rules.model.modifiers import ModifierRule, fixed
from rules.model.results import AttackResult, Outcome
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.topics import effects
from rules.topics.events import Followed, Harmed, ResourceChanged
from rules.topics.health.blood import DUSK
from rules.topics.health.resting import RESTED

STAKE = "stake"
HEART = "target_heart"
POINTS = 5
LETHAL_FROM = 3
VITAE = "vitae"


def is_staking(strike: Strike) -> bool:
    """Whether this is a wooden stake aimed at an undead heart."""
    aimed = not strike.picked.keys().isdisjoint({STAKE, HEART})
    return aimed and STAKE in strike.weapon.tags and strike.system.kind(strike.victim.sheet.kind).undead


def stake_modifier(rule: str, group: str) -> ModifierRule:
    """A stake through the heart: a specified target that requires a stake."""
    return ModifierRule(
        STAKE,
        phrase("stake-through-heart"),
        rule,
        fixed(dice=-4),
        aims_at="torso",
        group=group,
        includes=frozenset({HEART}),
    )


@dataclass(frozen=True, slots=True)
class Staking(Facet):
    """An exceptional success with at least five points, all lethal, stakes one of the dead."""

    rule: str

    def check(self, strike: Strike) -> None:
        if STAKE in strike.picked and STAKE not in strike.weapon.tags:
            strike.game.referee.forbid(self.rule, phrase("isnt-wooden-stake", weapon=strike.weapon.name))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        done = result.done
        if done is None or result.outcome is not Outcome.EXCEPTIONAL or not is_staking(strike):
            return ()
        lethal = all(damage is Damage.LETHAL for damage, _amount in done.points)
        if not lethal or done.dealt < POINTS or DEAD in strike.victim.conditions:
            return ()
        return (Followed(strike.target, STAKED, self.rule), *effects.marked(game, strike.target, frozenset({STAKED})))

    def passes(self, who: str, hours: int, game: Game) -> tuple[Event, ...]:
        combatant = game.combatant(who)
        # Parts of a day add up: the rest so far already includes these hours.
        rest = RESTED.of(combatant)
        before = (rest.hours - hours) % 24 if rest else 0
        return _nights(game, who, (before + hours) // 24, self.rule) if STAKED in combatant.conditions else ()


def _nights(game: Game, who: str, count: int, rule: str) -> tuple[Event, ...]:
    """The effects of that many nights on a staked vampire: Vitae every dusk, then lethal damage until torpor."""
    combatant, health = game.combatant(who), game.system.health
    vitae = game.system.layout.points(combatant.sheet, VITAE)
    spent = min(vitae, count)
    told: tuple[Event, ...] = (ResourceChanged(who, VITAE, vitae - spent, spent, DUSK),) if spent else ()
    sheet, nights = combatant.sheet, 0
    while nights < count - spent and health.follows(sheet).isdisjoint({TORPOR, DEAD}):
        sheet, nights = health.inflict(sheet, 1, Damage.LETHAL), nights + 1
    if not nights:
        return told
    starved = Harmed(who, nights, Damage.LETHAL, phrase("night-without-vitae"), rule)
    return (*told, starved, *effects.harm(game.after(told), who, nights, Damage.LETHAL))
