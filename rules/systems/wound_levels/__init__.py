"""The parts of a system of injuries and wound levels, each beside the classic one of its name.

What differs from the classic family: dice may come to less than nothing, damage is reckoned and not rolled, and what
is left of it are injuries, kept one by one.
"""
