"""Where the `[[links]]` of a text lead for a reader.

A link to something that the reader doesn't know looks like a link to nothing. Pages come first; the apps above register
further names, such as those of characters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from django.urls import reverse

from campaigns.markdown import titles_in
from campaigns.models import Link, Membership, Passage
from campaigns.readable import pages_for

Addresses = tuple[tuple[str, str], ...]
"""Folded titles with their URLs: hashable, so that rendered texts can be cached by them."""
# From a member and folded names to the URLs of those that the member knows.
Names = Callable[[Membership, Collection[str]], Mapping[str, str]]

_answers: list[Names] = []


def register_names(answer: Names) -> None:
    """Register a further source of names that links may use. Idempotent."""
    if answer not in _answers:
        _answers.append(answer)


def addresses(membership: Membership, texts: Iterable[str]) -> dict[str, str]:
    """The URLs of the pages and names that these texts link to and this member knows, by folded title."""
    asked = {title for text in texts for title in titles_in(text)}
    if not asked:
        return {}
    found: dict[str, str] = {}
    for answer in _answers:
        found |= answer(membership, asked)
    # Of several pages with one title, the link leads to the first that the reader may read.
    pages = pages_for(membership).filter(folded__in=asked).order_by("-created", "-pk")
    for pk, folded in pages.values_list("pk", "folded"):
        found[folded] = reverse("campaigns:page", args=[membership.chronicle_id, pk])
    return found


def of_text(text: str, known: Mapping[str, str]) -> Addresses:
    """Those of the addresses that a text uses."""
    return tuple((title, known[title]) for title in titles_in(text) if title in known)


def write_links(passage: Passage) -> None:
    """Store the links of a passage's text, in its transaction."""
    passage.links.all().delete()
    Link.objects.bulk_create([Link(passage=passage, folded=title) for title in titles_in(passage.text)])
