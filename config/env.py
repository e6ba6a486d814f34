"""Reads settings from the environment, and says in a sentence what is wrong with one.

A value that is absent gives the default. A value that is there but cannot be meant, such as `VESPER_DEBUG=maybe`,
is refused: silently taken for "no", it would be found out on the evening of the game.
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
    """What stands under `name`, or the `default` where that is nothing."""
    return os.environ.get(name, "").strip() or default


def required(name: str, why: str) -> str:
    """The value of `name`, which must be set. `why` finishes the sentence that says so."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set: {why}")
    return value


def flag(name: str, *, default: bool) -> bool:
    """Yes or no."""
    value = text(name).lower()
    if not value:
        return default
    if value in YES or value in NO:
        return value in YES
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 for yes or 0 for no.")


def maybe(name: str) -> bool | None:
    """A flag with a third answer: None when nobody said anything."""
    return flag(name, default=False) if text(name) else None


def count(name: str, default: int, least: int = 0) -> int:
    """A whole number from `least` up."""
    value = text(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number.")
    if int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value}: it must be {least} or more.")
    return int(value)


def choice(name: str, choices: Collection[str], default: str) -> str:
    """One of the `choices`."""
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}: write one of {', '.join(choices)}.")
    return value


def segment(name: str, default: str, taken: Collection[str]) -> str:
    """One part of an address, which is none of `taken`; empty when the value, or the default, is `off`."""
    value = text(name, default)
    if value.lower() in NO:
        return ""
    if not SEGMENT.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write 3 to 64 letters, digits, - or _, or off.")
    if value in taken:
        raise ImproperlyConfigured(f"{name} is {value!r}, where Vesper has pages of its own: write another word.")
    return value


def names(name: str) -> list[str]:
    """A list, written with commas."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def hosts(name: str) -> list[str]:
    """Host names or addresses, without scheme and port. A name that begins with a dot stands for all below it."""
    found = [host.lower() for host in names(name)]
    if "*" in found:
        raise ImproperlyConfigured(f"{name} is '*', which trusts every name: write out the hosts that are served.")
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(f"{name} holds {host!r}: write names alone, such as vesper.example.org.")
    return found


def origins(name: str) -> list[str]:
    """Origins (scheme, host and port) as browsers write them: small letters, no default port, no path."""
    return [_origin(name, value) for value in names(name)]


def host_of(origin: str) -> str:
    """The host of an origin, as ALLOWED_HOSTS has it."""
    return urlsplit(origin).netloc.removesuffix(f":{urlsplit(origin).port}")


def _origin(name: str, value: str) -> str:
    problem = ImproperlyConfigured(f"{name} holds {value!r}: write origins such as https://vesper.example.org.")
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
    """Django's settings for the database that the URL in `name` describes; SQLite in the file `default` without one."""
    url = text(name)
    if not url:
        return {"ENGINE": SQLITE, "NAME": str(default)}  # by no URL: a folder's name may hold what means more in one
    settings = _parsed(environ.Env.db_url_config, url)
    # A scheme that the parser does not know becomes the engine as it stands.
    if settings.get("ENGINE") not in ENGINES or not settings.get("NAME"):
        # Not the value: it has a password in it.
        raise ImproperlyConfigured(
            f"{name} cannot be read: write postgres://user:password@host/name or sqlite:////folder/file.sqlite3."
        )
    if settings["ENGINE"] == POSTGRESQL:
        _installed(name, "PostgreSQL", "psycopg", "psycopg_pool")
        return settings
    return settings | {"NAME": str(Path(str(settings["NAME"])).absolute())}


def redis(name: str) -> str:
    """The address of a Redis, empty when none is named."""
    url = text(name)
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        reachable = bool(parts.path if parts.scheme == "unix" else parts.hostname) and parts.port != 0
    except ValueError:
        reachable = False
    if not reachable or parts.scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured(f"{name} cannot be read: write redis://:password@host:6379/0.")
    _installed(name, "Redis", "redis", "channels_redis")
    return url


def _installed(name: str, what: str, *modules: str) -> None:
    if not all(map(find_spec, modules)):
        raise ImproperlyConfigured(
            f"{name} names {what}, and what speaks to it is not installed: pip install -r requirements-server.txt"
        )


def mail(name: str, default: str, *, sent: bool = False) -> Mapping[str, object]:
    """Django's e-mail settings, by their names, from the URL in `name`.

    With `sent` only a server that sends it will do: what is printed instead are links that open accounts.
    """
    url = text(name, default)
    settings = _parsed(environ.Env.email_url_config, url)
    if not settings.get("EMAIL_BACKEND"):
        raise ImproperlyConfigured(f"{name} cannot be read: write smtp+tls://user:password@host:587.")
    if sent and not (settings["EMAIL_BACKEND"] == SMTP and settings.get("EMAIL_HOST")):
        raise ImproperlyConfigured(
            f"{name} names no server that sends e-mail: write smtp+tls://user:password@host:587."
        )
    if settings["EMAIL_BACKEND"] == SMTP and not urlsplit(url).port:
        # Whatever the scheme, the parser takes the port of plain SMTP.
        settings["EMAIL_PORT"] = next((port for what, port in SECURE_PORTS.items() if settings.get(what)), 25)
    # FILE_PATH is where the "file" backend would write; the rest of what the parser gives has Django's names.
    return {key: value for key, value in settings.items() if key.startswith("EMAIL_") and value is not None}


def sender(name: str, default: str) -> str:
    """Whom e-mail comes from: an address, with or without a name before it."""
    value = text(name, default)
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(f"{name} is {value!r}: write Vesper <vesper@example.org>.") from None
    return value


def _parsed(parse: Callable[[str], dict[str, object]], url: str) -> dict[str, object]:
    """What `parse` makes of `url`, or nothing where it cannot: it raises all sorts, and only warns of some."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return parse(url)
        except Exception:
            return {}


def folder(name: str, default: Path) -> Path:
    """A folder that is there, ours alone, and can be written to."""
    path = Path(text(name) or default).expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise ImproperlyConfigured(f"{name}: {path} cannot be made ({problem.strerror}).") from problem
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name}: {path} cannot be written to.")
    return path


def given_secret_key(name: str) -> str:
    """A secret key that must come from outside, and be one: long, and not the placeholder of some example."""
    return _strong(
        name, required(name, "sessions and password links are signed with it. Make one: openssl rand -base64 48")
    )


def earlier_secret_keys(name: str) -> list[str]:
    """Keys that are still believed, and so must be as strong as the present one."""
    return [_strong(name, key) for key in names(name)]


def _strong(name: str, key: str) -> str:
    if len(key) < SECRET_KEY_LENGTH or len(set(key)) < 10 or key.startswith("django-insecure"):
        raise ImproperlyConfigured(f"{name} is too weak: it needs {SECRET_KEY_LENGTH} random characters or more.")
    return key


def kept_secret_key(name: str, file: Path) -> str:
    """The key from the environment, else the one in `file`, which is made when it is not there yet."""
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
        raise ImproperlyConfigured(f"{file} holds no secret key: delete the file, and a new one is made.")
    return key
