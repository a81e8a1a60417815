from echovessel.llm.offline.reply.speaker import compose, think

__all__ = ["compose", "think"]
