"""The rulesets that there are, by key: the built-in ones, then those of installed packages.

A new one registers itself by an entry point; the built-in ones do so here, in a line each.
"""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from rules.model.system import System
from rules.systems.registry import GROUP, Rejected, admit

BUILT_IN = tuple(
    EntryPoint(key, f"rules.systems.{module}.system:{key.upper()}", GROUP)
    for key, module in {
        "masquerade": "classic.masquerade",
        "apocalypse": "classic.apocalypse",
        "darkness": "storytelling.first_edition",
        "chronicles": "storytelling.second_edition",
        "wounds": "wound_levels",
    }.items()
)

RULESETS: Mapping[str, System]
REJECTED: tuple[Rejected, ...]
"""The installed ones that are not played, and why."""

RULESETS, REJECTED = admit(BUILT_IN, entry_points(group=GROUP))
