"""Log formatting: one line per record, without secrets.

In production a line is a JSON object, for log collectors; on a Storyteller's own machine it is written for people.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Iterator
from typing import Any

TOKENS = re.compile(
    r"((?:/|%2F)(?:join|wall|calendar|account(?:/|%2F)reset(?:/|%2F)[^/\s%]+)(?:/|%2F))[^/\s?#&%\"'<>]+", re.IGNORECASE
)
"""The secret token in a path, also in one encoded in a query.

`tests/config/test_log.py` checks every route with one.
"""
PASSWORDS = re.compile(r"(://[^\s/:@]*:)[^\s/@]+@")
LONGEST = 500


def masked(text: str) -> str:
    """`text` without the tokens of links and the passwords in URLs."""
    return PASSWORDS.sub(r"\1…@", TOKENS.sub(r"\1…", text))


def way_to(problem: BaseException) -> str:
    """The traceback of `problem`, with the exceptions that led to it.

    Only the first line of each message: in the following lines a database quotes the whole row that it refused.
    """
    parts = []
    for each in _chain(problem):
        said = next(iter(str(each).splitlines()), "")[:LONGEST]
        way = "".join(traceback.format_tb(each.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{way}{type(each).__qualname__}: {said}")
    return masked("\nwhich led to:\n".join(reversed(parts)))


def _chain(problem: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    each: BaseException | None = problem
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


class _Line(logging.Formatter):
    """With `way=False`, tracebacks are left out: for records that are not faults in the code."""

    def __init__(self, *, way: bool = True) -> None:
        super().__init__()
        self.way = way

    def exception_of(self, record: logging.LogRecord) -> str:
        return way_to(record.exc_info[1]) if self.way and record.exc_info and record.exc_info[1] else ""


class ForPeople(_Line):
    """A readable line, followed by the traceback of its exception."""

    def format(self, record: logging.LogRecord) -> str:
        at = self.formatTime(record, "%Y-%m-%d %H:%M:%S")
        line = f"{at} {record.levelname} {record.name}: {_one_line(masked(record.getMessage()))}"
        return "\n".join(filter(None, (line, self.exception_of(record))))


class ForMachines(_Line):
    """A JSON object on one line: time, level, logger, message, and details of the request and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        request = getattr(record, "request", None)
        if request is not None and hasattr(request, "path") and hasattr(request, "method"):
            # Not `request.user`, which would query the database: that may be what is broken.
            known = getattr(request, "_cached_user", None)
            told |= {"method": request.method, "path": masked(request.path), "user": getattr(known, "pk", None)}
        if hasattr(record, "status_code"):
            told["status"] = record.status_code
        if exception := self.exception_of(record):
            told["exception"] = exception
        return json.dumps(told, ensure_ascii=False, default=str)


def _one_line(text: str) -> str:
    """Escape line breaks: anybody who can get one into a message could forge log lines."""
    return text.replace("\r", "\\r").replace("\n", "\\n")
