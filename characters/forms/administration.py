"""Forms of the administration's tables: rows of its list, and files that are taken in."""

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
ROW_CHANGED = _("Somebody else made this %(saved)s while you were writing. Save again to put yours in its place.")
ROW_GONE = _("Somebody else deleted this row while you were writing. Save again to go on without it.")


class RowForm(forms.ModelForm[Gear]):
    """A row of the list, which carries what each of its columns said when the page was drawn.

    A column that was not touched here stays as it is by now, whoever changed it. What is wrong with a column that is
    not in the list is said beside the row.
    """

    data: MultiValueDict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True

    @property
    def is_gone(self) -> bool:
        """Whether somebody deleted the row since the page was drawn."""
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
        """Say otherwise what the page carries, so that the next save counts as having seen it."""
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
    """A file, and what it is for where it does not say so itself."""

    ruleset = forms.ChoiceField(
        label=_("Ruleset"), required=False, help_text=_("For files without a column “ruleset”, as the shipped ones.")
    )
    field_order = ("resource", "import_file", "ruleset", "format")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        let_choose(self, "ruleset", [("", _("as the file says")), *rulesets.choices()])

    def clean_import_file(self) -> Any:
        given = self.cleaned_data["import_file"]
        if given.size > MOST_BYTES:
            raise forms.ValidationError(_("This file is larger than 1 MB. Split it."))
        try:
            given.read().decode()
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_("This is no text in UTF-8: save the table as “CSV UTF-8”.")) from error
        given.seek(0)
        return given


class GearConfirmForm(ConfirmImportForm):
    """What the preview was of. The file's name is signed: it is a key of the cache that holds other things too."""

    ruleset = forms.CharField(required=False, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_import_file_name(self) -> str:
        gone = forms.ValidationError(_("This preview is over. Choose the file again."))
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
