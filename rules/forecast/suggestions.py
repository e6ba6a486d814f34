"""Suggestions for a combatant's next move: the three best, each with its command and a short reason.

Which moves are considered follows from what the combatant could know (:mod:`rules.forecast.knowledge`): nobody hidden
is a target, and those who look down are left alone. The chances are exact, from everybody's whole sheet, because the
Storyteller reads them, who knows the sheets. So the order of the targets may tell more than the combatant knows, and
suggestions are for Storytellers alone.

Attacks are ranked by the chance to take the target out in whole percents, then by the average damage, then by the
chance to hit, each against the target's best defence (:func:`rules.odds.attacks.prospects`). Of one weapon against one
target only the best way counts. A suggestion spends no points: those are the Storyteller's choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import floor

from rules.decide import decide
from rules.engine.dice import RollsDice, StopAtDice
from rules.engine.messages import Command, replay
from rules.engine.phrases import phrase, phrases
from rules.engine.violations import RuleViolation
from rules.forecast.knowledge import Memory, known
from rules.forecast.moves import HURT_FROM, Tactics
from rules.forecast.policies import Policy
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Weapon, label_of, titled
from rules.model.modifiers import RANGED, ModifierRule, Use
from rules.model.state import Encounter, Side, Status
from rules.model.system import Game, Serves, System
from rules.model.words import in_words
from rules.odds.attacks import Odds, prospects, undefended
from rules.strike.active_defence import DEFENSE
from rules.topics.commands import ClearJam, FullDefence, Leave, Reload, TakeAction
from rules.topics.firefights.stance import STANCE

MOST = 3
"""How many moves are suggested."""

GIVES_UP = 0.5
"""The share of health lost from which a human combatant may leave the fight."""

WORTH_SAYING = Fraction(1, 100)
"""Smaller chances to take somebody down aren't mentioned."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move to suggest, in phrases: what, with which weapon and in which way ("" for none), and why.

    ``odds`` are those of an attack.
    """

    command: Command
    title: str
    reason: str
    using: str = ""
    odds: Odds | None = None


def to_move(state: Encounter, system: System) -> tuple[str, ...]:
    """The ids of the combatants without a player who act now, have yet to do so, and have no attack waiting.

    Those on neither side have no opponents.
    """
    busy = {each.attack.by for each in state.exchanges}
    owing = system.turns.owing(state) if state.status is Status.RUNNING else ()
    people = {who: state.combatants[who] for who in owing if who not in busy}
    return tuple(who for who, each in people.items() if not each.player and each.side is not Side.OTHERS)


def suggestions(game: Game, who: str) -> tuple[Suggestion, ...]:
    """The best moves of a combatant, at most :data:`MOST`, the best first.

    The fight must be running. Other moves than attacks follow the attacks, at most one of them if there are attacks
    enough.
    """
    return _Advisor(game.strict(), who).found()


@dataclass(frozen=True, slots=True)
class _Blow:
    """An attack with its odds against a defence ("": none), made in some ``way`` ("": plainly)."""

    attack: Attack
    weapon: Weapon
    way: str
    odds: Odds
    defence: str = ""

    @property
    def aim(self) -> tuple[str, str]:
        """The weapon's reference and the target."""
        return self.attack.weapon, self.attack.at[0]


