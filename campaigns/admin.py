"""The admin of accounts. It shows nothing of chronicles: running a server doesn't include reading its games."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from campaigns import audit, leaving
from campaigns.errors import Refused
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
        """Staff delete accounts that have no rights on this server; administrators any but the last."""
        user: Any = request.user
        return super().has_delete_permission(request, obj) and (user.is_superuser or not (obj and obj.is_staff))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Accounts are deleted one at a time, after a page that says what happens."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes is said without the names of chronicles and characters: those aren't an administrator's."""
        (account,) = objs
        goodbye = leaving.farewell(account)
        protected = []
        if goodbye.blocking:
            protected.append(_("It is the only Storyteller of a chronicle with other members."))
        if goodbye.last_admin:
            protected.append(_("It is the only account that can manage this server."))
        gone = [_("Account"), _("Memberships and answers to sessions"), _("Passages for itself and the Storytellers")]
        counts = {
            _("chronicles that are deleted with it"): len(goodbye.alone),
            _("characters that become the Storytellers’"): len(goodbye.characters),
        }
        return gone, counts, set(), protected

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Not in Django's log, which would keep the name: the security log has it, without."""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        leaving.delete_account(obj)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Django's, with a sentence if the account became needed since the page was shown."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return redirect("admin:campaigns_user_change", object_id)
