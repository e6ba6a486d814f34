"""The catalogues hold what the source says, are compiled, and can be filled in."""

import ast
import importlib.util
import re

import pytest
from django.conf import settings

WHOLE = ("de",)
"""The languages in which nothing may be left in English."""


def load():
    """The module script/translations.py."""
    spec = importlib.util.spec_from_file_location(
        "translations_under_test", settings.BASE_DIR / "script" / "translations.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


translations = load()
LANGUAGES = translations.languages()


@pytest.fixture(scope="module")
def found():
    return translations.texts()


def ids(catalog):
    return {(message.context, message.id) for message in translations.messages_of(catalog)}


def said_in(message):
    """What stands in a message's braces, or between its % and letter."""
    texts = message if isinstance(message, tuple | list) else (message,)
    return {place for text in texts for place in re.findall(r"%\(\w+\)|\{\w*", text)}


def test_every_name_that_gettext_is_called_by_is_looked_for():
    named = {
        name
        for path in translations.sources()
        for line in re.findall(r"^ *from django\.utils\.translation import (.+)$", path.read_text(), re.MULTILINE)
        for name in re.findall(r"\bn?p?gettext\w*(?: as (\w+))?", line)
    }
    assert named - {""} <= set(translations.KEYWORDS)


def test_every_language_that_is_offered_has_a_catalogue():
    offered = {code for code, _name in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
    assert offered == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_exactly_what_the_source_says(language, found):
    assert ids(translations.read(language)) == ids(found), "run script/translate"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_is_compiled(language):
    compiled = translations.place_of(language).with_suffix(".mo").read_bytes()
    assert compiled == translations.compiled(language), "run script/translate"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_places_of_its_text_and_no_others(language):
    for message in translations.messages_of(translations.read(language)):
        if translations.is_whole(message):
            assert said_in(message.string) == said_in(message.id), message.id


@pytest.mark.parametrize("language", WHOLE)
def test_nothing_is_left_in_english(language):
    messages = translations.messages_of(translations.read(language))
    assert [each.id for each in messages if not translations.is_whole(each)] == []


BY_NAME = {
    "campaigns/words.py",  # what the rules say, as the log keeps it
    "combat/history/tell/sentences.py",  # what points are called, which is on every sheet
}
"""The files that have a text translated which stands elsewhere."""


def translated_by_name(tree):
    """The calls of gettext, by line, that are not given the text itself: it would be missing from the catalogues."""
    imported = (each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom))
    translation = (each for each in imported if each.module == "django.utils.translation")
    known = {name.asname or name.name for each in translation for name in each.names if "gettext" in name.name}
    calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name))
    return [call.lineno for call in calls if call.func.id in known and not isinstance(call.args[0], ast.Constant)]


def test_every_text_stands_where_it_is_translated():
    code = {path.relative_to(settings.BASE_DIR).as_posix(): path for path in translations.sources()}
    trees = {name: ast.parse(path.read_text()) for name, path in code.items() if path.suffix == ".py"}
    assert {name for name, tree in trees.items() if translated_by_name(tree)} == BY_NAME


def test_a_text_that_is_translated_by_its_name_is_found():
    assert translated_by_name(ast.parse("from django.utils.translation import gettext as _\n_('one')\n_(TWO)")) == [3]


AT_ONCE = {"gettext", "ngettext", "pgettext", "said"}
"""What puts a text into the language of whoever reads now."""


def said_before_anybody_reads(tree):
    """The calls of these, by line, that are made once when a module is read, and so for no reader."""
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
    code = (path for path in translations.sources() if path.suffix == ".py")
    early = {str(path): said_before_anybody_reads(ast.parse(path.read_text())) for path in code}
    assert {path: lines for path, lines in early.items() if lines} == {}


def test_a_text_that_is_translated_too_early_is_found():
    tree = ast.parse(
        "from django.utils.translation import gettext as _now\nWORDS = {1: _now('one')}\ndef f(): _now('')"
    )
    assert said_before_anybody_reads(tree) == [2]
