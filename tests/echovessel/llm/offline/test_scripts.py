"""The rules read and answer traditional characters: a reply is in the user's script, and an event as it was told."""

import json

from echovessel import chinese_script
from echovessel.llm.inputs import Certainty, NotedFact, ReflectedEvent, ReflectionInputs
from echovessel.llm.offline import capitals, rules
from tests.support.extracting import inputs_of
from tests.support.reply_inputs import inputs, told

ZH = {"persona_name": "苏然", "persona": "苏然在海边开书店。"}


def test_a_loss_told_in_traditional_characters_is_mourned_in_them():
    said = rules.answer(inputs("我媽媽昨天去世了", window=["我今天很累", "辛苦了。"], **ZH))
    assert "難過" in said or "聽" in said or "趕" in said or "說" in said
    assert not chinese_script.is_simplified(said)


def test_a_reply_to_simplified_characters_has_no_others():
    window = ["我養了一隻貓叫湯圓", "湯圓呀，你說。"]
    said = rules.answer(inputs("我的猫叫什么？", window=window, recalled=[told("我養了一隻貓叫湯圓。", days=1)], **ZH))
    assert "汤圆" in said
    assert not chinese_script.is_traditional(said)


def test_words_of_both_scripts_are_answered_in_that_of_the_words_before():
    noted = [NotedFact(op="saved", text="用户叫美玲", facet="about_you", is_new=True)]
    assert chinese_script.is_traditional(rules.answer(inputs("晚安", window=["我還在高雄", "嗯。"], noted=noted, **ZH)))


def test_an_event_is_kept_as_it_was_told():
    answer = json.loads(rules.answer(inputs_of("我先生去年過世了，他叫國棟，最愛吃牛肉麵。")))
    assert [event["description"] for event in answer["events"]] == ["我先生去年過世了，他叫國棟，最愛吃牛肉麵。"]


def test_a_thought_is_of_the_script_of_the_events():
    events = [
        ReflectedEvent(1, -8, "我爸前年中風，現在都要復健。"),
        ReflectedEvent(2, -6, "今天有隻狗狗走了，我在家裡哭了。"),
    ]
    [thought] = json.loads(rules.answer(ReflectionInputs(tuple(events))))["thoughts"]
    assert "難事" in thought["description"]
    assert chinese_script.simplify(thought["description"]) != thought["description"]
    assert chinese_script.traditionalise(thought["description"]) == thought["description"]


def test_dialect_is_read_and_quoted_as_it_is():
    said = rules.answer(inputs("俺娘在哪住？", recalled=[told("俺娘住在周口的老屋里，一个人种地。", days=1)], **ZH))
    assert "周口" in said
    assert not chinese_script.is_traditional(said)


def test_a_quote_is_shown_as_it_was_typed():
    told_once = told("外婆6月1號給我縫了一條紅色的圍巾，她還教我織毛衣。", days=1)
    said = rules.answer(inputs("跟我说说我外婆的事", recalled=[told_once], certainty=Certainty.UNSURE, **ZH))
    assert "“外婆6月1號給我縫了一條紅色的圍巾，她還教我織毛衣。”" in said
    assert not chinese_script.is_traditional(said.partition("“")[0])


def test_a_loss_told_in_dialect_is_mourned():
    said = rules.answer(inputs("阿公昨晚走咗 瞓着走嘅", window=["我今天很累", "辛苦了。"], **ZH))
    assert said.startswith(("你阿公", "我很难过", "这是很大的", "唉", "谢谢你愿意", "我没有什么"))


def test_a_question_in_dialect_is_answered_and_leaves_no_event():
    said = rules.answer(inputs("我阿妈知唔知我嘅事", window=["我阿妈同我讲 佢知道我嘅事好耐啦", "嗯。"], **ZH))
    assert "佢知道你嘅事好耐啦，是你今天告诉我的" in said
    answer = json.loads(rules.answer(inputs_of("阿公点样走嘅", "边个介绍我相亲")))
    assert answer["events"] == []


def test_what_the_companion_puts_in_quotation_marks_is_in_the_users_script():
    said = [rules.answer(inputs("我好怕又沒了", window=["我還在高雄"] * at, **ZH)) for at in range(1, 9, 2)]
    assert not any(map(chinese_script.is_simplified, said))
    assert not any("没" in one for one in said)


def test_a_word_of_dialect_that_has_no_plain_form_is_kept():
    answer = json.loads(rules.answer(inputs_of("阿爸我五歲嗰年走咗，車禍。")))
    assert "嗰" in answer["events"][0]["description"]


def test_a_loss_is_mourned_of_somebody_whose_name_is_typed_in_lower_case():
    said = rules.answer(inputs("maisie passed last night", window=["My friend Maisie is 91.", "Mm."]))
    assert said == rules.answer(inputs("Maisie passed last night", window=["My friend Maisie is 91.", "Mm."]))
    answer = json.loads(rules.answer(inputs_of("walter passed last night. in his sleep they said")))
    assert [event["description"] for event in answer["events"]] == ["Walter passed last night. In his sleep they said."]


def test_a_name_is_quoted_as_it_was_typed():
    told_once = told("walter was a baker in Leeds", days=1)
    said = rules.answer(inputs("where was walter a baker", recalled=[told_once], certainty=Certainty.UNSURE))
    assert "“walter was a baker in Leeds”" in said


def test_a_given_name_that_is_a_word_is_one_only_where_it_was_written_so():
    assert _write("will you mark it? sandra will", told="Sandra came.") == "will you mark it? Sandra will"
    assert _write("pat came, and mrs lomax", told="My friend Pat came.") == "Pat came, and Mrs Lomax"


def _write(text, *, told):
    return capitals.learn([told])(text)


def test_what_a_model_noted_by_name_is_told_to_the_user():
    loaded = "## About Mars\n- Mara has a brother called Jonas."
    asked = inputs(
        "Do I have a brother?", loaded=loaded, user_name="Mars", other_name="Mara", certainty=Certainty.KNOWN
    )

    assert "you have a brother called jonas" in rules.answer(asked).lower()
