"""What is wrong with the installation, found when Vesper starts: installed rulesets that were rejected."""

from __future__ import annotations

import logging
from typing import Any

from django.core.checks import Warning as Problem

from rules.systems import REJECTED

logger = logging.getLogger(__name__)


def rejected_rulesets() -> list[str]:
    """A sentence for each installed ruleset that was rejected: its package, and why."""
    return [f"The ruleset “{each.key}” of {each.package} was rejected: {each.reason}" for each in REJECTED]


def log_rejected_rulesets() -> None:
    """Say in the log which installed rulesets were rejected."""
    for sentence in rejected_rulesets():
        logger.warning(sentence)


def check_rulesets(**_more: Any) -> list[Problem]:
    """Django's check of the same."""
    hint = "Mend or remove the package. Until then its chronicles can only be read."
    return [Problem(sentence, hint=hint, id="campaigns.W001") for sentence in rejected_rulesets()]
