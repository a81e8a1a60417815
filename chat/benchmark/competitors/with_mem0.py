"""mem0 with its default pgvector store and `infer=False`: it stores the text without asking a model."""

import os

import task  # type: ignore[import-not-found]  # stands beside it where it runs

asked = task.read_task()
# Set before the import: otherwise it sends telemetry and writes into the home directory.
os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(asked.folder / "mem0"), "OPENAI_API_KEY": "none"}

from mem0 import Memory  # noqa: E402 - see above

WHO = "benchmark"


class PrecomputedEmbedder:
    """Replaces its embedder."""

    def __init__(self) -> None:
        self.vectors = asked.get_vectors()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return list(self.vectors[text])

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "pgvector",
            "config": {
                "connection_string": asked.database_url,
                "collection_name": "mem0",
                "embedding_model_dims": len(asked.memories[0].vector),
            },
        },
        "history_db_path": str(asked.folder / "mem0-history.db"),
    }
)
memory.embedding_model = PrecomputedEmbedder()
add = task.time_each(lambda text: memory.add(text.content, user_id=WHO, infer=False), asked.memories)


def search(text: task.Text) -> object:
    return memory.search(text.content, filters={"user_id": WHO}, top_k=asked.most)


search(asked.queries[0])
task.tell(add=add, search=task.time_each(search, asked.queries))
