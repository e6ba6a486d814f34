"""An attack as a conversation: announced, approved, answered by its targets, rolled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, RuleViolation, bad_input
from rules.model import points
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.plan import Against
from rules.model.state import ASK, NO_DEFENCE, Encounter, Exchange, Step
from rules.model.system import Game
from rules.topics.attacks.decide import attack
from rules.topics.changes import with_combatant
from rules.topics.commands import (
    AnswerAttack,
    AnswerByDefault,
    ApproveAttack,
    ChangeAttack,
    ProposeAttack,
    ResolveAttack,
    SendBackAttack,
    SetDefaultDefence,
    WithdrawAttack,
)
from rules.topics.events import (
    AttackAnswered,
    AttackApproved,
    AttackChanged,
    AttackProposed,
    AttackSentBack,
    AttackWithdrawn,
    DefaultDefenceSet,
)
from rules.topics.exchanges.changed import changes
from rules.topics.turns.decide import after_abort

# ------------------------------------------------------------------ before anybody is asked


@decides(ProposeAttack)
def propose(game: Game, command: ProposeAttack) -> tuple[Event, ...]:
    """Announce an attack that the rules allow: to the Storyteller for approval, or to its targets."""
    if not command.exchange:
        raise bad_input(phrase("announced-attack-needs-id"))
    if any(exchange.id == command.exchange for exchange in game.state.exchanges):
        raise bad_input(phrase("this-attack-has-already-been-announced"))
    waiting = (each for each in game.state.exchanges if each.attack.by == command.attack.by)
    if any(each.step is not Step.RETURNED for each in waiting):
        raise bad_input(phrase("this-attacker-already-has-attack-waiting"))
    exchange = Exchange(command.exchange, command.attack, by_hand=command.by_hand)
    if not command.approval:
        asked, follows = _ask(game, exchange)
        return (AttackProposed(asked), *follows)
    _check(game, command.attack)
    return (AttackProposed(replace(exchange, step=Step.PENDING)),)


@decides(ApproveAttack)
def approve(game: Game, command: ApproveAttack) -> tuple[Event, ...]:
    """Approve an announced attack unchanged."""
    exchange = exchange_of(game.state, command.exchange)
    if exchange.step is not Step.PENDING:
        raise bad_input(phrase("that-attack-isnt-waiting-for-approval"))
    asked, follows = _ask(game, exchange)
    return (AttackApproved(asked), *follows)


@decides(ChangeAttack)
def change(game: Game, command: ChangeAttack) -> tuple[Event, ...]:
    """Approve an announced attack with changes: targets who have answered are asked again."""
    exchange = exchange_of(game.state, command.exchange)
    if command.attack.by != exchange.attack.by:
        raise bad_input(phrase("attackers-cant-be-changed"))
    asked, follows = _ask(game, replace(exchange, attack=command.attack, by_hand=command.by_hand))
    return (AttackChanged(asked, changes(game, exchange.attack, command.attack)), *follows)


@decides(SendBackAttack)
def send_back(game: Game, command: SendBackAttack) -> tuple[Event, ...]:
    """Send an announced attack back to its player; answers given so far are discarded."""
    exchange = exchange_of(game.state, command.exchange)
    again = replace(exchange.attack, defences={})
    return (AttackSentBack(replace(exchange, attack=again, asked=(), step=Step.RETURNED, word=command.word.strip())),)


@decides(WithdrawAttack)
def withdraw(game: Game, command: WithdrawAttack) -> tuple[Event, ...]:
    """Withdraw an announced attack."""
    return (AttackWithdrawn(exchange_of(game.state, command.exchange).id),)


def exchange_of(state: Encounter, reference: str) -> Exchange:
    """The announced attack with that id. Raises "input" if it is no longer waiting."""
    for exchange in state.exchanges:
        if exchange.id == reference:
            return exchange
    raise bad_input(phrase("that-attack-is-no-longer-waiting"))


def _approved(game: Game, reference: str) -> Exchange:
    """An approved attack. Nobody must learn that an unapproved one exists."""
    exchange = exchange_of(game.state, reference)
    if exchange.step is not Step.APPROVED:
        raise bad_input(phrase("that-attack-is-no-longer-waiting"))
    return exchange


def _check(game: Game, command: Attack) -> None:
    """Forbid an attack that the rules don't allow, or that costs more points than there are."""
    points.check_attack(game, command)
    game.system.attack.plan(game, command)


