"""The names of a bond's people and things, by which recaps and the story are checked."""

from echovessel import text
from memory.models import EntityAlias
from personas.models import Bond


def load_known_names(bond: Bond) -> list[tuple[str, ...]]:
    """Load the names of each known person or thing, without those of the two who talk."""
    own = {text.fold(name) for name in (bond.user.username, bond.user.shown_name, bond.persona.name)}
    aliases = EntityAlias.objects.of_existing_entities().filter(bond=bond).order_by("entity", "id")
    names: dict[int, list[str]] = {}
    for entity, name, folded in aliases.values_list("entity", "name", "folded"):
        names.setdefault(entity, [])
        if folded not in own:
            names[entity].append(name)
    return [tuple(of_one) for of_one in names.values() if of_one]
