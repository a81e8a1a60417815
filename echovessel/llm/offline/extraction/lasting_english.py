"""Reads which English clauses hold of the user until further notice: a subject, a verb of state or a habit, what it is about.

A clause is of the user ("I", "we"), of somebody or something of theirs ("my sister", "our dog"), or a wish about talk.
"""

import re

_OPENER = r"^\W*(?:(?:and|also|well|so|oh|yes|yeah|yep|no|nah|but|ugh|haha+|lol|hm+|tbh|honestly|actually|anyway|hi|hey|hello|ok|okay|ah|look|by the way|btw|fun fact|just|(?:on |every )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: mornings?| nights?| evenings?| afternoons?)?|i guess|i think|apparently)\b[\s,.:!–-]*)*"
_ADVERBS = r"(?:(?:also|still|now|really|just|always|usually|only|actually|mostly|normally|mainly|often|currently|absolutely|both|sometimes|generally|mostly|already|originally|basically|all|definitely)\s+)*"
_I = rf"{_OPENER}(?:i|we)\s+{_ADVERBS}"
_AM = rf"{_OPENER}(?:i'm|i am|we're|we are|i've been (?=an?\b|\w+ing\b))\s+{_ADVERBS}"
_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_DATE = rf"(?:\b(?:on|in|until|from|by|for|at)\s+(?:the\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:early |late |mid-)?(?:{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)\b)|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|\b{_MONTH} \d{{1,2}})"
# What recurs: "every Thursday", "most mornings", "twice a week", "on Mondays".
_OFTEN = rf"(?:\b(?:every|each|most|at|on)\s+(?:other\s+|second\s+|single\s+)?(?:day|night|week|month|year|morning|afternoon|evening|weekend|summer|winter|spring|autumn|christmas|{_WEEKDAY})s?\b(?<!on day)(?<!at night)|\b(?:once|twice|{_NUMBER} times|{_NUMBER})\s+(?:an?|per) (?:day|week|month|year)\b|\bfor a living\b|\bdaily\b|\bbefore (?:work|school|bed)\b|\bafter (?:work|school)\b)"
# What one feels or does now and then, however often.
_FEELS = r"think|feel|know|want|hope|wish|keep|get|forget|lose|cry|say|mean|wonder|see|guess|miss|need|pretend|regret|die|am|was"
# Of what one has or is, this says nothing that lasts.
_NO_MATTER = (
    r"(?:it|that|this|these|those|you|your|him|her|them|how|when|what|why|where|whether|myself|to|so|not|nothing|something|everything|anything|someone|somebody|people|"
    r"one (?:of|more)|the (?:way|idea|sound|thought|feeling|urge|best|worst|blame|day|energy|time|menu|same)|an? (?:genius|liar|monster|legend|star|saint|blister|stone|spare|spot|bit|little|lot|few|mess|wreck|fool|idiot|mood|hurry|minute|moment|while|good|bad|great|rough|weird|nice|lovely|long|"
    r"day|week|feeling|question|thought|hunch|idea|point|chance|break|rest|headache|cold|cough|fever|hangover|meeting|call|problem|plan|clue|choice|dream|nightmare|zombie|potato|creep|weirdo|joke|failure|disaster|burden|"
    r"wonderful|terrible|horrible|busy|quick|stomach ache|sore|crush on|laugh|shower|bath|nap|walk|seat|look|ton|million|bunch|huge fan|big fan|fan|huge|couple of (?:minutes|hours|things))\b|too|time|fun|trouble|work|plans|lots|loads|enough|doubts?|some|any(?! ?more)|few|\d+ (?:tabs|minutes|seconds|hours|missed|unread|messages)|mondays|many|much|more|"
    r"mad|dumb|everyone|along|around|back|home|into|out|off|up|over|away|for the weekend|on (?:it|this|that|them)\b|in (?:my|our) (?:pyjamas|head|own world)|in (?:fear|hope|strange|interesting|weird|uncertain|such)|like (?:an?|it|this|that)\b|down)\b"
)
_NOT = rf"(?!{_NO_MATTER})"
# What stands behind a verb: nothing, or something that matters.
_WHAT = rf"(?:(?=\W*$)|\W*\b{_NOT}\w)"
_BEING = (
    r"(?:allergic to|intolerant (?:to|of)|(?:terrified|scared|afraid|frightened) of (?!(?:it|that|this|you|what)\b)|left-handed|right-handed|ambidextrous|colou?r ?-?blind|blind|deaf|short-sighted|hard of hearing|vegetarian|vegan|pescatarian|gluten-free|"
    r"lactose[ -]intolerant|coeliac|celiac|diabetic|asthmatic|epileptic|anaemic|autistic|dyslexic|bipolar|introverted|extroverted|shy|married|engaged(?! in)|divorced|separated|single|widowed|retired|self-employed|unemployed|freelance|"
    r"between jobs|out of work|off sick|on (?:sick|maternity|parental) leave|pregnant|expecting|sober|teetotal|gay|bi|bisexual|lesbian|trans|non-?binary|religious|an only child|adopted|disabled|"
    rf"(?-i:[A-Z])[a-z]+(?:ish|ese|[ie]an|ican|erman|ic|im|ch|ist|ikh|du)\b|\d{{1,3}}(?:\b(?! ?(?:%|per|min|hour|day|week|month|pages|miles|km|levels?)))|{_NUMBER} years old|from (?!the (?:future|past|moon)|hell)|"
    r"in (?:my (?:first|second|third|fourth|final|last|\w+ties|\d0s)|year|a (?:band|choir|wheelchair|relationship|team|club)|recovery|therapy|the (?:army|navy|police|choir))|"
    r"on (?:insulin|medication|antidepressants|antibiotics|statins|warfarin|the pill|an? [\w-]+ diet|nights|days|earlies|lates|(?:the )?(?:night|day|early|late) shifts?|the board|benefits)|into (?!(?:it|this|that|you)\b)[a-z]|(?:good|bad|terrible|hopeless|useless) (?:at|with) |"
    r"halfway through|doing (?:an?|my) (?:degree|master|phd|doctorate|course|apprenticeship|a-levels|gcses|training|placement|diploma)|studying (?!the menu|for (?:this|that|my))|learning (?!that|how (?:it|he|she))|training (?:for|to|as)|saving (?:up )?(?:for|to)|writing an? |restoring|building an?|"
    r"working (?:as|at|for|in|nights|days|part-time|full-time|on my)|teaching|raising|renting|fostering|living|based|looking for (?:an? (?:job|flat|house)|work)|trying to (?:quit|lose|stop|give up|learn|get fit|cut|save)|"
    r"seeing (?:an? (?:therapist|counsellor|physio\w*|psychologist)|someone)|dating|married to|engaged to|caring for|looking after my|taking (?:lessons|classes|an? (?:course|class))|waiting for an? (?:transplant|operation|kidney|visa)|(?:the )?(?:eldest|oldest|youngest|middle)|the (?:\w+ )?(?:captain|manager|secretary|treasurer|owner|head|caretaker))"
)
_DOING = (
    r"(?:work(?! (?:best|late|too|hard|through))|live(?! for| on the| and| in an? (?:flat|house|apartment|city|town|village)\W*$)|teach|study|play (?!dumb|it|along|the (?:fool|victim))|collect|knit|crochet|sew|quilt|weave|embroider|whittle|drive (?=an?\b|my\b|the\b|for\b|(?-i:[A-Z]))|own (?=an?\b|my\b|two\b|three\b)|run (?=an?\b|my\b|our\b|the\b)|wear|use (?=an?\b|my (?:left|inhaler)|insulin|glasses|sign)|sing|"
    r"speak (?=(?-i:[A-Z])|sign)|believe in|keep (?=bees|chickens|hens|pigeons|koi|goats|sheep|fish|snakes|an? (?:diary|journal)|kosher|halal)|grow|write (?=poe|songs|novels|stories|plays|for\b|an? (?:blog|column))|paint|draw|ride|coach|volunteer|train|practi[sc]e|swim|bake|brew|garden|rent|share|"
    r"look after|care for|suffer from|support|belong to|manage|edit|breed|foster|commute|cycle|attend|go to (?=(?-i:[A-Z])|church|mass|the (?:gym|mosque|temple|synagogue)|an? (?:school|college|choir|group))|do (?=yoga|pilates|judo|karate|pottery|ballet|cross|parkrun|night|early|shift|people's|an? \w+ (?:job|course)|my (?:own|a-levels)|(?:\w+ )?shifts)|"
    r"take (?=[\w -]{2,40}? (?:every|daily|once|twice|for my|each)|insulin|medication|my (?:coffee|tea))|eat|drink|smoke|vape|fish|hunt|dance|climb|ski|surf|sail|row|hike|meditate|pray|avoid|(?:need|have) to (?:avoid|wear|take|use|eat|inject)|identify as|(?:get|wake) up (?=at|before|early)|sleep (?=with|on my|in)|"
    r"like|love|enjoy|adore|prefer|hate|dislike|loathe|detest|can't stand|cannot stand|can't bear|owe)"
)
_NOT_DOING = r"(?:(?:can't|cannot|don't|do not|never|no longer|won't)\s+(?:really |actually |ever |even )?(?:eat|drink|smoke|vape|drive|swim|believe in|like(?! my| the)|wear|use|own|speak|celebrate|touch|tolerate|digest|watch|ride|fly|dance|cook|play|have (?=an? (?:car|dog|cat|partner|tv|phone|licen[cs]e)|any (?:kids|children|siblings|pets|brothers|sisters|family)|children|kids|siblings|pets)))"
_BODY = r"(?:arthritis|asthma|diabetes|epilepsy|migraines|adhd|autism|ocd|ptsd|ibs|anxiety|depression|insomnia|hay fever|eczema|psoriasis|anaemia|tinnitus|vertigo|gout|cancer|parkinson's|crohn's|endometriosis|dyslexia|high blood pressure|\w+itis|\w+phobia|\w+osis)"
_FAMILY = (
    r"(?:mum|mom|mother|dad|father|sisters?|brothers?|twins?|sons?|daughters?|kids?|child(?:ren)?|babies|baby|boys?|girls?|niece|nephew|nieces|nephews|aunt|auntie|uncle|cousins?|gran|nan|nana|grandma|grandmother|grandad|granddad|grandpa|grandfather|grandson|granddaughter|grandchildren|"
    r"wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|ex|ex-\w+|parents|grandparents|in-laws|mother-in-law|father-in-law|sister-in-law|brother-in-law|step\w+|half-\w+|godson|goddaughter|family|"
    r"cats?|dogs?|pupp(?:y|ies)|kittens?|rabbits?|horses?|pony|parrots?|budgie|hamsters?|tortoise|goldfish|chickens|hens|snake|gecko|ferret|guinea pigs?|pets?|greyhound|labrador|spaniel|collie|terrier)"
)
# Others come and go: of these their names hold, and what they are.
_OTHERS = r"(?:boss|manager|supervisor|colleague|coworker|co-worker|neighbou?rs?|landlord|landlady|flatmates?|roommates?|housemates?|lodger|friends?|mates?|therapist|counsellor|doctor|gp|dentist|physio|teacher|tutor|coach|trainer|professor|carer|apprentice)"
_SOMEBODY = rf"(?:{_FAMILY}|{_OTHERS})"
_MY = rf"{_OPENER}(?:my|our)\s+(?:(?:best|old|oldest|younger|youngest|older|elder|eldest|little|big|twin|middle|new|half|step|late|only|first|closest|other)\s+)*"
_DOES = r"(?:lives?|works?|plays?|teach(?:es)?|stud(?:y|ies)|go(?:es)? to|has|have|likes?|loves?|hates?|speaks?|runs?|owns?|drives?|sings?|cooks?|suffers?|sleeps?|eats?|takes?|wears?|collects?|keeps?|belongs?|can't|cannot|doesn't|don't|never|needs?)"
_NAME = r"(?:,? (?-i:[A-Z])[\w'-]+,?)"
_THEIRS = rf"(?:{_OPENER}(?=mum|mom|dad|nan|gran)|{_MY}){_SOMEBODY}{_NAME}?"
# What a thing of theirs is; of these nothing lasts.
_FLEETING = r"(?:day|days|night|week|morning|life|head|mood|brain|heart|back|face|feet|legs?|arms?|eyes?|hair|phone|laptop|internet|train|bus|flight|room|mind|point|turn|fault|problem|question|guess|plan|lunch|dinner|tea|coffee|boss|stomach|body|throat|battery|god|meeting|dream|idea|answer|first|only|last)"
_THING = rf"{_OPENER}(?:my|our)\s+(?!(?:\w+ )?{_FLEETING}\b)[\w'-]+(?:\s+[\w'-]+){{0,3}}?"
_TO_BE = rf"(?:'s| is| are)\s+{_ADVERBS}"
_HAVING = rf"{_NOT}(?:(?:an?|my own|our own|{_NUMBER}|the|type \d|several|both)\s+[\w'-]+|(?:[\w-]+ )?(?:{_BODY}|{_SOMEBODY})\b|(?:no|any) (?:kids|children|siblings|pets|allerg\w+)|allerg\w+)"
_LASTING = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_AM}(?:{_NOT}an? [\w-]+|{_BEING})",
        rf"(?:{_I}(?:have|own)|{_OPENER}(?:i've|we've|i have|we have) {_ADVERBS}got)\s+{_HAVING}",
        rf"{_I}{_DOING}{_WHAT}",
        rf"{_I}{_NOT_DOING}{_WHAT}",
        rf"{_I}(?!(?:{_FEELS})\b)[a-z]+\s+{_NOT}\w.*?{_OFTEN}",
        rf"{_OPENER}(?:i've|we've|i have|we have) {_ADVERBS}(?:been|lived|worked|had|played|known|taught|run|studied|owned)\b.* (?:for (?!a (?:bit|while|minute|moment|week)|an? \w*hour|\w+ (?:hours|minutes)|the (?:last|past) (?:few )?(?:hours|minutes|days))|since )\w",
        rf"{_I}(?:was born|grew up)\s+(?:in|on)\s+\w",
        rf"{_THEIRS}(?:'s name(?:'s| is)\s|{_TO_BE}(?:called\b|named\b|{_NOT}an? |the |(?-i:[A-Z])|\d|{_NUMBER}\b|my |dead\b|(?:seriously |very )?ill\b))",
        rf"{_MY}{_FAMILY}{_NAME}?{_TO_BE}{_BEING}",
        rf"{_THEIRS} {_ADVERBS}{_DOES}{_WHAT}",
        rf"{_THEIRS}(?:{_TO_BE}|\s+(?!{_FEELS})[a-z]+s?\s+)(?!.*\bi\b).*{_OFTEN}",
        rf"{_OPENER}(?:my|our) {_BODY}(?:'s| is)\b",
        rf"{_OPENER}(?:everyone|everybody) calls me (?-i:[A-Z])",
        rf"{_THEIRS} (?:died|passed away|has died|has passed)\b",
        rf"{_OPENER}(?-i:[A-Z])[\w-]+(?:'s| is) (?:my|our) (?:[\w-]+ )?{_SOMEBODY}\b(?!'s)",
        rf"{_OPENER}(?:my|our) favou?rite [\w ]{{2,30}}? (?:is|are)\b",
        rf"{_THING}{_TO_BE}(?:called\b|named\b|number \w|{_NOT}an? \w|the {_NOT}\w|\d|(?-i:[A-Z])\w|on {_WEEKDAY}\b|parked\b|kept\b)",
        rf"{_THING} (?:leaves|starts|opens|closes|ends|arrives|runs|finishes|goes) .*?(?:\d|{_WEEKDAY})",
    )
]  # fmt: skip
_PLANNED = re.compile(
    rf"(?:{_AM}(?:going|starting|moving|getting|flying|having|taking|sitting|running|seeing|visiting|leaving|due|off|meeting|doing|travelling|changing|finishing|graduating|retiring|hosting|performing|expecting)\b"
    rf"|{_I}(?:start|have|leave|move|fly|finish|graduate|retire|turn|sit)\b|{_OPENER}(?:i've|we've) got\b|{_OPENER}(?:my|our)\b.{{2,40}}?(?:'s| is| are| starts?| begins?| gets?| goes| comes| finishes| turns| moves?| takes| opens)\b).*{_DATE}",
    re.IGNORECASE,
)
_ABOUT_TALK = (
    r"(?:emojis?|emoticons?|short(?:er)?|brief|blunt|direct|honest|straight|formal|informal|casual|swear|slang|bullet points?|lists?|(?:long|short) (?:answers|messages|replies|texts)|lectur\w+|advice|small talk|sugar-?coat\w*|gentle|jokes?|polite|"
    r"paragraphs|(?:long|short) \w+|in (?:french|chinese|spanish|german|english|italian|polish|portuguese|japanese|welsh)|pep talks?|exclamation marks?|capital letters|capitals|pet names?|sweetheart|jargon|slow(?:ly)?|simple words|motivational|platitudes|interrupt\w*|nag\w*|metric|celsius|miles|one question|so many questions)"
)
_WISH = re.compile(
    rf"{_OPENER}(?:please\b|don't\b|do not\b|stop\b|no\b|you can (?:just |always )?(?:be|talk|speak|say|skip|drop|tell|use|call|write)\b|i(?:'d| would) rather you\b|i(?:'d| would)? (?:prefer|like|love|hate) (?:it (?:if|when) you|you to|when you|being|your)|it(?:'s| is) better if you|it helps (?:me )?(?:if|when) you|i need you to (?:be|talk|speak|write)|keep (?:it|your)\b|be (?:blunt|honest|gentle|direct|brief)|talk to me\b|tell me\b|speak to me\b|answer me\b|write to me\b).*\b{_ABOUT_TALK}",
    re.IGNORECASE,
)


def holds(clause: str) -> bool:
    """Whether a clause tells what holds of the user, or of somebody or something of theirs, until further notice."""
    return any(pattern.search(clause) for pattern in _LASTING)


def is_plan(clause: str) -> bool:
    """Whether a clause tells what the user will do or have, with its month or day of the month."""
    return _PLANNED.search(clause) is not None


def is_wish(clause: str) -> bool:
    """Whether a clause asks the companion to talk in some way, or not to."""
    return _WISH.search(clause) is not None
