"""The admin of accounts. It shows nothing of chronicles: running a server doesn't include reading its games."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from campaigns import audit
from campaigns.models import User

# Roles belong to chronicles; groups would have no effect here.
admin.site.unregister(Group)


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # generic only in its types
    """Lets an administrator set somebody's password, and logs it."""

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002  # Django's
        user = super().save(commit)
        audit.note("password-given", account=user.pk)
        return user


@admin.register(User)
class AccountAdmin(UserAdmin[User]):
    change_password_form = PasswordForm
    list_display = ("username", "first_name", "email", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "first_name", "email")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("first_name", "email")}),
        (_("Permissions on this server"), {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    filter_horizontal = ("user_permissions",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """People's accounts: an open place in a chronicle is nobody's."""
        return super().get_queryset(request).filter(place_in=None)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001  # Django's
        super().save_model(request, obj, form, change)
        audit.note("account-changed" if change else "account-made", account=obj.pk)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts are disabled, not deleted: deleting one could leave a chronicle without a Storyteller."""
        return False
