from chat.admin import ledger, queue, turns

__all__ = ["ledger", "queue", "turns"]
