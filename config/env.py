"""Reads settings from the environment. Each error says in one sentence what is wrong and what to write.

An unset variable gives the default. A value that makes no sense, such as `VESPER_DEBUG=maybe`, is refused: taken
silently for "no", it is discovered during a game.
"""

from __future__ import annotations

import os
import re
import secrets
import warnings
from collections.abc import Callable, Collection, Mapping
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

YES = ("1", "true", "yes", "on")
NO = ("0", "false", "no", "off")
SECRET_KEY_LENGTH = 50
SMTP = "django.core.mail.backends.smtp.EmailBackend"
SECURE_PORTS = {"EMAIL_USE_SSL": 465, "EMAIL_USE_TLS": 587}
POSTGRESQL = "django.db.backends.postgresql"
SQLITE = "django.db.backends.sqlite3"
ENGINES = (POSTGRESQL, SQLITE)
SEGMENT = re.compile(r"[A-Za-z0-9_-]{3,64}")
HOST = re.compile(r"\.?[a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\]")


def text(name: str, default: str = "") -> str:
    """The value of `name`, or the `default` if it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def required(name: str, why: str) -> str:
    """The value of `name`, which must be set. `why` completes the error's sentence."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set: {why}")
    return value


def flag(name: str, *, default: bool) -> bool:
    """A boolean, written as 1 or 0."""
    value = text(name).lower()
    if not value:
        return default
    if value in YES or value in NO:
        return value in YES
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 for yes or 0 for no.")


def maybe(name: str) -> bool | None:
    """A flag, or None if it is not set."""
    return flag(name, default=False) if text(name) else None


def count(name: str, default: int, least: int = 0) -> int:
    """A whole number, at least `least`."""
    value = text(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number.")
    if int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value}: write a number of at least {least}.")
    return int(value)


def choice(name: str, choices: Collection[str], default: str) -> str:
    """One of the `choices`."""
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}: write one of {', '.join(choices)}.")
    return value


def segment(name: str, default: str, taken: Collection[str]) -> str:
    """One path segment that is not `taken`; empty if the value, or the default, is `off`."""
    value = text(name, default)
    if value.lower() in NO:
        return ""
    if not SEGMENT.fullmatch(value):
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write 3 to 64 letters, digits, hyphens or underscores, or off."
        )
    if value in taken:
        raise ImproperlyConfigured(f"{name} is {value!r}, which Vesper uses for its own pages: write another word.")
    return value


def names(name: str) -> list[str]:
    """A list, separated by commas."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def hosts(name: str) -> list[str]:
    """Host names or addresses, without scheme and port. A name that begins with a dot includes its subdomains."""
    found = [host.lower() for host in names(name)]
    if "*" in found:
        raise ImproperlyConfigured(
            f"{name} is '*', which accepts every host name: list your own, such as vesper.example.org."
        )
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(f"{name} contains {host!r}: write only host names, such as vesper.example.org.")
    return found


def origins(name: str) -> list[str]:
    """Origins (scheme, host and port) as browsers send them: in lower case, without a default port or a path."""
    return [_origin(name, value) for value in names(name)]


def host_of(origin: str) -> str:
    """The host of an origin, as ALLOWED_HOSTS lists it."""
    return urlsplit(origin).netloc.removesuffix(f":{urlsplit(origin).port}")


def _origin(name: str, value: str) -> str:
    problem = ImproperlyConfigured(f"{name} contains {value!r}: write origins such as https://vesper.example.org.")
    try:
        parts = urlsplit(value.lower())
        port = parts.port
    except ValueError:
        raise problem from None
    host = parts.hostname or ""
    strange = parts.path.strip("/") or parts.query or parts.fragment or parts.username or "*" in host
    if parts.scheme not in ("http", "https") or not host or host.startswith(".") or strange:
        raise problem
    host = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != usual else "")


def database(name: str, default: Path) -> dict[str, Any]:
    """Django's settings for the database URL in `name`, or for SQLite in the file `default` if there is none."""
    url = text(name)
    if not url:
        # Not as a URL: a folder's name can contain characters that are special there.
        return {"ENGINE": SQLITE, "NAME": str(default)}
    settings = _parsed(environ.Env.db_url_config, url)
    # The parser passes an unknown scheme on as the engine.
    if settings.get("ENGINE") not in ENGINES or not settings.get("NAME"):
        # The value is left out: it contains a password.
        raise ImproperlyConfigured(
            f"{name} is not a database URL: write postgres://user:password@host/name or sqlite:////folder/file.sqlite3."
        )
    if settings["ENGINE"] == POSTGRESQL:
        _installed(name, "PostgreSQL", "psycopg", "psycopg_pool")
        return settings
    return settings | {"NAME": str(Path(str(settings["NAME"])).absolute())}


