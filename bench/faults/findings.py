"""What the runs share: what was wrong, and the token of a page's forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@dataclass
class Findings:
    """What was wrong in a run, a line each."""

    faults: list[str] = field(default_factory=list, kw_only=True)

    @property
    def ok(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    @property
    def wrong(self) -> str:
        """What was wrong, in one line."""
        return "; ".join(self.faults) or "nothing wrong"
