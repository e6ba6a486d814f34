"""The message catalogues match the source, are compiled, and are complete."""

import ast
import importlib.util
import re
import sys

import pytest
from django.conf import settings
from django.utils.translation import override

from campaigns.words import said
from combat.log import codec
from rules.engine.catalogues import ENGLISH, former_ids

WHOLE = ("de",)
"""Languages that must be complete."""


def load():
    """The module script/translations.py."""
    spec = importlib.util.spec_from_file_location(
        "translations_under_test", settings.BASE_DIR / "script" / "translations.py"
    )
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # dataclasses look up their own module
    spec.loader.exec_module(module)
    return module


translations = load()
SCREENS, RULES = translations.SCREENS, translations.RULES
LANGUAGES = SCREENS.languages()
FORMER = former_ids()


def catalogues():
    """Each set of texts with each of its languages."""
    return [
        pytest.param(texts, language, id=texts.place(language).relative_to(settings.BASE_DIR).as_posix())
        for texts in translations.ALL
        for language in texts.languages()
    ]


every_catalogue = pytest.mark.parametrize(("texts", "language"), catalogues())


def ids(catalog):
    return {(message.context, message.id) for message in translations.messages_of(catalog)}


def said_in(message):
    """A message's placeholders, in braces or as % and a letter."""
    texts = message if isinstance(message, tuple | list) else (message,)
    return {place for text in texts for place in re.findall(r"%\(\w+\)|\{\w*", text)}


def test_every_name_that_gettext_is_called_by_is_looked_for():
    named = {
        name
        for path in SCREENS.sources()
        for line in re.findall(r"^ *from django\.utils\.translation import (.+)$", path.read_text(), re.MULTILINE)
        for name in re.findall(r"\bn?p?gettext\w*(?: as (\w+))?", line)
    }
    assert named - {""} <= set(translations.KEYWORDS)


def test_every_language_that_is_offered_has_its_catalogues():
    offered = {code for code, _name in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
    assert offered == set(LANGUAGES)
    assert {*offered, ENGLISH} == set(RULES.languages())


@every_catalogue
def test_the_catalogue_holds_what_the_source_says(texts, language):
    catalogue, found = texts.read(language), texts.found()
    kept = {(None, each.id) for each in catalogue if translations.FOR_OLD_LOGS in each.user_comments}
    assert ids(catalogue) - kept == ids(found), "run script/translate"
    assert not kept or texts.by_id


@every_catalogue
def test_the_catalogue_is_compiled(texts, language):
    assert texts.place(language).with_suffix(".mo").read_bytes() == texts.compiled(language), "run script/translate"


@every_catalogue
def test_a_translation_has_the_placeholders_of_its_text_and_no_others(texts, language):
    english = texts.read(ENGLISH) if texts.by_id else None
    for message in translations.messages_of(texts.read(language)):
        if translations.is_whole(message):
            text = english.get(message.id).string if english else message.id
            assert said_in(message.string) == said_in(text), message.id


@every_catalogue
def test_nothing_is_left_untranslated(texts, language):
    if language in (*WHOLE, ENGLISH):
        messages = translations.messages_of(texts.read(language))
        assert [each.id for each in messages if not translations.is_whole(each)] == []


def test_a_phrase_is_given_the_values_that_its_message_names():
    english = RULES.read(ENGLISH)
    for path in RULES.sources():
        for call in (each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call)):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            given = {each.arg for each in call.keywords}
            if name not in ("phrase", "phrases") or None in given or not (given or name == "phrases"):
                continue  # without values the placeholders remain, as in events' `says`
            places = {each[1:] for each in said_in(english.get(call.args[0].value).string)}
            assert places <= given | ({"count"} if name == "phrases" else set()), (path, call.lineno)


def test_what_logs_kept_before_there_were_ids_still_has_a_message():
    english = RULES.read(ENGLISH)
    for text, key in FORMER.items():
        message = english.get(key) or translations.PACKAGES[0].read(ENGLISH).get(key)
        assert message, key
        assert said_in(message.string) <= said_in(text) | {"{count"}, key


def test_an_old_log_reads_in_both_languages():
    kept = {"says": "{weapon} is not jammed.", "with": {"weapon": "Pistol"}}
    aimed = {"says": "Aimed for {count} round", "plural": "Aimed for {count} rounds", "number": 2, "with": {"count": 2}}
    events = [{"is": "RulesWaived", "flags": [{"rule": "", "text": each}], "why": ""} for each in (kept, aimed)]
    first, second = (event.flags[0].text for event in codec.load_events(events))
    assert (first, second) == ("Pistol isn’t jammed.", "Aimed for 2 rounds")
    with override("de"):
        assert (said(first), said(second)) == ("Pistol hat keine Ladehemmung.", "2 Runden gezielt")


def translated_by_name(tree):
    """Calls of gettext, by line, whose argument is not a literal: the catalogues would lack it if it weren't one."""
    imported = (each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom))
    translation = (each for each in imported if each.module == "django.utils.translation")
    known = {name.asname or name.name for each in translation for name in each.names if "gettext" in name.name}
    calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name))
    return [call.lineno for call in calls if call.func.id in known and not isinstance(call.args[0], ast.Constant)]


def test_every_text_stands_where_it_is_translated():
    code = {path.relative_to(settings.BASE_DIR).as_posix(): path for path in SCREENS.sources()}
    trees = {name: ast.parse(path.read_text()) for name, path in code.items() if path.suffix == ".py"}
    assert {name for name, tree in trees.items() if translated_by_name(tree)} == set()


def test_a_text_that_is_translated_by_its_name_is_found():
    assert translated_by_name(ast.parse("from django.utils.translation import gettext as _\n_('one')\n_(TWO)")) == [3]


AT_ONCE = {"gettext", "ngettext", "pgettext", "said"}
"""Functions that translate into the current reader's language."""


def said_before_anybody_reads(tree):
    """Calls of these, by line, that run at import time, and so before there is a reader."""
    imported = (each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom))
    eager = {name.asname or name.name for each in imported for name in each.names if name.name in AT_ONCE}

    def calls(node):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in eager:
                yield part.lineno
            yield from calls(part)

    return list(calls(tree))


def test_no_text_is_translated_before_there_is_a_reader():
    code = (path for path in SCREENS.sources() if path.suffix == ".py")
    early = {str(path): said_before_anybody_reads(ast.parse(path.read_text())) for path in code}
    assert {path: lines for path, lines in early.items() if lines} == {}


def test_a_text_that_is_translated_too_early_is_found():
    tree = ast.parse(
        "from django.utils.translation import gettext as _now\nWORDS = {1: _now('one')}\ndef f(): _now('')"
    )
    assert said_before_anybody_reads(tree) == [2]
