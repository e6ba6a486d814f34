"""What can happen in a fight: a module or package for each topic, with its messages, deciders and evolvers.

A new one needs no registration: :func:`load` imports them all, and each declares its own messages.
"""

from importlib import import_module
from pkgutil import walk_packages


def load() -> None:
    """Import every topic."""
    for module in walk_packages(__path__, f"{__name__}."):
        import_module(module.name)
