"""Take a file in: parse and cut it at once, so that a refused file leaves nothing behind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from django.db import transaction
from django.utils.crypto import salted_hmac

from echovessel import materials, tokens
from echovessel.llm import prices
from echovessel.materials import MaterialError
from echovessel.postgres import copying
from echovessel.text import strip_unstorable
from memory import sessions
from memory.importing import chunks
from memory.importing.chunk_extraction import PROMPT
from memory.importing.chunks import Piece
from memory.importing.control import UNREAD_STATES
from memory.models import Import, ImportChunk
from personas.models import Bond

NAME_MOST = 200
# The usual tokens of an answer.
ANSWER_TOKENS = 250
TEXT_SUFFIXES = (".txt", ".md", ".json", ".csv")


@dataclass(frozen=True)
class Estimate:
    """The estimated use of an import; `cost` in US dollars, None where the prices are not known."""

    chunks: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def estimate(*, name: str, content: bytes) -> Estimate:
    """Raises MaterialError."""
    return estimate_from_tokens([tokens.estimate(piece.text) for piece in read_pieces(name, content)[1]])


def estimate_from_tokens(piece_tokens: Sequence[int]) -> Estimate:
    count = len(piece_tokens)
    prompt_tokens = tokens.estimate(PROMPT.read_text(encoding="utf-8"))
    tokens_in, tokens_out = sum(piece_tokens) + count * prompt_tokens, count * ANSWER_TOKENS
    return Estimate(
        count, tokens_in, tokens_out, prices.estimate_cost(feature="import", tokens_in=tokens_in, tokens_out=tokens_out)
    )


def build_text_name(name: str) -> str:
    """Build the file name of a pasted text: plain text, unless it has a name."""
    return name if PurePath(name).suffix.lower() in TEXT_SUFFIXES else f"{name}.txt"


def take_in(*, bond: Bond, name: str, content: bytes, now: datetime) -> tuple[Import, bool]:
    """Create an import that waits to be started, or find the one of the same file. Returns it and whether it is new.
    Raises MaterialError.

    A cancelled or failed import whose texts were dropped gets them back.
    """
    kind, pieces = read_pieces(name, content)
    digest = salted_hmac("memory.importing.file", content, algorithm="sha256").hexdigest()
    with transaction.atomic():
        sessions.lock_bond(bond)
        known = Import.objects.for_bond(bond).filter(digest=digest).first()
        if known is not None:
            refill_chunks(known, pieces, now=now)
            return known, False
        imported = Import.objects.create(
            bond=bond,
            name=strip_unstorable(name)[:NAME_MOST],
            kind=kind,
            digest=digest,
            total=len(pieces),
            created_at=now,
            touched_at=now,
        )
        create_chunks(imported, pieces, now=now)
        return imported, True


def read_pieces(name: str, content: bytes) -> tuple[str, list[Piece]]:
    material = materials.parse(name, content)
    pieces = chunks.cut(material)
    if not pieces:
        raise MaterialError("invalid", "You wrote nothing in this chat, so there is nothing to import.")
    return material.kind, pieces


def create_chunks(imported: Import, pieces: Sequence[Piece], *, now: datetime) -> None:
    """Create the chunks of a new import; texts extracted before in this bond, and repeated ones, count as known.

    An import without any other chunk is done.
    """
    read = ImportChunk.objects.filter(bond=imported.bond, state=ImportChunk.State.DONE)
    digests = [piece.digest for piece in pieces]
    known = set(read.filter(digest__in=digests).values_list("digest", flat=True))
    made = []
    for number, (digest, piece) in enumerate(zip(digests, pieces, strict=True), start=1):
        made.append(
            ImportChunk(
                bond=imported.bond,
                of=imported,
                number=number,
                text=piece.text,
                digest=digest,
                title=piece.title,
                said_on=piece.said_on,
                token_count=tokens.estimate(piece.text),
            )
        )
        if digest in known:
            made[-1].settle(ImportChunk.State.KNOWN, now=now)
        known.add(digest)
    copying.copy_rows(ImportChunk, made)
    imported.done = sum(one.state == ImportChunk.State.KNOWN for one in made)
    if imported.done == imported.total:
        imported.state = Import.State.DONE
    imported.save(update_fields=["done", "state"])


def refill_chunks(known: Import, pieces: Sequence[Piece], *, now: datetime) -> None:
    """Give the remaining chunks of an import their texts again."""
    texts = {piece.digest: piece.text for piece in pieces}
    left = list(known.chunks.filter(state__in=UNREAD_STATES, text="").only("digest"))
    for one in left:
        one.text = texts.get(one.digest, "")
    ImportChunk.objects.bulk_update(left, ["text"], batch_size=1000)
    Import.objects.filter(pk=known.pk).update(touched_at=now)
