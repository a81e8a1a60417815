from personas.admin import accounts, authored, companions, log

__all__ = ["accounts", "authored", "companions", "log"]
