import pytest

from echovessel import chinese_script


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("我養了一隻貓，牠叫湯圓", "我养了一只猫，它叫汤圆"),
        ("妳的頭髮發亮，裡面有麵", "你的头发发亮，里面有面"),
        ("我住在台北", "我住在台北"),
        ("I have a cat.", "I have a cat."),
    ],
)
def test_traditional_characters_are_simplified_in_their_places(traditional, simplified):
    assert chinese_script.simplify(traditional) == simplified
    assert len(traditional) == len(simplified)


@pytest.mark.parametrize(
    ("dialect", "plain"),
    [
        ("佢幾時返嚟", "他何时回来"),
        ("我阿媽叫咩名", "我妈妈叫啥名"),
        ("邊個介紹我嘅", "是谁介绍我的"),
        ("佢係我家姐，同我冇關係", "他是我姐姐，同我没关系"),
        ("你唔使俾錢", "你不使给钱"),
        ("我店叫啥子名字", "我店叫什么名字"),
        ("俺娃儿没得吃的", "我孩子没有吃的"),
        ("我喊咗成晚", "我哭了成晚"),
        ("我在家", "我在家"),
        ("我记岔了 是三万八", "我记错了 是三万八"),
        ("我系护士，我系学生会在三楼", "我是护士，我系学生会在三楼"),
        ("侬吃过馄饨伐", "你吃过馄饨吗"),
        ("他砍伐", "他砍伐"),
        ("我房租好多钱", "我房租多少钱"),
        ("花了好多钱", "花了好多钱"),
        ("哪个送的花", "是谁送的花"),
        ("你要哪个送去", "你要哪个送去"),
    ],
)
def test_dialect_is_read_in_its_places(dialect, plain):
    assert chinese_script.read(dialect) == plain
    assert len(dialect) == len(plain)


def test_what_was_told_in_dialect_is_written_so():
    assert chinese_script.restore("用户妈妈何时回来", told="我阿媽幾時返嚟") == "用户阿媽幾時返嚟"


def test_few_words_of_dialect_are_nobodys_own():
    assert chinese_script.restore("是你告诉我的", told="我嘅事") == "是你告诉我的"


def test_a_doubled_character_is_written_in_one_script():
    assert chinese_script.restore("用户的妈妈上个月住院", told="我媽上個月住院") == "用户的媽媽上個月住院"


def test_a_character_alone_is_written_as_it_was_told():
    assert chinese_script.restore("他摸我 说 要好好的", told="他摸我 說 要好好的") == "他摸我 說 要好好的"


def test_dialect_alone_shows_no_script():
    assert not chinese_script.is_traditional("相亲对象係我表姑介绍嘅")
    assert chinese_script.is_traditional("佢話佢等我")


def test_simplified_words_are_written_in_traditional_characters():
    assert chinese_script.traditionalise("慢慢来，我听着，见面再说。") == "慢慢來，我聽著，見面再說。"


@pytest.mark.parametrize(
    ("text", "is_traditional", "is_simplified"),
    [("還好嗎", True, False), ("还好吗", False, True), ("晚安", False, False), ("good night", False, False)],
)
def test_the_script_of_a_text_is_told_by_characters_of_one_script_alone(text, is_traditional, is_simplified):
    assert chinese_script.is_traditional(text) == is_traditional
    assert chinese_script.is_simplified(text) == is_simplified


def test_what_was_told_is_written_as_it_was_told():
    told = "我吃了一碗麵，頭髮發亮。"
    assert chinese_script.restore("用户吃了一碗面，头发发亮", told=told) == "用户吃了一碗麵，頭髮發亮"


def test_words_that_nobody_told_are_written_in_ones_own_way():
    written = chinese_script.restore("一碗面啊，见面说", told="一碗麵", own=chinese_script.traditionalise)
    assert written == "一碗麵啊，見面說"


def test_japanese_is_read_as_it_is():
    assert (
        chinese_script.read("今日は娘が熱を出して、図書館で働けなかった")
        == "今日は娘が熱を出して、図書館で働けなかった"
    )
    assert chinese_script.read("我今日唔返工") == "我今天不返工"
    assert not chinese_script.is_simplified("会社で働いてます")
