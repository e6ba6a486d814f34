"""Keeping the secrets that stand in some addresses out of the log."""

from __future__ import annotations

import logging
import re

# /join/<token>/, /wall/<token>/, /account/reset/<user>/<token>/, also as they stand encoded in a query.
_SECRET = re.compile(r"((?:/|%2F)(?:join|wall|account(?:/|%2F)reset)(?:/|%2F))[^\s\"'?&]+", re.IGNORECASE)
LOGGERS = ("django.request", "django.security.csrf", "django.server", "django.channels.server")


def redact(text: str) -> str:
    """The text with the secret part of each such address struck out."""
    return _SECRET.sub(r"\1[hidden]", text)


class HideTokens(logging.Filter):
    """Strikes tokens out of a record. It lets every record pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = redact(record.msg) if isinstance(record.msg, str) else record.msg
        if isinstance(record.args, tuple):
            record.args = tuple(redact(item) if isinstance(item, str) else item for item in record.args)
        elif isinstance(record.args, dict):
            record.args = {k: redact(item) if isinstance(item, str) else item for k, item in record.args.items()}
        return True


def install() -> None:
    """Put the filter on every logger that writes addresses."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(HideTokens())
