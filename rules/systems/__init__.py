"""Registered rulesets by key: the built-in ones, then those of installed packages.

Packages register by entry point; built-in rulesets are listed here, one per line.
"""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from rules.engine.catalogues import GROUP
from rules.model.system import System
from rules.systems.registry import Rejected, admit

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
"""Installed rulesets that were rejected, and why."""

RULESETS, REJECTED = admit(BUILT_IN, entry_points(group=GROUP))
