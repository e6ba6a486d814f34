"""What is no fault in the code takes one line of the log."""

import logging
import sys

from django.conf import settings

from config.log import OneLine


def test_one_line_has_no_traceback_but_the_record_keeps_it_for_others():
    try:
        raise ValueError("on purpose")
    except ValueError:
        record = logging.LogRecord("vesper", logging.ERROR, __file__, 1, "went %s", ("wrong",), sys.exc_info())
    assert OneLine(settings.LINE, style="{").format(record).endswith(" ERROR vesper: went wrong")
    assert "ValueError: on purpose" in logging.Formatter(settings.LINE, style="{").format(record)