class _Advisor:
    """Finds a combatant's suggestions."""

    def __init__(self, game: Game, who: str) -> None:
        self.game, self.who = game, who
        self.me = game.state.combatants[who]
        self.tactics = Tactics(game.system)
        stance = STANCE.of(self.me)
        aiming, sheltered = ({who} if each else set[str]() for each in (stance.aiming, stance.shelter))
        self.known = known(game, who, Memory(aiming=aiming, sheltered=sheltered))
        self.blows = sorted(self._undefended(), key=_worth, reverse=True)

    def found(self) -> tuple[Suggestion, ...]:
        """The suggestions, best first."""
        others = list(self._others())
        attacks = [self._attack(blow) for blow in self._best(MOST - bool(others))]
        return (*attacks, *others[: MOST - len(attacks)])

    # -------------------------------------------------------------- attacks

    def _best(self, most: int) -> list[_Blow]:
        """The best attacks, one for each weapon and target, not all with one weapon if there is another."""
        found = _ranked(self.game, self.blows, most)
        weapon = found[0].attack.weapon if found else ""
        if len(found) == MOST and all(blow.attack.weapon == weapon for blow in found):
            others = (blow for blow in self.blows if blow.attack.weapon != weapon)
            found = [*found[:-1], *(_ranked(self.game, others, 1) or found[-1:])]
        return found

    def _undefended(self) -> Iterator[_Blow]:
        """Each attack that the rules allow on an opponent in sight."""
        for weapon in self.tactics.skill(self.me).weapons:
            for foe, way in product(self.known.foes, (None, *self._ways(weapon))) if weapon.works else ():
                picked = () if way is None else (Modifier(way.key),)
                attack = Attack(self.who, (foe.id,), weapon.reference, picked)
                try:
                    odds = undefended(self.game, attack)
                except RuleViolation:
                    continue
                yield _Blow(attack, weapon, "" if way is None else way.label, odds)

    def _ways(self, weapon: Weapon) -> Iterator[ModifierRule]:
        """The ways of attacking whose effect is in the odds: bursts, and aims at what takes more damage.

        Those that cost points, or Defense (an all-out attack), would only seem better than they are.
        """
        for rule in self.game.system.circumstances.played.values():
            plain = rule.offered and not (rule.reserved or rule.costs or rule.wanted or rule.figures or rule.harmless)
            fits = weapon.mode in rule.modes and (rule.fits is None or rule.fits(weapon))
            if plain and fits and Use.ATTACK in rule.uses and (rule.rounds or rule.damage):
                yield rule

    def _attack(self, blow: _Blow) -> Suggestion:
        name, weapon = self.game.state.combatants[blow.attack.at[0]].sheet.name, label_of(blow.weapon)
        using = phrase("weapon-in-way", weapon=weapon, way=blow.way) if blow.way else weapon
        reason = self._chances(blow.odds, name, blow.defence)
        return Suggestion(blow.attack, phrase("attack-name", name=name), reason, using, blow.odds)

    def _chances(self, odds: Odds, name: str, defence: str) -> str:
        """“88 % to hit, 31 % to take Marek down”; against a defence that must be given, with its name."""
        downs = odds.incapacitates >= WORTH_SAYING
        hit, then = _percent(odds.hit), _percent(odds.incapacitates if downs else odds.harms)
        if defence in ("", DEFENSE):
            return (
                phrase("chances-to-hit-and-take-down", hit=hit, then=then, name=name)
                if downs
                else phrase("chances-to-hit-and-hurt", hit=hit, then=then, name=name)
            )
        against = self.game.system.attack.defences.kinds[defence].label
        return (
            phrase("chances-against-to-hit-and-take-down", hit=hit, then=then, name=name, defence=against)
            if downs
            else phrase("chances-against-to-hit-and-hurt", hit=hit, then=then, name=name, defence=against)
        )

    # -------------------------------------------------------------- other moves

    def _others(self) -> Iterator[Suggestion]:
        """The other moves that are worth a thought now, the most urgent first."""
        moves = list(self._before_attacking())
        if self.known.lost >= HURT_FROM and self.known.foes:
            moves += [FullDefence(self.who), *self._defensive()]
        for command in moves:
            if (ended := self._allowed(command)) is not None:
                using = self._weapon(command.weapon) if isinstance(command, TakeAction) and command.weapon else ""
                yield Suggestion(command, self._title(command), self._reason(command, ended), using)

    def _defensive(self) -> Iterator[TakeAction]:
        """The system's own actions that are nothing but defence."""
        system = self.game.system
        for key, needs in system.needs.items():
            if needs.serves is Serves.DEFENCE and system.plays(needs.setting):
                yield TakeAction(key, self.who)

    def _before_attacking(self) -> Iterator[Command]:
        """What automatic play would do before its first attack that the rules allow."""
        possible = {blow.aim for blow in self.blows}
        for command in self.tactics.moves(self._policy(), self.known):
            if not isinstance(command, Attack):
                yield command
            elif (command.weapon, command.at[0]) in possible:
                return

    def _policy(self) -> Policy:
        human = self.game.system.kind(self.me.sheet.kind).human
        guns = any(held.mode in RANGED for foe in self.known.foes for held in foe.held)
        return Policy("suggested", "", gives_up=GIVES_UP if human else None, shelters=guns, aims=True)

    def _allowed(self, command: Command) -> frozenset[str] | None:
        """The conditions that a command ends for certain; ``None`` if the rules forbid it."""
        state, system = self.game.state, self.game.system
        if not system.knows(type(command)):
            return None
        try:
            after = replay(state, decide(state, command, system, StopAtDice()))
        except RollsDice:
            return frozenset()
        except RuleViolation:
            return None
        left = after.combatants.get(self.who)
        return self.me.conditions - left.conditions if left else frozenset()

    def _title(self, command: Command) -> str:
        if isinstance(command, Reload):
            return phrase("reload-named", weapon=self._weapon(command.weapon))
        if isinstance(command, ClearJam):
            return phrase("clear-jam-of", weapon=self._weapon(command.weapon))
        if isinstance(command, TakeAction):
            return self.game.system.actions[command.key].label
        return phrase("flee-from-the-fight") if isinstance(command, Leave) else phrase("only-defend")

    def _reason(self, command: Command, ended: frozenset[str]) -> str:
        """Why a move is worth a thought. ``ended`` are the conditions that it ends for certain."""
        if isinstance(command, Reload):
            return phrase("that-weapon-is-empty")
        if isinstance(command, ClearJam):
            return phrase("that-weapon-is-jammed")
        if isinstance(command, TakeAction):
            return self._purpose(command, ended)
        return self._hurt()

    def _purpose(self, command: TakeAction, ended: frozenset[str]) -> str:
        """What one of the system's own actions is good for."""
        needs = self.game.system.needs[command.key]
        if needs.handles:
            return phrase("best-weapon-isnt-in-hand")
        if needs.serves is Serves.FREEDOM:
            over = ended or {needs.only_in} - {""} or self.me.conditions
            return phrase("no-longer-so", condition=in_words(min(over)))
        if needs.serves is Serves.SHELTER:
            return phrase("harder-to-shoot")
        return phrase("next-shot-is-surer") if needs.serves is Serves.AIM else self._hurt()

    def _hurt(self) -> str:
        """“57 % of health lost, 3 opponents in sight”."""
        lost, foes = min(100, round(100 * self.known.lost)), len(self.known.foes)
        return phrases("health-lost-and-opponents", foes, lost=lost)

    def _weapon(self, reference: str) -> str:
        return titled(self.me.sheet.weapon(reference).name)


