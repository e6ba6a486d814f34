"""PostgreSQL and Redis for the tests. Only uses the standard library.

In this order: the servers in VESPER_TEST_DATABASE and VESPER_TEST_REDIS; temporary servers, if the programs are
installed; servers on this machine's default ports, if they need no password and, for Redis, are empty.
"""

import contextlib
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

SECONDS_TO_START = 60
POSTGRES_PORT, REDIS_PORT = 5432, 6379
PORTS = itertools.count(os.getpid() * 131)


class Missing(Exception):
    """A server can neither be found nor started. The message says how to get one."""


class Server:
    """A temporary server with its process and `url`. It can be stopped and restarted."""

    def __init__(self, port=None):
        self.port = port or free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="vesper-test-"))
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=str(self.folder), **self.rights()
        )
        deadline = time.monotonic() + SECONDS_TO_START
        while not listens(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise Missing("%s did not start." % self.command()[0])
            time.sleep(0.05)

    def end(self, how="terminate"):
        """Stop it; `how="kill"` does so at once."""
        if self.process is not None and self.process.poll() is None:
            getattr(self.process, how)()
            self.process.wait(30)

    def rights(self):
        return {}

    def __enter__(self):
        try:
            self.make()
            self.start()
        except BaseException:
            shutil.rmtree(str(self.folder), ignore_errors=True)
            raise
        return self

    def make(self):
        """Prepare what the first start needs."""

    def __exit__(self, *_problem):
        self.end()
        shutil.rmtree(str(self.folder), ignore_errors=True)


class Redis(Server):
    """A Redis without persistence."""

    def command(self):
        keeps_nothing = ["--save", "", "--appendonly", "no"]
        return [program("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", *keeps_nothing]

    @property
    def url(self):
        return "redis://127.0.0.1:%d" % self.port


class Postgres(Server):
    """A PostgreSQL with trust authentication.

    Unless `careful`, it doesn't sync to disk and may lose data in a crash.
    """

    def __init__(self, *, careful=False):
        super().__init__()
        self.careful = careful

    def make(self):
        if os.geteuid() == 0:
            shutil.chown(str(self.folder), self.rights()["user"])
        trusts = ["--username", "vesper", "--auth", "trust", "--encoding", "UTF8", "--no-sync"]
        command = [program("initdb"), *trusts, "--pgdata", str(self.folder / "data")]
        done = subprocess.run(command, cwd=str(self.folder), capture_output=True, text=True, **self.rights())
        if done.returncode:
            raise Missing("initdb failed: " + done.stderr.strip())

    def command(self):
        careless = [] if self.careful else ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        options = [part for option in [*careless, "listen_addresses=127.0.0.1"] for part in ("-c", option)]
        return [
            program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port), *options
        ]  # fmt: skip

    def rights(self):
        """PostgreSQL refuses to run as root, so root starts it as its package's user or as nobody."""
        environment = {"env": {**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}}
        if os.geteuid() != 0:
            return environment
        known = {user.pw_name for user in pwd.getpwall()}
        return {"user": "postgres" if "postgres" in known else "nobody", **environment}

    def end(self, how="send_fast"):
        if how == "send_fast" and self.process is not None and self.process.poll() is None:
            self.process.send_signal(2)  # SIGINT: a fast shutdown that disconnects all clients
            self.process.wait(30)
        super().end("terminate" if how == "send_fast" else how)

    @property
    def url(self):
        """The URL for tests. They create their own database beside this one, which need not exist."""
        return "postgres://vesper@127.0.0.1:%d/vesper" % self.port

    @property
    def first(self):
        """The database that a new PostgreSQL has."""
        return "postgres://vesper@127.0.0.1:%d/postgres" % self.port


@contextlib.contextmanager
def both():
    """The environment variables for a run on PostgreSQL and Redis. Raises `Missing`."""
    with contextlib.ExitStack() as stack:
        database = named("VESPER_TEST_DATABASE") or own(stack, Postgres, "postgres") or found_postgres()
        redis = named("VESPER_TEST_REDIS") or own(stack, Redis, "redis-server") or found_redis()
        yield {"DATABASE_URL": database, "REDIS_URL": redis}


def packages():
    """The Debian packages of servers that are not configured, not installed and not running."""
    wanted = (
        ("postgresql", "VESPER_TEST_DATABASE", "postgres", POSTGRES_PORT),
        ("redis-server", "VESPER_TEST_REDIS", "redis-server", REDIS_PORT),
    )
    return [
        package for package, variable, needs, port in wanted if not (named(variable) or program(needs) or listens(port))
    ]


def named(variable):
    return os.environ.get(variable, "").strip()


def own(stack, kind, needs):
    return stack.enter_context(kind()).url if program(needs) else None


def found_postgres():
    if listens(POSTGRES_PORT):
        return "postgres://postgres@127.0.0.1/postgres"
    raise Missing("PostgreSQL is missing: apt-get install postgresql, or set VESPER_TEST_DATABASE.")


def found_redis():
    if listens(REDIS_PORT):
        with socket.create_connection(("127.0.0.1", REDIS_PORT), 2) as asked:
            asked.sendall(b"INFO keyspace\r\n")
            if b"db" not in asked.recv(10000):
                return "redis://127.0.0.1:%d" % REDIS_PORT
        raise Missing("The Redis on this machine contains data: set VESPER_TEST_REDIS to another one.")
    raise Missing("Redis is missing: apt-get install redis-server, or set VESPER_TEST_REDIS.")


def program(name):
    """The path of a program, also looked for where Debian keeps PostgreSQL's."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/" + name), key=lambda path: int(path.parts[4]))
    return shutil.which(name) or (str(installed[-1]) if installed else None)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 0.5).close()
    except OSError:
        return False
    return True


def free_port():
    """A free port below the system's ephemeral range, from which a connection could take it in the meantime."""
    while True:
        port = 20000 + next(PORTS) % 12000
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
