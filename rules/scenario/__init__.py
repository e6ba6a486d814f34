"""Scenarios: short fights written in TOML, played by the same rules as a live one.

`docs/scenarios.md` is the guide for authors. Nothing in this package needs Django.
"""
