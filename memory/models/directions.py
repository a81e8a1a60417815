from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from memory.models.messages import VECTOR_DIMENSIONS
from personas.models import Bond


class MainDirections(models.Model):
    """The two directions in which the vectors of a bond's messages lie most, by one embedding model: unit vectors, at right angles."""

    bond = models.OneToOneField(Bond, on_delete=models.CASCADE, primary_key=True, related_name="main_directions")
    embedding_model = models.CharField(max_length=200)
    first = HalfVectorField(dimensions=VECTOR_DIMENSIONS)
    second = HalfVectorField(dimensions=VECTOR_DIMENSIONS)
    # How many messages the bond had.
    message_count = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("main directions")
        verbose_name_plural = _("main directions")

    def __str__(self) -> str:
        return f"main directions of bond {self.pk}"
