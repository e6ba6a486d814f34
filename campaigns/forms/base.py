"""What this app's forms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from campaigns.models import NAME_LENGTH
from campaigns.names import check_seen, printable
from rules.model.words import as_key

# What is typed comes back in full up to this length; beyond it only an attack or a mishap types anything.
ECHO_LENGTH = 100_000


class NameField(forms.CharField):
    """A field for a name: what is not drawn is left out of it, and something must show."""

    def __init__(self, **more: Any) -> None:
        super().__init__(validators=[*more.pop("validators", ()), check_seen], **more)

    def to_python(self, value: Any) -> Any:
        typed = super().to_python(value) or ""
        if len(typed) > ECHO_LENGTH:
            return typed  # refused for its length: megabytes are not read letter by letter for that
        return printable(typed) or typed


def name_field(label: Any, **more: Any) -> forms.CharField:
    """A field for a name, of which something must show."""
    return NameField(label=label, max_length=NAME_LENGTH, **more)


class KeepsTyping(forms.BaseForm):
    """A form that comes back with what was typed, but does not send megabytes back to whoever sent them."""

    data: Any
    # What somebody else saved meanwhile, in words, where that is why it comes back.
    theirs: Sequence[str] = ()

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and self.errors:
            self._shorten()

    def _shorten(self) -> None:
        data = self.data.copy()
        for key in list(data):
            value = data[key]
            if isinstance(value, str) and len(value) > ECHO_LENGTH:
                data[key] = value[:ECHO_LENGTH]
        self.data = data


def let_choose(form: forms.BaseForm, name: str, choices: Sequence[tuple[str, StrOrPromise]]) -> None:
    """Set what can be picked in a field of `form`: keys, with the words for each."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def words_in(text: str) -> list[str]:
    """What stands between commas; a `ValidationError` where a key made of it would be empty."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if not as_key(word):
            raise forms.ValidationError(_("“%(word)s” has no letters to know it by.") % {"word": word[:40]})
    return words
