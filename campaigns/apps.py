from django.apps import AppConfig
from django.conf import settings
from django.core.checks import register
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    name = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("People and chronicles")

    def ready(self) -> None:
        from campaigns import audit, catalogues, sign_ins
        from campaigns.checks import check_rulesets
        from campaigns.webhook import outbox

        catalogues.leave_out_empty(settings.LANGUAGE_CODE)

        register(check_rulesets)
        sign_ins.connect()
        audit.connect()
        outbox.connect()
