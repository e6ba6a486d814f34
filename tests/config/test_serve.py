"""`manage.py serve`: a server process on the test database."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password

from bench.tracebacks import unexpected_tracebacks
from tests import migrated
from tests.conftest import ServerProcess, free_port
from tests.websocket import BROWSERS_OFFER, PACKED, TEXT, Dropped, Refused, WebSocket, packed

pytestmark = pytest.mark.django_db(transaction=True)


def serve(*arguments, **environment):
    """Run `serve` when it is expected to exit by itself."""
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_end_is_told_to_open_sockets_and_to_their_consumers(waiting_room, how):
    sockets = [WebSocket(waiting_room.port, "/") for _ in range(3)]
    assert [socket.frame() for socket in sockets] == [(TEXT, b"welcome")] * 3
    waiting_room.send_signal(how)
    assert [socket.close_code() for socket in sockets] == [1012] * 3
    printed, _errors = waiting_room.communicate(timeout=60)
    assert waiting_room.returncode == 0
    assert printed.splitlines() == ["left with 1012"] * 3
    assert waiting_room.news() == ""


def test_who_sends_far_too_much_is_dropped_and_nobody_else(waiting_room):
    flooding, other = WebSocket(waiting_room.port, "/"), WebSocket(waiting_room.port, "/")
    flooding.send(b"x" * 9000)
    with pytest.raises(Dropped):
        flooding.close_code()
    waiting_room.terminate()
    assert other.close_code() == 1012


def test_a_message_in_many_small_frames_is_no_longer(waiting_room):
    """Two frames of five thousand bytes; the second continues the first and is not the last."""
    flooding, other = WebSocket(waiting_room.port, "/"), WebSocket(waiting_room.port, "/")
    flooding.send(b"x" * 5000, head=0x01)
    flooding.send(b"x" * 5000, head=0x00)
    with pytest.raises(Dropped):
        flooding.close_code()
    waiting_room.terminate()
    assert other.close_code() == 1012


@pytest.mark.parametrize(
    ("offers", "packs"),
    [
        (BROWSERS_OFFER, True),
        ("permessage-deflate", True),
        ("permessage-deflate; server_no_context_takeover", True),
        ("", False),
        ("permessage-deflate; server_max_window_bits=9", False),
        ("x-unheard-of", False),
    ],
)
def test_long_messages_are_packed_for_pages_that_can_unpack_them(waiting_room, offers, packs):
    page = WebSocket(waiting_room.port, "/", offers=offers)
    assert page.frame() == (TEXT, b"welcome")
    assert page.taken == len("welcome")
    for _time in range(2):
        page.send(b"50000")
        assert page.frame() == (TEXT, b"x" * 50000)
        assert page.taken < 500 if packs else page.taken == 50000
    page.connection.close()


def test_pages_may_pack_what_they_send_if_it_unpacks_to_no_more_than_others_send(waiting_room):
    page, other = (WebSocket(waiting_room.port, "/", offers=BROWSERS_OFFER) for _ in range(2))
    for socket_ in (page, other):
        assert socket_.frame() == (TEXT, b"welcome")
        for _time in range(2):
            socket_.send(packed(b"3"), head=0x81 | PACKED)
            assert socket_.frame() == (TEXT, b"xxx")
    page.send(packed(b"3" * 1_000_000), head=0x81 | PACKED)
    with contextlib.suppress(Dropped):
        assert page.close_code() == 1009
    other.send(b"3")
    assert other.frame() == (TEXT, b"xxx")
    for socket_ in (page, other):
        socket_.connection.close()


def test_sockets_may_be_as_many_as_the_system_allows():
    program = (
        "import resource; most = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, most));"
        "from config import server; server.allow_many_sockets();"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, check=True)
    assert int(done.stdout) > 256


def test_who_reads_nothing_of_what_they_are_sent_is_dropped_and_nobody_else(waiting_room):
    deaf, other = WebSocket(waiting_room.port, "/"), WebSocket(waiting_room.port, "/")
    assert other.frame() == (TEXT, b"welcome")
    with contextlib.suppress(ConnectionError):
        for _time in range(200):
            deaf.send(b"200000")
            other.send(b"3")
            assert other.frame() == (TEXT, b"xxx")
    with pytest.raises(Dropped):
        deaf.close_code()
    waiting_room.terminate()
    assert other.close_code() == 1012


@pytest.mark.servers
def test_serve_ends_cleanly(daphne):
    assert daphne().end(signal.SIGINT) == 0


@pytest.fixture
def alone(tmp_path):
    """alone() -> a process that serves its own embedded database, and its environment."""
    environment = {**os.environ, "VESPER_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    started = []

    def start():
        port = free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        started.append(ServerProcess(command, port, env=environment, stdout=subprocess.DEVNULL))
        return started[-1], environment

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.tracebacks("OperationalError: no such table: ")  # its database is empty
def test_a_second_server_of_the_embedded_database_is_refused_and_one_after_a_crash_is_not(alone):
    first, environment = alone()
    for another in ([], ["--beside"]):
        done = serve("--port", str(free_port()), *another, **environment)
        assert done.returncode == 1
        assert "Another Vesper is running on this database" in done.stderr
        assert "Traceback" not in done.stderr
    first.kill()
    first.wait()
    second, _environment = alone()
    assert second.poll() is None


def test_systemd_hears_when_it_listens(daphne, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        process = daphne()
        assert systemd.recv(100) == b"READY=1"
    assert process.end() == 0


@pytest.mark.servers
def test_an_idle_connection_does_not_keep_it(daphne):
    process = daphne()
    idle = socket.create_connection(("127.0.0.1", process.port))
    with urllib.request.urlopen(process.url + "/account/sign-in/", timeout=60):
        assert process.end() == 0
    idle.close()


def test_a_path_that_no_socket_has_is_closed_for_good(server):
    assert WebSocket(server.port, "/ws/no/such/thing/").close_code() == 4404


@pytest.mark.servers
def test_refused_sockets_that_go_on_sending_do_no_harm(server):
    """They are accepted first, so that their pages get the code; a page can send before it receives it."""
    for path in ("/ws/encounters/nowhere/", "/ws/wall/wrong/nowhere/", "/ws/pages/home/me/"):
        refused = WebSocket(server.port, path)
        for _time in range(3):
            refused.send(b'{"have": 0}')
        assert refused.close_code() in (4401, 4404)
    time.sleep(1.5)  # daphne checks for failed applications once a second, and logs them


NO_NUMBER = "ValueError: invalid literal for int() with base 10: 'no number'"


def test_a_traceback_in_a_servers_log_is_found(waiting_room):
    page = WebSocket(waiting_room.port, "/")
    page.send(b"no number")
    assert page.close_code() == 1011
    log = waiting_room.news()
    assert unexpected_tracebacks(log, [NO_NUMBER]) == []
    (found,) = unexpected_tracebacks(log, ["ZeroDivisionError"])
    assert NO_NUMBER in found


def test_a_server_that_fails_unnoticed_fails_the_run():
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/config/unnoticed.py"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 passed, 1 error" in done.stdout
    assert NO_NUMBER in done.stdout


def test_a_page_from_elsewhere_gets_no_socket(server):
    with pytest.raises(Refused) as refused:
        WebSocket(server.port, "/ws/no/such/thing/", origin="http://evil.example")
    assert refused.value.args == (403,)


@pytest.mark.parametrize(
    ("version", "origin", "status"), [(13, "https://elsewhere.example", b"403"), (99, "", b"400"), ("", "", b"400")]
)
def test_the_connection_of_a_refused_socket_ends(server, version, origin, status):
    address = urllib.parse.urlsplit(server.url)
    lines = [
        "GET /ws/nowhere/ HTTP/1.1",
        f"Host: {address.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Origin: {origin or server.url}",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Sec-WebSocket-Version: {version}",
    ]
    with socket.create_connection((address.hostname, address.port), 10) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        said = b""
        while piece := connection.recv(2**16):
            said += piece
    assert said.split()[1] == status


def test_an_unknown_page_is_a_404_with_the_policy(server):
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(server.url + "/no/such/page/", timeout=60)
    answer.value.close()
    assert answer.value.code == 404
    assert "default-src 'none'" in answer.value.headers["Content-Security-Policy"]
    assert "Server" not in answer.value.headers


def test_static_files_come_without_having_been_collected(server):
    with urllib.request.urlopen(server.url + "/static/admin/css/base.css", timeout=60) as answer:
        assert answer.headers["Content-Type"].startswith("text/css")


def test_a_taken_port_is_refused_in_a_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve("--port", str(port))
    assert done.returncode == 1
    assert f"Port {port} is taken" in done.stderr
    assert f"--port {port + 1}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "80 00"])
def test_what_is_no_port_is_refused(port):
    done = serve(f"--port={port}")
    assert done.returncode != 0
    assert "is not a port: write a number from 1 to 65535" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_what_is_no_address_of_this_machine_is_refused(host):
    done = serve("--host", host, "--port", str(free_port()))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_demos_accounts_are_not_let_out_unasked(tmp_path):
    (tmp_path / "demo-sign-ins.txt").write_text("storyteller: secret-words\n")
    migrated.put(tmp_path / "vesper.sqlite3")
    embedded = {"VESPER_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    done = serve("--prepare", "--host", "0.0.0.0", "--port", str(free_port()), **embedded)
    assert done.returncode == 1
    assert "has the demo's accounts" in done.stderr
    assert "secret-words" not in done.stdout + done.stderr


@pytest.mark.servers
def test_a_form_is_answered_and_signs_in(server, player):
    """End to end: a page, its token and cookie, a POST, a redirect, and a signed-in page."""
    # The server's process doesn't have the tests' fast hasher.
    player.password = make_password("player's password", hasher="argon2")
    player.save()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(server.url + "/account/sign-in/", timeout=60) as page:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())[1]
    form = {"csrfmiddlewaretoken": token, "username": "player", "password": "player's password"}
    request = urllib.request.Request(
        server.url + "/account/sign-in/", urllib.parse.urlencode(form).encode(), {"Origin": server.url}
    )
    try:
        with opener.open(request, timeout=60) as page:
            assert page.status == 200
    except urllib.error.HTTPError as refused:
        pytest.fail(refused.read().decode())
    with opener.open(server.url + "/account/", timeout=60) as page:
        assert page.url == server.url + "/account/"