def redis(name: str) -> str:
    """A Redis URL, or an empty string if none is set."""
    url = text(name)
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        reachable = bool(parts.path if parts.scheme == "unix" else parts.hostname) and parts.port != 0
    except ValueError:
        reachable = False
    if not reachable or parts.scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured(f"{name} is not a Redis URL: write redis://:password@host:6379/0.")
    _installed(name, "Redis", "redis", "channels_redis")
    return url


def _installed(name: str, what: str, *modules: str) -> None:
    if not all(map(find_spec, modules)):
        raise ImproperlyConfigured(
            f"{name} names {what}, but its packages are not installed: run pip install -r requirements-server.txt"
        )


def mail(name: str, default: str, *, sent: bool = False) -> Mapping[str, object]:
    """Django's e-mail settings, by name, from the URL in `name`.

    With `sent`, only an SMTP server is accepted: anything else would print links that open accounts.
    """
    url = text(name, default)
    settings = _parsed(environ.Env.email_url_config, url)
    if not settings.get("EMAIL_BACKEND"):
        raise ImproperlyConfigured(f"{name} is not an e-mail URL: write smtp+tls://user:password@host:587.")
    if sent and not (settings["EMAIL_BACKEND"] == SMTP and settings.get("EMAIL_HOST")):
        raise ImproperlyConfigured(f"{name} is not an SMTP server: write smtp+tls://user:password@host:587.")
    if settings["EMAIL_BACKEND"] == SMTP and not urlsplit(url).port:
        # The parser takes plain SMTP's port for every scheme.
        settings["EMAIL_PORT"] = next((port for what, port in SECURE_PORTS.items() if settings.get(what)), 25)
    # FILE_PATH is where the "file" backend would write; the rest of what the parser gives has Django's names.
    return {key: value for key, value in settings.items() if key.startswith("EMAIL_") and value is not None}


def sender(name: str, default: str) -> str:
    """The address that e-mail is sent from, with or without a name before it."""
    value = text(name, default)
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write an address such as Vesper <vesper@example.org>."
        ) from None
    return value


def _parsed(parse: Callable[[str], dict[str, object]], url: str) -> dict[str, object]:
    """What `parse` makes of `url`, or an empty dict if it fails.

    It raises all sorts of exceptions, and only warns of some problems.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return parse(url)
        except Exception:
            return {}


def folder(name: str, default: Path) -> Path:
    """A folder that exists, is private to this user, and can be written to."""
    path = Path(text(name) or default).expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise ImproperlyConfigured(f"{name}: the folder {path} cannot be created ({problem.strerror}).") from problem
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name}: you may not write to the folder {path}.")
    return path


def given_secret_key(name: str) -> str:
    """The secret key from the environment. It must be long and random, not an example's placeholder."""
    return _strong(name, required(name, "it signs sessions and password links. Make one with: openssl rand -base64 48"))


def earlier_secret_keys(name: str) -> list[str]:
    """Former keys that are still accepted, and so must be as strong as the current one."""
    return [_strong(name, key) for key in names(name)]


def _strong(name: str, key: str) -> str:
    if len(key) < SECRET_KEY_LENGTH or len(set(key)) < 10 or key.startswith("django-insecure"):
        raise ImproperlyConfigured(f"{name} is too weak: it needs at least {SECRET_KEY_LENGTH} random characters.")
    return key


def kept_secret_key(name: str, file: Path) -> str:
    """The key from the environment, or else from `file`, which is created if it does not exist."""
    if text(name):
        return given_secret_key(name)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_urlsafe(60))
    key = file.read_text().strip()
    if len(key) < SECRET_KEY_LENGTH:
        raise ImproperlyConfigured(
            f"{file} does not contain a valid secret key: delete it, and Vesper makes a new one. "
            "Everybody then has to sign in again."
        )
    return key
