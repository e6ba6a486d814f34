"""Accounts: signing up, in and out, passwords, the account page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from campaigns import access, audit, leaving, pages, services, sign_ins, throttle
from campaigns.errors import InvitationDead, Refused
from campaigns.forms.accounts import AccountForm, DeleteAccountForm, ResetForm, SignInForm, SignUpForm
from campaigns.models import Invitation
from campaigns.requests import SignedInRequest
from campaigns.views.form_pages import form_page, status_of
from campaigns.views.invitations import too_many

HOUR = 3600
SIGN_UPS_AN_HOUR = 30
RESETS_AN_HOUR = 10
PASSWORDS_AN_HOUR = 10
"""How often an account that is signed in may be asked for its password."""


def sends_mail() -> bool:
    """Whether this server sends mail rather than printing it to the console."""
    return str(settings.EMAIL_BACKEND).endswith(("smtp.EmailBackend", "locmem.EmailBackend"))


class SignIn(views.LoginView):
    template_name = "campaigns/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        following = str(super().get_redirect_url())
        # Redirecting to this very page is a loop, for which Django raises.
        return "" if following == self.request.path else following

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        following = self.get_redirect_url()
        return super().get_context_data(offer=_offer(following), may_sign_up=may_sign_up(following), **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class PasswordChange(views.PasswordChangeView):
    request: SignedInRequest
    template_name = "campaigns/password_change.html"
    success_url = reverse_lazy("campaigns:account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password has been changed. Other devices have been signed out."))
        audit.note("password-changed")
        response = super().form_valid(form)
        sign_ins.end_others(user=self.request.user, here=self.request.session.session_key)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class PasswordReset(views.PasswordResetView):
    form_class = ResetForm
    template_name = "campaigns/password_reset.html"
    email_template_name = "campaigns/mail/password_reset.txt"
    subject_template_name = "campaigns/mail/password_reset_subject.txt"
    success_url = reverse_lazy("campaigns:password-reset-sent")
    extra_context = {"sends_mail": sends_mail}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and throttle.count(request, "reset", seconds=HOUR) > RESETS_AN_HOUR:
            return too_many(request, HOUR)
        return super().dispatch(request, *args, **kwargs)


class PasswordResetSent(views.PasswordResetDoneView):
    template_name = "campaigns/password_reset_sent.html"
    extra_context = {"sends_mail": sends_mail}


class PasswordResetConfirm(views.PasswordResetConfirmView):
    template_name = "campaigns/password_reset_confirm.html"
    success_url = reverse_lazy("campaigns:sign-in")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your new password is set. Sign in with it."))
        audit.note("password-reset", user=form.user.pk)
        response = super().form_valid(form)
        # If this session was signed in, it ends with the next request; it still has to carry the message.
        sign_ins.end_others(user=form.user, here=self.request.session.session_key)
        return response


@sensitive_post_parameters("password")
@never_cache
@form_page
def sign_up(request: HttpRequest) -> HttpResponse:
    following = safe_next(request)
    if request.user.is_authenticated:
        return _go_on(following)
    if not may_sign_up(following):
        return _no_sign_up(request)
    if request.method == "POST" and throttle.tries(request, "sign-up") >= SIGN_UPS_AN_HOUR:
        return too_many(request, HOUR)
    form = SignUpForm(request.POST or None)
    if form.is_valid() and _is_signed_up(request, form):
        return _go_on(following)
    context = {"form": form, "next": following, "offer": _offer(following)}
    return render(request, "campaigns/sign_up.html", context, status=status_of(form))


@login_required
@form_page
def account(request: SignedInRequest) -> HttpResponse:
    form = AccountForm(request.POST or None, instance=request.user)
    if form.is_valid():
        said = form.cleaned_data
        services.edit_account(
            user=request.user, shown_as=said["first_name"], email=said["email"], time_zone=said["time_zone"]
        )
        messages.success(request, _("Your changes have been saved."))
        return redirect("campaigns:account")
    # An invalid form has already written its input to the user object; the page's header must not show it.
    if form.errors:
        request.user.refresh_from_db()
    context = {
        "form": form,
        "cards": pages.chronicle_cards(request.user),
        "places": sign_ins.places_of(request.user, request.session.session_key),
    }
    return render(request, "campaigns/account.html", context, status=status_of(form))


@login_required
@require_POST
def end_sign_in(request: SignedInRequest) -> HttpResponse:
    """Sign out on another device, or with `others` on all of them."""
    here, reference = request.session.session_key, request.POST.get("reference", "")
    if "others" in request.POST:
        ended = sign_ins.end_others(user=request.user, here=here)
    else:
        ended = sign_ins.end(user=request.user, reference=reference)
    if ended:
        audit.note("sign-in-ended")
        messages.success(request, _("That device has been signed out."))
    else:
        messages.info(request, _("That device is already signed out."))
    return redirect("campaigns:account")


@sensitive_post_parameters("password")
@never_cache
@login_required
@form_page
def delete_account(request: SignedInRequest) -> HttpResponse:
    """What deleting one's account does, and the button. Needs the password."""
    if request.method == "POST" and guesses_too_often(request):
        return too_many(request, HOUR)
    goodbye = leaving.farewell(request.user)
    form = DeleteAccountForm(request.POST or None, user=request.user)
    if not goodbye.refused and form.is_valid():
        try:
            leaving.delete_account(request.user)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            logout(request)
            messages.success(request, _("Your account has been deleted."))
            return redirect("campaigns:home")
    context = {"form": form, "goodbye": goodbye}
    return render(request, "campaigns/account_delete.html", context, status=status_of(form))


def guesses_too_often(request: SignedInRequest) -> bool:
    """Count a try of the password of an account that is signed in; whether there were too many within an hour."""
    return throttle.count(request, "password", seconds=HOUR, who=request.user.pk) > PASSWORDS_AN_HOUR


def safe_next(request: HttpRequest) -> str:
    """The redirect target if it is on this site, else ""."""
    address = request.POST.get("next", request.GET.get("next", ""))
    ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if ours else ""


def may_sign_up(following: str) -> bool:
    """Whether sign-up is allowed: always, only with an open invitation, or never, according to the settings."""
    mode = settings.VESPER_SIGN_UP
    if mode == "invitation":
        return invitation_behind(following) is not None
    return bool(mode == "open")


def invitation_behind(address: str) -> Invitation | None:
    """The open invitation that an address leads to, if any."""
    try:
        match = resolve(urlsplit(address).path)
        if match.view_name != "campaigns:join":
            return None
        return access.living_invitation(token=match.kwargs["token"], now=timezone.now())
    except (Resolver404, InvitationDead, ValueError):
        return None


def _offer(following: str) -> Any:
    invitation = invitation_behind(following)
    return pages.offer(invitation) if invitation else None


def _no_sign_up(request: HttpRequest) -> HttpResponse:
    context = {"mode": settings.VESPER_SIGN_UP}
    return render(request, "campaigns/sign_up_closed.html", context, status=403 if request.method == "POST" else 200)


def _is_signed_up(request: HttpRequest, form: SignUpForm) -> bool:
    """Create the account and sign in. Returns whether it worked; if not, the form has the error."""
    throttle.count(request, "sign-up", seconds=HOUR)
    try:
        user = services.sign_up(**form.cleaned_data)
    except Refused as refusal:
        form.add_error("username", str(refusal))
        return False
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return True


def _go_on(following: str) -> HttpResponse:
    # Not `redirect`, which takes an address like "foo" for a route name.
    return HttpResponseRedirect(following or reverse("campaigns:home"))
