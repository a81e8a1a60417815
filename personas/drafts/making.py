import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from pydantic import ValidationError

from echovessel import materials, tokens
from echovessel.llm import answers
from echovessel.llm.errors import BadAnswerError
from echovessel.llm.inputs import DraftInputs
from echovessel.llm.protocol import LLM, ChatMessage, Origin
from echovessel.materials import Material
from echovessel.prompts import escape, render
from personas import avatars
from personas.cards.deriving import detect_language
from personas.drafts import from_card
from personas.drafts.draft import Draft
from personas.drafts.schemas import PersonaDraftAnswer
from personas.models import User

PROMPT = Path(__file__).parents[1] / "prompts" / "draft.md"
# Longer material adds little to a draft.
MATERIAL_MOST = 48_000
_CARD = re.compile(r'\s*\{\s*"')


def make_from_text(text: str, *, user: User, llm: LLM) -> Draft:
    """Make a draft from pasted text, which may be a card's JSON. Raises MaterialError, LLMError."""
    return make_from_file("pasted.json" if _CARD.match(text) else "pasted.txt", text.encode(), user=user, llm=llm)


def make_from_file(name: str, content: bytes, *, user: User, llm: LLM) -> Draft:
    """Make a draft from a file: a character card is copied, the model reads other material. Raises MaterialError, LLMError."""
    material = materials.parse(name, content)
    if material.card is None:
        return draft_with_model(material, user=user, llm=llm)
    return make_from_card(material.card, content)


def make_from_card(card: Mapping[str, Any], content: bytes) -> Draft:
    """Copy a character card, with the picture of the file that it came in."""
    draft = from_card.make_draft(card)
    return add_picture(draft, content) if content.startswith(materials.PNG_SIGNATURE) else draft


def add_picture(draft: Draft, content: bytes) -> Draft:
    try:
        return replace(draft, avatar=avatars.redraw(content))
    except avatars.AvatarError as error:
        return replace(draft, notes="\n".join([draft.notes, _("The picture was left out."), error.translate()]).strip())


def draft_with_model(material: Material, *, user: User, llm: LLM) -> Draft:
    text, note = truncate_material(material.text)
    prompt = render(PROMPT, material=escape(text), user_name=escape(" ".join(user.shown_name.split())))
    found = ask_model(prompt, DraftInputs(text), llm=llm, origin=Origin(user_id=user.pk))
    blocks = found.blocks.model_dump()
    return Draft(
        **blocks,
        name=found.name,
        tagline=found.tagline,
        language=found.language or detect_language(text),
        facts=found.facts,
        notes="\n".join(part for part in (found.notes, note) if part),
    )


def truncate_material(text: str) -> tuple[str, str]:
    """Truncate the material. Returns it with a note if it was cut."""
    most = min(len(text), MATERIAL_MOST)
    while tokens.estimate(text[:most]) > settings.CONTEXT_TOKENS // 2:
        most = most * 3 // 4
    if most == len(text):
        return text, ""
    said = _("Only the first %(most)s of %(count)s characters were read.")
    return text[:most], said % {"count": len(text), "most": most}


def ask_model(prompt: str, inputs: DraftInputs, *, llm: LLM, origin: Origin) -> PersonaDraftAnswer:
    """Return the model's draft; a bad answer is retried once, since a person waits. Raises LLMError."""
    messages: list[ChatMessage] = [{"role": "user", "content": prompt}]
    ask = partial(llm.answer, feature="persona_draft", schema=PersonaDraftAnswer, origin=origin, inputs=inputs)
    first = ask(messages)
    try:
        return parse_draft(first.text)
    except BadAnswerError as error:
        messages += [
            {"role": "assistant", "content": first.text[:20_000]},
            {"role": "user", "content": f"{error} Answer again with the JSON object alone."},
        ]
    return parse_draft(ask(messages).text)


def parse_draft(answer: str) -> PersonaDraftAnswer:
    parsed = answers.read(answer, PersonaDraftAnswer)
    try:
        found = PersonaDraftAnswer.model_validate(parsed)
    except ValidationError as error:
        raise BadAnswerError("The model's draft is not in the format that was asked for.") from error
    if not any(found.blocks.model_dump().values()) and not found.facts:
        raise BadAnswerError("The model's draft is empty.")
    return found
