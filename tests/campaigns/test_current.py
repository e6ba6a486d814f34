"""The current language, time zone and link prefix, as Django's own functions see them."""

import asyncio
import threading
from zoneinfo import ZoneInfo

import pytest
from asgiref.sync import sync_to_async
from django.urls import base as urls
from django.utils import timezone, translation

from campaigns import current


def test_django_keeps_what_is_current_where_it_is_replaced():
    for module, name in current.KEPT:
        assert isinstance(getattr(module, name), current.Current)
    for module in {module for module, _name in current.KEPT}:
        others = [name for name, value in vars(module).items() if type(value).__module__ == "asgiref.local"]
        assert others == []


def test_what_is_current_can_be_set_overridden_and_unset():
    with translation.override("de"):
        assert translation.get_language() == "de"
        with translation.override("en-gb"):
            assert translation.get_language() == "en-gb"
        assert translation.get_language() == "de"
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert timezone.get_current_timezone_name() == "Europe/Berlin"
    with timezone.override(None):
        assert timezone.get_current_timezone() == timezone.get_default_timezone()
    urls.set_script_prefix("/as/x/")
    assert urls.get_script_prefix() == "/as/x/"
    urls.clear_script_prefix()
    assert urls.get_script_prefix() == "/"
    value = current.Current("anything")
    assert not hasattr(value, "value")
    with pytest.raises(AttributeError):
        _ = value.value


def test_threads_and_tasks_have_their_own_and_a_called_thread_takes_it_along():
    found = {}

    async def task(language):
        with translation.override(language):
            await asyncio.sleep(0)
            found[language] = await sync_to_async(translation.get_language)()

    async def both():
        await asyncio.gather(task("de"), task("en-gb"))

    with translation.override("de"):
        apart = threading.Thread(target=lambda: found.update(apart=translation.get_language()))
        apart.start()
        apart.join()
        assert translation.get_language() == "de"
    asyncio.run(both())
    assert found == {"de": "de", "en-gb": "en-gb", "apart": "en-gb"}


def test_what_is_read_follows_every_change():
    before = current.reading()
    with translation.override("de"):
        assert current.reading().language == "de"
        urls.set_script_prefix("/as/x/")
        assert current.reading() == ("de", "/as/x/")
        urls.clear_script_prefix()
        with translation.override("en-gb"):
            assert current.reading() == ("en-gb", "/")
        assert current.reading() == ("de", "/")
        with translation.override(None):
            assert current.reading().language == translation.get_language() != "de"
    assert current.reading() == before
    assert current.reading() is current.reading()
