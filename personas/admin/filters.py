"""Filters that read no list of values: fixed choices, rows found by typing, days, and trash."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_date
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import (
    AutocompleteSelectFilter,
    BooleanRadioFilter,
    ChoicesRadioFilter,
    RadioFilter,
    RangeNumericFilter,
    TextFilter,
)
from unfold.widgets import INPUT_CLASSES

from personas.admin.columns import LABELS, name_choice
from personas.models import Bond
from personas.rest.views import get_user


def get_label(title: Any) -> Any:
    return LABELS.get(str(title).replace(" ", "_"), title)


class LabelledFilterMixin:
    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        section: Any = self
        name = get_label(section.field.name) if hasattr(self, "field") else section.title
        for choice in super().choices(changelist):  # type: ignore[misc]  # of the filter that it is mixed into
            for field in choice["form"].fields.values():
                field.label = capfirst(name)
            yield choice


class ChoiceFilter(LabelledFilterMixin, ChoicesRadioFilter):
    """Filters by one of a field's choices."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice in super().choices(changelist):
            field = choice["form"].fields[self.lookup_kwarg]
            field.choices = [(value, name_choice(label)) for value, label in field.choices]
            yield choice


class BooleanFilter(LabelledFilterMixin, BooleanRadioFilter):
    pass


class AutocompleteFilter(LabelledFilterMixin, AutocompleteSelectFilter):
    """Filters by a row that is found by typing. The chosen row too is shown only to those who may see it."""

    def has_output(self) -> bool:
        return bool(
            self.model_admin.admin_site._registry[self.field.remote_field.model].has_view_permission(self.request)
        )

    def value(self) -> str | None:
        """Return the chosen id, or nothing if the value is no id."""
        value = str(super().value() or "")
        return value if value.isdecimal() else None

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        related: Any = self.model_admin.admin_site._registry[self.field.remote_field.model]
        for choice in super().choices(changelist):
            field = choice["form"].fields[self.lookup_kwarg]
            field.queryset = related.get_queryset(self.request)
            field.label_from_instance = related.choice
            yield choice

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by the ids of bonds: the indexes of all their rows begin with the bond."""
        value = self.value()
        if value is None:
            return queryset.none() if super().value() else queryset
        if not self.field_path.startswith("bond__"):
            return queryset.filter(**{self.field_path: value})
        bonds = Bond.objects.filter(**{self.field_path.removeprefix("bond__"): value})
        return queryset.filter(bond__in=list(bonds.values_list("pk", flat=True)))


# Of rows that belong to a bond.
BOND_FILTERS = (("bond__user", AutocompleteFilter), ("bond__persona", AutocompleteFilter), ("bond", AutocompleteFilter))


class NumberRangeFilter(RangeNumericFilter):
    def __init__(self, field: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(field, *args, **kwargs)
        self.title = get_label(field.name)


class DateRangeForm(forms.Form):
    def __init__(self, name: str, label: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for end, told in (("from", _("from")), ("to", _("to"))):
            widget = forms.DateInput(attrs={"type": "date", "class": " ".join(INPUT_CLASSES)})
            self.fields[f"{name}_{end}"] = forms.CharField(
                label=f"{capfirst(label)}: {told}", required=False, widget=widget
            )


class DateRangeFilter(admin.FieldListFilter):
    """Filters from one day to another, in the reader's time zone."""

    template = "admin/filter_days.html"

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str
    ) -> None:
        self.names = [f"{field_path}_from", f"{field_path}_to"]
        super().__init__(field, request, params, model, model_admin, field_path)
        self.title = get_label(field.name)
        # Each value is a list; its last item counts.
        asked: Any = self.used_parameters
        given = [str(asked[name][-1]) if name in asked else "" for name in self.names]
        self.asked = dict(zip(self.names, given, strict=True))
        self.days = [parse_day(text) for text in given]
        self.used_parameters = {name: text for name, text in self.asked.items() if text}

    def expected_parameters(self) -> list[str | None]:
        return [*self.names]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        first, last = self.days
        zone = get_user(request).zone
        if first is not None:
            queryset = queryset.filter(**{f"{self.field_path}__gte": datetime.combine(first, time.min, tzinfo=zone)})
        if last is not None:
            over = datetime.combine(last + timedelta(days=1), time.min, tzinfo=zone)
            queryset = queryset.filter(**{f"{self.field_path}__lt": over})
        return queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        yield {"form": DateRangeForm(self.field_path, get_label(self.field.name), data=self.asked)}


def parse_day(text: str) -> date | None:
    """Parse a day that has a next day, or return None."""
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day is not None and day < date.max else None


class TrashFilter(LabelledFilterMixin, RadioFilter):
    """Shows forgotten rows only on request."""

    title = _("forgotten")
    parameter_name = "trash"
    all_option = None

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Any]") -> list[tuple[str, Any]]:
        return [("", _("not forgotten")), ("only", _("forgotten, in the trash"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(deleted_at__isnull=self.value() != "only")


class TagFilter(LabelledFilterMixin, TextFilter):
    title = _("tag")
    parameter_name = "tag"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        tag = (self.value() or "").strip().lower()
        if not tag:
            return queryset
        return queryset.filter(emotion_tags__contains=[tag]) | queryset.filter(relational_tags__contains=[tag])
