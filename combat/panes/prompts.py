"""Builds the prompts: attacks to answer, waiting rolls, mishaps to settle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.text import capfirst

from campaigns.words import said
from combat.history.tell.sentences import listed, text_of
from combat.log import clocks
from combat.panes.chances import of_attack
from combat.panes.grapple_prompts import player_grapples, storyteller_grapples
from combat.panes.possible import defences, told
from combat.panes.questions import (
    Ask,
    AskAll,
    Asks,
    ChoiceForAll,
    Clock,
    FireAsk,
    MishapAsk,
    Pending,
    StorytellerAsks,
    Waiting,
)
from combat.panes.sheets import answers_by_default, weapon_line
from combat.secrecy.fight import Fight
from combat.secrecy.sight import UNSEEN, Sight, sight_of
from rules.engine.violations import RuleViolation
from rules.model.gear import BARE_HANDS, Mode, Weapon
from rules.model.state import Encounter, Exchange, Step
from rules.model.system import Game
from rules.model.words import in_words
from rules.strike.attack import plan_attack
from rules.topics.attacks.prepare import weapon_of
from rules.topics.firefights.stance import STANCE
from rules.topics.turns.course import out_of_turn


def _ask(fight: Fight, exchange: Exchange, target: str, sight: Sight) -> Ask:
    state = fight.state
    held, layout = state.combatants[target].sheet.weapons, fight.game.system.layout
    attackers = [who for who in (exchange.attack.by, *exchange.attack.others) if sight.sees(who)]
    unseen = not attackers
    choices, stock = defences(fight.game, exchange, target, sight)
    return Ask(
        exchange.id,
        target,
        sight.name(target),
        sight.leading(sight.name(attackers[0])) if attackers else capfirst(str(UNSEEN)),
        "" if unseen else sight.gear(attackers[0], _weapon_name(state, exchange)),
        choices,
        tuple(weapon_line(each, layout) for each in held if each.mode is Mode.MELEE and each.works),
        "" if unseen else _mode(state, exchange),
        _clock(fight, exchange, target),
        blind=not (sight.everything or sight.rolls_of(exchange.attack.by)),
        others=max(0, len(attackers) - 1),
        passive=fight.ruleset.attack.defences.changes,
        stock=stock,
    )


def _clock(fight: Fight, exchange: Exchange, target: str) -> Clock | None:
    """The clock of a question, if it has one."""
    question = clocks.question(exchange.id, target)
    if question not in fight.clocks:
        return None
    due, combatant = fight.clocks[question], fight.state.combatants[target]
    then = answers_by_default(combatant, fight.ruleset) or said(fight.ruleset.attack.defences.plain)
    return Clock(question, None if due is None else int(due * 1000), then)


def _last_clock(fight: Fight, exchange: Exchange, sight: Sight) -> Clock | None:
    """For the attacker: the latest deadline of the targets they see, without the default answers.

    None if one of them has no deadline.
    """
    seen = [who for who in exchange.asked if sight.sees(who)]
    running = [clock for who in seen if (clock := _clock(fight, exchange, who)) and clock.due is not None]
    if not running or len(running) < len(seen):
        return None
    return replace(max(running, key=lambda clock: clock.due or 0), question="", then="")


def _weapon(state: Encounter, exchange: Exchange) -> Weapon | None:
    try:
        return weapon_of(state.combatants[exchange.attack.by].sheet, exchange.attack.weapon)
    except RuleViolation:
        return None  # removed from the sheet in the meantime; rolling the attack will say so


def _weapon_name(state: Encounter, exchange: Exchange) -> str:
    weapon = _weapon(state, exchange)
    return weapon.name if weapon and weapon.name != BARE_HANDS else ""


def _mode(state: Encounter, exchange: Exchange) -> str:
    weapon = _weapon(state, exchange)
    return weapon.mode.value if weapon else ""


def announced_by(state: Encounter, own: frozenset[str]) -> tuple[Exchange, ...]:
    """The waiting attacks of `own`, without what their player may not know of the Storyteller's changes."""
    characters = frozenset(state.combatants[who].character for who in own)
    sight = sight_of(state, mine=characters)
    return tuple(_as_known(each, sight) for each in state.exchanges if each.attack.by in own)


def _as_known(exchange: Exchange, sight: Sight) -> Exchange:
    attack = exchange.attack
    known = replace(
        attack,
        at=tuple(who for who in attack.at if sight.sees(who)),
        near=tuple(who for who in attack.near if sight.sees(who)),
        modifiers=tuple(each for each in attack.modifiers if "why" not in each.figures),
        defences={},
        strike=frozenset(),
    )
    return replace(exchange, attack=known, word=sight.clean(exchange.word))


def _waiting(fight: Fight, exchange: Exchange, sight: Sight) -> Waiting:
    state = fight.state
    return Waiting(
        exchange.id,
        exchange.attack.by,
        sight.name(exchange.attack.by),
        _weapon_name(state, exchange),
        _names(exchange.attack.at, sight),
        _names(exchange.asked, sight),
        exchange.by_hand,
        exchange.step.value,
        sight.clean(exchange.word),
        _last_clock(fight, exchange, sight),
        *_own_dice(fight, exchange),
    )


