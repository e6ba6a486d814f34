"""A module like one that an engineer would add to the topics, and how tests import it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from rules.engine.messages import declared_here

MODULE = "tests.made_up.bragging"


@contextmanager
def imported() -> Iterator[ModuleType]:
    """The module, imported as if it were among the topics, and removed afterwards."""
    with declared_here():
        sys.modules.pop(MODULE, None)
        yield import_module(MODULE)
