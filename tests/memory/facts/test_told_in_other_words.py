"""What a sentence says, in other words than the fact was told, changes or ends that fact, or leaves it alone."""

import pytest

from memory.facts import matching
from memory.facts.rules import over, reading

CHANGED = [
    ("The user's rent is 900 a month.", "The landlord put my rent up to 1050, can you believe it."),
    ("The user goes swimming on Mondays.", "I do my swimming on Thursdays now, the pool shuts on Mondays."),
    ("The dog gets two tablets a day.", "The vet cut it down, the dog only gets one tablet a day now."),
    ("The user's boss is called Helen.", "Helen's gone, my new boss is called Marcus."),
    ("Tom's wedding is in Lisbon in May.", "Tom's wedding has been brought forward, they're getting married in April."),
    ("The user's son is in year four.", "My son's just gone up into year five."),
    ("The user's daughter is studying law in Bristol.", "Funny, my daughter's at a bakery in Cardiff these days."),
    ("The user's flight leaves at seven.", "They changed my flight, it leaves at nine."),
    ("The user's wife works at the post office.", "My wife's been working at the library since Easter."),
    (
        "The user's daughter Kayleigh gets married on the 20th of July.",
        "Kayleigh's wedding is on the 3rd of August now.",
    ),
    ("用户每天晚上十点去操场跑步。", "我跑步改到早上七点了。"),
    ("用户儿子浩浩上三年级。", "浩浩现在上四年级了。"),
    ("用户房租是两千八。", "房东又涨价了，房租现在三千二。"),
    ("用户面试是周二上午。", "面试推到周五了。"),
    ("用户每周一去游泳。", "我现在都是周四去游泳，周一闭馆。"),
    ("用户领导姓郑。", "老郑调走了，新领导姓白。"),
    ("用户儿子上小学三年级。", "我儿子升四年级啦。"),
    ("用户狗狗一天吃两片药。", "医生说减量，狗狗现在一天只吃一片药了。"),
    ("用户女儿在墨尔本读书。", "我闺女现在在悉尼上班了。"),
    ("用户的航班七点起飞。", "航班改了，九点起飞。"),
]
OVER = [
    ("The user is going to Portugal in June.", "We had to call off Portugal, the flights are too dear."),
    ("The user is going to Seville in September.", "I'm not going to Seville any more."),
    ("The user is on a waiting list for a knee operation.", "I've finally had my knee operation!"),
    ("The user is allergic to penicillin.", "Turns out I'm not allergic to penicillin after all, they tested me."),
    ("The user is saving for a van.", "I bought the van!"),
    ("The user runs a bookshop.", "I shut the bookshop down in spring."),
    ("The user has braces.", "My braces came off today!"),
    ("The user has a lodger called Piotr.", "Piotr moved out yesterday."),
    ("The user's nan lives in a care home in Hull.", "Nan died on Sunday."),
    ("The user snores.", "I don't snore."),
    ("The user is a postwoman in Stroud.", "I handed in my notice, so I'm not a postwoman any more."),
    ("用户对青霉素过敏。", "查过了，我对青霉素不过敏。"),
    ("用户在攒钱买房。", "房子终于买了！"),
    ("用户在排队等膝盖手术。", "膝盖手术我做完了。"),
    ("用户奶奶住养老院。", "我奶奶周日走了。"),
    ("用户有个租客叫阿彪。", "阿彪昨天搬走了。"),
    ("用户妈住在用户家。", "我妈回老家了。"),
    ("用户开了家书店。", "书店关了，撑不下去。"),
    ("用户是外卖骑手，在郑州跑单。", "我不送外卖了，太累。"),
    ("用户产检约在二十号。", "产检那个不用去了，都生完了"),
    ("用户一天一包烟。", "烟我戒了仨月了"),
    ("用户有一只八哥，会说你好。", "八哥飞了，笼子还挂着"),
    ("The user's kiln is an old Cromartie.", "flogged the kiln"),
    ("The user doesn't eat fish.", "I caved and I eat fish these days"),
]
LEFT_ALONE = [
    # Somebody else's, or something else.
    ("The dog gets two tablets a day.", "I only take one tablet a day now."),
    ("The user's interview is on Tuesday.", "My sister's interview is on Friday now."),
    ("The user's interview is on Tuesday.", "Tom's interview got moved to Friday."),
    ("The user's meeting with Joan is on Wednesday.", "My dentist moved my appointment to Friday."),
    ("用户狗狗一天吃两片药。", "我现在一天吃一片药。"),
    ("用户面试是周二。", "小李面试改到周五了。"),
    ("用户姐在医院上夜班。", "我现在不上夜班了，舒服。"),
    # What is there already was no plan, and what is for today is no end.
    ("The user has a van.", "I bought a van!"),
    ("The user works as a clown.", "I don't work today."),
    ("The user likes Piotr.", "Piotr moved out yesterday."),
    ("用户有一条船停在码头。", "我去年差点把船卖了。"),
    ("用户的妈妈住在成都。", "我妈送给我一条围巾了"),
    ("The user eats fish.", "I eat fish these days"),
]


def read_effects(told, said):
    """List how a sentence bears on a fact."""
    acts = reading.read_told([said])
    changes = [act for act in acts if act.change and weigh(told, act) > 0]
    ends = [act for act in acts if any(over.is_over(told, ending) for ending in act.endings)]
    return [*(["changed"] if changes else []), *(["over"] if ends else [])]


def weigh(told, act):
    return matching.weigh(told, content=act.content, change=act.change, is_asked=False)


@pytest.mark.parametrize(("pairs", "effects"), [(CHANGED, ["changed"]), (OVER, ["over"]), (LEFT_ALONE, [])])
def test_a_sentence_bears_on_the_facts_it_is_about(pairs, effects):
    assert [(told, said) for told, said in pairs if read_effects(told, said) != effects] == []


@pytest.mark.parametrize(
    ("told", "content", "holds"),
    [
        ("The user's sister is a midwife in Derby.", "The user's sister's a midwife.", True),
        ("The user's sister is a midwife in Derby.", "The user is a midwife.", False),
        ("The user's sister is a midwife in Derby.", "The user's sister is a midwife in York.", False),
        ("The user keeps two goats.", "The user still keeps goats.", True),
        ("The user keeps two goats.", "The user keeps three goats.", False),
        ("The user keeps goats.", "The user doesn't keep goats.", False),
        ("The user has got Raynaud's, their fingers go white.", "The user has got Raynaud's.", True),
        ("用户养了两只羊。", "用户还养着那两只羊呢。", True),
        ("用户养了两只羊。", "用户养了三只羊。", False),
    ],
)
def test_a_fact_tells_all_that_is_in_it(told, content, holds):
    assert matching.tells_all(told, content) is holds
