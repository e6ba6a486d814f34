"""What a policy would do next: commands, the best first.

Pure functions of what the combatant knows. The rules may still forbid a command: then the next one is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.engine.inputs import Want
from rules.engine.messages import Command
from rules.forecast.knowledge import Known, Seen
from rules.forecast.policies import Arms, Guard, Policy, Spends, Whom
from rules.model.attack import Attack
from rules.model.choices import Figure, Modifier
from rules.model.gear import BARE_HANDS, GONE, Fault, Weapon, loaded
from rules.model.modifiers import RANGED, Use
from rules.model.sheet import Sheet
from rules.model.state import Combatant
from rules.model.system import Aim, Needs, Serves, System
from rules.strike.drawing import can_be_drawn
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import ClearJam, Declare, Leave, Reload, TakeAction
from rules.topics.firefights.stance import PARTIAL
from rules.topics.turns.record import DEFENSIVE

HURT_FROM = 1 / 3
"""The share of health lost from which somebody spends points because they are hurt."""

MOST_EXTRA = 2
"""Extra actions that are bought one by one in a turn, at most."""

MOST_TARGETS = 3
"""Targets that are tried with each weapon."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What somebody's own sheet and the rulebook say of their options: worked out once for each sheet."""

    weapons: tuple[Weapon, ...]
    """Their weapons and bare hands, the best first, as they were on the sheet."""
    defences: tuple[str, ...]
    """The kinds of defence, the largest pool first."""


