import pytest

from memory.consolidation import transcript
from memory.consolidation.events import forgotten
from memory.models import Tombstone
from tests.support.factories import NOW, BondFactory, FactFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


SMOKES = "The user smokes cigarettes behind the church."
BROTHER = "Mara's brother Jonas and his girlfriend live in Halle."


@pytest.mark.parametrize(
    ("said", "fact", "left"),
    [
        ("been smokin again. dont tell nobody", SMOKES, "…"),
        ("I smoke cigarettes behind the church. Forget I said that.", SMOKES, "…"),
        ("I smoke cigarettes. My sister Ola came to stay.", SMOKES, "My sister Ola came to stay."),
        ("My brother Jonas and his girlfriend live in Halle. I'm a vet.", BROTHER, "I'm a vet."),
        ("我弟弟小杰，他和女朋友住在武汉，我是兽医。", "林晓的弟弟小杰和他女朋友住在武汉。", "我是兽医。"),
        ("I'm a vet and my brother Jonas lives in Halle.", "Mara's brother Jonas lives in Halle.", "I'm a vet."),
    ],
)
def test_of_a_line_that_was_forgotten_only_what_is_clearly_something_else_is_read(said, fact, left):
    bond = BondFactory()
    line = MessageFactory(session=SessionFactory(bond=bond), content=said)
    gone = FactFactory(bond=bond, description=fact, deleted_at=NOW)
    told = {"lines": [line.pk], "hidden": [line.pk], "last_message_id": line.pk}
    Tombstone.objects.create(bond=bond, of="node", object_id=gone.pk, mark="x", created_at=NOW, **told)

    chunk = forgotten.leave_out(transcript.build_next_chunk([line], earlier=[]), bond=bond)

    assert [one.text for one in chunk.lines] == [left]
