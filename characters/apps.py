from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Characters")

    def ready(self) -> None:
        from campaigns.glance import register_glances
        from characters.glances import glances_at

        register_glances(glances_at)
