"""The common tables of weapons and armour, for administrators.

Nothing of a chronicle is here: neither its characters nor the weapons it made for itself. Only that a row is carried,
and by whom, is said to somebody who wants to delete it.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from import_export.admin import ImportExportModelAdmin
from import_export.forms import ConfirmImportForm, ImportForm
from import_export.tmp_storages import CacheStorage

from campaigns.errors import Refused
from campaigns.forms.differences import differences
from campaigns.views.form_pages import take_conflict
from characters import rulesets, services
from characters.forms.gear import MarkedForm
from characters.imports import MOST_BYTES, ArmorResource, GearCSV, WeaponResource
from characters.models import Armor, Gear, Weapon

SALT = "characters.import"


class GearImportForm(ImportForm):
    """A file, and what it is for where it does not say so itself."""

    ruleset = forms.ChoiceField(
        label=_("Ruleset"), required=False, help_text=_("For files without a column “ruleset”, as the shipped ones.")
    )
    field_order = ("resource", "import_file", "ruleset", "format")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ruleset"].choices = [("", _("as the file says")), *rulesets.choices()]

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


class GearForm(MarkedForm):
    """A row on a page of its own, which says so when somebody else saved it meanwhile."""

    def clean(self) -> Any:
        cleaned = super().clean()
        now = self.fields["version"].initial
        if self.cleaned_data.get("version", "") != now:
            take_conflict(self, now)
            for line in differences(self):
                self.add_error(None, line)
        return cleaned


class RowForm(forms.ModelForm):
    """A row of the list: what is wrong with a column that is not in it is said beside it."""

    def add_error(self, field: str | None, error: Any) -> None:
        by_field = getattr(error, "error_dict", None) if field is None else None
        if by_field is None:
            super().add_error(field, error)
            return
        for name, problems in by_field.items():
            super().add_error(name if name in self.fields else None, problems)


class GearAdmin(ImportExportModelAdmin):
    """What the two tables share."""

    form = GearForm
    formats = (GearCSV,)
    import_form_class = GearImportForm
    confirm_form_class = GearConfirmForm
    skip_export_form = True
    skip_export_form_from_action = True
    show_change_form_export = False
    search_fields = ("name", "note")
    save_on_top = True
    list_per_page = 60
    list_max_show_all = 500

    def get_queryset(self, request: HttpRequest) -> QuerySet[Gear]:
        return super().get_queryset(request).filter(chronicle=None)

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[forms.ModelForm]:
        return super().get_changelist_form(request, **{"form": RowForm, **kwargs})

    # ------------------------------------------------------------- saving and deleting

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        services.save_gear(row=obj)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[str]]:
        rows = list(objs)
        carried = [(row, names) for row in rows if (names := services.carriers([row]))]
        protected = [services.carried_sentence(row.name, names) for row, names in carried]
        return [str(row) for row in rows], {str(self.opts.verbose_name_plural): len(rows)}, set(), protected

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        services.delete_gear(row=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            services.delete_gear(row=row)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refusal:  # somebody took it up between the page and the button
            self.message_user(request, str(refusal), messages.ERROR)
            return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))

    # ------------------------------------------------------------- import and export

    # Not a folder for temporary files: another process, which has its own, may be the one that is asked to confirm.
    tmp_storage_class = CacheStorage

    def get_import_resource_kwargs(self, request: HttpRequest, **kwargs: Any) -> dict[str, Any]:
        form = kwargs.get("form")
        chosen = getattr(form, "cleaned_data", {}).get("ruleset", "") if form is not None else ""
        return {"ruleset": chosen}

    def get_import_data_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_import_data_kwargs(**kwargs), "rollback_on_validation_errors": True}

    def get_confirm_form_initial(self, request: HttpRequest, import_form: Any) -> dict[str, Any]:
        initial = super().get_confirm_form_initial(request, import_form)
        if import_form is not None:
            initial["import_file_name"] = signing.dumps(initial["import_file_name"], salt=SALT)
            initial["ruleset"] = import_form.cleaned_data["ruleset"]
        return initial

    def import_action(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = super().import_action(request, **kwargs)
        context = getattr(response, "context_data", {})
        kept = getattr(request.FILES.get("import_file"), "tmp_storage_name", "")
        if kept and "confirm_form" not in context:
            CacheStorage(name=kept).remove()
        return response

    def process_result(self, result: Any, request: HttpRequest) -> HttpResponse:
        if result.has_errors() or result.has_validation_errors():
            self.message_user(request, _now("Nothing was imported: the tables changed meanwhile."), messages.ERROR)
            return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_import"))
        for key in {row.instance.ruleset for row in result if row.instance is not None}:
            services.tell_table(ruleset=key, chronicle_id=None)
        return super().process_result(result, request)


@admin.register(Weapon)
class WeaponAdmin(GearAdmin):
    resource_classes = (WeaponResource,)
    list_display = ("name", "ruleset", "mode", "damage", "type", "range_short", "rate", "clip", "tags")
    list_editable = ("damage", "type", "range_short", "rate", "clip")
    list_filter = ("ruleset", "mode", "type")
    fieldsets = (
        (None, {"fields": ("version", "ruleset", "name", ("mode", "form"), "tags", "note")}),
        (_("Damage"), {"fields": (("damage", "damage_from"), "type", "armor_piercing")}),
        (_("Pool"), {"fields": (("attribute", "ability"), "difficulty", "again")}),
        (
            _("Shot or thrown"),
            {
                "fields": (
                    ("range_short", "range_medium", "range_long"),
                    ("rate", "clip", "chambered"),
                    ("automatic", "single_rounds", "aerodynamic"),
                )
            },
        ),
        (
            _("In the hand"),
            {"fields": (("size", "strength", "conceal"), ("initiative", "defense"), ("two_handed", "committed"))},
        ),
    )


@admin.register(Armor)
class ArmorAdmin(GearAdmin):
    resource_classes = (ArmorResource,)
    list_display = ("name", "ruleset", "rating", "ballistic", "penalty", "covers", "weight")
    list_editable = ("rating", "ballistic", "penalty")
    list_filter = ("ruleset", "weight")
    fieldsets = (
        (None, {"fields": ("version", "ruleset", "name", "note")}),
        (_("Protection"), {"fields": (("rating", "ballistic"), "covers", "weight")}),
        (_("Burden"), {"fields": ("penalty", ("strength", "defense", "speed"))}),
        (_("Not of this world"), {"fields": ("supernatural", "power")}),
    )
