"""Pages of characters and of custom weapons and armour."""