def _ranked(game: Game, blows: Iterable[_Blow], most: int) -> list[_Blow]:
    """The best attacks against the best defence, one for each weapon and target.

    ``blows`` are undefended, best first. No defence makes one better, so those that are worse undefended than the best
    are defended aren't looked at.
    """
    best: dict[tuple[str, str], _Blow] = {}
    for bare in blows:
        chosen = sorted(best.values(), key=_worth, reverse=True)[:most]
        if len(chosen) == most and _worth(bare) <= _worth(chosen[-1]):
            return chosen
        found = prospects(game, bare.attack)
        blow = bare if found.best is None else replace(bare, odds=found.best, defence=found.defence)
        best[blow.aim] = max(best.get(blow.aim, blow), blow, key=_worth)
    return sorted(best.values(), key=_worth, reverse=True)[:most]


def _worth(blow: _Blow) -> tuple[int, Fraction, Fraction]:
    """The measure by which attacks are ranked: below a whole percent, a better chance to take somebody out is noise."""
    return floor(blow.odds.incapacitates / WORTH_SAYING), blow.odds.expected, blow.odds.hit


def _percent(chance: Fraction) -> str:
    """A chance in whole percents; those that only nearly round to 0 or 100 don't."""
    if 0 < chance < WORTH_SAYING:
        return "< 1"
    return "> 99" if 1 - WORTH_SAYING < chance < 1 else str(round(100 * chance))
