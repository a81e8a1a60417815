"""Go on with a reply that was stopped or cut off, or after calls: the model has the text so far, and what it repeats of that is cut."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from chat.models import Turn
from echovessel.llm.protocol import ChatMessage, Piece, TakenBack

INSTRUCTION = (Path(__file__).parents[1] / "prompts" / "continue.md").read_text().strip()
# A shorter overlap may be chance. Without spaces between words, two characters say as much.
OVERLAP_LEAST, OVERLAP_LEAST_CJK = 3, 2


def load_begun(turn: Turn) -> str:
    """Return the text with which a reply begins that is gone on with, else ""."""
    if not turn.continues:
        return ""
    return turn.replies().visible().values_list("content", flat=True).first() or ""


def build_messages(begun: str) -> list[ChatMessage]:
    """Return what stands behind the prompt: the reply so far, and what to do with it."""
    if not begun:
        return []
    return [{"role": "assistant", "content": begun}, {"role": "user", "content": INSTRUCTION}]


def go_on(stream: AsyncGenerator[Piece, None], *, begun: str, said: str) -> AsyncGenerator[Piece, None]:
    """Yield the pieces of a stream that go on from `begun`, and from what was said since."""
    return leave_out_said(join_pieces(stream, begun=begun), said=said)


async def join_pieces(stream: AsyncGenerator[Piece, None], *, begun: str) -> AsyncGenerator[Piece, None]:
    """Yield the pieces of a stream so that they go on from `begun`; its first words wait until it is clear what they repeat."""
    held, is_joined = "", not begun
    async with aclosing(stream) as pieces:
        async for piece in pieces:
            if isinstance(piece, TakenBack):
                held, is_joined = "", not begun
            if is_joined or not isinstance(piece, str):
                if held and not is_joined:
                    is_joined = True
                    yield join(begun, held)
                yield piece
                continue
            held += piece
            may_still_repeat = held.lstrip() in begun
            if not may_still_repeat:
                is_joined = True
                yield join(begun, held)


async def leave_out_said(stream: AsyncGenerator[Piece, None], *, said: str) -> AsyncGenerator[Piece, None]:
    """Yield the pieces of a further step of a reply without what was said in it before: small models say it again after their calls."""
    held, said = "", said.strip()
    is_over = not strip_marks(said)
    async with aclosing(stream) as pieces:
        async for piece in pieces:
            if isinstance(piece, TakenBack):
                held, is_over = "", not strip_marks(said)
            if is_over or not isinstance(piece, str):
                yield piece
                continue
            held += piece
            if not strip_marks(said).startswith(strip_marks(held)):
                is_over = True
                yield leave_out_first(held, said)


def leave_out_first(text: str, said: str) -> str:
    """Return a text without what was said, if it begins with that, in whichever marks."""
    first = strip_marks(said)
    places = [at for at, character in enumerate(text) if character.isalnum()]
    if not strip_marks(text).startswith(first):
        return text
    return text[places[len(first) - 1] + 1 :].lstrip(" .!?…。！？\n")


def strip_marks(text: str) -> str:
    return "".join(character for character in text if character.isalnum()).casefold()


def join(begun: str, added: str) -> str:
    """Return what is to be added to a text, without what repeats its end or all of it, and with a space where one is missing."""
    text = added.lstrip(" \t.…") if added.lstrip().startswith(("...", "…")) else added.lstrip()
    repeated = measure_overlap(begun, text)
    if repeated:
        return text[repeated:]
    if added[:1].isspace():
        return added
    is_between_words = begun[-1:].isascii() and not begun[-1:].isspace() and text[:1].isascii() and text[:1].isalnum()
    return f" {text}" if is_between_words else text


def measure_overlap(begun: str, text: str) -> int:
    """Return how many characters of the text repeat the end of what was begun, from a whole word on."""
    for at in range(max(0, len(begun) - len(text)), len(begun)):
        end = begun[at:]
        least = OVERLAP_LEAST if end.isascii() else OVERLAP_LEAST_CJK
        if text.startswith(end) and len(end) >= least and begins_word(begun, at):
            return len(end)
    return 0


def begins_word(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return not (before.isascii() and before.isalnum() and text[at].isalnum())
