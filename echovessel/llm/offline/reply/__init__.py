from echovessel.llm.offline.reply.speaker import compose

__all__ = ["compose"]
