import math
from datetime import timedelta

import pytest

from echovessel.embeddings import narrations
from memory.models import ConceptNode
from memory.recall import lines, narration, scoring
from memory.recall.candidates import BondStatistics, Candidate
from tests.support.factories import NOW, BondFactory, EntityFactory, MessageFactory
from tests.support.recalling import ASKED, hide, node, search

# Twenty words that no memory holds.
FILLER = " ".join(f"filler{chr(97 + at)}" for at in range(20))


def candidate(cosine=None, *, source_cosine=None, statistics=None, impact=0, terms=(), entity_ids=()):
    return Candidate(
        node=ConceptNode(emotional_impact=impact, terms=list(terms)),
        cosine=cosine,
        source_cosine=source_cosine,
        statistics=statistics or BondStatistics(),
        told_at=NOW,
        entity_ids=entity_ids,
        periods=(),
        cites=(),
        about_ids=(),
    )


@pytest.mark.parametrize(("words", "narrates"), [(15, False), (16, True)])
def test_a_message_of_so_many_words_narrates(words, narrates):
    bag = scoring.build_term_bag([f"word{at}" for at in range(words)])

    assert narration.is_narration(bag) is narrates


@pytest.mark.parametrize(
    ("one", "nearness"),
    [
        (candidate(), 0.0),
        (candidate(0.26), 2.0),
        (candidate(0.5, statistics=BondStatistics(mean=0.2, spread=0.1)), 3.0),
        (candidate(0.2, source_cosine=0.5, statistics=BondStatistics(mean=0.2, spread=0.1)), 2.0),
        (candidate(0.3, statistics=BondStatistics(mean=0.2, spread=0.0)), 5.0),
    ],
    ids=["no vector", "few memories", "spreads of the bond", "its source counts twice", "all alike"],
)
def test_nearness_is_measured_in_spreads(one, nearness):
    assert narration.compute_nearness(one) == pytest.approx(nearness)


def test_a_centred_vector_is_nearer_to_nothing():
    one = candidate(narration.CENTRED.usual_cosine + narration.USUAL_SPREAD)

    assert narration.compute_nearness(one, usual_cosine=narration.CENTRED.usual_cosine) == pytest.approx(1.0)


def weigh(*terms, **holding):
    statistics = BondStatistics(nodes=100, holding=holding)
    return narration.weigh_shared_terms(frozenset(terms), statistics=statistics)


def test_a_rare_term_weighs_more_than_a_common_one():
    assert weigh("violin", violin=1) > weigh("cat", cat=40) > weigh("work", work=100) > weigh()


def test_pairs_of_characters_that_overlap_count_each_character_once():
    pair = weigh("公交", 公交=1)

    assert weigh("公交", "公", "交", 公交=1, 公=1, 交=1) == pair
    assert weigh("公交", "交车", 公交=1, 交车=1) == pytest.approx(1.5 * pair)


def relevances(*found):
    return narration.compute_relevances(found, scoring.build_term_bag([]))


def at_fit(fit):
    """A candidate of this fit, without a spread of its bond."""
    return candidate(narration.PLAIN.usual_cosine + fit * narration.USUAL_SPREAD)


def test_nothing_is_relevant_if_the_best_fits_too_little():
    low, high = narration.PLAIN.min_best_fit - 0.01, narration.PLAIN.min_best_fit + 0.01

    assert max(relevances(at_fit(low), at_fit(narration.MIN_LIKENESS + 1))) < scoring.RELEVANCE_FLOOR
    assert max(relevances(at_fit(high))) > scoring.RELEVANCE_FLOOR
    assert relevances() == []


def test_memories_that_fit_nearly_as_well_count_together():
    low = at_fit(narration.PLAIN.min_best_fit - 0.2)

    assert max(relevances(low, low)) > scoring.RELEVANCE_FLOOR > max(relevances(low))
    assert max(relevances(low, at_fit(2))) < scoring.RELEVANCE_FLOOR


