"""Forms of characters and gear."""
