"""The data of an account as a zip, written to a file: memory holds one piece of one file at a time."""

from __future__ import annotations

import zipfile
from typing import IO

from django.template.loader import render_to_string
from django.utils import timezone

from campaigns.models import User
from story.accounts.data import files_of
from story.archives.whole import snapshot

README = "README.md"


def write(user: User, to: IO[bytes]) -> None:
    """Write the zip, as everything was at one moment."""
    with snapshot(), zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        said = {"account": user, "now": timezone.now()}
        packed.writestr(README, render_to_string("story/accounts/readme.txt", said))
        for name, content in files_of(user):
            if isinstance(content, bytes):
                packed.writestr(name, content)
                continue
            with packed.open(zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6]), "w") as file:
                for piece in content:
                    file.write(piece.encode("utf-8", "surrogatepass"))
