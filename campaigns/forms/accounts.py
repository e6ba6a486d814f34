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
        "invalid_login": _("Wrong name or password. The password is case-sensitive."),
        "inactive": _("Wrong name or password. The password is case-sensitive."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")


class ResetForm(auth_forms.PasswordResetForm):
    """Looks up the account and sends the mail in the background, so that timing doesn't reveal who has an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")

    def save(self, *args: Any, **how: Any) -> None:
        aside(partial(super().save, *args, **how))


class SignUpForm(KeepsTyping, forms.Form):
    username = UsernameField(
        label=_("Name"),
        max_length=USERNAME_LENGTH,
        validators=[
            UnicodeUsernameValidator(message=_("Use only letters, digits and @ . + - _, without spaces.")),
            check_seen,
        ],
        help_text=_("You sign in with it, and your table sees it. Letters, digits and @ . + - _"),
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        help_text=_("Optional. Only used to reset a forgotten password. Nobody else at the table sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        help_text=_("At least 8 characters, and not a common password."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        username = str(self.cleaned_data["username"])
        if username != printable(username):
            raise forms.ValidationError(_("Use only letters, digits and @ . + - _, without spaces."))
        if User.objects.filter(username__iexact=username).exists() or _is_lookalike(username):
            raise forms.ValidationError(_("This name is already taken."))
        return username

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        password = cleaned.get("password")
        if password:
            # The validators compare the password with the user's name, so they get an unsaved user.
            user = User(username=cleaned.get("username", ""), email=cleaned.get("email", ""))
            try:
                password_validation.validate_password(password, user)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


def _is_lookalike(username: str) -> bool:
    """Whether a non-ASCII user name looks like an existing one. User names distinguish people with the same name."""
    if username.isascii():
        return False
    wanted = skeleton(username)
    return any(skeleton(name) == wanted for name in User.objects.values_list("username", flat=True).iterator())


class AccountForm(KeepsTyping, forms.ModelForm[User]):
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=lambda: [
            ("", _("Each device’s time zone")),
            *((name, name.replace("_", " ")) for name in sorted(known())),
        ],
        help_text=_("Applies on all your devices."),
    )

    class Meta:
        model = User
        fields = ("first_name", "email", "time_zone")
        field_classes = {"first_name": NameField}
        labels = {"first_name": _("Display name"), "email": _("E-mail")}
        help_texts = {
            "first_name": _("Shown to your table instead of your sign-in name."),
            "email": _("Only used to reset a forgotten password."),
        }

    def clean_first_name(self) -> str:
        return " ".join(str(self.cleaned_data["first_name"]).split())


class PasswordForm(KeepsTyping, forms.Form):
    """Asks for the account's password again, so that an open session on a lost phone isn't enough."""

    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError(_("Wrong password. The password is case-sensitive."))
        return password


class DeleteAccountForm(PasswordForm):
    sure = forms.BooleanField(label=_("Delete my account for good"))
    field_order = ("password", "sure")
