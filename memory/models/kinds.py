from django.utils.translation import gettext_lazy as _

from memory.models.nodes import ConceptNode

# One model for each type of node, so that the admin has a section and permissions for each.


class Event(ConceptNode):
    class Meta:
        proxy = True
        verbose_name = _("event")
        verbose_name_plural = _("events")


class Fact(ConceptNode):
    class Meta:
        proxy = True
        verbose_name = _("fact")
        verbose_name_plural = _("facts")


class Thought(ConceptNode):
    class Meta:
        proxy = True
        verbose_name = _("thought")
        verbose_name_plural = _("thoughts")


class Intention(ConceptNode):
    class Meta:
        proxy = True
        verbose_name = _("promise")
        verbose_name_plural = _("promises")


class Expectation(ConceptNode):
    class Meta:
        proxy = True
        verbose_name = _("expectation")
        verbose_name_plural = _("expectations")
