"""Signals for other apps, sent inside the transaction of the change, so that receivers commit or roll back with it."""

from django.dispatch import Signal

# A sheet was edited by hand or had its gear changed. Arguments: character_id, chronicle_id, and for an edited one that
# existed, before (the sheet as it was) and by (the user).
# `sheets.write_back` doesn't send it, because its caller already knows.
sheet_changed = Signal()

# A character has a new owner, or none. Arguments: character_id, chronicle_id.
handed_over = Signal()

# Weapons or armour in the tables changed. Arguments: ruleset, chronicle_id (None: the common ones).
table_changed = Signal()
