"""Words with which people turn to another subject at the beginning of a sentence, in English and Chinese.

A filler may go on with the subject, too ("by the way he smiled"), unless a mark stands behind it.
"""

ENGLISH_LEAD = r"^\W*(?:(?:oh|ok(?:ay)?|so|and|well|right)[,. ]+)?"
ENGLISH_FILLERS = (
    r"any(?:way|how|ways)|by the way|btw|guess what(?=\W)|before i forget|that reminds me|in other news|speaking of which"
    r"|did i (?:ever )?(?:tell|mention to) (?:you|u)(?: that)?(?= (?:i|we|he|she|they|my (?:\w+ )?[\w']+ (?:is|are|was|has|had|got|\w+ing|just|died|left|came|went))\b[^?]*$)"
    r"|(?:something (?:else|completely different)|another thing|one more thing)(?= *(?:[,:;.!…-]|$))"
)
ENGLISH_PHRASES = (
    r"(?:on|to) an?(?:other)? (?:(?:completely )?different |lighter |happier |other )?(?:note|subject|topic)"
    r"|(?:let'?s|let us|can we|could we|shall we) (?:please )?(?:change the (?:subject|topic)|talk about (?:something|anything) else|switch (?:topics|subjects)|move on)"
    r"|(?:change of|changing the|a?(?:different|new)) (?:subject|topic)|(?:totally|completely) (?:different|unrelated)|unrelated(?: but|,)"
    r"|speaking of something else|enough (?:about|of) (?:that|this|me|work)|moving on"
)
ENGLISH = rf"{ENGLISH_LEAD}(?:{ENGLISH_FILLERS}|{ENGLISH_PHRASES})(?![a-z])"
CHINESE_LEAD = r"^\W*(?:哦|啊|哎|嗯|诶|欸)?[，,]?"
CHINESE_FILLERS = "(?i:btw)|对了|另外(?:一件事)?|还有一件事|顺便|说到(?!底|做到)|说起来|哦对"
CHINESE_PHRASES = (
    "话说(?!回|到|得|完|清|出)|顺便(?:说|问|提)(?:一下|一句|个)?|换一?个?话题|换个事|(?:我们|咱们?)?(?:说|聊)(?:点|个)?别的|先?不(?:说|聊|谈)(?:这个?|它)(?:事|些)?了?"
    "|言归正传|扯远了|扯开一下|题外话"
)
CHINESE = rf"{CHINESE_LEAD}(?:{CHINESE_PHRASES}|{CHINESE_FILLERS})"
