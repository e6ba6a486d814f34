"""Forms for pages and passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns import pictures
from campaigns.forms.base import KeepsTyping, let_choose, name_field
from campaigns.forms.pictures import DrawsPicture, picture_field
from campaigns.models import TEXT_LENGTH, Membership, Page, PageKind, PassageAudience, Session
from campaigns.page_services import audiences_for, choosable, kinds_for
from campaigns.people import told_apart
from campaigns.reading import session_name

TEXT_HELP = _("Markdown: *emphasis*, **strong**, # heading, - list. [[Title]] or [[Title|words]] links to a page.")


class SessionField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic only in its types
    def label_from_instance(self, obj: Any) -> str:
        return session_name(obj)


class PageForm(KeepsTyping, forms.Form):
    """A page's title, kind and session."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    title = name_field(_("Title"))
    kind = forms.ChoiceField(label=_("Type"))
    session = SessionField(label=_("Session"), queryset=Session.objects.none(), required=False, empty_label=_("None"))

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        let_choose(self, "kind", [(str(kind), PageKind(kind).label) for kind in kinds_for(by)])
        sessions = Session.objects.filter(chronicle_id=by.chronicle_id)
        if sessions.exists():
            self.fields["session"].queryset = sessions  # type: ignore[attr-defined]  # a field with choices
        else:
            del self.fields["session"]


class PassageForm(KeepsTyping, DrawsPicture):
    """A passage. It remembers no file: after an error, the picture is chosen again."""

    fit = pictures.HANDOUT

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    text = forms.CharField(
        label=_("Text"),
        required=False,
        max_length=TEXT_LENGTH,
        help_text=TEXT_HELP,
        widget=forms.Textarea(attrs={"rows": 12}),
    )
    audience = forms.ChoiceField(label=_("Readers"), widget=forms.RadioSelect)
    readers = forms.MultipleChoiceField(label=_("Chosen readers"), required=False, widget=forms.CheckboxSelectMultiple)
    picture = picture_field(scale=1600, required=False)
    remove_picture = forms.BooleanField(label=_("Remove the picture"), required=False)
    caption = forms.CharField(
        label=_("What the picture shows"),
        help_text=_("Shown below the picture, and read out to those who can’t see it."),
        required=False,
        max_length=300,
    )

    def __init__(self, *args: Any, by: Membership, has_picture: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._let_choose_readers(by)
        if not has_picture:
            del self.fields["remove_picture"]

    def _let_choose_readers(self, by: Membership) -> None:
        members: Sequence[Membership] = list(choosable(by))
        audiences = [each for each in audiences_for(by) if members or each != PassageAudience.CHOSEN]
        let_choose(self, "audience", [(str(each), PassageAudience(each).label) for each in audiences])
        if self.initial.get("audience") not in audiences:
            self.initial["audience"] = str(audiences[0])
        told_apart(by.chronicle_id, (each.user for each in members))
        let_choose(self, "readers", [(str(each.pk), each.user.display_name) for each in members])
        if not members:
            del self.fields["readers"]

    def given(self) -> dict[str, Any]:
        """The cleaned text and readers."""
        data = self.cleaned_data
        readers = [int(each) for each in data.get("readers", ())]
        return {"text": data["text"], "audience": data["audience"], "readers": readers}


class NewPageForm(PassageForm, PageForm):
    """A new page with its first passage."""

    field_order = ("title", "kind", "session", "text", "audience", "readers", "picture", "caption")

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        PageForm.__init__(self, *args, by=by, **kwargs)
        self._let_choose_readers(by)
        del self.fields["remove_picture"]


def edit_initial(page: Page) -> dict[str, Any]:
    """A page's values for its form."""
    return {"title": page.title, "kind": page.kind, "session": page.session_id, "version": page.version}
