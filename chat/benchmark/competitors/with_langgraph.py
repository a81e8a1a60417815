"""LangGraph's PostgresStore with its default vector index."""

from collections.abc import Sequence
from uuid import uuid4

import task  # type: ignore[import-not-found]  # stands beside it where it runs
from langgraph.store.postgres import PostgresStore

WHO = ("benchmark",)
asked = task.read_task()
known = asked.get_vectors()


def embed(texts: Sequence[str]) -> list[list[float]]:
    return [list(known[text]) for text in texts]


index = {"dims": len(asked.memories[0].vector), "embed": embed, "fields": ["text"]}
with PostgresStore.from_conn_string(asked.database_url, index=index) as store:
    store.setup()
    add = task.time_each(lambda text: store.put(WHO, str(uuid4()), {"text": text.content}), asked.memories)

    def search(text: task.Text) -> object:
        return store.search(WHO, query=text.content, limit=asked.most)

    search(asked.queries[0])
    task.tell(add=add, search=task.time_each(search, asked.queries))
