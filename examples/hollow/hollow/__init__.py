"""Hollow: a small example system of dread, grit and three wounds, in a package of its own.

Nobody rolls for initiative or defence; a pool of points belongs to the fight; harm reduces grit before it wounds.
"""
