"""What the columns of a fact may hold, and the constraints that hold it there; nodes of other types have them empty."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

CONTENT_MOST = 600
DETAIL_MOST = 4000
VALUE_MOST = 80


class Facet(models.TextChoices):
    ABOUT_YOU = "about_you", _("About you")
    HOW_TO_TALK = "how_to_talk", _("How to talk with you")
    ABOUT_US = "about_us", _("About the two of you")
    PERSONA_CANON = "persona_canon", _("What your companion said of themselves")


class Tier(models.TextChoices):
    STATED = "stated", _("you said it")
    EXTRACTED = "extracted", _("picked up")
    INFERRED = "inferred", _("a guess")


class Slot(models.TextChoices):
    """A question about the user that one live fact answers."""

    PREFERRED_NAME = "preferred_name", _("what you are called")
    FULL_NAME = "full_name", _("full name")
    PRONOUNS = "pronouns", _("pronouns")
    BIRTHDAY = "birthday", _("birthday")
    HOME = "home", _("home")
    WORK = "work", _("work")
    PARTNER = "partner", _("partner")
    DIET = "diet", _("diet")
    LANGUAGE = "language", _("language")


# Of whom the facts of each facet speak.
SUBJECTS = {
    Facet.ABOUT_YOU: "user",
    Facet.HOW_TO_TALK: "user",
    Facet.ABOUT_US: "shared",
    Facet.PERSONA_CANON: "persona",
}
EMPTY = {
    "facet": "",
    "tier": "",
    "slot": "",
    "value": "",
    "detail": "",
    "grave": False,
    "shared": False,
    "copy_of": None,
    "last_confirmed_at": None,
    "last_decay_at": None,
}
LIVE = Q(type="fact", state="live", deleted_at=None)
CONSTRAINTS = [
    models.CheckConstraint(
        condition=Q(type="fact", facet__in=["about_you", "how_to_talk"], subject="user")
        | Q(type="fact", facet="about_us", subject="shared")
        | Q(type="fact", facet="persona_canon", subject="persona")
        | ~Q(type="fact") & Q(**EMPTY),
        name="node_facet_of_facts",
    ),
    models.CheckConstraint(
        condition=~Q(type="fact") | Q(tier__in=["stated", "extracted", "inferred"]), name="node_fact_has_tier"
    ),
    models.CheckConstraint(
        condition=Q(slot="", value="") | ~Q(value="") & Q(slot__in=Slot.values), name="node_slot_with_value"
    ),
    models.CheckConstraint(
        condition=~Q(type="fact") | Q(LessThanOrEqual(Length("description"), CONTENT_MOST)),
        name="node_fact_content_length",
    ),
    models.CheckConstraint(condition=Q(LessThanOrEqual(Length("detail"), DETAIL_MOST)), name="node_detail_length"),
    models.UniqueConstraint(fields=["bond", "slot"], condition=LIVE & ~Q(slot=""), name="node_one_live_fact_per_slot"),
]
INDEXES = [
    models.Index(fields=["bond", "facet", "id"], condition=LIVE, name="node_live_facts"),
    models.Index(fields=["copy_of"], condition=Q(copy_of__isnull=False), name="node_copies"),
]
