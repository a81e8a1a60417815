import pytest

from tests.echovessel.llm.offline.extraction import sessions_chinese, sessions_english
from tests.support.extracting import extract

PEAK = 6


def _is(peak, event):
    return peak[1:] in event["description"] and (event["emotional_impact"] > 0) == (peak[0] == "+")


def _measure(sessions):
    """The share of the peaks that were found, and of the strong events that were none."""
    found = asked = false = strong = 0
    for lines, peaks in sessions:
        events = [event for event in extract(*lines)["events"] if abs(event["emotional_impact"]) >= PEAK]
        asked += len(peaks)
        found += sum(any(_is(peak, event) for event in events) for peak in peaks)
        strong += len(events)
        false += sum(not any(_is(peak, event) for peak in peaks) for event in events)
    return found / asked, false / strong


@pytest.mark.parametrize("sessions", [sessions_english.SESSIONS, sessions_chinese.SESSIONS], ids=["English", "Chinese"])
def test_peaks_are_found_and_few_are_false(sessions):
    retention, false = _measure(sessions)

    assert retention >= 0.9
    assert false <= 0.1


@pytest.mark.parametrize(
    ("said", "impact"),
    [
        ("Poppy lost her first tooth!", 1),
        ("今天收到offer了!!!是中铁的", 5),
        ("昨天电动车被偷了,三千多块呢", -5),
        ("抢到票了!!腊月二十六的", 4),
        ("店要拆迁了,年底就得搬", -4),
        ("My wife Jean passed in the spring", -9),
        ("My sister Ann died", -9),
        ("the IVF. we lost it on Thursday", -9),
        ("mum rang. she cried. we're ok i think", 6),
        ("i got the full time job at the garden centre!!", 5),
        ("我昨天在地铁上一直以为自己要死了", 1),
        ("我妈昨晚进了急诊", -5),
        ("我爸住进ICU了", -8),
        ("有时候觉得消失了也挺好", -9),
        ("旁边窗口的李倩怀孕了 她摸着肚子笑 我躲厕所哭", -4),
        ("过了!!!! 全票通过", 5),
        ("乐天叫妈妈了", 7),
        ("我调到ICU了，下周一报到", 1),
        ("我叫苏禾，是个急诊科护士，在武汉", 1),
        ("My mother died", -9),
        ("I scattered Geoffrey's ashes at sea", -7),
        ("The judge said my mom lost her rights", -5),
        ("We opened!!", 6),
        ("They want to adopt me", 8),
        ("My colleague's mother died", -4),
        ("Somebody broke in and took four bikes", -5),
        ("Our flat was burgled while we were away", -5),
        ("We closed the shop for good last Friday", -6),
        ("我的电动车被偷了", -5),
        ("我们的面馆上个月关了", -6),
        ("The mother died", -1),
        ("My phone died", 1),
        ("My mother's phone died", 1),
        ("My mother hasn't died, thank God", 3),
        ("My grandfather died before I was born", -2),
        ("My dog died ten years ago", -5),
        ("We buried my dad", -9),
        ("I have cancer", -8),
        ("My neighbour has cancer", -4),
        ("My dad is cured of cancer", 8),
        ("I'm afraid my dad has cancer", -5),
        ("I got engaged", 8),
        ("My boss got engaged", 2),
        ("We were fired", -7),
        ("im divorced, dont ask", -7),
        ("I got a shot of a glacier", 1),
        ("I love running my own studio", 3),
        ("If I get fired, I will travel", -3),
        ("我妈妈去世了", -9),
        ("我同事的妈妈去世了", -4),
        ("热死了，我的手机也死机了", 1),
        ("我得了癌症", -8),
        ("邻居得了癌症", -4),
        ("我爸的癌症治好了", 8),
        ("我订婚了", 8),
        ("领导订婚了", 2),
        ("如果我被裁了，我就去旅行", -3),
        ("我先生去年走了", -9),
        ("是剖腹产的 伤口还疼", -3),
        ("我觉得对不起国栋", -4),
        ("走了 来单了", 1),
        ("The cat has gone missing", -5),
        ("My dog has a lump", -1),
        ("Our wedding has been cancelled", 1),
        ("I missed my sister's wedding", -2),
        ("My brother got into Oxford and I didn't", 1),
        ("The divorce came through, thank god", 4),
        ("I beat my depression", 6),
        ("The lump was nothing", 6),
        ("My fever's gone", 3),
        ("The anniversary of dad's death is on Sunday", -4),
        ("I passed my ALS course", 5),
        ("I cheated on my wife", -7),
        ("I feel like giving up", -4),
        ("A divorce case next week at court", 1),
        ("She cried when she saw the ring", 4),
        ("I cried alone in the car when I saw the ring", -4),
        ("I can't go to my brother's wedding", -2),
        ("The cancer isn't back", 8),
        ("Mum's out of surgery, she's awake", 8),
        ("我前女友昨天结婚了", 1),
        ("小敏答应做我女朋友了", 7),
        ("二面也过了！！薪资涨20%", 5),
        ("我妈没事了", 6),
        ("今天被领导骂了", -5),
        ("爸爸要截一个脚趾", -5),
        ("我不想结婚了", -4),
    ],
)
def test_the_same_words_weigh_by_whom_they_befall(said, impact):
    found = extract("hello", said)["events"]

    assert [event["emotional_impact"] for event in found] in ([impact], [] if abs(impact) == 1 else [impact])


@pytest.mark.parametrize(
    ("lines", "impacts"),
    [
        (
            [
                "I had one before him. They let me hold her.",
                "P: You never said. Thank you for telling me.",
                "Anyway, lunch.",
            ],
            [-6],
        ),
        (["I had one before him. They let me hold her.", "P: And then?"], []),
        (["A scan. Fourteen weeks.", "P: You're going to be a grandmother."], [8]),
        (["A scan. Fourteen weeks.", "P: You're going to be a grandmother.", "No, it's the neighbour's."], []),
        (["下午开会开了两个小时，工牌还挂着呢。", "P: 一鸣。我在。", "不说这个了，楼下新开了家羊汤。"], [-6]),
        (["下午开会开了两个小时。", "P: 辛苦了。", "楼下新开了家羊汤。"], []),
    ],
    ids=["thanked for it", "asked on", "understood", "denied", "called by name", "small talk"],
)
def test_what_is_said_lightly_is_known_by_how_it_is_taken(lines, impacts):
    found = [event["emotional_impact"] for event in extract(*lines)["events"]]

    assert [impact for impact in found if abs(impact) > 1] == impacts


@pytest.mark.parametrize(
    ("news", "tears", "impact"),
    [
        ("The scan was clear!", "I cried in the car for an hour", 8),
        ("It's a girl, 7lb 2", "I cried all night", 9),
    ],
)
def test_tears_over_good_news_are_no_grief(news, tears, impact):
    [event] = extract(news, "P: At last.", tears)["events"]

    assert (event["emotional_impact"], event["source_lines"]) == (impact, [11, 13])


def test_two_peaks_of_different_sign_are_two_events():
    events = extract("My grandmother died on Monday. My sister had her baby, I'm an aunt!")["events"]

    assert [event["emotional_impact"] for event in events] == [-8, 8]


def test_secret_stays_out_of_events_and_summary():
    answer = extract("My bank password is hunter2 and my mother died", "We have a dog")

    assert ([event["description"] for event in answer["events"]], answer["session_summary"]) == (
        ["We have a dog."],
        "We have a dog.",
    )
