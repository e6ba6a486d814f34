"""Forms that turn input into commands, one form per command."""
