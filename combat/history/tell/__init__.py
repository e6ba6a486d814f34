"""Events in words: what each audience reads of each kind of event.

A function that `@tells` a kind of event gives the sentences and rolls that a reader's sight allows. A kind that none
tells is told to nobody. A new module here needs no entry anywhere: :func:`load` imports them all.
"""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import every module that tells events."""
    for module in iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
