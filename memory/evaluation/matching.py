"""Which node of a bond is which thing of its story."""

from memory.evaluation.story import Story
from memory.models import ConceptNode, Message
from personas.models import Bond


def ids_of(node: ConceptNode, *, story: Story) -> set[str]:
    """What of the story a node tells: what has its text, else all that rests on one of its lines."""
    if same_text := {one.id for one in story.written if one.text in node.description}:
        return same_text
    said = {line.content for line in node.source_messages.all()}
    return {one for one in story.remembered if said & lines_of(one, story=story)}


def told_in(line: Message, *, story: Story) -> set[str]:
    """What of the story rests on a line."""
    return {one for one in story.remembered if line.content in lines_of(one, story=story)}


def lines_of(id: str, *, story: Story) -> set[str]:
    talk, one = next((talk, one) for talk in story.talks for one in talk.remembered if one.id == id)
    return {line.text for line in talk.lines_of(one)}


def nodes_of(id: str, *, story: Story, bond: Bond) -> list[ConceptNode]:
    """The bond's nodes, forgotten ones left out, that tell one thing of the story."""
    nodes = ConceptNode.objects.of(bond).filter(deleted_at=None).prefetch_related("source_messages").order_by("id")
    return [node for node in nodes if id in ids_of(node, story=story)]