def _own_dice(fight: Fight, exchange: Exchange) -> tuple[int, int]:
    """How many dice a player has to roll for an attack that waits for them, and the difficulty; 0 for neither."""
    alone = len(exchange.attack.at) == 1  # see the rights of `ResolveAttack`
    if not exchange.by_hand or exchange.asked or exchange.step is not Step.APPROVED or not alone:
        return 0, 0
    try:
        first = plan_attack(fight.game.waiving(exchange.waived), exchange.attack).against[0]
    except RuleViolation:
        return 0, 0
    return (1 if first.attack.chance else first.attack.pool), first.attack.difficulty


def _names(who: Iterable[str], sight: Sight) -> tuple[str, ...]:
    return tuple(sight.name(each) for each in who if sight.sees(each))


def _pending(fight: Fight, exchange: Exchange, sight: Sight) -> Pending:
    """An attack as the Storyteller sees it before approving it."""
    state, attack = fight.state, exchange.attack
    common = Pending(
        exchange.id,
        sight.name(attack.by),
        _weapon_name(state, exchange),
        _names(attack.at, sight),
        "" if attack.distance is None else f"{attack.distance} {said(fight.ruleset.short_unit)}",
        tuple(said(fight.ruleset.circumstances.in_words(each)) for each in attack.modifiers),
        exchange.by_hand,
        out_of_turn=out_of_turn(state, attack.by),
    )
    try:
        plan = plan_attack(fight.game.waiving(exchange.waived), attack)
    except RuleViolation as why:
        return replace(common, refusal=told(why.refusal))
    first = plan.against[0]
    return replace(
        common,
        pool=first.attack.pool,
        difficulty=first.attack.difficulty,
        chance=first.attack.chance,
        chances=of_attack(first, fight.game),
    )


def _fires(fight: Fight, sight: Sight, own: Iterable[str]) -> tuple[FireAsk, ...]:
    """The choices that covering fire forces on those whose turn it is (CD-GUN-10)."""
    state = fight.state
    due = [who for who in own if STANCE.of(state.combatants[who]).fires and (who in state.acting or not state.ordered)]
    return tuple(_fire(fight, who, sight) for who in due)


def _fire(fight: Fight, who: str, sight: Sight) -> FireAsk:
    fires = STANCE.of(fight.state.combatants[who]).fires
    shooters = dict.fromkeys(sight.name(fire.by) for fire in fires)
    hits = (fire.successes + fire.weapon.damage for fire in fires) if sight.everything else ()
    return FireAsk(who, sight.name(who), tuple(shooters), fight.ruleset.cites["covering_fire"], tuple(hits))


def player_asks(fight: Fight, own: frozenset[str], sight: Sight) -> Asks:
    exchanges = fight.state.exchanges
    return Asks(
        tuple(_ask(fight, each, who, sight) for each in exchanges for who in each.asked if who in own),
        tuple(_waiting(fight, each, sight) for each in exchanges if each.attack.by in own),
        fires=_fires(fight, sight, sorted(own)),
        grapples=player_grapples(fight, own),
    )


def _for_all(asks: tuple[Ask, ...]) -> AskAll:
    """The questions of one attack's targets, put together."""
    first = asks[0]
    choices = [
        ChoiceForAll(each[0].kind, each[0].label, sum(choice.allowed for choice in each))
        for each in zip(*(ask.choices for ask in asks), strict=True)
    ]
    return AskAll(
        first.exchange,
        tuple(each.target for each in asks),
        text_of(listed([each.name for each in asks])),
        first.attacker,
        first.weapon,
        # No defence is the last choice, Defense the first: as for one target alone.
        tuple(choices if first.passive else (*choices[1:], choices[0])),
        first.others,
        any(ask.clock for ask in asks),
    )


def _of_storyteller(fight: Fight, exchange: Exchange, sight: Sight) -> tuple[Ask, ...]:
    """The questions of an attack's targets: those of several NPCs can be answered together."""
    people = fight.state.combatants
    npcs = [who for who in exchange.asked if not people[who].player]
    return tuple(
        replace(_ask(fight, exchange, who, sight), together=who in npcs and len(npcs) > 1) for who in exchange.asked
    )


def storyteller_asks(fight: Fight) -> StorytellerAsks:
    state = fight.state
    sight = sight_of(state, everything=True)
    asked = [_of_storyteller(fight, each, sight) for each in state.exchanges]
    together = [tuple(ask for ask in asks if ask.together) for asks in asked]
    return StorytellerAsks(
        tuple(ask for asks in asked for ask in asks),
        tuple(_waiting(fight, each, sight) for each in state.exchanges if each.step is not Step.PENDING),
        storyteller_grapples(fight),
        _fires(fight, sight, state.combatants),
        tuple(_pending(fight, each, sight) for each in state.exchanges if each.step is Step.PENDING),
        tuple(_for_all(asks) for asks in together if asks),
        tuple(_mishap(fight.game, pending.resolution, sight) for pending in state.mishaps),
        state.unnarrated,
    )


def _mishap(game: Game, resolution: str, sight: Sight) -> MishapAsk:
    state, mechanic = game.state, game.system.mechanic
    pending = next(each for each in state.mishaps if each.resolution == resolution)
    sheet = state.combatants[pending.by].sheet
    weapon = next((each.name for each in sheet.at_hand if pending.weapon in (each.key, each.name)), "")
    return MishapAsk(
        resolution,
        sight.name(pending.by),
        weapon,
        tuple((key, said(in_words(key))) for key in pending.choices),
        tuple((who, sight.name(who)) for who in state.combatants if who != pending.by),
        dramatic=not mechanic.read((1,), mechanic.default).botch,
    )
