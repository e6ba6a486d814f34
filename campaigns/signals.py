"""Signals for other apps, sent after the commit, so that a failing receiver breaks nothing."""

from django.dispatch import Signal

# A member was removed, left, joined or changed role. Arguments: chronicle_id, user_id.
membership_changed = Signal()

# Something was put in the bin or restored. Argument: row. Sent inside the transaction.
bin_changed = Signal()

# An account's password, name or rights changed, or one of its sessions was ended. Argument: user.
account_changed = Signal()
