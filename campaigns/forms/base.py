"""Shared form fields and base classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from campaigns.models import NAME_LENGTH
from campaigns.names import check_seen, printable
from rules.model.words import as_key

Choices = Sequence[tuple[str, StrOrPromise]]

# An invalid form echoes its input up to this length. Only an attack or an accident is longer.
ECHO_LENGTH = 100_000


class NameField(forms.CharField):
    """A field for a name. It drops invisible characters and requires a visible one."""

    def __init__(self, **more: Any) -> None:
        super().__init__(validators=[*more.pop("validators", ()), check_seen], **more)

    def to_python(self, value: Any) -> Any:
        typed = super().to_python(value) or ""
        if len(typed) > ECHO_LENGTH:
            return typed  # already too long: don't scan megabytes letter by letter
        return printable(typed) or typed


def name_field(label: Any, **more: Any) -> forms.CharField:
    """A required `NameField` of the usual length."""
    return NameField(label=label, max_length=NAME_LENGTH, **more)


class KeepsTyping(forms.BaseForm):
    """A form that echoes what was typed, but truncates megabytes."""

    data: Any
    # After an edit conflict: what somebody else saved, in words.
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


def let_choose(form: forms.BaseForm, name: str, choices: Sequence[tuple[str, StrOrPromise | Choices]]) -> None:
    """Set the choices of a field of `form`: (key, label) pairs, or headings with lists of them."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def words_in(text: str) -> list[str]:
    """The comma-separated words of a text. Raises `ValidationError` for a word that gives no key."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if not as_key(word):
            raise forms.ValidationError(_("“%(word)s” needs at least one letter or digit.") % {"word": word[:40]})
    return words
