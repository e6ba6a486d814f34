"""`manage.py serve`: serves Vesper, and with `--prepare` brings the database up to date first."""

from __future__ import annotations

import errno
import io
import logging
import os
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import lock, network, preparing


class Command(BaseCommand):
    help = "Serve Vesper with daphne: pages, files and sockets."
    requires_system_checks = []  # `manage.py check` runs these; they would slow down each start

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets other devices connect"
        )
        parser.add_argument("--port", type=_port, default=8000)
        parser.add_argument(
            "--prepare", action="store_true", help="first migrate the database and load the built-in tables, if needed"
        )
        demo = parser.add_mutually_exclusive_group()
        demo.add_argument("--demo", action="store_true", default=None, help="with --prepare: create the demo chronicle")
        demo.add_argument(
            "--no-demo", dest="demo", action="store_false", help="with --prepare: don't create the demo chronicle"
        )
        beside = (
            "run several servers on the same embedded database; pages then see each other's changes a few seconds late"
        )
        parser.add_argument("--beside", action="store_true", help=beside)

    def handle(
        self, *, host: str, port: int, prepare: bool, demo: bool | None, beside: bool = False, **_options: Any
    ) -> None:
        logging.captureWarnings(capture=True)  # Python's own warnings go into the log too, on one line each
        try:
            _refuse_taken(host, port)
            if not settings.PRODUCTION:
                settings.ALLOWED_HOSTS += network.names_of(host)
            with _in_use(beside=beside):
                if prepare:
                    self._prepare(host, demo=settings.VESPER_DEMO if demo is None else demo)
                from campaigns.checks import log_rejected_rulesets
                from campaigns.webhook.outbox import keep_sending
                from combat.commands.checking import check_at_start
                from combat.commands.deadlines import keep_watch
                from combat.live.warmup import warm_up
                from config import asgi, server
                from config.gate import MembersGate

                log_rejected_rulesets()
                check_at_start()
                warm_up()
                connection.close()
                keep_watch()
                keep_sending()
                listened = server.serve(asgi.application, host, port, lambda: self._announce(host, port), MembersGate())
        except KeyboardInterrupt:
            return  # before the reactor handles the signal: nobody is connected yet
        except lock.Taken:
            raise CommandError(
                "Another Vesper is running on this database, or a backup is being restored to it. Stop it, or wait. "
                "To run several at once, set REDIS_URL: see docs/deploy.md."
            ) from None
        if not listened:
            raise CommandError(f"Could not listen on {network.bracketed(host)}:{port}.")
        self.stdout.write("Vesper has stopped.")

    def _prepare(self, host: str, *, demo: bool | None) -> None:
        preparing.bring_up_to_date(self.stdout.write)
        sign_ins = settings.DATA_DIR / "demo-sign-ins.txt"
        loopback = network.is_loopback(host)
        if not loopback and not demo and sign_ins.exists():
            raise CommandError(
                f"This database has the demo's accounts, and {host} can be reached by others. Add --demo to serve "
                "it anyway, or use a database of your own: VESPER_DATA=/another/folder script/server ..."
            )
        wanted = loopback if demo is None else demo
        if wanted and not get_user_model().objects.exists():
            self._make_demo(sign_ins)
        if sign_ins.exists() and wanted:
            self.stdout.write(sign_ins.read_text())

    def _make_demo(self, sign_ins: Path) -> None:
        """Create the demo chronicle, and keep its sign-ins in a file: the database only has the passwords' hashes."""
        self.stdout.write("Creating the demo chronicle ...")
        said = io.StringIO()
        call_command("demo", stdout=said)
        with os.fdopen(os.open(sign_ins, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
            opened.write(said.getvalue())

    def _announce(self, host: str, port: int) -> None:
        here = "127.0.0.1" if network.is_everywhere(host) else host
        lines = [f"Vesper is at http://{network.bracketed(here)}:{port}/"]
        if not settings.PRODUCTION and network.is_everywhere(host):
            lines += [f"  from other devices: http://{name}:{port}/" for name in network.names_of(host)]
        self.stdout.write("\n".join([*lines, "Ctrl-C stops it."]))
        # Standard output may be a pipe.
        sys.stdout.flush()
        _tell_systemd()


def _tell_systemd() -> None:
    """Report to systemd that the server is listening, if it waits for that (`Type=notify`, see sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as waiting:
            waiting.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            waiting.sendall(b"READY=1")


def _in_use(*, beside: bool) -> AbstractContextManager[None]:
    """Lock the embedded database against `manage.py restore` and, without Redis, against other servers.

    Without Redis, servers would not hear of each other's changes.
    """
    if connection.vendor != "sqlite":
        return nullcontext()
    return lock.held(Path(connection.settings_dict["NAME"]), alone=not (beside or settings.REDIS_URL))


def _port(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 0 < int(written) < 65536):
        raise ArgumentTypeError(f"{written!r} is not a port: write a number from 1 to 65535.")
    return int(written)


def _refuse_taken(host: str, port: int) -> None:
    """Check, before anything is prepared, that the address can be listened on.

    Raises `CommandError` with the reason.
    """
    try:
        family, kind, _proto, _name, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        raise CommandError(
            f"{host!r} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 to let other devices connect."
        ) from None
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken, perhaps by a Vesper that is already running. Choose another: --port {port + 1}"
            ) from None
        if problem.errno == errno.EACCES:
            raise CommandError(f"Port {port} needs administrator rights. Choose one of at least 1024.") from None
        raise CommandError(f"Cannot listen on {host}:{port}: {problem.strerror}.") from None
