from django.apps import AppConfig
from django.contrib.admin import apps as admin


class VesperConfig(AppConfig):
    name = "config"
    verbose_name = "Vesper"


class AdministrationConfig(admin.AdminConfig):
    """Django's administration with a site of our own."""

    default = False  # not the one meant by "config"
    default_site = "config.administration.Administration"
