"""Each settings reader: accepted values, defaults, and errors for nonsense."""

import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize("written", ["1", "true", "YES", " on "])
def test_flag_yes(monkeypatch, written):
    monkeypatch.setenv("X", written)
    assert env.flag("X", default=False) is True


@pytest.mark.parametrize("written", ["0", "false", "No", "off"])
def test_flag_no(monkeypatch, written):
    monkeypatch.setenv("X", written)
    assert env.flag("X", default=True) is False


@pytest.mark.parametrize("written", ["", "   "])
def test_empty_is_not_set(monkeypatch, written):
    monkeypatch.setenv("X", written)
    assert env.flag("X", default=True) is True
    assert env.maybe("X") is None
    assert env.count("X", default=7) == 7
    assert env.choice("X", ["a", "b"], default="b") == "b"
    assert env.names("X") == []


def test_maybe_tells_no_from_nothing(monkeypatch):
    monkeypatch.setenv("X", "0")
    assert env.maybe("X") is False


@pytest.mark.parametrize(
    ("read", "written", "says"),
    [
        (lambda: env.flag("X", default=False), "maybe", "X is 'maybe': write 1 for yes or 0 for no."),
        (lambda: env.count("X", default=1), "-1", "X is '-1': write a whole number."),
        (lambda: env.count("X", default=1), "²", "X is '²': write a whole number."),
        (lambda: env.choice("X", ["open", "closed"], "open"), "ajar", "X is 'ajar': write one of open, closed."),
        (lambda: env.required("X", "it is needed."), "", "X is not set: it is needed."),
    ],
)
def test_nonsense_is_refused_in_a_sentence(monkeypatch, read, written, says):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured) as refusal:
        read()
    assert str(refusal.value) == says


def test_origins_are_written_as_browsers_write_them(monkeypatch):
    monkeypatch.setenv("X", "HTTPS://Vesper.Example.org:443/, http://10.0.0.5:8000,http://[::1]:80")
    assert env.origins("X") == ["https://vesper.example.org", "http://10.0.0.5:8000", "http://[::1]"]


@pytest.mark.parametrize(
    "written",
    [
        "vesper.example.org",
        "https://*.example.org",
        "https://.example.org",
        "ftp://a",
        "https://a/b",
        "http://a:x",
        "*",
    ],
)
def test_what_is_no_origin_is_refused(monkeypatch, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured, match="such as https://vesper"):
        env.origins("X")


def test_database_is_a_file_unless_something_else_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("X", raising=False)
    assert env.database("X", tmp_path / "a.sqlite3")["NAME"] == str(tmp_path / "a.sqlite3")
    monkeypatch.setenv("X", "postgres://u:p%40ss@db/vesper")
    read = env.database("X", tmp_path)
    assert (read["ENGINE"], read["HOST"], read["NAME"], read["PASSWORD"]) == (
        "django.db.backends.postgresql",
        "db",
        "vesper",
        "p@ss",
    )


@pytest.mark.parametrize("folder", ["c#x", "c++", "a?b", "100%41", "with space", "ü"])
def test_the_database_lies_in_its_folder_whatever_that_is_called(monkeypatch, tmp_path, folder):
    monkeypatch.delenv("X", raising=False)
    read = env.database("X", tmp_path / folder / "a.sqlite3")
    assert (read["ENGINE"], read["NAME"]) == (env.SQLITE, str(tmp_path / folder / "a.sqlite3"))


