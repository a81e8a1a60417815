from echovessel.llm.offline.extraction.session import extract

__all__ = ["extract"]
