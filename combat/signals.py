"""What encounters tell others. Sent after the commit; a receiver that fails spoils nothing."""

from django.dispatch import Signal

# The views of some audiences changed. Arguments: encounter_id, audiences.
views_changed = Signal()
