"""Sections of a chronicle's page that the apps above add, each built for its reader.

The page is live, so a section must not change by itself as time passes: see `campaigns.live`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campaigns.models import Membership

# From the reader to the section's view model, of frozen values like all others; None for no section.
Section = Callable[[Membership], object]

_sections: dict[str, Section] = {}


def register_section(name: str, section: Section) -> None:
    """Add a section, by the name under which the template finds it. Idempotent."""
    if _sections.setdefault(name, section) is not section:
        raise ValueError(f"There is already a section {name!r}")


def sections_for(membership: Membership) -> Mapping[str, object]:
    """The sections as this member may see them, by name."""
    return {name: section(membership) for name, section in _sections.items()}
