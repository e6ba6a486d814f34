"""Forms of people and chronicles, a module for each subject."""
