"""What goes wrong before a view is reached."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for a request it cannot take: too much of it has a page of its own."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "campaigns/too_big.html", status=413)
    return render(request, "400.html", status=400)
