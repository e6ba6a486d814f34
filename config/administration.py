"""The administration: accounts and common tables, for staff. For everybody else it is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect


class Administration(AdminSite):
    """Staff sign in where everybody does: one form to guess at, and no word here to whoever is none.

    Every page answers 404 to guests and to accounts that are not staff.
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
        """Django's second form to sign in, which is not needed."""
        self._only_staff(request)
        return redirect("admin:index")

    def _only_staff(self, request: HttpRequest) -> None:
        if not self.has_permission(request):
            raise Http404("No such page")