def test_a_file_is_named_from_where_the_server_starts(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("X", "sqlite:///here.sqlite3")
    assert env.database("X", tmp_path)["NAME"] == str(tmp_path / "here.sqlite3")


@pytest.mark.parametrize("written", ["secret-thing", "postgres://u:secret-thing@", "oracle9://secret-thing/x"])
def test_database_that_cannot_be_read_is_refused_without_its_password(monkeypatch, tmp_path, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.database("X", tmp_path)
    assert "secret-thing" not in str(refusal.value)


def test_mail(monkeypatch):
    monkeypatch.setenv("X", "smtp+tls://u:p@mail.example.org:587")
    read = env.mail("X", "consolemail://")
    assert read["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (read["EMAIL_HOST"], read["EMAIL_PORT"], read["EMAIL_USE_TLS"]) == ("mail.example.org", 587, True)
    monkeypatch.setenv("X", "pigeon://")
    with pytest.raises(ImproperlyConfigured, match="X is not"):
        env.mail("X", "consolemail://")


@pytest.mark.parametrize(
    ("scheme", "port", "taken"),
    [("smtp", "", 25), ("smtp+tls", "", 587), ("smtp+ssl", "", 465), ("smtp+ssl", ":2465", 2465), ("smtp", ":26", 26)],
)
def test_mail_goes_to_the_port_of_its_scheme(monkeypatch, scheme, port, taken):
    monkeypatch.setenv("X", f"{scheme}://u:p@mail.example.org{port}")
    assert env.mail("X", "consolemail://")["EMAIL_PORT"] == taken


def test_secret_key_is_made_once_and_for_us_alone(monkeypatch, tmp_path):
    monkeypatch.delenv("X", raising=False)
    file = tmp_path / "secret_key"
    key = env.kept_secret_key("X", file)
    assert len(key) >= 50
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert env.kept_secret_key("X", file) == key


def test_secret_key_file_that_holds_none_is_refused(tmp_path):
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(ImproperlyConfigured, match="delete it"):
        env.kept_secret_key("X", tmp_path / "secret_key")


@pytest.mark.parametrize("key", ["---", "a" * 60, "django-insecure-" + "abcdefghijklmnop" * 4, "k3Y" * 6])
def test_weak_secret_key_is_refused(monkeypatch, key):
    monkeypatch.setenv("X", key)
    with pytest.raises(ImproperlyConfigured, match="too weak"):
        env.given_secret_key("X")


def test_folder_is_made_for_us_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("X", str(tmp_path / "a" / "b"))
    made = env.folder("X", tmp_path)
    assert made == tmp_path / "a" / "b"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_folder_that_cannot_be_made_is_refused(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("X", str(tmp_path / "file" / "data"))
    with pytest.raises(ImproperlyConfigured, match="cannot be created"):
        env.folder("X", tmp_path)


def test_hosts_are_names_alone(monkeypatch):
    monkeypatch.setenv("X", "Vesper.example.org, .example.net,10.0.0.5,[::1], my_box")
    assert env.hosts("X") == ["vesper.example.org", ".example.net", "10.0.0.5", "[::1]", "my_box"]


@pytest.mark.parametrize(
    "written", ["https://a.example", "a.example:8000", "*.example", "a b", "a/b", "-", "*, a.example"]
)
def test_what_is_no_host_is_refused(monkeypatch, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured, match=r"^X (contains|is) "):
        env.hosts("X")


@pytest.mark.parametrize(
    ("origin", "host"),
    [("https://a.example", "a.example"), ("http://10.0.0.5:8000", "10.0.0.5"), ("http://[::1]:80", "[::1]")],
)
def test_the_host_of_an_origin_is_written_as_hosts_are(origin, host):
    assert env.host_of(origin) == host


@pytest.mark.parametrize("written", ["redis://db:6379/0", "rediss://:secret@db/1", "unix:///run/redis.sock"])
def test_redis(monkeypatch, written):
    monkeypatch.setenv("X", written)
    assert env.redis("X") == written


@pytest.mark.parametrize("written", ["db:6379", "http://:secret@db", "redis://", "redis://:secret@db:x", "unix://"])
def test_a_redis_that_cannot_be_read_is_refused_without_its_password(monkeypatch, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured, match=r"^X is not a Redis URL") as refusal:
        env.redis("X")
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(("read", "written"), [(env.redis, "redis://db"), (env.database, "postgres://db/vesper")])
def test_what_is_not_installed_is_said_with_how_to_get_it(monkeypatch, tmp_path, read, written):
    monkeypatch.setenv("X", written)
    monkeypatch.setattr(env, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=r"pip install -r requirements-server\.txt"):
        read("X") if read is env.redis else read("X", tmp_path)


@pytest.mark.parametrize("written", ["mysql://u:p@db/vesper", "oracle://u:p@db/vesper", "postgis://u:p@db/vesper"])
def test_databases_that_were_never_tried_are_refused(monkeypatch, tmp_path, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured, match="write postgres://"):
        env.database("X", tmp_path)


def test_a_count_may_have_a_least(monkeypatch):
    monkeypatch.setenv("X", "0")
    with pytest.raises(ImproperlyConfigured, match="X is 0: write a number of at least 1"):
        env.count("X", default=10, least=1)


@pytest.mark.parametrize(("written", "read"), [("", "admin"), ("back-Stage_1", "back-Stage_1"), ("OFF", ""), ("0", "")])
def test_a_part_of_an_address(monkeypatch, written, read):
    monkeypatch.setenv("X", written)
    assert env.segment("X", default="admin", taken=["rules"]) == read


@pytest.mark.parametrize("written", ["rules", "a/b", "..", "%2e%2e", "ä" * 5, "a b c", "x" * 65, "admin\\Z", "^admin"])
def test_what_is_no_part_of_an_address_is_refused(monkeypatch, written):
    monkeypatch.setenv("X", written)
    with pytest.raises(ImproperlyConfigured, match=r"^X is "):
        env.segment("X", default="admin", taken=["rules"])
