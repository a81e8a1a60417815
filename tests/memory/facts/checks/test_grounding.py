from datetime import date

import pytest

from memory.facts.checks import grounding

# A Thursday.
TODAY = date(2026, 11, 26)
SPEAKERS = ("Mara", "Nora", "黄逸扬")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("The user lives in Leeds.", ["I live in leeds now"]),
        ("The user's sister Mia has 3 cats.", ["my sister is called Mia", "she has three cats, can you believe it"]),
        ("Mara cannot eat nuts.", ["I can't eat nuts at all, cannot"]),
        ("Call the user Sam.", ["call me Sam"]),
        ("The user works as a nurse.", ["I'm a nurse, it's a lot of work"]),
        ("The user goes by Sue.", ["I go by Sue."]),
        ("用户住在上海。", ["我住在上海"]),
        ("用户有两只猫。", ["我养了2只猫"]),
        ("The user was married to Ewa for 44 years.", ["Ewa and I were married forty-four years"]),
        ("The user turned 72 on 24 November 2026.", ["I'm actually 72, since Tuesday"]),
        ("Since March 2026 the user is a widower.", ["she died in March, so I'm a widower"]),
        ("The user had a cataract operation on 2026-11-18.", ["my cataract operation was on Wednesday last week"]),
        ("用户于2026年11月18日做了白内障手术。", ["上周三我做了白内障手术"]),
        ("用户今年28岁。", ["我今年二十八了"]),
        ("Nora likes the rain.", ["you like the rain, don't you"]),
        ("The user has worked at a bakery since 12 November 2026.", ["I started at a bakery two weeks ago"]),
        ("The user's baby is due on 17 December.", ["my baby is due in three weeks"]),
        ("The user quit smoking on 26 October 2026.", ["I quit smoking a month ago"]),
        ("The user has worked in a mill since 2016.", ["I've worked in a mill for ten years"]),
        ("The user has lived in Leeds since August 2026.", ["I've lived in Leeds for about 3 months"]),
        ("用户12月4日考试。", ["我下周五考试"]),
        ("The user swims on Mondays with Rudy.", ["Rudy and me, we swim of a Monday"]),
        ("用户家老大五岁，老二八个月。", ["我家老大五岁 老二才八个月"]),
        ("Lea is 8.", ["Lea turned eight"]),
        ("The user moves onto tankers after New Year 2027.", ["I move onto tankers after new year"]),
        ("The user's wife stays in Leicester until summer 2027.", ["my wife stays in Leicester til summer"]),
        ("The user quit smoking and wants no way to cheat; they can't.", ["quit smokin so i cant cheat"]),
        ("The user is 19 weeks pregnant (on 26 November 2026).", ["I'm 19 weeks pregnant"]),
        ("用户17岁（2026年11月）。", ["我十七岁"]),
        ("The user has two boys, Tom and Ben.", ["my boys Tom and Ben are ill"]),
        ("用户有两个孩子，老大五岁，老二八个月。", ["我家老大五岁 老二才八个月"]),
        ("用户从2016年起在面粉厂工作。", ["我在面粉厂工作十年了"]),
        ("用户住在London，养了一只corgi叫Biscuit。", ["我在London住，还有一只corgi叫Biscuit一起住"]),
        ("Der Nutzer heißt Jürgen Groß und ist Lehrer in Köln.", ["Ich bin Jürgen Groß, Lehrer für Biologie in Köln."]),
        (
            "Der Nutzer heißt Jürgen Groß und ist Lehrer in Köln.",
            ["Ich bin der Juergen Gross und bin Lehrer in Koeln."],
        ),
        ("Vive en Querétaro con su esposo Íñigo.", ["Vivo en Querétaro con mi esposo Íñigo"]),
        ("Ольга живёт в Казани с мужем Артёмом и кошкой Мусей.", ["Я Ольга. Живу в Казани, муж Артём, кошка Муся"]),
        ("المستخدم يعيش في القاهرة مع زوجته ليلى وابنه يوسف.", ["أعيش في القاهرة مع زوجتي ليلى وابني يوسف"]),
        ("사용자는 부산에서 간호사로 일한다.", ["부산에서 간호사로 일해"]),
        ("ユーザーは先週、新しい犬を飼い始めた。", ["先週から犬を飼ってる"]),
        ("Íñigo y ella se separaron el 23 de noviembre de 2026.", ["Íñigo y yo nos separamos el lunes"]),
        ("2026년 12월에 서울로 이사한다.", ["다음 달에 서울로 이사해"]),
        ("La usuaria se casa el 14 de marzo de 2027.", ["Me caso el 14 de marzo, qué nervios."]),
        ("Она уволилась в пятницу 20 ноября 2026.", ["В пятницу я уволилась с работы."]),
        ("ユーザーは2027年3月14日に結婚する", ["来年の3月14日に結婚します。"]),
    ],
)
def test_what_was_said_is_grounded(content, said):
    assert grounding.is_grounded(content, said, today=TODAY, speakers=SPEAKERS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("The user lives in York.", ["I live in Leeds"]),
        ("Der Nutzer wohnt in Leipzig.", ["Ich bin Lehrer in Köln"]),
        ("El usuario tiene 4 perros.", ["Tengo 2 perros y vivo en Lima"]),
        ("La usuaria se casa el 14 de marzo de 2027.", ["Me caso pronto, qué nervios."]),
        ("La usuaria se casa el 14 de junio de 2027.", ["Me caso el 14 de marzo, qué nervios."]),
        ("Die Nutzerin heiratet am 15.03.2027.", ["Wir heiraten am 14. März, ich bin so aufgeregt."]),
        ("ユーザーは2027年3月14日に結婚する", ["もうすぐ結婚します。"]),
        ("Vive en Lima desde mayo de 2019.", ["Vivo en Lima desde mayo"]),
        ("Ольга живёт в Москве с мужем.", ["Я Ольга, живу в Казани с мужем"]),
        ("يعيش في الإسكندرية مع أمه.", ["أعيش في القاهرة مع زوجتي ليلى"]),
        ("서울에서 교사로 일한다.", ["부산에서 간호사로 일해"]),
        ("大阪で教師として働いている。", ["横浜で看護師をしています。"]),
        ("The user was married for 45 years.", ["we were married forty-four years"]),
        ("The user turned 72 on 25 November 2026.", ["I'm actually 72, since Tuesday"]),
        ("The user was widowed on 14 March 2026.", ["I was widowed in March"]),
        ("The user has 4 cats.", ["I have three cats"]),
        ("The user plays the piano every evening.", ["I like music"]),
        ("The user married Ann in Leeds.", ["I married in Leeds"]),
        ("The user married in Leeds 2025.", ["I married in Leeds"]),
        ("The user moved in 2026.", ["I moved in"]),
        ("The user's wife stays in Leicester until summer 2029.", ["my wife stays in Leicester til summer"]),
        ("The user likes tea.", []),
        ("The user has worked at a bakery since 11 November 2026.", ["I started at a bakery two weeks ago"]),
        ("The user has worked in a mill since 2015.", ["I've worked in a mill for ten years"]),
        ("The user has worked in a mill since 2016.", ["I've worked in a mill for 99999999 years"]),
        ("用户12月5日考试。", ["我下周五考试"]),
        ("用户从2015年起在面粉厂工作。", ["我在面粉厂干了十年了"]),
        ("The user has three boys, Tom and Ben.", ["my boys Tom and Ben are ill"]),
        ("The user has one boy, Tom.", ["my boy Tom is ill"]),
        ("用户有三个孩子，老大五岁，老二八个月。", ["我家老大五岁 老二才八个月"]),
        ("用户住在苏州。", ["今天天气很好"]),
        ("用户有三只猫。", ["我养了2只猫"]),
    ],
)
def test_what_a_model_makes_up_is_not(content, said):
    assert not grounding.is_grounded(content, said, today=TODAY, speakers=SPEAKERS)


