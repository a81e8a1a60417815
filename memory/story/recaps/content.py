"""What the recap of a scene holds, and what of a model's answer is believed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from echovessel import crisis, text
from echovessel.llm.errors import BadAnswerError
from memory.answers import scene_schemas as schemas
from memory.answers.coercion import one_line
from memory.answers.schemas import parse_parts
from memory.messages import secrets
from memory.models import Message
from memory.models.story.scenes import SCENE_TITLE_CHARACTERS
from memory.story import grounding, sentences

TEXT_MOST = 200
OUTCOMES_MOST, OPEN_MOST, STATE_MOST, QUOTES_MOST, ENTITIES_MOST = 6, 4, 4, 3, 8
LABEL_MOST = 30
ALIASES_MOST = 10
REMARKS_MOST = 3


def require_storable(said: str) -> str:
    if said != text.strip_unstorable(said):
        raise ValueError("it has a character that cannot be stored")
    return said


Storable = Annotated[str, AfterValidator(require_storable)]
# A person may write what they said, too.
Text = Annotated[Storable, Field(min_length=1, max_length=TEXT_MOST), AfterValidator(secrets.mask)]
Lines = Annotated[list[int], Field(min_length=1)]
Kept = TypeVar("Kept", bound=schemas.CitingAnswer)


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Told(Part):
    """A sentence, and the ids of the messages it is told in."""

    text: Text
    lines: Lines


class State(Told):
    label: Annotated[Storable, Field(min_length=1, max_length=LABEL_MOST)]


class Quote(Part):
    line: int
    text: Text


class Remark(Quote):
    label: Annotated[Storable, Field(max_length=LABEL_MOST)] = ""


class Named(Part):
    name: Annotated[Storable, Field(min_length=1, max_length=120)]
    kind: Storable = "other"
    aliases: Annotated[list[Storable], Field(max_length=ALIASES_MOST)] = []
    remarks: Annotated[list[Remark], Field(max_length=REMARKS_MOST)] = []


class RecapContent(Part):
    """The content of a `SceneRecap`; lines are ids of messages."""

    title: Annotated[Storable, Field(max_length=SCENE_TITLE_CHARACTERS), AfterValidator(secrets.mask)] = ""
    outcomes: Annotated[list[Told], Field(min_length=1, max_length=OUTCOMES_MOST)]
    open: Annotated[list[Told], Field(max_length=OPEN_MOST)] = []
    state: Annotated[list[State], Field(max_length=STATE_MOST)] = []
    quotes: Annotated[list[Quote], Field(max_length=QUOTES_MOST)] = []
    entities: Annotated[list[Named], Field(max_length=ENTITIES_MOST)] = []

    @property
    def cited(self) -> set[int]:
        told = {line for part in (*self.outcomes, *self.open, *self.state) for line in part.lines}
        remarks = {remark.line for one in self.entities for remark in one.remarks}
        return told | {quote.line for quote in self.quotes} | remarks


def cut_title(title: str) -> str:
    title = secrets.mask(one_line(title))
    return title if len(title) <= SCENE_TITLE_CHARACTERS else text.cut_short(title, SCENE_TITLE_CHARACTERS - 3)


def title_by(outcomes: Iterable[Told]) -> str:
    """Title a scene by the first outcome that says something, and that is not too grave for a list."""
    said = (one.text for one in outcomes)
    return cut_title(next((one for one in said if sentences.weigh(one) > 0 and not crisis.is_voiced(one)), ""))


def cut_text(said: str, most: int = TEXT_MOST) -> str:
    """Bring a text to one line without secrets, cut at a word."""
    said = secrets.mask(one_line(said))
    return said if len(said) <= most else text.cut_short(said, most - 1)


def read_answer(
    parsed: Mapping[str, Any], *, lines: Sequence[Message], known_names: Iterable[Sequence[str]]
) -> tuple[RecapContent, list[str]]:
    """Read an answer in which the scene's told `lines` are numbered from 1. Returns what is believed of it, and notes on
    the rest, which hold no text of it.

    `known_names` has the names of each known person or thing, without the two who talk. What cites no line of the scene goes,
    what has a number that is in no line or a known name that is in none of its lines nor before, and a quote that is not in its line. A kept line that
    no outcome cites is added in its own words. Raises BadAnswerError where no outcome is left.
    """
    reading = _Reading(lines, [tuple(names) for names in known_names])
    outcomes = [
        Told(text=cut_text(one.text), lines=reading.find_ids(one)) for one in reading.read_told(parsed, "outcomes")
    ]
    if not outcomes:
        raise BadAnswerError(reading.explain())
    title = cut_title(parsed["title"]) if isinstance(parsed.get("title"), str) else ""
    content = RecapContent(
        title=title or title_by(outcomes),
        outcomes=add_kept(outcomes[:OUTCOMES_MOST], lines),
        open=[Told(text=cut_text(one.text), lines=reading.find_ids(one)) for one in reading.read_told(parsed, "open")],
        state=[
            State(label=cut_text(one.label, LABEL_MOST), text=cut_text(one.text), lines=reading.find_ids(one))
            for one in reading.read_states(parsed)
        ],
        quotes=[Quote(line=line, text=said) for line, said in reading.read_quotes(parsed)],
        entities=list(reading.read_entities(parsed)),
    )
    return content, reading.notes


def add_kept(outcomes: list[Told], lines: Sequence[Message]) -> list[Told]:
    """Add kept lines that no outcome cites, in their own words, in place of the last outcomes that cite none."""
    kept = {line.pk: line for line in lines if line.kept_at is not None and not line.content.isspace()}
    cited = {line for one in outcomes for line in one.lines}
    missing = [Told(text=cut_text(kept[pk].content), lines=[pk]) for pk in kept if pk not in cited][-OUTCOMES_MOST:]
    room = OUTCOMES_MOST - len(missing)
    with_kept = [one for one in outcomes if kept.keys() & set(one.lines)][:room]
    others = [one for one in outcomes if one not in with_kept][: room - len(with_kept)]
    chosen = [one for one in outcomes if one in with_kept or one in others]
    return sorted([*chosen, *missing], key=lambda one: min(one.lines)) if missing else outcomes


def fold_lines(lines: Iterable[Message]) -> str:
    return text.fold("\n".join(line.content for line in lines))


def is_named(names: Iterable[str], folded: str) -> bool:
    return any(text.contains_name(folded, text.fold(name)) for name in names)


class _Reading:
    """The reading of one answer: the numbered lines, the known names, and the notes on what was not believed."""

    def __init__(self, lines: Sequence[Message], known_names: Sequence[Sequence[str]]) -> None:
        self.by_number = dict(enumerate(lines, start=1))
        self.known_names = known_names
        self.known_folded = {text.fold(name) for names in known_names for name in names}
        self.notes: list[str] = []

    def explain(self) -> str:
        return " ".join(
            [f"No outcome is left of the answer; {len(self.notes)} of its parts were dropped:", *self.notes]
        )[:500]

    def find_ids(self, one: schemas.CitingAnswer) -> list[int]:
        return [self.by_number[number].pk for number in one.lines]

    def read_told(self, parsed: Mapping[str, Any], what: str) -> list[schemas.ToldAnswer]:
        most = OUTCOMES_MOST if what == "outcomes" else OPEN_MOST
        return self._believe(self._parse(parsed, what, schemas.ToldAnswer, most))

    def read_states(self, parsed: Mapping[str, Any]) -> list[schemas.StateAnswer]:
        return self._believe(self._parse(parsed, "state", schemas.StateAnswer, STATE_MOST))

    def read_quotes(self, parsed: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
        for quote in self._parse(parsed, "quotes", schemas.QuoteAnswer, QUOTES_MOST):
            line = self.by_number.get(quote.line)
            if line is None:
                self.notes.append(f"quote dropped: there is no line {quote.line}")
            elif not grounding.holds_quote(line.content, quote.text):
                self.notes.append(f"quote dropped: it is not in line {quote.line}")
            else:
                yield line.pk, cut_text(quote.text)

    def read_entities(self, parsed: Mapping[str, Any]) -> Iterator[Named]:
        said = fold_lines(self.by_number.values())
        seen: set[str] = set()
        for one in self._parse(parsed, "entities", schemas.NamedAnswer, ENTITIES_MOST):
            given = list(dict.fromkeys((one.name, *one.aliases)))
            names = [name for name in given if text.contains_name(said, text.fold(name))]
            if not names or text.fold(names[0]) in seen:
                self.notes.append("entity dropped: it is named in no line, or twice")
                continue
            seen.add(text.fold(names[0]))
            # By a known name one knows who is meant by another: 桂芳女士 is 张桂芳.
            names += [name for name in given if name not in names and text.fold(name) in self.known_folded]
            remarks = list(self._read_remarks(one))
            yield Named(name=names[0], kind=one.kind, aliases=names[1 : ALIASES_MOST + 1], remarks=remarks)

    def _read_remarks(self, one: schemas.NamedAnswer) -> Iterator[Remark]:
        for remark in one.remarks[:REMARKS_MOST]:
            told = schemas.ToldAnswer(text=remark.text, lines=[remark.line])
            # It cites one line alone: a number of another would stay when that one is forgotten.
            if self._believe([told]) and not grounding.find_missing(remark.text, self.by_number[remark.line].content):
                line = self.by_number[remark.line]
                yield Remark(line=line.pk, label=cut_text(remark.label, LABEL_MOST), text=cut_text(remark.text))

    def _parse(self, parsed: Mapping[str, Any], what: str, shape: type[schemas.Answer], most: int) -> list[Any]:
        parts, notes = parse_parts(parsed.get(what), shape, what=what, most=most)
        self.notes += notes
        return parts

    def _believe(self, told: Iterable[Kept]) -> list[Kept]:
        """Keep what cites lines of the scene that hold its numbers and names."""
        believed = []
        for one in told:
            numbers = [number for number in one.lines if number in self.by_number]
            if not numbers:
                self.notes.append(f"dropped: it cites no line of the scene, but {one.lines[:5]}")
                continue
            numbers = self._cite_missing(one.text, numbers)
            if self._find_missing(one.text, numbers):
                self.notes.append(f"dropped: a number or name in it is in none of its lines {numbers[:5]}")
                continue
            believed.append(one.model_copy(update={"lines": numbers}))
        return believed

    def _cite_missing(self, said: str, numbers: Sequence[int]) -> list[int]:
        """Add the last line before that names whom a text names and its lines do not: "I'll see her again" is of Lin; and of a number
        the nearest line, since small models cite the first line of several.
        """
        cited, last = set(numbers), max(numbers)
        for missing in self._find_missing(said, numbers):
            holding = [
                number
                for number in self.by_number
                if (number < last or missing[0].isdigit()) and missing not in self._find_missing(said, [number])
            ]
            cited.update(sorted(holding, key=lambda number: (number > last, abs(number - last)))[:1])
        return sorted(cited) if len(cited) > len(numbers) else [*numbers]

    def _find_missing(self, said: str, numbers: Sequence[int]) -> list[str]:
        heard = "\n".join(self.by_number[number].content for number in numbers)
        return grounding.find_missing(said, heard, known_names=self.known_names)
