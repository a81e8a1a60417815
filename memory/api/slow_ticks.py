"""What the persona thought between talks, run by run."""

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView

from memory.models import SlowTickRun
from memory.serializers.memories import SlowTickSerializer
from personas.rest.views import BondView


class SlowTicksView(BondView, ListAPIView[SlowTickRun]):
    """The slow ticks of the last 14 days, newest first, with input, answer and what was left out."""

    serializer_class = SlowTickSerializer

    def get_queryset(self) -> QuerySet[SlowTickRun]:
        return SlowTickRun.objects.filter(bond=self.bond)
