"""What a burst says of the last reply: praise or complaint, not what somebody else said or did."""

from echovessel import lazy_re as re

_SENTENCES = re.compile(r"[.!?;\n。！？；…]+")
# What others say is not about the reply.
_REPORTED = re.compile(
    r"\b(?!you\b|i\b|but\b)\w+ (?:said|says|told|thinks?|thought|claims?|claimed|insists?) (?!to you)|(?:[他她]们?|老板|领导|老师|同事|妈|爸|朋友|客户|医生)[^，,]{0,4}(?:说|觉得|认为|告诉)"
)
_JUDGED = r"(?:helpful|useful|right|true|correct|funny|fair|nice|kind|good|great|perfect|exactly|accurate|it|what i (?:said|meant|asked|told|wanted)|my \w+|how i)"
_COMPLAINT = re.compile(
    rf"\b(?:that|this|it)(?:'s| is| was) (?:really |just |still )?(?:not|never) (?:really |very |at all |quite |so |even )?{_JUDGED}\b"
    rf"|\b(?:that|this|it) (?:isn't|wasn't|ain't) (?:really |very |quite |even )?{_JUDGED}\b"
    r"|^\W*(?:not (?:really |very |so |quite )?(?:helpful|useful|right|true|correct|funny|good|exactly|at all|what i)|wrong\b(?! (?:number|door|bus|train|way|turn|place))|incorrect\b)"
    r"|\bthat'?s (?:wrong|incorrect|false|nonsense|rubbish)\b|\b(?:that|this) (?:doesn't|didn't) (?:help|make sense|answer)"
    r"|\byou (?:just |always |still |have |'ve )*(?:forgot|forgotten|misremember\w*|misunderst\w+|misheard|made (?:that|this|it) up|mixed (?:that|this|it|them|me) up|confused? (?:me|my|him|her|them|that)|keep (?:saying|asking|repeating|forgetting)|"
    r"don't (?:listen|get it|understand me)|didn't (?:listen|answer|read)|ignored|missed the point|already (?:said|asked|told))\b"
    r"|\byou(?:'re| are)(?:n't)? (?:wrong|mistaken|not listening|not helping|mixing|confusing|repeating)|\byou aren't listening|\byou got (?:it|that|this|my|the|her|his)\b[^,]{0,30}\bwrong\b"
    r"|\b(?:but|though) (?:the|my|his|her|that|this|it)\b[^,]{0,20}(?:'s| is| was) (?:wrong|not right|incorrect)"
    r"|^\W*no,? (?:that|it|i (?:said|meant)|he's|she's|his|her|my|you)\b|\bi never (?:said|told you)\b|\bthat'?s not (?:me|her|him)\b"
    r"|^\W*(?:不对(?!劲|称|付|等|外|口味)|不是这样|不是的|不是(?:这个|那个)意思|错了|才不是|说错了|记错了|不准确|胡说|瞎说|没有的事)"
    r"|(?:^|[，,])\s*不对(?=$|[，,])|你(?:又|都|全|怎么|是不是|好像|还是|怎么又)*(?:记错|弄错|搞错|说错|理解错|听错|错了|忘了(?!吗|没)|忘记|误会|没听懂|没懂|没明白|答非所问|没回答|没听|没在听|搞混|记混|瞎编|乱说|重复)"
    r"|(?:这|这个|这样|你这|你说的)(?:回答|话|建议|些)?(?:一点都?|根本|完全|也)?(?:没什么|没|不)(?:有)?(?:用|帮助|对|准|好笑|靠谱)|不是我(?:说|问|想|要)的|我不是(?:这个|那个)意思|我(?:可)?没(?:这么|这样)?说过|但(?:是)?[^，,]{0,6}(?:错了|不对)"
)
_PRAISE = re.compile(
    r"\bnot (?:half )?bad\b(?! (?:news|people|weather))"
    r"|^\W*(?:(?:yes|yeah|yep|wow|oh|haha|ok|okay|aww?)\W+)*(?:exactly|precisely|perfect|spot on|bingo|correct|well said|good (?:answer|point|advice|one|memory)|nailed it|so true|brilliant|lovely answer)(?=\W*$|[,!]| thank)"
    r"|^\W*(?:(?:yes|yeah|yep|wow|oh|haha|ok|okay|aww?)\W+)*that'?s (?:right|it|true|correct|perfect|exactly (?:it|right|what)|very kind|so (?:kind|sweet|helpful|true)|really (?:kind|sweet|helpful)|helpful|a good (?:point|idea|question))(?=\W*$|[,!])"
    r"|\byou(?:'re| are) (?:so |absolutely |totally |quite |completely )?right\b(?! (?:here|there|now|handed))|\byou remembered\b|\bthat (?:really |actually |already )?help(?:s|ed)\b|\b(?:thanks|thank you)[,!. ]+(?:that|this) (?:was|is|really|help)"
    r"|\bi (?:really )?like (?:that|this) (?:answer|idea|advice)|\bgood (?:answer|advice|memory)\b"
    r"|没错(?!过)|^\W*(?:嗯+|对|是)?[，,]?\s*(?:正是|就是这样|就是这个|对的|对极了|完全正确|正确|说得好|说得对|太对了|真准)|说(?:得|的)(?:很|真|太)?(?:对|好)(?!像)|你说对了|你记得(?:真|好)?(?:清楚|牢|准)|有道理"
    r"|(?:^|[，,])\s*(?:真|很|挺|还)?不错(?=$|[，,啊呀哦嘛])|(?:这|你这|你说的)[^，,]{0,4}(?:很|真|太|挺)(?:有用|有帮助|好|对|暖)|谢谢你?[，,]?(?:这|你)?(?:很|真|太)?(?:有用|有帮助|帮大忙)"
)


def read(folded: str) -> int:
    """Return -1 where a sentence complains about the last reply, else 1 where one praises it, else 0."""
    sentences = [one for one in _SENTENCES.split(folded) if one.strip() and _REPORTED.search(one) is None]
    if any(_COMPLAINT.search(one) for one in sentences):
        return -1
    return 1 if any(_PRAISE.search(one) for one in sentences) else 0
