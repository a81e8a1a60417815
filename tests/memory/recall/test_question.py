import pytest

from memory.models import ConceptNode
from memory.recall import question, scoring
from memory.recall.candidates import BondStatistics, Candidate
from memory.recall.query_intent import QueryIntent
from tests.support.factories import NOW

FLOOR, BELOW = scoring.RELEVANCE_FLOOR, scoring.RELEVANCE_FLOOR - 0.01
STATISTICS = BondStatistics(mean=0.1, spread=0.1, nodes=100, holding={"violin": 1, "work": 60})


def candidate(*terms, cosine=0.1, session=None, subject="user"):
    return Candidate(
        node=ConceptNode(terms=list(terms), session_id=session, subject=subject),
        cosine=cosine,
        source_cosine=None,
        statistics=STATISTICS,
        told_at=NOW,
        entity_ids=(),
        periods=(),
        cites=(),
        about_ids=(),
    )


def fits(*found, asked=("violin", "work"), of_user=None):
    return question.compute_fits(found, question.build_bags(found), scoring.build_term_bag(asked), of_user=of_user)


def test_a_rare_term_fits_better_than_a_common_one_and_a_near_memory_than_a_far_one():
    rare, common, none, near = fits(candidate("violin"), candidate("work"), candidate("boat"), candidate(cosine=0.3))

    assert rare > common > none == 0
    assert near > none


def test_the_best_memory_of_a_session_lends_a_share():
    alone = fits(candidate("violin", session=1), candidate("boat", session=2))
    beside = fits(candidate("violin", session=1), candidate("boat", session=1))

    assert beside[1] - alone[1] == pytest.approx(question.SESSION_SHARE * alone[0] / (1 + question.SESSION_SHARE))


@pytest.mark.parametrize(
    ("subject", "of_user", "bonus"),
    [
        ("user", True, question.SUBJECT_BONUS),
        ("user", False, -question.SUBJECT_BONUS),
        ("persona", False, question.SUBJECT_BONUS),
        ("persona", True, -question.SUBJECT_BONUS),
        ("shared", True, 0),
        ("user", None, 0),
    ],
)
def test_whose_life_is_asked_about(subject, of_user, bonus):
    assert fits(candidate(subject=subject), of_user=of_user) == [pytest.approx(bonus)]


def compare(*rows, intent=QueryIntent.OPEN):
    return question.compare_fits(
        [relevance for relevance, _ in rows], [fit for _, fit in rows], [False] * len(rows), intent=intent
    )


def test_fits_are_compared_with_the_best_one():
    assert compare((FLOOR, 4), (FLOOR, 1), (FLOOR, -1), (BELOW, 3)) == [1, 0.25, 0, 0]
    assert compare((FLOOR, 0), (FLOOR, -1)) == [0, 0]
    assert compare() == []


@pytest.mark.parametrize(("best", "is_sure"), [(question.SURE_FIT, True), (question.SURE_FIT - 0.01, False)])
def test_a_sure_fit_takes_the_place_of_the_floor(best, is_sure):
    half = best * question.MIN_SHARE_OF_BEST

    assert [fit > 0 for fit in compare((BELOW, best), (BELOW, half), (BELOW, half - 0.01))] == [is_sure, is_sure, False]


def test_advice_is_never_surely_meant():
    assert compare((BELOW, 2 * question.SURE_FIT), intent=QueryIntent.ADVICE) == [0]
