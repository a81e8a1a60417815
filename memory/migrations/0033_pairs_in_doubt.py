"""Open the doubts of uncertain pairs, each with the sessions in which it was asked about."""

from collections import Counter
from datetime import datetime

from django.db import migrations
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

# As the rules had them when this was written.
SEVERITY = 0.8
SESSIONS_MOST = 3
OPEN_MOST = 20
BATCH = 500


def open_doubts(apps, schema_editor):
    """Open a doubt of each pair; one asked about in three sessions, or beyond twenty of a bond, is let go."""
    Doubt = apps.get_model("memory", "Doubt")
    now = timezone.now()
    open_of = Counter(Doubt.objects.filter(state="open").values_list("bond", flat=True))
    known = set(Doubt.objects.filter(a_entity__isnull=False).values_list("a_entity", "b_entity"))
    made = []
    for pair in find_pairs(apps).iterator(chunk_size=BATCH):
        if (pair.pk, pair.merge_target_id) in known:
            continue
        is_open = len(pair.asked_in) < SESSIONS_MOST and open_of[pair.bond_id] < OPEN_MOST
        open_of[pair.bond_id] += is_open
        made.append(build_doubt(Doubt, pair, is_open=is_open, now=now))
    Doubt.objects.bulk_create(made, batch_size=BATCH)


def find_pairs(apps):
    """Find the uncertain pairs of which neither is forgotten or merged, the newest first."""
    pairs = apps.get_model("memory", "Entity").objects.filter(
        merge_status="uncertain", deleted_at=None, merged_into=None, merge_target__isnull=False
    )
    there = pairs.filter(merge_target__deleted_at=None, merge_target__merged_into=None)
    return there.only("bond", "merge_target", "asked_in", "created_at").order_by("-id")


def build_doubt(Doubt, pair, *, is_open: bool, now: datetime):
    return Doubt(
        bond_id=pair.bond_id,
        kind="ambiguous",
        a_entity_id=pair.pk,
        b_entity_id=pair.merge_target_id,
        severity=SEVERITY,
        state="open" if is_open else "let_go",
        asked_in=pair.asked_in,
        opened_by="close",
        opened_at=min(pair.created_at, now),
    )


def give_counts_back(apps, schema_editor):
    Doubt = apps.get_model("memory", "Doubt")
    of_pairs = Doubt.objects.filter(kind="ambiguous")
    asked = of_pairs.filter(a_entity=OuterRef("pk"), b_entity=OuterRef("merge_target")).order_by("-id")
    pairs = apps.get_model("memory", "Entity").objects.filter(Q(pk__in=of_pairs.values("a_entity")))
    pairs.filter(merge_target__isnull=False).annotate(asked=Subquery(asked.values("asked_in")[:1])).exclude(
        asked=None
    ).update(asked_in=F("asked"))
    of_pairs.delete()


class Migration(migrations.Migration):
    dependencies = [("memory", "0032_greetings")]

    operations = [migrations.RunPython(open_doubts, give_counts_back)]
