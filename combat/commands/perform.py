"""The only way to change a fight: a command becomes a row of its log, in one transaction with all consequences."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from campaigns.access import check_storyteller, membership_of
from campaigns.models import Membership, User
from combat.commands import gathering, naming, outside, rights
from combat.commands.dice import DiceWanted, SystemDice, TypedDice
from combat.commands.errors import KeyReused, StaleEncounter
from combat.commands.writing import (
    Asked,
    Performed,
    alter,
    append,
    change,
    change_asked,
    new_row,
    nobodys_row,
    write,
    write_sheets,
)
from combat.history import records
from combat.history.reveal import as_seen_by
from combat.log import codec
from combat.log import rows as logs
from combat.log.happened import Happened
from combat.models import Encounter, Kind, LogRow
from combat.panes import versions
from combat.secrecy.access import Seen, audience_of
from combat.secrecy.fight import Fight
from combat.secrecy.sight import Sight, cast_of
from combat.signals import answering
from rules.decide import decide
from rules.engine.dice import Dice
from rules.engine.messages import Command, command_type, replay
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.state import Encounter as State


def perform(
    *,
    encounter_id: str,
    actor: User,
    command: Command,
    expected_seq: int | None = None,
    expected_version: int | None = None,
    key: str = "",
    sent: str = "",
    dice: Dice | None = None,
    waive: Iterable[str] = (),
    why: str = "",
    hold: bool = False,
    still_so: Callable[[State], bool] = lambda _state: True,
) -> Performed:
    """Perform a command. `key` is an idempotency key: a repeated one gets the first result, and nothing is done twice.

    A press counts as repeated if `sent`, a digest of the form, is the same; without a digest, if the command is. (The
    same form can mean another command later: a second step down the order starts where the first one led.)

    With `hold`, only those who rolled see a player's roll at first: see :func:`let_go`.

    `expected_version` is an optimistic concurrency token: the version of the actor's audience that the page showed.
    `expected_seq` is the same for callers that may know the log's number. `still_so` checks that what the form showed
    is still true in the state the command is applied to. `waive` holds the ids of the rules that the Storyteller
    waives, `why` her reason.

    Raises `RuleViolation`, `StaleEncounter`, `KeyReused`, `DiceWanted` or `PermissionDenied`. Nothing has changed then,
    except that a held roll may have been released.
    """
    asked = Asked(actor, expected_seq, expected_version, key, sent)
    with _shown_before_refused(encounter_id, actor), change_asked(encounter_id, asked) as pressed:
        encounter, membership = pressed.encounter, _at_the_table(pressed.encounter, pressed.membership)
        if repeated := _repeated(pressed.answer, asked, codec.dump_command(command)):
            return replace(repeated, seen=Seen(encounter, membership))
        state = logs.state_now(encounter)
        if encounter.outside_fights:
            state = gathering.gather(encounter, command, state)
        people = records.people_in(state)
        owners = people.owners
        dice = dice or SystemDice()
        ruleset = records.ruleset_for(encounter)
        rights.check(
            command, state=state, membership=membership, owners=owners, ruleset=ruleset, dice=dice, waive=waive
        )
        if encounter.outside_fights:
            gathering.refuse_in_a_fight(encounter, command, state)
        if not command_type(type(command)).commutes:
            _refuse_stale(encounter, membership, asked)
        if not still_so(state):
            raise StaleEncounter
        meant = naming.as_players_mean_it(command, state, membership, encounter)
        with _known_names(state, membership, owners):
            events = decide(state, meant, ruleset, dice, waive, why, records.past_of(encounter, meant))
        if isinstance(dice, TypedDice):
            dice.check_used()
        row = new_row(encounter, asked, command=codec.dump_command(command), events=codec.dump_events(events))
        thrown = sorted(dice.people()) if isinstance(dice, TypedDice) else []
        after, noted = replay(state, events), dict[str, Any]({"typed": thrown} if thrown else {})
        if encounter.outside_fights and outside.changed_by(command):
            noted["who"] = gathering.kept_private(state, after)
        hold = hold and not thrown and not encounter.outside_fights
        done = append(encounter, row, state, after, noted, people=people, hold=hold)
        return replace(done, seen=Seen(encounter, membership))


def undo(*, encounter_id: str, actor: User, expected_version: int | None = None, key: str = "") -> Performed:
    """Undo the last step. For Storytellers only; raises as :func:`perform`."""
    return _turn_back(encounter_id, Asked(actor, version=expected_version, key=key), Kind.UNDO, _last(Kind.UNDO))


def redo(*, encounter_id: str, actor: User, expected_version: int | None = None, key: str = "") -> Performed:
    """Redo the last undone step, unless something new was done since. Raises as :func:`perform`."""
    return _turn_back(encounter_id, Asked(actor, version=expected_version, key=key), Kind.REDO, _last(Kind.REDO))


def undo_to(
    *, encounter_id: str, actor: User, token: str, expected_version: int | None = None, key: str = ""
) -> Performed:
    """Undo everything after the row with this token. Redo brings it back step by step."""

    def after(rows: Sequence[Happened]) -> list[int]:
        since = list[int]()
        for row in logs.counting_back(rows):
            if not row.fixed:
                if row.token == token:
                    break
                since.append(row.seq)
        else:
            raise bad_input(phrase("step-you-wanted-to-go-back"))
        if not since:
            raise bad_input(phrase("nothing-has-happened-since-then"))
        return since

    return _turn_back(encounter_id, Asked(actor, version=expected_version, key=key), Kind.UNDO, after, to=token)


def _last(kind: Kind) -> Callable[[Sequence[Happened]], list[int]]:
    """Selects the one row to undo or redo."""

    def last(rows: Sequence[Happened]) -> list[int]:
        target = logs.targets(rows)[0 if kind is Kind.UNDO else 1]
        if target is None:
            raise bad_input(
                phrase("there-is-nothing-to-undo") if kind is Kind.UNDO else phrase("there-is-nothing-to-redo")
            )
        return [target]

    return last


def _turn_back(
    encounter_id: str, asked: Asked, kind: Kind, which: Callable[[Sequence[Happened]], list[int]], **more: str
) -> Performed:
    """Write an undo or redo row for each selected row, and update the state."""
    with change_asked(encounter_id, asked) as pressed:
        encounter = pressed.encounter
        membership = check_storyteller(_at_the_table(encounter, pressed.membership))
        written = {"is": kind.value.capitalize(), **more}
        if repeated := _repeated(pressed.answer, asked, written):
            return repeated
        _refuse_stale(encounter, membership, asked)
        if encounter.outside_fights:
            # Edits made to the sheets in the meantime must not be undone as well.
            state = logs.state_now(encounter)
            gathering.bring(encounter, state, state.combatants)
        *before_last, last = which(logs.rows_of(encounter))
        if before_last:
            # `append` only checks the last row against a held one, so release it here.
            encounter.held = None
        first = state = logs.state_now(encounter)
        for target in before_last:
            row = new_row(encounter, replace(asked, key=""), command=written, events=[], kind=kind, target=target)
            row.cast = cast_of(state, state)
            write(encounter, row)
            # Step by step: a character whose joining is undone last must get back the sheet they had then.
            before, state = state, logs.fold_of(encounter, logs.rows_of(encounter))
            if encounter.outside_fights:
                gathering.refuse_fought_since(encounter, before, state, target)
            write_sheets(encounter, before, state)
        row = new_row(encounter, asked, command=written, events=[], kind=kind, target=last)
        rows = logs.and_then(logs.rows_of(encounter), logs.decode(row))
        after = logs.fold_of(encounter, rows)
        if encounter.outside_fights:
            gathering.refuse_fought_since(encounter, state, after, last)
        return append(encounter, row, state, after, first=first)


def refresh(*, encounter_id: str, change_row: Mapping[str, Any] | None = None) -> None:
    """Set fields of the encounter, and notify the audiences whose view changed, by this or anything outside the log."""
    with change(encounter_id) as encounter:
        alter(encounter, change_row or {})


def carry_on(encounter: Encounter, command: Command, key: str) -> None:
    """Perform a command that nobody gave, such as one due to a deadline, in a locked encounter.

    Raises `RuleViolation`.
    """
    state = logs.state_now(encounter)
    events = decide(state, command, records.ruleset_for(encounter), SystemDice())
    fields = {"command": codec.dump_command(command), "events": codec.dump_events(events)}
    append(encounter, nobodys_row(encounter, key=key, **fields), state, replay(state, events))


def let_go(*, encounter_id: str, actor: User, token: str) -> Performed:
    """Release the held roll with this token to everybody; does nothing if it isn't held any more.

    Only for the Storyteller and those who rolled; for others there is no such roll.
    """
    with change(encounter_id) as encounter:
        membership = _member(encounter, actor)
        before = records.read(encounter)
        if before.held == token and _sees(before, membership):
            alter(encounter, {"held": None})
        return Performed(encounter.seq, (), repeated=True)


def _sees(fight: Fight, membership: Membership) -> bool:
    """Whether a member sees everything that has happened, including a held roll."""
    return as_seen_by(fight, audience_of(membership)) is fight


@contextlib.contextmanager
def _shown_before_refused(encounter_id: str, actor: User) -> Iterator[None]:
    """Release a held roll before a refusal reaches somebody who hasn't seen it: the refusal could reveal its result.

    The same goes for the number of dice wanted: both are derived from the current state.
    """
    try:
        yield
    except (RuleViolation, DiceWanted):
        # The response is the form, not the panes, so the page still needs the hint.
        with answering(None), change(encounter_id) as encounter:
            if encounter.held and not _sees(records.read(encounter), _member(encounter, actor)):
                alter(encounter, {"held": None})
        raise


# ------------------------------------------------------------------ checks


def _member(encounter: Encounter, actor: User) -> Membership:
    member = _at_the_table(encounter, membership_of(actor, encounter.chronicle_id))
    # Read under the lock, so it is current.
    encounter.chronicle = member.chronicle
    return member


def _at_the_table(encounter: Encounter, member: Membership | None) -> Membership:
    """The same membership. Raises `PermissionDenied` for None, and for players of a draft."""
    if member is None or not (member.is_storyteller or encounter.visible_to_players):
        raise PermissionDenied(_("You are no longer at this table."))
    return member


def storyteller_of(encounter: Encounter, actor: User) -> Membership:
    """The actor's membership, if they are a Storyteller at this table. Raises `PermissionDenied`."""
    return check_storyteller(_member(encounter, actor))


