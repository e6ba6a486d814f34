"""Scenarios: short fights written down in TOML, played through the rules that run a live one.

`docs/scenarios.md` is the guide for those who write them. Nothing in this package needs Django.
"""
