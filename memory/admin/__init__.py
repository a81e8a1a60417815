from memory.admin import doubts, entities, imports, messages, nodes, sessions, story, traces, trash

__all__ = ["doubts", "entities", "imports", "messages", "nodes", "sessions", "story", "traces", "trash"]
