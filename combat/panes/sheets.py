"""Combatants as rows of the order and as full sheets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from combat.cache import for_each
from combat.history.tell.sentences import action_words, towards
from combat.panes import possible
from combat.panes.figures import (
    Box,
    Condition,
    Health,
    InjuryMark,
    Manoeuvre,
    Offer,
    Pool,
    PowerInEffect,
    Resource,
    Row,
    Sheet,
    StorytellerRow,
    WeaponLine,
)
from combat.panes.unaffected import ByCombatant
from combat.panes.views import Order
from combat.secrecy.sight import Sight
from rules.engine.inputs import Place
from rules.engine.messages import CommandType
from rules.model.conditions import condition_of
from rules.model.gear import Weapon, loaded
from rules.model.power_words import end_of
from rules.model.sheet import Layout
from rules.model.state import NO_DEFENCE, Combatant, Encounter, HealthShown, Phase, Status
from rules.model.system import Game, System
from rules.model.words import in_words
from rules.topics.commands import Declare
from rules.topics.declarations import still_declaring
from rules.topics.health.impairments import count, sides
from rules.topics.turns.course import holds

POWER = "power:"
"""Key prefix of the chips of powers in effect."""

MOST_KEPT = 2000
"""Size of the memos by combatant."""

MOST_OFFERED = 500

MOST_READERS = 400
"""Readers whose rows and sheets are kept."""

_rows: ByCombatant[Row] = ByCombatant(MOST_READERS)
_sheets: ByCombatant[Sheet] = ByCombatant(MOST_READERS)

MOST_STATES = 50
"""Size of the memo by state: it only has to last while all views of a fight are built."""


def order_of(
    game: Game,
    *,
    everything: bool,
    own: frozenset[str],
    sight: Sight | None = None,
    due: bool = False,
    portraits: Mapping[str, str] | None = None,
    fight: str = "",
) -> Order:
    """The turn order of a state that holds only the combatants the reader sees.

    `sight` replaces names that the reader may not know. `due`: initiative isn't rolled yet, so nobody declares.
    `portraits` are their ids by character; one would show who is behind a mask. `fight` is the fight's id: the rows of
    each are kept for the next state; "" forbids that.
    """
    state, ruleset = game.state, game.system
    clean = sight.clean if sight else said
    declaring = () if due else declaring_in(state, ruleset)
    sealed = still_declaring(game)
    course = _course(state)

    def portrait(who: str) -> str:
        unmasked = everything or who in own or not state.combatants[who].mask
        return portraits.get(state.combatants[who].character, "") if portraits and unmasked else ""

    def row(who: str) -> Row:
        kind = StorytellerRow if everything else Row
        common = _row(state, who, ruleset, full=everything or who in own)
        common |= {"own": who in own, "declaring": who in declaring, "declared": declared(state, who, clean)}
        common["conditions"] = with_signs(
            common["conditions"], state, who, ruleset, clean, full=everything or who in own
        )
        common["has_declared"] = sealed and bool(state.combatants[who].turn.declaration)
        common["portrait"] = portrait(who)
        turn = state.combatants[who].turn
        over = who not in state.acting and (who in course.passed or turn.acted)
        # For others who act at the same moment, it stays secret whether they have anything left to do.
        common["acted"] = over or (who in own and who in state.acting and state.ordered and not turn.actions)
        return kind(**common, **(_behind(game, who) if everything else {}))

    readers = (fight, everything, own) if fight else None
    read = {who: (who in declaring, sealed, portrait(who)) for who in state.combatants}
    rows = _rows.made(readers, game, read, row, sight)
    ranks = tuple(tuple(rows[who] for who in rank) for rank in course.ranks)
    return Order(ranks, tuple(rows[who] for who in course.others))


class _Course(NamedTuple):
    """The ranks of a state's turn order, those in none, and those whose rank has passed."""

    ranks: tuple[tuple[str, ...], ...]
    others: tuple[str, ...]
    passed: frozenset[str]


@for_each(MOST_STATES, worded=False)
def _course(state: Encounter) -> _Course:
    ranked = {who for rank in state.order for who in rank}
    # In an ended fight, nobody shares a moment any more.
    alone = state.status is Status.ENDED
    return _Course(
        tuple((who,) for rank in state.order for who in rank) if alone else state.order,
        tuple(who for who in state.combatants if who not in ranked),
        frozenset(who for visit in state.visited if visit.phase is Phase.RANK for who in visit.ids),
    )


