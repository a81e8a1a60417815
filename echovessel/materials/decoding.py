import codecs

from echovessel.materials.material import MaterialError

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode_text(content: bytes) -> str:
    """Decode a text file: UTF-8, or UTF-16 with a byte order mark. Raises MaterialError."""
    mark, encoding = next((found for found in BYTE_ORDER_MARKS if content.startswith(found[0])), (b"", "utf-8"))
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        detail = "This file is not in UTF-8. Save it as UTF-8 and try again."
        raise MaterialError("invalid", detail) from error
    if "\0" in text:
        raise MaterialError("invalid", "This file is binary, not text.")
    return text.replace("\r\n", "\n")
