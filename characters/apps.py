from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Characters")

    def ready(self) -> None:
        from campaigns.glance import register_glances
        from campaigns.group_members import register_members
        from campaigns.links import register_names
        from campaigns.signals import place_taken
        from characters import leaving
        from characters.archives import offered as archives
        from characters.faces_elsewhere import links_to_faces, members_known_to
        from characters.foundry import formats as foundry
        from characters.glances import glances_at
        from characters.places import pass_on

        register_glances(glances_at)
        register_members(members_known_to)
        register_names(links_to_faces)
        place_taken.connect(pass_on, dispatch_uid="characters")
        leaving.connect()
        foundry.register()
        archives.register()
