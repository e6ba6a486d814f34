from django.apps import AppConfig


class VesperConfig(AppConfig):
    name = "config"
    verbose_name = "Vesper"
