"""Whole chronicles as files: out of one Vesper and into another."""