def _joined(game: Game, attack: Attack) -> Attack:
    """The attack without those of its group who can't attack now."""

    def able(who: str) -> bool:
        try:
            _check(game.asking(), replace(attack, by=who, others=(), defences={}))
        except RuleViolation:
            return False
        return True

    return replace(attack, others=tuple(who for who in attack.others if able(who)))


def _ask(game: Game, exchange: Exchange) -> tuple[Exchange, tuple[Event, ...]]:
    """The exchange with its targets asked, and what follows: automatic answers, and the roll.

    Of a group, only those who can attack are announced.

    The attack is rolled at once if nobody is left to ask, unless it awaits dice rolled at the table.
    """
    game.referee.also(exchange.waived)
    _check(game, exchange.attack)
    exchange = replace(exchange, attack=_joined(game, exchange.attack))
    choosing = with_a_choice(_approving(game, exchange), exchange.attack)
    asked = tuple(who for who in exchange.attack.at if who in choosing or _says_why_not(game, exchange, who))
    waived = exchange.waived | {flag.rule for flag in game.referee.waived}
    now = replace(exchange, asked=asked, step=Step.APPROVED, word="", waived=waived)
    told: list[AttackAnswered] = []
    for who in asked:
        target = game.state.combatants[who]
        if not target.player and target.default_defence != ASK:
            told.append(_by_default(game, now, who))
            now = told[-1].exchange
    if now.asked or now.by_hand:
        return now, tuple(told)
    return now, (*told, *attack(game, now.attack, now.id))


def _says_why_not(game: Game, exchange: Exchange, who: str) -> bool:
    """Whether a target has a default defence: the log says why it can't be used, even if nothing else can."""
    target = game.state.combatants[who]
    unanswered = who not in exchange.attack.defences
    return unanswered and not target.player and target.default_defence in game.system.attack.defences.kinds


def with_a_choice(game: Game, attack: Attack) -> tuple[str, ...]:
    """The targets of an attack who have more than one answer to it, without those whose answer it holds already.

    An answer may take giving up an action first. The attack must be possible.
    """
    bare, differ = game.asking(), game.system.attack.defences.differ
    plan = game.system.attack.plan(bare, attack).plan
    targets = (each for each in plan.against if each.target in attack.at and each.target not in attack.defences)
    return tuple(each.target for each in targets if differ([each, *_answers(bare, attack, each.target)]))


def _answers(bare: Game, attack: Attack, target: str) -> Iterator[Against]:
    """The attack as each defence that its target can give leaves it.

    What had to be waived in ``bare``, for the attack alone, is not waived for them.
    """
    bare = bare.at(with_combatant(bare.state, target, turn=after_abort(bare, target)))
    for kind in bare.system.attack.defences.kinds:
        asking, answered = bare.asking(), replace(attack, defences={**attack.defences, target: Defence(kind)})
        try:
            plan = bare.system.attack.plan(asking, answered).plan
        except RuleViolation:
            continue
        if set(asking.referee.waived) <= set(bare.referee.waived):
            yield next(each for each in plan.against if each.target == target)


# ------------------------------------------------------------------ the targets' answers


@decides(AnswerAttack)
def answer(game: Game, command: AnswerAttack) -> tuple[Event, ...]:
    """Record a target's defence. The last one rolls the attack, unless it awaits dice rolled at the table."""
    exchange = _approved(game, command.exchange)
    if command.others:
        return _answer_for_all(game, exchange, command)
    if command.target not in exchange.attack.at:
        raise bad_input(phrase("only-target-can-defend"))
    if command.defence.kind:
        points.check_modifiers(game, command.target, command.defence.modifiers)
    now = _answered(exchange, command.target, command.defence)
    _check_answer(game, exchange, now.attack)
    now = replace(now, waived=now.waived | {flag.rule for flag in game.referee.waived})
    return _rolled_if_last(game, AttackAnswered(now, command.target))


