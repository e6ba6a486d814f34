"""What others may want to hear of. Sent after the commit; a receiver that fails spoils nothing."""

from django.dispatch import Signal

# A member was removed, left, joined or changed role. Arguments: chronicle_id, user_id.
membership_changed = Signal()

# An account's password, name or rights changed, or one of its sessions was ended. Argument: user.
account_changed = Signal()
