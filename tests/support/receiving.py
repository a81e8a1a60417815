from datetime import timedelta

from chat.models import Turn
from chat.turns import claiming, receiving
from chat.turns.endings import Ending
from echovessel.models import BondEvent
from memory.models import Message
from tests.support.factories import NOW

SECOND = timedelta(seconds=1)
DONE = Ending(status="done", text="I see.")


def receive(bond, content="Hello.", *, now=NOW, channel="web", **options):
    return receiving.receive(bond=bond, content=content, channel=channel, now=now, **options)


def claim(bond, *, now=NOW + timedelta(minutes=1)):
    return claiming.claim(bond_id=bond.pk, now=now)


def states(bond):
    return [(turn.pk, turn.status) for turn in Turn.objects.for_bond(bond).order_by("created_at")]


def lines_of(turn_id):
    return list(Message.objects.filter(turn_id=turn_id).order_by("id").values_list("content", flat=True))


def logged(bond):
    return [(event.type, event.refs) for event in BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")]
