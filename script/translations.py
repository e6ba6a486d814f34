"""The message catalogues: collect the texts in the source, merge them with the translations, write and compile.

There are two sorts. What Django's gettext translates has its English in the source: one catalogue for each other
language, in `locale`. What `rules.engine.phrases` makes has an id in the source and its sentences in a catalogue for
each language, English included: in `rules/locale`, and in the folder `locale` of each package in `examples`. Logs keep
these ids, so an id that the source no longer uses stays in the catalogues.

Django itself turns templates into Python and Babel reads everything, so gettext's own tools aren't needed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
APPS = ("campaigns", "characters", "combat", "config", "rules", "story")
KEYWORDS = {
    "_": None,
    "_now": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENT = "Translators:"
FOR_OLD_LOGS = "Kept for old logs"
"""The comment on an id that the source no longer uses."""


@dataclass(frozen=True)
class Texts:
    """A set of catalogues with the same messages, one for each language in `folder`."""

    domain: str
    folder: Path
    code: tuple[Path, ...]
    """Folders with the source."""
    host: Texts | None = None
    """The texts of Vesper, whose messages a package may use without translating them again."""

    @property
    def by_id(self) -> bool:
        """Whether messages have ids, as phrases have."""
        return self.domain == "rules"

    def languages(self) -> list[str]:
        """Languages that have a catalogue."""
        return sorted(path.name for path in self.folder.iterdir() if path.is_dir())

    def place(self, language: str) -> Path:
        """Where a language's catalogue is; the compiled one is beside it, with `.mo`."""
        return self.folder / language / "LC_MESSAGES" / f"{self.domain}.po"

    def read(self, language: str) -> Catalog:
        """A language's catalogue as it is on disk."""
        with self.place(language).open("rb") as file:
            return read_po(file, locale=language)

    def sources(self) -> Iterator[Path]:
        """The files that contain texts for readers."""
        for folder in self.code:
            for path in folder.rglob("*"):
                texts = path.suffix == ".py" or (not self.by_id and path.suffix in (".html", ".txt"))
                if texts and "migrations" not in path.parts:
                    yield path

    def found(self) -> Catalog:
        """The messages in the source, untranslated, with the files that contain them. Read once: don't change it."""
        return _found(self)

    def calls(self, source: str) -> Iterator[tuple[Any, list[str], str | None]]:
        """The messages that a source names, with the comments on them and their context."""
        if not self.by_id:
            yield from calls(source, KEYWORDS)
            return
        for key, comments, _context in calls(source, {"phrase": None}):
            yield key, comments, None
        for key, comments, _context in calls(source, {"phrases": None}):
            yield (key, key), comments, None
        for keys, _comments, _context in calls(source, {"names": None}):
            yield from ((key, [], None) for key in keys.split(", "))

    def merged(self, language: str) -> Catalog:
        """The messages in the source with the translations on disk, and ids that old logs may hold."""
        was, fresh = self.read(language), Catalog(locale=language, fuzzy=False)
        for message in messages_of(self.found()):
            known = was.get(message.id, message.context)
            fresh.add(
                message.id,
                known.string if known and plural(known) == plural(message) else "",
                sorted(set(message.locations)),
                flags=message.flags,
                auto_comments=message.auto_comments,
                user_comments=[each for each in known.user_comments if each != FOR_OLD_LOGS] if known else (),
                context=message.context,
            )
        for message in messages_of(was) if self.by_id else ():
            if message.id not in fresh:
                fresh.add(message.id, message.string, user_comments=[FOR_OLD_LOGS])
        return fresh

    def written(self, language: str, catalog: Catalog) -> bytes:
        """A catalogue as a `.po` file: its own header, then its messages in order, so that edits seldom collide."""
        to = io.BytesIO()
        write_po(to, catalog, width=120, sort_output=True, include_lineno=False, omit_header=True)
        header = self.place(language).read_bytes().partition(b"\n\n")[0].rstrip()
        return header + b"\n\n" + to.getvalue().strip() + b"\n"

    def compiled(self, language: str) -> bytes:
        """A language's catalogue as a `.mo` file, a function of the `.po` file alone."""
        to = io.BytesIO()
        write_mo(to, self.read(language))
        return to.getvalue()


@cache
def _found(texts: Texts) -> Catalog:
    catalog, known = Catalog(fuzzy=False), texts.host.found() if texts.host else ()
    for path in sorted(texts.sources()):
        place = [(path.relative_to(ROOT).as_posix(), 0)]
        for ids, comments, context in texts.calls(in_python(path)):
            if ids not in known:
                catalog.add(ids, None, place, auto_comments=comments, context=context)
    return catalog


SCREENS = Texts("django", ROOT / "locale", (*(ROOT / app for app in APPS), ROOT / "templates"))
RULES = Texts("rules", ROOT / "rules" / "locale", tuple(ROOT / app for app in APPS))
PACKAGES = tuple(Texts("rules", path, (path.parent,), RULES) for path in sorted(ROOT.glob("examples/*/*/locale")))
ALL = (SCREENS, RULES, *PACKAGES)


def calls(source: str, keywords: Mapping[str, Any]) -> Iterator[tuple[Any, list[str], str | None]]:
    """The literal arguments of calls of these functions: one or several texts, the comments on them, their context."""
    if not any(f"{keyword}(" in source for keyword in keywords):
        return  # Babel would split it into tokens all the same, which takes a while
    options = {"encoding": "utf-8"}
    for _line, ids, comments, context in extract("python", io.BytesIO(source.encode()), keywords, [COMMENT], options):
        yield ids, comments, context


def in_python(path: Path) -> str:
    """The file as Python; of a template only the texts, in brackets so that its indentation means nothing."""
    text = path.read_text()
    return text if path.suffix == ".py" else f"({templatize(text, origin=str(path))})"


def plural(message: Message) -> bool:
    """Whether it has plural forms."""
    return bool(message.pluralizable)


def messages_of(catalog: Catalog) -> Iterable[Message]:
    """All messages but the header."""
    return (message for message in catalog if message.id)


def is_whole(message: Message) -> bool:
    """Whether every plural form is translated."""
    said = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(said)


def main() -> None:
    for texts in ALL:
        for language in texts.languages():
            catalog, place = texts.merged(language), texts.place(language)
            place.write_bytes(texts.written(language, catalog))
            place.with_suffix(".mo").write_bytes(texts.compiled(language))
            lacking = [message for message in messages_of(catalog) if not is_whole(message)]
            file = place.relative_to(ROOT)
            if "--lacking" in sys.argv:
                sys.stdout.writelines(f"{file}: {message.id}\n" for message in lacking)
            else:
                print(f"{file}: {len(catalog)} texts, {len(lacking)} not translated")


if __name__ == "__main__":
    main()
