"""Signal receivers: fights follow changes to sheets, weapon tables, house rules and rights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import post_delete, post_save
from django.http import Http404
from django.urls import reverse

from campaigns.errors import Refused
from campaigns.models import Chronicle, Membership, User
from campaigns.prepared import Param, Prepared
from campaigns.signals import account_changed, bin_changed, membership_changed
from campaigns.words import said
from characters.hooks import (
    register_actions_of,
    register_fight_of,
    register_fights_locked,
    register_proof_address,
    register_proposals,
    register_reasons,
    register_shape_of,
    register_sightings,
)
from characters.models import Portrait
from characters.signals import handed_over, sheet_changed, table_changed
from combat.cache import Kept
from combat.commands import perform
from combat.commands.entered import characters_in, running_with
from combat.commands.revising import UNFINISHED, note_edit, revise_sheets
from combat.commands.writing import locked
from combat.history.earned import earned
from combat.history.sightings import sightings
from combat.live.hub import RIGHTS, hint, table_of
from combat.log import rows
from combat.models import Encounter, Status
from combat.panes.proofs import proof_address
from combat.panes.reasons import reasons
from combat.signals import answering, sheets_written
from rules.engine.violations import RuleViolation
from rules.model.shapes import Shape
from rules.model.sheet import Sheet

RIGHTS_OF_USERS = {"password", "is_active"}
"""The fields of an account that decide whether it has access at all."""
RULES_OF_CHRONICLES = {"options", "own_kinds", "own_traits", "own_powers"}
"""The fields of a chronicle that change its ruleset."""
MOST_KNOWN = 2000
"""Unfinished fights of which each process knows who is in them."""


def connect() -> None:
    """Connect the signals and hooks. Called once, when the app is ready."""
    sheet_changed.connect(_sheet_changed, dispatch_uid="combat")
    sheets_written.connect(_sheets_written, dispatch_uid="combat")
    handed_over.connect(_handed_over, dispatch_uid="combat")
    table_changed.connect(_table_changed, dispatch_uid="combat")
    membership_changed.connect(_membership_changed, dispatch_uid="combat")
    bin_changed.connect(_bin_changed, dispatch_uid="combat")
    account_changed.connect(_account_changed, dispatch_uid="combat")
    for signal in (post_save, post_delete):
        signal.connect(_portrait_changed, sender=Portrait, dispatch_uid="combat")
    post_save.connect(_chronicle_saved, sender=Chronicle, dispatch_uid="combat")
    post_save.connect(_user_saved, sender=User, dispatch_uid="combat")
    user_logged_out.connect(_logged_out, dispatch_uid="combat")
    register_fight_of(running_fight_of)
    register_fights_locked(fights_locked)
    register_shape_of(shape_in_fight)
    register_actions_of(actions_in_fight)
    register_proposals(earned)
    register_proof_address(proof_address)
    register_reasons(reasons)
    register_sightings(sightings)


def running_fight_of(character_id: str) -> str:
    """The name of the running encounter this character is in; "" if there is none."""
    return next((fight.name for fight, _who in running_with([character_id])), "")


def actions_in_fight(character_id: str) -> str:
    """The URL of the form for this character's actions in the running encounter it is in; "" if there is none."""
    for fight, _who in running_with([character_id]):
        people = rows.state_now(fight).combatants.values()
        who = next(each.id for each in people if each.character == character_id)
        return f"{reverse('combat:form', args=[fight.pk, 'action'])}?who={who}"
    return ""


def shape_in_fight(character_id: str) -> Shape | None:
    """This character's changed shape in a running or paused fight; None for the natural one."""
    going_on = (Status.RUNNING, Status.PAUSED)
    fights = Encounter.objects.fights().filter(status__in=going_on, chronicle__characters=character_id)
    people = (each for fight in fights for each in rows.state_now(fight).combatants.values())
    return next((each.sheet.shape for each in people if each.character == character_id and each.sheet.shape), None)


@contextmanager
def fights_locked(chronicle_id: str, character_id: str) -> Iterator[None]:
    """A transaction that locks the chronicle's unfinished fights, in which this character's harm is up to date.

    So undoing an edit in a fight leaves alone what another fight did.
    """
    fights = _unfinished().filter(chronicle_id=chronicle_id)
    # The chronicle's own log as well: it tells what was edited.
    with locked(Encounter.objects.filter(chronicle_id=chronicle_id, status__in=UNFINISHED)):
        _revise(fights, {character_id}, worn=True)
        yield


def _sheet_changed(
    character_id: str, chronicle_id: str, before: Sheet | None = None, by: User | None = None, **_more: Any
) -> None:
    """Copy the sheet into its fights, in the edit's own transaction: either both are saved or neither.

    What was edited of health and points is written into the chronicle's log.
    """
    try:
        _revise(_unfinished().filter(chronicle_id=chronicle_id), {character_id})
        if before is not None and by is not None:
            chronicle = Chronicle.objects.get(pk=chronicle_id)
            note_edit(character_id=character_id, chronicle=chronicle, before=before, by=by)
    except RuleViolation as violation:
        raise Refused(said(violation.message)) from None


def _sheets_written(
    encounter_id: str, chronicle_id: str, characters: Collection[str], behind: Collection[str], **_more: Any
) -> None:
    """Let the other unfinished fights follow what a fight did to sheets, and that one what others did."""
    with answering(None):
        if behind:
            revise_sheets(encounter_id=encounter_id, characters=behind, worn=True)
        if characters:
            _revise_those(_present_beside(encounter_id, chronicle_id), characters, worn=True)


