"""British English is only looked up in catalogues that exist."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext, trans_real


def chain(language: str) -> list[object]:
    found, asked = [], trans_real.translation(language)
    while asked is not None:
        found.append(asked)
        asked = asked._fallback
    return found


def test_no_catalogue_without_words_is_asked() -> None:
    assert len(chain(settings.LANGUAGE_CODE)) == 1
    assert len(chain("de")) == 2, "German falls back on English"


def test_words_are_what_they_were() -> None:
    with translation.override(settings.LANGUAGE_CODE):
        assert gettext("Nothing of the kind, and never was.") == "Nothing of the kind, and never was."
        assert pgettext("abbrev. month", "April") == "April", "British English’s own catalogue stays"
        assert ngettext("a die", "dice", 2) == "dice"
    with translation.override("de"):
        assert gettext("Cancel") == "Abbrechen"
