"""`manage.py backup` and `restore`, with separate data and a fight that goes on in the meantime."""

import contextlib
import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
import zipfile
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config import backups
from tests import migrated
from tests.conftest import free_port, wait_for_port


def process(data, *arguments, **more):
    """Another process, with `data` as its folder."""
    environment = {"PATH": os.environ["PATH"], "VESPER_DATA": str(data)}
    return subprocess.Popen([sys.executable, *arguments], cwd=settings.BASE_DIR, env=environment, text=True, **more)


def done(data, *arguments):
    """The output of another process, which must succeed."""
    with process(data, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        written, complaints = running.communicate(timeout=180)
    assert running.returncode == 0, complaints
    return written


def restored(data, file):
    """The output of `manage.py restore` for this backup."""
    return done(data, "manage.py", "restore", str(file))


def told(data):
    return json.loads(done(data, "-m", "tests.config.fighting", "tell"))


@pytest.fixture
def command(monkeypatch):
    """command(data, "backup", file) -> the command's output, run in this process on the database in `data`."""

    def carry_out(data, *arguments):
        monkeypatch.setattr(backups, "database_file", lambda: data / backups.DATABASE)
        written = io.StringIO()
        call_command(*map(str, arguments), stdout=written)
        return written.getvalue()

    return carry_out


@pytest.fixture
def refused(command):
    """refused(data, "restore", file) -> the one-line error."""

    def carry_out(data, *arguments):
        with pytest.raises(CommandError) as refusal:
            command(data, *arguments)
        assert len(str(refusal.value).splitlines()) == 1
        return str(refusal.value)

    return carry_out


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A folder with the demo in it."""
    data = tmp_path_factory.mktemp("demo")
    migrated.put(data / backups.DATABASE)
    done(data, "manage.py", "demo")
    return data


@pytest.fixture(scope="module")
def archive(demo, tmp_path_factory):
    """A backup of the demo."""
    file = tmp_path_factory.mktemp("backup") / "vesper.zip"
    assert "checked" in done(demo, "manage.py", "backup", str(file))
    return file


@pytest.fixture
def data(demo, tmp_path):
    """A folder with the demo in it, for one test."""
    return shutil.copytree(demo, tmp_path / "data")


def changed(archive, to, alter):
    """A backup with a modified database and correct checksums."""
    with zipfile.ZipFile(archive) as packed:
        packed.extract(backups.DATABASE, to.parent)
        contents = json.loads(packed.read(backups.CONTENTS))
    with sqlite3.connect(to.parent / backups.DATABASE) as database:
        alter(database)
    database.close()
    raw = (to.parent / backups.DATABASE).read_bytes()
    contents["files"][backups.DATABASE] = hashlib.sha256(raw).hexdigest()
    with zipfile.ZipFile(to, "w") as packed:
        packed.writestr(backups.DATABASE, raw)
        packed.writestr(backups.CONTENTS, json.dumps(contents))
    return to


def test_a_fight_that_goes_on_meanwhile_is_whole_in_every_backup(data, tmp_path, command):
    log = (tmp_path / "acknowledged").open("w+")
    fighting = process(data, "-m", "tests.config.fighting", "fight", stdout=log)

    def acknowledged():
        return [int(number) for number in (tmp_path / "acknowledged").read_text().split("\n")[:-1]]

    def goes_on():
        """The number of the last blow, several blows later."""
        beyond, deadline = len(acknowledged()) + 3, time.monotonic() + 120
        while len(acknowledged()) < beyond:
            assert fighting.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return acknowledged()[-1]

    try:
        for number in range(3):
            before = goes_on()
            command(data, "backup", tmp_path / f"{number}.zip")
            after = goes_on()
            restored(tmp_path / str(number), tmp_path / f"{number}.zip")
            holds = told(tmp_path / str(number))
            assert before <= holds["seq"] < after
            assert holds["numbers"] == list(range(1, holds["seq"] + 1))
            assert holds["fold is state"]
    finally:
        fighting.kill()
        fighting.wait()
        log.close()


def scene_of(database):
    with contextlib.closing(sqlite3.connect(database)) as opened:
        return opened.execute("SELECT scene FROM combat_encounter WHERE NOT outside_fights").fetchone()[0]


def test_what_was_there_before_is_kept(data, archive, command):
    was = scene_of(data / backups.DATABASE)
    # As left by a killed server: the last change is only in SQLite's write-ahead log.
    with contextlib.closing(sqlite3.connect(data / backups.DATABASE)) as opened:
        opened.execute("PRAGMA journal_mode=WAL")
        opened.execute("UPDATE combat_encounter SET scene = 'Written after the backup'")
        opened.commit()
        for part in data.glob(f"{backups.DATABASE}*"):
            shutil.copy(part, data / f"{part.name}.killed")
    for part in data.glob("*.killed"):
        part.replace(part.with_suffix(""))
    said = restored(data, archive)
    (aside,) = data.glob("before-restore-*")
    assert str(aside) in said
    assert scene_of(data / backups.DATABASE) == was
    assert scene_of(aside / backups.DATABASE) == "Written after the backup"


def test_open_pages_take_nothing_of_it_for_what_they_show(data, archive, command):
    """An open page may have any version that the fight has reached since, also from before an earlier restore."""
    places = [data / backups.DATABASE]

    def counted_from():
        with contextlib.closing(sqlite3.connect(places[0])) as opened:
            found = [json.loads(versions) for (versions,) in opened.execute("SELECT versions FROM combat_encounter")]
        assert found
        assert all(set(versions) == {"from"} for versions in found), "nobody's count is left from before"
        return min(versions["from"] for versions in found)

    begun = time.time() * 1000
    restored(data, archive)
    first = counted_from()
    assert first > begun - 1
    restored(data, archive)
    assert counted_from() > first


def sessions_in(database):
    with contextlib.closing(sqlite3.connect(database)) as opened:
        return [key for (key,) in opened.execute("SELECT session_key FROM campaigns_signin")]


def test_a_session_that_was_ended_since_is_not_brought_back(data, tmp_path, command):
    with contextlib.closing(sqlite3.connect(data / backups.DATABASE)) as opened, opened:
        opened.execute(
            "INSERT INTO campaigns_signin (session_key, session_data, expire_date, device, user_id)"
            " SELECT 'phone', 'x', '2099-01-01', '', min(id) FROM campaigns_user"
        )
    command(data, "backup", tmp_path / "signed-in.zip")
    with contextlib.closing(sqlite3.connect(data / backups.DATABASE)) as opened, opened:
        opened.execute("DELETE FROM campaigns_signin")  # its owner has lost the phone
    said = restored(data, tmp_path / "signed-in.zip")
    assert sessions_in(data / backups.DATABASE) == []
    assert "Everybody has to sign in again." in said


def test_nobodys_time_is_up_because_it_was_put_back(data, tmp_path, command):
    with contextlib.closing(sqlite3.connect(data / backups.DATABASE)) as opened, opened:
        opened.execute("UPDATE combat_encounter SET clocks = ?", [json.dumps({"x thug": 1.5, "x ilya": None})])
    command(data, "backup", tmp_path / "asked.zip")
    restored(data, tmp_path / "asked.zip")
    with contextlib.closing(sqlite3.connect(data / backups.DATABASE)) as opened:
        found = [json.loads(clocks) for (clocks,) in opened.execute("SELECT clocks FROM combat_encounter")]
    assert found
    assert all(clocks == {"x ilya": None} for clocks in found)


def test_it_can_be_written_to_a_stick_that_knows_neither_rights_nor_links(data, tmp_path, monkeypatch, command):
    def unheard_of(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    with monkeypatch.context() as stick:
        stick.setattr("os.link", unheard_of)
        stick.setattr("os.fchmod", unheard_of)
        command(data, "backup", tmp_path / "stick.zip")
    assert "Restored" in restored(data, tmp_path / "stick.zip")


def test_it_is_for_its_owner_alone_and_without_the_key(data, archive):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    key = (data / "secret_key").read_bytes()
    with zipfile.ZipFile(archive) as packed:
        assert sorted(packed.namelist()) == [backups.CONTENTS, backups.DATABASE]
        assert all(key not in packed.read(name) for name in packed.namelist())
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]


def test_a_running_server_is_not_overwritten(data, archive, refused, command):
    port = free_port()
    with process(data, "manage.py", "serve", "--port", str(port), stdout=subprocess.DEVNULL) as server:
        try:
            wait_for_port(server, port)
            before = (data / backups.DATABASE).stat().st_ino
            assert "Stop it, then restore" in refused(data, "restore", archive)
            assert (data / backups.DATABASE).stat().st_ino == before
            assert list(data.glob("before-restore-*")) == []
        finally:
            server.terminate()
    restored(data, archive)


def newer(database):
    database.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('combat', '9999_later', '2030-01-01')")


def older(database):
    database.execute("DELETE FROM django_migrations WHERE app = 'combat' AND name <> '0001_initial'")


def foreign(database):
    database.execute("DELETE FROM django_migrations")


def no_tables(database):
    database.execute("DROP TABLE django_migrations")


def dangling(database):
    database.execute("PRAGMA foreign_keys=OFF")
    database.execute("UPDATE combat_encounter SET chronicle_id = 'nowhere'")


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (newer, "newer Vesper (it has combat.9999_later). Upgrade this one first."),
        (older, "older Vesper. Add --upgrade"),
        (foreign, "not a Vesper backup"),
        (no_tables, "not a Vesper backup"),
        (dangling, "damaged: a row of combat_encounter points to a missing row"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(data, archive, tmp_path, alter, says, refused):
    before = (data / backups.DATABASE).read_bytes()
    assert says in refused(data, "restore", changed(archive, tmp_path / "altered.zip", alter))
    assert (data / backups.DATABASE).read_bytes() == before
    assert sorted(path.name for path in data.glob("*restore*")) == []


def test_a_backup_of_an_older_vesper_is_brought_up_to_date(tmp_path, refused):
    earlier, now, file = tmp_path / "earlier", tmp_path / "now", tmp_path / "earlier.zip"
    done(earlier, "manage.py", "migrate", "combat", "0001", "-v0")
    done(earlier, "manage.py", "backup", str(file))
    assert "--upgrade" in refused(now, "restore", file)
    done(now, "manage.py", "restore", "--upgrade", str(file))
    assert "[ ]" not in done(now, "manage.py", "showmigrations", "combat", "campaigns", "characters", "story")


@pytest.mark.parametrize("what", ["text", "cut", "bytes changed", "somewhere else", "no database", "absent"])
def test_what_is_no_backup_is_refused(data, archive, tmp_path, what, refused):
    file = tmp_path / "broken.zip"
    raw = archive.read_bytes()
    if what == "text":
        file.write_text("not an archive")
    elif what == "cut":
        file.write_bytes(raw[: len(raw) // 2])
    elif what == "bytes changed":
        middle = len(raw) // 2
        file.write_bytes(raw[:middle] + bytes([raw[middle] ^ 255]) + raw[middle + 1 :])
    elif what in ("somewhere else", "no database"):
        names = {"somewhere else": ["../escaped", backups.DATABASE], "no database": []}[what]
        with zipfile.ZipFile(file, "w") as packed:
            for name in names:
                packed.writestr(name, "x")
            packed.writestr(backups.CONTENTS, json.dumps({"vesper": 1, "files": dict.fromkeys(names, "x")}))
    before = (data / backups.DATABASE).read_bytes()
    assert "broken.zip" in refused(data, "restore", str(file))
    assert (data / backups.DATABASE).read_bytes() == before
    assert not (tmp_path / "escaped").exists()


def test_a_file_that_unpacks_to_more_than_there_is_room_for_is_refused(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(backups.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=4096))
    with pytest.raises(backups.Unfit, match=r"Not enough disk space: \d+ MB are needed, 0 MB are free\."):
        backups._unpack(archive, tmp_path)
    assert list(tmp_path.glob("*.sqlite3")) == []


def test_a_list_of_contents_without_end_is_not_read(tmp_path):
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(backups.CONTENTS, b" " * (backups.MOST_CONTENTS + 1))
    with pytest.raises(backups.Unfit, match="too long"):
        backups._unpack(bomb, tmp_path)


def test_a_backup_overwrites_nothing(data, tmp_path, refused):
    (tmp_path / "taken.zip").write_text("somebody's")
    assert "already exists" in refused(data, "backup", str(tmp_path / "taken.zip"))
    assert (tmp_path / "taken.zip").read_text() == "somebody's"
    assert "Create it first" in refused(data, "backup", str(tmp_path / "no" / "folder.zip"))


def test_there_must_be_something_to_back_up(tmp_path, refused):
    assert "nothing to back up" in refused(tmp_path, "backup", str(tmp_path / "x.zip"))


@pytest.mark.parametrize("name", ["backup", "restore"])
def test_another_database_has_its_own_way(tmp_path, monkeypatch, name):
    monkeypatch.setattr(backups, "connection", SimpleNamespace(vendor="postgresql", settings_dict={"NAME": "vesper"}))
    with pytest.raises(CommandError, match=r"docs/deploy\.md"):
        call_command(name, str(tmp_path / "x.zip"))