def _table_changed(ruleset: str, chronicle_id: str | None, **_more: Any) -> None:
    fights = _unfinished().filter(chronicle__ruleset=ruleset)
    if chronicle_id is not None:
        fights = fights.filter(chronicle_id=chronicle_id)
    _after_the_edit(lambda: _catch_up(fights))


def _unfinished() -> QuerySet[Encounter]:
    return Encounter.objects.fights().filter(status__in=UNFINISHED)


@Prepared
def _beside() -> QuerySet[Encounter, tuple[str, str]]:
    """The ids and seals of a chronicle's other unfinished fights."""
    there = _unfinished().filter(chronicle=Param("chronicle", Chronicle))
    others: QuerySet[Encounter] = there.exclude(pk=Param("encounter", Encounter))
    return others.values_list("pk", "seal")


_present = Kept(MOST_KNOWN)
"""The characters in fights, by id and seal: a state doesn't change without its seal."""


def _present_beside(encounter_id: str, chronicle_id: str) -> list[tuple[str, frozenset[str]]]:
    """The other unfinished fights with the characters in them. Only the states of those not known yet are read."""
    fights = _beside.all(encounter=encounter_id, chronicle=chronicle_id)
    known: dict[str, frozenset[str]] = {
        pk: found for pk, seal in fights if (found := _present.get((pk, seal))) is not None
    }
    unknown = [pk for pk, _seal in fights if pk not in known]
    for fight in Encounter.objects.filter(pk__in=unknown).only("seal", "state") if unknown else ():
        known[fight.pk] = _present.put((fight.pk, fight.seal), characters_in(fight))
    return [(pk, known[pk]) for pk, _seal in fights if pk in known]


def _revise(fights: Iterable[Encounter], characters: Collection[str] | None = None, *, worn: bool = False) -> None:
    """Copy the sheets of these characters (None: of all) into the fights they are in."""
    _revise_those(((fight.pk, characters_in(fight)) for fight in fights), characters, worn=worn)


def _revise_those(
    fights: Iterable[tuple[str, frozenset[str]]], characters: Collection[str] | None, *, worn: bool
) -> None:
    """The same for the ids of fights, each with the characters in it."""
    for fight, present in fights:
        concerned = present if characters is None else present.intersection(characters)
        if concerned:
            # A draft deleted in the meantime must not stop the others, nor a sheet that one of them can't use now.
            with suppress(Http404, *([RuleViolation] if worn else [])):
                revise_sheets(encounter_id=fight, characters=concerned, worn=worn)


def _handed_over(character_id: str, chronicle_id: str, **_more: Any) -> None:
    # The owner sees more than others of every fight the character was in, and of the rolls outside fights.
    theirs = Encounter.objects.filter(chronicle_id=chronicle_id)
    _after_the_edit(lambda: _refresh(each for each in theirs if character_id in characters_in(each)))


def _portrait_changed(instance: Portrait, **_more: Any) -> None:
    """Show a new portrait in the turn orders, or leave out a removed one."""
    who = instance.character_id
    theirs = Encounter.objects.fights().filter(chronicle__characters=who)
    _after_the_edit(lambda: _refresh(each for each in theirs if who in characters_in(each)))


def _chronicle_saved(instance: Chronicle, created: bool, update_fields: Any = None, **_more: Any) -> None:  # noqa: FBT001  # Django's
    # Wound penalties and other values come from the rules and aren't in the log.
    if not created and (update_fields is None or not RULES_OF_CHRONICLES.isdisjoint(update_fields)):
        _after_the_edit(lambda: _refresh(Encounter.objects.without_state().filter(chronicle=instance)))


def _refresh(encounters: Iterable[Encounter]) -> None:
    for encounter in encounters:
        with suppress(Http404):
            perform.refresh(encounter_id=encounter.pk)


def _after_the_edit(work: Callable[[], None]) -> None:
    # Not in the edit's own transaction, which would have to lock every affected fight; for a common table, that is
    # every fight. If the server is killed before this is done, the sheets are repaired at its next start.
    transaction.on_commit(work, robust=True)


def _bin_changed(row: Any, **_more: Any) -> None:
    """Close a fight's pages when it goes to the bin, and bring its sheets up to date when it is restored."""
    if not isinstance(row, Encounter):
        return
    transaction.on_commit(lambda: hint(table_of(row.chronicle_id), RIGHTS), robust=True)
    if row.binned is None and row.status in UNFINISHED:
        _after_the_edit(partial(_catch_up, [row]))


def _catch_up(fights: Iterable[Encounter]) -> None:
    """Bring the sheets up to date: first what other fights did, which undo must not take back."""
    _revise(fights, worn=True)
    _revise(fights)


def _membership_changed(chronicle_id: str, **_more: Any) -> None:
    hint(table_of(chronicle_id), RIGHTS)


def _account_changed(user: Any, **_more: Any) -> None:
    """Let this account's sockets check their rights again."""
    for membership in Membership.objects.filter(user=user):
        hint(table_of(membership.chronicle_id), RIGHTS)


def _user_saved(instance: Any, created: bool, update_fields: Any = None, **_more: Any) -> None:  # noqa: FBT001  # Django's
    # Only for a changed password or a disabled account. Sign-ins and time zones are saved too, but change no rights.
    if not created and (update_fields is None or not RIGHTS_OF_USERS.isdisjoint(update_fields)):
        transaction.on_commit(lambda: _account_changed(instance), robust=True)


def _logged_out(user: Any, request: Any = None, **_more: Any) -> None:
    if user is None:
        return
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        # Django sends this before it ends the session, but sockets that check now must find it gone.
        session.delete(session.session_key)
    _account_changed(user)
