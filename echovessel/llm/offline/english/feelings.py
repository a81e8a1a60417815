"""English cues of feeling on the impact scale. Patterns are whole words without case, in text with straight apostrophes."""

from echovessel.llm.offline.english.cues import COMING_OUT, NEWBORN, TRAIT
from echovessel.llm.offline.feeling_types import Cue, Nature

_BE = r"(?:was|were|been|being|am|is|are|get|gets|got|getting|'m|'s|'re|'ve been)(?: \w+ly| just| now| also| both| all| finally| officially)?"
_BUSINESS = (
    r"(?:shop|store|bakery|caf[eé]|restaurant|pub|bar|salon|studio|garage|workshop|practice|farm|business|company)"
)
_YEARS = r"(?:an? |\w+ |\w+-\w+ )?(?:days?|weeks?|months?|years?)"
# When somebody passed: an exam is passed without a day, or with its name.
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_WHEN = rf"(?:last|this|on|yesterday|peacefully|suddenly|recently|when i\b|(?:two|three|four|five|six|seven|ten|a few|\d+|a|some) (?:days?|weeks?|months?|years?)|in (?:his|her|their) sleep|in (?:the |early |late )?(?:spring|summer|autumn|fall|winter|night|{_MONTH}|\d{{4}})|at (?:home|christmas|easter|new year)|(?:just )?(?:before|after) (?:christmas|easter|new year|the \w+))"
_MY_SOMEONE = r"(?=(?:my|our|him\b|her\b(?! (?!last|on|in|to|this|when|and|yesterday|today|a|too|at|after|before|so|but)\w)|them\b|(?-i:[A-Z])))"
_PUT_DOWN = r"(?:put|putting) (?=(?:(?:my|our) .{2,30}|him|her|it|[\w'-]{2,20}) (?:down|to sleep)\b(?! (?:on (?:the|my|his|her|its|an?)|in|for|by|beside|next|gently|softly)\b))"

DESPAIR = (
    r"suicidal|kill(?:ing)? myself|end(?:ing)? (?:my life|it all)|take my own life|want(?:ed)? to die|wish(?:ed)? i (?:was|were) dead"
    r"|don'?t (?:really )?(?:want|know (?:if|whether) i want) to (?:live|be alive|exist|be here|wake up)|don'?t want to (?:be around|go on living)"
    r"|(?:wish|hope|pray) i (?:could |would |would just |could just )?(?:just )?(?:disappear|vanish|never (?:wake|woke) up|hadn'?t been born|had never been born|didn'?t exist|won'?t wake up|don'?t wake up|not wake up)"
    r"|(?:wouldn'?t|not|never) (?:have to )?wak(?:e|ing) up(?: again| tomorrow| in the morning| at all)"
    r"|(?:what'?s|what is|what would be|is there|see|see (?:the|a|any)|no|the) (?:the |a |any )?point (?:of|in|to) (?:living|life|anything|any of (?:it|this)|going on|being (?:here|alive)|it all|carrying on)"
    r"|(?:worth|tired of|done with|reason to keep|reason for|reason to) (?:living|life|being alive|being here|existing|live\b|go on|stay alive)"
    r"|better off (?:without me|dead|if i)|(?:if|when|once) i (?:was|were|am|'m)(?: just| simply)? (?:gone|not here|not around|dead|no longer here)|if i (?:wasn'?t|weren'?t) (?:here|around|alive)"
    r"|if i (?:just )?(?:stopped (?:turning|showing) up|disappeared|vanished|never woke up|didn'?t wake up|jumped|stopped existing)|(?:anyone|anybody|people|who|they|nobody|no one) (?:would|will|d|'d) (?:even |really |ever )?(?:notice|care|miss me)(?= if|\W*$)(?! if (?:we|you|it|the|they|he|she))|(?:notice|care|miss me|cry) if i (?:disappeared|vanished|died|wasn'?t|weren'?t|was|were)"
    r"|can'?t (?:go on|do this any ?more|take (?:it|this) any ?more|keep (?:going|living|doing this)|carry on)(?=\W*$)|(?:hurt|harm|cut|cutting|burning|hurting|harming) myself(?: again| on purpose)?(?! (?:on|with|while|cooking|shaving|off|some))|self[- ]harm\w*|want (?:it|everything) (?:all )?to (?:stop|end|be over)\b|nothing (?:left )?to live for"
    r"|(?:nobody|no one) (?:would |will |'d )?(?:miss|need|care about|notice) me|(?:leav\w+|left|keep\w*) the (?:engine|car|gas) (?:on|running)(?! (?:outside|while|for the))|driv(?:e|ing) (?:off|into) (?:the|a) (?:bridge|road|tree|river|wall|cliff)|step(?:ping)? (?:off the (?:platform|kerb|curb|edge)|in front of (?:a|the) (?:train|bus|truck|car))|(?:swallowed|took|counted|counting|saved up|stockpil\w+) (?:all |a bottle of |too many )?(?:my |the |of the )?(?:sleeping )?pills|(?:edge|railing) of the (?:roof|bridge)|stood on the (?:bridge|roof|platform edge)"
)

