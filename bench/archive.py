"""How long a chronicle that has been played for years takes on its way into a file, and out of one.

    python -m bench.archive [sessions]

It makes the chronicle of `bench.chronicle` on a temporary database, exports it, checks the archive and imports it, and
prints the CPU time of each, how long other writers wait on SQLite, the size of the file, and the most memory used.
"""

# ruff: noqa: T201 (prints its results)

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.chronicle import WHOLE, fill, set_table


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something takes, and the most memory that was used so far."""
    cpu, begun = time.process_time(), time.perf_counter()
    yield
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{what:24} {time.process_time() - cpu:6.1f} s of CPU, {time.perf_counter() - begun:6.1f} s, {most} MiB")


def main() -> None:
    factor = int(sys.argv[1]) / WHOLE.sessions if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        os.environ["VESPER_DATA"] = folder
        import django

        django.setup()

        from django.core.management import call_command

        from campaigns.archives.box import Reader
        from campaigns.models import User
        from story.archives import whole

        call_command("migrate", verbosity=0)
        call_command("load_tables", verbosity=0)
        chronicle = set_table()
        fill(chronicle, WHOLE.times(factor))
        path, by = Path(folder) / "archive.zip", User.objects.get(username="storyteller")
        with timed("export"):
            whole.take_out(chronicle, path, lambda _more: None)
        with Reader(path) as box:
            print(f"{path.stat().st_size / 1e6:.1f} MB, {box.size / 1e6:.1f} MB unpacked: {box.manifest['counts']}")
            with timed("check"):
                coming = whole.bring_in(box, by, {}, lambda _more: None)
            with timed("save (others wait)"):
                whole.save(coming)


if __name__ == "__main__":
    main()
