"""Hooks: questions to higher layers, which register their answers at startup."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import transaction

from campaigns.models import Chronicle, Membership
from rules.model.experience import Trigger
from rules.model.shapes import Shape

# From a character's id to the name of its running fight, "" if there is none.
FightOf = Callable[[str], str]

# From a character's id to its current shape, None for its own or an unknown one.
ShapeOf = Callable[[str], Shape | None]

# From a character's id to the address of its actions in a running fight, "" if there is none.
ActionsOf = Callable[[str], str]

# From the ids of a chronicle and a character to a transaction that locks the chronicle's unfinished fights.
FightsLocked = Callable[[str, str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """An award that the log proposes: to whom, for what, the entry that proves it, and the fight's name.

    `where` is "" outside fights. Its player can't read the entry if it is `secret`.
    """

    character: str
    trigger: Trigger
    proof: str
    where: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """That a player's character (`by`) saw an NPC in a fight (`where`), under which name."""

    character: str
    by: str
    name: str
    where: str


# From a chronicle to whom the players' characters saw in its fights.
Sightings = Callable[[Chronicle], tuple[Sighting, ...]]

# From a chronicle to the awards that its log proposes.
Proposals = Callable[[Chronicle], tuple[Proposal, ...]]

# From a reader and an award's proof to the URL of that log entry, "" if the reader may not see it.
ProofAddress = Callable[[Membership, str], str]

# From a reader and log entries' tokens to the reasons given for them, of those that the reader may know.
Reasons = Callable[[Membership, Collection[str]], Mapping[str, str]]

_asked: list[FightOf] = []
_asked_for_shapes: list[ShapeOf] = []
_asked_for_actions: list[ActionsOf] = []
_locks: list[FightsLocked] = []
_asked_for_proofs: list[ProofAddress] = []
_asked_for_proposals: list[Proposals] = []
_asked_for_reasons: list[Reasons] = []
_asked_for_sightings: list[Sightings] = []


def register_fight_of(answer: FightOf) -> None:
    """Register the answer to `fight_of`. Idempotent."""
    if answer not in _asked:
        _asked.append(answer)


def fight_of(character_id: str) -> str:
    """The name of the running fight this character is in; "" if none."""
    return next((name for answer in _asked if (name := answer(character_id))), "")


def register_shape_of(answer: ShapeOf) -> None:
    """Register the answer to `shape_of`. Idempotent."""
    if answer not in _asked_for_shapes:
        _asked_for_shapes.append(answer)


def shape_of(character_id: str) -> Shape | None:
    """The character's current shape; None for its own."""
    return next((shape for answer in _asked_for_shapes if (shape := answer(character_id))), None)


def register_actions_of(answer: ActionsOf) -> None:
    """Register the answer to `actions_of`. Idempotent."""
    if answer not in _asked_for_actions:
        _asked_for_actions.append(answer)


def actions_of(character_id: str) -> str:
    """The URL of the form for the character's actions in a running fight; "" if it is in none."""
    return next((found for answer in _asked_for_actions if (found := answer(character_id))), "")


def register_proposals(answer: Proposals) -> None:
    """Register the answer to `proposals`. Idempotent."""
    if answer not in _asked_for_proposals:
        _asked_for_proposals.append(answer)


def proposals(chronicle: Chronicle) -> tuple[Proposal, ...]:
    """The awards that the log proposes, those already settled included. For Storytellers only."""
    return tuple(each for answer in _asked_for_proposals for each in answer(chronicle))


def register_sightings(answer: Sightings) -> None:
    """Register the answer to `sightings`. Idempotent."""
    if answer not in _asked_for_sightings:
        _asked_for_sightings.append(answer)


def sightings(chronicle: Chronicle) -> tuple[Sighting, ...]:
    """Whom players' characters saw in fights. For Storytellers only."""
    return tuple(each for answer in _asked_for_sightings for each in answer(chronicle))


def register_proof_address(answer: ProofAddress) -> None:
    """Register the answer to `proof_address`. Idempotent."""
    if answer not in _asked_for_proofs:
        _asked_for_proofs.append(answer)


def proof_address(reader: Membership, proof: str) -> str:
    """The URL of the log entry that proves an award; "" if the reader may not see it."""
    return next((found for answer in _asked_for_proofs if (found := answer(reader, proof))), "")


def register_reasons(answer: Reasons) -> None:
    """Register the answer to `reasons`. Idempotent."""
    if answer not in _asked_for_reasons:
        _asked_for_reasons.append(answer)


def reasons(reader: Membership, entries: Collection[str]) -> Mapping[str, str]:
    """The reasons of these entries of the log outside fights, by token, that the reader may know."""
    return {token: why for answer in _asked_for_reasons for token, why in answer(reader, entries).items()}


def register_fights_locked(answer: FightsLocked) -> None:
    """Register the context manager behind `fights_locked`. Idempotent."""
    if answer not in _locks:
        _locks.append(answer)


@contextlib.contextmanager
def fights_locked(chronicle_id: str, character_id: str) -> Iterator[None]:
    """A transaction that may change a sheet together with its character's fights, which know it as it is.

    It locks fights before sheets, in the same order as fights do, to avoid deadlocks.
    """
    with contextlib.ExitStack() as stack:
        for lock in _locks:
            stack.enter_context(lock(chronicle_id, character_id))
        stack.enter_context(transaction.atomic())
        yield
