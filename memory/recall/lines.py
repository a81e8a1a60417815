"""Find messages of earlier sessions to quote, by terms and by meaning.

One statement finds messages that share terms with the burst and those with near vectors (by their signs), weighs the
terms by how few messages of the bond hold them, and reads the best with the messages beside them.
`memory.recall.line_scoring` ranks these.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice
from typing import Any

from echovessel import text
from echovessel.embeddings import embedding, vectors
from echovessel.postgres import prepared
from echovessel.postgres.rows import build_model
from memory.messages.tombstones import HIDDEN
from memory.models import Message, lexemes
from memory.models.messages import VECTOR_DIMENSIONS
from memory.recall import line_scoring, memories, query_intent, quotes, term_forms
from memory.recall.memories import RecallResult
from memory.recall.quotes import QuotedMessage
from personas.models import Bond

NEAREST = 60
MIN_PICKED = 30
# Where a search is looked over again: how many messages are found, how many are read, and their share of the usual bar.
WIDE_PICKED = 60
USUAL_MOST, WIDE_MOST = 6, 12
WIDE_SHARE_OF_BAR = 0.5
# How many messages are read for each wanted one: those beside them may score higher.
PICKED_PER_RESULT = 5
# A term in more messages than this counts as being in a quarter of them.
MAX_MESSAGES_PER_TERM = 3000
# Only the longest terms of a burst are searched, which are the rarest.
MAX_QUERY_TERMS = 24
# A Chinese word is two characters and a pair of them, where an English one is one term.
CHARACTER_WEIGHT, PAIR_WEIGHT = 0.25, 0.7
# The condition of the index of sketches, from which alone the near ones are found, and the condition of a quote.
_INDEXED = "deleted_at IS NULL AND chosen AND role <> 'system'"
_LIVE = f"{_INDEXED} AND NOT left_out"
_SHARING = f"""
    SELECT asked.term, message.id, message.session_id FROM unnest(%(lexemes)s::text[]) WITH ORDINALITY AS asked(lexeme, term), LATERAL (
        SELECT id, session_id FROM memory_message WHERE search @@ lexeme::tsquery AND {_LIVE} LIMIT {MAX_MESSAGES_PER_TERM}
    ) AS message
"""
_NEAR = f"""
    SELECT id, nearest.session_id, apart FROM (
        SELECT id, session_id, sketch <~> %(signs)s::"bit" AS apart FROM memory_message
        WHERE bond_id = %(bond)s AND {_INDEXED} AND embedding_model = %(model)s AND embedding IS NOT NULL ORDER BY apart LIMIT {NEAREST}
    ) AS nearest JOIN memory_message USING (id) WHERE NOT left_out
