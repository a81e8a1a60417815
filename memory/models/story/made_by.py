from django.db import models
from django.utils.translation import gettext_lazy as _


class MadeBy(models.TextChoices):
    """Who wrote a title, a recap or a version of the story."""

    MODEL = "model", _("model")
    RULES = "rules", _("rules")
    PERSON = "person", _("you")
    IMPORT = "import", _("import")
