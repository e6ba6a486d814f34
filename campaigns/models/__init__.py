"""People, chronicles, sessions, pages and webhooks."""

from campaigns.models.calendars import CalendarFeed
from campaigns.models.chronicles import (
    NAME_LENGTH,
    TEXT_LENGTH,
    Chronicle,
    InBin,
    Invitation,
    Membership,
    MembershipQuerySet,
    OutOfBin,
    Role,
    SignIn,
    User,
    VesperUserManager,
)
from campaigns.models.pages import Link, Page, PageKind, Passage, PassageAudience, Picture, Readership, Reveal
from campaigns.models.sessions import Answer, Attendance, Preparation, Progress, Session
from campaigns.models.webhooks import Delivery, DeliveryState, Event, Failure, Webhook

__all__ = [
    "NAME_LENGTH",
    "TEXT_LENGTH",
    "Answer",
    "Attendance",
    "CalendarFeed",
    "Chronicle",
    "Delivery",
    "DeliveryState",
    "Event",
    "Failure",
    "InBin",
    "Invitation",
    "Link",
    "Membership",
    "MembershipQuerySet",
    "OutOfBin",
    "Page",
    "PageKind",
    "Passage",
    "PassageAudience",
    "Picture",
    "Preparation",
    "Progress",
    "Readership",
    "Reveal",
    "Role",
    "Session",
    "SignIn",
    "User",
    "VesperUserManager",
    "Webhook",
]
