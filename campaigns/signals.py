"""Signals for other apps, sent after the commit, so that a failing receiver breaks nothing."""

from django.dispatch import Signal

# A member was removed, left, joined or changed role. Arguments: chronicle_id, user_id.
membership_changed = Signal()

# Something was put in the bin or restored. Argument: row. Sent inside the transaction.
bin_changed = Signal()

# An account's password, name or rights changed, or one of its sessions was ended. Argument: user.
account_changed = Signal()

# A session was announced, or has ended: not sent again when its recap is edited later. Argument: session. Sent inside
# the transaction, so that a receiver's own row is written with it or not at all.
session_announced = Signal()
session_ended = Signal()

# An account is being deleted. Argument: user. Sent inside the transaction, after its chronicles and logs were locked; a
# receiver that raises keeps the account.
account_leaving = Signal()

# A member opened a chronicle's page themselves: it wasn't fetched by a live page, by htmx or ahead of time. Argument:
# membership. Sent before the page is built.
chronicle_opened = Signal()

# A passage was shown. Argument: users, the ids of those who were chosen.
passage_shown = Signal()

# Somebody took an open place: what its account owned and wrote passes to theirs. Arguments: before (that account),
# place and member (memberships; the same one, unless the place goes to somebody who was a member already). Sent inside
# the transaction.
place_taken = Signal()
