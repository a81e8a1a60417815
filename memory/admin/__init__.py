from memory.admin import entities, imports, messages, nodes, sessions, traces, trash

__all__ = ["entities", "imports", "messages", "nodes", "sessions", "traces", "trash"]
