"""How people say that something is over: patterns of English and Chinese clauses, with the thing as `what` and whose it is as `who`."""

from echovessel import lazy_re as re

# What is told of the one whom the user is with.
OF_LOVE = re.compile(
    r"the user(?:'s (?:new |long-distance )?(?:girlfriend|boyfriend|partner|wife|husband|fianc[ée]e?)\b(?!'s)|(?: has| is) (?:an? )?(?:girlfriend|boyfriend|partner|fianc[ée]e?|in a (?:\w+[- ])*relationship|seeing|dating|engaged|going out)\b)"
    r"|用户(?:们)?(?:现在|也)*(?:的|和|跟|有个?|谈了?个?)?(?:女朋友|男朋友|女友|男友|对象|老婆|老公|媳妇|妻子|丈夫|爱人|未婚妻|未婚夫|另一半)(?!的)",
    re.IGNORECASE,
)
_LEAD = r"^\W*(?:(?:and|but|so|well|oh|yes|yeah|also|then|anyway|actually|sadly|luckily|unfortunately|finally|eventually|recently|yesterday|today|in the end)\s+)*"
_WHO = r"(?P<who>(?:[\w'-]+(?: [\w'-]+)? and )?(?:i|we)|my (?:[\w'-]+ )?[\w'-]+|(?-i:[A-Z])[\w'-]+)"
_I = rf"{_LEAD}{_WHO}(?:'ve|'m|'d| have| had| am| was| were)?(?: (?:just|finally|now|recently|already|also|actually|eventually|completely|sadly|\w+ly))*"
_ENDED = (
    r"sold|called off|dropped(?! (?:off|by|in|out|it|him|her|them|me|my|an?)\b)|(?:gave|given|giving) up(?: on)?|quit(?:ting)?|packing in|dropping out of|stopped(?! (?:at|by|in|for|to|on|off|over)\b)|(?:gave|given) away|(?:got|gotten) rid of|cancell?ed|dropped out of|"
    r"left(?! (?:for|at|a|an|some|something|it|him|her|them)\b)|packed in|pulled out of|(?:got|gotten) over|recovered from|(?:came|come) off|off|over|(?:threw|thrown) (?:out|away)|donated|"
    r"unsubscribed from|flogged|binned|ditched|scrapped|shelved|jacked in|sworn off|swore off|stepped down (?:from|as)|cured of|rid of|done with|finished with"
)
ENGLISH = (
    rf"{_LEAD}(?P<who>(?:i|we|my|our|the|[\w'-]+)(?: [\w'-]+){{0,4}}?)(?:'m|'re|'s)?(?: (?:am|are|is))? no longer (?P<what>.+)$",
    rf"{_LEAD}(?P<who>[\w' -]{{1,40}}?)(?:n't|\s+not|\s+never) (?P<what>.+?) (?:any ?more|any longer|after all)\b(?P<tail>.*)$",
    rf"{_I} (?:(?:had|decided) to (?:call off|cancel|sell|give up|quit|stop|drop|leave|get rid of|give away|pull out of|drop out of|pack in)|{_ENDED}) (?P<what>.+)$",
    rf"{_I} (?:(?:shut|closed)(?: down)?) (?P<what>(?:my|our|the) .+?)(?: down| for good| in \w+)*$",
    rf"{_I} (?:(?:gave|given|threw|thrown) (?P<what>(?:my|our|the) .+?) (?:up|away|out)|(?:got|had) (?P<removed>(?:my|our|the) .+?) (?:off|removed))\b",
    rf"{_LEAD}(?P<what>(?:my|our|the) [\w' -]{{2,40}}?)(?: (?:is|are|was|were|has|have|got)|'s)(?: been)?(?: (?:now|finally|all|long|completely))* (?:gone(?=(?: now| for good| forever)?$)|off(?=$)|sold|cancell?ed|called off|axed|scrapped|disbanded|history|no more|healed|cured|given away|stolen)\b",
    rf"{_LEAD}(?P<what>(?:my|our|the) [\w' -]{{2,40}}?)(?: has| have|'s)?(?: finally)? (?:(?:came|come|taken) off|folded|disbanded|(?:went|gone) bust)\b",
    rf"{_LEAD}(?:i(?:'ve| have)? )?(?:just |finally )*(?:finished|done with) (?P<what>(?:my|the) (?:course of )?(?:antibiotics|tablets|pills|medication|meds|chemo|treatment)\b)",
    r"\b(?:took|taken|moved|got|kicked|thrown|let) (?:me|us) (?:off|out of|from) (?P<what>.+)$|\b(?:switched|changed|moved) me (?P<instead>(?:on)?to .+)$|\b(?:they|council|school|company|college|boss)(?:'ve|'s| have| has)? (?:axed|scrapped|cancell?ed|(?:closed|shut)(?: down)?|done away with|got rid of|(?:taken|took) away) (?P<removed>(?:my|our|the) .+)$",
)
ENGLISH_BANS = (
    rf"{_LEAD}(?:i|we)(?:'m| am| are)?(?: (?:now|finally|actually))* (?:can|may|allowed to|able to)(?: (?:now|finally|actually))* (?P<what>.+?) (?:again|now|these days)\b(?P<tail>.*)$",
    rf"{_LEAD}(?:i|we)(?:'m| am|'ve| have)? (?:(?:do|back to|(?:just )?(?:started|begun)) (?P<what>.+?) again|(?P<removed>(?:eat|drink|smoke) .+?) (?:now|these days))\b(?P<tail>.*)$",
)
ENGLISH_PLANS = (
    rf"{_I} (?:bought|got|found|passed|finished|had|did|booked|done|paid off|handed in|submitted|been to|started) (?P<what>(?:my|our|the|an?|(?-i:[A-Z])) ?.+)$",
)
_ONE = r"(?P<who>my (?:[\w'-]+ )?[\w'-]+?|(?-i:[A-Z])[\w-]+?)"
ENGLISH_STAYS = (
    rf"{_LEAD}{_ONE}(?:'s| has| have)? (?:moved out|gone (?:back )?(?:home|to)|went (?:back )?home|left|moved (?:back )?home)\b(?! (?:me|my|the|a|his|her|for work)\b)",
)
_DEAD = r"(?:died|dead|passed away|passed on|passed(?= (?:this|last|on|in|yesterday|today|peacefully))|put to sleep|put down|didn't make it|r[ua]n away|(?:gone|went) missing)"
ENGLISH_LIVES = (
    rf"{_LEAD}{_ONE}(?:'s| has| have| is| was| got| had)?(?: to)?(?: be| been)?(?: just| sadly)? {_DEAD}\b",
    rf"{_LEAD}(?P<who>(?!(?:he|she|it|they|we|i|you|who|nobody|everyone|everybody|somebody|someone|people|hope|that|this|just|almost|nearly)\b)(?-i:[a-z])[a-z]{{2,}})(?:'s| has| just| sadly)* (?:died|passed away)(?= (?:today|yesterday|this|last|on|in)\b|\W*$)",
    rf"\b(?:had to |having to |have )?put {_ONE} (?:down|to sleep)\b",
    rf"{_LEAD}(?:i|we)(?:'ve| have)?(?: just| sadly)? lost {_ONE}(?: to .+)?(?=[\s.!]*$| (?:today|yesterday|tonight|this|last|on|in|two|a)\b)",
)
ENGLISH_WORK = (
    rf"{_LEAD}i(?:'ve stopped|'m not| am not|'m no longer| no longer| don't| do not) (?:drive|driving|deliver\w*|teach\w*|sell\w*|do|doing|cut\w*|fix\w*|repair\w*|clean\w*|cook\w*|paint\w*|bak\w+) (?P<what>.+?)(?: any ?more| any longer)?$",
)
ENGLISH_DENIALS = (
    rf"{_LEAD}(?P<who>i|we|my [\w'-]+|(?-i:[A-Z])[\w-]+)(?:'m| am|'s| is| are|'re| do| does| can| have| has)?(?:n't| not|not) (?P<what>.+)$",
)
_NOTE = r"(?:吧|啊|呢|哈|哦|嘛|呀|啦)*"
_SINCE = r"(?:现在|已经|早就|早|也|都|终于|可|从此|以后|刚刚?|最近|昨天|前天|上(?:个?[周月]|礼拜|个?星期)|前阵子|全|又|后来|给)*"
_GONE = r"(?:卖|送人|(?:送|转|盘|让)给[^，了一几个]{1,6}?(?:养|用|穿|骑|开|戴|管)?|送|扔|退|停|取消|注销|戒|辞|处理|转让|捐|转卖|解约|退租|摘|拆|报废|转手|倒闭|停业|歇业|关门|关张|(?<=[店铺馆厂摊吧社])关|(?<=[店铺馆厂社院司])(?:倒|垮|散伙)|散伙|砸锅)(?:掉|出去|走)?"
CHINESE = (
    rf"^(?P<who>[^不没再把]{{0,12}}?){_SINCE}(?:不再|再也不|再也没有?|不(?:[用必](?=[吃打去来交考带穿戴等]))?|没有?)(?P<what>[^了]{{1,14}})了{_NOTE}$",
    rf"^(?P<who>[^不没把]{{0,12}}?){_SINCE}(?:不再|再也不)(?P<what>[^了]{{1,14}})$",
    rf"^[^不没，]{{0,6}}?{_SINCE}(?:把|将)(?P<what>.{{1,12}}?)(?:都|给|也)*{_GONE}了{_NOTE}$",
    rf"^(?:我们?)?{_SINCE}(?:戒掉|戒|退出|退掉|停掉|停(?!车)|停用|卖掉|卖|扔掉|送走|放弃|取消|注销|辞掉|离开)(?:了(?P<what>.{{1,12}}?)了?|(?P<thing>.{{1,12}}?)了){_NOTE}$",
    rf"^(?P<what>[^不没把]{{1,14}}?)(?:我们?|被我)?{_SINCE}(?:没了|没有了|{_GONE}了(?:[^，了]{{1,5}}了)?|黄了|吹了|(?:[那这]个)?不[用必](?:再|[去来打吃交考等管弄])+了){_NOTE}$",
    rf"^(?:医生|大夫)?{_SINCE}给我{_SINCE}(?P<what>[换改](?:成|用|吃)?了?[^，了]{{2,8}})了?$",
    rf"^(?:我的?)?(?:(?![爸妈哥姐弟妹爷奶公婆儿女他她的])[\u4e00-\u9fff]){{0,3}}药(?:又|也|都)?{_SINCE}(?P<what>[换改](?:成|用|吃)了?[^，了]{{2,8}})了?$",
    rf"^(?P<what>[^不没把]{{0,10}}(?:病|炎|伤|疼|痛|症|过敏)){_SINCE}(?:基本|差不多|完全|彻底)?(?:好|治好|痊愈)(?:了|全了){_NOTE}$",
)
CHINESE_BANS = (
    rf"^(?:[^我不没]{{0,8}}[后起来])?(?:我们?)?{_SINCE}(?:可以|能够?){_SINCE}(?P<what>.{{1,10}})了{_NOTE}$",
    rf"^我们?{_SINCE}不(?:讨厌|怕|忌|排斥)(?P<what>[^了]{{1,10}})了{_NOTE}$",
    rf"^我们?(?:现在|已经|又)*(?:重新|开始|恢复)+(?P<what>[^不没了]{{1,10}})了{_NOTE}$",
)
_DONE = r"(?:买|做|考|找|办|签|拿|还|装修|修|写|读|考|毕|生|通过|录取|搞定|弄)(?:到|好|完|下来|清|成|上|过|出来|手)?"
CHINESE_PLANS = (
    rf"^(?:我们?)?{_SINCE}(?:终于)?{_DONE}了(?P<what>[^了]{{1,12}}){_NOTE}$",
    rf"^(?P<what>[^不没把我他她]{{1,12}}?)(?:我们?)?{_SINCE}(?:终于)?{_DONE}了{_NOTE}$",
)
_ONE_CHINESE = r"(?P<who>(?:我的?)?[\u4e00-\u9fffA-Za-z]{1,6}?)"
_WHEN = r"(?:昨[天晚]|今[天早晚]|早上|晚上|夜里|凌晨|中午|下午|前[天几]|上个?[周月]|周[一二三四五六日天末]|年前|已经|刚刚?|就|终于|也|都|全)*"
CHINESE_STAYS = (rf"^{_ONE_CHINESE}{_WHEN}(?:搬走|搬出去|回老家|回家去|走|回去|回国)了{_NOTE}$",)
CHINESE_LIVES = (rf"^{_ONE_CHINESE}{_WHEN}(?:(?:走|没|不在|离世|死|飞|丢|翻肚皮)了|(?:去世|过世|病逝|去了[汪喵]星)了?){_NOTE}$",)  # fmt: skip
CHINESE_WORK = (
    rf"^我{_SINCE}不(?:再)?(?:送|跑|开|做|教|卖|修|摆|拉|干|当|写|画|种|理)(?P<what>[^了]{{2,8}})了{_NOTE}$",
)
CHINESE_DENIALS = (
    rf"^(?P<who>我|我的?[\u4e00-\u9fff]{{1,4}}?)(?P<what>[^不没]{{0,8}}?[不没](?!是不|是没)[^不没了]{{1,10}}){_NOTE}$",
)
# A word of an end, of which it is open what ends: a fact that is near to the message and holds all else that its clause tells.
_THING = r"(?:(?:the|my|our|its|that|all|it)(?: [\w'-]+){0,3}? )?"
_IS = r"(?:is|are|has|have|been|got|all|now|'s|'re|'ve)(?: (?:now|all|finally|long|been|just|completely))*"
SIGN = re.compile(
    rf"\b(?:no more(?! than)|no longer|any ?more|any longer|never again|history|not needed|thing of the past|(?:at|is) the end of|"
    rf"(?:{_IS}|was|were) (?:gone(?! (?:to|out|for|in|on|up|into|over|through|by|quiet|mad|well|wrong|home|again)\b)|off(?=\W*$|[,.;!]| (?:now|then|because|since|for good|thank)\b)|over(?=\W*$|[,.;!]| (?:now|with|for good)\b)|"
    r"finished|done with|cancell?ed|sold|stolen|axed|scrapped|discontinued|cured|healed|reversed)\b|"
    rf"{_IS} (?:past(?=\W*$)|shut|closed|cleared(?: up)?|mended)\b|(?:packed|packing|jacked|chucked|thrown) {_THING}in\b|(?:gave|given|giving|hand(?:ed|ing)?) {_THING}(?:back|up|away)\b|wrote {_THING}off\b|let {_THING}go\b|"
    r"quit(?:ted)?|sold(?! out)|flogged|got rid|rehomed|dropped out|called off|closed down|shut down|folded|ended|(?:come|came|coming) to an end|cancell?ed|stopped|"
    r"finished with|through with|binned|ditched|scrapped|uninstalled|unsubscribed|canned|came off|fell through|fell by the wayside|goodbye to|(?:gone|went) off)\b"
    r"|不(?=[^，。！？,.!?\s]{1,8}(?:了|啦)$)|[散黄吹崩][了啦]|散伙|关门大吉|倒闭|送人|送走|摘[了掉]|拆[了掉]|取消了|退了|清零|还清|治好|好全|痊愈|戒了|不再|再也不|没再|甭提|"
    r"泡汤了|作废|到期|遂罢|转让|[兑盘]出去?了|交出去|收回|退回|报废|解散|停掉|不成了",
    re.IGNORECASE,
)
