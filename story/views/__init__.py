"""Views of what reads everything."""
