import pytest

from memory.facts.rules import letting_go, reading


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The loan from Ed thing, can you delete that", ["The loan from Ed thing that"]),
        ("The loan from Ed was big. Forget it, please.", []),
        ("I told you of the loan from Ed. Forget it, please.", ["I told you of the loan from Ed."]),
        ("My ex Dean drinks. Forget I said that, will you", [""]),
        ("Scrap the stuff about the loan from Ed.", ["the stuff about the loan from Ed."]),
        ("You had better forget the loan from Ed, he's shy.", ["the loan from Ed"]),
        ("don't remind me about Ed pls, just drop it all", ["don't remind me about Ed please"]),
        ("What I told you about Ed, I'd rather you let that go.", ["What I told you about Ed ."]),
        ("私房钱那个话你忘了哈", ["私房钱那个话"]),
        ("The peach incident: erase.", ["The peach incident ."]),
        ("About Grace, forget what I said, she cried", ["Grace"]),
        ("The key under the pot, kindly forget that.", ["The key under the pot"]),
        ("鞋盒那个事，你赶紧给我忘了", ["鞋盒"]),
        ("围栏的事忘了它，赔完了", ["围栏"]),
        ("开会的事忘了吗？", []),
        ("Drop the books at Ed's tonight.", []),
        ("My mum: 'forget the loan from Ed thing'.", []),
        ("I missed Ed's train, forget it.", []),
        ("I never told you about the loan from Ed, did I. It was a bad one.", []),
        ("She's called Ed, I realise I never said.", []),
        ("Let's say I never mentioned the loan from Ed", ["the loan from Ed"]),
        ("Forget the gym, I'm staying in tonight.", []),
        ("I'll never forget the loan from Ed.", []),
        ("If only I could delete the loan from Ed.", []),
        ("球鞋盒里放了什么，你就当不知道", ["球鞋盒里放了什么"]),
        ("我想忘掉今晚。", []),
        ("我妹的病那句话你忘了吧 她不让说", ["我妹的病那句话"]),
    ],
)
def test_what_is_let_go_of_outright_is_read(line, words):
    assert [one.words for one in letting_go.read(line) if not one.is_unsure] == words


@pytest.mark.parametrize(
    ("told", "words", "held"),
    [
        ("The user moved house with a loan from Ed.", "the loan from Ed", 2),
        ("The user has a loan.", "the loan from Ed", 0),
        ("The user lives in Leeds.", "the trip to Leeds", 0),
        ("用户弄丢了一本县志。", "县志那件事", 2),
        ("用户住在北京。", "去北京的旅行", 0),
    ],
)
def test_what_is_let_go_of_is_what_holds_enough_of_its_words(told, words, held):
    assert letting_go.weigh(told, words) == held


@pytest.mark.parametrize(
    ("told", "words", "found"),
    [
        (["I scratched the car.", "It was a bin lorry, I said."], "the story with the bin lorry", [1]),
        (["I keep a horse.", "I bet on a horse.", "I have a boat."], "about that horse", [0, 1]),
        (["I keep a horse.", "I have a boat."], "the horse and the boat", []),
        (["I ride.", "I swim."], "the trip to Leeds", []),
        (["老板的茶杯是我摔的", "我喝茶"], "摔茶杯", [0]),
        (["我住在北京", "我去上海"], "东京那件事", []),
        (
            ["We've had to remortgage.", "Pepper never mentioned his age."],
            "I should never have mentioned the remortgage.",
            [0],
        ),
    ],
)
def test_what_was_said_is_found_by_most_of_its_words_and_a_rare_one(told, words, found):
    assert letting_go.find_telling(told, words) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [("欠我爸钱那件事", [0]), ("我爸那件事", []), ("爸的钱", [])],
)
def test_three_characters_mean_as_much_as_a_pair(words, found):
    assert letting_go.find_meant(["用户还欠用户爸四千块钱。", "用户的生日是五月。"], words) == found


@pytest.mark.parametrize(
    ("line", "is_unsure"),
    [
        ("can we pretend i didn't say that", True),
        ("I'd like it removed from whatever you keep about me", True),
        ("don't you dare keep the thing with my teeth", True),
        ("i told him to delete the photos of us", False),
        ("Delete key stuck again, typical.", False),
        ("Never mention my weight.", False),
        ("don't keep asking how i am", False),
        ("don't mention it!", False),
        ("you can't unlearn being careful", False),
        ("ah forget it, let's talk about films", False),
        ("we agreed never to mention it in front of guests", False),
        ("小名那个不许记啊", True),
        ("上面那句请清除", True),
        ("这个绝对不能留", True),
        ("别记仇", False),
        ("你是不是又忘了吗", False),
        ("他说你快忘了", False),
        ("我想让你忘了", False),
        ("别留在北京", False),
    ],
)
def test_what_sounds_like_a_wish_to_forget_is_asked_about(line, is_unsure):
    assert any(one.is_unsure or not one.words for one in letting_go.read(line)) == is_unsure


@pytest.mark.parametrize(
    ("line", "may_be"),
    [
        ("My application in Oslo must be forgotten.", True),
        ("I think we shall strike the sherry from the record, dear.", True),
        ("陈诺的事忘光光，听到没", True),
        ("怕飞蛾这条撤了吧", True),
        ("I forgot to be careful.", False),
        ("Clear on the TB, thank God.", False),
        ("Cross with my sister again.", False),
        ("Clear my debts out, please", True),
        ("Cross out the bit on Ann", True),
        ("hey can u delete what i said about who i like", True),
        ("pls delet the inspecter thing from whatever you keep", True),
        ("我忘了他的名字", False),
        ("路考挂科的黑历史can you just drop it谢谢", True),
        ("英语好多分那个可以不记嘛", True),
        ("上次说的那个delete掉吧", True),
        ("唱歌那个 你莫放底心肝", True),
        ("我可以不记账吗", False),
        ("my parents don't know that I smoke", False),
        ("what don't my parents know?", False),
    ],
)
def test_what_may_be_a_wish_to_forget_sounds_so(line, may_be):
    assert letting_go.sounds_so(line) == may_be


@pytest.mark.parametrize(
    ("line", "may_be"),
    [
        ("anyway gonna sleep x", False),
        ("Clear on the TB, thank God.", False),
        ("clear my debts off your list", True),
        ("About that horse. Don't keep it in your head", True),
        ("小雅……分了。异地本来就累，这回彻底散了", False),
        ("he was my cellmate two years. they found him at unlock", False),
        ("i've got a boyfriend back home in Bradford, Hamza, my parents don't know", False),
    ],
)
def test_what_has_no_word_of_a_wish_asks_to_forget_nothing(line, may_be):
    assert letting_go.may_let_go(line) == may_be


def test_who_says_that_a_thing_is_private_means_it_and_not_what_was_told_before():
    line = "How I voted is nobody's business. Please delete it."

    assert [act.content for act in reading.read_told([line], ["I like tea."])] == ["How I voted is nobody's business."]


def test_what_is_noted_in_the_same_message_is_not_asked_about():
    wish = "Can you un-know that?"

    assert [act.is_unsure for act in reading.read_told([wish])] == [True]
    assert not any(act.is_unsure for act in reading.read_told([f"Remember that I'm vegan. {wish}"]))
