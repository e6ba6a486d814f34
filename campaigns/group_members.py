"""The members of a group, on its page. The app above knows who is tied to it and registers the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaigns.models import Membership


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a group as its reader knows them. `portrait` is a URL or "", `over` for those who left."""

    name: str
    url: str
    portrait: str
    text: str
    over: bool


# From a reader and a group's page to the members that this reader knows of.
Members = Callable[[Membership, str], tuple[Member, ...]]

_answers: list[Members] = []


def register_members(answer: Members) -> None:
    """Register the answer to `members_of`. Idempotent."""
    if answer not in _answers:
        _answers.append(answer)


def members_of(membership: Membership, page_id: str) -> tuple[Member, ...]:
    """The members of a group that a reader knows of, those who left last."""
    return tuple(each for answer in _answers for each in answer(membership, page_id))