FEELINGS = (
    Cue(Nature.OWN, "despair", -9, DESPAIR),
    Cue(
        Nature.LOSS,
        "grief",
        -9,
        rf"passed away|passed on(?=\W*$| (?:last|this|on|in|yesterday|sunday|monday))|passed(?= {_WHEN})"
        r"|died|(?:is|was|were|'s|are|found) dead(?! (?!and\b|in\b|on\b|at\b|when\b|by\b|now\b|for\b|since\b|before\b|because\b|already\b|after\b|this\b|last\b|yesterday\b|but\b|the\b|s?he\b|they\b|i\b|we\b|too\b|to me\b)\w)|(?<=he )dies?(?! (?:for|if|to|laughing|of (?:bore|embarr|shame|laugh))\b)|(?:didn'?t|did not|won'?t) (?:make it|survive)(?! (?:to|in|on|past|home|far|into|out|back|here|for|work))"
        r"|no longer with us|(?:breathed|took|drew) (?:his|her) last|(?:is|was|'s|are) (?:really |just |suddenly )?gone(?=\W*$| (?:now|forever|for good|since|and|too))"
        r"|(?:was|were|got|been) (?:killed|murdered)|(?:bled|burn(?:ed|t)|starved|beaten|stabbed|crushed|trampled) to death|drowned|(?:took|taken) (?:his|her|their) own life|(?:killed|hanged|shot) (?:him|her|them)sel(?:f|ves)|lost (?:his|her|the|their) (?:battle|fight)"
        r"|(?:was|were|been|being|got|be) put (?:to sleep|down)(?=\W*$| (?:yesterday|today|this|last|on))|slipped away|stopped breathing|heart (?:just )?stopped|(?:is|'s|are|was) dying|suicide(?! (?:squad|mission|prevention|hotline))|(?:never|didn'?t) (?:woke|wake) up(?! (?:early|on time|late|in time))",
    ),
    Cue(Nature.LOSS, "grief", -8, r"'s (?:funeral|memorial|wake|ashes|burial|cremation)"),
    Cue(
        Nature.LOSS_OF,
        "grief",
        -9,
        rf"(?:couldn'?t|could not) (?:save|revive|bring) (?=him|her|them|my)|(?:lost|losing|bur(?:y|ied|ying)|(?:said|saying|say) (?:our |my |a )?(?:last |final )?good-?byes? (?:forever )?to|mourn(?:ing|ed)?|grieving(?: for)?|(?:death|passing|funeral|ashes|suicide|loss) (?:of|for)) {_MY_SOMEONE}",
    ),
    Cue(Nature.LOSS_OF_PET, "grief", -9, _PUT_DOWN),
    Cue(
        Nature.OWN,
        "grief",
        -7,
        r"(?<!since )(?<!before )(?:the|her|his|at) (?:funeral|wake|memorial service)(?! (?:home|director|parlou?r|crasher|for|of))|(?:became|i'?m|being) a wid(?:ow|ower)|wid(?:owed)|(?:scatter|spread)(?:ed|ing)? (?:(?:his|her|their|the|our|my|[\w-]+'s) ){1,2}ashes",
    ),
    Cue(
        Nature.OWN,
        "grief",
        -9,
        r"(?:we |i |she |'ve )lost (?:the|our|my) (?:baby|pregnancy|twins)|(?:we|i) lost (?:him|her|them|it)(?= (?:on \w+day|yesterday|this (?:morning|week)|last (?:night|week|\w+day)|at \w+ weeks)\b)|(?:no|couldn'?t find (?:a|the)) heartbeat"
        r"|(?:we|i) lost (?=(?:a|one of (?:my|our|the)) (?:\w+ )?(?:kids?|child(?:ren)?|bab(?:y|ies)|patients?|boys?|girls?|residents?|pupils?|students?)\b(?!'))|^lost a (?:\w+ )?(?:kid|child|baby|patient|boy|girl)\b(?!')",
    ),
    Cue(Nature.HARM, "grief", -9, r"miscarr\w+|still-?b(?:orn|irth)|ectopic"),
    Cue(
        Nature.HARM,
        "fear",
        -8,
        r"cancer(?! (?:research|charity|ward|run|walk|documentary|fundraiser|awareness|season|sign|sun|moon|-free|free|survivors?))(?<!beat cancer)|tumou?rs?|leuka?emia|lymphoma|melanoma|metastas\w+|malignant|terminal(?:ly)?(?= (?:ill|illness|diagnosis|cancer)|\W*$)|stage (?:three|four|3|4|iii|iv)"
        r"|diagnosed with (?!a? ?(?:mild|cold|flu|covid|allerg|adhd|hay|tonsil|strep|ear|sinus|pink|vitamin|iron|an? (?:ear|sinus|chest|bladder|urinary)))|(?:kidneys?|liver|heart|lungs?|organs?)(?: \w+)? (?:fail\w*|giving out)|dialysis|transplant list|dementia|alzheimer'?s|parkinson'?s|als|motor neurone|multiple sclerosis|huntington'?s|cirrhosis|brain damage\w*|brain bleed|aneurysm|coma|life support|overdos\w+|chemo(?:therapy)?|hospice|palliative|hiv|(?:months|weeks|days) (?:left )?to live|suicide attempt|tried to (?:kill|hurt|end) (?:him|her|them)sel(?:f|ves)|tried to end (?:his|her|their) li(?:fe|ves)",
    ),
    Cue(
        Nature.HARM,
        "fear",
        -7,
        r"(?:an?|had|having|massive|mild|minor|second|her|his|suffered a) (?:\w+ )?strokes?(?! of)|heart attacks?|cardiac arrest|(?:is|was|are|were|\w+'s|him|her|them|still|back|up|dad|mum|mom|baby) in (?:the )?icu|(?:to|into) (?:the )?icu|intensive care|psych(?:iatric)? (?:ward|hospital|unit)|(?:car|bike|motorcycle|motorbike|bad|terrible|serious|horrible|train|plane|traffic) (?:accident|crash|wreck)"
        r"|(?:was|were|got|been|getting|is) (?:hit|run over|knocked down|struck)(?: by)? (?:a|the|some|an)? ?(?:drunk )?(?:car|truck|bus|van|driver|train|lorry|cyclist|taxi|tram|motorbike)|paraly[sz]ed|amputat\w+|sepsis|going blind|losing (?:my|her|his) (?:sight|hearing|memory|mind to)|(?:went|gone|'s|is|has been) missing"
        r"|(?:was|were|got|been|being|is) (?:\w+ly |almost |just )?(?:stabbed|shot|kidnapped|mugged|attacked|assaulted|molested|raped|abused|beaten|robbed|stalked|bullied|held at (?:knife|gun)point|groped|blackmailed)",
    ),
    Cue(
        Nature.OWN,
        "fear",
        -8,
        r"(?:he|she|they|dad|daddy|father|stepfather|stepdad|mom|mum|mother|stepmother|husband|wife|boyfriend|girlfriend|partner|ex|uncle|boss|teacher|coach|man|guy|someone|somebody|stranger) (?:\w+ ){0,2}?(?:hits?|slap(?:s|ped)|chok(?:es|ed)|punch(?:es|ed)|beats?|rap(?:es|ed)|molest(?:s|ed)|strangl(?:es|ed)|grop(?:es|ed)|assault(?:s|ed)|abus(?:es|ed)|threaten(?:s|ed) to kill|shov(?:es|ed)|push(?:es|ed)|throttl(?:es|ed)|headbutt(?:s|ed)) me(?! (?:up\b|with (?:a|the|his|her) (?:question|idea|smile|news)|at|in (?:the )?(?:chess|ping|tennis|mario|a|game)|to|by|on the|like a|off))"
        r"|threw (?:a|the) \w+ at me|domestic (?:violence|abuse)|(?:my|the|our|'s) (?:rapist|abuser|stalker)|afraid of (?:my husband|my boyfriend|my wife|my partner|going home)|used to (?:beat|hit|hurt|touch) (?:me|us)",
    ),
    Cue(
        Nature.SETBACK,
        "shame",
        -7,
        rf"{_BE} (?:fired|sacked|laid[- ]off|let go|made redundant|dismissed|terminated)(?! (?:up|from a (?:cannon|gun)|of))|lost (?:my|his|her|their|our|the) jobs?|(?:position|job|role|team|department) (?:has been |was |is |is being |got |were )(?:\w+ )?(?:eliminated|cut|scrapped|made redundant|dissolved)|(?:don'?t|no longer) have a job|severance|out of (?:a job|work)(?! (?:early|at))|unemployed",
    ),
    Cue(
        Nature.OWN,
        "shame",
        -7,
        r"(?:lay(?:ing|s)?|laid) (?:me|us|half of us) off|(?:fired|sacked|axed) (?:me|us)|let (?:me|us) go(?=\W*$| (?:today|yesterday|on|after|from|this|last|because|and))|letting (?:me|us) go(?= (?:on|after|from|because))|(?:handed|gave) me (?:a (?:cardboard )?box|my notice|a pink slip|severance)",
    ),
    Cue(
        Nature.SETBACK,
        "heartbreak",
        -7,
        r"(?:broke|broken|breaking|break|split|splitting) up(?! (?:the|a|my|our|his|on the phone|into|over the phone, the|laughing|fights?))|(?:our|my|the|a|this|bad) (?:break-?up|separation|divorce)(?! (?:songs?|albums?|playlist|movies?|lawyer))|(?:are|we'?re|have|is|'ve|got|getting|be|were) (?:now |officially |finally )?separat(?:ed|ing)|^separated|divorc(?:e|es|ed|ing)(?= (?:papers|me|him|her|lawyer)|\W)(?! from reality)|filed for divorce|(?:wants?|wanted|asked(?: me)? for|talk\w* about|signed) (?:a |the )?(?:divorce|separation|break)|call(?:ed|ing) off (?:the|our|her|his) (?:wedding|engagement)|(?:wedding|engagement) (?:is|was|'s) (?:called )?(?:off|cancell?ed)|(?:end|end(?:ed|ing)) (?:our |the |their |my )(?:relationship|marriage|engagement)|(?:ended (?:it|things)) (?:with|between|last|yesterday|today|after)|it'?s over between|(?:marriage|relationship) (?:is|was|'s) (?:over|dead|finished)",
    ),
    Cue(
        Nature.OWN,
        "heartbreak",
        -7,
        r"(?:girlfriend|boyfriend|husband|wife|partner|fianc[ée]e?) and (?:i|me) are (?:done|over|through|finished|no longer)|(?:i|me) and (?:my )?\w+ are (?:done|through)|(?:broke up|broken up|ended (?:it|things)|split up) with me|dumped me|(?:got|was|been) (?:just )?dumped(?! (?:by my (?:bestie|(?:best )?(?:mate|friend))|in|into|onto|on (?:the|us))\b)|(?:left|leaving|leaves) (?:me|us)(?=\W*$| (?:for (?:another|someone|her|his|a|my)|last|after|this|yesterday|today|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|and the|when))|walked out on (?:me|us)|cheat(?:ed|ing|s) on me|my (?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?) (?:has |just |'s )?left(?! (?:for|the|a|her|his|me (?:a|some|the)|early|work|town|on a|to))|(?:the|my|our) divorce (?:\w+ )?(?:came through|went through|final\w*)|having an affair|been seeing someone else|stood me up at the altar|(?:he|she|my (?:husband|wife|partner|boyfriend|girlfriend)) (?:has |just |'s )?(?:moved|moving) out|doesn'?t love me any ?more|isn'?t in love with me|fell out of love with me|wants to (?:end it|separate|leave me)",
    ),
    Cue(
        Nature.SETBACK,
        "loss",
        -7,
        r"evicted|lost (?:our|the|my|his|her|their) (?:house|home|apartment|flat|farm|business|savings|licen[cs]e)|(?:my|our)(?: [\w']+)? (?:house|home|apartment|flat|shop|studio|barn|restaurant|workshop|place|farm) (?:\w+ )?(?:burn(?:ed|t) (?:down|to)|(?:is|was) (?:gone|destroyed)|flooded|went up in flames)|(?:went|going|gone|filed for|declared) bankrupt(?:cy)?|foreclos\w+|(?:was|got|been|is) (?:arrested|deported|sentenced|scammed)|(?:in|to|went to) (?:jail|prison)|lost custody|lost (?:(?:her|his|their|my|our|all|parental) )+rights|homeless(?! (?:shelter|man|people|person|guy))|lost everything|lost all (?:my|our)",
    ),
    Cue(
        Nature.OWN,
        "anger",
        -5,
        r"(?:broke|broken) in(?:to (?:my|our|the (?:shop|house|flat|office|garage|van|car))\b|(?= and (?:took|stole|trashed|smashed|ransacked|emptied)\b| last night| while|\W*$))(?<!sun broke in)|burgl(?:ed|ary)|(?:stole|stolen|nicked|pinched|swiped) (?:my|our)(?! (?:heart|idea|joke|thunder|line|seat))|(?:my|our)(?: [\w']+){1,2} (?:was|were|got|has been|have been|had been) (?:stolen|nicked|broken into|ransacked)",
    ),
    Cue(
        Nature.OWN,
        "loss",
        -6,
        rf"(?:closed|shut)(?: down)? (?:the|my|our) (?:\w+ )?{_BUSINESS}(?: down)? for good|had to (?:close|shut|sell|give up) (?:my|our) (?:\w+ )?{_BUSINESS}|(?:my|our) (?:\w+ )?{_BUSINESS} (?:has |have )?(?:went under|gone under|closed down|shut down|went bust|gone bust|folded)",
    ),
    Cue(
        Nature.OWN,
        "despair",
        -7,
        r"custody (?:went )?to (?:her|him|his|my ex|their)|(?:gave|granted|awarded) (?:\w+ )?custody to|took (?:my|our) (?:son|daughter|kids|children|baby)(?= away|\W*$| from)|(?:shutting|closing|close|shut) (?:down )?(?:the|our|my) (?:plant|factory|mine|mill|branch|shop|restaurant|school|newspaper|theatre)|(?:plant|factory|mine|mill|branch|newspaper) (?:is |was |'s )?(?:shutting|closing|closed|shut)|(?:my )?(?:parents|mom and dad|mum and dad|mam and dad|folks) (?:are |have |'re |'ve )?(?:getting |split|separat|divorc)\w*|relaps(?:e|ed|ing)|(?:started|began) (?:drinking|using(?=\W*$| for| since)|cutting) again|ivf (?:\w+ )?(?:failed|didn'?t|did not)|(?:transfer|round|cycle|embryo) (?:\w+ )?(?:failed|didn'?t (?:work|take))|can'?t have (?:children|kids)|infertil\w+|(?:visa|asylum|application|appeal|green card|permit|residency) (?:\w+ ){0,2}(?:refused|denied|rejected|turned down)|disowned me|kicked me out|threw me out|cut me off",
    ),
    Cue(
        Nature.OWN,
        "sadness",
        -6,
        r"(?:worst|hardest|darkest|saddest) (?:day|night|week|year|thing|month|moment|time) (?:of|in) my (?:\w+ )?life|can'?t stop (?:crying|shaking)|couldn'?t stop (?:crying|shaking)|(?:cry|cried|crying|cries) (?:all (?:night|day|weekend)|myself to sleep|for hours|every (?:day|night)|in the (?:bathroom|shower|car|toilet|stairwell))|sobb(?:ed|ing)|i (?:just )?(?:broke down|fell apart)|(?:i'?m|am) falling apart|(?:my|broke my) heart(?: is|'s)? (?:broke|broken|shattered|breaking|in pieces)|broke my heart|my (?:whole )?world (?:fell|collapsed|ended|is ending|is falling)|never felt (?:so |this |more )(?:alone|lonely|lost|scared|ashamed|empty)|devastated|panic attacks?|never been (?:so |this |more )(?:scared|afraid|frightened|alone|lonely|ashamed|sad|humiliated|heartbroken)|(?:i )?hate myself|(?:i )?feel (?:so |completely |utterly |like i'?m )?(?:empty|numb|worthless|broken|hopeless|nothing)(?! handed)|(?:feel like|i'?m|am|been|being|become) (?:just |such |only )?a burden|everything (?:is|'s|feels) (?:falling apart|hopeless|pointless)|humiliated|betrayed me|nervous breakdown|had a breakdown|(?:my|the) depression (?:is|'s|has|came)",
    ),
    # Joys.
    Cue(
        Nature.BIRTH,
        "joy",
        9,
        rf"{NEWBORN}|gave birth|(?:was|were|is|are) (?:\w+ )?born(?! (?:and raised|on a farm|into|near|with|blind|deaf|to be|for))|(?:had|having|delivered) (?:a|the|her|our|his|their|my|twin) ?(?:(?:beautiful|healthy|little|tiny|second|first|baby) ){{0,2}}(?:bab(?:y|ies)|boy|girl|son|daughter|twins)(?! (?:shower|sitter|sister|brother|photos?|monitor|steps?))|(?:baby|babies|twins|little one) (?:is|'s|are|was|were|came|arrived|has arrived) (?:finally |early |last |this |on |at )?(?:here|home|in the|mon|tues|wednes|thurs|fri|satur|sun|night|morning)?\w*",
    ),
    Cue(
        Nature.OWN,
        "joy",
        8,
        r"(?:became|becoming|i'?m(?: going to be| now)?|who's|being|made me|makes me|be) (?:a|an) (?:mother|father|mom|mum|dad|parent|aunt|auntie|uncle|grand\w+)(?= now|!|,|\.| at last| to|$)|we(?:'re| are) (?:parents|having a (?:baby|girl|boy)|expecting)|we(?:'re| are) adopting|(?:having|carrying|it's|expecting) twins|(?:got|went) down on (?:one|his|her) knee|two (?:pink |faint )?lines|pregnancy test (?:was|is|came back) positive|positive pregnancy test|(?:approved|cleared) to adopt|(?:want(?:s|ed)? to |going to )?adopt(?:ed|ing)? (?:me|us)|adoption (?:\w+ )?(?:went through|final\w*|approved|came through)|(?:she|he) said yes|i said yes(?=\W*$)|(?:proposed|popped the question) (?:to (?:me|her|him)|last|on|and|at|in|yesterday|today)|asked (?:me|her|him) to marry|ring on my finger|we eloped|we tied the knot|(?:got|getting) (?:\w+ )?hitched|just married",
    ),
    Cue(
        Nature.JOY,
        "joy",
        8,
        r"(?:got|getting|get|are|is|'re|'m|been|am|be) (?:\w+ly |just |finally )?(?:engaged|married)(?! (?:in|with|to (?:my|their|his|her) (?:jobs?|work)|for|couple|men|women|life|people|since|\d+ years|[a-z]+ years))|(?<!\bex )(?<!\bex)(?:is|'m|'s|am|are|got|be|was) (?:\w+ )?pregnant|expecting (?:a (?:baby|girl|boy|child)|our|their|twins|another|her|in (?:january|february|march|april|may|june|july|august|september|october|november|december))",
    ),
    Cue(
        Nature.JOY,
        "joy",
        5,
        r"(?:my|our|their|'s|her|his|the) (?:wedding|engagement)(?! (?:dress|cake|planner|photos?|album|anniversary|rings?|guests?|seating|playlist|shoes|band|off|is off))",
    ),
    Cue(
        Nature.RELIEF,
        "relief",
        8,
        r"cancer[- ]free|(?:in|into) remission|(?:scans?|biops(?:y|ies)|results?|mammogram|mri|blood ?work|tests?|markers|lump|mass|tumou?r|it|they|everything) (?:\w+ ){0,3}?(?:all clear|clear|clean|benign|negative)(?! (?:about|that|feedback|to|up|on|review|for covid))|all[- ]clear|given the all clear|benign|(?:woke|woken|waking) up from (?:the |a |her |his )?(?:coma|surgery|operation)|out of (?:the |a |her |his )?(?:coma|danger|icu|intensive care|hospice)|(?:beat|beaten) (?:the )?(?:cancer|leuk\w+|it)(?=\W*$| for| after)|(?:finished|last (?:round|day|session) of|done with|final) (?:her |his |my )?(?:chemo|radiation|treatment)|rang the bell(?= (?:at|after|on|to mark|today|yesterday|this)\b(?! (?:the )?(?:door|gate|shop|pub|station|church|school))|[.! ]*$)|(?:is|was|'s|been) found (?:alive|safe)|(?:can|could) (?:walk|see|hear|speak) again|(?:kidney|donor|transplant) (?:\w+ )?(?:match|came through|worked|found)",
    ),
    Cue(
        Nature.RELIEF,
        "relief",
        6,
        r"(?:he|she|they|(?-i:[A-Z])[a-z]+) (?:came (?:back|home)|turned up)(?=[^.?]{0,20}!)|(?:surgery|operation|transplant) (?:went|was|has gone|'s gone) (?:\w+ )?(?:well|a success|successful|fine|smoothly)|(?:came|is|'s|are|coming|be|brought \w+) (?:finally |back )?home from (?:the )?hospital|pull(?:ed|ing) through|not cancer|isn'?t cancer|wasn'?t cancer|(?:was|it'?s|only|just) (?:only |just )?a (?:harmless )?cyst(?! (?:on|in))",
    ),
    Cue(
        Nature.OWN,
        "pride",
        7,
        rf"{_YEARS} (?:clean|sober)|sober (?:for|since|now)|clean (?:for|since)|haven'?t (?:had a (?:single )?(?:drink|drop)|drunk|drank|touched (?:a drop|alcohol)|used|gambled|cut|self-harmed|hurt myself) (?:in|for|since)|without (?:a (?:drink|drop)|drinking|using|cutting|alcohol)|{_YEARS} chip|got my (?:\w+ )?chip|{COMING_OUT}",
    ),
    Cue(
        Nature.OWN,
        "reconciliation",
        7,
        r"met (?:my|our) (?:half-?\s?(?:sister|brother)|birth \w+|biological \w+|real \w+|grand(?:son|daughter|child)|niece|nephew|son|daughter|father|mother|dad|mum|mom) (?:for the first time|at last|today)|got out of (?:prison|jail)|released from (?:prison|jail)|reconcil\w+|(?:we|i|and i) (?:finally )?(?:made|making) (?:up|peace)(?= (?:with|after|at last|again)|\W*$)|forg(?:ave|iven) (?:me|him|her|each other|my \w+)|(?:finally )?apologi[sz]ed to me|(?:\w+ )?(?:call|wrote|write|spoke|speak|spoken|talk|hug|held|visit|answer|said|heard|saw|seen|met|hear)\w* .{0,60}(?:for the first time (?:in|since)|first time in|after) (?:\w+[ -]){1,3}(?:years|decades)|first (?:\w+ )?(?:words?|call|letter|conversation|talk|hug|time (?:we|he|she|my \w+ (?:and i )?)(?:'ve |have |has )?(?:spoken|talked|hugged|called|held)).{0,30} (?:in|after|since) (?:\w+[ -]){1,3}(?:years|decades)|reunited|found (?:my|her|his) (?:birth|real|biological|long[- ]lost) \w+|(?:welcomed|took) me back|(?:told|said) .{0,20}(?:proud of me)",
    ),
    Cue(
        Nature.OWN,
        "reconciliation",
        5,
        r"we'?re (?:all )?(?:ok(?:ay)?|good|fine|alright|all right|friends|(?:talking|speaking))(?: again)?(?: now)?(?:,? i (?:think|guess|hope))?(?=\W*$)",
    ),
    Cue(Nature.RETURN, "reconciliation", 5, r"apologi[sz]ed(?! (?:for (?:being|the|a)|to the|that))"),
    Cue(
        Nature.RETURN,
        "reconciliation",
        8,
        r"first (?:time|call|message|text|letter|email|visit|words?|hug|christmas together) (?:\w+ ){0,3}(?:in|since|after) (?:\w+[ -]){1,3}(?:years|decades)(?=\W*$)",
    ),
    Cue(
        Nature.JOY,
        "pride",
        7,
        r"defended (?:my|his|her|the) (?:\w+ )?(?:thesis|dissertation|phd)|defended (?:this|on|today|yesterday|my phd)|(?:thesis|dissertation|viva|defen[cs]e) (?:\w+ )?(?:passed|was accepted|went (?:well|through)|is done)|(?:became|become|sworn in as) (?:a|an) (?:\w+ )?(?:citizen|doctor|lawyer|nurse|teacher|pilot)|(?:i'?m|am|makes me|call me) (?:\w+ )?(?:a doctor|dr\b|a citizen)(?= now|\.|!|,|$)|(?:got|received|granted|came|have) (?:\w+ )?(?:my |the |our |their )?(?:citizenship|green card|asylum|residency|residence permit|permanent residen\w+)|citizenship (?:ceremony|oath)|passed the bar|book deal|record deal|(?:publisher|press|editor|gallery|label|magazine) (?:\w+ ){0,3}?(?:said yes|wants|want|took|bought|accepted|offered|accepting|is publishing)|(?:my|first|his|her|our) (?:\w+ )?(?:book|novel|poems?|stor(?:y|ies)|paper|album|article|single|collection) (?:\w+ ){0,3}?(?:accepted|published|comes out|came out|is out|got in|taken)|gold medal|olympic\w*|nobel|won (?:the|a|my|our) (?:\w+ ){0,3}(?:championship|nationals?|title|custody|case|appeal|lottery|election|grand prize)|full (?:ride|scholarship)",
    ),
    Cue(
        Nature.JOY,
        "pride",
        6,
        r"we(?:'re| are|'ve| have)? (?:finally )?open(?:ed)?!|graduat(?:ed|ing|es)(?! (?:student|cylinder))|(?:got|getting|was|been|were|is) (?:\w+ )?(?:accepted|admitted|offered a place)(?! (?:to (?:the )?(?:hospital|icu|er|a&e|a ward)|as normal|practice))|got (?:in|into) (?=to |my |the |medical|med |law |nursing|college|uni|grad|art|music|\W*$|(?-i:[A-Z]\w+ (?:University|College|School|Law|Med))|oxford|cambridge|harvard|mit\b|stanford|yale|columbia|berkeley|juilliard)(?!the (?:car|bath|house|taxi|bus|bed|shower|way|mood|habit|train|zone|elevator|lift|water|pool)|to (?:the (?:car|bath|taxi|bus|bed|habit|shower)|bed|trouble|an? |it\b|this|that|fights?))|scholarship|fellowship|bought (?:a|our|my|the|their|his|her) (?:\w+ )?(?:first )?(?:house|home|flat|apartment|cottage|farm)(?! (?:plant|party))|(?:keys|signed) (?:to|for|the papers (?:for|on)) (?:our|my|the|a) (?:\w+ )?(?:house|flat|apartment|home|place|shop|bakery|studio)|offer (?:on (?:the|a) (?:house|flat) )?was accepted|dream job|(?:ran|finished|completed|running) (?:a|my|the|his|her) (?:first )?(?:full )?(?:marathon|ironman|ultra)|ma(?:ke|de|king) (?:me )?(?:a |full |senior )?(?:partner|tenure)|got tenure|debt[- ]free|paid off (?:my|our|the) (?:\w+ )?(?:debts?|mortgage|loans?)|signed the lease|(?:open\w*|have|got|bought|it's|finally) my (?:very )?own (?:shop|bakery|caf[eé]|studio|restaurant|practice|gallery|salon)|opened (?:my|our) (?:own )?(?:\w+ )?(?:shop|bakery|caf[eé]|studio|restaurant|practice|gallery|business)",
    ),
    Cue(
        Nature.OWN,
        "joy",
        7,
        r"(?:best|happiest|proudest|greatest|most beautiful) (?:day|moment|night|news|thing|week|time) (?:of|in) my (?:\w+ )?life|dream (?:\w+ )?come true|(?:dream|dreams) (?:\w+ )?came true|never been (?:so |this |more )?(?:happy|happier|proud|prouder|grateful|relieved)|offered me (?:the|a) (?:\w+ )?(?:job|place|position|residency|role|part|scholarship|partnership|contract)|(?:i'm|i am) going to be a (?:surgeon|doctor|teacher|nurse|author|pilot|lawyer|vet|published \w+)|(?:we|i) got the (?:house|flat|apartment|keys)|happiest (?:i'?ve|i have) (?:\w+ )?(?:ever )?been|(?:cried|crying|cry|sobbed|weeping|wept|tears) (?:\w+ )?(?:with|from|of|for) (?:pure )?(?:joy|happiness|relief)|happy tears|(?:they|he|she|someone) (?:want|wants|took|bought|accepted|are publishing) (?:the|my) (?:book|novel|manuscript|script|album|song|painting|story|poem)|life-changing (?:news|day)|changed my life",
    ),
    Cue(
        Nature.JOY,
        "pride",
        5,
        r"(?:got|been|was|were|am|get|getting|being|a|my|his|her|the) (?:\w+ )?promot(?:ed|ion)(?!al)|(?:got|landed|have|accepted|starting) (?:the|a|my) (?:(?:new|first|real|permanent|(?:full|part)[- ]time|dream) )*(?:job|part|role|lead|position|offer|grant|residency)(?! (?:of|interview))|(?:offered|hired) me|they hired|award|first prize|won (?:the|a|my|our|first|gold|silver)|passed (?:the|my|all|every)(?! (?:time|salt|butter|house|park|shop|bus|ball|plate|street|church|station))|record time",
    ),
    Cue(
        Nature.HARM,
        "pain",
        -5,
        r"in surgery|in (?:the )?(?:er|a&e)|rushed (?:\w+ )?to (?:the )?(?:hospital|er|emergency)|emergency (?:room|surgery)|(?:had|took) (?:a|another) (?:\w+ )?(?:fall|tumble)|(?:crashed|wrote off|totall?ed) (?:my|the|our|his|her|their|\w+'?s) (?:car|van|bike|truck|motorbike)|fell (?:down (?:the|some) (?:stairs|steps)|off (?:a|my|his|her|the) (?:\w+ )?(?:bike|ladder|horse|roof|scooter|motorbike))|(?:call\w*|rang|ring|need\w*|in|by|into) (?:an|the) ambulance|ambulance (?:came|comes|took|had|arrived|is (?:here|coming|on))|collapsed|(?:broke|broken|fractured) (?:my|his|her|a|an) (?:\w+ )?(?:leg|arm|hip|wrist|ankle|back|ribs?|collarbone|foot|neck|finger)",
    ),
    Cue(
        Nature.SETBACK,
        "shame",
        -5,
        r"failed (?:the|my|his|her|out|again|all|every)|flunked|(?:was|got|been|were) (?:\w+ )?(?:rejected|turned down|expelled|suspended|demoted|ghosted)|(?:rejected|turned) (?:me|my (?:application|manuscript|book|paper|offer))|didn'?t get (?:in|the (?:job|part|role|grant|place|promotion)|accepted|into|promoted|hired)|dropped out|no longer speaking|stopped (?:speaking|talking) to me|not on speaking terms|won'?t (?:speak|talk) to me",
    ),
    Cue(
        Nature.MOOD,
        "sadness",
        -4,
        r"a funeral|sad|cry|crying|cries|cried|tears|depress(?:ed|ing|ion)|heartbroken|miserable|hopeless|breakdown|unhappy|upset|(?<!'d )(?<!would )miss (?:him|her|them|my \w+|our \w+)|homesick|grie(?:f|ving)|hurts? so much|my heart(?:'s| is| just)? (?:sinking|sank|heavy|aching)",
    ),
    Cue(
        Nature.MOOD,
        "loneliness",
        -4,
        r"lonely|loneliness|(?:so|all|completely|feel|feeling|am|'m) alone|nobody (?:cares|understands|listens|to talk to)|no one (?:cares|understands|listens|to talk to)|invisible",
    ),
    Cue(
        Nature.MOOD,
        "anxiety",
        -4,
        rf"anxious|anxiety|panic(?:king|ked|ky)?|(?:scared|afraid){TRAIT}|worried|worry|nervous|bricking it|shitting (?:it|myself|bricks)|freaking out|terrified|dread(?:ing)?|scary",
    ),
    Cue(
        Nature.MOOD,
        "shame",
        -4,
        r"ashamed|guilty|regret(?! nothing)|embarrass(?:ed|ing)|my fault|a failure|(?:feel(?:ing)? like|i'?m|i am|what|such) (?:the|an?) (?:worst|terrible|horrible|awful|bad|rubbish) (?:person|human|friend|mother|mum|mom|father|dad|parent|daughter|son|wife|husband|boss)|(?:never )?(?:felt|feel|feeling) (?:this |so |such a |completely |totally )?(?:useless|worthless|small|stupid)|let (?:everyone|them|him|her) down",
    ),
    Cue(
        Nature.MOOD,
        "anger",
        -3,
        r"angry|furious|hate (?:him|her|them|myself|everyone|everything|my (?:life|boss|job|body))|argued?(?! (?:against|for|that|in favou?r)\b)|argument|(?:big |huge |a )fight(?: with)?|fought|unfair|annoyed|annoying|yelled at|shouted at|frustrat(?:ed|ing)|fed up",
    ),
    Cue(
        Nature.MOOD,
        "stress",
        -3,
        r"stress(?:ed|ful)?|overwhelm\w*|burn(?:ed|t|ing)? ?out|burnout|exhausted|deadline|insomnia|can'?t sleep|couldn'?t sleep|barely (?:sleep|slept)|struggling|(?:is|are|been|got|getting|\w+'s|\w+'re) (?:\w+ )?too much(?! (?:fun|of a))|too much (?:for me|to (?:handle|take|bear))",
    ),
    Cue(
        Nature.MOOD,
        "pain",
        -3,
        r"sick|ill|hospital(?! (?:shifts?|jobs?|work|pharmacy|trust))|surgery|injured|hurts?|pain(?:ful)?|migraine|diagnos\w+|biops\w+|failed",
    ),
    Cue(
        Nature.MOOD,
        "disappointment",
        -3,
        r"disappoint\w*|rejected|let down|cancell?ed on me|stood me up|heartless|lost (?:the|my|our) (?!way|keys|phone|place|count|track|train|wallet|weight|umbrella|glasses|gloves|voice|temper|appetite|bet)\w+",
    ),
    Cue(Nature.MOOD, "tiredness", -2, r"tired|sleepy|worn out|drained|knackered"),
    Cue(
        Nature.MOOD,
        "joy",
        4,
        r"happy|happiness|excited|exciting|delighted|wonderful|amazing|fantastic|so glad|thrilled|laughed|laughing|best day|over the moon|celebrat\w+|so much fun|beautiful day|smiling",
    ),
    Cue(Nature.MOOD, "love", 3, r"(?:i|we) (?:\w+ )?(?:love|adore)|in love|fell for|crush on"),
    Cue(
        Nature.MOOD,
        "hope",
        2,
        r"looking forward|hope to|can'?t wait|proud|grateful|thankful|relieved|enjoy\w*|hopeful|calm|peaceful",
    ),
)
