"""All data that Vesper keeps about an account."""
