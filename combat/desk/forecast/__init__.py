"""The forecast of a fight, for Storytellers only: its question, the process that plays it, and its pages."""
