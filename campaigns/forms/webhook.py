"""The form of a chronicle's webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping
from campaigns.models import Webhook
from campaigns.webhook.addresses import BadAddress, read


class WebhookForm(KeepsTyping, forms.Form):
    """Where messages go, about what, and in which language. A saved address is never shown again."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    address = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )
    announced = forms.BooleanField(label=gettext_lazy("When a session is announced"), required=False)
    ended = forms.BooleanField(label=gettext_lazy("When a session has ended, with its recap"), required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language of the messages"), choices=settings.LANGUAGES)

    def __init__(self, data: Any, *, hook: Webhook | None, host: str, language: str) -> None:
        initial = {"version": 0, "announced": True, "ended": True, "language": language}
        if hook is not None:
            initial = {name: getattr(hook, name) for name in initial}
        super().__init__(data, initial=initial)
        self.has_one = hook is not None
        field = self.fields["address"]
        if self.has_one:
            field.help_text = _("An address at %(host)s is saved. Leave this empty to keep it.") % {"host": host}
        else:
            field.required = True
            field.error_messages["required"] = _("Enter the address.")
            field.help_text = _(
                "The service that receives the messages gives you the address. It starts with https://."
            )

    def clean_address(self) -> str:
        typed = str(self.cleaned_data["address"])
        if not typed:
            return ""
        try:
            read(typed)
        except BadAddress as bad:
            raise forms.ValidationError(str(bad)) from None
        return typed.strip()