def test_a_centred_vector_needs_less():
    fit = (narration.CENTRED.min_best_fit + narration.PLAIN.min_best_fit) / 2
    one = candidate(narration.CENTRED.usual_cosine + fit * narration.USUAL_SPREAD)
    centred = narration.compute_relevances([one], scoring.build_term_bag([]), scale=narration.CENTRED)

    assert centred[0] > scoring.RELEVANCE_FLOOR > relevances(at_fit(fit))[0]


@pytest.mark.parametrize(("share", "relevant"), [(0.01, True), (-0.01, False)])
def test_others_need_a_share_of_the_best_ones_likeness_and_strength(share, relevant):
    fit = narration.MIN_SHARE_OF_BEST * 8 + share

    assert (relevances(at_fit(8), at_fit(fit))[1] > scoring.RELEVANCE_FLOOR) is relevant
    strong = candidate(narration.PLAIN.usual_cosine + 2 * narration.USUAL_SPREAD, impact=5)
    assert relevances(at_fit(8), strong)[1] > scoring.RELEVANCE_FLOOR


@pytest.mark.parametrize(("likeness", "relevant"), [(0.01, True), (-0.01, False)])
def test_a_strong_memory_needs_some_likeness_too(likeness, relevant):
    cosine = narration.PLAIN.usual_cosine + (narration.MIN_LIKENESS + likeness) * narration.USUAL_SPREAD

    assert (
        relevances(at_fit(narration.PLAIN.min_best_fit + 0.1), candidate(cosine, impact=10))[1]
        > scoring.RELEVANCE_FLOOR
    ) is relevant


@pytest.mark.parametrize(
    ("likeness", "impact", "relevant"), [(-1.85, 3, False), (-1.85, -4, True), (-2.95, 5, True), (-3.05, 10, False)]
)
def test_a_strong_memory_needs_less_likeness_for_the_message_to_bear_on_something(likeness, impact, relevant):
    cosine = narration.PLAIN.usual_cosine + (narration.PLAIN.min_best_fit + likeness) * narration.USUAL_SPREAD

    assert (relevances(candidate(cosine, impact=impact))[0] > scoring.RELEVANCE_FLOOR) is relevant


def test_strength_makes_no_memory_alike():
    strong, weak = relevances(at_fit(narration.PLAIN.min_best_fit + 0.1), candidate(0.4, impact=10), candidate(0.4))[1:]

    assert strong == weak > scoring.RELEVANCE_FLOOR


def test_a_name_makes_a_memory_alike():
    named, other = relevances(
        at_fit(narration.PLAIN.min_best_fit + 0.1), candidate(0.26, entity_ids=(1,)), candidate(0.26)
    )[1:]

    assert named > scoring.RELEVANCE_FLOOR > other


@pytest.mark.parametrize(("said", "held"), [("dad", "father"), ("妈", "妈")])
def test_a_relative_counts_as_a_name(said, held):
    def find(*, held, said):
        return narration.compute_relevances(
            [at_fit(narration.PLAIN.min_best_fit + 0.1), candidate(0.4, terms=[held])], scoring.build_term_bag([said])
        )[1]

    assert find(held=held, said=said) > find(held="cat", said="cat") > find(held="cat", said=said) > 0


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.mark.django_db
def test_a_name_in_passing_anchors_nothing(bond):
    ana = EntityFactory(bond=bond, canonical_name="Ana")
    far = node(bond, "Ana went to the market.", cosine=-0.3)
    near = node(bond, "Ana is getting married.", cosine=0.9)
    for one in (far, near):
        one.mentions.create(bond=bond, entity=ana)

    asked = search(bond, "How is Ana?", vector=ASKED)
    narrated = search(bond, f"Ana came by. {FILLER}", vector=ASKED)

    assert {item.node for item in asked.kept} == {far, near}
    assert [item.node for item in narrated.kept] == [near]
    assert narrated.quotes_sources
    assert not asked.quotes_sources


