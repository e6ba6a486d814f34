"""View models of ties, built for one member from the ties that they know alone: lists, filters and counts too."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.models import Membership, PageKind, PassageAudience, Session
from campaigns.readable import pages_for
from campaigns.rulesets import why_missing
from characters.drawing import Drawing, drawn
from characters.known import Known, ends_of, known_to, ties_for
from characters.models import BoonState, Tie, TieKind
from characters.tie_services import may_write


@dataclass(frozen=True, slots=True)
class End:
    """One end of a tie: a character's or a group's name, and its page's URL."""

    id: str
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class TieLine:
    """A tie. `to_first` is what it is to the first, `to_second` to the second; `since` and `ended` name sessions.

    `readers` says who may read it, to those who may write it.
    """

    id: str
    kind: str
    kind_label: str
    first: End
    second: End
    to_first: str
    to_second: str
    size: str
    state: str
    state_label: str
    since: str
    ended: str
    over: bool
    readers: str
    may_write: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """A choice among ties: of a character or group, of a kind, with boons in a state; "" for all."""

    who: str = ""
    kind: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class TiesPage:
    """The chosen ties (`lines`) among `everything` that its reader knows, and whom these connect.

    `drawing` shows the chosen ones.
    """

    may_add: bool
    playable: bool
    everything: tuple[TieLine, ...]
    lines: tuple[TieLine, ...]
    people: tuple[tuple[str, str], ...]
    wanted: Wanted
    drawing: Drawing


def ties_page(membership: Membership, wanted: Wanted) -> TiesPage:
    """The page of ties for this member."""
    known = known_to(membership)
    everything = _Lines(membership, known).of(ties_for(membership, known))
    lines = tuple(line for line in everything if _is_wanted(line, wanted))
    ends = {end.id: end.name for line in everything for end in (line.first, line.second)}
    mine = {who for who, one in known.items() if one.is_mine}
    playable = not why_missing(membership.chronicle.ruleset)
    return TiesPage(
        may_add=playable and (membership.is_storyteller or (bool(mine) and may_play(membership))),
        playable=playable,
        everything=everything,
        lines=lines,
        people=tuple(sorted(ends.items(), key=lambda pair: (pair[1].casefold(), pair))),
        wanted=wanted,
        drawing=drawn(lines, around=wanted.who, mine=frozenset(mine)),
    )


def ties_of(membership: Membership, who: str) -> tuple[TieLine, ...]:
    """The ties of a character or a group that this member knows."""
    ends = ("from_character", "from_group", "to_character", "to_group")
    if not Tie.objects.filter(functools.reduce(operator.or_, (Q(**{end: who}) for end in ends))).exists():
        return ()
    known = known_to(membership)
    found = [tie for tie in ties_for(membership, known) if who in ends_of(tie)]
    return _Lines(membership, known).of(found) if found else ()


def names_of(membership: Membership, known: Mapping[str, Known]) -> dict[str, str]:
    """The names of whom this member knows, and of the groups of which they may read, by id."""
    groups = pages_for(membership).filter(kind=PageKind.GROUP).values_list("pk", "title")
    return {**{who: one.name for who, one in known.items()}, **dict(groups)}


def _is_wanted(line: TieLine, wanted: Wanted) -> bool:
    return (
        wanted.who in ("", line.first.id, line.second.id)
        and wanted.kind in ("", line.kind)
        and wanted.state in ("", line.state)
    )


class _Lines:
    """Makes lines of ties that one member knows."""

    def __init__(self, membership: Membership, known: Mapping[str, Known]) -> None:
        self._membership = membership
        self._known = known
        self._names = names_of(membership, known)
        self._mine = frozenset(who for who, one in known.items() if one.is_mine)
        self._ends: dict[str, End] = {}

    def of(self, ties: Iterable[Any]) -> tuple[TieLine, ...]:
        """The lines of these ties, in the order in which this member was told of them, the newest first.

        That order says nothing about when they were written.
        """
        return tuple(map(self._line, sorted(ties, key=lambda tie: (tie.told, tie.pk), reverse=True)))

    def _line(self, tie: Tie) -> TieLine:
        first, second = ends_of(tie)
        boon, writes = tie.kind == TieKind.BOON, may_write(self._membership, tie, self._mine)
        return TieLine(
            id=tie.pk,
            kind=tie.kind,
            kind_label=str(TieKind(tie.kind).label),
            first=self._end(first),
            second=self._end(second),
            to_first=tie.text,
            to_second=tie.text_back,
            size=str(tie.get_size_display()) if boon else "",
            state=tie.state if boon else "",
            state_label=str(tie.get_state_display()) if boon else "",
            since=session_name(tie.since),
            ended=session_name(tie.ended),
            over=tie.ended is not None or (boon and tie.state != BoonState.OWED),
            readers=str(PassageAudience(tie.audience).label) if writes else "",
            may_write=writes,
        )

    def _end(self, who: str) -> End:
        if who not in self._ends:
            page = "characters:face" if who in self._known else "campaigns:page"
            url = reverse(page, args=[self._membership.chronicle_id, who])
            self._ends[who] = End(who, self._names[who], url)
        return self._ends[who]


def session_name(session: Session | None) -> str:
    """A session in a few words; "" for none."""
    return _("session %(number)s") % {"number": session.number} if session else ""
