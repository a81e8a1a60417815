"""Chinese questions without a question mark are not taken for statements, and statements with a question word not for questions."""

import pytest

from echovessel.llm.offline.text import passages, sentences

ASKED = (
    "我该穿什么去面试", "我下个月去哪", "你觉得送他什么好", "我要不要跟她直说", "我怎么开口比较好", "我在哪个学校", "我抽烟不", "哎你是机器人吧",
    "你能帮我打个电话不", "你觉得去饭店还是在家", "我儿子上几年级", "我做什么的", "你都知道我些什么", "你咋不问问我儿子咋样了", "老弟在不", "豆豆拿了几等奖",
    "你是老师嘛，几点下班", "关于我你都知道什么", "我跟你说过秦腔的事没有", "我干了几年被裁的",
    "我除夕值了几年班了", "我煎带鱼散了几条", "她问我借了什么", "你怎么不说话", "她说了句什么话",
    "聊聊天 说说你吧 你几岁", "我妈问我 吃饭没 你觉得我该怎么办", "我吃什么药啊", "我家在哪懂吗",
)  # fmt: skip
TOLD = (
    "唉 我真不知道咋管", "不知道会不会轮到我", "我在考虑要不要辞职", "我上班哪有空看手机啊", "投了几个简历，先看看吧", "他问我为什么迟到", "没什么", "什么都不想吃",
    "我还没睡呢", "三千多块呢", "吃了点水果什么的", "我好几天没睡好了", "谁知道呢", "我在公司呢", "旧棉袄里缝着什么，请你忘掉", "老熊猫走了，我从十几岁就喂它",
    "我说浇水得看天，哪有天天浇的", "他说谁谁谁又住院了", "她怎么那么厉害", "就问了句他会不会喝酒", "我都没抱过他几回", "什么时候才是个头啊",
    "阿强嘛，店没了他也回老家了", "这是几个月来最开心的一天。", "几年以来头一回睡得这么好",
    "今天店员问我是不是自由职业", "护士长问我要不要去考主管护师", "他会记得我膝盖不好", "在厂里干了几年保安",
    "我妈天天给我熬那个什么补脑液 难喝死", "我骂了他半个钟头 最后问他吃饭没有", "我跟婆婆说了 她愣了一下 然后说傻孩子你咋不早说",
    "他走了几年了我还是想他", "我就去过几次", "我老公说要不要请外籍看护 一个月三万二", "我这辈子给多少人体面 到头来自己没体面", "她问我想要什么", "我请了几天假回老家",
)  # fmt: skip


@pytest.mark.parametrize("said", ASKED)
def test_a_question_is_one_without_its_mark(said):
    assert sentences.is_question(said)
    assert passages.is_question(said)


@pytest.mark.parametrize("said", TOLD)
def test_a_statement_with_a_question_word_is_no_question(said):
    assert not sentences.is_question(said)
