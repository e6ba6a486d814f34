"""Counts the words to avoid (docs/language.md): python -m tests.wording [--lines] PATHS

Messages are the texts of the English catalogue and what the source hands to gettext. Python is counted in docstrings,
comments and all other strings, since messages, help and errors stand there too.
"""

# ruff: noqa: T201 (its result is what it prints)

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_WORDS = {
    "whoever": r"whoever",
    "whatever": r"whatever",
    "anew": r"anew",
    "besides": r"besides",
    "otherwise (adjective)": r"(?:is|are|was|were|be|been|not|nothing|something|no one|and) otherwise|otherwise than",
    "at the most": r"at the (?:most|least)",
    "stands (is)": r"(?:stands?|stood)(?! (?:up|out|down|for|in the way))",
    "comes (arrives)": r"(?:comes?|came)(?! (?:from|back|out|first|last|before|after|next|with|up|to nothing))",
    "by (according to)": r"(?:goes?|told|judged|known|known only|counted) by (?:its?|their|the|what|which|that)",
    "of it": r"of it",
    "as far as": r"as far as",
    "lets go by": r"(?:lets?|letting) (?:\w+ ){0,2}(?:go|goes) by|goes by without",
    "is none": r"(?<!there )(?:is|are|was|were) none",
    "nothing that": r"nothing that",
    "what is left of": r"what is left of",
    "so it is": r"so it is(?=[.,;”\"])",
    "where that is": r"where (?:that|this|it) is",
    "figure (number)": r"figures?(?! out)",
    "kind (type)": (
        r"kinds? of(?! (?:creatures?|defences?|its own|their own))"
        r"|(?:of|for) (?:that|this|its|each|every|any|one|which|what|another|all|two|several|some) kinds?"
    ),
}
PATTERNS = {word: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for word, pattern in _WORDS.items()}
WOULD_BE = re.compile(r"\bwould be\b", re.IGNORECASE)
CONDITION = re.compile(r"\b(?:if|unless|otherwise|without)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+")

WORDS = (*PATTERNS, "would be (without if)")
"""The words to avoid, as docs/language.md lists them."""


def avoided(text: str) -> Iterator[str]:
    """The words to avoid in a text, one for each occurrence."""
    text = " ".join(text.split())
    for word, pattern in PATTERNS.items():
        yield from (word for _ in pattern.finditer(text))
    for sentence in SENTENCE_END.split(text):
        if WOULD_BE.search(sentence) and not CONDITION.search(sentence):
            yield WORDS[-1]


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The comments and strings of a Python source, each with its first line; adjoining ones are one text."""
    started, ended, parts = 0, -1, []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        if token.start[0] > ended + 1 and parts:
            yield started, " ".join(parts)
            parts = []
        if not parts:
            started = token.start[0]
        parts.append(_bare(token))
        ended = token.end[0]
    if parts:
        yield started, " ".join(parts)


def _bare(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.COMMENT:
        return token.string.lstrip("#: ")
    return re.sub(r"""^\w{0,2}("{3}|'{3}|"|')|("{3}|'{3}|"|')$""", "", token.string)


def python_files(paths: Iterable[Path] = (ROOT,)) -> Iterator[Path]:
    """The project's Python files below these paths, scripts without a suffix included."""
    for path in paths:
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            hidden = any(part.startswith(".") for part in each.relative_to(ROOT).parts)
            if each.is_file() and not hidden and "node_modules" not in each.parts and _is_python(each):
                yield each


def _is_python(path: Path) -> bool:
    if path.suffix == ".py":
        return path.name != "wording.py"
    return path.parent.name == "script" and path.read_bytes()[:30].startswith(b"#!/usr/bin/env python")


def in_python(paths: Iterable[Path] = (ROOT,)) -> Iterator[tuple[Path, int, str, str]]:
    """Each occurrence in Python: file, line, word, text."""
    for path in python_files(paths):
        for line, text in texts(path.read_text()):
            yield from ((path, line, word, text) for word in avoided(text))


def main(arguments: list[str]) -> None:
    paths = [Path(each).resolve() for each in arguments if not each.startswith("-")] or [ROOT]
    found = list(in_python(paths))
    if "--lines" in arguments:
        for path, line, word, text in found:
            print(f"{path.relative_to(ROOT)}:{line}: {word}: {' '.join(text.split())[:200]}")
    for word, count in Counter(word for _path, _line, word, _text in found).most_common():
        print(f"{count:5} {word}")
    print(f"{len(found):5} in all")


if __name__ == "__main__":
    main(sys.argv[1:])
