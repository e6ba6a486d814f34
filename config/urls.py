"""The URLs of all apps, and of the administration if there is one."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    # First, since an action's path is compared with all before its own.
    path("", include("combat.web.urls")),
    path("", include("campaigns.urls")),
    path("", include("characters.urls")),
    path("", include("story.urls")),
]
if settings.VESPER_ADMIN:
    urlpatterns.append(path(f"{settings.VESPER_ADMIN}/", admin.site.urls))

handler400 = "campaigns.views.errors.bad_request"
handler500 = "campaigns.views.errors.server_error"
