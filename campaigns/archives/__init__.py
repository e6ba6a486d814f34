"""The chronicle archive `vesper-chronicle-1`: one file with a whole chronicle, or with some of its characters.

`box` is the file, `rows` writes and reads the columns of models, `names` gives everything a new id, `moving` holds what
the sections share. Each app has a package `archives` with the sections of its data; `story.archives` combines them.
"""
