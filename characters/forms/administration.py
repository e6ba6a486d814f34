"""Forms of the admin's tables: rows of the list, and imports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import signing
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _
from import_export.forms import ConfirmImportForm, ImportForm
from import_export.tmp_storages import CacheStorage

from campaigns.forms.base import let_choose
from campaigns.forms.differences import in_words
from characters import rulesets
from characters.imports import MOST_BYTES
from characters.models import Gear

SALT = "characters.import"
ROW_CHANGED = _("Somebody else changed this to %(saved)s while you were editing. Save again to replace it with yours.")
ROW_GONE = _("Somebody else deleted this row while you were editing. Save again to continue without it.")


class RowForm(forms.ModelForm[Gear]):
    """A row of the list, merged three ways: the page carries each column's original value.

    A column that wasn't edited keeps its current value, even if somebody else changed it. Errors in columns that
    aren't in the list are shown for the whole row.
    """

    data: MultiValueDict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True

    @property
    def is_gone(self) -> bool:
        """Whether somebody deleted the row after the page was drawn."""
        return self.is_bound and self.instance.pk is None

    def has_changed(self) -> bool:
        return not self.is_gone and super().has_changed()

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_gone:
            self.errors.clear()
            if self.data.get(self.add_prefix("id")) and set(self.changed_data) - {"id"}:
                self.add_error(None, ROW_GONE)
                self._put(self.add_prefix("id"), "")

    def clean(self) -> Any:
        cleaned = super().clean()
        for bound in self.visible_fields():
            now = self.get_initial_for_field(bound.field, bound.name)
            if bound.name in self.errors or not bound.field.has_changed(now, self.data.get(bound.html_initial_name)):
                continue
            if bound.name not in self.changed_data:
                self.cleaned_data[bound.name] = now
            elif bound.field.has_changed(now, bound.data):
                self.add_error(bound.name, ROW_CHANGED % {"saved": in_words(bound.field, now) or "—"})
                self._put(bound.html_initial_name, "" if now is None else str(now))
        return cleaned

    def _put(self, name: str, value: str) -> None:
        """Replace a carried value, so that the next save counts as having seen the change."""
        self.data = self.data.copy()
        self.data[name] = value

    def add_error(self, field: str | None, error: Any) -> None:
        by_field = getattr(error, "error_dict", None) if field is None else None
        if by_field is None:
            super().add_error(field, error)
            return
        for name, problems in by_field.items():
            super().add_error(name if name in self.fields else None, problems)


class GearImportForm(ImportForm):
    """A file, and its ruleset if it has no column for that."""

    ruleset = forms.ChoiceField(
        label=_("Ruleset"),
        required=False,
        help_text=_("For files without a “ruleset” column, such as the ones that come with Vesper."),
    )
    field_order = ("resource", "import_file", "ruleset", "format")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        let_choose(self, "ruleset", [("", _("as in the file")), *rulesets.choices()])

    def clean_import_file(self) -> Any:
        given = self.cleaned_data["import_file"]
        if given.size > MOST_BYTES:
            raise forms.ValidationError(_("This file is larger than 1 MB. Split it into smaller ones."))
        try:
            given.read().decode()
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_("This file isn’t in UTF-8. Save the table as “CSV UTF-8”.")) from error
        given.seek(0)
        return given


class GearConfirmForm(ConfirmImportForm):
    """Identifies the previewed file. Its name is signed, because it is a key in a cache that also holds other data."""

    ruleset = forms.CharField(required=False, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_import_file_name(self) -> str:
        gone = forms.ValidationError(_("This preview has expired. Choose the file again."))
        try:
            name = str(signing.loads(self.cleaned_data["import_file_name"], salt=SALT, max_age=24 * 3600))
        except signing.BadSignature:
            raise gone from None
        if CacheStorage(name=name).read() is None:
            raise gone
        return name

    def clean_format(self) -> str:
        return "0"

    def clean_resource(self) -> str:
        return "0"
