from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "People and chronicles"

    def ready(self) -> None:
        from campaigns import redact

        redact.install()
