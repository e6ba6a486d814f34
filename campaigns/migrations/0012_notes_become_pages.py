"""Each note becomes a page with the same id and one passage."""

import unicodedata
from typing import Any

from django.db import migrations

EVERYONE = "everyone"


def fold(title: str) -> str:
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).casefold())
    return " ".join(plain.split())[:240]


def to_pages(apps: Any, _editor: Any) -> None:
    Note, Page, Passage = (apps.get_model("campaigns", name) for name in ("Note", "Page", "Passage"))
    # The historical model of notes has both managers; those in the bin come along.
    for note in Note._base_manager.order_by("created", "pk").iterator(chunk_size=200):
        shared = {"author_id": note.author_id, "version": note.version}
        page = Page(pk=note.pk, chronicle_id=note.chronicle_id, kind="note", title=note.title, **shared)
        page.folded, page.binned = fold(note.title), note.binned
        page.save(force_insert=True)
        passage = Passage(page=page, text=note.body, written=note.updated, **shared)
        passage.audience = EVERYONE if note.audience == EVERYONE else "storytellers"
        passage.opened = note.updated if note.audience == EVERYONE else None
        passage.save(force_insert=True)
        # Both have `auto_now_add`.
        Page._base_manager.filter(pk=page.pk).update(created=note.created)
        Passage._base_manager.filter(pk=passage.pk).update(created=note.created)


def to_notes(apps: Any, _editor: Any) -> None:
    """Each page becomes a note with all its passages: for everyone only if all of them are."""
    Note, Page = (apps.get_model("campaigns", name) for name in ("Note", "Page"))
    for page in Page._base_manager.iterator(chunk_size=200):
        passages = list(page.passages.order_by("place", "created", "pk"))
        opened = bool(passages) and all(each.audience == EVERYONE for each in passages)
        shared = {"author_id": page.author_id, "version": page.version, "binned": page.binned}
        note = Note(pk=page.pk, chronicle_id=page.chronicle_id, title=page.title, **shared)
        note.body = "\n\n".join(each.text for each in passages)
        note.audience = EVERYONE if opened else "storyteller"
        note.save(force_insert=True)
        written = max((each.written for each in passages), default=page.created)
        Note._base_manager.filter(pk=page.pk).update(created=page.created, updated=written)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0011_sessions_and_pages")]

    operations = [migrations.RunPython(to_pages, to_notes), migrations.DeleteModel("Note")]
