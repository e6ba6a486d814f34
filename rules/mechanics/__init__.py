"""The dice families: how faces are read and how likely they are."""
