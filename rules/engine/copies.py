"""Fast copies of frozen values with changed fields, for values that are copied a dozen times in every attack.

What a fight is folded into has a score of fields a value. ``dataclasses.replace`` takes each of them through
``__init__``; a value without slots is copied as one dict, at a tenth of the cost. So those values of
:mod:`rules.model.state` that change all the time, and the sheet, do without slots.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["replace"]

if TYPE_CHECKING:
    from dataclasses import replace  # so that the fields' names and types are checked
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """As ``dataclasses.replace``, but what a value without slots has cached goes along with its fields.

        So nothing may be changed that it was worked out from. Raises ``TypeError`` for a field that there is not.
        """
        if not hasattr(value, "__dict__"):
            return dataclasses.replace(value, **changes)
        copy = object.__new__(type(value))
        fields = copy.__dict__
        fields.update(value.__dict__)
        known = len(fields)
        fields.update(changes)
        if len(fields) != known:
            raise TypeError(f"{type(value).__name__} has no such field: {', '.join(changes)}")
        return copy
