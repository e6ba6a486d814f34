"""From what people fill in to commands, one form a command."""
