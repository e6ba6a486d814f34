"""What the tests of what reads everything have at hand."""

from tests.campaigns.conftest import client_of

__all__ = ["client_of"]
