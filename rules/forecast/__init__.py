"""Automatic play: fights that play themselves by simple policies, and what many of them add up to.

Every move is a command that goes through :func:`rules.decide.decide`. Start reading at ``forecast.py``.
"""
