"""The catalogues: found anew in the source, merged into what is translated, written and compiled.

Vesper has one in `locale`, and each package in `examples` that has a folder of that name its own: of what Vesper does
not say itself.

Templates are turned into Python by Django itself, and everything is read by Babel, so that gettext's own tools need
not be there.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
APPS = ("campaigns", "characters", "combat", "config", "rules")
LOCALES = ROOT / "locale"
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
    "phrase": None,
    "phrases": (1, 2),
}
LISTS = {"names": None}
"""Those that are given several labels in one text (`rules.engine.phrases.names`)."""

COMMENT = "Translators:"


def packages() -> list[Path]:
    """The packages of rulesets that have catalogues of their own."""
    return sorted(path.parent for path in ROOT.glob("examples/*/*/locale"))


def texts(package: Path | None = None) -> Catalog:
    """Every text in the source that is to be translated, with the files it stands in; none is translated.

    Of a package without those that Vesper's own catalogues hold.
    """
    found, known = Catalog(fuzzy=False), texts() if package else Catalog()
    for path in sorted(sources(package)):
        place = [(path.relative_to(ROOT).as_posix(), 0)]
        source = in_python(path)
        for ids, comments, context in calls(source, KEYWORDS):
            if known.get(ids if isinstance(ids, str) else ids[0], context) is None:
                found.add(ids, None, place, auto_comments=comments, context=context)
        for labels, _comments, _context in calls(source, LISTS) if path.suffix == ".py" else ():
            for label in labels.split(", "):
                if known.get(label) is None:
                    found.add(label, None, place)
    return found


def calls(source: str, keywords: Mapping[str, Any]) -> Iterator[tuple[Any, list[str], str | None]]:
    """What is said in the calls of these functions: text or texts, the comments on them, their context."""
    options = {"encoding": "utf-8"}
    for _line, ids, comments, context in extract("python", io.BytesIO(source.encode()), keywords, [COMMENT], options):
        yield ids, comments, context


def sources(package: Path | None = None) -> Iterator[Path]:
    """The files that hold texts for readers."""
    if package:
        yield from package.rglob("*.py")
        return
    for app in APPS:
        yield from (path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)
    yield from (path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt"))


def in_python(path: Path) -> str:
    """The file as Python; of a template only the texts, in brackets so that its indentation means nothing."""
    text = path.read_text()
    return text if path.suffix == ".py" else f"({templatize(text, origin=str(path))})"


def languages() -> list[str]:
    """Those that have a catalogue."""
    return sorted(path.name for path in LOCALES.iterdir() if path.is_dir())


def place_of(language: str, package: Path | None = None) -> Path:
    """Where a language's catalogue stands; the compiled one beside it, with `.mo`."""
    return (package / "locale" if package else LOCALES) / language / "LC_MESSAGES" / "django.po"


def read(language: str, package: Path | None = None) -> Catalog:
    """A language's catalogue as it is written."""
    with place_of(language, package).open("rb") as file:
        return read_po(file, locale=language)


def merged(language: str, found: Catalog, package: Path | None = None) -> Catalog:
    """The catalogue of all that was found, with the translations that there are; what nobody says any more is gone."""
    was, fresh = read(language, package), Catalog(locale=language, fuzzy=False)
    for message in messages_of(found):
        known = was.get(message.id, message.context)
        fresh.add(
            message.id,
            known.string if known and kind_of(known) == kind_of(message) else "",
            sorted(set(message.locations)),
            flags=message.flags,
            auto_comments=message.auto_comments,
            user_comments=known.user_comments if known else (),
            context=message.context,
        )
    return fresh


def kind_of(message: Message) -> bool:
    """Whether it is said differently of one and of several."""
    return bool(message.pluralizable)


def messages_of(catalog: Catalog) -> Iterable[Message]:
    """All but the header."""
    return (message for message in catalog if message.id)


def written(language: str, catalog: Catalog, package: Path | None = None) -> bytes:
    """A catalogue as its `.po`: its own header, then its texts in order, so that what two people add seldom meets."""
    to = io.BytesIO()
    write_po(to, catalog, width=120, sort_output=True, include_lineno=False, omit_header=True)
    header = place_of(language, package).read_bytes().partition(b"\n\n")[0].rstrip()
    return header + b"\n\n" + to.getvalue().strip() + b"\n"


def compiled(language: str, package: Path | None = None) -> bytes:
    """A language's catalogue as its `.mo`: the same of the same `.po`, whenever it is made."""
    to = io.BytesIO()
    write_mo(to, read(language, package))
    return to.getvalue()


def main() -> None:
    for package in (None, *packages()):
        found = texts(package)
        for language in languages():
            catalog, place = merged(language, found, package), place_of(language, package)
            place.write_bytes(written(language, catalog, package))
            place.with_suffix(".mo").write_bytes(compiled(language, package))
            lacking = [message for message in messages_of(catalog) if not is_whole(message)]
            of = f" of {package.name}" if package else ""
            print(f"{language}: {len(catalog)} texts{of}, {len(lacking)} not translated")
            if "--lacking" in sys.argv:
                print(*(message.id for message in lacking), sep="\n")


def is_whole(message: Message) -> bool:
    """Whether every form of it is translated."""
    said = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(said)


if __name__ == "__main__":
    main()
