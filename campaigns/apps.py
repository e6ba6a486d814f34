from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    name = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("People and chronicles")

    def ready(self) -> None:
        from campaigns import audit, redact, sign_ins

        redact.install()
        sign_ins.connect()
        audit.connect()
