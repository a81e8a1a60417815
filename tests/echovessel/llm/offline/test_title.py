import pytest

from echovessel.llm.inputs import TitleInputs
from echovessel.llm.offline import title


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("We have a white cat. He is called Nimbus.", "White cat"),
        ("hey Marian, long day", ""),
        ("Hi, my name is Alex and I live in Berlin.", "I live in Berlin"),
        ("btw 我妈妈上周去世了", "妈妈上周去世了"),
        ("My name is Priya and I'm a vet in Bristol. I have two cats, Miso and Tofu.", "Two cats"),
        ("Evening! The interview went well I think.", "Interview went well"),
        ("Hello there Marian, my sister had twins", "Sister had twins"),
        ("Hi! I can't eat nuts, I’m allergic to them.", "I can't eat nuts"),
        ("My sister is getting married in June and wants a speech from my uncle", "Sister is getting married"),
        ("I don't know what to do about my landlord, he raised the rent", "Raised the rent"),
        ("Hi Marian. I'm Mara, I moved to Leeds last month with my dog.", "Moved to Leeds last month"),
        (
            "I never told anybody about the accident in Oslo and what came after it",
            "I never told anybody",
        ),
        ("I'm off, Anna and Tom", "Anna and Tom"),
        ("hiya i'm Dee, 41. i run a chippy in Whitby", "I run a chippy in Whitby"),
        ("I'm Harold, I'm 74 and my wife Jean passed in March.", "Wife Jean passed in March"),
        ("I live with my partner Niamh.", "I live with my partner Niamh"),
        ("My landlord wants to sell the flat soon", "Landlord wants to sell the flat soon"),
        ("I have a cat in the garden (Nimbus).", "Cat in the garden (Nimbus)"),
        ("Planted forty tulips (red and white ones) behind the old shed", "Planted forty tulips"),
        ("Work, sleep, work, sleep, repeat", "Work, sleep, work, sleep, repeat"),
        ("我养了一只白猫，叫小黑。", "养了一只白猫"),
        ("我今天被老板骂了，心情很差。", "被老板骂了"),
        ("最近在学Python，有点难", "学Python"),
        ("我想，给在成都的外婆写一封很长很长的信", "给在成都的外婆写一封很长很长的信"),
        ("给住在成都郊区的外婆写一封很长很长的信再寄一箱橙子过去", "给住在成都郊区的外婆写一封很长很长的信再寄一箱…"),
        ("你好阿榛，我叫小雨，住在成都，养了一只狗叫豆豆。", "住在成都"),
        ("你好呀，沈砚", "沈砚"),
        ("晚上好，我的名字是黄逸扬", ""),
        ("我的猫病了，很担心。", "猫病了"),
        ("我的确很累。", "的确很累"),
        ("你好像很累", "好像很累"),
        ("Don't forget that I'm diabetic and left-handed.", "Diabetic and left-handed"),
        ("记住我左耳听力不好", "左耳听力不好"),
        ("我回来啦。面试砸了", "面试砸了"),
        ("What do you know about me? My dad is ill.", "Dad is ill"),
        ("你知道我哪些事？", ""),
        ("我哥跟我吵什么来着？", ""),
        ("Please don't bring up Biscuit any more.", ""),
        ("别再提年糕了", ""),
        ("Guess what, I got the job after all!!", ""),
        ("no I'm not going to hurt myself, just tired", ""),
        ("What should I plant in November? The garden keeps me busy.", "Garden keeps me busy"),
        ("hey", ""),
        ("I miss him", ""),
        ("你好", ""),
        ("🙂", ""),
    ],
)
def test_a_piece_of_what_was_said_first_names_a_chat(said, expected):
    assert title.write_title(TitleInputs(said, "Tell me more.")) == {"title": expected}
