import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.pages.display import second_person
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.text import lexicon, sentences, third_person
from memory.facts.drafts import CLEARABLE, OF_USER, FactDraft
from memory.models import ConceptNode
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST, VALUE_MOST

_BEGINS_WITH_WRITER = re.compile(r"(?:i|my)\b|我", re.IGNORECASE)


class FactForm(forms.Form):
    """A fact in a person's words; what it is sent without stays as the fact that it replaces has it."""

    description = forms.CharField(
        label=_("Fact"),
        help_text=_("One sentence, such as “I can’t eat nuts.”"),
        max_length=CONTENT_MOST,
        widget=forms.Textarea(attrs={"rows": 2, "class": "reading", "dir": "auto"}),
    )
    facet = forms.ChoiceField(label=_("Kind"), choices=ConceptNode.Facet.choices)
    slot = forms.ChoiceField(
        label=_("Question it answers"), required=False, choices=[("", _("none of these")), *ConceptNode.Slot.choices]
    )
    value = forms.CharField(
        label=_("Answer"),
        help_text=_("In a few words, such as “Leeds”. A new answer takes the place of the old one."),
        required=False,
        max_length=VALUE_MOST,
    )
    detail = forms.CharField(
        label=_("Details"),
        required=False,
        max_length=DETAIL_MOST,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    since = forms.DateField(
        label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        """What answers a question about the user is about the user; a question needs an answer."""
        asked = super().clean() or {}
        if asked.get("facet") in OF_USER and asked.get("slot") and not asked.get("value") and "value" in self.data:
            self.add_error("value", _("Say the answer, or choose “none of these”."))
        if asked.get("facet") not in OF_USER or not asked.get("value"):
            asked["slot"] = asked["value"] = ""
        return asked

    def draft(self) -> FactDraft:
        asked = self.cleaned_data
        emptied = frozenset(name for name in CLEARABLE if name in self.data and not asked[name])
        given = {name: asked[name] for name in asked if name != "description"}
        content = name_writer(asked["description"]) if asked["facet"] in OF_USER else asked["description"]
        return FactDraft(content=content, cleared=emptied, **given)


def name_writer(content: str) -> str:
    """Say of the user what they write of themselves, as other facts do: in a prompt "I" could be the companion."""
    if not _BEGINS_WITH_WRITER.match(content):
        return content
    between = "" if lexicon.is_chinese(content) else " "
    return between.join(third_person.turn(one) for one in sentences.split(content))


def build_form(node: ConceptNode | None = None, *, said: str = "") -> FactForm:
    """Build a form with what a fact says, or with what was said."""
    if node is None:
        return FactForm(initial={"facet": ConceptNode.Facet.ABOUT_YOU, "description": said})
    shown = {name: getattr(node, name) for name in ("facet", "slot", "value", "detail")}
    days = {"since": node.event_time_start, "until": node.event_time_end}
    return FactForm(initial={"description": name_as_writer(node)} | shown | days)


def name_as_writer(node: ConceptNode) -> str:
    """Say a fact about the user as they would write it, "I live in York.", where that is stored as the same fact again."""
    written = pronouns.turn_to_first(second_person.address_reader(node))
    written = written[:1].upper() + written[1:]
    return written if name_writer(written) == node.description else node.description
