import time

import pytest

from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text import feelings, parties
from echovessel.llm.offline.text.mentions import Known

RELATIVES = "爸爸、妈妈、哥哥、姐姐、弟弟、妹妹、爷爷、奶奶、外公、外婆、叔叔、舅舅、姑姑、姨妈、表哥、表姐、堂弟、侄子"


@pytest.mark.parametrize(
    "said",
    [
        "mom's dead " * 18,
        "my mother's friend's " * 9 + "died",
        f"{RELATIVES}都去世了",
        f"{RELATIVES.replace('、', '的')}去世了",
        f"{RELATIVES.replace('、', '')}去世了",
    ],
    ids=["mom's dead", "friend's friend's", "a list", "的", "no space"],
)
def test_many_relatives_are_weighed_at_once(said):
    began = time.thread_time()
    feelings.find_feelings(said)

    assert time.thread_time() - began < 1


@pytest.mark.parametrize(
    ("said", "nearest"),
    [
        ("My mother's sister", Party.KIN),
        ("My colleague's mother's dog", Party.FAR),
        ("my friend's mother", Party.INDIRECT),
        ("our team's cat", Party.SELF),
        ("Marc's sister", Party.INDIRECT),
        ("我同事的妈妈", Party.FAR),
        ("我朋友的妈妈的狗", Party.FAR),
        ("小区的猫", Party.STRANGER),
    ],
)
def test_whose_somebody_is_comes_from_what_stands_before(said, nearest):
    in_chinese = not said.isascii()

    found = parties.find_mentions(said, in_chinese=in_chinese, known=Known({"Marc": Party.FRIEND}))

    assert found[-1].party == nearest