@for_each(MOST_STATES, worded=False)
def declaring_in(state: Encounter, ruleset: System) -> tuple[str, ...]:
    """Whose turn it is to declare. Memoised, because several panes ask about the same state."""
    return ruleset.turns.declaring(state)


def _row(state: Encounter, who: str, ruleset: System, *, full: bool) -> dict[str, Any]:
    combatant = state.combatants[who]
    score = state.initiative.get(who)
    return {
        "id": who,
        "name": combatant.sheet.name,
        "player": combatant.player,
        "total": score.total if score else None,
        "health": health_of(combatant, ruleset, full=full),
        "conditions": conditions_of(combatant, full=full),
        "acting": who in state.acting,
        "waits": _waits(combatant) and (who not in state.acting or lets_pass(state, who)),
        "full_defence": combatant.turn.full_defence,
        "shape": shape_of(combatant),
    }


def _waits(combatant: Combatant) -> bool:
    """Whether a combatant has delayed their action, or has yet to take one held over from the last turn."""
    turn = combatant.turn
    return turn.delaying or (turn.free and not turn.acted and bool(turn.actions))


def _holds(game: Game, who: str) -> bool:
    """Whether a combatant may take a held action now."""
    state = game.state
    return state.status is Status.RUNNING and holds(state, who) and not game.system.turns.idle(state, who)


def shape_of(combatant: Combatant) -> str:
    """The changed shape of a combatant, "" for the natural one."""
    return said(combatant.sheet.shape.label) if combatant.sheet.shape else ""


def lets_pass(state: Encounter, who: str) -> bool:
    """Whether a combatant whose rank is acting waits for a later moment."""
    comes = state.visited[-1].phase if state.visited else Phase.RANK
    return state.combatants[who].turn.delaying and comes is Phase.RANK


def _behind(game: Game, who: str) -> dict[str, Any]:
    state, ruleset = game.state, game.system
    combatant = state.combatants[who]
    own = possible.own_needs(combatant, ruleset).values()
    return {
        "hidden": combatant.hidden,
        "mask": combatant.mask,
        "health_shown": combatant.health_shown.value,
        "group": combatant.group,
        "band": combatant.band,
        "side": combatant.side.value,
        "turned": combatant.side is not combatant.preset_side,
        "character": combatant.character,
        "actions": len(combatant.turn.actions),
        "weapon": held_by(combatant),
        "declares": ruleset.knows(Declare),
        "at_will": ruleset.turns.at_will,
        "offers": _offers(game, who),
        "defences": bool(ruleset.attack.defences.kinds),
        "answers": answers_by_default(combatant, ruleset),
        "own_actions": bool(own),
        "powers": any(needs.power for needs in own),
        "acts": state.status is Status.RUNNING,
        "holds": not combatant.player and _holds(game, who),
        "pools": _pools(combatant, ruleset),
    }


def _offers(game: Game, who: str) -> tuple[Offer, ...]:
    return tuple(map(_offer, possible.offered(Place.ROW, game, who)))


@for_each(MOST_OFFERED)
def _offer(declared: CommandType) -> Offer:
    label = possible.label_in(Place.ROW, declared)
    return Offer(declared.name, label, bool(declared.asked and declared.asked.press))


@for_each(MOST_KEPT)
def _pools(combatant: Combatant, ruleset: System) -> tuple[Pool, ...]:
    """Points with abbreviated labels: “B 7” for a blood pool."""
    resources = _resources(combatant, ruleset)
    labels = [each.label for each in resources]
    return tuple(Pool(_short(each.label, labels), each.label, each.now, each.most) for each in resources)


def _short(label: str, among: Sequence[str]) -> str:
    return next(
        (label[:end] for end in range(1, len(label)) if sum(other.startswith(label[:end]) for other in among) == 1),
        label,
    )


def answers_by_default(combatant: Combatant, ruleset: System) -> str:
    """The label of a combatant's default defence; "" if somebody is asked."""
    defences, kind = ruleset.attack.defences, combatant.default_defence
    if kind == NO_DEFENCE:
        return said(defences.plain)
    return said(defences.kinds[kind].label) if kind in defences.kinds else ""


