"""Errors that services raise, one for each way a caller must handle them."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied


class Refused(Exception):
    """A rule of the chronicle forbids it. The message is a sentence to show to the user."""


class EditConflict(Exception):
    """Optimistic concurrency failed: somebody else saved first. Show their version and ask again."""


class RulesetMissing(PermissionDenied):
    """A chronicle is read-only because its ruleset isn't installed or was rejected. The message says which."""


class InvitationDead(Exception):
    """An unknown, expired, revoked or used invitation, or one for a banned user. Answer 404 for all of them alike."""
