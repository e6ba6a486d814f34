"""`pages.json` and `pages/`: the pages, each with its passages and who may read them since when.

The words of a page are one Markdown file, for people to read. Where each passage is in it is in `pages.json`, in
characters, so no words can be taken for the end of a passage. Pictures are kept as they are stored:
drawing them again would lose a little each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from campaigns import pictures
from campaigns.archives import rows
from campaigns.archives.box import BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.markdown import titles_in
from campaigns.models import TEXT_LENGTH, Link, Page, Passage, Picture, Readership, Reveal, Session
from campaigns.names import is_seen
from campaigns.titles import fold

FILE = "pages.json"
FOLDER = "pages/"

COLUMNS = ("kind", "title", "done", "created")
OF_PASSAGE = ("audience", "created", "written", "opened")
OF_REVEAL = ("everyone", "at")

MOST_PASSAGES = 50_000
MOST_READERS = 200_000
MOST_REVEALS = 100_000


def take_out(going: Going) -> None:
    """Write the pages that aren't in the bin."""
    found = Page.objects.filter(chronicle=going.chronicle).order_by("created", "folded", "pk")
    counts = dict.fromkeys(("pages", "passages", "pictures"), 0)
    said = []
    for page in found:
        passages = list(page.passages.prefetch_related("readership__membership", "reveals__to"))
        if not passages:
            continue  # nobody can read it
        said.append(_written(page, passages, going, counts))
        counts["pages"] += 1
        counts["passages"] += len(passages)
        going.tell(1)
    going.box.add_json(FILE, {"pages": said})
    going.counts.update(counts)


def _written(page: Page, passages: list[Passage], going: Going, counts: dict[str, int]) -> dict[str, Any]:
    text, places = f"# {page.title}\n", []
    for each in passages:
        text += "\n"
        places.append((len(text), len(text) + len(each.text)))
        text += f"{each.text}\n"
    going.box.add(f"{FOLDER}{page.pk}.md", text)
    return {
        "id": page.pk,
        **rows.write(page, COLUMNS),
        "session": page.session_id or "",
        "author": going.person(page.author_id),
        "passages": [
            _of_passage(each, start, end, going, counts) for each, (start, end) in zip(passages, places, strict=True)
        ],
    }


def _of_passage(passage: Passage, start: int, end: int, going: Going, counts: dict[str, int]) -> dict[str, Any]:
    readers = sorted(passage.readership.all(), key=lambda each: (each.since, each.pk))
    reveals = sorted(passage.reveals.all(), key=lambda each: (each.at, not each.everyone))
    return {
        "id": passage.pk,
        "start": start,
        "end": end,
        "author": going.person(passage.author_id),
        **rows.write(passage, OF_PASSAGE),
        "readers": [
            {"person": going.person(each.membership.user_id), "since": rows.plain(each.since)} for each in readers
        ],
        "picture": _of_picture(passage, going, counts),
        "reveals": [
            {
                **rows.write(each, OF_REVEAL),
                "session": each.session_id or "",
                "by": going.person(each.by_id),
                "to": [going.person(one.user_id) for one in each.to.all()],
            }
            for each in reveals
        ],
    }


def _of_picture(passage: Passage, going: Going, counts: dict[str, int]) -> dict[str, Any] | None:
    found = Picture.objects.filter(passage=passage).first()
    if found is None:
        return None
    going.box.add(_file_of(passage.page_id, found.pk), bytes(found.picture))
    counts["pictures"] += 1
    return {"id": found.pk, "caption": found.caption}


def _file_of(page: str, picture: str) -> str:
    return f"{FOLDER}{page}/{picture}.webp"


# ------------------------------------------------------------------ on the way in


@dataclass(slots=True)
class _Found:
    """The rows of all pages, by model, in the order in which they are saved."""

    pages: list[Page] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    readers: list[Readership] = field(default_factory=list)
    reveals: list[Reveal] = field(default_factory=list)
    shown_to: list[models.Model] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


@dataclass(slots=True)
class _Paper:
    """A page with its Markdown file, whose passages are read one after another. `folder` is its old id."""

    page: Page
    folder: str
    text: str
    many: int = 0
    end: int = 0

    def next(self, said: dict[str, Any]) -> str:
        """The words of the next passage, which begins after the end of the one before. Raises `BadArchive`."""
        start, end = rows.typed(said, "start", int, FILE), rows.typed(said, "end", int, FILE)
        if not self.end <= start <= end <= len(self.text) or end - start > TEXT_LENGTH:
            raise rows.invalid("start", FILE)
        self.many, self.end = self.many + 1, end
        return self.text[start:end]


