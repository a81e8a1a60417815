"""Match the nodes of a bond with the memories of its story."""

from memory.evaluation.stories.story import Story
from memory.models import ConceptNode, Message
from personas.models import Bond


def find_story_ids(node: ConceptNode, *, story: Story) -> set[str]:
    """Find the story's memories that a node tells: those with its text, else all that rest on its messages."""
    if same_text := {one.id for one in story.written if one.text in node.description}:
        return same_text
    said = {message.content for message in node.source_messages.all()}
    return {one for one in story.remembered if said & collect_source_texts(one, story=story)}


def find_ids_told_in(line: Message, *, story: Story) -> set[str]:
    """Find the story's memories that rest on a message."""
    return {one for one in story.remembered if line.content in collect_source_texts(one, story=story)}


def collect_source_texts(id: str, *, story: Story) -> set[str]:
    talk, one = next((talk, one) for talk in story.talks for one in talk.remembered if one.id == id)
    return {message.text for message in talk.find_messages(one)}


def find_nodes(id: str, *, story: Story, bond: Bond) -> list[ConceptNode]:
    """Find the nodes, without forgotten ones, that tell one memory of the story."""
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().prefetch_related("source_messages").order_by("id")
    return [node for node in nodes if id in find_story_ids(node, story=story)]
