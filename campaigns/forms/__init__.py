"""Forms of people and chronicles, by what they are about."""
