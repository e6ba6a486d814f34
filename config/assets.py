"""Static files as pages load them: one stylesheet and two scripts per page, compressed, and cached for ever.

A page lists the files it needs, with the tags `styles` and `scripts` (`config/templatetags/assets.py`). They are joined
in this order into a bundle, whose address has a hash, so that browsers keep it until it changes. Nothing is prepared on
disk: each process builds a bundle when the first page needs it, and any process can build it from its address.

Other files (fonts, icons, those of the administration) are served by WhiteNoise, with a hash in their address too.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.utils.crypto import constant_time_compare, salted_hmac
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

ELSEWHERE = {"htmx": "django_htmx/htmx-2.min.js", "idiomorph": "vendor/idiomorph.js"}
"""Scripts by other authors, which are left as they are. All others are in `static/css` and `static/js`."""
MEDIA = {"print": "print"}
"""Stylesheets for one medium only."""
TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

ADDRESS = re.compile(r"bundles/([0-9a-f]{16})/([a-z0-9-]+(?:\+[a-z0-9-]+){0,20})\.(css|js)")
REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")
"""A compression that a browser mentions to refuse it."""
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Bundle:
    """Stylesheets ("css") or scripts ("js") in one: their names in order, and their text."""

    kind: str
    names: tuple[str, ...]
    text: str

    @cached_property
    def mark(self) -> str:
        """What the address needs to be answered. Changes with the text.

        Keyed, so that strangers can't have this server build and keep bundles that no page uses.
        """
        return salted_hmac("vesper.assets", f"{self.kind} {self.names} {self.text}", algorithm="sha256").hexdigest()[
            :16
        ]

    @property
    def url(self) -> str:
        """Its address."""
        return f"{settings.STATIC_URL}bundles/{self.mark}/{'+'.join(self.names)}.{self.kind}"

    @cached_property
    def plain(self) -> bytes:
        """For browsers that accept no compression."""
        return self.text.encode()

    @cached_property
    def gzipped(self) -> bytes:
        """For browsers over HTTP."""
        return gzip.compress(self.plain, mtime=0)

    @cached_property
    def brotli(self) -> bytes:
        """For browsers over HTTPS, a tenth smaller. The highest quality takes three times as long, for two per cent."""
        packed: bytes = brotli.compress(self.plain, quality=10)
        return packed


_kept: dict[tuple[str, tuple[str, ...]], Bundle] = {}


def bundle(kind: str, names: tuple[str, ...]) -> Bundle:
    """The bundle of these files. Raises `LookupError` for a file that doesn't exist."""
    found = _kept.get((kind, names))
    if found is None or settings.DEBUG:
        found = _kept[kind, names] = _built(kind, names)
    return found


def _built(kind: str, names: tuple[str, ...]) -> Bundle:
    return Bundle(kind, names, "\n".join(_text(kind, name) for name in names))


def _text(kind: str, name: str) -> str:
    path = finders.find(ELSEWHERE.get(name, f"{kind}/{name}.{kind}"))
    if not path:
        raise LookupError(f"There is no {name}.{kind}.")
    text = Path(path).read_text(encoding="utf-8")
    if kind == "css":
        # The bundle is in another folder.
        text = re.sub(r'url\("\.\./([^"]+)"\)', lambda found: f'url("{static(found[1])}")', text)
        text = f"@media {MEDIA[name]} {{\n{text}\n}}" if name in MEDIA else text
    if settings.DEBUG or name in ELSEWHERE:
        return text
    return stripped(kind, text)


def stripped(kind: str, text: str) -> str:
    """A file without its comments and indentation. No text in a script may span lines."""
    if kind == "css":
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in (map(_code, lines) if kind == "js" else lines) if line)


def _code(line: str) -> str:
    """A line of a script without its comment. Kept if a text may still be open before the slashes."""
    code, _slashes, _comment = f" {line}".partition(" // ")
    return line if any(code.count(quote) % 2 for quote in "\"'`") else code.strip()


def bundles(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: serve bundles; all other addresses, those with another version's hash too, are left to the others.

    Outermost: the headers for pages mean nothing on files that never are pages, and are as long as some scripts.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if not path.startswith(settings.STATIC_URL) or request.method not in ("GET", "HEAD"):
            return get_response(request)
        asked = ADDRESS.fullmatch(path.removeprefix(settings.STATIC_URL))
        found = _asked_for(asked) if asked else None
        return _sent(found, request.headers.get("Accept-Encoding", "")) if found else get_response(request)

    return answer


def _asked_for(asked: re.Match[str]) -> Bundle | None:
    mark, kind, names = asked[1], asked[3], tuple(asked[2].split("+"))
    try:
        found = _kept.get((kind, names)) or _built(kind, names)
    except LookupError:
        return None
    if not constant_time_compare(found.mark, mark):
        return None
    return _kept.setdefault((kind, names), found)


def _sent(found: Bundle, accepted: str) -> HttpResponse:
    offers = {offer.partition(";")[0].strip() for offer in accepted.split(",") if not REFUSED.search(offer)}
    coding = next((each for each in ("br", "gzip") if each in offers), "")
    content = {"br": lambda: found.brotli, "gzip": lambda: found.gzipped, "": lambda: found.plain}[coding]()
    headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    headers |= {"Content-Encoding": coding} if coding else {}
    return HttpResponse(content, content_type=TYPES[found.kind], headers=headers)


class CollectedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Files collected for production, with gzip only: pages load bundles, and brotli would take most of the time."""

    def create_compressor(self, **options: Any) -> Compressor:
        """The compressor of a file."""
        return super().create_compressor(use_brotli=False, **options)


class VersionedStorage(StaticFilesStorage):
    """Files served from their source, with a hash of their content in the address. They may be cached for ever."""

    def url(self, name: str | None) -> str:
        """The address of a file."""
        return f"{super().url(name)}?v={_version(name or '')}"


@cache
def _version(name: str) -> str:
    path = finders.find(name)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12] if path else "0"