"""
_NONE_NEAR = "SELECT 0, 0, 0 WHERE false"
_FIELDS = (
    *(
        "id",
        "bond_id",
        "session_id",
        "role",
        "content",
        "channel",
        "turn_id",
        "variant",
        "chosen",
        "cut_off",
        "token_count",
    ),
    *("day", "created_at"),
)
# The messages of a session are in the order of their ids. Without the bond's main directions a cosine has less spread: it is
# brought to the usual mean and spread. A day begins up to 14 hours earlier where the user is than in UTC.
_WINDOWS = f"""
WITH found(term, line, talk) AS MATERIALIZED ({_SHARING}),
hidden(id) AS MATERIALIZED ({HIDDEN} %(bond)s),
main AS (SELECT first, second FROM memory_maindirections WHERE bond_id = %(bond)s AND embedding_model = %(model)s),
held AS (SELECT 1 + coalesce(sum(message_count), 0)::float8 AS lines FROM memory_session WHERE bond_id = %(bond)s),
weighed AS (
    SELECT term, (%(weights)s::float8[])[term::int] * ln(1 + (greatest(lines - holding, 0) + 0.5) / (holding + 0.5)) / ln(1 + lines) AS weight
    FROM held, LATERAL (
        SELECT term, CASE WHEN count(*) < {MAX_MESSAGES_PER_TERM} THEN count(*) ELSE greatest(count(*), lines / 4) END AS holding
        FROM found GROUP BY term
    ) AS counted
),
shared(line, talk, weight) AS MATERIALIZED (
    SELECT line, talk, sum(weight) FROM found JOIN weighed USING (term) GROUP BY line, talk
),
near(line, talk, apart) AS ({{near}}),
picked AS (
    SELECT line, talk FROM (
        SELECT line, talk, {line_scoring.TERMS_WEIGHT} * weight AS fit FROM shared
        UNION ALL
        SELECT line, talk, {line_scoring.MEANING_WEIGHT / line_scoring.COSINE_SPREAD} * (cos(pi() * apart / {VECTOR_DIMENSIONS}) - {line_scoring.USUAL_COSINE}) FROM near
    ) AS signs JOIN memory_session ON memory_session.id = talk
    WHERE bond_id = %(bond)s AND deleted_at IS NULL AND NOT off_record AND memory_session.id <> %(not_session)s
        AND line NOT IN (SELECT unnest(%(besides)s::bigint[]))
        AND line NOT IN (SELECT id FROM hidden)
    GROUP BY line, talk, started_at, last_message_at ORDER BY sum(fit) + CASE WHEN EXISTS (
        SELECT FROM unnest(%(first_days)s::date[], %(last_days)s::date[]) AS period(first, last) WHERE started_at < last + 1 AND last_message_at >= first - 1
    ) THEN {line_scoring.PERIOD_BONUS * (1 + line_scoring.MEANING_WEIGHT)} ELSE 0 END DESC, line DESC LIMIT %(picked)s
),
windows AS MATERIALIZED (
    SELECT picked.line AS about, beside.* FROM picked, LATERAL (
        (SELECT * FROM memory_message WHERE session_id = talk AND id <= line AND {_LIVE} ORDER BY id DESC LIMIT 3)
        UNION ALL
        (SELECT * FROM memory_message WHERE session_id = talk AND id > line AND {_LIVE} ORDER BY id LIMIT 2)
    ) AS beside WHERE beside.id NOT IN (SELECT id FROM hidden)
)
SELECT about, coalesce(weight, 0), CASE
    WHEN embedding_model <> %(model)s THEN NULL
    WHEN first IS NULL THEN (1 - (embedding <=> %(direction)s::halfvec) - %(baseline)s::float8) / (1 - %(baseline)s)
    ELSE {line_scoring.USUAL_COSINE} + {line_scoring.DISTINCT_SPREAD} * (
        1 - (embedding <=> %(direction)s)
        - (first <#> %(direction)s) * (first <#> embedding)
        - (second <#> %(direction)s) * (second <#> embedding)
    )
END, {", ".join(_FIELDS)}
FROM windows LEFT JOIN shared ON shared.line = id LEFT JOIN main ON true ORDER BY about, id
"""


def search(
    *,
    bond: Bond,
    query: str,
    vector: Sequence[float] | None,
    besides: Collection[int] = (),
    not_session: int | None = None,
    most: int = USUAL_MOST,
    today: date | None = None,
    recalled: RecallResult | None = None,
    is_wide: bool = False,
) -> list[QuotedMessage]:
    """Find messages of earlier sessions for a burst, best first; leave out the ids `besides`. A wide search, for a question whose answer
    was not found, looks among more of them, by half the usual bar.

    `vector` is the burst's (None where unusable), made outside any transaction; `not_session` is the burst's session;
    periods are relative to `today`. A burst that narrates, or wants an account, gets the words behind the memories that it recalled.
    """
    if recalled is not None and recalled.quotes_sources:
        return quotes.search_sources(bond=bond, recalled=recalled, besides=besides, not_session=not_session, most=most)
    asks_for_all = (query_intent.is_about_day, query_intent.asks_what_happened)
    if (
        today is not None
        and not is_wide
        and any(asks(memories.cut_to_ends(query), today=today) for asks in asks_for_all)
    ):
        named = memories.find_periods(query, today=today)
        return quotes.search_days(bond=bond, named=named, besides=besides, not_session=not_session, most=most)
    asked = build_query(bond=bond, query=query, vector=vector, today=today)
    if not asked.terms:
        return []
    found = rank_messages(asked, besides=besides, not_session=not_session, most=most, is_wide=is_wide)
    return list(islice((word for word, is_enough in found if is_enough), most))


@dataclass(frozen=True)
class QuoteQuery:
    """The query for messages: terms, a vector where usable, and traits of the burst."""

    bond_id: int
    terms: list[str]
    vector: Sequence[float] | None
    manner: line_scoring.QueryTraits

    def build_lexemes(self) -> list[str]:
        """Build what is searched for each term: any of its forms."""
        return [
            " | ".join(lexemes.format_lexeme(self.bond_id, form) for form in term_forms.expand_term(term))
            for term in self.terms
        ]

    def compute_weights(self) -> list[float]:
        return [weigh_term(term) for term in self.terms]


def weigh_term(term: str) -> float:
    if not text.has_cjk(term):
        return 1.0
    return CHARACTER_WEIGHT if len(term) == 1 else PAIR_WEIGHT


def build_query(*, bond: Bond, query: str, vector: Sequence[float] | None, today: date | None) -> QuoteQuery:
    manner = line_scoring.parse_query(
        memories.cut_to_ends(query), user=bond.user.shown_name, persona=bond.persona.name, today=today
    )
    return QuoteQuery(bond_id=bond.pk, terms=extract_query_terms(bond, query), vector=vector, manner=manner)


def extract_query_terms(bond: Bond, query: str) -> list[str]:
    """Extract the terms to search; none where the burst only greets. The names of user and persona do not count."""
    said = memories.remove_speaker_names(bond, query)
    asked = query_intent.extract_subject(said) - memories.extract_speaker_names(bond)
    if asked <= query_intent.SMALL_TALK:
        return []
    once = {term_forms.normalize_term(term): term for term in sorted(asked)}
    return sorted(once.values(), key=lambda term: (-len(term), term))[:MAX_QUERY_TERMS]


def rank_messages(
    asked: QuoteQuery,
    *,
    besides: Collection[int] = (),
    not_session: int | None = None,
    most: int,
    is_wide: bool = False,
) -> Iterator[tuple[QuotedMessage, bool]]:
    """Rank all found messages, best first, each with whether it is relevant, and of equal ones the best. The query must have terms."""
    picked = WIDE_PICKED if is_wide else max(MIN_PICKED, PICKED_PER_RESULT * most)
    found = fetch_rows(asked, besides=list(besides), not_session=not_session or 0, picked=picked)
    windows = [[build_signals(row) for row in window] for _, window in groupby(found, key=lambda row: row[0])]
    values = {row[3]: row[3:] for row in found}
    scored = [found for found in line_scoring.rank_messages(windows, asked.manner) if found.message.id not in besides]
    enough = line_scoring.flag_relevant(
        scored, weight=sum(asked.compute_weights()), share_of_bar=WIDE_SHARE_OF_BAR if is_wide else 1.0
    )
    said: set[str] = set()
    for best, is_enough in zip(scored, enough, strict=True):
        message = build_model(Message, _FIELDS, values[best.message.id])
        if (content := text.fold(message.content)) in said:
            continue
        said.add(content)
        yield QuotedMessage(message=message, score=best.score), is_enough


def fetch_rows(asked: QuoteQuery, *, besides: list[int], not_session: int, picked: int) -> list[Any]:
    """Fetch the best messages, each with those beside it in its session."""
    return prepared.fetch_all(
        _WINDOWS.format(near=_NONE_NEAR if asked.vector is None else _NEAR),
        {
            "lexemes": asked.build_lexemes(),
            "weights": asked.compute_weights(),
            "bond": asked.bond_id,
            "signs": vectors.compute_signs(asked.vector),
            "direction": vectors.as_text(asked.vector),
            "model": embedding.get_model_name(),
            "baseline": embedding.get_cosine_baseline(),
            "not_session": not_session,
            # As text: the driver writes an array of hundreds item by item.
            "besides": f"{{{','.join(map(str, besides))}}}",
            "first_days": [period.start for period in asked.manner.periods],
            "last_days": [period.end + line_scoring.TOLD_WITHIN for period in asked.manner.periods],
            "picked": picked,
        },
    )


def build_signals(row: Sequence[Any]) -> line_scoring.MessageSignals:
    _, shared, cosine, pk, _, talk, role, content, *_, day, _ = row
    return line_scoring.MessageSignals(
        id=pk,
        talk=talk,
        is_user=role == Message.Role.USER,
        length=line_scoring.measure_length(content),
        shared=shared,
        cosine=cosine,
        content=content,
        day=day,
    )
