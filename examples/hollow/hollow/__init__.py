"""Hollow: a small system of dread, grit and three wounds, as a ruleset from outside.

Nobody rolls initiative or a defence; a pool of points belongs to the fight; harm wears grit down before it wounds.
"""
