"""Takes out of a streamed reply what small models write around it: thoughts, who speaks, marks of a template, the user's next line."""

import json
import re
from collections.abc import Sequence

_THOUGHT = re.compile(
    r"<(?:think|thinking|thought|reasoning)>|<\|channel\|>(?:analysis|commentary)[^<\n]{0,80}<\|message\|>",
    re.IGNORECASE,
)
_THOUGHT_TAGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>\s*", re.IGNORECASE)
# Outside a thought, this mark ends a turn.
_CHANNEL_END = re.compile(rf"{_THOUGHT_END.pattern}|<\|end\|>", re.IGNORECASE)
# Marks with which chat templates end a turn or begin the next.
_MARK = re.compile(r"<\|[a-z_]{2,20}\|>|</s>|\[/?INST\]|<(?:start|end)_of_turn>")
# Such a mark before a reply, or when it is written and in which mood; and what small models write around one who acts by steps.
_HEAD = re.compile(
    r"(?:(?:<\|[a-z_]{2,20}\|>|\[/INST\]|<s>)(?:assistant|model|final)?"
    r"|<when>[^<\n]*</when>|\[(?:[^\]\n]*\b(?:20\d\d|\d\d?:\d\d)\b[^\]\n]*|(?:mood|心情)[:：][^\]\n]*)\])\s*",
    re.IGNORECASE,
)
_STEP = re.compile(r"(?:(?:Thought|Observation): |(?:记忆|思考)[:：])[^\n]*(?:\n|\Z)|Final Answer:[ \t]*")
_STEPS = ("thought: ", "observation: ", "记忆:", "记忆：", "思考:", "思考：", "final answer:")
# A reply as the text of one field: {"reply": "..."}.
_FIELDS = ("reply", "response", "answer", "message", "content", "text", "回复", "回答")
_FIELD = re.compile(rf'\s*(?:```(?:json)?\s*)?\{{\s*"(?:{"|".join(_FIELDS)})"\s*:\s*(?=")')
_FIELD_STARTS = tuple(f'{fence}{{"{name}":"' for fence in ("", "```", "```json") for name in _FIELDS)
_BEHIND_FIELD = re.compile(r'\s*(?:\}|,\s*")')
_FIELD_END = re.compile(r'"?\s*\}?\s*(?:```)?\s*\Z')
# How a note stands before a model, with its number: "(#9 [told, about_you])".
_NOTE = re.compile(r" ?\(?(?:#?\d{1,9} )?\[[\w ]{2,20}, (?:about_you|about_us|how_to_talk|persona_canon)\]\)?")
# A text's end that may begin one of these.
_MAY_GO_ON = re.compile(r"(?:<[^<>\s]{0,24}|\[/?[INST]{0,4}| ?\(?(?:#?\d{0,9} ?)(?:\[[\w ,]{0,40})?\]?)\Z")
_FENCE = "```"
# How often the same sentences follow one another before the reply ends, how many they are, how long in bytes, and how much is read
# for that.
ROUNDS_MOST, _SENTENCES_MOST, _ROUND_LEAST, _ROUND_READ = 4, 3, 12, 2_000
# The same for characters without an end of a sentence: "no no no".
_RUNS_MOST, _RUN_LONGEST = 40, 20
_LIST_NUMBER = re.compile(r"^\d{1,4}[.)、]\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])\s*")
# A rule of a prompt, which no reply has as a line.
_RULE_LEAST = 20
# Lines of a prompt that only notes have: headings, tags, rows with a day or a number; and notes that a model makes for itself.
_OF_NOTES = re.compile(
    r"^(?:# .+|</?[a-z_]+>.*|(?P<now>It is \w+, \d+ .+? is\.).*|- (?:\(|\d+ \[|[a-z]+: ).*)$", re.MULTILINE
)
_OWN_NOTE = re.compile(
    r"(?:\[(?:mood|memory|note)[:：]|【(?:心情|记忆|备注)[:：])[^\]】\n]*[\]】]\s*\Z"
    r"|[(（](?:note|注)[:：][^\n]*(?:reply|response|character|persona|回复|角色|设定|人设)[^\n]*[)）]\s*\Z",
    re.IGNORECASE,
)
_OWN_NOTES = ("[mood:", "[memory:", "[note:", "【心情", "【记忆", "【备注", "(note:", "（注：", "（注:")
# A line before one that a speaker's name begins: what follows is a dialogue that was asked for.
_INTRODUCES = re.compile(r"[:：]\s*\Z|\*\*\s*\Z|\A\s*#")


