"""Parts of the second storytelling edition: attacks made of facets, damage in steps, boxes that bleed.

They extend those of :mod:`rules.systems.storytelling`, and say only what is different.
"""
