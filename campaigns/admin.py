"""Accounts for administrators. Nothing of a chronicle is here: who runs the server does not read the games on it."""

from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from campaigns import audit
from campaigns.models import User

# Roles are held in chronicles; a second system of groups would only look as if it did something.
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(UserAdmin):
    list_display = ("username", "first_name", "email", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "first_name", "email")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("first_name", "email")}),
        (_("Rights on this server"), {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    filter_horizontal = ("user_permissions",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001  # Django's
        super().save_model(request, obj, form, change)
        audit.note("account-changed" if change else "account-made", account=obj.pk)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
            audit.note("password-given", account=id)
        return response

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts are disabled, not deleted: a deleted one could leave a chronicle without its Storyteller."""
        return False
