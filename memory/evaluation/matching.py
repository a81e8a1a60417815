"""Which node of a bond is which thing of its story."""

from memory.evaluation.story import Story
from memory.models import ConceptNode, Message
from personas.models import Bond


def find_story_ids(node: ConceptNode, *, story: Story) -> set[str]:
    """What of the story a node tells: what has its text, else all that rests on one of its lines."""
    if same_text := {one.id for one in story.written if one.text in node.description}:
        return same_text
    said = {line.content for line in node.source_messages.all()}
    return {one for one in story.remembered if said & collect_source_texts(one, story=story)}


def find_ids_told_in(line: Message, *, story: Story) -> set[str]:
    """What of the story rests on a line."""
    return {one for one in story.remembered if line.content in collect_source_texts(one, story=story)}


def collect_source_texts(id: str, *, story: Story) -> set[str]:
    talk, one = next((talk, one) for talk in story.talks for one in talk.remembered if one.id == id)
    return {line.text for line in talk.find_messages(one)}


def find_nodes(id: str, *, story: Story, bond: Bond) -> list[ConceptNode]:
    """The bond's nodes, forgotten ones left out, that tell one thing of the story."""
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().prefetch_related("source_messages").order_by("id")
    return [node for node in nodes if id in find_story_ids(node, story=story)]
