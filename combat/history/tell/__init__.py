"""Tellers: functions that put events into sentences for each audience.

A function that `@tells` an event type adds the sentences and rolls that a reader's sight allows. Types without a
teller are shown to nobody. A new module here needs no registration: :func:`load` imports them all.
"""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import every module that tells events."""
    for module in iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
