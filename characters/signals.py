"""What others may want to hear of: sent inside the transaction of the change, to change with it or not at all."""

from django.dispatch import Signal

# A sheet was edited by hand or had its gear changed. Arguments: character_id, chronicle_id.
# `sheets.write_back` does not send it: whoever calls that knows.
sheet_changed = Signal()

# A character is somebody else's now, or nobody's. Arguments: character_id, chronicle_id.
handed_over = Signal()

# Weapons or armour of the tables were changed. Arguments: ruleset, chronicle_id (None: the common ones).
table_changed = Signal()