@for_each(MOST_KEPT)
def health_of(combatant: Combatant, ruleset: System, *, full: bool) -> Health:
    """A combatant's health: everything (`full`), or what players are shown."""
    rules, sheet = ruleset.health, combatant.sheet
    word = in_words(rules.word(sheet))
    shown = full or combatant.health_shown is HealthShown.BOXES
    if shown and (kept := rules.one_by_one):
        injuries = tuple(InjuryMark(each.level, said(each.cause), kept.severe(each)) for each in sheet.injuries)
        return Health((), word, rules.penalty(sheet), kept.come_to(sheet), injuries, len(sheet.scars))
    if shown:
        marks = [*sheet.marks, *[""] * len(rules.levels(sheet))]
        boxes = tuple(Box(said(level.name), str(mark)) for level, mark in zip(rules.levels(sheet), marks, strict=False))
        return Health(boxes, word, rules.penalty(sheet))
    return Health(word=word) if combatant.health_shown is HealthShown.WORD else Health()


@for_each(MOST_KEPT)
def conditions_of(combatant: Combatant, *, full: bool) -> tuple[Condition, ...]:
    """A combatant's visible conditions, without those that reveal health which isn't shown."""
    kept = combatant.conditions
    if not full and combatant.health_shown is HealthShown.NOTHING:
        kept = frozenset(key for key in kept if not condition_of(key).tells_health)
    return tuple(Condition(key, _condition(combatant, key)) for key in sorted(kept))


def _condition(combatant: Combatant, key: str) -> str:
    """The label of a condition. For eyes, arms and legs, it says whether one or both have it."""
    declared = condition_of(key)
    # Without a side, blindness means both eyes, and a broken arm means one.
    if not declared.sides or not (declared.has or sides(combatant, key)):
        return said(declared.label)
    return said(declared.sides[count(combatant, key) - 1])


def with_signs(
    conditions: tuple[Condition, ...],
    state: Encounter,
    who: str,
    ruleset: System,
    clean: Callable[[str], str],
    *,
    full: bool,
) -> tuple[Condition, ...]:
    """A combatant's conditions, the powers in effect that can be noticed, and the ruleset's signs.

    `full`: including the signs only their player may know.
    """
    powers = state.combatants[who].sheet.powers
    signs = [sign for found in ruleset.signs for sign in found(state, who) if full or not sign.own]
    said_by_a_sign = {sign.instead_of for sign in signs}
    kept = (each for each in conditions if each.key not in said_by_a_sign)
    in_effect = (
        Condition(f"{POWER}{one.key}", f"{said(one.label)} · {said(end_of(one, state.turn))}") for one in powers
    )
    return (*kept, *in_effect, *(Condition(sign.key, clean(sign.text)) for sign in signs))


def declared(state: Encounter, who: str, clean: Callable[[str], str]) -> str:
    """A combatant's declaration: its text or the names of its actions, and its target if the reader sees them.

    Each part is cleaned by itself: joined, a player's words would no longer be known as typed.
    """
    combatant = state.combatants[who]
    if combatant.turn.delaying and combatant.turn.waits_for:
        return clean(combatant.turn.waits_for)
    said = combatant.turn.declaration
    if said is None:
        return ""
    target = state.combatants.get(said.at)
    return towards(clean(said.text or action_words(said.actions)), clean(target.sheet.name) if target else "")


def sheets_of(game: Game, who: Collection[str], sight: Sight | None = None, fight: str = "") -> tuple[Sheet, ...]:
    """These combatants in full. `sight` and `fight` as in :func:`order_of`."""
    clean = sight.clean if sight else said
    readers = (fight, frozenset(who)) if fight else None
    made = _sheets.made(readers, game, dict.fromkeys(who), lambda one: _sheet(game, one, clean), sight)
    return tuple(made.values())


def _sheet(game: Game, who: str, clean: Callable[[str], str]) -> Sheet:
    state, ruleset = game.state, game.system
    combatant = state.combatants[who]
    manoeuvres = possible.own_actions(game, who)
    return Sheet(
        who,
        combatant.sheet.name,
        combatant.character,
        health_of(combatant, ruleset, full=True),
        _without_powers(with_signs(conditions_of(combatant, full=True), state, who, ruleset, clean, full=True)),
        _resources(combatant, ruleset),
        _handled(_weapons(combatant, ruleset), combatant, ruleset, manoeuvres),
        tuple(armor.name for armor in combatant.sheet.sound_armor),
        tuple(said(in_words(action)) for action in combatant.turn.actions),
        declared(state, who, clean),
        combatant.turn.declaration is not None,
        share_left(combatant),
        possible.possibilities(game, who),
        manoeuvres,
        shape=shape_of(combatant),
        derived=_derived(combatant, ruleset),
        holds=_holds(game, who),
        powers=_powers(combatant, state),
    )


