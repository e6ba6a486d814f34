"""The admin of the common tables of weapons and armour.

It shows nothing of chronicles, neither characters nor custom weapons, with one exception: deleting a row names the
characters who carry it.
"""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from import_export.admin import ImportExportModelAdmin
from import_export.tmp_storages import CacheStorage

from campaigns.errors import Refused
from campaigns.forms.differences import differences
from campaigns.views.form_pages import take_conflict
from characters import services
from characters.forms.administration import SALT, GearConfirmForm, GearImportForm, RowForm
from characters.forms.gear import MarkedForm
from characters.imports import ArmorResource, GearCSV, Unreadable, WeaponResource
from characters.models import Armor, Gear, Weapon


class GearForm(MarkedForm):
    """A row's own page, with detection of edit conflicts."""

    def clean(self) -> Any:
        cleaned = super().clean()
        now = self.fields["version"].initial
        if self.cleaned_data.get("version", "") != now:
            take_conflict(self, now)
            for line in differences(self):
                self.add_error(None, line)
        return cleaned


class GearAdmin(ImportExportModelAdmin[Gear]):
    """The base class of both tables."""

    form = GearForm
    formats = [GearCSV]
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

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[forms.ModelForm[Gear]]:
        return super().get_changelist_form(request, **{"form": RowForm, **kwargs})

    # ------------------------------------------------------------- saving and deleting

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        with transaction.atomic():
            self._lock()
            response = super().changelist_view(request, extra_context)
        cl = (getattr(response, "context_data", None) or {}).get("cl")
        if cl is not None and cl.formset is not None and cl.formset.is_bound:
            # Django pairs the current rows with the submitted forms by position, even if they no longer match.
            cl.formset.forms = [form for form in cl.formset.forms if form.errors or not form.is_gone]
            cl.result_list = [form.instance for form in cl.formset.forms]
        return response

    def _lock(self) -> None:
        # The library's types confuse the model with an instance.
        services.lock_common(cast("type[Gear]", self.model))

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
        except Refused as refusal:  # somebody picked it up after the page was drawn
            self.message_user(request, str(refusal), messages.ERROR)
            return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))

    # ------------------------------------------------------------- import and export

    def has_import_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_add_permission(request) and self.has_change_permission(request))

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_view_permission(request))

    # Not a temporary folder: the process that handles the confirmation may have another one.
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

    def import_action(self, request: HttpRequest, **kwargs: Any) -> TemplateResponse:
        response = super().import_action(request, **kwargs)
        context = getattr(response, "context_data", {})
        kept = getattr(request.FILES.get("import_file"), "tmp_storage_name", "")
        if "confirm_form" in context:
            context["confirm_form"].initial["seen"] = context["result"].seen
        elif kept:
            CacheStorage(name=kept).remove()
        return response

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Import a file, or show a new preview if the tables have changed since the last one."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        form = self.create_confirm_form(request)
        with transaction.atomic():
            self._lock()
            if not form.is_valid() or self._is_as_previewed(request, form):
                return super().process_import(request, **kwargs)
        return self._preview_anew(request, form)

    def _is_as_previewed(self, request: HttpRequest, form: Any) -> bool:
        resource, dataset = self._file_of(request, form)
        try:
            resource.before_import(dataset)
        except Unreadable:
            return False
        return bool(resource.seen == form.cleaned_data["seen"])

    def _file_of(self, request: HttpRequest, form: Any) -> tuple[Any, Any]:
        """The resource and dataset of a previewed file."""
        storage = CacheStorage(name=form.cleaned_data["import_file_name"])
        resource = self.resource_classes[0](**self.get_import_resource_kwargs(request, form=form))
        return resource, GearCSV(encoding=self.from_encoding).create_dataset(storage.read())

    def _preview_anew(self, request: HttpRequest, form: Any) -> HttpResponse:
        resource, dataset = self._file_of(request, form)
        result = resource.import_data(dataset, dry_run=True)
        context = self.admin_site.each_context(request) | {"title": _now("Import"), "opts": self.opts, "result": result}
        context |= {"import_error_display": self.import_error_display}
        if result.has_errors() or result.has_validation_errors():
            self.message_user(
                request,
                _now("Nothing was imported, because the tables changed in the meantime. Choose the file again."),
                messages.ERROR,
            )
            CacheStorage(name=form.cleaned_data["import_file_name"]).remove()
            chosen = {"ruleset": form.cleaned_data["ruleset"]}
            fresh = self.import_form_class(self.get_import_formats(), self.resource_classes, initial=chosen)
            context |= {"form": fresh, "media": self.media + fresh.media}
        else:
            said = _now(
                "Nothing is imported yet: somebody else changed the tables. Check the new preview, then confirm."
            )
            self.message_user(request, said, messages.WARNING)
            carried = {name: form.data.get(name, "") for name in form.fields} | {"seen": result.seen}
            context["confirm_form"] = self.confirm_form_class(initial=carried)
        return TemplateResponse(request, self.import_template_name, context)

    def process_result(self, result: Any, request: HttpRequest) -> HttpResponse:
        if result.has_errors() or result.has_validation_errors():
            self.message_user(
                request,
                _now("Nothing was imported, because the tables changed in the meantime. Choose the file again."),
                messages.ERROR,
            )
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
            _("Ranged attacks"),
            {
                "fields": (
                    ("range_short", "range_medium", "range_long"),
                    ("rate", "clip", "chambered"),
                    ("automatic", "single_rounds", "aerodynamic"),
                )
            },
        ),
        (
            _("Handling"),
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
        (_("Encumbrance"), {"fields": ("penalty", ("strength", "defense", "speed"))}),
        (_("Supernatural"), {"fields": ("supernatural", "power")}),
    )
