"""The one place where this app asks the rules which rulesets there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def rulesets() -> Mapping[str, Any]:
    """Every ruleset by its key."""
    from rules.rulesets import RULESETS

    return RULESETS


def choices() -> list[tuple[str, str]]:
    """Key and name of each ruleset, as a form's choices."""
    try:
        return [(key, str(ruleset.name)) for key, ruleset in rulesets().items()]
    except ImportError:
        return [("masquerade", "Vampire: The Masquerade")]
