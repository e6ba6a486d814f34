import gc

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class VesperConfig(AppConfig):
    name = "config"
    verbose_name = "Vesper"

    def ready(self) -> None:
        from campaigns import current

        current.install()
        gc.enable()  # manage.py disables it


class AdministrationConfig(admin.AdminConfig):
    """Django's administration with a site of our own."""

    default = False  # INSTALLED_APPS' "config" means the other one
    default_site = "config.administration.Administration"
