"""The names of entities. Within a bond each name belongs to one entity."""

from collections.abc import Iterable, Mapping, Sequence

from echovessel import text
from echovessel.llm.offline.text import naming
from memory.messages.secrets import MASK
from memory.models import ConceptNode, Entity, EntityAlias
from personas import blocks
from personas.models import Bond, CoreBlock

# Folding expands some single characters.
FOLDED_MOST = 240
_ANYBODY = (
    "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours they them their "
    "theirs user assistant companion 我 你 您 他 她 它 我们 咱们 你们 您们 他们 她们 它们 大家 自己 人家 对方 用户 助手"
)
# As names they would occur in every message.
NOT_A_NAME = frozenset(_ANYBODY.split()) | {"the user", "the assistant", "the companion"}


def fold_usable_names(names: Sequence[str], *, own: Iterable[str]) -> dict[str, str]:
    """Fold names; drop secrets, words for anybody, and the user's and the persona's `own`."""
    themselves = {text.fold(name) for name in own if name}
    by_folded = {text.fold(name): name for name in reversed(names)}
    return {
        folded: by_folded[folded]
        for folded in map(text.fold, names)
        if 0 < len(folded) <= FOLDED_MOST and folded not in themselves | NOT_A_NAME and MASK not in by_folded[folded]
    }


def name_user(bond: Bond) -> str:
    """Return what the user wants to be called, else the name of their account."""
    live = ConceptNode.objects.for_bond(bond).live_facts().filter(slot=ConceptNode.Slot.PREFERRED_NAME)
    return live.values_list("value", flat=True).first() or bond.user.shown_name


def list_own_names(bond: Bond) -> list[str]:
    """List how the two who talk are called, the user also by the facts of their names, whole and by its first word, and in the text
    about them.
    """
    slots = (ConceptNode.Slot.PREFERRED_NAME, ConceptNode.Slot.FULL_NAME)
    live = ConceptNode.objects.for_bond(bond).live_facts().filter(slot__in=slots)
    block = blocks.find(bond, CoreBlock.Label.USER)
    names = [*live.values_list("value", flat=True), naming.find_in(block.content if block else "")]
    told = [one for name in names if name.strip() for one in (name, name.split()[0])]
    return [bond.user.username, bond.user.shown_name, bond.persona.name, *told]


def find_by_names(*, bond: Bond, names: Iterable[str]) -> list[Entity]:
    """Find the entities with these folded names, in the names' order."""
    names = list(names)
    return pick_named(names, map_by_names(bond=bond, names=names))


def map_by_names(*, bond: Bond, names: Sequence[str]) -> dict[str, Entity]:
    aliases = EntityAlias.objects.of_existing_entities().filter(bond=bond, folded__in=names)
    return {alias.folded: alias.entity for alias in aliases.select_related("entity")}


def pick_named(names: Iterable[str], by_name: Mapping[str, Entity]) -> list[Entity]:
    return list(dict.fromkeys(by_name[folded] for folded in names if folded in by_name))


def add_names(*, entity: Entity, names: dict[str, str]) -> None:
    """Add the names that no entity of the bond has."""
    EntityAlias.objects.bulk_create(
        [
            EntityAlias(bond_id=entity.bond_id, entity=entity, name=name, folded=folded)
            for folded, name in names.items()
        ],
        ignore_conflicts=True,
    )


def load_folded_names(entity: Entity) -> list[str]:
    return list(entity.aliases.not_deleted().order_by("id").values_list("folded", flat=True))
