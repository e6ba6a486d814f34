"""The web app manifest: with it, Vesper opens from a phone's home screen in a window of its own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

DARK = "#131115"
"""The dark theme's page, as in `static/css/base.css`."""

ICONS = [(name, size) for name in ("icon", "icon-mask") for size in (192, 512)]
"""`script/icons` draws them. Those in a mask fill their square, because Android cuts it to its own shape."""


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """A view rather than a file, since in production the icons' names have a hash."""
    home = reverse("campaigns:home")
    found = {
        "id": home,
        "name": "Vesper",
        "short_name": "Vesper",
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": DARK,
        "theme_color": DARK,
        "icons": [
            {
                "src": static(f"{name}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "maskable" if name == "icon-mask" else "any",
            }
            for name, size in ICONS
        ],
    }
    headers = {"Cache-Control": "public, max-age=3600"}
    return JsonResponse(found, content_type="application/manifest+json", headers=headers)
