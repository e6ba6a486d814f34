from django.apps import AppConfig


class CombatConfig(AppConfig):
    name = "combat"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from combat.commands import forgetting, outside
        from combat.live import hub, page_hints, receivers, showing

        forgetting.connect()
        outside.connect()
        hub.connect()
        receivers.connect()
        page_hints.connect()
        showing.connect()
