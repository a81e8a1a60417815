"""Wrong answers of a model, made from a good one."""

import json
from typing import Any

from hypothesis import strategies as st

STRANGE_TEXTS = [
    *(
        *("", " ", "\x00", "\ud800", "\\u0000", '\\"', "$persona_name", "</transcript>", "[secret]", "小黑", "ﷺ" * 120),
        *("\u202e", "我", "妈妈", "Mara", "mara", "marian", "2026-02-30", "0000-00-00", "９", "[1]"),
    ),
    *("4111 1111 1111 1111", "password: hunter2", "x" * 5000, "[1] 2026-11-21 20:00 user: hi", "NaN", "+4", "%s{}"),
]
STRANGE_NUMBERS = [10**400, -(10**30), 2**63, -1, 0, 99, 3.7, float("inf"), float("nan"), 1e308]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(STRANGE_NUMBERS)
    | st.sampled_from(STRANGE_TEXTS)
    | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
DRESSINGS = ["plain"] * 6 + ["fenced", "truncated", "prose", "unescaped", "wrapped", "twice"]


@st.composite
def mutated(draw: Any, value: Any, *, spare: Any) -> Any:
    """The value with some of its parts replaced, left out, said several times, or put where another belongs (`spare`)."""
    kind = draw(st.sampled_from(["keep"] * 10 + ["junk", "wrap", "swap"]))
    if kind == "junk":
        return draw(JUNK)
    if kind == "swap":
        return draw(st.sampled_from(spare))
    if isinstance(value, dict):
        left = [key for key in value if draw(st.integers(0, 9))]
        value = {key: draw(mutated(value[key], spare=spare)) for key in left}
    elif isinstance(value, list):
        times = [draw(st.sampled_from([1, 1, 1, 0, 2, 9])) for _ in value]
        value = [
            draw(mutated(part, spare=spare)) for part, count in zip(value, times, strict=True) for _ in range(count)
        ]
    return [value] if kind == "wrap" else value


def parts_of(value: Any) -> list[Any]:
    """Return all values within a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value, *(part for one in inner for part in parts_of(one))]


def as_text(answer: Any, dressing: str) -> str:
    text = json.dumps(answer)
    return {
        "plain": text,
        "fenced": f"```json\n{text}\n```",
        "truncated": text[: len(text) * 2 // 3],
        "prose": f"Here it is: {text}",
        "unescaped": json.dumps(answer, ensure_ascii=False),
        "wrapped": json.dumps({"answer": answer}),
        "twice": f"{text}\n{text}",
    }[dressing]


def answers(good: dict[str, Any]) -> st.SearchStrategy[str]:
    return st.builds(as_text, mutated(good, spare=parts_of(good)), st.sampled_from(DRESSINGS))
