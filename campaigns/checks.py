"""System check: installed rulesets that were rejected when Vesper started."""

from __future__ import annotations

import logging
from typing import Any

from django.core.checks import Warning as Problem

from rules.systems import REJECTED

logger = logging.getLogger(__name__)


def rejected_rulesets() -> list[str]:
    """A sentence for each rejected ruleset, with its package and the reason."""
    return [f"The ruleset “{each.key}” of {each.package} was rejected: {each.reason}" for each in REJECTED]


def log_rejected_rulesets() -> None:
    """Log the rejected rulesets as warnings."""
    for sentence in rejected_rulesets():
        logger.warning(sentence)


def check_rulesets(**_more: Any) -> list[Problem]:
    """Report the rejected rulesets to Django's system checks."""
    hint = "Fix or remove the package. Until then, its chronicles are read-only."
    return [Problem(sentence, hint=hint, id="campaigns.W001") for sentence in rejected_rulesets()]