def _without_powers(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions alone: a sheet lists the powers in effect by themselves."""
    return tuple(each for each in conditions if not each.key.startswith(POWER))


def _powers(combatant: Combatant, state: Encounter) -> tuple[PowerInEffect, ...]:
    """The powers in effect on a combatant, for their own player."""
    running = state.status is Status.RUNNING
    return tuple(
        PowerInEffect(one.key, said(one.label), said(end_of(one, state.turn)), may_end=running and not one.by)
        for one in combatant.sheet.powers
    )


@for_each(MOST_KEPT)
def _derived(combatant: Combatant, ruleset: System) -> tuple[tuple[str, str], ...]:
    """Values derived from a combatant's current Traits, as label and text."""
    told = ((each, each.value(ruleset, combatant.sheet)) for each in ruleset.derived)
    return tuple((said(each.label), f"{value} {worded(each.unit)}".strip()) for each, value in told)


def share_left(combatant: Combatant) -> str:
    """The dice left in a pool that several actions share, once its size is known."""
    split = combatant.turn.split
    if split is None or split.dice is None:
        return ""
    return _("{left} of {dice}").format(left=split.dice - split.used, dice=split.dice)


@for_each(MOST_KEPT)
def _resources(combatant: Combatant, ruleset: System) -> tuple[Resource, ...]:
    layout, sheet = ruleset.layout, combatant.sheet
    return tuple(
        Resource(each.key, said(each.label), layout.points(sheet, each.key), layout.maximum(sheet, each.key))
        for each in layout.resources_for(sheet.kind)
    )


@for_each(MOST_KEPT)
def _weapons(combatant: Combatant, ruleset: System) -> tuple[WeaponLine, ...]:
    return tuple(_with_pool(combatant, weapon, ruleset) for weapon in combatant.sheet.at_hand)


def _handled(
    lines: Sequence[WeaponLine], combatant: Combatant, ruleset: System, manoeuvres: Iterable[Manoeuvre]
) -> tuple[WeaponLine, ...]:
    """The weapons, each with the possible actions that move it."""
    held = zip(lines, combatant.sheet.at_hand, strict=True)
    return tuple(replace(line, handling=possible.handling(manoeuvres, weapon, ruleset)) for line, weapon in held)


def _with_pool(combatant: Combatant, weapon: Weapon, ruleset: System) -> WeaponLine:
    if combatant.turn.split:
        # Several actions share one pool: only the plan of each says how many dice it gets.
        return weapon_line(weapon, ruleset.layout)
    plan = ruleset.attack.pool_of(combatant.sheet, weapon)
    return replace(weapon_line(weapon, ruleset.layout), pool=plan.pool, difficulty=plan.difficulty)


def weapon_line(weapon: Weapon, layout: Layout) -> WeaponLine:
    """A weapon as its bearer sees it."""
    added = said(layout.trait(weapon.damage_from).label) if weapon.damage_from else ""
    damage = f"{added} + {weapon.damage}" if added and weapon.damage else added or str(weapon.damage)
    holds = None if weapon.clip is None else weapon.clip + weapon.chambered
    rounds = None if holds is None else loaded(weapon)
    return WeaponLine(
        weapon.key or weapon.name,
        weapon.name,
        weapon.mode.value,
        damage,
        weapon.type.value,
        rounds,
        holds,
        weapon.fault.value if weapon.fault else "",
        weapon.note,
        in_hand=weapon.in_hand,
        place="" if weapon.drawn else worded(weapon.carried),
    )


def held_by(combatant: Combatant) -> str:
    """The first weapon in hand; if there is none, the first one carried and where it is; "" for no weapons."""
    weapons = combatant.sheet.weapons
    weapon = next((each for each in weapons if each.in_hand), next(iter(weapons), None))
    if weapon is None or weapon.in_hand:
        return weapon.name if weapon else ""
    return f"{weapon.name} ({worded(weapon.fault or weapon.carried)})"
