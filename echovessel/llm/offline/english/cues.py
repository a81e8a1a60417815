"""English cues of tones, subjects and questions. The first that matches counts; patterns are whole words without case."""

from echovessel.llm.offline.english.everyday import EVERYDAY as EVERYDAY_SUBJECTS

# Whose fear it is at all times is not afraid now.
TRAIT = r"(?! of (?:heights|spiders|flying|snakes|needles|lifts))"
NEWBORN = r"baby (?:came|arrived|is here)\b[^?]{0,40}[.!] an? (?:\w+ )?(?:girl|boy)\b|it'?s an? (?:\w+ )?(?:girl|boy)(?=\W*$|\W+(?:\d|and\b|i\b|we\b|s?he\b|called\b))"
_RESULT = r"(?:scans?|biopsy|results?|tests?|x-?ray|mri|lump|it)"
TONES = (
    (
        "relief",
        rf"\b{_RESULT} (?:was|is|were|are|came back|turned out) (?:all )?(?:clear|fine|negative|benign|nothing|good|ok(?:ay)?)\b|\ball clear\b|\b(?:he|she|they|(?-i:[A-Z])[a-z]+) (?:came (?:back|home)|turned up)(?=[^.?]{0, 20}!)|\b(?:we|i|they) (?:just |finally )?found (?:him|her|it|them)\b(?! (?:dead|gone))|\b(?:relieved|what a relief|such a relief|phew|thank god|off my (?:mind|chest|shoulders))\b|\b(?:surgery|operation|it all|everything) went (?:really |very |so )?well\b|\b(?:operation|surgery)\b.{{0,12}}\bit went (?:really |very |so )?well\b|\bfinally (?:breathe|relax)|\bfalse alarm\b",
    ),
    (
        "grief",
        r"\b(?:he|she|they|mum|mom|mam|dad|mother|father|gran\w*|nan|wife|husband)(?:'s| has)? passed(?= (?:\w+ )?\w+ (?:years?|months?|weeks?|days?) ago|\W*$)|\b(?:died|pass(?:ed|es|ing)? away|drowned(?! (?:my|his|her|their|out|in (?:work|debt|paper\w*))\b)|(?<!since the )(?<!before the )funeral|burial|cremat\w+|ashes|mourning|grieving|widow(?:er|ed)?)\b|\bburied (?:our|my|him|her|them)\b|\b(?:been|is|are) gone (?:a|an|for|since|now|one|two|three)\b|\b(?:he|she|they)(?:'s|'re| is| are)(?: no longer|n't| not) (?:around|with us)(?= any ?more|\W*$)|\b(?:they|vets?|had to|have to|having to)(?: just| have|'ve)? put (?:him|her|it) (?:down|to sleep)\b(?! for)|\blost (?:my|our) (?:mother|mum|mom|father|dad|baby|wife|husband|son|daughter|brother|sister|gran\w*|dog|cat|best friend)\b|\bmiss (?:my late|my (?:grand\w+|gran|nan))\b|\bwould(?: have|'ve| of) (?:been|turned) (?:\d+(?= years| today| tomorrow| (?:this|next|last)\b|\W*$)|(?:our|his|her) (?:\w+ )?(?:birthday|anniversary)\b)",
    ),
    (
        "teasing",
        r"^\W*(?:liar|cheater|slowpoke|show-?off|lazybones)\b|\badmit it\b|\byou(?:'re| are|'d| would| sound| look| talk)?\b.{0,40}\b(?:like my (?:gran\w*|old|great|teacher|mother|aunt)|old (?:lady|man|lazybones|fossil|bat|goat)|lazybones|slowpoke|nerd|dork|hopeless|worse than|drama queen|know-it-all|chatterbox|softie|fossil)\b|\byou(?:'re| are) (?:just )?(?:jealous|impossible|ridiculous|such a)\b|\b(?:haha\w*|lol|hehe|just kidding|teasing)\b.{0,60}\byou(?:'re|'d|r)?\b|\byou(?:'re|'d|r)?\b.{0,60}\b(?:haha\w*|lol|hehe)\b|\byou.{0,40}[😂😜😏😝🤭]|\byou only (?:like|love|want) me\b|\bbet you\b|\bcaught you\b|\bgotcha\b|\byour (?:terrible|awful) (?:jokes?|puns?|taste)\b",
    ),
    (
        "fear",
        rf"\b(?:in (?:the )?hospital|pneumonia|biopsy|tumou?r|cancer|chemo\w*|intensive care|(?:is|was|are|were|\w+'s) in (?:the )?icu|(?:to|into) (?:the )?icu|(?:call\w*|rang|ring|need\w*|in|by|into) (?:an|the) ambulance|ambulance (?:came|comes|took|had|arrived|is (?:here|coming|on))|heart attack|stroke|car (?:accident|crash)|seizure|stalk\w+|break-in|burgl\w+|test results?)\b|\b(?:found|feel|felt|have) (?:a |an |some )?(?:\w+ )?(?:lump|shadow|growth|mass|spot on)\b|\b(?:lump|shadow|mass) (?:in|on|under)\b|\bsomething on (?:my|his|her|the) (?:lungs?|liver|breast|kidney|brain|pancreas|scan|x-?ray)\b|\bthe results (?:come|are|will)\b|\bwaiting (?:for|on) (?:the |my |his |her )?(?:results?|call from the)\b|\b(?:(?:scared|afraid|terrified|frightened){TRAIT}|frightening|terrifying|panic\w*|anxious|anxiety|dread(?!ful)\w*|worried|worrying|petrified|shaking)\b|\b(?:can't|cannot|couldn't) (?:breathe\b|(?:feel|move) (?:my|his|her|their) \w+)|\b(?:might|could|will|'ll|going to|gonna|want to) (?:split us up|take (?:us|me|them|him|her|my \w+) (?:away|off me)|put (?:us|me|them) in(?:to)? care)\b|\blie awake\b|\bwhat if\b|\bmy heart (?:is )?(?:racing|pounding)\b|\b(?:he|she|they|someone) (?:threatened|followed) me\b|\b(?:anorexi\w+|bulimi\w+|eating disorder)\b|\bnot eating (?:properly|enough|anything|much|at all)\b|\b(?:i|he|she) (?:fainted|blacked out)\b|\b(?:mak\w+|made) myself (?:sick|throw up)\b",
    ),
    (
        "joy",
        rf"\b{NEWBORN}|\bhappy tears\b|\btears of (?:pure )?(?:joy|happiness|relief)\b|\bcr(?:ied|ying) (?:with|from|for|of) (?:pure )?(?:joy|happiness)\b|(?<!\bi )\b(?:was|were) born\b(?! in)|\bgave birth\b|\bhad (?:(?:her|the|their|our) (?:baby|twins)|twins)\b|\b(?:we|she|they) had an? (?:\w+ )?(?:girl|boy)(?=\W*$|[,.!])|\b(?:proposed|(?<!\bi )(?<!\bi have )(?<!\bi've )said yes|got engaged|got married(?! in \d)|got the job|promoted|got in)\b|\bi passed\b(?! (?:out|by))|^\W*passed\W*$|(?:\b(?:we|i) |^\W*)won(?!')\b|\b(?:praised|complimented) me\b|\bfirst steps\b",
    ),
    (
        "fatigue",
        r"\b(?:tired|exhausted|drained|so done|worn out|wiped(?: out)?|(?<!s is )(?<!s are )knackered|shattered|burn(?:ed|t) out|sleepy|dead on my feet|running on (?:fumes|empty|coffee)|no energy)\b|\b(?:long|endless|double) (?:day|shift|week|hours|shifts)\b|\b(?:after|finished|another|off) (?:an? |the |my )?night shifts?\b|\bkeep my eyes open\b|\b(?:barely|hardly|haven't|didn't) (?:slept|sleep)\b|\bslept (?:\w+ )?(?:one|two|three|four|five|\d) hours?\b|\bcan'?t sleep\b|\bfeet are killing\b|\bwant (?:my |to go to )?bed\b|\bovertime\b|\bno sleep\b|\b(?:three|four|five|six) (?:hours?|a\.?m\.?) .{0,20}\bbaby\b",
    ),
    (
        "anger",
        r"\b(?:furious|livid|angry|pissed(?: off)?|rage|raging|outrag\w+|unfair|infuriat\w+|fuming|seething|how dare|fed up|annoy\w+|irritat\w+|disgusted)\b|\bsick of\b|\bcould (?:scream|strangle|kick)\b|\b(?:drives?|driving) me (?:mad|crazy|insane|up the wall)\b|\bmakes? me so (?:mad|angry|cross)\b|\b(?:took|takes|taking|stole|steals) (?:the |my |all the )?(?:credit|money|idea|bike|wallet|phone)\b|\b(?:lied|lies|lying) to (?:me|us)\b|\b(?:yell|shout|scream)(?:ed|ing|s) at\b|\bkeeps? (?:yelling|shouting|interrupting)\b|\bso rude\b|\binsulted\b|\bhung up on me\b|\bdead to me\b|\bblocked my\b",
    ),
    (
        "sadness",
        r"\b(?:sad|lonely|(?<!live )(?<!lives )(?<!lived )(?<!living )(?<!leave me )(?<!by sound )(?<!by touch )(?<!by ear )(?<!by smell )(?<!by feel )(?<!let )alone|miserable|heartbroken|crushed|gutted|homesick|hopeless|worthless|disappointed|depressed|hurts?)\b|\b(?:cry|cried|crying|tears|sobb\w+)\b|\b(?:broke up|split up|left me(?! (?:a|an|the|some|my|his|her|to|at|with)\b)|dumped me|stood me up|ghosted)\b|\b(?:nobody|no one|none of them) (?:\w+ )?(?:remembered|came|called|wrote|cares?|asked(?! you\b)|noticed|showed)\b|\b(?:(?<!nobody )hates? me|can't stand me)\b|\b(?:didn't|did not) get (?:the|in|it|that)\b|\b(?:rejected|turned me down|failed)\b|\bi miss (?!the (?:bus|train)\b)|\bfeel(?:s|ing)? (?:(?:so|a bit|really|kind of|kinda|sort of|pretty|quite|very|completely|absolutely|like) )*(?:awful|terrible|horrible|dreadful|rotten|guilty|ashamed|shit|shitty|sick about|down|low|empty|lost|invisible|left out|worthless|useless|numb)\b|\bfeel(?:ing)? like (?:an? (?:(?:(?:bad|useless|terrible|awful|horrible|stupid|total|complete|rubbish) )+\w+|cow|failure|fraud|burden|monster|idiot|fool|mess|zombie|ghost|prisoner|slave|loser|coward|stranger)|(?:i'?m|i am) (?:not|no|nobody|nothing)|nothing|crap|shit|dirt)\b|\b(?:it|this|that|everything|life)(?:'s| is)? (?:really |just |all |so )?(?:sucks?|rubbish|shit)\b|\bworst (?:day|shift|night|week|morning)\b|\b(?:broke|destroyed|crushed) me\b|\bmy heart(?:'s| is| just)? (?:sinking|sank|heavy|aching|breaking|broke)\b|\bwant to (?:disappear|vanish)\b|\b(?:got|was|been) dumped\b|\b(?:nobody|naebody|no ?one) (?:else )?(?:would|will|'d|is going to|could) (?:ever )?(?:have|want|love|take) me\b|\b(?:lost|blew|did|gambled)(?: away)? £?\d+ ?(?:quid|grand|k\b|pounds|dollars|euros) (?:on|at) |\b(?:no money for|can(?:no|')t afford) (?:the |my |his |her |our )?(?:food|medicines?|rent|heating|tablets)\b|\bit (?:still |really |kind of |kinda )?stings\b|\bwe(?:'re| are)? (?:(?:should|need to|both|just) )*(?:have|having|need|take|taking|on) a break\b(?! from (?:work|the))|\bdon't know (?:what to do with myself|how to (?:cope|go on))\b|\bwent (?:terribly|badly|awfully|horribly|wrong)\b|\b(?<!^that )was (?:so |really )?(?:awful|terrible|horrible|a disaster)\b|\blost a patient\b|\bi'm (?:really |so )?not (?:fine|ok|okay|all ?right|coping)\b(?! with)|\bwhat(?:'?s| is) the (?:point|use)(?: (?:of|in) [^?.]*)?\W*$|(?:^|\s)(?:[:;]'?-?\(+|😢|😭|💔|😞|😔)",
    ),
    (
        "joy",
        r"\b(?:i|we) can stay\b(?=\W*$)|\bfirst (?:salary|pay ?check|payslip)\b|\b(?:is|was|it's) my birthday\b|\b(?:happy|thrilled|delighted|overjoyed|ecstatic|excited|proud|over the moon|yay|woo+hoo+|hooray|wonderful|amazing news|good news|great news|best (?:day|news|thing)|promoted|engaged|proposed|(?<!\bi )(?<!\bi have )(?<!\bi've )said yes|accepted|(?<!\bex is )(?<!\bex's )pregnant|can't wait|can't stop (?:smiling|grinning)|first steps|first word|guess who)\b|\bhad (?:her|the|their|our|a) (?:baby|twins|boy|girl)\b|\bgot (?:the|my|a|an|in|into)\b.{0,30}\b(?:job|flat|place|part|role|(?<!speeding )(?<!parking )tickets?|offer|grant|scholarship|raise|visa|keys|puppy|kitten)\b(?! (?:interview|centre|center|application|hunt|search))|\bi (?:passed|won(?!')|did it|made it|got in)\b|\bwe (?:won|did it|made it|got it)\b|\bmade my day\b|\bsmiled at me\b(?=.*!)|\bwas (?:so |absolutely |just )?(?:insane|amazing|brilliant|incredible|unreal|epic|fantastic|awesome)\b|\bit worked\b|\bwent (?:so |really |very )?(?:great|brilliantly|amazingly|well)\b|\bfinally (?:finished|got|did|managed|found)\b",
    ),
)
# Tones of one's own that a lighter word would drown: they are looked for first in the whole line.
NOT = r"\b(?:not|isn't|aren't|wasn't|am not|'m not|never|no longer|don't|didn't|doesn't|nobody is|stop being|without(?: being)?|want(?:s|ed)? to be|try(?:ing)? to be|supposed to be|(?:could|would|might|should)(?: have|'ve))\b(?: \w+){0,2} ?$"
AFRAID = r"\b(?:scared|scares|scary|afraid|terrified|terrifying|frighten\w*|panic\w*|anxious|anxiety|dread(?!ful)\w*|petrified|shaking|nervous|can't breathe|lie awake|what if|my heart (?:is )?(?:racing|pounding))\b"
# Bursting out with it, whether it is good or bad.
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAY, _MATTER = (
    r"\b(?:tomorrow|next (?:week|month|\w+day)|on (?:\w+day|(?:the )?\d+\w*))\b",
    r"\b(?:exam|interview|test|check-?up|viva|recital|race|trial|appointment|meeting|presentation|audition|deadline|dentist)\b",
)
AHEAD = rf"{_DAY}.*{_MATTER}|{_MATTER}.{{0,24}}{_DAY}"
_LEISURE = r"(?:holidays?|vacation|city break|weekend away|day out|night out|concert|gig|festival|theatre|cinema|movies|film|beach|seaside|camping|glamping|skiing|surfing|hiking|sailing|museum|zoo|aquarium|theme park|disney\w*|party|barbecue|bbq|picnic|cruise|road trip|spa|ballet|opera|match|game|for (?:a )?(?:dinner|lunch|brunch|drinks|a meal))"
_GOING = r"(?:(?:i'm|im|we're|i am|we are) (?:all |both |finally |also |just )*(?:going|off|heading|flying|driving|taking|having|seeing|meeting|booked)|^\W*(?:off|going|heading|taking)\b|\b(?:i've|i have|we've|we have|we|i) (?:just |finally )?(?:booked|got tickets)|\bbooked\b)"
_BY_THEN = rf"(?:tonight|tomorrow|weekend|(?:this|next|on) (?:\w+day|week|month|summer|spring|autumn|winter|year)|on (?:the )?\d+(?:st|nd|rd|th)?|in (?:{_MONTHS})|for (?:christmas|easter|new year))"
_NO_OUTING = r"(?:n't\b|\b(?:not|never|cancel\w*|if|unless|should|funeral|memorial|ashes|hospital|court|surgery|chemo|scan|clinic|appointment|work|conference|was|were|went|hate|dread\w*|you)\b|\?\W*$)"
_TRAVELLING = r"(?:\b(?:i'm|im|we're|i am|we are) (?:[a-z]+ )?|^\W*)(?:going|off|flying|heading|driving)(?: back| up| down| over| away)? to"
_BOOKED = r"^\W*(?:we|i|we've|i've|we have|i have)(?: just| finally)? (?:booked|got tickets)\b"
# Something pleasant that is planned.
OUTING = (
    rf"^(?!.*{_NO_OUTING}).*(?:{_GOING}\b.{{0,60}}(?:\b{_LEISURE}\b.{{0,40}}\b{_BY_THEN}|\b{_BY_THEN}\b.{{0,40}}\b{_LEISURE})\b"
    rf"|{_TRAVELLING} (?-i:[A-Z])\w+.{{0,60}}\b{_BY_THEN}\b|{_BOOKED}.{{0,60}}\b(?:flights?|trip|hotel|tickets?|cottage|villa|cabin|airbnb|{_LEISURE})\b)"
)
# What may be otherwise soon.
UNSETTLED = r"\b(?:thinking|thought) (?:of|about) (?:maybe )?(?:quitting|leaving|moving|changing|switching|retiring|emigrating|resigning|going back to|selling|handing in)\b|\bdon't know (?:if|whether) (?:i|we) should (?:stay|leave|go|move|quit)\b|\b(?:i|we) (?:might|may) (?:have to |be )?(?:mov|leav|quit|chang|switch|retir|emigrat)\w+|\b(?:haven't|not) (?:\w+ )?decided\b|\bundecided\b"
EXCLAIMS = r"!{2,}|(?:[\w'-]+,? ){2}[\w'-]+!|\b(?:omg|oh my god|guess what)\b"
# What takes the good out of good news.
DAMPENED = r"\b(?:off|cancel\w*|ex|not|never|no longer|said no|too (?:fast|soon)|wants? to|up for|not sure|if|would|interview)\b|n't\b"
NERVES = r"\b(?:a bit|a little|slightly|kind of|kinda|sort of|somewhat) (?:\w+ )?(?:terrified|scared|afraid|nervous|anxious|worried|frightened)\b|\bnervous\b|\bbricking it\b|\bshitting (?:it|myself|bricks)\b|\bbutterflies\b|\bstage fright\b"
HUSH = r"\b(?:don't|do not|rather not|don't really) (?:want to |wanna )?(?:talk|think|speak|go on) about (?:it|this|that|them|him|her)\b|\b(?:let's|can (?:we|you)) (?:please )?(?:change the subject|talk about something else|not talk)\b|\bdrop it\b"
HOSTILE = r"^\W*useless\W*$|^\W*this is (?:pointless|useless|stupid|a waste of time)\W*$|\byour (?:replies|answers|responses) (?:are|sound)\b|\byou always say\b|\byou (?:just |only |keep )?(?:repeat|echo|copy|parrot)(?:ing)? (?:what|everything|my|me)\b|\byou (?:don\'t|never) (?:say|talk|speak) (?:very )?much\b|\bnobody asked you\b|\bthat(?:\'s| is| was)(?:n\'t| not) (?:very |really |so )?helpful\b|\bnot an answer\b|^\W*(?:what|huh|eh|pardon)\s*\?+\W*$|\bi hate you\b|(?:^|[.,!?;]\s*|\b(?:just|please|oh|you) )shut up\b(?! (?:shop|for|in|at)\b)|\bfuck (?:you|off)\b|\byou suck\b|\b(?:you(?:'re| are)|your) (?:not listening|no help|useless|stupid|boring|annoying|just a machine|repeating yourself)\b|\byou (?:already said that|keep saying|didn't (?:listen|get it|understand)|don't (?:listen|get it|understand))\b|\byou (?:didn't|haven't|never) answer(?:ed)?\b|\bthat(?:'s| is| was) not what i (?:said|meant|asked)\b|\bthat (?:makes no sense|was rude|didn't help)\b"
STILL_MISSED = r"\bmiss (?:him|her|them|my)\b|\b(?:years?|months?) (?:since|ago)\b|\bstill (?:reach|set|hear|see|think|dream)\b|\banniversary\b"

