"""Work that an answer does not wait for."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import connections
from django.utils import translation

logger = logging.getLogger(__name__)


def aside(work: Callable[[], object]) -> threading.Thread:
    """Do it on a thread of its own, in the language of whoever asks now. What fails is logged: nobody waits for it."""
    language = translation.get_language() or "en"

    def run() -> None:
        try:
            with translation.override(language):
                work()
        except Exception:  # whatever it was: there is nobody to tell but the log
            logger.exception("What was done beside an answer failed.")
        finally:
            connections.close_all()

    thread = threading.Thread(target=run, name="aside")
    thread.start()
    return thread
