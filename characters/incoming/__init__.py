"""Characters from files: the formats, what a file brings, and its way onto a sheet."""
