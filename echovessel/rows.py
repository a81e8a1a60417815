from django.db import models


class NamedRow(models.Model):
    """A row that is named by its kind and its number."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
