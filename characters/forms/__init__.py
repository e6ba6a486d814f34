"""What is typed about characters and gear, checked and kept."""
