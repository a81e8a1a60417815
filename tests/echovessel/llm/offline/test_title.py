import pytest

from echovessel.llm.inputs import TitleInputs
from echovessel.llm.offline import title


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("We have a white cat. He is called Nimbus.", "White cat"),
        ("Hi! I can't eat nuts, I’m allergic to them.", "Eat nuts allergic"),
        ("My sister is getting married in June and wants a speech from my uncle", "Sister married June wants speech"),
        ("I don't know what to do about my landlord, he raised the rent", "Landlord raised rent"),
        ("我养了一只白猫，叫小黑。", "养了一只白猫"),
        ("我今天被老板骂了，心情很差。", "被老板骂"),
        ("最近在学Python，有点难", "学Python"),
        ("我想，给在成都的外婆写一封很长很长的信", "给在成都的外婆写一封很长"),
        ("Don't forget that I'm diabetic and left-handed.", "Diabetic left-handed"),
        ("记住我左耳听力不好", "左耳听力不好"),
        ("hey", ""),
        ("I miss him", ""),
        ("你好", ""),
        ("🙂", ""),
    ],
)
def test_the_first_salient_words_name_a_chat(said, expected):
    assert title.write_title(TitleInputs(said, "Tell me more.")) == {"title": expected}
