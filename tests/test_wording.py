"""Words to avoid (docs/language.md) in messages and Python: counts may only fall."""

from __future__ import annotations

import re

import pytest

from tests import wording

MESSAGES = {
    "screens": 2,
    "rules and logs": 2,
    "packages": 0,
}
PYTHON = {
    "bench": 0,
    "campaigns": 0,
    "characters": 6,
    "combat": 0,
    "config": 0,
    "examples": 0,
    "rules": 3,
    "script": 3,
    "story": 0,
    "tests": 13,
}
"""How many words to avoid each part may have: here its Python, above the messages that people read."""

LIMITS = MESSAGES | PYTHON

SLACK = 3
"""How far a count may be below its limit. Small, so that a limit follows its count down."""

ALL_MESSAGES, ALL_PYTHON = 30, 100
"""All messages together, and all Python code, stay below these."""

CATALOGUES = {"screens": [wording.SCREENS], "rules and logs": [wording.SENTENCES]}
CATALOGUES["packages"] = [each for each in wording.catalogues() if each.is_relative_to(wording.EXAMPLES)]

SAMPLES = {
    "whoever": ["Whoever is attacked answers.", "Shown to whomever they name.", "whosever turn it is"],
    "whatever": ["Whatever the rules say is written down.", "for no reason whatsoever"],
    "anew": ["The page is drawn anew."],
    "besides": ["What a page needs besides its panes."],
    "otherwise (adjective)": ["The page would look otherwise now.", "a state that is otherwise than before"],
    "at the most": ["A line has 80 letters at the most.", "Enter 2 at the least."],
    "stands (is)": ["The rule stands in the book.", "standing at its default", "What stood there is gone."],
    "comes (arrives)": [
        "The hint comes late.",
        "Storyteller lets it come.",
        "a press coming to nobody",
        "It came there.",
    ],
    "by (according to)": ["It goes by the content.", "The rest is told by its rule.", "Letters by sense."],
    "of it": ["What players know of it.", "nothing of it remains"],
    "as far as": ["The target, as far as it is known.", "so far as the reader may know"],
    "lets go by": ["The Storyteller lets it go by.", "letting the rule go by"],
    "is none": ["That weapon is none for it.", "What a thing is none of.", "There would be none, if it were none."],
    "nothing that": ["That is nothing that it takes."],
    "what is left of": ["Otherwise what is left of the pool counts.", "and what’s left of it"],
    "so it is": ["So it is", "“So it is.”"],
    "where that is": ["The database, where that is empty.", "The ceiling of mortals, where there is one."],
    "figure (number)": ["Three figures of a pool."],
    "kind (type)": ["Any kind of message.", "One socket of each kind."],
    "at once with": ["Ilya acts at once with Mara."],
    "would be (without if)": ["It stays: Ilya would be nothing any more."],
}
"""Sentences with each word."""

PLAIN = [
    "Anybody still standing stands up, stands out or stands in for the others. “standing” is the order’s rank.",
    "It comes from the log and comes back before their turn comes. A stand-in, to understand what becomes of us.",
    "Unless the caller says otherwise, it is otherwise empty. Otherwise, do nothing.",
    "There is none left. `length` is None if there are none. All of it, most of it, because of it.",
    "The kind of creature. Kinds of creature of the ruleset. Mankind.",
    "The Traits of this kind, without those of another kind.",
    "If it were empty, that would be an error. It would be one without a lock.",
    "It continues where it was.",
    "At most 10, at least 2. Sorted by name, said by the Storyteller. They figure out what is left.",
    "`figures` and {whatever} are names.",
]
"""Sentences without any, which a careless pattern finds words in."""


def found(part):
    """Each word to avoid in one part, with its place."""
    if part in MESSAGES:
        fields = wording.catalogues()
        rows = (row for catalogue in CATALOGUES[part] for row in wording.in_messages(catalogue, fields[catalogue]))
    else:
        rows = wording.in_python([wording.ROOT / part])
    return [f"{path.relative_to(wording.ROOT)}:{line}: {word}" for path, line, word, _text in rows]


@pytest.fixture(scope="module")
def counts():
    return {part: len(found(part)) for part in LIMITS}


@pytest.mark.parametrize("part", LIMITS)
def test_words_to_avoid_only_become_fewer(counts, part):
    count, limit = counts[part], LIMITS[part]
    assert count <= limit, "\n".join([f"{count} words to avoid, {limit} allowed (docs/language.md):", *found(part)])
    assert count >= limit - SLACK, f"Only {count} words to avoid are left: lower the limit of {part!r} to {count}."


def test_they_are_few(counts):
    assert sum(counts[part] for part in MESSAGES) < ALL_MESSAGES
    assert sum(counts[part] for part in PYTHON) < ALL_PYTHON


def test_every_python_file_is_counted():
    counted = {path for part in PYTHON for path in wording.python_files([wording.ROOT / part])}
    others = {path.relative_to(wording.ROOT) for path in wording.python_files() if path not in counted}
    assert {path.parts[0] for path in others} <= {"manage.py"}
    assert len(counted) > 500


@pytest.mark.parametrize("word", wording.WORDS)
def test_each_word_is_found(word):
    for sentence in SAMPLES[word]:
        assert word in list(wording.avoided(sentence)), sentence


@pytest.mark.parametrize("sentence", PLAIN)
def test_plain_sentences_have_none(sentence):
    assert list(wording.avoided(sentence)) == []


def test_the_words_are_those_of_the_page():
    page = (wording.ROOT / "docs" / "language.md").read_text()
    table = page.partition("| avoid | write |\n| --- | --- |\n")[2].partition("\n\n")[0]
    listed = [re.sub(r" \(or .*?\)", "", row.split("|")[1].strip()) for row in table.splitlines()]
    assert sorted(listed) == sorted(wording.WORDS) == sorted(SAMPLES)


def test_comments_docstrings_and_messages_are_read_as_they_are_joined():
    source = (
        '"""Whoever\nreads."""\nx = ("a " "whatever")  # what\n# ever stands\ny = f("whoever", "of", "it is")\n'
        'z = "be"\n"""none."""\n'
    )
    read = [(line, list(wording.avoided(text))) for line, text in wording.texts(source)]
    assert read == [(1, ["whoever"]), (3, ["whatever"]), (3, ["stands (is)"]), (5, [])]


def test_messages_are_read_without_the_header_and_what_is_gone(tmp_path):
    catalogue = tmp_path / "some.po"
    catalogue.write_text(
        'msgid ""\nmsgstr ""\n"Note: whoever\\n"\n\nmsgid "a "\n"{number} letters"\nmsgid_plural "b"\n'
        'msgstr[0] "c"\nmsgstr[1] "d “e”"\n\n#~ msgid "whatever"\n#~ msgstr "f"\n'
    )
    assert [text for _line, text in wording.messages(catalogue, "msgid")] == ["a {number} letters", "b"]
    assert [text for _line, text in wording.messages(catalogue, "msgstr")] == ["c", "d “e”"]
