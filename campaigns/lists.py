"""Pagination of the lists on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict

MOST_LINES = 30


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a list: its lines, its number, the page count, and the URLs of its neighbours."""

    lines: Sequence[Any]
    number: int
    count: int
    before: str
    after: str


def parts(
    query: QueryDict, lists: dict[str, Sequence[Any]], *, keep: Mapping[str, str] | None = None, last: bool = False
) -> dict[str, Part]:
    """The page of each list that the query selects by the list's name; by default the first, or the `last`.

    `keep` are other values of the query, such as a filter, which the neighbours' URLs keep.
    """
    asked = {**(keep or {}), **{name: str(query[name]) for name in lists if name in query}}
    return {name: _part(name, lines, asked, last=last) for name, lines in lists.items()}


def _part(name: str, lines: Sequence[Any], asked: dict[str, str], *, last: bool) -> Part:
    pages = Paginator(lines, MOST_LINES)
    shown = pages.get_page(asked.get(name, pages.num_pages if last else None))
    before = shown.previous_page_number() if shown.has_previous() else None
    after = shown.next_page_number() if shown.has_next() else None
    addresses = (_address({**asked, name: str(number)}) if number else "" for number in (before, after))
    return Part(list(shown.object_list), shown.number, shown.paginator.num_pages, *addresses)


def _address(asked: dict[str, str]) -> str:
    query = QueryDict(mutable=True)
    query.update(asked)
    return f"?{query.urlencode()}"
