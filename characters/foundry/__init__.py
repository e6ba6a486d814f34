"""Characters from and to Foundry VTT: actors as JSON, read and written by the ruleset's declared counterpart.

Nothing in a file is trusted: values are checked like typed ones, and what isn't understood becomes text of the notes.
"""
