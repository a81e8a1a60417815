"""How many tokens a bond's prompts hold before all that is told: the rules, the authored texts, the facts of its session.

Prompts, pages, the API and workers count them here, so that what a page says of a message is what the next prompt does.
"""

from collections.abc import Mapping

from django.db.models import F
from django.utils import timezone

from echovessel import tokens
from memory.facts import loaded_set
from memory.models import Session
from memory.story.inclusion import budget
from personas.models import BLOCK_CHARACTERS, Bond, CoreBlock

# Those of the rules with tools, and of the headings of the sections.
RULES_TOKENS = 790
HELD = (CoreBlock.Label.PERSONA, CoreBlock.Label.STYLE, CoreBlock.Label.SCENARIO, CoreBlock.Label.USER)
# More than there ever are, though a character of each text were a token.
MOST = RULES_TOKENS + (len(HELD) + 1) * BLOCK_CHARACTERS + 10_000


def count(bond: Bond, *, blocks: Mapping[str, str], known: str) -> int:
    """Count them by the texts of the core blocks, by label, and what the session has loaded of facts."""
    facts = getattr(bond.persona, "facts", None)
    told = [value for value in facts.as_dict().values() if value] if facts else []
    texts = [*(blocks.get(label, "") for label in HELD), *told, known]
    return RULES_TOKENS + sum(map(tokens.estimate, texts))


def load(bond: Bond) -> int:
    """Load how many a prompt would hold if a turn began now; what is usual, where the exact number makes no difference."""
    if budget.compute_budget(MOST) == budget.compute_budget(0):
        return budget.FIRM_TOKENS
    whole = Bond.objects.select_related("user", "persona__facts").get(pk=bond.pk)
    blocks = CoreBlock.objects.filter(persona=whole.persona_id) | CoreBlock.objects.filter(bond=whole)
    # A bond's own style comes last and replaces the persona's.
    texts = dict(blocks.exclude(content="").order_by(F("bond").asc(nulls_first=True)).values_list("label", "content"))
    return count(whole, blocks=texts, known=load_known(whole))


def load_known(bond: Bond) -> str:
    """Load what the next turn's session knows: the open one that was last talked in, or one that begins with it."""
    talks = Session.objects.for_bond(bond).filter(status=Session.Status.OPEN)
    newest = talks.order_by("-last_message_at", "-id").first()
    if newest is None or newest.loaded_at is None:
        return loaded_set.build(bond, now=timezone.now()).text
    return newest.loaded_text
