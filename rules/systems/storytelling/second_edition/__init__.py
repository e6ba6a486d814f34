"""Parts of the second storytelling edition: attacks made of facets, damage in steps, bleeding.

They extend those of :mod:`rules.systems.storytelling` and hold only the differences.
"""
