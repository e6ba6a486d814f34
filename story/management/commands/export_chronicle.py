"""`manage.py export_chronicle CHRONICLE FILE`: write a chronicle's archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import filesizeformat

from campaigns.archives.box import TooLarge
from campaigns.models import Chronicle
from story.archives import whole


class Command(BaseCommand):
    help = "Write everything of a chronicle to one file. Can run while people play."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("chronicle", help="its id, as in its address, or its name")
        parser.add_argument("file", type=Path, help="for example chronicle.zip; must not exist yet")

    def handle(self, *, chronicle: str, file: Path, **_options: Any) -> None:
        found = _found(chronicle)
        if file.exists():
            raise CommandError(f"{file} exists already.")
        half = file.with_name(f"{file.name}.half")
        try:
            whole.take_out(found, half, lambda _more: None)
            half.replace(file)
        except TooLarge as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(f"{file} could not be written: {problem.strerror}.") from None
        finally:
            half.unlink(missing_ok=True)
        self.stdout.write(f"“{found.name}” was written to {file} ({filesizeformat(file.stat().st_size)}).")


def _found(chronicle: str) -> Chronicle:
    found = list(Chronicle.objects.filter(pk=chronicle) or Chronicle.objects.filter(name=chronicle))
    if not found:
        raise CommandError(f"There is no chronicle “{chronicle}”.")
    if len(found) > 1:
        raise CommandError(f"Several chronicles have this name: {', '.join(each.pk for each in found)}. Use an id.")
    return found[0]
