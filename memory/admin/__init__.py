from memory.admin import entities, messages, nodes, sessions, traces, trash

__all__ = ["entities", "messages", "nodes", "sessions", "traces", "trash"]
