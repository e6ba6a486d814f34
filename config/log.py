"""How the log is written: one line for each thing, and no secret in it.

In production a line is a JSON object, for whatever collects logs; on a Storyteller's own machine a person reads it.
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
    r"((?:/|%2F)(?:join|wall|account(?:/|%2F)reset(?:/|%2F)[^/\s%]+)(?:/|%2F))[^/\s?#&%\"'<>]+", re.IGNORECASE
)
"""The part of a path, also of one that stands encoded in a query, that opens a door to whoever has it.

`tests/config/test_log.py` knows every such route.
"""
PASSWORDS = re.compile(r"(://[^\s/:@]*:)[^\s/@]+@")
LONGEST = 500


def masked(text: str) -> str:
    """`text` without the tokens of links and the passwords of addresses."""
    return PASSWORDS.sub(r"\1…@", TOKENS.sub(r"\1…", text))


def way_to(problem: BaseException) -> str:
    """Where `problem` was raised and what it came from.

    Of each message the first line only: a database quotes the whole row that it refused in those that follow.
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
    """With `way=False` the way to an exception is left out: for what is no fault in the code."""

    def __init__(self, *, way: bool = True) -> None:
        super().__init__()
        self.way = way

    def exception_of(self, record: logging.LogRecord) -> str:
        return way_to(record.exc_info[1]) if self.way and record.exc_info and record.exc_info[1] else ""


class ForPeople(_Line):
    """A line to read; the way to an exception follows it, as one who looks for the fault needs it."""

    def format(self, record: logging.LogRecord) -> str:
        at = self.formatTime(record, "%Y-%m-%d %H:%M:%S")
        line = f"{at} {record.levelname} {record.name}: {_one_line(masked(record.getMessage()))}"
        return "\n".join(filter(None, (line, self.exception_of(record))))


class ForMachines(_Line):
    """A JSON object on one line: time, level, logger, message, and what is known of the request and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        request = getattr(record, "request", None)
        if request is not None and hasattr(request, "path") and hasattr(request, "method"):
            # Not `request.user`, which would ask the database: perhaps that is what is broken.
            known = getattr(request, "_cached_user", None)
            told |= {"method": request.method, "path": masked(request.path), "user": getattr(known, "pk", None)}
        if hasattr(record, "status_code"):
            told["status"] = record.status_code
        if exception := self.exception_of(record):
            told["exception"] = exception
        return json.dumps(told, ensure_ascii=False, default=str)


def _one_line(text: str) -> str:
    """Whoever can put a line break into a message could otherwise write lines of their own."""
    return text.replace("\r", "\\r").replace("\n", "\\n")
