"""English words for what happens in a life, by its kind."""

_MY = r"(?:my|his|her|their|our|the|a|an)"

# Kind -> pattern.
KINDS = {
    "birth": (
        r"pregnan\w+|expecting (?:a|our|their|twins)|due (?:in|on) \w+|gave birth|miscarr\w+|(?:baby|twins|son|daughter|girl|boy|granddaughter|grandson) (?:was |is |were )?(?:born|here|arrived)|had (?:a|the|her|our) (?:baby|little (?:girl|boy))"
        r"|going to be an? (?:dad|mum|mom|father|mother|uncle|aunt\w*|grandm?\w+)|adopt(?:ed|ing)? (?:a|our) (?:baby|child|little)|ivf"
    ),
    "love": (
        r"engaged|propos(?:ed|ing)|(?:get|getting|got) married|married (?:on|in|last|this|yesterday|today)|asked (?:me|him|her) to marry|br(?:oke|eaking|eak|oken) up|split(?:ting)? up|divorc\w+|separated|left me|leaving me|dumped|cheat\w* on|an affair"
        r"|moved? out|moving out|moving in with|moved in with|back together|(?:going|went) out with|asked (?:me|him|her) (?:out\b|to (?:the|a) \w+)|first date|called off the wedding|wedding"
    ),
    "death": r"died|passed away|passed on|is dead|was killed|funeral|put (?:him|her|it|\w+) (?:down|to sleep)|buri(?:ed|al)|bury(?:ing)?|didn'?t make it|last (?:days|words)|a (?:few )?(?:months|weeks|days) (?:left|to live)|lost (?:the baby|my (?:mum|mom|dad|wife|husband|son|daughter|brother|sister))",
    "illness": (
        r"bypass|fever|surger\w+|operat(?:ion|ed)|transplant|hospitals?|hospice|care home|icu|intensive care|ambulance|a&e|er\b(?= )|diagnos\w+|biops\w+|tumou?r|cancer|strokes?|heart attack|dementia|alzheimer'?s|chemo\w*|radiotherapy|dialysis|pneumonia|kidneys?|relaps\w+|remission"
        rf"|(?:all[- ]clear|benign|malignant)|(?:test|blood|scan|biopsy) results?|(?:tests?|results?|scan) (?:came|come|are|were|was|is) (?:back|in|clear|fine|bad)|in for (?:tests|a scan)|(?:starts?|started|starting|begins?|finish\w*) (?:treatment|chemo|therapy|rehab)|rehab"
        rf"|(?:broke|broken|fractured|sprained) {_MY} (?:\w+ )?(?:arm|leg|wrist|ankle|hip|foot|toe|collarbone|nose|shoulder|rib|ribs)|(?:a|an|the|bad|nasty|had a) (?:fall|seizure|accident|crash)|fell (?:down|off|and)|overdos\w+|slipped(?=\W*$)|drinking again"
    ),
    "work": (
        rf"(?:got|get|getting|offered(?: me)?|gave me|lost|losing|quit|leaving|left|took|start\w*|filled) {_MY} (?:\w+ )?(?:job|position|role|offer|promotion|raise)|new job|offer\w*|promot(?:ed|ion)|hired|fired|sacked|laid off|redundan\w+|let go|resign\w+|quit|hand(?:ed|ing) in {_MY} notice|gave (?:in )?{_MY} notice|{_MY} notice"
        r"|retir(?:e|ed|ing)|start(?:s|ed|ing)? (?:at|as|on|in) (?:the|a|my)|interview\w*|pay rise|(?:percent|%) raise|a raise|written warning|disciplinary|shut(?:ting)? down|bankrupt\w*|went under|own (?:business|shop|caf[eé]|company|bakery|restaurant)|job'?s"
    ),
    "home": (
        r"mov(?:e|es|ed|ing) (?:to|in|into|out|house|home|back|away|abroad|on \w+day|next|flat)|emigrat\w+|evict\w*|(?:bought|buying|sold|sell|selling|viewed|found|rented) (?:a|the|our|my) (?:\w+ )?(?:house|flat|apartment|cottage|place|home)|mortgage|(?:house|flat) sale|new (?:house|flat|home)|have to be out|kicked (?:me|him|her) out"
    ),
    "study": (
        rf"(?:pass(?:ed|es|ing)?|fail(?:ed|ing)?|resit\w*) {_MY} |pass(?:ed)?(?=\W*$)|fail(?:ed)? it|got into|got in to|accepted (?:to|into|at|by)|drop(?:ped|ping)? out|graduat\w+|exams?|driving test|degree|dissertation|thesis|viva|scholarship|expelled"
    ),
    "decision": (
        r"decid\w+|made up my mind|(?:told|tell) (?:him|her|them|\w+) (?:yes|no)|said (?:yes|no)|say(?:ing)? (?:yes|no) to|agreed|turned (?:it|him|her|them|down)\b|refus\w+|won'?t (?:take|do|let|come)|accepted|cancel\w+|call(?:ed|ing) (?:it |\w+ )?off|postponed|brought forward|moved forward|fell through|give it up|gave (?:it )?up|going ahead"
    ),
    "quarrel": (
        r"argu(?:ed|ing|ment)|(?:a|the|another|big|huge) (?:row|fight|fallout)|fell out|falling out|fought|shouted|yelled|screamed|threw .{1,20} at|(?:isn'?t|not|aren'?t|won'?t|hasn'?t|haven'?t|stopped) (?:speaking|talking|spoken|talked)|confronted|accused|blam(?:es|ed)|lied to|betray\w+|stole|stolen|took credit|bull(?:ied|ying)|threaten\w*|reported"
        r"|hates me|called me (?:a|an)"
    ),
    "making up": r"made (?:it )?up(?! (?:my|his|her|a|the|your)\b)|apologi[sz]\w*|said (?:\w+ )?sorry|forg(?:ive|ave|iven)|reconcil\w+|hugged|rang me|friends again|first time in \w+ years|wrote (?:him|her|them|the|a) (?:a )?letter|posted (?:it|the letter)",
    "loss": r"(?:lost|stolen|nicked|crashed|wrecked|smashed) (?:my|our|the|his|her)|rear-?ended|(?:crashed|drove|backed) into (?:me|my|us|our|a|the)|run over|written off|went missing|gone missing|is missing|ran away|escaped|flew (?:out|away|off)|burgl\w+|broken into|flood(?:ed)?|a fire|burn(?:ed|t) down|broke (?:down|in)|scammed|evicted|court|sued|(?:the|my) (?:police|lawyer)|overdraft|debts?",
    "find": r"found (?!out\b|that\b)\w+|won (?:the|a|my|our|it)|award|prize|(?:asked|wants?|coming|came) (?:to come )?back|paid (?:me|it) back|a match|(?:met|meeting) (?:a|an|my|someone|somebody|this)|(?:i'?ve|i have|we) (?:lost|put on) (?:half|\w+) (?:a )?(?:stone|kilos?|pounds|kg)|pregnant",
    "plan": r"book(?:ed|ing) (?:a|the|us|our|my|flights?|tickets?|\w+ for)|fl(?:y|ying|ies) (?:to|from|on|out|home|back)|flight|tickets?|(?:is|are|[a-z]+'(?:s|re)|i'm) (?:coming|arriving|visiting|flying|bringing)|arriv(?:es|ing)|(?:going|off) to (?-i:[A-Z])\w+|trip|holiday|appointment|(?:will|'ll) (?:take|look after|come|move|drive|stay|meet)|going to (?:ask|propose|start|tell|leave|see|meet|visit|buy|open|move|have)",
}
