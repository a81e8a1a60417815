from chat.admin import erasing, ledger, queue, turns

__all__ = ["erasing", "ledger", "queue", "turns"]
