"""Parts of the storytelling family: pools that hold all there is, successes that are the damage.

Each stands beside the classic part of its name and says only what differs.
"""
