"""Search over everything that one member may read: pages, people, ties, sessions, fights and their logs, and rules.

Words are compared folded (`campaigns.folding`), and all of them must be there. Long texts are compared by the database
in columns that hold them folded, short ones here (docs/decisions/0024-search-reads-folded-columns.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, IntegerField, Q, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.folding import folded
from campaigns.models import Membership, PageKind, Session
from campaigns.readable import pages_for, passages_for
from characters.known import Known, ends_of, known_to, ties_for
from characters.models import Character
from combat.models import Encounter, Status
from story.digests import entries_with
from story.places import page_url, person_url, session_url, ties_url

FEWEST_LETTERS = 2
MOST_LETTERS = 100
MOST_HITS = 8
"""How many results of one sort are shown."""

MOST_PASSAGES = 60
"""How many passages are taken from the database, for at most `MOST_HITS` pages."""

BEFORE, AFTER = 40, 120
"""How much of a text is shown around what was found."""

MARKUP = str.maketrans("", "", "*_#>`[]")


@dataclass(frozen=True, slots=True)
class Hit:
    """A result: its name and address, a word on what it is, and the text around what was found."""

    name: str
    url: str
    note: str = ""
    before: str = ""
    found: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The results of one sort; `more`: there are others."""

    key: str
    label: str
    hits: tuple[Hit, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The page of a search. `wanted` is what was typed; `short`: too little to search for."""

    chronicle: dict[str, str]
    wanted: str
    groups: tuple[Group, ...]
    short: bool

    @property
    def count(self) -> int:
        """How many results are shown."""
        return sum(len(group.hits) for group in self.groups)


def search_page(membership: Membership, wanted: str) -> SearchPage:
    """The results of a search for one member."""
    one, typed = membership.chronicle, wanted.replace("\x00", "").strip()[:MOST_LETTERS]
    # The longest first: it is the rarest, so the others are looked for in few texts.
    words = tuple(sorted(dict.fromkeys(folded(typed).split()), key=len, reverse=True))
    short = max(map(len, words), default=0) < FEWEST_LETTERS
    groups = () if short else tuple(_groups(membership, words))
    return SearchPage({"pk": one.pk, "name": one.name, "ruleset": one.ruleset}, typed, groups, short)


def _groups(membership: Membership, words: Sequence[str]) -> Iterator[Group]:
    known = known_to(membership)
    sources: Iterable[tuple[str, str, Iterable[Hit]]] = (
        ("pages", _("Pages"), _pages(membership, words)),
        ("people", _("Characters"), _people(membership, words, known)),
        ("ties", _("Ties"), _ties(membership, words, known)),
        ("sessions", _("Sessions"), _sessions(membership, words)),
        ("fights", _("Fights"), _fights(membership, words)),
        ("log", _("Log"), _log(membership, words)),
        ("rules", _("Rules"), _rules(membership, words)),
    )
    for key, label, found in sources:
        hits = [hit for hit, _number in zip(found, range(MOST_HITS + 1), strict=False)]
        if hits:
            yield Group(key, label, tuple(hits[:MOST_HITS]), more=len(hits) > MOST_HITS)


# ------------------------------------------------------------------ sources


def _pages(membership: Membership, words: Sequence[str]) -> Iterator[Hit]:
    """Pages whose title has the words first, then those with a passage that has them."""
    titled, written = Q(), Q()
    for word in words:
        titled &= Q(page__folded__contains=word)
        written &= Q(folded__has=word) | Q(page__folded__contains=word)
    rank = Case(When(titled, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows = (
        passages_for(membership).filter(written).annotate(rank=rank).order_by("rank", "page__folded", "page", "place")
    )
    kinds, met = dict(PageKind.choices), dict[str, Hit]()
    for page, title, kind, text in rows.values_list("page_id", "page__title", "page__kind", "text")[:MOST_PASSAGES]:
        hit = _hit(title, page_url(membership.chronicle_id, page), text, words, str(kinds.get(kind, "")))
        if page not in met or (hit.found and not met[page].found):
            met[page] = hit
    yield from met.values()


def _people(membership: Membership, words: Sequence[str], known: Mapping[str, Known]) -> Iterator[Hit]:
    """People the member knows: their names, faces, and what is written on sheets they may read."""
    sheets = Character.objects.filter(chronicle_id=membership.chronicle_id)
    if not membership.is_storyteller:
        sheets = sheets.filter(owner_id=membership.user_id)
    fields = ("concept", "notes", *(["storyteller_notes"] if membership.is_storyteller else []))
    written = {pk: "\n".join(texts) for pk, *texts in sheets.values_list("pk", *fields)}
    by_name, others = list[Hit](), list[Hit]()
    for one in known.values():
        text = "\n".join(filter(None, (one.text, written.get(one.id, ""))))
        if _has(words, one.name, text):
            hit = _hit(one.name, person_url(membership, one), text, words)
            (by_name if _has(words, one.name) else others).append(hit)
    yield from (*by_name, *others)


def _ties(membership: Membership, words: Sequence[str], known: Mapping[str, Known]) -> Iterator[Hit]:
    ties = ties_for(membership, known)
    ends = {each for tie in ties for each in ends_of(tie)} - known.keys()
    groups = dict(pages_for(membership).filter(pk__in=ends).values_list("pk", "title")) if ends else {}
    for tie in ties:
        names = [known[each].name if each in known else groups[each] for each in ends_of(tie)]
        text = "\n".join(filter(None, (tie.text, tie.text_back)))
        if _has(words, *names, text):
            yield _hit(" → ".join(names), ties_url(membership.chronicle_id), text, words, tie.get_kind_display())


def _sessions(membership: Membership, words: Sequence[str]) -> Iterator[Hit]:
    rows = Session.objects.filter(chronicle_id=membership.chronicle_id).order_by("-number")
    for one in rows.only("pk", "number", "title", "place", "recap"):
        name = _("Session %(number)s") % {"number": one.number}
        name = f"{name}: {one.title}" if one.title else name
        text = "\n".join(filter(None, (one.place, one.recap)))
        if _has(words, name, text):
            yield _hit(name, session_url(one.pk), text, words)


def _fights(membership: Membership, words: Sequence[str]) -> Iterator[Hit]:
    """Fights by name; drafts for Storytellers only."""
    rows = Encounter.objects.fights().filter(chronicle_id=membership.chronicle_id)
    if not membership.is_storyteller:
        rows = rows.exclude(status=Status.DRAFT)
    for pk, name, status in rows.values_list("pk", "name", "status"):
        if _has(words, name):
            yield Hit(name, reverse("combat:encounter", args=[pk]), str(Status(status).label))


def _log(membership: Membership, words: Sequence[str]) -> Iterator[Hit]:
    for one in entries_with(membership, words, MOST_HITS + 1):
        page = ("combat:rolls", membership.chronicle_id) if one.outside else ("combat:report", one.log)
        name = _("Rolls outside fights") if one.outside else one.name
        yield _hit(name, f"{reverse(page[0], args=[page[1]])}#entry-{one.entry}", one.text, words)


def _rules(membership: Membership, words: Sequence[str]) -> Iterator[Hit]:
    """Rules, those with the words in their title first."""
    key = membership.chronicle.ruleset
    book = rulesets.book(key)
    found = rulesets.search(book, " ".join(words)) if book else []
    for rule in sorted(found, key=lambda rule: not _has(words, rule.title)):
        url = f"{reverse('campaigns:rulebook', args=[key])}#{rule.id}"
        yield _hit(rule.title, url, rule.text, words, rule.id)


# ------------------------------------------------------------------ words


def _has(words: Sequence[str], *texts: str) -> bool:
    """Whether all words are in these texts."""
    together = folded("\n".join(texts))
    return all(word in together for word in words)


def _hit(name: str, url: str, text: str, words: Sequence[str], note: str = "") -> Hit:
    """A result with the text around the first word that is in it."""
    plain = " ".join(text.translate(MARKUP).split())
    for word in words:
        place = _place_of(word, plain)
        if place is not None:
            first, last = place
            start, end = max(0, first - BEFORE), last + AFTER
            before = ("…" if start else "") + plain[start:first]
            after = plain[last:end] + ("…" if end < len(plain) else "")
            return Hit(name, url, note, before, plain[first:last], after)
    return Hit(name, url, note)


def _place_of(word: str, text: str) -> tuple[int, int] | None:
    """Where a folded word is in a text. Folding changes lengths: "ß" becomes two letters."""
    if word not in folded(text):
        return None
    lengths = list[int]()
    for index, letter in enumerate(text):
        lengths += [index] * len(folded(letter))
    at = "".join(map(folded, text)).find(word)
    return (lengths[at], lengths[at + len(word) - 1] + 1) if at >= 0 else None