@pytest.mark.django_db
@pytest.mark.parametrize(("said", "counts"), [(FILLER, False), ("小猫在阳台上晒太阳" * 8, True)])
def test_what_narrations_have_in_common_brings_no_memory_nearer(bond, settings, said, counts):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "bundled", "bundled"
    mean = narrations.load_mean()
    length = math.hypot(*mean)
    common, own = [value / length for value in mean], [mean[1] / length, -mean[0] / length] + [0.0] * 382
    other = [value / math.hypot(*own) for value in own]
    for vector in (common, other):
        node(bond, "x", embedding=vector)
    asked = [(one + two) / math.sqrt(2) for one, two in zip(common, other, strict=True)]

    relevances = {item.node.pk: item.terms.relevance for item in search(bond, said, vector=asked).items}

    of_common, of_other = (relevances[pk] for pk in sorted(relevances))
    assert (of_common == pytest.approx(of_other, abs=0.01)) is counts


@pytest.mark.django_db
@pytest.mark.parametrize(("said", "quotes_sources"), [("Sum up how Ana is.", True), ("How is Ana?", False)])
def test_an_account_quotes_what_its_memories_were_told_in(bond, said, quotes_sources):
    nothing_kept = search(bond, said, vector=ASKED)
    ana = EntityFactory(bond=bond, canonical_name="Ana")
    node(bond, "Ana is getting married.", cosine=0.9).mentions.create(bond=bond, entity=ana)

    assert search(bond, said, vector=ASKED).quotes_sources is quotes_sources
    assert not nothing_kept.quotes_sources


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "told", "kept"),
    [
        ("Sum up how it went with my dad.", "My father drove off in the rain.", True),
        ("帮我把我姐的事理一理", "姐姐连夜开车来了", True),
        ("Sum up how it went with my mum.", "My father drove off in the rain.", False),
        ("My dad rang while the old kettle whistled upstairs.", "My father drove off in the rain.", False),
    ],
)
def test_an_account_of_a_relative_has_what_tells_of_them(bond, said, told, kept):
    node(bond, told, cosine=0.12)

    assert bool(search(bond, said, vector=ASKED).kept) is kept


@pytest.mark.django_db
def test_a_narration_quotes_what_its_memories_were_told_in(bond):
    def tell(content, **more):
        return MessageFactory(
            session__bond=bond, session__status="closed", content=content, token_count=len(content), **more
        )

    short, long = tell("We lost."), tell("We lost the match again today.")
    reply = tell("I am so sorry to hear that you lost it.", role="persona")
    gone = tell("We lost it and I cried all night long.", deleted_at=NOW)
    secret = tell("Off the record: we lost on purpose, all of us.", session__off_record=True)
    hidden = tell("We lost since I had not slept at all, forget that.")
    hide(bond, hidden)
    going_on = tell("We lost and are still losing, minute by minute.")
    shared = tell("Two things happened at once.")
    node(bond, "They lost.", cosine=0.9, sources=[short, long, reply, gone, secret, hidden, going_on])
    node(bond, "One thing.", cosine=0.85, sources=[shared])
    node(bond, "Another thing.", cosine=0.8, sources=[shared])
    node(bond, "The weather.", cosine=0.0, sources=[tell("It rains.")])

    def quote(**more):
        recalled = search(bond, FILLER, vector=ASKED, now=NOW + timedelta(days=1))
        found = lines.search(
            bond=bond, query=FILLER, vector=ASKED, recalled=recalled, not_session=going_on.session_id, **more
        )
        return [quoted.message for quoted in found]

    assert quote() == [long, shared]
    assert quote(besides=[long.pk]) == [short, shared]
    assert quote(most=1) == [long]


@pytest.mark.django_db
def test_a_narration_that_recalls_nothing_quotes_nothing(bond):
    message = MessageFactory(session__bond=bond, content=FILLER)
    node(bond, "The weather.", cosine=0.1, sources=[message])

    recalled = search(bond, FILLER, vector=ASKED)

    assert recalled.kept == []
    assert lines.search(bond=bond, query=FILLER, vector=ASKED, recalled=recalled) == []
