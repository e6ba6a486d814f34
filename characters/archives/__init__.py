"""The cast in an archive: tables, characters with gear and portraits, templates, faces, ties, experience, histories.

Each module is a section (`campaigns.archives.moving.Section`), apart from `values`, which checks what is on a sheet,
`order`, and `single`, the file with characters alone.
"""