class ReplyTextFilter:
    """Holds back the text of a reply while it may be no part of it, and drops what is none. In code everything stands."""

    def __init__(self, persona: str = "", user: str = "", notes: str = "") -> None:
        self._own = _Label("Assistant", "AI", "助手", "Reply", "Response", "回复", "回答", persona)
        self._other = _Label("User", "Human", "用户", user)
        rules, _, _ = notes.partition("# ")
        found = [*_OF_NOTES.finditer(notes)]
        self._of_notes = {line.strip() for match in found for line in (match[0], match["now"]) if line}
        self._of_notes |= {line for line in map(str.strip, rules.splitlines()) if len(line) >= _RULE_LEAST}
        self._held = ""
        # The text of the line that is shown, and of the last line before it with any.
        self._line = self._before = self._last = ""
        self._is_line_begun = self._in_code = self._in_thought = self._is_dialogue = self._is_over = False
        self._skips_space = True
        # Whether what was shown before the text that is returned is taken back; the reader resets it.
        self.takes_back = False

    @property
    def _is_begun(self) -> bool:
        return bool(self._before or self._line.strip())

    def add(self, text: str) -> str:
        """Take the next text; return what can be shown now."""
        self._held += text
        return self._show(is_whole=False)

    def finish(self) -> str:
        """Return the rest that may be shown. A thought that never ends is none of it."""
        return self._show(is_whole=True)

    def _show(self, *, is_whole: bool) -> str:
        shown = ""
        while self._held and not self._is_over:
            if self._in_thought:
                if not self._end_thought():
                    break
            elif not self._is_line_begun:
                if not self._begin_line(is_whole=is_whole):
                    break
            else:
                if self._ends_thought():
                    shown = ""
                    continue
                text = self._take(is_whole=is_whole)
                if not text:
                    break
                shown += text
        return shown

    def _end_thought(self) -> bool:
        end = _CHANNEL_END.search(self._held)
        self._held = self._held[end.end() :] if end else self._held[-16:]
        self._in_thought = end is None
        return end is not None

    def _ends_thought(self) -> bool:
        """Take back what was shown, where it was a thought that had no mark of its beginning."""
        end = None if self._in_code else _THOUGHT_END.search(self._held.partition("\n")[0])
        if end is None or (self._line + self._held[: end.start()]).count("`") % 2:
            return False
        self._held = self._held[end.end() :]
        self._line = self._before = ""
        self._is_line_begun, self._skips_space, self.takes_back = False, True, True
        return True

    def _begin_line(self, *, is_whole: bool) -> bool:
        """Judge the beginning of a line; returns whether it is long enough for that."""
        if self._skips_space:
            self._held = self._held.lstrip("\n")
        begun = self._held.lstrip()
        if not is_whole and "\n" not in self._held and self._may_be_skipped(begun):
            return False
        if not self._in_code:
            if self._skip(begun):
                return True
            if self._other.match(begun):
                self._is_dialogue = self._is_dialogue or not self._is_begun or bool(_INTRODUCES.search(self._before))
                self._is_over = not self._is_dialogue
        self._is_line_begun, self._skips_space = True, False
        return True

    def _may_be_skipped(self, begun: str) -> bool:
        """Whether with more text a line may begin with what is not shown, or with a name."""
        folded = begun.lower()
        return (
            any(opener.startswith(folded) for opener in (_FENCE, *_OWN_NOTES, *_THOUGHT_TAGS, *_STEPS))
            or any(line.startswith(begun) for line in self._of_notes)
            or folded.startswith(_OWN_NOTES)
            or folded.startswith(_STEPS[:-1])
            or (not self._is_begun and begun.startswith(("<|", "[", "<s", "<w")))
            or (not self._in_code and (self._own.may_begin(begun) or self._other.may_begin(begun)))
        )

    def _skip(self, begun: str) -> bool:
        """Skip what a model writes at the beginning of a line and is not shown; returns whether there was any."""
        line, _, rest = begun.partition("\n")
        if thought := _THOUGHT.match(begun):
            self._held, self._in_thought, self._skips_space = begun[thought.end() :], True, True
        elif line.strip() in self._of_notes or _OWN_NOTE.match(line):
            self._held, self._skips_space = rest, True
        elif head := self._match_head(begun):
            self._held = begun[head.end() :]
        else:
            return False
        return True

    def _match_head(self, begun: str) -> re.Match[str] | None:
        """Match what stands before a reply, such as one's own name; a step of one who acts by steps also behind an action."""
        if not self._is_begun:
            return _HEAD.match(begun) or self._own.match(begun) or _STEP.match(begun)
        return _STEP.match(begun) if self._before.startswith("Action") else None

    def _take(self, *, is_whole: bool) -> str:
        """Take what can be shown of the line."""
        line, newline, rest = self._held.partition("\n")
        is_code = self._in_code or (self._line + line).lstrip().startswith(_FENCE)
        if not is_code:
            mark = next((m for m in _MARK.finditer(line) if (self._line + line[: m.start()]).count("`") % 2 == 0), None)
            if mark is not None:
                self._is_over, line, newline = True, line[: mark.start()], ""
            if not newline and not is_whole and not self._is_over and (end := _MAY_GO_ON.search(line)):
                line, rest = line[: end.start()], line[end.start() :]
            line = _NOTE.sub("", line)
        self._held = rest
        self._line += line
        self._is_over = self._is_over or (not is_code and self._goes_round(line + newline))
        if newline:
            self._in_code ^= self._line.lstrip().startswith(_FENCE)
            self._before = self._line.strip() or self._before
            self._line, self._is_line_begun = "", False
        return line + newline

    def _goes_round(self, text: str) -> bool:
        """Whether the reply says the same sentences again and again, as small models do without end."""
        self._last = (self._last + text)[-_ROUND_READ:]
        split = (_LIST_NUMBER.sub("", one.strip()) for one in _SENTENCE_END.split(self._last))
        said = [one for one in split if one]
        if not self._last.rstrip().endswith(tuple(".!?。！？")):
            said = said[:-1]
        runs = (self._last.rstrip()[-size:] for size in range(1, _RUN_LONGEST + 1))
        return any(is_said_in_rounds(said, size) for size in range(1, _SENTENCES_MOST + 1)) or any(
            any(map(str.isalnum, run)) and self._last.rstrip().endswith(run * _RUNS_MOST) for run in runs
        )


