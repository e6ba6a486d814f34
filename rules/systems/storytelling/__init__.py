"""Parts of the storytelling family: all modifiers are dice, and successes are the damage.

Each extends the classic part of the same name and holds only the differences.
"""
