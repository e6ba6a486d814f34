"""Counts the words to avoid (docs/language.md): python -m tests.wording [--lines] [PATHS]

Messages are the English sentences of the rules' catalogues and the msgids of the screens' catalogue. In Python,
docstrings, comments and all other strings count, since messages, help and errors are written there too. Left out are
names: strings without a space, and what is in backticks or braces.
"""

# ruff: noqa: T201 (its result is what it prints)

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Word(NamedTuple):
    """A word to avoid: texts without `needle` can't contain it, the others are searched for `pattern`."""

    needle: str
    pattern: re.Pattern[str]


def _word(needle: str, *patterns: str) -> Word:
    return Word(needle, re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE))


_BE = "(?:is|are|was|were|be|been|being)"
_AFTER_COME = (
    "from|back|out|up|down|first|last|before|after|next|true|together|with|along|across|to nothing"
    "|into (?:sight|view|force|play)"
)
_AFTER_STAND = "up|out|down|for|in for|aside|near|behind (?:cover|a|the)|in the way"
_CREATURES = "creatures?|defences?|its own|their own|(?:the|a|this|that) (?:ruleset|chronicle)"

PATTERNS = {
    "whoever": _word("ever", r"who(?:m|se?)?(?:so)?ever"),
    "whatever": _word("what", r"what(?:so)?ever"),
    "anew": _word("anew", "anew"),
    "besides": _word("besides", "besides"),
    "otherwise (adjective)": _word(
        "otherwise",
        rf"(?:{_BE}|looks?|reads?|comes? out|turns? out) otherwise(?= (?:than|by|in|at|on|there|now)\b|[.,;:!?)]|$)",
        r"(?:not|nothing|something|anything|nobody|somebody|no one) otherwise",
        "otherwise than",
    ),
    "at the most": _word("at the ", "at the (?:most|least)"),
    "stands (is)": _word(
        "st",
        rf"(?<!still )(?<!as it )(?:stands?|stood)(?! (?:{_AFTER_STAND})\b)(?!-)",
        "standing (?:in|on|at|there|here|beside|above|below)",
    ),
    "comes (arrives)": _word(
        "c",
        rf"(?<!turn )(?:comes?|came)(?! (?:{_AFTER_COME})\b)(?!-)",
        "coming (?:in|into|of|to|through|by|there|here)",
    ),
    "by (according to)": _word(
        " by",
        "(?:go|goes|went|going) by (?:its?|their|the|what|which|that|whose|an?)(?! name)",
        "(?:told|known only|counted|decided) by (?:its?|their|what|which)",
        "by (?:sense|what (?:they are|it is|is|was))",
    ),
    "of it": _word(
        "of it",
        r"(?<!\ball )(?<!most )(?<!much )(?<!some )(?<!any )(?<!half )(?<!part )(?<!rest )(?<!one )(?<!because )"
        r"(?<!instead )(?<!ahead )(?<!front )(?<!\bout )(?<!copy )(?<!copies )of it",
    ),
    "as far as": _word("far as", "(?:so|as) far as(?! possible)", "insofar as"),
    "lets go by": _word(" go", r"(?:lets?|letting) (?:\S+ ){0,3}go(?:es)? by", "goes? by without"),
    "is none": _word("none", rf"(?<!there ){_BE} (?-i:none)"),
    "nothing that": _word("nothing", "nothing (?:that|which)"),
    "what is left of": _word("left of", "what(?:[’']s| is| was) left of"),
    "so it is": _word("so it is", r"so it is(?=[.,;”\"]|$)"),
    "where that is": _word("where ", f"where (?:that|this|it|there|one) {_BE}(?![.,;:)]|$)"),
    "figure (number)": _word("figure", "figures?(?! out)"),
    "kind (type)": _word(
        "kind",
        rf"kinds? of(?! (?:{_CREATURES})\b)",
        r"(?<!character )(?<!creature )(?<!somebody )(?:of|for) (?:that|this|its|each|every|any|one|which|what|another"
        r"|all|two|several|some|the same) kinds?",
    ),
    "at once with": _word("at once with", "at once with(?!out)"),
}
OF_CREATURES = re.compile(r"\bcreatures?\b|\bTraits?\b|\bKinds?\b(?! of)")
"""Texts in which a kind is one of the game's."""
WOULD_BE = re.compile(r"\bwould be\b", re.IGNORECASE)
CONDITION = re.compile(r"\b(?:if|unless|otherwise|without|else|when|instead|were|had|even)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+")
NAMED = re.compile(r"``[^`]*``|`[^`]*`|\{[^{}]*\}")

WORDS = (*PATTERNS, "would be (without if)")
"""The words to avoid, as docs/language.md lists them."""


def avoided(text: str) -> Iterator[str]:
    """The words to avoid in a text, one for each occurrence."""
    text = " ".join(NAMED.sub("…", text).split())
    lower = text.lower()
    for word, (needle, pattern) in PATTERNS.items():
        if needle in lower and not (needle == "kind" and OF_CREATURES.search(text)):
            yield from (word for _ in pattern.finditer(text))
    if "would be" in lower:
        for sentence in SENTENCE_END.split(text):
            if WOULD_BE.search(sentence) and not CONDITION.search(sentence):
                yield WORDS[-1]