@dataclass
class Tactics:
    """Moves by the rulebook of one system. Keeps what it has worked out from the sheets of a fight."""

    system: System
    _skills: dict[tuple[object, ...], tuple[Sheet, Skill]] = field(default_factory=dict)
    _actions: dict[Serves, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        played = {key: each for key, each in self.system.needs.items() if self.system.plays(each.setting)}
        self._actions = {what: tuple(key for key in played if played[key].serves is what) for what in Serves}

    # -------------------------------------------------------------- declaring

    def declarations(self, policy: Policy, known: Known) -> Iterator[Declare]:
        """What to declare for this turn, where declarations are made."""
        turns, me = self.system.turns, known.me
        weapon = next(self._usable(policy, known), FISTS)
        foes = self.ranked(policy, known)
        at = foes[0].id if foes else ""
        action = weapon.mode.value
        fast = (turns.fast,) * self._extra(policy, known)
        defences = [key for key in self.skill(known.me).defences if key in DEFENSIVE]
        if policy.guard is not Guard.NOTHING and turns.shares and defences:
            yield Declare(me.id, actions=(action, defences[0], *fast), at=at)
        if fast:
            yield Declare(me.id, actions=(action, *fast), at=at)
        if turns.declares:
            yield Declare(me.id, actions=(action,), at=at)

    def _extra(self, policy: Policy, known: Known) -> int:
        """How many extra actions to declare."""
        turns, sheet = self.system.turns, known.me.sheet
        if not turns.fuel or not turns.shares or not self._spends(policy, known):
            return 0
        most = min(MOST_EXTRA, turns.most_fast(sheet)) if turns.bought else turns.most_fast(sheet)
        price = turns.price((turns.fast,) * most)
        return most if 0 < price <= self.system.layout.points(sheet, turns.fuel) else 0

    # -------------------------------------------------------------- acting

    def moves(self, policy: Policy, known: Known) -> Iterator[Command]:
        """What to do at one's own moment of the turn."""
        if policy.gives_up is not None and known.lost >= policy.gives_up:
            yield from self._serving(Serves.SURRENDER, known)
            yield Leave(known.me.id)
        if known.me.conditions:
            yield from self._serving(Serves.FREEDOM, known)
        foes = self.ranked(policy, known)[:MOST_TARGETS]
        for weapon in self.skill(known.me, policy.arms).weapons if foes else ():
            now = _as_held(known.me.sheet, weapon)
            if now is not None:
                yield from self._with(policy, known, now, foes)
        if known.me.conditions:
            yield from self._serving(Serves.SURRENDER, known)

    def ranked(self, policy: Policy, known: Known) -> list[Seen]:
        """The opponents to attack, best first."""
        order = _ORDERS[policy.whom](known)
        near = _near(known)
        return sorted(known.foes, key=lambda foe: (order(foe), near(foe)))

    def _with(self, policy: Policy, known: Known, weapon: Weapon, foes: Sequence[Seen]) -> Iterator[Command]:
        """What can be done with a weapon: attack, or get it ready."""
        me = known.me.id
        if weapon.fault is Fault.JAMMED:
            yield ClearJam(me, weapon.reference)
        elif weapon.fault is None and can_be_drawn(weapon):
            yield TakeAction("draw", me, weapon=weapon.reference)
        elif weapon.works and weapon.clip is not None and not loaded(weapon):
            yield Reload(me, weapon.reference)
        elif weapon.works:
            yield from self._attacks(policy, known, weapon, foes)

    def _attacks(self, policy: Policy, known: Known, weapon: Weapon, foes: Sequence[Seen]) -> Iterator[Command]:
        """Attacks with a weapon that is ready on those whom it reaches, after what makes a shot better."""
        me = known.me.id
        reached = [foe for foe in foes if not (weapon.mode.close and foe.gap)]
        if not reached:
            return
        if weapon.mode in RANGED:
            yield from self._prepared(policy, known, weapon, reached[0])
        bought = self._bought(policy, known)
        for foe in reached:
            distance = foe.gap or None
            if bought:
                yield Attack(me, (foe.id,), weapon.reference, bought, distance)
            yield Attack(me, (foe.id,), weapon.reference, (), distance)

    def _prepared(self, policy: Policy, known: Known, weapon: Weapon, foe: Seen) -> Iterator[Command]:
        """Cover and an aim before a shot."""
        if policy.shelters and not known.sheltered:
            yield from self._serving(Serves.SHELTER, known)
        if policy.aims and not known.aiming:
            yield from self._serving(Serves.AIM, known, foe.id, weapon.reference)

    def _serving(self, what: Serves, known: Known, at: str = "", weapon: str = "") -> Iterator[TakeAction]:
        """The actions that serve something."""
        for key in self._actions[what]:
            needs = self.system.needs[key]
            if not needs.only_in or needs.only_in in known.me.conditions:
                aimed = (at,) if at and needs.aim is not Aim.NOBODY else ()
                yield TakeAction(key, known.me.id, aimed, figures=_figures(needs), weapon=weapon)

    def _usable(self, policy: Policy, known: Known) -> Iterator[Weapon]:
        """The weapons that somebody has and that are not broken, best first."""
        held = (_as_held(known.me.sheet, each) for each in self.skill(known.me, policy.arms).weapons)
        return (each for each in held if each is not None and each.fault is None)

    def _spends(self, policy: Policy, known: Known) -> bool:
        if policy.spends is Spends.HURT:
            return known.lost >= HURT_FROM
        return policy.spends is Spends.ALWAYS

    def _bought(self, policy: Policy, known: Known) -> tuple[Modifier, ...]:
        """The circumstance that a point buys for an attack, if the policy spends one and there is one left."""
        if not self._spends(policy, known):
            return ()
        for key, rule in self.system.circumstances.played.items():
            costs = rule.costs and Use.ATTACK in rule.uses and not rule.wanted
            if costs and self.system.layout.points(known.me.sheet, rule.costs):
                return (Modifier(key),)
        return ()

    # -------------------------------------------------------------- defending

    def defences(self, policy: Policy, me: Combatant) -> tuple[str, ...]:
        """The kinds of defence to try against an attack, best first; none if the policy keeps the action."""
        turn = me.turn
        ready = turn.full_defence or DEFENSIVE.intersection(turn.actions)
        willing = policy.guard is Guard.ACTIONS or (policy.guard is Guard.DICE and turn.acted)
        return self.skill(me).defences if ready or (willing and turn.actions) else ()

    def gives_up_action(self, me: Combatant) -> bool:
        """Whether a defence takes giving up an action first."""
        turn = me.turn
        kept = turn.full_defence or DEFENSIVE.intersection(turn.actions)
        return self.system.turns.aborts and bool(turn.actions) and not kept

    # -------------------------------------------------------------- a sheet's options

    def skill(self, me: Combatant, arms: Arms = Arms.BEST) -> Skill:
        """The options of somebody's own sheet."""
        sheet = me.sheet
        weapons = tuple([weapon.reference for weapon in sheet.weapons])
        # These are the same objects in every copy of a sheet in which only harm, points or rounds have changed.
        key = (me.id, id(sheet.traits), id(sheet.shape), id(sheet.powers), weapons, arms)
        if key not in self._skills:
            # Harm is left out, so that it doesn't matter which fight asks first. The sheet keeps the ids from being
            # used again.
            self._skills[key] = sheet, self._worked_out(replace(sheet, marks=(), injuries=()), arms)
        return self._skills[key][1]

    def _worked_out(self, sheet: Sheet, arms: Arms) -> Skill:
        bare = any(weapon.name == BARE_HANDS for weapon in sheet.weapons)
        weapons = (*sheet.at_hand, *(() if bare else (FISTS,)))
        rating = {weapon.reference: self._rating(sheet, weapon) for weapon in weapons}

        def standing(weapon: Weapon) -> tuple[bool, float]:
            return _ARMS[arms](weapon), rating[weapon.reference]

        attack = self.system.attack
        pools: dict[str, int] = {}
        # Where Defense applies by itself, an answer only gives it up.
        for kind, rule in attack.defences.kinds.items() if not attack.defences.changes else ():
            if not rule.attacks:
                parts = self.system.pools.dice(sheet, rule.traits, rule.rule, rule.key)
                pools[kind] = self.system.pools.total(parts).pool
        return Skill(
            tuple(sorted(weapons, key=standing, reverse=True)),
            tuple(sorted(pools, key=pools.__getitem__, reverse=True)),
        )

    def _rating(self, sheet: Sheet, weapon: Weapon) -> float:
        """A rough measure of a weapon in somebody's hands: its dice to hit, its damage and how grave that is."""
        dice = self.system.attack.pool_of(sheet, weapon).pool
        added = self.system.layout.dots(sheet, weapon.damage_from) if weapon.damage_from else 0
        return dice * (1 + weapon.damage + added) * (1 + weapon.type.severity / 2)


def _as_held(sheet: Sheet, weapon: Weapon) -> Weapon | None:
    """A weapon as it is now, ``None`` if it is gone."""
    if weapon is FISTS:
        return weapon
    now = next((each for each in sheet.at_hand if each.reference == weapon.reference), None)
    return None if now is None or now.fault in GONE else now


def _figures(needs: Needs) -> dict[str, Figure]:
    """The inputs without which an action is refused: the middle choice, or partial cover."""
    found: dict[str, Figure] = {}
    for wanted in needs.figures:
        if wanted.needed and wanted.kind is Want.CHOICE:
            keys = [key for key, _label in wanted.choices]
            found[wanted.key] = PARTIAL if PARTIAL in keys else keys[len(keys) // 2]
    return found


_ARMS: dict[Arms, Callable[[Weapon], bool]] = {
    Arms.BEST: lambda weapon: True,
    Arms.CLOSE: lambda weapon: weapon.mode.close,
    Arms.RANGED: lambda weapon: weapon.mode in RANGED,
}

Order = Callable[[Seen], tuple[int, ...]]


def _near(known: Known) -> Order:
    """Those within reach before others, then the one attacked last, then the one opposite."""
    seats = {foe.id: seat for seat, foe in enumerate(known.foes)}

    def order(foe: Seen) -> tuple[int, ...]:
        opposite = (seats[foe.id] - known.place) % len(seats)
        return foe.gap, foe.id != known.last, known.me.id not in foe.attacks, opposite

    return order


def _threat(known: Known) -> Order:
    weakest = max(known.friends, key=lambda each: each.looks, default=None)
    return lambda foe: (weakest is None or weakest.id not in foe.attacks,)


_ORDERS: dict[Whom, Callable[[Known], Order]] = {
    Whom.NEAREST: lambda known: lambda foe: (),
    Whom.WEAKEST: lambda known: lambda foe: (-foe.looks,),
    Whom.STRONGEST: lambda known: lambda foe: tuple(-each for each in foe.danger),
    Whom.THREAT: _threat,
}