# How that went is not told by it.
COMING_OUT = r"(?:came|come|coming) out to (?:my|our|her|him|them|mom|mum|dad|everyone)|(?:told .{2,30}?(?:that )?|that )(?:i'm|i am) (?:gay|lesbian|bi|bisexual|trans|queer|a lesbian)"
SUBJECTS = {
    "moved": COMING_OUT,
    "anger": r"\b(?:undermin|belittl|patroni[sz]|humiliat)(?:es?|ed|ing)? (?:me|us)\b|\b(?:talks?|talking|talked) (?:down to|over) (?:me|us)\b|\b(?:shouts?|shouting|shouted|yells?|yelling|yelled|snaps?|snapped) at (?:me|us)\b|\b(?:picks?|picking|picked) on me\b|\b(?:takes?|taking|took) (?:the |all the )?credit for my\b|\b(?:mum|mom|dad|mother|father|parents|sister|brother|boss|manager|ex|husband|wife|partner|in-laws?|neighbours?|landlord|flatmate|roommate|head|teacher)(?:'s| is| are| was| were) (?:being |so |really |very )*(?:difficult|impossible|unreasonable|a nightmare|a pain|insufferable)\b",
    "their_nerves": r"\b(?:he|she|they|my (?:son|daughter|kids?|boy|girl|child|sister|brother|nephew|niece|grandson|granddaughter|friend))(?:'s|'re| is| are| was| were| gets?| feels?) (?:so |very |really |a bit |all |absolutely |completely |quite )*(?:scared|terrified|nervous|anxious|petrified|frightened)\b(?! (?:of|by|for) (?:me|us|him|her|his|my|dad|dying)\b)",
    "sadness": r"\b(?:isn't|is not|not|won't|stopped|refuses to|hasn't been) (?:talk|speak|talking|speaking|replying) to (?:me|us)\b|\b(?:ghosted|blocked|ignoring|ignored) me\b|\b(?:nobody|no one) (?:\w+ )?(?:gets|understands|sees|hears|listens to) me\b|\b(?:doesn't|don't|never|won't) (?:\w+ )?(?:listen|hear) (?:to )?me\b|\b(?:had|having) (?:a|another|an awful|a big|a stupid) (?:\w+ )?(?:fight|row|argument|quarrel)\b|\b(?:argued|quarrelled|quarreled|fell out) with\b|\b(?:nobody|no one|(?:he|she|they|my \w+)(?: has| have| had| all)?) (?:\w+ )?(?:forgot|forgotten|remembered|missed) (?:my|our) (?:\w+ )?(?:birthday|anniversary)\b|\b(?:we|i|me|my (?:\w+ )?\w+)\b.{0,20}\b(?:broke up|split up|separated)\b|\b(?:broke up|split up) with me\b|\b(?:left|dumped) me\b(?! (?:a|an|the|some|my|his|her|to|at|with)\b)|\b(?:getting|got|filed for|wants? a) divorc\w+|\b(?:was|got|been|be|being) (?:fired|laid off|sacked|made redundant)\b|\blost my job\b",
    "worry": r"\b(?:biopsy|mammogram|mri|chemo\w*|tumou?r|intensive care|heart attack|emergency room|car (?:accident|crash)|had a stroke|an? (?:operation|diagnosis)|surgery|(?:call\w*|rang|ring|need\w*|in|by|into) (?:an|the) ambulance|ambulance (?:came|comes|took|had|arrived|is (?:here|coming|on)))\b|\b(?:in (?:the )?hospital|pneumonia|chickenpox|measles|tonsillitis|covid|the flu|a (?:bad )?cold|fever|getting sick|(?:is|i'm|feel(?:ing)?) (?:sick|ill)(?! of)|migraine|infection)\b",
    "birthday": r"\bmy birthday (?:was|is) (?:today|yesterday)\b|\b(?:was|is|it's) my birthday\b",
    "news": rf"\b{NEWBORN}|\bwon (?:an?|the|her|his|their|our|my|first|second|third|gold|silver|bronze)\b(?: [\w-]+){{0,3}}? ?(?:medals?|prizes?|cup|trophy|race|match|finals?|awards?|competition|tournament|place|gold|silver|bronze)\b|\b(?:came|got|finished) (?:first|second|third)\b|\b(?:my|our) \w+(?: \w+)? passed (?:her|his|their) |(?<!\bi )\b(?:(?:was|were) born(?! in\b)|gave birth|had (?:her|the|their|our) (?:baby|boy|girl)|had (?:(?:her|the|their|our) )?twins|became an? (?:aunt|uncle|grand\w+|mother|father|mum|dad))\b|(?<!\bex )\b(?:is|am|are|(?!ex's)\w+'(?:s|m|re)) (?:\w+ )?pregnant\b|\bbaby on the way\b|\b(?:(?:he|she|they) proposed|(?:got|is|are|'re|'s|'m) engaged|(?<!\bi )(?<!\bi have )(?<!\bi've )said yes|(?:is|are|am|'re|'m|'s) getting married)\b|^\W*passed\W*$|\b(?:i|we)(?:'ve| have)?(?: just| finally| actually)? passed(?! (?:out|away|by|on|through|the (?:salt|shop|church|park|time))\b)|\bpassed (?:the|my|his|her|their|all|every) (?:\w+ ){0, 2}(?:exams?|tests?|finals?|course|class|interview|audition|inspection|bar)\b|\b(?:got|been|was) promoted\b|\bgot the (?:job|part|role|offer|grant)\b|\b(?:got|was|been) accepted\b|\b(?:just|finally) graduated\b|\b(?:we|i) won(?!')\b|\bguess who got\b|\bgot (?:a|the|my) (?:scholarship|promotion)\b|\bi(?:'ve| have)? (?:\w+ )?(?:quit|stopped|gave up|given up) (?:smoking|drinking|gambling|vaping)\b|\b(?:days|weeks|months) (?:sober|clean)\b",
    "secret": r"\b(?:don't|do not|never) (?:ever |you )?tell (?:anyone|anybody|a soul|them|him|her|my \w+|(?-i:[A-Z])\w+)\b|\bour secret\b|\b(?:haven't|have not|never) told (?:anyone|anybody|a soul)\b|\bbetween us\b",
    "funny": r"^(?!.*\b(?:you're|you are|your)\b).*(?:(?<!not )\b(?:lol|lmao|rofl|hilarious|ha(?:ha)+h?)\b|😂|🤣)",
}
# Read where nothing above is, of a short calm message.
EVERYDAY = {kind: one.pattern for kind, one in EVERYDAY_SUBJECTS.items()}
# A wish of how the companion talks, or a word about it: it is heeded, whatever it names.
HEED = r"^\W*(?:(?:please|and|so|but|now|ok|okay|fine|just)\W+)*(?:don't|do not|stop)\b(?! (?:worry|know|care|like|think|mind|have|get|want|see|remember)\b)|^\W*(?:please )?(?:can|could|would|will) you (?:please |just )?(?:not|stop)\b|^\W*(?:(?:but|and|so|well|hm+|ugh)\W+)*you(?:'re|'d|'ll)?\b"
# Tells the companion what it said: it cannot check, and takes the user's word.
ATTRIBUTES = r"^\W*(?:(?:but|and|yesterday|earlier|last time)\W+)*you (?:said|told me|claimed)\b(?!.{0,12}\byou)"
PET_ILL = r"\b(?:won't|doesn't|isn't|not|hardly|barely|stopped|refuses to|never) (?:eat|drink)(?:s|ing)?(?= (?:since|any|at|all|for|lately|much|today|again|or|and|properly|well|his|her|its)\b|\W*$|[,.;!])|\boff (?:her|his|its) food\b|\blimp(?:s|ing|ed)?\b|\b(?:vomit|bleed|diarrh)\w*|\b(?:throw(?:s|ing)?|threw) up\b|(?<!i'm )(?<!i am )(?<!i feel )\b(?:sick|ill|poorly|injured|letharg\w*|swollen|infected)\b(?! of\b)|\b(?:seizures?|tumou?rs?|cancer|surgery|operat(?:ion|ed))\b|\bbroke(?:n)? (?:a|an|her|his|its) (?:\w+ )?(?:tooth|leg|paw|claw|tail|wing|hip)\b|\b(?:ran|run) away\b|\b(?:is|gone|went|got) (?:missing|lost|hurt)\b"
# Lines that are answered by rule and told by nobody.
# Asks for advice, also where it names what was told.
SEEKS = r"\b(?:what|where|how|who) am i supposed to\b|^\W*(?:so |and )?(?:now what|what now|what next)\W*$|\b(?:any|have you(?: got)?|do you have(?: any)?|got any) (?:\w+ )?(?:ideas?|tips?|advice|suggestions?|thoughts)\b|^\W*(?:(?:so|but|and|well|then)\W+)?(?:should|shall) (?:i|we)\b|\bdo you think (?:i|we) (?:should|can|could)\b|\bwhat (?:should|shall|could) (?:i|we) (?:do|say|tell|bring|get|buy|give|wear|write|cook|make|plant|call|name|have|eat|try|watch|read|order|pack|put)\b|\b(?:what|which(?: one)?|who|where|when|how (?:much|many|long)) do (?:i|we) (?:even |just )?(?:cook|pick|choose|tip|boil|put in|tell (?:him|her|them|the|my))\b|\bwhat (?:do|can) i (?:wear|say|do (?:about|for|with|if|now)|bring|buy|give)\b|\bwhat would you (?:do|say|suggest|recommend|advise)\b(?! (?:if (?:an?|the)|is|are|was)\b)|\bhow (?:can|could|should|would) (?:i|we)\b"
# Asks what somebody else would say, or whether the user is good enough.
YEARNS = r"\bdo you (?:think|reckon|suppose) (?!i\b|you\b)(?:[\w']+ ){1,3}(?:knows?|knew|forgives?|can (?:hear|see)|(?:is|are|would be) (?:watching|angry|proud|cross)|blames?)\b"
HOPES = r"\bdo you (?:think|reckon) (?:[\w']+ ){1,4}(?:will|is going to|are going to|'ll) be (?:ok(?:ay)?|all ?right|fine)\b"
SUPPOSES = r"\bwhat would (?!you\b|it\b|i\b|we\b)(?:[\w']+ ){1,3}(?:say|think|do|want|feel|tell)\b"
WORTH = r"\b(?:is|was) (?:it|this|that)(?: all)? (?:because of me|my fault|down to me)\b|\b(?:is|was) (?:it|that|this) (?:even )?a thing\b|\bam i (?:wrong|in the wrong|overreacting|being (?:silly|unfair|daft|selfish))\b|\b(?:(?:is|was) (?:it|that|this)|(?:think|say) (?:it|that)(?:'s| is| was)) (?:so |really |very |a bit )?(?:mad|crazy|stupid|silly|daft|wrong|selfish|weird|childish|normal|bad|awful|terrible|horrible)\b|\b(?:am i|do you think (?:that )?i'?m|i am) (?:good|smart|strong|brave|clever|pretty|kind) enough\b|\b(?:am i|do you think (?:that )?i'?m) (?:an? )?(?:\w+ )?(?:bad|terrible|horrible|awful|stupid|ugly|crazy|mad|daft|silly|weird|evil|boring|selfish|lazy|failure|idiot|loser|burden|monster|joke|mess|piece of shit|waste of (?:space|time)|lost cause)\b|\bam i (?:just )?(?:worthless|useless|pathetic|scum|trash|broken|hopeless)\b"
ADVICE = r"\b(?:would|will|is|was) (?:it|that|this) (?:be )?(?:too |so |really |very |a bit )?(?:mad|crazy|insane|stupid|silly|wrong|selfish|foolish|weird|rude|unfair|ungrateful|childish|late|early|soon|much)\b|^\W*(?:so |but |and )?how (?:do|does|can|would|should) (?:you|one|people|anyone|somebody|someone) (?:ever |even )?(?:get over|get through|get past|deal with|cope|live with|carry on|move on|let go|forgive|learn to|know (?:if|when|whether)|stop (?:being|feeling|thinking|loving|missing))\b|^\W*(?:so |but |and |well |then )?(?:should|shall|ought) (?:i|we)\b|\bwhat (?:should|shall|can|do|would you) (?:i|we|do)\b(?: do\b)?.{0,30}(?:\?|$)|\bis it (?:really |even )?(?:ok|okay|fine|alright|all right|normal|rude) (?:to|that|if)\b|\bdo you think i (?:should|can|could)\b|\bwhat (?:would i (?:even )?(?:do|say))\b|^\W*(?:why|how) (?:do|can|could|should|am|will|is|does|did) (?:i|we|my|everyone|nobody)\b"
INVITES = r"\bi(?:'ve)? (?:need|want|got|have|wanna) (?:something )?to tell you(?: something)?\W*$|^\W*(?:you'll never )?guess (?:who|where)\b[^.!?]{0,40}\W*$|^\W*(?:hey\W+)?(?:are )?you (?:(?:still )?there|up|awake|around|online)\W*$|\b(?:can|could|will|would) you help me(?: out)?(?: please)?\W*$|^\W*help(?: me)?(?: please)?\W*$|^\W*(?:do |can )?you (?:understand|hear|follow|get)(?: me| what i(?:'m saying| mean| say))?\W*\?\W*$|\bare you (?:even |still )?(?:there|here|listening)\b|\bdo you mind if i\b|\b(?:do|would|did) you (?:want|like|care) to (?:hear|know|see|guess)\b|\b(?:can|may|could) i (?:tell|ask|show) you\b|^\W*guess what\b(?!.{20})|\b(?:can|could|will|would) you (?:please )?(?:remember|keep|note|memori[sz]e) (?:something|this|(?:a|one|some) (?:thing|date|number|name|fact)s?)(?: in mind)?(?: for me)?\W*$|^\W*i (?:need|want|could use|would like) (?:some |your |a bit of )?(?:advice|help)\W*$"
# The rules know the clock.
CLOCK = r"\bwhat(?:'s| is) (?:the )?(?:time|date|day)(?: of the week)?(?: today| now| right now)?\W*$|\bwhat (?:time|date|day) is it(?: today| now| right now)?\W*$|\b(?:what|which) (?:time|day|date) (?:is|do we have)(?: it| today)*\W*$"
SORRY = r"^\W*(?:(?:hey|oh|well)\W+)?(?:i'm |i am )?(?:so |really |very )?sorry\b(?!,? (?:for|about|to hear|what|not|wrong|(?:it|that|its|thats)(?:'s)? (?:was|wasn't|wasnt|is|isn't|isnt|not)\b|i (?:meant|said|mean)\b|i (?:don't|didn't) (?:get|understand)))"
PLAY = r"\b(?:jokes?|riddles?|stor(?:y|ies)|songs?|sing|poems?|rhymes?|funny)\b"
STORY = r"\btell me (?:a story|something|more about (?:you(?!rself)|the))\b|\bread to me\b|^\W*(?:and|(?:what|how) about) you\W*$"
# "What did we talk about last time?"
ASKS_LAST_TALK = (
    r"\bwhat (?:did|have|were) (?:we|i|you and i) (?:\w+ )?(?:talk(?:ed|ing)?|speak|spoken|chat(?:ted)?|discuss(?:ed)?|say|said|tell you|told you)(?: to you)?(?: about)?(?: the)? last (?:time|talk|chat)\W*$"
    r"|\bwhat (?:was|were) (?:our last (?:talk|chat|conversation)|we talking) about(?: last time)?\W*$|\bwhere (?:did|were) we (?:leave|left) off\W*$|^\W*(?:so )?where were we\W*$"
)
# "What have we talked about so far?", "Tell me our story."
OUR_STORY = (
    r"\bhow (?:have|'ve) i been(?: (?:lately|recently|doing|feeling|these days|this week|this month))*\W*$|"
    r"\bwhat (?:all )?(?:have|did|had|'ve) (?:we|you and i) (?:\w+ )?(?:talk(?:ed)?|spoken?|speak|chat(?:ted)?|discuss(?:ed)?)(?: about)?(?: (?:so far|(?:un)?til now|up to now|before|already|together|all this time|these days|lately))*\W*$"
    r"|\bwhat (?:has|have) (?:happened|gone on|been) (?:so far )?(?:between us|with us)\b|\bwhat have we been through\b"
    r"|\b(?:tell|remind|give) me (?:of |again )?(?:our story|the story (?:so far|of us)|what (?:has been|we(?:'ve| have) (?:talked|spoken|been)))\b|\bwhat(?:'s| is| was) our story\b|\bour story so far\b"
    r"|\b(?:sum up|summari[sz]e|recap|go over) (?:our (?:talks?|chats?|conversations?|story)|what we(?:'ve| have)? (?:talked|spoken|said))\b"
)
OPINION = r"\bwhat do you (?:(?:think|say|make|reckon) (?:of|about|to)\b|reckon\W*$)|\bdo you think\b|\bwhat's your opinion\b|\bhow do you (?:like|find)\b"
# What is asked of the user's own: which question, by its words.
ASKS = {
    "forbidden": r"\b(?:what|which)(?: \w+)? (?:(?:can't|cannot|mustn't|shouldn't) i|(?:must|should) i (?:not|never)) (?:eat|drink|have|take)\b|\b(?:what am i|am i) (?:allergic|intolerant)\b|\bmy allerg",
    "name": r"\b(?:what(?:'s| is) my name|(?:know|remember|say|tell me) my name|who am i(?= ?\?|\W*$)|what am i called|what (?:do|does|should|shall|must|will) (?:they|people|everyone|you) call me)\b",
    "job": r"\b(?:(?:what(?:'s| is| was)|know|remember|forgotten|tell me) (?:again )?(?:what )?my (?:new |current )?(?:job|work|profession|occupation)\b(?! (?:bag|phone|email|friend|colleague|boss|address)s?)|what do i do (?:now )?for (?:a living|work)\b|what do i do\b(?!.{0,20}\b(?:now|about|with|if|on|when|while|after|before|for fun|every|each|at (?:home|night|the weekend))\b)|where (?:do|will) i work|what did i (?:use to )?do(?: for (?:a living|work)| before)|what am i by profession|what was i (?:before|originally)|what did i use to be|(?:forgot|forgotten|know|remember) what i do for (?:a living|work)|how do i earn)\b",
    "medicine": r"\b(?:what|which) (?:medicines?|medications?|meds|pills?|drugs?|tablets?) (?:do|must|should|am) i\b|\bmy (?:medicines?|medication|meds|pills|tablets)\b",
    "own_illness": r"\bwhat (?:illness|condition|disease|disorder)s? (?:do|have) i\b|\bwhat(?:'s| is) my (?:illness|condition|diagnosis|disease)\b|\bwhat (?:was|am|have) i (?:been )?diagnosed with\b",
    "own_age": r"\bhow old (?:(?:am|will) i|i am|i'm)\b|\bmy age\b",
    "origin": r"\bwhere (?:am i|i am|i'm|i was|was i|do i come|i come|did i come|did i grow|i grew|were we) (?:originally )?(?:from|born|up)\b|\b(?:my home ?town|what country am i from|where am i originally)\b",
    "home": r"\b(?:where (?:do|did) (?:i|we) (?:live|move|stay)|(?:which|what) (?:city|town|country|place|street) (?:do|did|am) i|where(?:'s| is) my (?:home|flat|house)|where (?:am i|are we) (?:living|staying|at home))\b",
    "their_job": r"(?<!my)'s (?:job|work|profession)\b|\bwhat (?:does|did) (?!it\b|that\b|this\b)(?:[\w']+ ){1,3}do(?: for (?:a living|work)| now| all day)?\W*$|\bwhat (?!(?:i|you|we|it|that|this|he|she|they)\b)(?:[\w']+ ){1,3}(?:does|did) for (?:a living|a job|work|money)\b",
    "when": r"^\W*(?:(?:and|so|but|well|hey) )*(?:when|what (?:day|date|time)|which day|how long (?:until|ago))\b|\b(?:know|remember|tell me|say|told you|idea|forgotten) (?:\w+ ){0,2}when\b|\b(?:on )?(?:what|which) (?:day|date|time)\b",
    "age": r"\bhow old\b",
    "how_many": r"\bhow (?:many|old|much|long|far)\b",
    "where": r"\bwhere\b",
    "called": r"\bwhat (?:are|is|will|shall|did|were|was) (?!i\b)(?:[\w']+ ){1,4}(?:call|name|calling|naming) (?!me\b|you\b)\w|\b(?:called|names?|named|who(?:'s| is| was| are| am i (?:marrying|married|engaged|dating|seeing)))\b",
}
# Slots of noted facts by the questions that ask for them.
ASKS_SLOT = (
    ("full_name", r"\bmy full name\b"),
    ("preferred_name", ASKS["name"]),
    ("full_name", ASKS["name"]),
    ("work", ASKS["job"]),
    ("home", ASKS["home"]),
    ("birthday", r"\bmy birthday\b|\bwhen was i born\b"),
    ("partner", r"\bmy (?:partner|wife|husband|boyfriend|girlfriend|spouse|fianc[ée]e?)(?:'s)? (?:name|called)\b|\bwho(?:'s| is| am i) (?:my (?:partner|wife|husband|boyfriend|girlfriend)|with|married to|dating)\b|\bname of my (?:partner|wife|husband|boyfriend|girlfriend)\b|\bwhat(?:'s| is) my (?:wife|husband|boyfriend|girlfriend|partner)"),
    ("diet", r"\bmy diet\b|\bdo i eat (?:meat|fish)\b|\bwhat (?:do|can|can't|don't) i eat\b"),
    ("pronouns", r"\bmy pronouns\b"),
    ("language", r"\bmy (?:native |first |mother )?(?:language|tongue)\b"),
)  # fmt: skip
EVIDENCE = {
    "medicine": r"\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|chang(?:ed|ing)) (?:me|us) (?:on |over )?to (?-i:[A-Z])[a-z]{3,}|\b(?:put|started|has|got) (?:me|us) on (?:(?:a|some|the|more|new) )?(?!hold|the spot|to\b)[a-z]{4,}|\b(?:i|user)\b[^.!?]{0,60}\bon (?:a )?\d+ ?(?:mg|mcg|ml)\b|\b(?:i|user)(?: also| still)?(?:'m| am| is)? (?:takes?|on|taking) [\w, -]{2,40}?(?:pills?|tablets?|medicines?|medication|every|daily|each|twice|once a|in the (?:morning|evening)|for my|for their)\b|\b(?:i|user)(?: also| still)?(?:'m| am| is)? (?:takes?|on|taking) (?:blood thinners?|antidepressants?|antibiotics?|insulin|aspirin|ibuprofen|lithium|antihistamines?|[a-z]+(?:ine|ol|in|am|pril|statin))\b",
    "own_illness": r"\b(?:i|user)\b[^.!?]{0,40}\b(?:diabet\w+|asthma\w*|epilep\w+|ms|copd|lupus|adhd|autis\w+|bipolar|depression|[a-z]{3,}itis|[a-z]{4,}osis|[\w']+ (?:syndrome|disorder|disease)|(?<!no )cancer|diagnosed with)\b",
    "forbidden": r"\bi(?:'ve| have| must)(?: got)?(?: to)? (?:cut out|give up|avoid|lay off|stay off)\b|\b(?:so|means|and) no (?:more )?[a-z]+(?=\W*$| for me\b)|\b(?:doctor|gp|dietician|dietitian) (?:said|says) no \w+|\b(?:i|user)(?:'m| am| is)?(?: also| still| really| very)* (?:(?:[a-z]+[ -])?intolerant|allergic|coeliac|celiac)\b|\b(?:i|user) (?:also |still |really )*(?:can't|cannot|mustn't|must not|shouldn't|don't|doesn't|do not|does not|never) (?:eats?|drinks?|have|take|touch|do (?:shellfish|nuts|peanuts|dairy|milk|eggs|gluten|wheat|fish|meat|soy|spicy))\b",
    "job": r"\b(?:i|we)(?:'ve| have)?(?: just| also| recently)? (?:opened|run|own|set up) (?:an?|my own|our own) [\w' -]{0,30}(?:shop|store|business|caf[eé]|restaurant|bakery|salon|studio|farm|company|practice|garage|pub)\b|\b(?:i|we)(?:'ve| have| also| still| just| now| don't| no longer)? (?:work|teach|run|look after the|manage (?:an?|the)|own (?:an?|the|my)|start(?:ed)? (?:as|at))\b|\bi(?:'m| am|'ve been| have been)(?: also| still| now)? an? (?!bit|while|little|lot|mess|fan|morning|night|person)|\bi (?:was|used to be) (?:an? )?(?!never|older|younger|under|over|better|after|together|either|bit|while|little|lot|mess|fan|child|kid|baby|boy|girl|teenager|wreck|fool|idiot)(?:[\w-]+ ){0,2}\w*(?:er|or|ist|nurse|chef|clerk|analyst|assistant|driver|vet|guard|miner|cook|maid|pilot|engineer)\b|\bmy (?:job|work|profession) is\b|\bi drive (?:a|the) (?:bus|taxi|cab|lorry|truck|van|tram|train)\b|\b(?:i'm|i am) (?:retired|unemployed|a student)|\b(?:working|employed|job) (?:as|at|for|in)\b|\buser (?:is an?|works|teaches)\b|\bi(?:'ve| have)?(?: just)? (?:quit|left) (?:the|my) (?!house|flat|keys|phone|party)\w|\bstart(?:ing|ed)? (?:at|as) an? \w|\b(?:i|we)(?:'ve| have)? (?:just )?(?:closed|shut|sold|lost|gave up)(?: down)? (?:the|my|our) (?:\w+ )?(?:shop|store|bakery|caf[eé]|restaurant|pub|bar|salon|studio|garage|practice|farm|business|company)\b(?! (?:early|at|for (?:the day|lunch|today)))",
    "origin": r"\b(?:i|i'm|i am|user|user is)(?: was| am|'m| also| originally)* (?:born in|grew up in|come from|from) \w|\bfrom \w+ originally\b|\b(?:i'm|i am|user is) an? [\w -]{3,40}? from \w",
    "home": r"\b(?:i|we)(?:'ve| have|'re| are|'m| am| just| now| also| both| still| been)* (?:live|lived|living|(?:moved|move|moving)(?! in(?=\W*$| (?:yesterday|today|last|on|this)\b))|settled|based|rent|(?:staying|crashing|stopping) (?:at|with|in|over|round)|at (?-i:[A-Z]\w+)'s|at my (?:nan|gran|mum|mam|mom|dad|mate|sister|brother|friend|aunt|cousin|son|daughter)\w*'?s)\b|\b(?:flat|house|home|apartment) (?:is )?in\b|\b(?:i|we)(?:'ve| have)? (?:find|found|got|rent|took|have) (?:an? )?(?:\w+ )?(?:room|bedsit|place) in (?-i:[A-Z])|\buser (?:lives|moved)\b|\bmy (?:home ?town|home) is\b",
    "when": r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:today|tonight|tomorrow|yesterday|next (?:week|month|year|spring|summer|autumn|winter)|last (?:week|month|year|night))\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[:.]\d\d\b|\b\d{4}-\d\d-\d\d\b|\bat (?:\w+ o'clock|noon|midnight)\b|\bin (?:\d+|\w+) (?:days|weeks|months|hours)\b|\bin (?:spring|summer|autumn|winter)\b",
    "age": r"(?<!\bat )(?<!\bfor )\b(?:\d+(?! ?[ap]m\b)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a couple|twins|both)\b",
    "their_job": r"\b(?:is|was|'s|became|as) (?:(?:now|also|training|working) )*(?:as )?an? \w|\b(?:works?|worked|retired|training as|studies|teaches|drives|runs)\b",
    "own_age": r"^\W*\d{2}(?=,|\W*$)|\b(?:at|aged) \d{2} years (?:of age|old)\b|\bi(?:'m| am) (?!nearly|almost|about|only|just|now|over|under|not|like|maybe|still|turning)\w+,? (?:and )?\d{2}(?=\W*$|,| from\b| and\b)|^\W*(?:(?:hi|hey)\W+)?(?:it's|its|this is) \w+,? (?:and )?\d{2}\b|\b(?:i(?:'m| am)|user is|(?:i|user)(?:'ve|'s| have| has)?(?: just)? turn(?:ed|s)?) (?:now |only |already )?(?:\d{1,3}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)\b(?! (?:weeks|months|days|hours|minutes|miles|km|percent|%|stone|kilos))",
    "how_many": r"\b(?:\d+(?:st|nd|rd|th)?|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a couple|twins|both)\b",
    "where": r"\b(?:(?:in|at|near|on|by|from|behind|beside|under|below|above|over|inside|outside|between|opposite|next to)|(?:go\w*|went|mov\w+|shift\w*|relocat\w+|transfer\w*|posted|fl[yi]\w*|flew|dr[io]v\w+|travel\w*|back|off|sent|c[ao]m\w+|walk\w*|over) to) (?!(?:me|him|her|us|you|them|it|once|all|first|last|least|night|noon|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|\d)\b)(?:the |my |our |a )?\w+",
}
# Words that stand for one another when something told is asked for.
ALIKE = (
    "fly flight plane flying", "kid child children kids son daughter boys girls baby", "exam test", "job work profession",
    "doctor appointment clinic hospital", "film movie", "mum mom mother", "dad father", "holiday trip vacation", "read reading book novel",
    "marry married wedding wed", "borrow borrowed loan lend lent", "eat ate eating", "dog puppy", "birthday turns turned", "burglary burgled break-in broke burglar", "bike bicycle", "phone mobile", "car van", "cat kitten", "operation surgery",
    "flat apartment home house", "fiance fiancee fiancé fiancée partner boyfriend girlfriend", "break broke broken", "teach taught teacher", "quit stopped", "want dream", "afraid scared frightened terrified", "instrument guitar piano violin cello flute drums trumpet ukulele saxophone clarinet harp",
)  # fmt: skip
_PART = r"(?:hips?|knees?|back|shoulder|cataracts?|eyes?|gall ?bladder|appendix|tonsils?|hernia|heart|nose|hand|wrist|ankle|foot|spine|prostate|womb)"
# Words that a text tells in others, but not the other way round.
TOLD_SO = {
    "operation": rf"\b(?:my|his|her|the) (?:\w+ )?{_PART}(?:'s| is| are| was| were)?(?: getting| being| to be)* (?:done|out|replaced|removed|fixed)\b|\bunder the knife\b",
    "lose": r"\b(?:blew|gambled away|did £?\d+ (?:quid|grand|pounds?))\b",
    "pronoun": r"\b(?:they|she|he)/(?:them|her|him|they)\b",
    "chip": r"\bchippy\b",
    "shop": r"\b(?:chippy|bakery|butcher'?s|grocer'?s|newsagent'?s?|florist'?s?|co-?op|tesco|aldi|lidl)\b",
    "marry": r"\b(?:wife|husband)\b",
    "truck": r"\b(?:lorry|cab|artic)\b",
    "boss": r"\bmanager\b",
    "die": r"\b(?:passed(?! (?:the|my|an?|his|her|it|by|out|on)\b)|lost (?:him|her))\b",
    "job": r"\blet(?:ting)? (?:me|us) go\b|\bredundan\w+|\bmy notice\b|\b(?:fired|sacked|laid off)\b",
    "finish": r"\bletting (?:me|us) go\b|\blast day\b",
    "study": r"\b(?:read(?:ing)?|doing) (?:law|history|medicine|english|maths|physics|biology|chemistry|french|german|classics|philosophy|economics|geography|politics|psychology|music|art|engineering)\b",
    "music": r"\b(?:jazz|rock|folk|techno|opera|rap|hip-?hop|punk|metal|blues|reggae|indie|soul|disco|classical|bach|mozart)\b",
    "sport": r"\b(?:football|rugby|tennis|cricket|netball|hockey|swimming|climbing|running|cycling|golf|badminton|judo|karate|boxing)\b",
}
# Small words that say nothing of what is asked for.
IDLE = frozenset((
    "what", "when", "where", "who", "which", "how", "many", "much", "do", "does", "did", "is", "are", "was", "were", "my", "our", "your",
    "moment", "have", "has", "had", "tell", "told", "say", "said", "remember", "know", "name", "names", "called", "day", "date", "time", "city",
    "old", "long", "about", "thing", "something", "anything", "still", "exactly", "again", "please", "by", "way", "mention", "mentioned", "old", "live", "living",
    "isn", "aren", "wasn", "doesn", "didn", "hasn", "haven", "come", "comes", "going", "even", "though", "week", "weeks", "month", "months", "year", "years", "hours", "minutes", "take", "place", "get", "got", "be", "there", "right", "now", "then", "again", "okay", "ok",
    "new", "last",
))  # fmt: skip
NAMED = r"(?<![\w'])(?:[A-Z][\w'-]+)(?: [A-Z][\w'-]+)*"
# What is asked of the companion: which of their facts, else which words of their text.
OF_YOU = {
    "name": r"\b(?:your (?:full |last |first )?name|who are you|what are you called)\b",
    "about": r"\b(?:about yourself|(?:tell me|know|hear|learn)(?: \w+){0,3} about you(?=\W*$)|introduce yourself|who are you really|what (?:are you like|kind of person are you))\b",
    "occupation": r"\b(?:what do you do\b(?! (?:when|if|about|on|in your|with|for fun))|your (?:job|work|profession|occupation|trade)|do you work|where do you work|what do you do (?:all day|for a living|for work))\b",
    "location": r"\bwhere (?:do you live|are you(?: from| now| based)?\b|is your home|did you grow up)|\b(?:do|are) you (?:live|living|based|from)\b",
    "birth_date": r"\b(?:your birthday|when were you born|your birth ?date)\b",
    "age": r"\b(?:how old are you|your age|what age are you)\b",
    "nationality": r"\b(?:your nationality|which country are you|what country are you)\b",
    "native_language": r"\b(?:languages? do you|your (?:first |native |mother )(?:language|tongue)|do you speak)\b",
    "education": r"\b(?:did you (?:study|go to (?:school|university|college))|your (?:education|degree)|what did you study)\b",
    "relationship_status": r"\b(?:are you (?:married|single|in love|seeing (?:someone|anyone)|divorced|widowed)|do you have an? (?:wife|husband|partner|boyfriend|girlfriend)|your (?:wife|husband|partner))\b",
}
OF_YOU_WORDS = {
    r"\b(?:(?<!'s )(?<!is )like|enjoy|love|hobb(?:y|ies)|free time|fun|evenings?|weekends?|interests?|passion)\b": r"\b(?:likes?|loves?|enjoys?|keeps?|plays?|sings?|bakes?|reads?|collects?|paints?|mends?|learning|fond of)\b",
    r"\b(?:cook\w*|bak\w+|eat|food|bread)\b": r"\b(?:cooks?|bakes?|bread|flour|kitchen|eats?)\b",
    r"\b(?:child(?:ren)?|kids?|sons?|daughters?)\b": r"\b(?:daughters?|sons?|child(?:ren)?|kids?|boys)\b",
    r"\b(?:siblings?|brothers?|sisters?)\b": r"\b(?:brothers?|sisters?|siblings?)\b",
    r"\b(?:famil(?:y|ies)|parents?|mother|father)\b": r"\b(?:mother|father|parents|brothers?|sisters?|grandmother|grandfather|daughter|sons?|married|wife|husband)\b",
    r"\b(?:pets?|animals?|cats?|dogs?)\b": r"\b(?:cats?|dogs?|hive|bees|hens|parrot|horse)\b",
    r"\b(?:music|sing|songs?|instruments?)\b": r"\b(?:sings?|choir|plays?|drum\w*|piano|guitar|violin|records?|trumpet)\b",
    r"\b(?:hate|dislike|can't stand|annoys? you|afraid of)\b": r"\b(?:cannot stand|can't stand|hates?|dislikes?|bored by|afraid)\b",
    r"\b(?:past|before|used to|younger)\b": r"\b(?:until|formerly|for \w+ years|grew up|used to|came to)\b",
}
# Asks whether the companion likes a thing, not what it likes.
LIKES_WHAT = r"\bdo you (?:also |really )?(?:like|enjoy|love|hate)\b (?!to\b|doing\b|best\b|most\b|me\b|it\b)\w"
FACTS = {
    "full_name": "My name is {value}.", "location": "Home is {value}.", "occupation": "I'm {a_value}.", "birth_date": "My birthday is {value}.",
    "nationality": "I'm {value}.", "native_language": "I grew up with {value}.", "education": "What I studied: {value}.", "relationship_status": "I'm {value}.",
}  # fmt: skip
AGE = r"\b(?:is|am|are|turned|turns) (?:\d{2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|\w+teen)\b|\b(?:\d{2}|\w+ty(?:-\w+)?) years old\b"
_DAYS = r"(?:today|tonight|tomorrow|(?:(?:this|next|the|coming|rest of the) )+(?:\w+ )?(?:weekend|week|month|year|morning|afternoon|evening)|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)"
# What the user has before them, and not the companion.
ASKS_AHEAD = (
    r"^(?!.*\b(?:you|your)\b(?! (?:know|remember|tell|remind)\b)).*\b(?:what|which|anything|any|is there|are there|do i have|have i got|remind me|tell me)\b.{0,40}\b(?:coming up|on the horizon|lined up|lies ahead|ahead of me|planned|(?:in|on) (?:my|the) (?:diary|calendar|schedule|agenda|plans?)|plans (?:do|have|for)|my (?:plans|schedule|appointments|agenda))\b"
    rf"|^\W*(?:(?:so|and|ok|okay|hey|hi|right|well|remind me|tell me)\W+)*(?:what(?:'s| is) (?:on|happening|going on)|what (?:have (?:i|we) got|do (?:i|we) have|am i doing|am i up to|are we doing)|(?:have (?:i|we) got |do (?:i|we) have |is there |am i doing |got )?(?:anything|something))(?: (?:on|in|at|for|over|during|to do|planned|happening|going on|up))* {_DAYS}\b[\w\s]{{0,20}}\W*$"
)
ASKS_LAST = r"\bwhat (?:did|have) i (?:just )?(?:say|said|tell you|told you|talk(?:ed)? about|wrote|write)(?: just now| a moment ago| before that| to you)?\W*$|\bremember what i(?: just| have just)? (?:said|told you)(?: just now| a moment ago)?\W*$"
ASKS_FONDNESS = r"\b(?:will|would) you (?:marry|date|kiss) me\b|\bbe my (?:girl|boy)friend\b|\bare you (?:in love with|proud of|happy for) me\b|^\W*(?:so |and |but )?do you (?:really |even |actually )?(?:love|like|miss|care about|believe in|support) me\b"
PRAISE = r"\byou make me (?:feel better|smile|laugh|happy)\b|\byou(?:\'re| are) the only one (?:i|who)\b|(?<!can )(?<!could )(?<!will )(?<!would )\byou (?:always |really |just )?(?:know what to say|understand me|get me|help(?:ed)? me|made my day|are so (?:kind|sweet|nice|wise))\b(?!\W*\?)|\byou(?:\'re| are) al(?:l )?right\b(?!\W*\?)|\byou(?:\'re| are) (?:so |very |really )?(?:kind|sweet|lovely|wonderful|patient|the best|good to (?:me|listen)|a good (?:listener|friend)|good at this)\b"
TO_YOU = r"\byou(?:r|rs|rself|'re|'ve|'ll|'d)?\b"
NOT_OF_YOU = r"\bany chance you\b|\byou(?:\'d| would| could| can)? (?:recommend|suggest)\b|\bhow do you (?:spell|say|pronounce|make|cook|use|write|get to|call)\b|\bdo you (?:know(?! what it\b)|think|remember|suppose|reckon)\b|\b(?:did|have) i (?:tell|told) you\b|\b(?:can|could|would|will) you\b|\bi tell you\b"
# Questions that complain or marvel, and want no answer.
RHETORICAL = (
    r"^\W*(?:(?:ugh|oh|god|man|and|but|so|like|seriously|honestly)\W+)*(?:"
    r"why (?:does|do|did|is|are|must|can't|doesn't|won't|isn't|aren't) (?!.*\byou\b).*\b(?:so|such|always|everything|everyone|every time|never|again)\b"
    r"|who (?:even|the hell|on earth|does that|needs)\b|what (?:even|the hell|on earth)\b|(?:isn't|wasn't|aren't) (?:it|that|this|he|she|they)\b"
    r"|(?:can|could|would) you (?:even )?(?:believe|imagine)\b|how (?:can|could) (?:anyone|people|somebody|someone|he|she|they|it)\b.*\b(?:even|so|just)\b)"
)
# Words that only keep a talk going.
NODS = r"^\W*(?:(?:fair enough|idk|k|kk|(?:perhaps|maybe) you(?:'re| are) right|you(?:'re| are) right|good (?:idea|point)|no,? not like that|don't worry|don't judge me|just kidding|kidding|haha\w*|ok(?:ay)?|i see|got it|makes sense|true|alright|all right|never ?mind|anyway|whatever|go figure|indeed|exactly|good|fine|hm+|mm+|uh huh|lol|same|maybe|i guess|not really|don't know|dunno|wow)\W*)+$"
