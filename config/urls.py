from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("campaigns.urls")),
    path("", include("characters.urls")),
    path("", include("combat.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "campaigns.views.errors.bad_request"