def is_said_in_rounds(said: Sequence[str], size: int) -> bool:
    """Whether the last sentences are the same ones again and again, so many at a time."""
    last = list(said[-size:])
    is_long = len("".join(last).encode()) >= _ROUND_LEAST and len({*last}) == size
    return is_long and said[-size * ROUNDS_MOST :] == last * ROUNDS_MOST


class FieldFilter:
    """Holds back a reply that is the text of a field, and finds that text; every other text passes."""

    def __init__(self) -> None:
        self._held = ""
        self._is_open = True

    def add(self, text: str) -> str:
        if not self._is_open:
            return text
        self._held += text
        begun = "".join(self._held.split())
        if begun.startswith(_FIELD_STARTS) or any(start.startswith(begun) for start in _FIELD_STARTS):
            return ""
        self._is_open = False
        return self._held

    def finish(self) -> str:
        """Return the text of the field, or the text that is still held."""
        field = _FIELD.match(self._held) if self._is_open else None
        if field is None:
            return self._held if self._is_open else ""
        value = self._held[field.end() :]
        try:
            said, end = json.JSONDecoder(strict=False).raw_decode(value)
        except ValueError:
            said, end = "", 0
        # Else it was cut off, or has quotes of its own.
        return (
            said
            if _BEHIND_FIELD.match(value, end)
            else _FIELD_END.sub("", value[1:]).replace("\\n", "\n").replace('\\"', '"')
        )


class _Label:
    """What names a speaker at the beginning of a line: "User:", "**Nell:**"."""

    def __init__(self, *names: str) -> None:
        self._names = [name.casefold() for name in names if name]
        named = "|".join(re.escape(name) for name in names if name)
        self.match = re.compile(
            rf"(?:\*\*|#{{1,4}} )?(?:{named})(?: \([^()\n]{{1,40}}\))?(?:\*\*)? ?[:：](?:\*\*)?[ \t]*", re.IGNORECASE
        ).match

    def may_begin(self, text: str) -> bool:
        """Whether a text that ends here may be a label, or the space behind one."""
        named = re.sub(r"[\s*#:：]+", " ", text).strip().casefold()
        return any(name.startswith(named) or named.startswith(f"{name} (") for name in self._names)