def _answer_for_all(game: Game, exchange: Exchange, command: AnswerAttack) -> tuple[Event, ...]:
    """One kind of defence for several targets."""
    told: list[AttackAnswered] = []
    now, wanted = exchange, command.defence.kind or NO_DEFENCE
    everybody = dict.fromkeys((command.target, *command.others))
    if wanted not in (NO_DEFENCE, *game.system.attack.defences.kinds):
        raise bad_input(phrase("there-is-no-defence-called", kind=wanted))
    if not everybody.keys() <= set(exchange.asked):
        raise bad_input(phrase("nobody-is-being-asked-that-any-more"))
    for who in everybody:
        alike = replace(game, state=with_combatant(game.state, who, default_defence=wanted))
        told.append(replace(_by_default(alike, now, who), by_default=False))
        now = told[-1].exchange
    return (*told[:-1], *_rolled_if_last(game, told[-1]))


@decides(AnswerByDefault)
def answer_by_default(game: Game, command: AnswerByDefault) -> tuple[Event, ...]:
    """Answer by default for a target who has been asked."""
    exchange = _approved(game, command.exchange)
    if command.target not in exchange.asked:
        raise bad_input(phrase("nobody-is-being-asked-that-any-more"))
    return _rolled_if_last(game, _by_default(game, exchange, command.target))


@decides(SetDefaultDefence)
def set_default(game: Game, command: SetDefaultDefence) -> tuple[Event, ...]:
    """Set how combatants automatically answer attacks."""
    if command.defence not in (ASK, NO_DEFENCE, *game.system.attack.defences.kinds):
        raise bad_input(phrase("there-is-no-defence-called", kind=command.defence))
    if not command.who:
        raise bad_input(phrase("choose-whose-defence-it-is"))
    who = tuple(game.combatant(each).id for each in dict.fromkeys(command.who))
    return (DefaultDefenceSet(who, command.defence),)


@decides(ResolveAttack)
def resolve(game: Game, command: ResolveAttack) -> tuple[Event, ...]:
    """Roll an announced attack; targets who have not answered don't defend."""
    exchange = exchange_of(game.state, command.exchange)
    if exchange.step is not Step.APPROVED:
        raise bad_input(phrase("that-attack-hasnt-been-approved-yet"))
    game.referee.also(exchange.waived)
    return attack(game, exchange.attack, exchange.id)


def _answered(exchange: Exchange, target: str, defence: Defence) -> Exchange:
    attack = replace(exchange.attack, defences={**exchange.attack.defences, target: defence})
    return replace(exchange, attack=attack, asked=tuple(who for who in exchange.asked if who != target))


def _by_default(game: Game, exchange: Exchange, target: str) -> AttackAnswered:
    try:
        kind, why = game.system.answers(_approving(game, exchange), exchange.attack, target)
    except RuleViolation:
        # The attack itself is no longer possible: the one who rolls it is told so.
        kind, why = "", None
    now = _answered(exchange, target, Defence(kind))
    if why is None:
        return AttackAnswered(now, target, by_default=True)
    wanted = game.state.combatants[target].default_defence
    return AttackAnswered(now, target, by_default=True, instead_of=wanted, rule=why.rule, why=why.message)


def _rolled_if_last(game: Game, told: AttackAnswered) -> tuple[Event, ...]:
    now = told.exchange
    if now.asked or now.by_hand or not _possible(game, now):
        # An answer must not reveal what others lack, so an attack that is no longer possible waits for the Storyteller.
        return (told,)
    game.referee.also(now.waived)
    return (told, *attack(game, now.attack, now.id))


def _check_answer(game: Game, exchange: Exchange, answered: Attack) -> None:
    """Forbid an answer that the rules forbid, without revealing what forbids the attack itself.

    Rules waived for the attack don't count against the answer.
    """
    attack, without = game.system.attack, replace(game, referee=Referee(exchange.waived))
    try:
        attack.plan(without, exchange.attack)
    except RuleViolation:
        return
    asked = _approving(game, exchange)
    attack.plan(asked, answered)
    for flag in asked.referee.waived:
        if flag not in without.referee.waived:
            game.referee.forbid(flag.rule, flag.text)


def _possible(game: Game, exchange: Exchange) -> bool:
    """Whether an attack is still possible, and everyone still has the points that it costs."""
    asked = _approving(game, exchange)
    try:
        points.check_attack(asked, exchange.attack)
        game.system.attack.plan(asked, exchange.attack)
    except RuleViolation:
        return False
    return True


def _approving(game: Game, exchange: Exchange) -> Game:
    """The game with the rules waived that were waived when the attack was approved."""
    return replace(game, referee=Referee(exchange.waived | game.referee.waives))
