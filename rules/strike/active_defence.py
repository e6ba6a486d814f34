"""Active defences, the target's answers to an attack: dodge, parry, block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.choices import Defence, DefenceRule, Modifier
from rules.model.gear import BARE_HANDS, Damage, Mode, Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Against, Part, PoolPlan, dice_of
from rules.model.power_effects import Pool
from rules.model.sheet import Sheet
from rules.model.state import TurnRecord
from rules.model.system import Game, SystemPart
from rules.strike.facets import Strike
from rules.topics.turns.course import sheet_now

DEFENSE = "defense"
"""Key prefix of the pool parts through which Defense takes dice from an attack."""

_CLOSE_ONLY = {
    "parry": phrase("only-close-attacks-can-be-parried"),
    "block": phrase("only-close-attacks-can-be-blocked"),
}


@dataclass(frozen=True, slots=True)
class Defences(SystemPart):
    """The answers a target may give to an attack, if any: those ``known`` whose house rule is on.

    ``plain`` labels the choice not to answer. Where Defense applies automatically an answer only changes it
    (``changes``), so nobody is asked about an attack it does not apply to. ``free`` answers cost nothing.
    """

    known: Mapping[str, DefenceRule] = field(default_factory=dict)
    plain: str = phrase("no-defence")
    changes: bool = False
    free: frozenset[str] = frozenset()

    @property
    def kinds(self) -> Mapping[str, DefenceRule]:
        """The answers by key."""
        return {key: rule for key, rule in self.known.items() if self.system.plays(rule.setting)}

    def differ(self, answers: Sequence[Against]) -> bool:
        """Whether a target has a choice: more than one possible answer or, with Defense, one that changes it."""
        return len(set(map(defense_of, answers)) if self.changes else answers) > 1

    def check_kinds(self, command: Attack) -> None:
        """Reject ("input") unknown answers."""
        for defence in command.defences.values():
            if defence.kind:
                self.rule(defence)

    def rule(self, defence: Defence) -> DefenceRule:
        """The rule of an answer; raises "input" for an unknown one."""
        if defence.kind not in self.kinds:
            raise bad_input(phrase("there-is-no-defence-called", kind=defence.kind))
        return self.kinds[defence.kind]

    def answer(self, strike: Strike, against: Against) -> tuple[Against, TurnRecord]:
        """The attack after the defender's chosen answer, and the defender's updated turn."""
        kind, record = strike.answer, strike.victim.turn
        return replace(against, defence_kind=kind) if kind else against, record


@dataclass(frozen=True, slots=True)
class ActiveDefence(Defences):
    """Rolled defences that cancel successes (MQ-DEF-1 to MQ-DEF-4).

    ``close_only`` answers work only against close attacks; ``blockable`` attacks can be blocked by anybody while they
    are bashing.
    """

    close_only: frozenset[str] = frozenset({"parry", "block"})
    blockable: frozenset[Mode] = frozenset({Mode.UNARMED})

    def check_kinds(self, command: Attack) -> None:
        """No check here: an answer is looked up when it is given."""

    def answer(self, strike: Strike, against: Against) -> tuple[Against, TurnRecord]:
        """With the defence's pool, and the counter-damage of an unarmed parry (MQ-DEF-2)."""
        defence = strike.command.defences.get(strike.target)
        if defence is None or not defence.kind:
            return against, strike.victim.turn
        game, weapon, victim = strike.game, strike.weapon, strike.victim.sheet
        self.check(game, strike.target, defence, replace(weapon, type=against.damage_type))
        pool, record = self.pool(game, strike.target, defence, weapon, strike.command.by)
        against = replace(against, defence_kind=defence.kind, defence=pool)
        parrying = parrying_weapon(victim, defence) if defence.kind == "parry" else None
        if parrying and weapon.mode is Mode.UNARMED and parrying.type is not Damage.BASHING:
            against = self._struck_back(against, strike.sheet, victim, parrying)
        return against, record

    def _struck_back(self, against: Against, attacker: Sheet, victim: Sheet, parrying: Weapon) -> Against:
        damage = self.system.attack.damage
        assert damage is not None, "what is defended against by rolls has damage rolls"
        kind = damage.type(parrying, attacker, ())
        soak = damage.soak(attacker, kind, parrying)
        return replace(against, counter=damage.pool(victim, parrying), counter_type=kind, counter_soak=soak)

    def check(self, game: Game, target: str, defence: Defence, attack: Weapon) -> None:
        """Forbid a defence that this attack does not allow or the target cannot make."""
        rule = self.rule(defence)
        self.system.circumstances.check(defence.modifiers, Use.DEFENCE)
        sheet = game.state.combatants[target].sheet
        self.system.turns.check_able(game, target)
        if rule.key in self.close_only and not attack.mode.close:
            game.referee.forbid(rule.rule, _CLOSE_ONLY[rule.key])
        if rule.key == "parry" and parrying_weapon(sheet, defence) is None:
            game.referee.forbid(rule.rule, phrase("has-no-weapon-in-hand-to-parry", name=sheet.name))
        if rule.key == "block":
            plain = attack.mode in self.blockable and attack.type is Damage.BASHING
            if not plain and not sheet.sound_armor and not self.system.layout.dots(sheet, "fortitude"):
                message = phrase("needs-fortitude-or-armour-to-block", name=sheet.name)
                game.referee.forbid(rule.rule, message)

    def pool(
        self,
        game: Game,
        target: str,
        defence: Defence,
        attack: Weapon,
        by: str,
    ) -> tuple[PoolPlan, TurnRecord]:
        """The defender's pool, and her turn's record including this defence.

        On an all-defence turn each defence after the first loses a die (MQ-DEF-4).
        """
        rule = self.rule(defence)
        sheet = sheet_now(game.state, target)
        before = game.state.combatants[target].turn
        parts = [
            *self.system.pools.dice(sheet, rule.traits, rule.rule, rule.key),
            *self.system.pools.hampering(game.state, target, rule.traits),
        ]
        record, used = self.system.turns.use_defence(game, target, rule.key)
        if before.full_defence:
            parts.extend(self._worn(before))
        else:
            share, record = self.system.turns.shared(parts, record, used, defence.modifiers, game.referee)
            parts.extend(share)
        seen = several_attackers(
            defence.modifiers, {*before.attackers, by} if attack.mode.close else set(before.attackers)
        )
        own = game.state.combatants[target].conditions
        base = int(self.system.settings["defence_difficulty"])
        best = self.system.layout.specialties(sheet, rule.traits)
        circumstances = Circumstances(base=base, use=Use.DEFENCE, conditions=own, specialties=best)
        parts.append(self.system.pools.difficulty(base, rule.label, rule.rule))
        parts.extend(self.system.pools.of_conditions(own))
        parts.extend(self.system.circumstances.parts(seen, circumstances))
        parts.extend(self.system.in_play.parts(sheet, Pool.DEFENCE, rule.traits, attack.mode, tags=attack.tags))
        return self.system.pools.total(parts, strikes=defence.strike), record

    def _worn(self, record: TurnRecord) -> tuple[Part, ...]:
        again = Part("again", phrase("earlier-defences"), self.system.cites["full_defence"], dice=-record.defences)
        return (again,) if record.defences else ()


def defense_of(against: Against) -> int:
    """The dice that Defense takes from an attack as part of its pool."""
    return -dice_of(defense_in(against.attack.parts))


def defense_in(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts of an attack's pool that are Defense, and count."""
    return tuple(part for part in parts if part.key.partition(":")[0] == DEFENSE and not part.struck)


def parrying_weapon(sheet: Sheet, defence: Defence) -> Weapon | None:
    """The close weapon used to parry: the one named, else the first usable one in hand; bare hands do not count."""
    fit = [weapon for weapon in sheet.weapons if weapon.mode is Mode.MELEE and weapon.works]
    if not defence.weapon:
        return fit[0] if fit else None
    if defence.weapon == BARE_HANDS:
        return None
    named = sheet.weapon(defence.weapon)
    return named if named in fit else None


def several_attackers(modifiers: tuple[Modifier, ...], attackers: set[str]) -> tuple[Modifier, ...]:
    """The modifiers, adding multiple close attackers unless their number is already picked."""
    if len(attackers) < 2 or any(modifier.key == "several_attackers" for modifier in modifiers):
        return modifiers
    return (*modifiers, Modifier("several_attackers", {"count": len(attackers)}))
