"""The markup of a page on one line, so that no test depends on where its template breaks lines."""

import re
from typing import Any


def markup_of(answer: Any) -> str:
    return re.sub(r"\s+>", ">", " ".join(answer.content.decode().split()))
