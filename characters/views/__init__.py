"""Pages of characters and of a chronicle's own weapons and armour."""
