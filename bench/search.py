"""Searching passages: `contains` on a folded column, SQLite's FTS5, PostgreSQL's tsvector.

    python -m bench.search                      # SQLite, in memory-backed temporary files
    python -m bench.search postgresql://...     # PostgreSQL too, in a temporary table of that database

Prints the median of the milliseconds for the first 60 matches among 10,000 passages of about 1,000 characters, of which
a reader may read two thirds. See docs/decisions/0024-search-reads-folded-columns.md.
"""

# ruff: noqa: E501, S311, S608, T201, TID251 (prints its results; the same texts each time, and no input in the SQL)

from __future__ import annotations

import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PASSAGES, WORDS_EACH, TIMES = 10_000, 150, 15
MOST = 60
SYLLABLES = (
    "ka",
    "ri",
    "mo",
    "sta",
    "len",
    "dor",
    "va",
    "el",
    "ni",
    "ur",
    "tan",
    "gra",
    "bel",
    "mir",
    "äs",
    "öl",
    "ül",
    "wen",
)
SEARCHES = {
    "common word": "the",
    "rare word": "nachtmahr",
    "part of a word": "chtmah",
    "two words": "the nachtmahr",
    "nothing": "xyzzyq",
}


def passages() -> list[tuple[int, str, int]]:
    """Rows of a number, a folded text, and whether the reader may read it."""
    chance = random.Random(19)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _word in range(8000)]
    rows = []
    for number in range(PASSAGES):
        text = [*chance.choices(words, k=WORDS_EACH), "the"]
        if number % 500 == 0:
            text.insert(WORDS_EACH // 2, "nachtmahr")
        rows.append((number, " ".join(text), number % 3 and 1))
    return rows


def timed(search: Callable[[Sequence[str]], Any]) -> dict[str, float]:
    """The median milliseconds of each search."""
    found = {}
    for name, wanted in SEARCHES.items():
        took = []
        for _time in range(TIMES):
            begun = time.perf_counter()
            search(wanted.split())
            took.append(1000 * (time.perf_counter() - begun))
        found[name] = statistics.median(took)
    return found


def sqlite(rows: list[tuple[int, str, int]]) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(Path(folder) / "bench.sqlite3")
        base.execute("create table passage (id integer primary key, folded text, readable int)")
        base.executemany("insert into passage values (?, ?, ?)", rows)
        base.execute("create virtual table words using fts5 (folded, content='passage', content_rowid='id')")
        base.execute(
            "create virtual table parts using fts5 (folded, content='passage', content_rowid='id', tokenize='trigram')"
        )
        for index in ("words", "parts"):
            base.execute(f"insert into {index} ({index}) values ('rebuild')")
        base.commit()

        def like(words: Sequence[str]) -> Any:
            asked = " and ".join("folded like ? escape '\\'" for _word in words)
            sql = f"select id, folded from passage where readable = 1 and {asked} order by id limit {MOST}"
            return base.execute(sql, [f"%{word}%" for word in words]).fetchall()

        def instr(words: Sequence[str]) -> Any:
            asked = " and ".join("instr(folded, ?) > 0" for _word in words)
            sql = f"select id, folded from passage where readable = 1 and {asked} order by id limit {MOST}"
            return base.execute(sql, words).fetchall()

        def fts(index: str, star: str) -> Callable[[Sequence[str]], Any]:
            sql = f"select id, passage.folded from passage where readable = 1 and id in (select rowid from {index} where {index} match ?) order by id limit {MOST}"
            return lambda words: base.execute(sql, [" ".join(f'"{word}"{star}' for word in words)]).fetchall()

        return {
            "SQLite, LIKE": timed(like),
            "SQLite, instr": timed(instr),
            "SQLite, FTS5 by words": timed(fts("words", "*")),
            "SQLite, FTS5 by trigrams": timed(fts("parts", "")),
        }


def postgresql(url: str, rows: list[tuple[int, str, int]]) -> dict[str, dict[str, float]]:
    import psycopg

    with psycopg.connect(url) as base:
        base.execute("create temporary table passage (id int primary key, folded text, readable int, words tsvector)")
        with base.cursor() as cursor:
            cursor.executemany("insert into passage (id, folded, readable) values (%s, %s, %s)", rows)
        base.execute("update passage set words = to_tsvector('simple', folded)")
        base.execute("create index on passage using gin (words)")
        base.execute("analyze passage")

        def like(words: Sequence[str]) -> Any:
            asked = " and ".join("folded like %s" for _word in words)
            sql = f"select id, folded from passage where readable = 1 and {asked} order by id limit {MOST}"
            return base.execute(sql, [f"%{word}%" for word in words]).fetchall()

        def strpos(words: Sequence[str]) -> Any:
            asked = " and ".join("strpos(folded, %s) > 0" for _word in words)
            sql = f"select id, folded from passage where readable = 1 and {asked} order by id limit {MOST}"
            return base.execute(sql, words).fetchall()

        def vector(words: Sequence[str]) -> Any:
            sql = f"select id, folded from passage where readable = 1 and words @@ to_tsquery('simple', %s) order by id limit {MOST}"
            return base.execute(sql, [" & ".join(f"{word}:*" for word in words)]).fetchall()

        found = {
            "PostgreSQL, LIKE": timed(like),
            "PostgreSQL, strpos": timed(strpos),
            "PostgreSQL, tsvector": timed(vector),
        }
        base.rollback()
        return found


def main() -> None:
    rows = passages()
    found = sqlite(rows) | (postgresql(sys.argv[1], rows) if len(sys.argv) > 1 else {})
    print(f"{'':28}" + "".join(f"{name:>16}" for name in SEARCHES))
    for way, took in found.items():
        print(f"{way:28}" + "".join(f"{took[name]:>13.1f} ms" for name in SEARCHES))


if __name__ == "__main__":
    main()
