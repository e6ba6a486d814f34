"""Reinforcements: groups that the Storyteller prepares beside a fight, and brings in with one press."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import Http404

from campaigns.access import check_still_storyteller
from campaigns.errors import EditConflict
from campaigns.models import Membership, User
from campaigns.tokens import public_id
from combat.commands import drafts
from combat.commands.newcomers import Shown, Wanted, joining
from combat.commands.perform import storyteller_of
from combat.commands.writing import Performed, altering, change
from combat.history.reinforcements import still_waiting
from combat.log import codec
from combat.models import Encounter, Reinforcement
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input

MOST_WAITING = 30

Meaning = Callable[[Encounter], Sequence[Wanted]]
"""Finds out whom the words mean, in the locked encounter. May raise `RuleViolation`."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reinforcement as entered. `words` are quick add's, a line for each; `shown` applies to all of them."""

    label: str
    words: str
    shown: Shown


def prepare(*, by: Membership, encounter_id: str, row_id: str = "", prepared: Prepared, meaning: Meaning) -> None:
    """Let a reinforcement wait, once for each `row_id`. For Storytellers only.

    Raises `RuleViolation` if too many wait already.
    """
    with _changing(by, encounter_id) as encounter:
        if row_id and Reinforcement.objects.filter(pk=row_id, encounter=encounter).exists():
            return  # the same form, sent again
        if len(still_waiting(encounter.pk, encounter.seq)) >= MOST_WAITING:
            raise bad_input(phrase("at-most-reinforcements-can-wait", most=MOST_WAITING))
        _save(Reinforcement(pk=row_id or public_id(), encounter=encounter), prepared, meaning(encounter))


def revise(
    *, by: Membership, encounter_id: str, row_id: str, version: int, prepared: Prepared, meaning: Meaning
) -> None:
    """Change one that waits. Raises `EditConflict` if `version` is outdated, `Http404` if it doesn't wait any more."""
    with _changing(by, encounter_id) as encounter:
        row = waiting_or_404(encounter, row_id)
        if row.version != version:
            raise EditConflict
        row.version += 1
        _save(row, prepared, meaning(encounter))


def discard(*, by: Membership, encounter_id: str, row_id: str) -> None:
    """Delete one that waits. Raises `Http404` if it doesn't wait any more."""
    with _changing(by, encounter_id) as encounter:
        waiting_or_404(encounter, row_id).delete()


def waiting_or_404(encounter: Encounter, row_id: str) -> Reinforcement:
    """A reinforcement that waits outside this fight."""
    for row in still_waiting(encounter.pk, encounter.seq):
        if row.pk == row_id:
            return row
    raise Http404("No such reinforcement")


def bring_in(*, encounter_id: str, actor: User, row_id: str, key: str = "", sent: str = "") -> Performed:
    """Let a reinforcement join the fight, in one step. It waits again once that step is undone.

    Raises as :func:`combat.commands.perform.perform`.
    """
    with change(encounter_id) as encounter:
        storyteller_of(encounter, actor)
        row = next((each for each in still_waiting(encounter.pk, encounter.seq) if each.pk == row_id), None)
        if row is None:
            raise bad_input(phrase("reinforcement-no-longer-waits"))
        # Before the row is written, so that the views that follow from it are right.
        row.joined = encounter.seq + 1
        row.save(update_fields=["joined"])
        return drafts.add_wanted(
            encounter_id=encounter_id,
            actor=actor,
            wanted=[codec.load(each, Wanted) for each in row.people],
            shown=Shown(row.hidden, row.mask, row.health_shown, row.side),
            key=key,
            sent=sent,
        )


def copy_waiting(encounter: Encounter, other_id: str) -> None:
    """Let copies of those that wait outside one fight wait outside another."""
    with change(other_id) as other, altering(other):
        for row in still_waiting(encounter.pk, encounter.seq):
            row.pk, row.encounter, row.joined, row.version = public_id(), other, None, 1
            row.save(force_insert=True)


@contextmanager
def _changing(by: Membership, encounter_id: str) -> Iterator[Encounter]:
    """A locked encounter; its Storytellers' view is compared afterwards."""
    with change(encounter_id) as encounter:
        check_still_storyteller(by)
        with altering(encounter):
            yield encounter


def _save(row: Reinforcement, prepared: Prepared, people: Sequence[Wanted]) -> None:
    shown = prepared.shown
    # What could never join, such as somebody twice, is refused now rather than in the middle of a fight.
    drafts.check_room(len(joining(row.encounter.chronicle_id, (), people, shown)))
    row.label, row.words = prepared.label, prepared.words
    row.people = [codec.dump(each) for each in people]
    row.hidden, row.mask, row.health_shown, row.side = shown.hidden, shown.mask, shown.health_shown, shown.side
    row.save()
