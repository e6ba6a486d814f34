"""Tags for a page's stylesheets and scripts."""

from __future__ import annotations

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.assets import bundle

register = template.Library()

LINKS = {"css": '<link rel="stylesheet" href="{}">', "js": '<script src="{}" defer></script>'}


class Bundled(Node):
    """Files as one link. Its content are their names, with spaces between."""

    def __init__(self, kind: str, nodelist: NodeList) -> None:
        self.kind, self.nodelist = kind, nodelist

    def render(self, context: Context) -> SafeString:
        """The link; nothing if there are no names."""
        names = tuple(self.nodelist.render(context).split())
        return format_html(LINKS[self.kind], bundle(self.kind, names).url) if names else SafeString("")


@register.tag
def styles(parser: Parser, _token: Token) -> Bundled:
    """One stylesheet: `{% styles %}base forms{% endstyles %}`, the names of files in `static/css` in their order."""
    return _bundled("css", parser)


@register.tag
def scripts(parser: Parser, _token: Token) -> Bundled:
    """One script, run when the page is parsed: `{% scripts %}sheet guide{% endscripts %}`, files in `static/js`."""
    return _bundled("js", parser)


def _bundled(kind: str, parser: Parser) -> Bundled:
    nodelist = parser.parse((f"end{'styles' if kind == 'css' else 'scripts'}",))
    parser.delete_first_token()
    return Bundled(kind, nodelist)
