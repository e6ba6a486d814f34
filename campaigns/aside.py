"""Background work that a response doesn't wait for."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import connections
from django.utils import translation

logger = logging.getLogger(__name__)


def aside(work: Callable[[], object]) -> threading.Thread:
    """Run `work` on its own thread, in the current language. Exceptions are logged, since nobody waits for it."""
    language = translation.get_language() or "en"

    def run() -> None:
        try:
            with translation.override(language):
                work()
        except Exception:  # any failure: the log is the only place to report it
            logger.exception("Background work failed.")
        finally:
            connections.close_all()

    thread = threading.Thread(target=run, name="aside")
    thread.start()
    return thread
