import pytest

from memory.consolidation import transcript
from memory.consolidation.events import forgotten
from memory.models import Tombstone
from tests.support.factories import NOW, BondFactory, FactFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("been smokin again. dont tell nobody", "…"),
        ("I smoke cigarettes behind the church. Forget I said that.", "…"),
        ("I smoke cigarettes. My sister Ola came to stay.", "My sister Ola came to stay."),
    ],
)
def test_of_a_line_that_was_forgotten_only_what_is_clearly_something_else_is_read(said, left):
    bond = BondFactory()
    line = MessageFactory(session=SessionFactory(bond=bond), content=said)
    gone = FactFactory(bond=bond, description="The user smokes cigarettes behind the church.", deleted_at=NOW)
    told = {"lines": [line.pk], "hidden": [line.pk], "last_message_id": line.pk}
    Tombstone.objects.create(bond=bond, of="node", object_id=gone.pk, mark="x", created_at=NOW, **told)

    chunk = forgotten.leave_out(transcript.build_next_chunk([line], earlier=[]), bond=bond)

    assert [one.text for one in chunk.lines] == [left]