_STRING = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
_LINE = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
TOKEN = re.compile(rf"#[^\n]*|\b[bfruBFRU]{{1,2}}(?:{_STRING}|{_LINE})|{_STRING}|{_LINE}", re.DOTALL)
"""The comments and strings of Python, found without `tokenize`, which takes ten times as long."""
QUOTED = re.compile(r"\w*(\"\"\"|'''|\"|')(.*)\1", re.DOTALL)


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The comments and strings of a Python source, each with its first line.

    Strings that Python joins are one text, and so are the lines of a comment. Strings without a space are names.
    Triple-quoted strings are on their own.
    """
    started, ended, parts, is_comment = 0, 0, [], False
    for token in TOKEN.finditer(source):
        comment = token[0].startswith("#")
        gap = source[ended : token.start()]
        apart = gap.count("\n") > 1 if comment else "\n" in gap and token[0].endswith(('"""', "'''"))
        if parts and (apart or gap.strip() or comment != is_comment):
            yield from _text(source, started, parts)
            parts = []
        if not parts:
            started, is_comment = token.start(), comment
        parts.append(token[0].lstrip("#: ") + " " if comment else QUOTED.fullmatch(token[0])[2])
        ended = token.end()
    yield from _text(source, started, parts)


def _text(source: str, started: int, parts: list[str]) -> Iterator[tuple[int, str]]:
    text = "".join(parts).strip()
    if " " in text or "\n" in text:
        yield source.count("\n", 0, started) + 1, text


def python_files(paths: Iterable[Path] = (ROOT,)) -> Iterator[Path]:
    """The project's Python files below these paths, scripts without a suffix included."""
    for path in paths:
        for each in sorted(path.rglob("*")) if path.is_dir() and path != ROOT else _top(path):
            hidden = any(part.startswith(".") for part in each.relative_to(ROOT).parts)
            if each.is_file() and not hidden and "node_modules" not in each.parts and _is_python(each):
                yield each


def _top(path: Path) -> Iterator[Path]:
    """The path itself; of the project what is below its visible folders, so that environments aren't walked."""
    if path != ROOT:
        yield path
        return
    for each in sorted(path.iterdir()):
        if not each.name.startswith(".") and each.name not in ("node_modules", "var"):
            yield from sorted(each.rglob("*")) if each.is_dir() else [each]


def _is_python(path: Path) -> bool:
    if path.suffix == ".py":
        return path.name not in ("wording.py", "test_wording.py")
    return path.parent.name == "script" and path.read_bytes()[:30].startswith(b"#!/usr/bin/env python")


def in_python(paths: Iterable[Path] = (ROOT,)) -> Iterator[tuple[Path, int, str, str]]:
    """Each occurrence in Python: file, line, word, text."""
    for path in python_files(paths):
        for line, text in texts(path.read_text()):
            yield from ((path, line, word, text) for word in avoided(text))


SCREENS = ROOT / "locale/de/LC_MESSAGES/django.po"
"""Its msgids are the English of the screens."""
SENTENCES = ROOT / "rules/locale/en/LC_MESSAGES/rules.po"
"""The English sentences of the rules and of logs."""
EXAMPLES = ROOT / "examples"

ENTRY = re.compile(r'^(msgid|msgid_plural|msgstr|msgstr\[\d\]) ("(?:[^"\\\n]|\\.)*"(?:\n"(?:[^"\\\n]|\\.)*")*)', re.M)
PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def catalogues() -> dict[Path, str]:
    """The catalogues with English in them, and the field that holds it."""
    return {SCREENS: "msgid", SENTENCES: "msgstr"} | dict.fromkeys(
        sorted(EXAMPLES.glob("*/*/locale/en/LC_MESSAGES/*.po")), "msgstr"
    )


def messages(catalogue: Path, field: str) -> Iterator[tuple[int, str]]:
    """The texts of a gettext catalogue, each with its line; neither its header nor messages that are gone."""
    content = catalogue.read_text()
    header = content.find("\n\n")
    for entry in ENTRY.finditer(content, header):
        if entry[1].startswith(field):
            text = "".join(ast.literal_eval(piece) for piece in PIECE.findall(entry[2]))
            yield content.count("\n", 0, entry.start()) + 1, text


def in_messages(catalogue: Path, field: str) -> Iterator[tuple[Path, int, str, str]]:
    """Each occurrence in a catalogue's English: file, line, word, text."""
    for line, text in messages(catalogue, field):
        yield from ((catalogue, line, word, text) for word in avoided(text))


def main(arguments: list[str]) -> None:
    paths = [Path(each).resolve() for each in arguments if not each.startswith("-")] or [ROOT]
    found = list(in_python(paths))
    if paths == [ROOT]:
        found += [each for catalogue, field in catalogues().items() for each in in_messages(catalogue, field)]
    if "--lines" in arguments:
        for path, line, word, text in found:
            print(f"{path.relative_to(ROOT)}:{line}: {word}: {' '.join(text.split())[:200]}")
    for word, count in Counter(word for _path, _line, word, _text in found).most_common():
        print(f"{count:5} {word}")
    print(f"{len(found):5} in all")


if __name__ == "__main__":
    main(sys.argv[1:])
