import codecs
from datetime import date

import pytest

from echovessel.materials import BYTES_MOST, Material, MaterialError, Passage, parse
from tests.echovessel.materials.files import zipped

HOSTILE = "<script>alert(1)</script> ${name} {{7*7}} \u202edrow\u202c a\u200bb"


@pytest.mark.parametrize(
    ("name", "kind"), [("notes.txt", "txt"), ("NOTES.MD", "md"), ("diary", "txt"), ("a.b.markdown", "md")]
)
def test_text_is_taken_as_it_is(name, kind):
    assert parse(name, HOSTILE.encode()) == Material(kind, HOSTILE)


@pytest.mark.parametrize(
    ("text", "material"),
    [
        (
            "You said:\nI'm Rob.\nIn Hull.\nChatGPT said:\nHi.\n**You:** Rain.\n**ChatGPT:** Oh.",
            Material("chat", "User: I'm Rob.\nIn Hull.\n\n\nAssistant: Hi.\n\n\nUser: Rain.\n\n\nAssistant: Oh."),
        ),
        (
            "我：下雨。\n助手：哦。\n我：冷。\n助手：嗯。",
            Material("chat", "User: 下雨。\n\n\nAssistant: 哦。\n\n\nUser: 冷。\n\n\nAssistant: 嗯。"),
        ),
        ("Me: tea\nAI: none\nMe: rain", Material("txt", "Me: tea\nAI: none\nMe: rain")),
    ],
)
def test_a_chat_that_was_pasted_as_text_says_whose_each_paragraph_is(text, material):
    assert parse("old.txt", text.encode()) == material


@pytest.mark.parametrize(
    "content",
    [
        "妈妈 sang.\r\nTwice.".encode(),
        codecs.BOM_UTF8 + "妈妈 sang.\nTwice.".encode(),
        "妈妈 sang.\nTwice.".encode("utf-16"),
        codecs.BOM_UTF16_BE + "妈妈 sang.\nTwice.".encode("utf-16-be"),
    ],
    ids=["utf-8", "utf-8 with a mark", "utf-16 little", "utf-16 big"],
)
def test_utf_8_and_marked_utf_16_are_read(content):
    assert parse("a.txt", content) == Material("txt", "妈妈 sang.\nTwice.")


@pytest.mark.parametrize("name", ["a.txt", "a.json", "a.csv", "a.png", "a.zip", ""])
@pytest.mark.parametrize("content", [b"", b" \n\t", codecs.BOM_UTF8])
def test_an_empty_file_is_said_to_be_empty(name, content):
    with pytest.raises(MaterialError) as caught:
        parse(name, content)

    assert caught.value.code == "invalid"


@pytest.mark.parametrize(
    ("name", "content", "detail"),
    [
        ("a.txt", "Käse".encode("latin-1"), "not in UTF-8"),
        ("a.md", "妈妈".encode("gbk"), "not in UTF-8"),
        ("a.txt", b"\xff\xfeA", "not in UTF-8"),
        ("a.txt", b"MZ\0\0", "is binary, not text"),
        ("a.json", '{"a": "Käse"}'.encode("latin-1"), "not in UTF-8"),
        ("a.json", b"[1, 2", "it is not JSON"),
        ("a.json", b"{]", "it is not JSON"),
        ("a.json", b"[" + b"9" * 5000 + b"]", "it is not JSON"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b'[{"mapping": ' + b"[" * 100_000, "nested too deeply"),
        ("a.json", b'{"name": "a", "description": ' + b'{"a":' * 100_000, "nested too deeply"),
        ("a.pdf", b"%PDF-1.7", "not known"),
        ("a.exe", b"MZ", "not known"),
        ("a.jpg", b"\xff\xd8\xff\xe0", "PNG"),
        ("a.csv", b"date,said\n" + b'"' + b"x" * 200_000 + b'"', "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(name, content, detail):
    with pytest.raises(MaterialError, match=detail) as caught:
        parse(name, content)

    assert caught.value.code == "invalid"


def test_fifty_mib_are_read_and_not_a_byte_more():
    assert len(parse("a.txt", b"x" * BYTES_MOST).text) == BYTES_MOST
    with pytest.raises(MaterialError, match="at most 50 MiB") as caught:
        parse("a.txt", b"x" * (BYTES_MOST + 1))

    assert caught.value.code == "too_long"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"[" + b"1," * 4_000_000 + b"1]"),
        ("a.csv", b"1\n" * 1_100_000),
        ("a.csv", b"," * 1_100_000),
    ],
)
def test_more_values_than_anybody_wrote_are_refused(name, content):
    with pytest.raises(MaterialError) as caught:
        parse(name, content)

    assert caught.value.code == "too_long"


def test_any_json_becomes_lines():
    content = b"""{"diary": [{"day": "Monday", "rain": 3, "dry": false, "said": "I stayed in.\\u0000\\ud800"},
        {"day": "Tuesday", "said": null, "tags": ["bread", "mill"]}], "by": "mara"}"""

    assert parse("a.json", content).text == (
        "day: Monday\nrain: 3\nsaid: I stayed in.\n\nday: Tuesday\ntags: bread\ntags: mill\n\nby: mara"
    )


def test_a_table_becomes_a_paragraph_a_row():
    material = parse("a.csv", 'who;what\nmara;"sang;\nloudly"\n;\n小黑;睡觉;twice'.encode())

    assert material == Material("csv", "who: mara\nwhat: sang;\nloudly\n\nwho: 小黑\nwhat: 睡觉\ntwice")


def test_rows_of_a_table_with_days_are_of_their_day():
    material = parse("a.csv", b"Date,said\n2024-03-01 10:00,Rain.\nsoon,Sun.")

    assert material.dated == [
        Passage("Date: 2024-03-01 10:00\nsaid: Rain.", date(2024, 3, 1), ""),
        Passage("Date: soon\nsaid: Sun.", None, ""),
    ]


@pytest.mark.parametrize(
    ("content", "code", "detail"),
    [
        (zipped(notes__txt="hello"), "invalid", "has no conversations.json"),
        (lambda: zipped(conversations__json=b" " * (51 * 2**20)), "too_long", "unpacks to too much"),
        (zipped(conversations__json="[]")[:-4], "invalid", "broken"),
        (b"PK\x03\x04 nothing more", "invalid", "broken"),
        (b"PK\x05\x06" + b"\0" * 8 + b"\xff\xff\xff\x7f" + b"\0" * 6, "too_long", "too many files"),
    ],
    ids=["another zip", "a bomb", "cut off", "no end", "endless table of contents"],
)
def test_zips_that_are_no_export_are_refused(content, code, detail):
    # What is large is made where it is asked for, and not by each process that collects tests.
    content = content() if callable(content) else content

    with pytest.raises(MaterialError, match=detail) as caught:
        parse("export.zip", content)

    assert caught.value.code == code
