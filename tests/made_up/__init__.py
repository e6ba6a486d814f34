"""What an engineer would add to the rules, for tests of how little that takes: imported by its test alone."""
