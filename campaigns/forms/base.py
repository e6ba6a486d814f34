"""What this app's forms share."""

from __future__ import annotations

from typing import Any

from django import forms

# What is typed comes back in full up to this length; beyond it only an attack or a mishap types anything.
ECHO_LENGTH = 100_000


class KeepsTyping(forms.BaseForm):
    """A form that comes back with what was typed, but does not send megabytes back to whoever sent them."""

    data: Any

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and self._errors:
            self._shorten()

    def _shorten(self) -> None:
        data = self.data.copy()
        for key in list(data):
            value = data[key]
            if isinstance(value, str) and len(value) > ECHO_LENGTH:
                data[key] = value[:ECHO_LENGTH]
        self.data = data
