from datetime import UTC, datetime

from echovessel.llm.inputs import SceneRecapInputs, TranscriptLine
from echovessel.llm.offline.story import otherwise, scene_recap

OTHERWISE = """
The concert has been moved to Friday.
They've postponed the hearing.
We shifted the dinner to the 9th.
It's on the 5th, not the 4th.
Thursday now, the hall was taken.
The trip is off.
I don't swim any more.
I had it wrong, it is the left knee.
I told you wrong, she lives in Leeds.
I told you the talk was in Bern. It's Basel.
It's settled, they buy the boat.
会议改到周四了。
婚礼推迟到六月。
考试提前到明天了。
旅行取消了。
我说错了，他在长沙。
不是周三，是周四。
名字定了，叫小满。
我不在银行了。
""".strip().splitlines()
NOT_OTHERWISE = """
I moved the plants over a bit.
She moved her chair to the window.
The lights were off when I came.
Is the trip off?
If the trip were off I'd cry.
It is not the cold, it is the dark.
I told you so.
I need to change the bed.
She said it was late. They're all asleep.
他换了件外套。
我决定了要早起。
不好意思了。
Please don't bring up the care home any more.
会议改到周四了吗？
我一定会去的。
今天有点冷。
""".strip().splitlines()


def test_what_is_otherwise_than_was_said_or_planned_is_found():
    missed = [said for said in OTHERWISE if not list(otherwise.find([(1, said)]))]
    wrong = [said for said in NOT_OTHERWISE if list(otherwise.find([(1, said)]))]

    assert (missed, wrong) == ([], [])


def test_it_is_told_with_what_is_behind_it_then_before_it_in_30_tokens():
    moved = "The concert has been moved to Friday."

    def tell(behind):
        return [text for *_, text in otherwise.find([(1, f"The hall burned. {moved} {behind}.")])]

    assert tell("x" * 81) == [f"{moved} X{'x' * 80}."]
    assert tell("x" * 82) == [f"The hall burned. {moved}"]


def test_a_chinese_sentence_is_told_whole():
    said = "会议改到周四了。" + "好" * 31 + "。"

    assert [text for *_, text in otherwise.find([(1, said)])] == ["会议改到周四了。"]


def test_a_label_is_a_name_or_what_the_change_is_of():
    labels = {
        "My dad's operation has been moved to the 2nd.": "dad",
        "The concert on Friday is off.": "concert",
        "I don't swim any more.": "swim",
        "今天医生把预产期改了。": "预产期",
        "会议改到周四了。": "会议",
        "改期了。": "改期",
        "The interview's been cancelled, they filled the job.": "interview",
        "We decided to do IVF one more time.": "IVF",
        "雅思我改到三月了": "雅思",
    }

    assert {said: otherwise.label([said], 0) for said in labels} == labels


def test_a_scene_tells_how_things_stand_now():
    lines = ["The recital is on the 4th.", "It's on the 5th, not the 4th."]
    now = datetime(2026, 6, 1, tzinfo=UTC)
    told = tuple(TranscriptLine(at, now, "user", text) for at, text in enumerate(lines, start=1))

    assert scene_recap.recap(SceneRecapInputs(lines=told))["state"] == [
        {"label": "not the 4th", "text": "It's on the 5th, not the 4th.", "lines": [2]}
    ]
