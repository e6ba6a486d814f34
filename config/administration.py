"""Django's admin, for staff: accounts and common tables. Everybody else gets 404."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect


class Administration(AdminSite):
    """An admin site without its own sign-in page, so that there is only one form to attack.

    Every page returns 404 for guests and for accounts that aren't staff, which hides that there is an admin.
    """

    def admin_view(
        self,
        view: Callable[..., Any],
        cacheable: bool = False,  # noqa: FBT001, FBT002  the signature is Django's
    ) -> Any:
        inner = super().admin_view(view, cacheable)

        def for_staff(request: HttpRequest, *arguments: Any, **more: Any) -> Any:
            self._only_staff(request)
            return inner(request, *arguments, **more)

        return for_staff

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the index, instead of showing Django's second sign-in form."""
        self._only_staff(request)
        return redirect("admin:index")

    def _only_staff(self, request: HttpRequest) -> None:
        if not self.has_permission(request):
            raise Http404("No such page")
