"""Keep the directions in which the vectors of a bond's messages lie most.

Whatever two people say to each other lies a little in the same direction, so a question is near to all of it. Recall takes the
bond's own main directions out of the likeness of question and message (`memory.recall.lines`). They are made behind the
conversation, when vectors are made.
"""

from django.db import transaction
from django.db.models import Sum

from echovessel.embeddings import embedding, vectors
from memory.models import MainDirections, Message, Session
from personas.models import Bond

# Of fewer messages, the directions are those of a few subjects.
MIN_MESSAGES = 200
# They are made of the newest messages, and anew when the bond has this share more.
MOST_MESSAGES = 2000
GROWTH = 0.25


def renew(*, bond_id: int) -> None:
    """Make the directions of a bond where it has none by this model, or has grown by a quarter.

    Raises Bond.DoesNotExist where it was erased meanwhile.
    """
    count = Session.objects.filter(bond=bond_id).aggregate(count=Sum("message_count"))["count"] or 0
    if count < MIN_MESSAGES:
        return
    model = embedding.get_model_name()
    known = MainDirections.objects.filter(bond=bond_id, embedding_model=model).values_list("message_count", flat=True)
    if any(count < (1 + GROWTH) * before for before in known):
        return
    usable = Message.objects.told().filter(bond=bond_id, embedding_model=model, embedding__isnull=False)
    newest = usable.order_by("-id").values_list("embedding", flat=True)[:MOST_MESSAGES]
    rows = [row for row in newest if row is not None]
    if len(rows) < MIN_MESSAGES:
        return
    first, second = vectors.compute_main_directions(rows, count=2)
    made = {"embedding_model": model, "first": first, "second": second, "message_count": count}
    with transaction.atomic():
        # Nothing is left of a bond that is erased meanwhile.
        Bond.objects.select_for_update(no_key=True).get(pk=bond_id)
        MainDirections.objects.update_or_create(bond_id=bond_id, defaults=made)


def renew_outdated() -> None:
    """Make the directions by this model of bonds that have those of another one."""
    other = MainDirections.objects.exclude(embedding_model=embedding.get_model_name())
    for bond_id in other.values_list("bond", flat=True):
        renew(bond_id=bond_id)
