from personas.admin import accounts, companions, log

__all__ = ["accounts", "companions", "log"]
