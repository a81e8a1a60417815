class CodedError(Exception):
    """A refusal: one of the contract's codes, and a sentence for a person."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
