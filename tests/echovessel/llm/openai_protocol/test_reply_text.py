import pytest

from echovessel.llm.openai_protocol.reply_text import FieldFilter, ReplyTextFilter

NOTES = "You are Nell.\n\n- Speak as Nell, in your own style.\n\n<notes>\n# About Kofi\n<about>\n- (today) Kofi is four.\n- a cat\n</about>\nIt is Sunday, 29 November, where Amara is. So.\n<mood>warm</mood>, energy 6.\n</notes>"
SCRIPT = "Sure, a short one:\n\nAmara: Hello.\nNell: Hello.\nAmara: Rain again."
CODE = "So:\n```\nUser: hi<|im_end|>\n<think>\n```\nand `</s>` ends it."


def show(pieces):
    text_filter = ReplyTextFilter("Nell", "Amara", NOTES)
    shown = ""
    for piece in pieces:
        added = text_filter.add(piece)
        shown, text_filter.takes_back = added if text_filter.takes_back else shown + added, False
    return (shown + text_filter.finish()).strip()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Nell: Three in a row.<|im_end|>", "Three in a row."),
        ("**Nell:** Three.</s>", "Three."),
        ("Assistant: Three. [/INST]", "Three."),
        ("<think>\nShe is tired.\n</think>\n\nNell: Three.", "Three."),
        ("<think>\nShe is tired.\n\nThree.", ""),
        ("She is tired.\nShort.\n</think>\n\nThree.", "Three."),
        ("Ha. Ha. Ha. Ha. Ha. Ha.", "Ha. Ha. Ha. Ha. Ha. Ha."),
        ("记忆：Amara 对头孢过敏。\n回复：先跟医生讲。", "先跟医生讲。"),
        ("[Sunday, 29 November 2026, 13:08] [mood: warm]\nThree.", "Three."),
        ("<when>Sunday 29 November 2026, midday</when>\nThree.", "Three."),
        ("[sic] Three.", "[sic] Three."),
        ("Three.\n<thinking>Or four?</thinking>\nYes.", "Three.\nYes."),
        ("<|im_start|>assistant\nThree.", "Three."),
        ("Assistant (Nell): Three.", "Three."),
        ("Thought: She is tired.\nFinal Answer: Three.", "Three."),
        ("Action: x\nAction Input: {}\nObservation: ok\nFinal Answer: Three.", "Action: x\nAction Input: {}\nThree."),
        ("Final Answers\nThought: a word", "Final Answers\nThought: a word"),
        ("周四。\n用户：好的", "周四。"),
        ("Three.\nAmara: Yes.\nNell: Good.", "Three."),
        ("Three.\n\nUser: Yes.", "Three."),
        ("### Response:\nThree.\n\n### User:\nYes.", "Three."),
        (
            "<|channel|>analysis<|message|>She is tired.<|end|><|start|>assistant<|channel|>final<|message|>Three.",
            "Three.",
        ),
        ("Three.<|end|>", "Three."),
        ("Three.\n\n(Note: I kept my reply short.)", "Three."),
        ("三。\n（注：以上回复遵循了设定。）", "三。"),
        ("(Note: bring three.)", "(Note: bring three.)"),
        ("It is Sunday, 29 November, where Amara is. So.\n<mood>warm</mood>, energy 6.\nThree.", "Three."),
        ("A boat. (#9 [guessed, about_you])", "A boat."),
        ("A boat [told, about_us], no bedpans", "A boat, no bedpans"),
        ("Three.<|im_end|>\n<|im_start|>user\nYes", "Three."),
        ("[mood: warm]\n# About Kofi\n<about>\n- (today) Kofi is four.\n\nThree.", "Three."),
        ("【记忆：陈默研二】\n材料狗!", "材料狗!"),
        ("It is Sunday, 29 November, where Amara is.\n\nThree.", "Three."),
        ("【记忆】是什么?", "【记忆】是什么?"),
        ("# About me\n- a cat\n- (today) Dele", "# About me\n- a cat\n- (today) Dele"),
        ("<notes>\n# About Kofi\n</notes>\nNell: Three.", "Three."),
        ("- Speak as Nell, in your own style.\nThree.", "Three."),
        ("- Speak as Nell.\nThree.", "- Speak as Nell.\nThree."),
        (SCRIPT, SCRIPT),
        ("Amara: Hello.\nNell: Hello.\nAmara: Rain.", "Amara: Hello.\nNell: Hello.\nAmara: Rain."),
        (CODE, CODE),
        ("<3 you [sic] (#1 of 2)\nNelly: a name. User's", "<3 you [sic] (#1 of 2)\nNelly: a name. User's"),
        ("Use `<think>` or <b>bold</b>.", "Use `<think>` or <b>bold</b>."),
    ],
)
def test_what_is_no_part_of_a_reply_is_not_shown(said, shown):
    assert show([said]) == shown
    assert show(said) == shown


def test_a_reply_that_goes_round_ends():
    assert show("Yes. " + 9 * "I am here. I listen, Bo. ") == "Yes." + 4 * " I am here. I listen, Bo."
    assert show("".join(f"{at}. Breathe in and out.\n" for at in range(1, 9))).endswith("4. Breathe in and out.")
    assert show(9 * "Ha! No. ") == (9 * "Ha! No. ").strip()
    assert show("Meatballs. " + 9 * "Lie about the carrot. ") == "Meatballs." + 4 * " Lie about the carrot."
    assert show("Oh " + 99 * "no ") == "Oh" + 40 * " no"
    assert show("好" + 99 * "的呀") == "好" + 40 * "的呀"
    assert show(99 * "- ") == (99 * "- ").strip()
    assert show("够狠的。" + 9 * "你一定可以的。") == "够狠的。" + 4 * "你一定可以的。"


def test_a_reply_is_shown_as_it_comes():
    text_filter = ReplyTextFilter("Nell", "Amara")

    assert [text_filter.add(piece) for piece in ("Thr", "ee <", "3\nAm", "ber.")] == ["Thr", "ee ", "<3\n", "Amber."]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ('{"reply": "39度8?\\n喝水。"}', "39度8?\n喝水。"),
        ('```json\n{"reply": "名字巴适。", "mood": "warm"}\n```', "名字巴适。"),
        ('{"response": "He said "no" to', 'He said "no" to'),
        ('{"reply": "He said "no"."}', 'He said "no".'),
        ('{"name": "Sam"}', '{"name": "Sam"}'),
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'),
        ("{", "{"),
        ("Three.", "Three."),
    ],
)
def test_a_reply_in_a_field_is_its_text(said, shown):
    for pieces in ([said], said):
        fields = FieldFilter()
        assert "".join(map(fields.add, pieces)) + fields.finish() == shown
