"""Downloads as text: an archive is compressed, so its bytes hide what a test searches for."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Any

from campaigns.archives.box import is_zip
from campaigns.tokens import ALPHABET

ID = re.compile(rf"(?<![A-Za-z0-9])[{ALPHABET}]{{10}}(?![A-Za-z0-9])")
SEAL = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)")
SIZE = re.compile(r'"bytes": \d+')


def text_of(answer: Any) -> str:
    """An answer's content, that of every file in it if it is a zip; "" for one that is streamed."""
    return "" if answer.streaming else unzipped(answer.content)


def unzipped(data: bytes) -> str:
    """The text of a file, that of every file in it if it is a zip."""
    if not is_zip(data):
        return data.decode(errors="replace")
    with zipfile.ZipFile(BytesIO(data)) as files:
        return "\n".join(f"{name}\n{unzipped(files.read(name))}" for name in files.namelist())


def numbered(text: str) -> str:
    """A text with numbers in place of ids, in the order in which they occur, and without seals, sizes and times."""
    known = dict[str, str]()
    text = SIZE.sub("size", MOMENT.sub("moment", SEAL.sub("seal", text)))
    return ID.sub(lambda found: known.setdefault(found[0], f"id{len(known)}"), text)
