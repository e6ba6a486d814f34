"""Forms of sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping, NameField
from campaigns.forms.chronicles import long_text
from campaigns.models import NAME_LENGTH, Answer, Session


def _line(label: Any, **more: Any) -> NameField:
    return NameField(label=label, max_length=NAME_LENGTH, required=False, **more)


class SessionForm(KeepsTyping, forms.ModelForm[Session]):
    """What is announced. Times are in the reader's zone, which the form names."""

    title = _line(gettext_lazy("Title"), help_text=gettext_lazy("The session gets its number by itself."))
    starts = forms.DateTimeField(
        label=gettext_lazy("Date and time"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )
    place = _line(gettext_lazy("Place"))

    class Meta:
        model = Session
        fields = ("title", "starts", "place")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["starts"].help_text = _("Time zone: %(zone)s") % {"zone": timezone.get_current_timezone_name()}


class SessionEditForm(SessionForm):
    version = forms.IntegerField(widget=forms.HiddenInput)
    story_begins = forms.DateField(
        label=gettext_lazy("The story begins on"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    story_ends = forms.DateField(
        label=gettext_lazy("The story ends on"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    class Meta:
        model = Session
        fields = ("title", "starts", "place", "story_begins", "story_ends")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("story_begins"), cleaned.get("story_ends")
        if begins and ends and ends < begins:
            self.add_error("story_ends", _("This is before the story begins."))
        return cleaned


class AnswerForm(forms.Form):
    """A press of one of the three answers, with a word."""

    answer = forms.ChoiceField(choices=Answer.choices)
    word = _line(gettext_lazy("A word to the others"))


class ItemForm(forms.Form):
    """A new item of the preparation."""

    text = forms.CharField(label=gettext_lazy("New item"), max_length=300, required=False)
    page = forms.ChoiceField(label=gettext_lazy("Page"), required=False)
    fight = forms.ChoiceField(label=gettext_lazy("Draft"), required=False)

    def __init__(
        self, *args: Any, pages: Iterable[tuple[str, str]], fights: Iterable[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("page", pages), ("fight", fights)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("none")), *choices]

    def clean(self) -> dict[str, Any]:
        """A page or a draft without a text is called by its name."""
        cleaned = super().clean() or self.cleaned_data
        for name in ("page", "fight"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            if not cleaned.get("text") and cleaned.get(name):
                cleaned["text"] = str(dict(field.choices)[cleaned[name]])[:300]  # type: ignore[arg-type]
        if not cleaned.get("text"):
            self.add_error("text", _("Enter a text, or choose a page or a draft."))
        return cleaned


class EndForm(KeepsTyping, forms.Form):
    """The end of a session: attendance and recap."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    came = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who was there"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    recap = long_text(gettext_lazy("Recap"), rows=16)

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["came"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = list(people)
