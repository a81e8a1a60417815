"""The profile form of the page: name, time zone, language. The API has `MeBody`."""

from collections.abc import Iterable
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from personas.models import User

AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")

ZoneGroup = tuple[str, list[tuple[str, str]]]


@cache
def group_zones_by_area() -> list[ZoneGroup]:
    """Group time zones by area, without outdated names and bare offsets."""
    groups: dict[str, list[tuple[str, str]]] = {area: [] for area in AREAS}
    for name in sorted(available_timezones()):
        area, *places = name.split("/")
        if area in groups and places:
            groups[area].append((name, ", ".join(places).replace("_", " ")))
    return list(groups.items())


def build_zone_choices(current: str) -> Iterable[Any]:
    yield "", _("Browser default")
    yield "UTC", "UTC"
    listed = {name for _, places in group_zones_by_area() for name, _ in places}
    if current and current != "UTC" and current not in listed:
        yield current, current
    yield from group_zones_by_area()


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # it is no generic at run time
    class Meta:
        model = User
        fields = ("display_name", "time_zone", "language")
        labels = {"display_name": _("Name"), "time_zone": _("Time zone"), "language": _("Language")}
        help_texts = {
            "display_name": _("What companions call you. Leave blank to use your username."),
            "time_zone": _("Dates and times are shown and remembered in this zone."),
            "language": _("The language of these pages. Each companion speaks its own."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["display_name"].widget.attrs["autocomplete"] = "nickname"
        self.fields["time_zone"] = forms.ChoiceField(
            label=self.fields["time_zone"].label,
            help_text=self.fields["time_zone"].help_text,
            choices=lambda: build_zone_choices(self.instance.time_zone),
            required=False,
        )
        self.fields["language"] = forms.ChoiceField(
            label=self.fields["language"].label,
            help_text=self.fields["language"].help_text,
            choices=[("", _("Browser default")), ("en", "English"), ("zh-hans", "简体中文")],
            required=False,
        )