def bring_in(coming: Coming) -> None:
    """Read the pages. Raises `BadArchive`."""
    said = rows.fields(coming.box.json(FILE), ("pages",), FILE)
    found = _Found()
    for each in rows.objects(said, "pages", FILE):
        _read(each, coming, found)
        coming.tell(1)
    for name, many in (("pages", found.pages), ("passages", found.passages), ("pictures", found.pictures)):
        coming.count(name, len(many), FILE)
    every: list[list[Any]] = [
        *(found.pages, found.passages, found.pictures, found.readers, found.reveals, found.shown_to, found.links)
    ]
    for each_sort in every:
        coming.add(each_sort)


def _read(said: dict[str, Any], coming: Coming, found: _Found) -> None:
    page = rows.read(said, Page, COLUMNS, file=FILE, also=("id", "session", "author", "passages"))
    coming.named(page, said["id"], FILE)
    if not is_seen(page.title):
        raise rows.invalid("title", FILE)
    page.chronicle, page.folded = coming.chronicle, fold(page.title)
    page.session = coming.row(Session, said["session"], FILE)
    page.author = coming.user(said["author"], FILE)
    found.pages.append(page)
    passages = rows.objects(said, "passages", FILE)
    if not passages or len(found.passages) + len(passages) > MOST_PASSAGES:
        raise rows.invalid("passages", FILE)
    paper = _Paper(page, said["id"], coming.box.text(f"{FOLDER}{said['id']}.md"))
    for each in passages:
        _read_passage(each, paper, coming, found)


def _read_passage(said: dict[str, Any], paper: _Paper, coming: Coming, found: _Found) -> None:
    also = ("id", "start", "end", "author", "readers", "picture", "reveals")
    passage = rows.read(said, Passage, OF_PASSAGE, file=FILE, also=also)
    coming.named(passage, said["id"], FILE)
    passage.page, passage.place, passage.text = paper.page, paper.many, paper.next(said)
    passage.author = coming.user(said["author"], FILE)
    found.passages.append(passage)
    found.links += [Link(passage=passage, folded=title) for title in titles_in(passage.text)]
    if said["picture"] is not None:
        found.pictures.append(_read_picture(said["picture"], passage, paper.folder, coming))
    _read_readers(rows.objects(said, "readers", FILE), passage, coming, found)
    for each in rows.objects(said, "reveals", FILE):
        _read_reveal(each, passage, coming, found)


def _read_readers(given: list[dict[str, Any]], passage: Passage, coming: Coming, found: _Found) -> None:
    for each in given:
        row = rows.read(each, Readership, ("since",), file=FILE, also=("person",))
        row.passage, row.membership = passage, coming.member(each["person"], FILE)
        found.readers.append(row)
    if len({each["person"] for each in given}) < len(given):
        raise rows.invalid("readers", FILE)
    rows.at_most(found.readers, MOST_READERS, "readers", FILE)


def _read_reveal(said: dict[str, Any], passage: Passage, coming: Coming, found: _Found) -> None:
    reveal = rows.read(said, Reveal, OF_REVEAL, file=FILE, also=("session", "by", "to"))
    reveal.passage, reveal.session = passage, coming.row(Session, said["session"], FILE)
    reveal.by = coming.user(said["by"], FILE)
    found.reveals.append(reveal)
    to = rows.typed(said, "to", list, FILE)
    members = [coming.member(each, FILE) for each in to]
    if len(set(to)) < len(to):
        raise rows.invalid("to", FILE)
    found.shown_to += [Reveal.to.through(reveal=reveal, membership=each) for each in members]
    rows.at_most(found.reveals, MOST_REVEALS, "reveals", FILE)
    rows.at_most(found.shown_to, MOST_READERS, "to", FILE)


def _read_picture(said: Any, passage: Passage, folder: str, coming: Coming) -> Picture:
    row = rows.read(said, Picture, ("caption",), file=FILE, also=("id",))
    coming.named(row, said["id"], FILE)
    name = _file_of(folder, said["id"])
    row.passage, row.picture = passage, coming.box.read(name)
    try:
        pictures.check_stored(row.picture, pictures.HANDOUT)
    except pictures.Unfit:
        raise BadArchive(name, _("This file isn’t a picture that Vesper has stored.")) from None
    return row
