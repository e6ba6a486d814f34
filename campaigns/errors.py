"""What a service refuses, each named by what the caller must do about it."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied


class Refused(Exception):
    """The chronicle's own order forbids it. The message is a sentence for whoever asked: show it."""


class EditConflict(Exception):
    """Somebody saved another edit meanwhile. Show theirs beside what was typed, and ask again."""


class RulesetMissing(PermissionDenied):
    """A chronicle's ruleset is not installed, or was rejected: it can only be read. The message says so."""


class InvitationDead(Exception):
    """Unknown, expired, revoked or used up, or not for this person: which of them is nobody's business. Answer 404."""
