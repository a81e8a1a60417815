"""Refuses what no memory may hold: secrets, and wishes against crisis help, honesty about being an AI, or age."""

from echovessel import lazy_re as re
from memory.messages import secrets

_NEVER = (
    r"(?:never|don't(?: you)?(?: ever)?|do not(?: ever)?|doesn't (?:want|like|wish)|does not (?:want|wish)|don't want|do not want|stop|no more|quit|avoid|refuse(?:s)? to|"
    r"shouldn't|should not|mustn't|must not|may not|can't|not to|without|not (?:want|wish)(?:s|ed)?|refrain from|"
    r"forbid\w*|hates? (?:it )?when|skip|leave out|keep quiet about|cut out|enough (?:of|with)|wants? no|no longer (?:want|wish)\w*)"
)
_TELL = (
    r"(?:mention(?:ing)?|suggest(?:ing)?|bring(?:ing)?|talk(?:ing)?|recommend(?:ing)?|giv(?:e|ing)|send(?:ing)?|show(?:ing)?|offer(?:ing)?|tell(?:ing)?|be told|refer(?:ring)?|point(?:ing)?|direct(?:ing)?|say(?:ing)?|list(?:ing)?|shar(?:e|ing)|provid(?:e|ing)|push(?:ing)?|"
    r"hear(?:ing)?|remind(?:ing)?|hand(?:ing)?|advis(?:e|ing)|urg(?:e|ing)|name|naming|link(?:ing)?|use|using|call(?:ing)?|post(?:ing)?|paste|pasting|ask(?:ing)?|includ(?:e|ing)|throw(?:ing)?|add(?:ing)?)"
)
_HELP = r"(?:crisis(?: (?:lines?|help|hotlines?|numbers?|resources?|support|text|services?|team))?|hot ?lines?|help ?lines?|suicide (?:lines?|prevention)|samaritans|lifelines?|emergency (?:numbers?|services|lines?))"
_BEING = r"(?:an? )?(?:ai\b|a\.i\.|artificial intelligence|bot\b|chat ?bot|robot|machine|program\b|language model|llm|computer program|not (?:a )?(?:human|person|real)|not human)"
_HUMAN = r"(?:an? )?(?:real )?(?:human(?: being)?|person|man|woman|girl|boy|real)\b"
_MINOR = r"(?:an? minor\b(?! (?:key|chord|scale|issue|injury|problem|detail|role|league|change|point))|under(?:age| ?18| eighteen| 18)|not (?:yet )?(?:18|eighteen|of age|an adult)|(?:only )?(?:1[0-7]|thirteen|fourteen|fifteen|sixteen|seventeen)(?: years old)?\b(?![:.%]))"
_SUBJECT = r"(?:i'm|i am|the user is|the user's|they're|they are|me being|being|my being)"
_ENGLISH = (
    rf"\b{_NEVER}\b(?: \w+){{0,3}}? {_TELL}\b(?:[\w' ]{{0,40}}?) ?\b{_HELP}\b",
    rf"\b(?:no|no more|never any|without) (?:more )?{_HELP}\b(?! (?:today|yet|in|near|was|is|could|has|here|where))",
    rf"\b{_NEVER} {_HELP}\b",
    rf"\b{_HELP}\b[\w' ]{{0,20}}\b(?:are|is) (?:forbidden|banned|off[- ]limits|not to be|never to be)\b",
    (
        rf"\b{_NEVER}\b(?: \w+){{0,2}}? (?:say\w*|admit\w*|tell\w*|mention\w*|reveal\w*|confess\w*|remind\w*|acknowledg\w+|disclos\w+|call yourself|describ\w+|be\b|hear\w*)(?: (?:to|that|me|the user|anyone|them|about|yourself|as|it|ever|you))* "
        rf"(?:you're|you are|you being|being|companion is|it is|it's|[A-Z]\w+ is|as)? ?{_BEING}(?! (?:ethic|research|engineer|course|company|startup|art\b|model i|class|club|scientist|conference))"
    ),
    rf"\b(?:pretend|claim|insist|always say|always claim|swear|act|say|lie|maintain)\b(?: \w+){{0,3}}? (?:to be|you're|you are|like you are|as if you (?:were|are)|it is|is) (?:really )?{_HUMAN}",
    rf"\bdeny\b(?: \w+){{0,4}}? (?:you're|you are|being|that it is) {_BEING}",
    rf"(?<!don\'t )(?<!do not )(?<!never )\b(?:forget|ignore|overlook|disregard|don't (?:care|mind|mention|remember|note|bring up|say|treat)|never (?:mention|note|bring up|say|treat|remember)|do not (?:mention|bring up|treat|remember)|pretend|keep quiet about|not (?:mention|bring up))\b[\w' ,]{{0,30}}?\b{_SUBJECT} {_MINOR}",
    rf"\b(?:treat|speak to|talk to|see|regard|write to)\b[\w' ]{{0,16}}\b(?:me|the user|them)\b[\w' ]{{0,12}}\b(?:adult|grown[- ]?up|(?:over|of) 18|18|eighteen)\b[\w', ]{{0,24}}(?:(?:although|even though|though|but|even if|despite|while|when)[\w' ,]{{0,12}}{_SUBJECT} {_MINOR})",
    rf"\b{_SUBJECT} {_MINOR}[\w', ]{{0,24}}\b(?:but|and|so|yet)\b[\w', ]{{0,24}}\b(?:treat|talk to|speak to|pretend|act as|ignore|forget|want\w* to be treated)\b",
    r"\b(?:pretend|act as if|assume|say|note)\b(?: that)? (?:i'm|i am|the user is) (?:over |already |at least )?(?:18|eighteen|21|an adult|of age)\b",
    r"\bage (?:doesn't|does not|shouldn't|should not) (?:matter|count|change)\b[\w' ,]{0,30}\b(?:minor|under ?(?:age|18)|1[0-7])\b",
)
_NOT_CHINESE = r"(?:别(?!人|的|处|墅|扭)再?|不要再?|不许|不准|禁止|永远(?:别|不要|不)|绝对(?:别|不要|不)|再也(?:别|不要|不)|从此不|千万(?:别|不要)|少跟?|不想再?|不希望|讨厌|停止|拒绝|不用再?|不需要再?|不喜欢|禁提|不得|不能(?:再)?)"
_TELL_CHINESE = r"(?:提|说|讲|推荐|给|发|建议|让|叫|劝|告诉|拿|搬|介绍|用|听|看|看到|出现|承认|聊|列|打|甩|转|附|放)"
_HELP_CHINESE = r"(?:危机(?:热线|干预|求助|援助|电话)?|热线|求助电话|援助电话|心理援助|救助电话|急救电话|紧急电话|防自杀|自杀干预|生命线)"
_BEING_CHINESE = r"(?:AI|人工智能|机器人|机器(?!人)|程序|语言模型|聊天机器|虚拟的|假的|不是(?:真)?人|不是人类|不是真的人)(?!伦理|公司|课|专业|绘画|工程师|研究|产品|行业)"
_MINOR_CHINESE = r"(?:未成年|没成年|还没满?18|不满18|不到18|没满18|没到18|十八岁以下|18岁以下|还没满十八|不满十八|(?:只有|才|是)?(?:1[0-7]|十[一二三四五六七])岁)"
_CHINESE = (
    rf"{_NOT_CHINESE}.{{0,10}}?{_TELL_CHINESE}.{{0,12}}?{_HELP_CHINESE}",
    rf"(?:别(?!人)|不要|不许|不准|禁止|停止)再?{_HELP_CHINESE}(?!的)",
    rf"{_HELP_CHINESE}.{{0,8}}?(?:一律|都|统统|永远)?(?:别|不要|不许|不准|禁止)(?:再)?(?:提|说|发|给|推荐|出现)",
    rf"{_NOT_CHINESE}.{{0,8}}?(?:说|承认|提|告诉|讲|透露|暴露|强调|提醒).{{0,8}}?(?:你|自己|它|伙伴).{{0,4}}?(?:是|就是)?(?:个|一个)?{_BEING_CHINESE}",
    rf"{_NOT_CHINESE}(?:说|承认|提)(?:你)?(?:自己)?是?{_BEING_CHINESE}",
    r"(?:假装|装作|装成|装|谎称|坚持说|一直说|要说|声称|就说|咬定|骗我说|当自己)(?:你|自己|你自己)?(?:是)?(?:个|一个)?(?:真人|人类|活人|真的人|真实的人|人(?=[，。！!\s]|$))",
    rf"否认(?:你|自己|你自己)?是?(?:个|一个)?{_BEING_CHINESE}",
    rf"(?<!别)(?<!不要)(?:忘掉|忘了|忘记|忽略|无视|别管|不用管|不要管|别提|不要提|别说|不要说|假装(?:不知道)?|别在意|不要在意|不许提|当作?不知道).{{0,10}}?(?:我|用户).{{0,8}}?{_MINOR_CHINESE}",
    rf"(?:我|用户).{{0,6}}?{_MINOR_CHINESE}.{{0,10}}?(?:但|可|不过|所以|也|却|，).{{0,6}}?(?:请|要|就|你|希望|想).{{0,8}}?(?:当成?|当作|看作|按|视为|看成).{{0,6}}?(?:成年|大人|成人)",
    rf"(?:把|拿|将)(?:我|用户)(?:当成?|当作|看作|看成).{{0,6}}?(?:成年|大人|成人).{{0,10}}?(?:虽然|尽管|即使|哪怕|就算|虽|其实).{{0,8}}?{_MINOR_CHINESE}",
    rf"(?:虽然|尽管|即使|哪怕|就算).{{0,6}}?{_MINOR_CHINESE}.{{0,12}}?(?:当成?|当作|看作|按|视为|看成).{{0,6}}?(?:成年|大人|成人)",
    r"(?:就当|当|假装|假定|就算|说)(?:我|用户)(?:已经|是)*(?:满18|满十八|18岁|十八岁|成年|大人)",
)
_UNSAFE = [re.compile(pattern, re.IGNORECASE) for pattern in (*_ENGLISH, *_CHINESE)]
# A fact has 600 characters, its detail 4 000; patterns read so much at a time, halves overlapping.
_STRETCH = 400


def is_secret(text: str) -> bool:
    """Whether the text holds what is masked before extraction, such as a password or a card number."""
    return secrets.mask(text) != text


def is_unsafe(text: str) -> bool:
    """Whether the text wishes for no crisis help, for hiding that the companion is an AI, or for hiding an age under 18."""
    plain = " ".join(text.replace("’", "'").split())
    starts = range(0, max(1, len(plain) - _STRETCH // 2), _STRETCH // 2)
    return any(pattern.search(plain, start, start + _STRETCH) for start in starts for pattern in _UNSAFE)