def _repeated(row: LogRow | None, asked: Asked, command: Mapping[str, Any]) -> Performed | None:
    if row is None:
        return None
    same = row.sent == asked.sent if row.sent and asked.sent else row.command == command
    if not same:
        raise KeyReused
    return Performed(row.seq, codec.load_events(row.events), repeated=True)


def is_done(*, encounter_id: str, actor: User, key: str, sent: str) -> bool:
    """Whether the press with this key and form digest was already carried out: see :func:`perform`."""
    rows = LogRow.objects.filter(encounter_id=encounter_id, actor=actor, key=key) if key else LogRow.objects.none()
    return sent != "" and rows.filter(sent=sent).exists()


def _refuse_stale(encounter: Encounter, membership: Membership, asked: Asked) -> None:
    stood_at = versions.version_of(encounter, audience_of(membership))
    if asked.seq not in (None, encounter.seq) or asked.version not in (None, stood_at):
        raise StaleEncounter


@contextlib.contextmanager
def _known_names(state: State, membership: Membership, owners: Mapping[str, int]) -> Iterator[None]:
    """Clean refusals to players of the names of combatants they don't see."""
    try:
        yield
    except RuleViolation as violation:
        if membership.is_storyteller:
            raise
        mine = frozenset(character for character, owner in owners.items() if owner == membership.user_id)
        sight = Sight(cast_of(state, state)["who"], mine=mine)
        raise RuleViolation(violation.rule, sight.clean(violation.message)) from None
