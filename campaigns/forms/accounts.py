"""Forms for accounts."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib.auth import forms as auth_forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from campaigns.aside import aside
from campaigns.forms.base import KeepsTyping, NameField
from campaigns.models import User
from campaigns.names import check_seen, printable, skeleton
from campaigns.zones import known

USERNAME_LENGTH = 40


class SignInForm(KeepsTyping, AuthenticationForm):
    error_messages = {
        "invalid_login": _("That name and password do not belong together. Capitals count in the password."),
        "inactive": _("That name and password do not belong together. Capitals count in the password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")


class ResetForm(auth_forms.PasswordResetForm):
    """Looks for the account and sends the mail beside the answer: how long that takes would tell who has an account."""

    def save(self, *args: Any, **how: Any) -> None:
        aside(partial(super().save, *args, **how))


class SignUpForm(KeepsTyping, forms.Form):
    username = UsernameField(
        label=_("Name"),
        max_length=USERNAME_LENGTH,
        validators=[
            UnicodeUsernameValidator(message=_("Letters, digits and @ . + - _ only, without spaces.")),
            check_seen,
        ],
        help_text=_("What you sign in with, and what the table sees. Letters, digits and @ . + - _"),
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        help_text=_("Not needed. Only to set a new password when you forget yours; nobody sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        help_text=_("Eight characters or more, and nothing everybody uses."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        username = str(self.cleaned_data["username"])
        if username != printable(username):
            raise forms.ValidationError(_("Letters, digits and @ . + - _ only, without spaces."))
        if User.objects.filter(username__iexact=username).exists() or _is_lookalike(username):
            raise forms.ValidationError(_("Somebody has this name already."))
        return username

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        password = cleaned.get("password")
        if password:
            # Validators compare the password with the name: a user that was never saved carries it to them.
            user = User(username=cleaned.get("username", ""), email=cleaned.get("email", ""))
            try:
                password_validation.validate_password(password, user)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


def _is_lookalike(username: str) -> bool:
    """Whether a user name with letters of other scripts looks like somebody's: it is what tells lookalikes apart."""
    if username.isascii():
        return False
    wanted = skeleton(username)
    return any(skeleton(name) == wanted for name in User.objects.values_list("username", flat=True).iterator())


class AccountForm(KeepsTyping, forms.ModelForm[User]):
    time_zone = forms.ChoiceField(
        label=_("Times in"),
        required=False,
        choices=lambda: [
            ("", _("the zone of the browser")),
            *((name, name.replace("_", " ")) for name in sorted(known())),
        ],
        help_text=_("For every device; left open, each has its own."),
    )

    class Meta:
        model = User
        fields = ("first_name", "email", "time_zone")
        field_classes = {"first_name": NameField}
        labels = {"first_name": _("Shown as"), "email": _("E-mail")}
        help_texts = {
            "first_name": _("What the table reads instead of your sign-in name."),
            "email": _("Only to set a new password when you forget yours."),
        }

    def clean_first_name(self) -> str:
        return " ".join(str(self.cleaned_data["first_name"]).split())