@pytest.mark.parametrize(
    ("said", "is_grounded"), [("rowing and chess", True), ("rowing", False), ("rowing, chess, tea", True)]
)
def test_half_of_the_other_terms_is_enough(said, is_grounded):
    assert grounding.is_grounded("User: rowing, chess, tea, books", [said], today=TODAY) == is_grounded


@pytest.mark.parametrize(
    ("speaker", "content", "is_grounded"),
    [
        ("mara92", "mara92 has 3 hens.", True),
        ("mara92", "mara92 has 92 hens.", False),
        ("小黑7", "小黑7有3只鸡", True),
        ("3", "3 has 33 hens.", False),
    ],
)
def test_the_number_in_a_name_need_not_be_said(speaker, content, is_grounded):
    said = ["I have 3 hens", "我有3只鸡"]

    assert grounding.is_grounded(content, said, today=TODAY, speakers=[speaker]) is is_grounded


KASIA = "The user's daughter Kasia lives in Gdańsk with 2 girls; they have not talked since the funeral."


@pytest.mark.parametrize(
    ("content", "said", "is_grounded"),
    [
        ("The user's daughter Kasia lives in Gdańsk with 2 girls; they talk again.", "Kasia rang, we talk again", True),
        ("The user's daughter Kasia lives in Sopot with 2 girls.", "Kasia moved to Sopot", True),
        ("The user's daughter Kasia lives in Sopot with 2 girls.", "Kasia moved", False),
        ("The user's daughter Kasia lives in Gdańsk with 3 girls.", "Kasia rang, we talk again", False),
        ("The user's daughter Kasia lives in Gdańsk and plays chess.", "Kasia rang, we talk again", False),
        ("The user's daughter Kasia lives in Gdańsk.", "Nice weather.", False),
    ],
)
def test_of_a_changed_fact_only_what_is_new_need_be_said(content, said, is_grounded):
    assert grounding.is_grounded(content, [said], today=TODAY, speakers=SPEAKERS, known=KASIA) is is_grounded
