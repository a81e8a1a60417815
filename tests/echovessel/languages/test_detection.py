import pytest

from echovessel.languages import detection


@pytest.mark.parametrize(
    "said",
    [
        "Ich war so sauer, also bin ich gegangen.", "Bitte vergiss meine Adresse.", "Me llamo Pedro y no como carne.", "Io sono Marco e amo la pasta.",
        "El niño juega al fútbol cada sábado.", "Íñigo y yo nos separamos el lunes", "Je m'appelle Zoé, j'ai quitté Paris.", "Ik ben Jan en ik ben vegan.", "私の名前は田中です。",
        "結婚しています。", "時間が過ぎるのは早い", "今日は会議でTeslaのModel 3の話をした", "제 이름은 김민준입니다.", "Я больше не живу в Москве.", "اسمي عمر وأعيش في القاهرة.",
    ],
)  # fmt: skip
def test_other_languages_are_told_from_english_and_chinese(said):
    assert detection.is_foreign(said)


@pytest.mark.parametrize(
    "said",
    [
        "", "Köln", "I am Marco", "Maria de la Cruz moved in", "I met Jürgen in the Straße der Einheit, and he said nein", "I love ラーメン",
        "私信里说的", "我在学日语，こんにちは是你好的意思", "你知道の怎么读吗", "我叫Mei，在London做designer", "帮我remember一下，我不吃beef",
    ],
)  # fmt: skip
def test_words_of_other_languages_make_no_other_language(said):
    assert not detection.is_foreign(said)
