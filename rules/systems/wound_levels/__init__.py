"""The parts of Wound Levels, each extending the classic one of the same name.

Unlike the classic family, results may be negative, damage is calculated instead of rolled, and its result is a
separate injury.
"""
