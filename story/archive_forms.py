"""Forms of exports and imports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.archives.box import is_zip
from campaigns.models import Role, User
from story.archives.transfers import Person

PLACE = "place-"


class ArchiveForm(forms.Form):
    """An archive to upload. Browsers with JavaScript send it in parts; without, a form can have at most 16 MB."""

    file = forms.FileField(
        label=gettext_lazy("Archive"),
        help_text=gettext_lazy("A zip file that Vesper exported, of at most 100 MB."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages={
            "required": gettext_lazy("Choose a file first."),
            "empty": gettext_lazy("This file is empty. Choose another."),
        },
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if not is_zip(file.read(4)):
            raise forms.ValidationError(_("This isn’t a zip file. Choose an archive that Vesper exported."))
        file.seek(0)
        return file


class PlacesForm(forms.Form):
    """For each of an archive's people, who takes their place."""

    def __init__(self, *args: Any, people: Sequence[Person], accounts: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("Leave the place open")), *((str(each.pk), each.display_name) for each in accounts)]
        for each in people:
            role = str(Role(each.role).label) if each.role else _("former member")
            self.fields[f"{PLACE}{each.key}"] = forms.ChoiceField(
                label=f"{each.name} ({role})", choices=choices, initial=each.account, required=False
            )

    def clean(self) -> None:
        taken: dict[str, str] = {}
        for name, account in list(self.cleaned_data.items()):
            if account and account in taken.values():
                self.add_error(name, _("Nobody can take two places."))
            taken[name] = account

    @property
    def places(self) -> dict[str, str]:
        """The chosen accounts by the person's key."""
        return {name.removeprefix(PLACE): account for name, account in self.cleaned_data.items()}
