"""What is asked: answers to attacks, rolls that wait, mishaps to settle."""

from __future__ import annotations

from collections.abc import Iterable

from combat.perspectives.fight import Fight
from combat.perspectives.holds import player_grapples, storyteller_grapples
from combat.perspectives.panes import Ask, Asks, FireAsk, MishapAsk, StorytellerAsks, Waiting
from combat.perspectives.people import weapon_line
from combat.perspectives.possible import defences
from combat.perspectives.sight import Sight, sight_of
from rules.attacking import weapon_of
from rules.encounter import Encounter, Exchange
from rules.gear import BARE_HANDS, Mode, Weapon
from rules.violations import RuleViolation


def _ask(fight: Fight, exchange: Exchange, target: str, sight: Sight) -> Ask:
    state = fight.state
    held = state.combatants[target].sheet.weapons
    unseen = not sight.sees(exchange.attack.by)
    return Ask(
        exchange.id,
        target,
        sight.name(target),
        sight.name(exchange.attack.by),
        "" if unseen else sight.gear(exchange.attack.by, _weapon_name(state, exchange)),
        defences(state, exchange, target, fight.ruleset, sight.clean),
        tuple(weapon_line(weapon) for weapon in held if weapon.mode is Mode.MELEE and weapon.fault is None),
        "" if unseen else _mode(state, exchange),
    )


def _weapon(state: Encounter, exchange: Exchange) -> Weapon | None:
    try:
        return weapon_of(state.combatants[exchange.attack.by].sheet, exchange.attack.weapon)
    except RuleViolation:
        return None  # it was taken from the sheet meanwhile; rolling the attack will say so


def _weapon_name(state: Encounter, exchange: Exchange) -> str:
    weapon = _weapon(state, exchange)
    return weapon.name if weapon and weapon.name != BARE_HANDS else ""


def _mode(state: Encounter, exchange: Exchange) -> str:
    weapon = _weapon(state, exchange)
    return weapon.mode.value if weapon else ""


def _waiting(state: Encounter, exchange: Exchange, sight: Sight) -> Waiting:
    return Waiting(
        exchange.id,
        sight.name(exchange.attack.by),
        _weapon_name(state, exchange),
        tuple(sight.name(who) for who in exchange.attack.at if sight.sees(who)),
        tuple(sight.name(who) for who in exchange.asked if sight.sees(who)),
        exchange.by_hand,
    )


def _fires(fight: Fight, sight: Sight, own: Iterable[str]) -> tuple[FireAsk, ...]:
    """The choices that covering fire forces on those whose turn it is (CD-GUN-10)."""
    state = fight.state
    due = [who for who in own if state.combatants[who].stance.fires and (who in state.acting or not state.ordered)]
    return tuple(_fire(fight, who, sight) for who in due)


def _fire(fight: Fight, who: str, sight: Sight) -> FireAsk:
    fires = fight.state.combatants[who].stance.fires
    shooters = dict.fromkeys(sight.name(fire.by) for fire in fires)
    hits = (fire.successes + fire.weapon.damage for fire in fires) if sight.everything else ()
    return FireAsk(who, sight.name(who), tuple(shooters), fight.ruleset.cites["covering_fire"], tuple(hits))


def player_asks(fight: Fight, own: frozenset[str], sight: Sight) -> Asks:
    exchanges = fight.state.exchanges
    return Asks(
        tuple(_ask(fight, each, who, sight) for each in exchanges for who in each.asked if who in own),
        tuple(_waiting(fight.state, each, sight) for each in exchanges if each.attack.by in own),
        fires=_fires(fight, sight, sorted(own)),
        grapples=player_grapples(fight, own),
    )


def storyteller_asks(fight: Fight) -> StorytellerAsks:
    state = fight.state
    sight = sight_of(state, everything=True)
    return StorytellerAsks(
        tuple(_ask(fight, each, who, sight) for each in state.exchanges for who in each.asked),
        tuple(_waiting(state, each, sight) for each in state.exchanges),
        storyteller_grapples(fight),
        _fires(fight, sight, state.combatants),
        tuple(_mishap(state, pending.resolution, sight) for pending in state.mishaps),
        state.unnarrated,
    )


def _mishap(state: Encounter, resolution: str, sight: Sight) -> MishapAsk:
    pending = next(each for each in state.mishaps if each.resolution == resolution)
    sheet = state.combatants[pending.by].sheet
    weapon = next((each.name for each in sheet.at_hand if pending.weapon in (each.key, each.name)), "")
    return MishapAsk(
        resolution,
        sight.name(pending.by),
        weapon,
        tuple((key, key.replace("_", " ")) for key in pending.choices),
        tuple((who, sight.name(who)) for who in state.combatants if who != pending.by),
    )
