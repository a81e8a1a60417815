import pytest

from chat.benchmark import seeding
from chat.benchmark.parts import consolidation, turns
from chat.benchmark.seeding import Scale, get_bond
from chat.models import Turn
from echovessel.embeddings import embedding
from echovessel.models import LedgerEntry
from memory.models import ConceptNode, Message, Session
from personas.models import Bond
from tests.support.factories import NOW

SMALL = Scale(nodes=30, bonds=6, messages=80)


@pytest.mark.parametrize(
    ("scale", "sizes"),
    [
        (
            Scale(1_000_000, 200, 100_000),
            {
                "measured": (10_000, 20_000),
                "small": (1_000, 20_000),
                "large": (100_000, 20_000),
                "searched": (0, 100_000),
                "long": (50_000, 50_000),
            },
        ),
        (
            Scale(20, 1, 10),
            {"measured": (20, 10), "small": (20, 10), "large": (20, 10), "searched": (0, 10), "long": (20, 10)},
        ),
    ],
)
def test_some_bonds_have_sizes_of_their_own(scale, sizes):
    assert {name: size for name, size in scale.get_sizes().items() if not name.startswith("other")} == sizes


def test_the_other_bonds_share_what_is_left():
    sizes = Scale(1_000_000, 200, 100_000).get_sizes()

    assert len(sizes) == 200
    assert {size for name, size in sizes.items() if name.startswith("other")} == {(4_302, 0)}


@pytest.mark.django_db(transaction=True)
def test_bonds_are_made_once_and_can_be_searched():
    said = []
    seeding.seed(SMALL, now=NOW, say=said.append)
    seeding.seed(SMALL, now=NOW, say=said.append)

    assert Bond.objects.count() == 6
    assert said[0] == "Building bond 1 of 6: 30 memories, 80 lines"
    assert said[-1] == "The database of an earlier run is used"
    bond = get_bond("measured")
    node = ConceptNode.objects.for_bond(bond).first()
    assert ConceptNode.objects.for_bond(bond).current().count() == 30
    assert (len(node.embedding), node.embedding_model) == (embedding.DIMENSIONS, embedding.get_model_name())
    message = Message.objects.for_bond(bond).exclude(embedding=None).earliest("id")
    assert f"'{bond.pk}:" in message.search
    assert len(message.embedding) == embedding.DIMENSIONS
    assert (
        list(Session.objects.for_bond(bond).order_by("id").values_list("status", "message_count"))
        == [("closed", 40)] * 2
    )


@pytest.mark.django_db(transaction=True)
def test_what_a_run_said_is_taken_away_before_the_next():
    seeding.seed(SMALL, now=NOW, say=lambda _: None)
    bond = get_bond("measured")

    def count_rows():
        parts = (Session, Message, ConceptNode, Turn, LedgerEntry)
        return [model.objects.filter(bond_id=bond.pk).count() for model in parts]

    built = count_rows()
    turns.measure_bond(bond, runs=2)
    consolidation.measure(runs=5)
    assert all(after > before for before, after in zip(built, count_rows(), strict=True))

    seeding.seed(SMALL, now=NOW, say=lambda _: None)

    assert count_rows() == built
