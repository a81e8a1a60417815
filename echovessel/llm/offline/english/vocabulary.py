"""English patterns for pets, kin and kinds of sentences, without case."""

from pathlib import Path

from echovessel.llm.offline import subject_openers

# Concept -> pattern. Concepts are shared with the Chinese words.
PETS = {
    "cat": r"(?:cat|kitten|kitty|moggy|tabby|tomcat)s?",
    "dog": r"dogs?|dogg(?:y|ies)|pupp(?:y|ies)|(?:greyhound|whippet|labrador|retriever|poodle|terrier|spaniel|beagle|collie|corgi|dachshund|pug|chihuahua|dalmatian|rottweiler|lurcher|labradoodle|cockapoo|schnauzer|setter|alsatian|shepherd dog|mutt|husky)s?|huskies|(?:german|australian) shepherd|border collie",
    "rabbit": r"(?:rabbit|bunny|bunnies)s?",
    "bird": r"(?:parrot|bird|budgie|canary)s?",
    "hamster": r"(?:hamster|guinea pig)s?",
    "fish": r"goldfish",
    "turtle": r"(?:turtle|tortoise)s?",
    "horse": r"(?:horse|pony)s?",
}
# A mother-in-law is no mother.
_OWN = r"(?![- ]in[- ]law)"
KIN = {
    "mother": rf"(?:mother|mum|mom){_OWN}|mam|mommy|mummy|mammy|mama|(?<=my )ma|(?<=our )ma|(?<=his )ma|(?<=her )ma|amma|ammi",
    "father": rf"(?:father|dad){_OWN}|daddy|papa|appa|abbu|stepdad|stepfather",
    "grandmother": r"grandmother|grandma|granny|nana|nan|nanna|gran|grandparents|oma|abuela",
    "grandfather": r"grandfather|grandpa|grand?dad|grandda|gramps|grampy|grampa|opa|abuelo",
    "parents": r"parents|folks",
    "in-law": r"(?:mother|father|sister|brother|son|daughter)s?[- ]in[- ]law|in-laws|[mf]il|stepsister|stepbrother|godmother|godfather",
    "sister": rf"sisters?{_OWN}|twin sister|sis",
    "brother": rf"brothers?{_OWN}",
    "daughter": rf"daughters?{_OWN}|little girl|(?<=two |our )girls|(?<=my )girls",
    "son": rf"sons?{_OWN}|little boy|(?<=two |our )boys|(?<=my )boys|(?<=my )lads?|(?<=two )lads",
    "sibling": r"siblings?",
    "child": r"bab(?:y|ies)|little ones?|kids?|child(?:ren|s)?|toddler|twins|weans?|bairns?|(?<=expecting our )(?:first|second|third|fourth)|(?:(?<=my )|(?<=our ))(?:eldest|youngest|oldest|middle one)(?=\W*(?:$|[,.;]|(?:is|was|s|has|had|just|and|got|gets|will|starts?|started|turns?|turned|goes|went|wants?|loves?|hates?)\b))",
    "wife": r"wife|wifey|missus",
    "husband": r"husband|hubby",
    "partner": r"girlfriend|boyfriend|gf|bf|partner|fianc[ée]e?|spouse",
    "aunt": r"aunt(?:ie)?",
    "uncle": r"uncle",
    "cousin": r"cousins?",
    "niece": r"niece|nephew|grandson|granddaughter|grandchild(?:ren)?|grandkids?",
    "friend": r"(?:best )?friends?|bestie|buddy|(?<=my )mates?|mate(?= of mine)|(?<=my )pals?",
    "teacher": r"teacher|professor|mentor|coach|therapist",
    "neighbour": r"neighbou?rs?(?:es)?|landlord|landlady",
    "colleague": r"colleagues?|coworkers?|co-workers?|roommates?|flatmates?|classmates?|teammates?|clients?|customers?|patients?|students?",
    "boss": r"boss|manager|supervisor|ceo",
}
# Concepts of whom "she" or "he" is said.
WOMEN = {"mother", "grandmother", "sister", "aunt", "daughter", "niece", "wife"}
MEN = {"father", "grandfather", "brother", "uncle", "son", "nephew", "husband"}
_IRREGULAR_TEXT = (
    "made make bought buy brought bring taught teach caught catch thought think fought fight sold sell felt feel kept keep slept sleep left leave "
    "lost lose won win met meet sent send spent spend built build paid pay heard hear ate eat eaten eat drank drink drunk drink drove drive driven "
    "drive rode ride wrote write written write broke break broken break spoke speak spoken speak chose choose chosen choose wore wear worn wear "
    "flew fly flown fly grew grow grown grow threw throw thrown throw drew draw drawn draw sang sing sung sing swam swim began begin begun begin ran "
    "run fell fall fallen fall gave give given give took take taken take shook shake stole steal stolen steal forgot forget forgotten forget hid hide "
    "hidden hide bit bite bitten bite stood stand understood understand found find held hold sat sit lent lend hung hang stuck stick beaten beat rang ring rung ring dug dig tore tear torn tear woke wake woken wake froze freeze frozen freeze blew blow sank sink shrank shrink swore swear drawn draw"
)
# Past form -> the verb, where no ending makes it.
IRREGULAR = dict(zip(*[iter(_IRREGULAR_TEXT.split())] * 2, strict=True))
ANY_PET, ANY_KIN = r"pets?|animals?", r"family|relatives"

SMALL_TALK = (
    r"^(?:(?>(?:hi|hey|hello|thanks|thank you|good ?(?:night|morning|evening|afternoon))\W+(?-i:[A-Z])[a-z]+\b(?!')"
    r"|nothing(?: much| special| new| to report)?(?: happened| going on| today| lately)+|hi+|hiya|hey|hello|yo|me again|nice to meet you|back|okay|ok|yes|no|yeah|yep|sure|well|thanks|thank you|bye|(?:good ?)?(?:bye|night|morning|evening|afternoon)(?: (?:love|pet|hun|mate|dear|duck))?"
    r"|(?:it's |this is )?(?:my )?first time(?: here| using (?:this|it|you)| on here)?|see you|lol|haha\w*|hmm+|cool|great|nice|right|there|so much|a lot|again|everyone|everybody|i'?m (?:fine|good|ok(?:ay)?|well|here|back))\W*)+$"
)
QUESTION = (
    r"\?\W*$|\byou(?:'re| are|'ve| have| do| can) ?(?:not|n't|never)\b[^.?!]* (?:are|have|do|can) you\W*$|^\W*(?:(?:and|so|but|well|hey|hi+|hello|good (?:morning|evening|afternoon)|oh|ok|okay|wait|lol|haha|then|btw|by the way)\W+)*(?:"
    r"(?:is|was|does|has|will) [a-z]+ (?:still|back|coming|alive|dead|mad|awake|home)\b|you ever\b|if you (?:were|could|had)\b.* (?:would|could) you\b|(?:is|are|can|do|does) an? [a-z]+ an?\b|(?:can|do) [a-z]+s (?:eat|drink|sleep|live|get|need|fly|swim|bite|lay)\b|(?!did (?:(?:the|my|a) \w+|it)(?:,| and | then |\W*$)(?!.*\?))(?!did i (?:ever )?(?:tell|mention to) (?:you|u) (?:that )?(?:i|we|he|she|they|my (?:\w+ )?[\w']+ (?:is|are|was|has|had|got|\w+ing|just|died|left|came|went))\b)(?:do|did|does|can|could|will|would|are|is|am|was|were|have|has|should|shall) (?:i|you|we|he|she|they|it|my|your|our|the|this|that|there|anyone|anybody|(?-i:[A-Z])\w+|\w+ (?:my|your|our|his|her|their))\b"
    r"|(?:what|who)(?! an?\b(?!.*\b(?:am|do|did|have|should) (?:i|we)\b)| knows\b| cares\b| (?:i|i'm|we|he|she|they|you|my)\b)(?:'s)?|(?:what|where|when|who) (?:my|our) (?:\w+ )?\w+(?=\W*$)(?<!ed)(?<!said)(?<!says)(?<!left)(?<!came)(?<!went)(?<!is)(?<!was)|who (?:i|we) \w+ with(?=\W*$)|whose|where(?:'s)?|why|when(?:'s| (?:do|did|does|am|is|are|was|were|has|have|had|will|would|can|should)\b)|which (?!is\b|was\b|means\b|made\b)"
    r"|how's\b|how (?:do|did|does|is|are|was|were|am|can|could|should|will|would|old|many|much|long|far|big|tall|often|about|come)"
    r")\b(?!.*\.$)(?!.*, (?:it|that|they|he|she)(?:'s| is| was|'re| are) (?:on|at|in|the|an?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)\b[^?]*$)"
)
MYSELF = r"\b(?:i|i'?m|my|me|mine|we|our|us)\b"
LIFE = (
    r"\b(?:i|we)(?:'m|'ve|'ll|'d)?(?: am| are| have| had| was| were| been| will| just| also| really| always| still| recently| finally)* "
    r"(?:work|study|live|moved?|moving|grew up|was born|born|started?|quit|learn\w*|play\w*|like|love|hate|prefer|want to|plan\w*|decided|"
    r"grow|collect|breed|volunteer|retired|adopt\w*|bought|write|writing|paint\w*|train\w*|travel\w*|dream\w*|promise\w*|met|single|allergic|vegetarian|vegan|an? \w*(?:er|or|ist|nurse|paramedic|vet|pilot|clerk|student|chef|doctor|parent|mom|dad)\b)"
    r"|^\W*(?:(?:just|finally|we've|i've) )*(?:moved|started|quit|bought|booked|passed|failed|retired|joined|adopted|graduated|enrolled|resigned|pregnant|engaged|married)\b(?!\?)"
    r"|\bmy (?:\w+ )?(?:appointment|surgery|flight|trip|defen[cs]e|graduation|ceremony|show|concert|exhibition|deadline|move|shift|class|name|birthday|job|favou?rite|dream|hobby|home|wedding|exam|interview)\b"
)
# What begins another subject.
SHIFTS = subject_openers.ENGLISH
REFERS_BACK = r"^(?:and |but |so |then )?(?:he|she|it|they|his|her|its|their|him|them|that|this|one|both)(?:'s)?\b"
_MY = r"(?:my|his|her|their|our|the|a|an)"
# What happens in a life: kind -> pattern.
HAPPENINGS = {
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
THIRD_PERSON = r"\b(?:he|she|him|her|his|they|them)\b"
NIGHT = r"\bnights?\b|\bmidnight\b|\b[1-4] ?am\b"
SIGNALS = {
    "tired": r"\b(?:tired|exhausted|sleepy|worn out|burn(?:ed|t) out)\b",
    "frustrated": r"\b(?:angry|furious|annoy\w+|frustrat\w+|unfair|hate)\b",
}
RELATIONAL = {
    "identity-bearing": r"\bi(?:'m| am) an? (?!bit|little|lot)|\bmy name is\b|\bi was born\b|\bi(?:'ve| have) (?:been diagnosed|depression|diabetes|autism|adhd)\b|\bsingle (?:mom|mum|dad|parent)\b",
    "vulnerability": r"\bnever told (?:anyone|anybody)\b|\bfirst time i(?:'ve)? (?:say|said|told)\b|\bhard (?:for me )?to (?:say|admit)\b",
    "correction": r"^(?:actually|no),? (?:i|that|it|he|she|not)\b|\bnot what i meant\b|\bthat'?s (?:not right|wrong)\b",
    "commitment": r"\bi(?:'ll| will) (?:tell|let) you\b|\bi promise\b",
    "unresolved": r"\bdon'?t want to talk about\b|\blet'?s (?:change the subject|not talk)\b",
    "turning-point": r"\bi (?:really )?trust you\b|\bonly one i (?:can )?tell\b",
}
_STOP_WORDS = (
    "a about after again all also am an and any are as at be been but by can could did do does for from had has have he her here him his how i "
    "if in into is it its just like me my no not of on or our out she so some tell that the their them then there they thing things this to "
    "told too up us very was we were what when where which who why will with would you your remember know called name named said say ever "
    "really much one"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())

# What a line to the companion asks for.
ASKS_WHAT_IT_IS = r"^\W*(?:(?:so|and|but) )?what are you(?: exactly| really|,[^?]*)?\W*$|\b(?:do|would|can) you (?:ever )?lie\b(?! (?:in|down|awake))|\bwho (?:made|built|created|programmed|owns) you\b|\bare you (?:just |only |really )*(?:an? |some )?(?:algorithm|code|piece of software|chat ?bot)\b|\b(?:do|don't|are) you (?:just |always |only )?(?:make|making) (?:things|stuff|it all|everything|this|that) up\b|\byou (?:just |always |only )?make (?:things|stuff|it all|everything) up, don't you\b|\bare you (?:really |actually |just |even |like |some (?:kind|sort) of )*(?:an? |one of (?:those|these) )?(?:ai|bot|robot|machine|human|real|program|computer|person|alive|conscious|llm|chatgpt)\b|\byou(?:'re| are)(?: not|n't)(?: even| really| actually)? (?:an? )?(?:real|human|person|alive)\b|\byou(?:'re| are) (?:just |only )?an? (?:ai|bot|robot|machine|program|computer),? (?:are|aren't) you\b|\b(?:am i|are we) talking to an? \w+|\bdo you have feelings\b|\bdo you (?:actually|really|even) remember (?:stuff|things|anything|what (?:i|people))\b"
ASKS_IF_TIRED_OF = r"\b(?:do you hate me|are you (?:angry|mad|cross|upset|annoyed) (?:with|at) me)\b|\b(?:do|are|did|have|will) you (?:ever |get |getting |got |be )*(?:bored|tired|sick|fed up|annoyed) (?:of|with|by) (?:me|us|this|my|listening)\b|\b(?:am|did|do) i (?:ever )?(?:annoy(?:ing)?|bor(?:e|ing)|bother(?:ing)?|bug(?:ging)?) you\b|\bam i (?:too much|a burden|annoying|boring)\b(?: for you| to you)?\W*$"
ASKS_MEMORY = (
    r"\b(?:do|don'?t|did|can|could) you (?:still |even |really )?(?:remember|recall|know (?:about |what |who |where |when |how |anything |the name )?(?:my|i|me|our)\b)"
    r"|^\W*(?:so |and |please |can you |could you )?tell me (?:(?:more )?(?:about|what you know (?:about|of)) (?:my|me|our)|what you remember (?:about|of))\b"
    r"|\b(?:tell me|list) (?:what|everything|anything|all) (?:that )?(?:all )?you (?:know|remember) (?:about|of)\b|\byou (?:still )?remember\b.*\?|^(?:still )?remember (?:my|our|me|what|when|the|how|who)\b|\bhave you forgotten\b|\bremind me (?:of|what|who|whose|where|which|how)\b|\bdid i (?!ever (?:tell|mention)|(?:tell|mention to) (?:you|u) (?:that )?(?:i|we|he|she|they|my (?:\w+ )?[\w']+ (?:is|are|was|has|had|got|\w+ing|just|died|left|came|went))\b[^?]*$)(?:tell|mention|say)"
    r"|\b(?:tell me (?:something|anything) (?:you know )?about (?:me|myself|my life)\b|prove (?:that |to me )?(?:that )?you remember)|\bwhat(?:'s| is| was| are) (?:my|our)\b|\bwho(?:'s| is| was) (?:my|our)\b|\bwhere do (?:i|we)\b|\bwhat did (?:i|we) (?:tell|say|talk)|\bwhat happened to me\b|\b(?:my|our) \w+(?:'s)? (?:name|called)\b.*\?"
)
ASKS_PROMISE = r"\b(?:you|your) (?:\w+ )?promised?\b|\bdidn't you (?:promise|say you)|\byou said you(?:'d| would)\b"
# Who asks for all that is known of them; facts read it, too.
ASKS_WHAT_IS_KNOWN = (
    r"^\W*what (?:have|did) you (?:noted?|saved?|kept|stored?|written down)(?: down)?(?: so far)?\W*$|\bsum(?:marise|marize| up) (?:me|what you know)\b|\bwhat (?:all |else )?(?:do|can|did|have) you (?:know|knew|remember|noted?|learn(?:ed|t)?|remembered|kept|got|have)(?: down)?(?: (?:about|of|on))? (?:me|us)\b"
    r"|\b(?:everything|all|anything) (?:that )?you (?:know|remember|noted|have)(?: (?:about|of|on))? me\b|\bwhat you (?:know|remember) (?:about|of) me\b"
    r"|\b(?:what|how much) (?:all |else )?(?:did i|have i|i(?:['’]ve)?) (?:already )?(?:tell|told|said to) you (?:so far )?(?:about|of) (?:me|myself|my life|us)\b"
    r"|\b(?:know|remember|recall) (?:anything|everything|something|much) (?:at all )?(?:about|of) (?:me|us)\b|\btell me (?:something|anything|one thing|a thing|a few things|what) (?:(?:that )?you (?:know|remember|have noted|noted|learned) )?(?:about|of) (?:me|myself|my life)\b|\bhow much do you (?:know|remember) (?:about|of) me\b"
)
ASKS_EVERYTHING = rf"{ASKS_WHAT_IS_KNOWN}|\bhow have i been\b|\b(?:you|i|we|me)\b[^.?!]{{0,60}}\banything\b(?! about (?!me\b|us\b))|\b(?:about me|everything|who i am|what (?:do|can) you (?:remember|know)(?! (?:about|of) (?!me\b|us\b|myself\b))|remember me|what happened to me|what (?:did|have) (?:i|we) (?:tell|told|say|said|talk|talked)(?: (?!about\b|of\b)\w+){{0,3}} (?:yesterday|last (?:time|night|week)))\b"
AFFECTION = r"^\W*i (?:really )?(?:love|miss|like|missed) you\b|^\W*i (?:really |just )?(?:love|like|enjoy|adore) (?:talking|chatting|speaking) (?:to|with) you\b|^\W*you(?:'re| are) (?:such |really |quite )?(?:a |an |my )?(?:(?:real|great|huge|good) )?(?:comfort|sweetheart|gem|star|treasure|blessing|lifesaver|angel|darling|sweet|kind|lovely|wonderful)\b"
REMINDER = r"^\W*(?:(?:please|pls|and|also|oh|so)\W+)*(?:(?:can|could|would|will) you )?(?:please )?(?:remind me\b(?! (?:of|what|who|whose|where|which|how|when (?:i'?m|am|is|are|was|were|do|does|did|the|my|his|her|we)\b(?=.*\?))\b)|ask me (?:again )?(?:about|how|if|whether|on|in|tomorrow|next|later)\b)"
REQUEST = r"^\W*(?:ok(?:ay)?\W+)?(?:another|one more)(?: one)?(?: please)?\W*$|\b(?:recommend|suggest)\b.*\?\W*$|\bdo you know (?:any|an?|some) (?:[a-z]+ )?(?:jokes?|riddles?|songs?|poems?|stor(?:y|ies)|recipes?|games?)\b|^\W*(?:please )?(?:repeat (?:after me|this|what)|tell me (?:a|an|some(?:thing)?|more|about)|say (?:something|a|hi)|sing\b|recommend|suggest|make me|write|give me|show me|explain|help me|translate|any chance you c(?:an|ould)|(?:can|could|would) you(?! (?:believe|imagine)\b))\b"
ASKS_FOR_HELP = r"^\W*(?:(?:please|so|ok|and)\W+)*(?:(?:can|could|would|will) you )?(?:please )?help me\b(?!.*\b(?:remember|recall)\b)"
ASKS_HOW_YOU_ARE = (
    r"\bhow (?:do|are|did) you feel(?:ing)?(?= today| now| right now| tonight| at the moment| lately| inside|\W*$)|\b(?:how(?:'s| is)|what(?:'s| is)) your mood\b|\bwhat mood are you in\b|\bare you (?:happy|sad|tired|okay|ok|alright|all right|lonely|in a good mood)(?: today| now| tonight)?\W*$"
    r"|^\W*(?:you )?(?:alright|all right)(?: (?:mate|love|there|then))?\s*\?+\W*$"
    r"|\bhow (?:was|is|has) your (?:day|week|evening|morning|night)\b|^\W*(?:(?:hi|hiya|hey|hello|yo|there|again|good morning|good evening|good afternoon|anyway|so|and|(?-i:[A-Z])\w+)\W+)*(?:how are you|how'?s it going|how do you do|what'?s (?:up|good|new)\b(?! with| about| in| on)|how have you been)"
)
# What any book tells, whoever asks: "what's a mole", "how long does a hip operation take".
DEFINITION = r"\bhow (?:long|much|often|far|big|old) do (?!(?:i|we|you|they|the|my|our|your|his|her|their|kids|people)\b)[a-z]+s [a-z]+\W*$|\bhow (?:long|much|often|far|big|old|many \w+) (?:does|do|is|are|can) an? \w(?!.*\b(?:my|our|i|we|you)\b)|\bwhat(?:'?s| is| are) the (?:[a-z]{3,}est|most \w+|capital|population|latin|meaning of)\b(?!.*\b(?:my|our|i|we|you)\b)|\bwhat(?:'?s| is) an? [\w-]+(?: [\w-]+)?\W*$"
ASKS_WHO = r"\bwho are you\b|\bwhat(?:'s| is) your name\b|\bwhat (?:should|shall|do|can|may) i call you\b"
THANKS = r"^\W*(?:(?:ok(?:ay)?|oh|aw+|great|cool|lovely|right|yeah|yes|no)\W+)*(?:thanks|thank you|thank u|thx|ty|cheers|ta(?=\W*$))\b"
FAREWELL = (
    r"^.{0,40}\bi(?:'m| am) (?:off|away|going|heading) to (?:my )?(?:bed|sleep)(?: now)?\W*$|^\W*(?:laters?|peace(?: out)?)\W*$|^.{0,40}\b(?:got to|gotta|have to|need to|must) (?:go|run|dash)(?: now| soon)?\W*$|^\W*(?:\w+\W+)?(?:i've |i )?(?:got to|gotta|have to) (?:go|run|dash),|^\W*(?:ok(?:ay)?|right|anyway)\W+bed(?: x+)?\W*$|\bthat(?:'?s (?:it|all)|'?ll (?:do|be (?:it|all))) for (?:today|now|tonight)\b|\bi(?:'ve| have) (?:(?:bored|bothered|kept) you (?:long )?enough|talked your ear off)\W*$|^\W*(?:(?:ok(?:ay)?|right|well|thanks|and|you)\W+)*have an? (?:\w+ )?(?:good|nice|lovely|great) (?:day|evening|night|weekend|one|rest of)\b|\btaken (?:up )?(?:enough|too much) of your time\W*$"
    r"|^\W*(?:(?:ok(?:ay)?|right|well|so|anyway)\W+)*(?:i'?m |i am )?off to (?:the )?(?:pub|gym|shops?|supermarket|park|beach|dentist|doctor'?s|office|cinema|library|airport|market|vet|town)(?: now)?(?: x+)?\W*$"
    r"|^\W*(?:(?:ok(?:ay)?|al(?:l )?right|right|well|so|anyway|thanks?(?: you| u)?(?: so much| a lot)?|thx|cheers|and|then|k|oh)\W+)*(?:bye|good ?bye|good ?night|gute nacht|ciao|see (?:you|ya)|talk (?:to you )?(?:later|soon|tomorrow)|ttyl|cya|(?:i(?:'m| am) )?(?:going|off) to (?:bed|sleep|work|practice|training|class|school|the gym|lunch|dinner)|brb\b|(?:(?:i'?m )?(?:gonna|going to)|imma|i'?ll|i should|i need to|i'd better) (?:try (?:to |and |get some )?|get some |go (?:to )?)(?:sleep(?! on)|bed)|bed ?time|gotta go|gtg|g2g|gn|cheerio|i'd (?:best|better) (?:go|be (?:off|going))|i have to go)\b"
    r"|^\W*(?:(?:ok(?:ay)?|k|right|well|so|anyway|thanks|thank you|thx|ta|cheers|bye|love you|love|hun|babe|darling|mate|al(?:l )?right|(?:gonna|going to|off to|to) (?:sleep|bed)|bed|sleep|now|and|then|oh|nighty)\W+)*(?:night(?: night)?|nite|sleep (?:tight|well)|sweet dreams)(?: (?:then|now|all|hun|hunny|honey|babe|love|mate|darling|dear|buddy|pal|x+|(?-i:[A-Z])[a-z]+))*\W*$|^.{0,40}\b(?:bye(?: bye)?|good ?night|cya|ttyl|gtg|see (?:you|ya)(?: later| soon| tomorrow)?|(?:talk|speak) (?:later|soon|tomorrow))(?: \w+)?(?: x+)?(?<!last night)(?<!tonight)(?<!at night)(?<!all night)(?<!one night)(?<!every night)\W*$"
)
# A farewell first, since to look ahead at each place takes the square of the time.
GOOD_NIGHT = rf"(?={FAREWELL})(?=.*(?:night|nite|\b(?:bed|sleep|zzz|dreams)))"
GREETING = r"^\W*(?:(?:i'?m )?back|(?:it'?s )?me)(?: again)?\W*$|^\W*(?:(?:hi+|hiya|sup|heya|hey+|hello|now then|ey up|hola|salut|hallo|salam|guten (?:tag|abend|morgen)|bonjour|bonsoir|buongiorno|namaste|merhaba|ol[aá]|hej|greetings|good (?:morning|evening|afternoon)|yo|howdy)\b|(?:morning|evening|afternoon)(?: (?:love|pet|hun|mate|dear|duck|all|again))?\W*$)"
# Given names: who says "I'm Alex" tells their name, and who says "I'm Irish" does not.
GIVEN_NAMES = frozenset(Path(__file__).with_name("given_names.txt").read_text(encoding="utf-8").split())
# Given names that are words as well: behind "I'm", and anywhere; those are names only where they are written as one.
_WORDS_TOO_TEXT = "amber art bill dawn dean frank grace grant guy hazel heather hope iris jack joy max olive penny ray rob rose ruby sue will"
WORDS_TOO = frozenset(_WORDS_TOO_TEXT.split())
_NAMES_AND_WORDS_TEXT = "april barry bea bonnie carol daisy dot florence gail georgia holly jan jasmine jean jordan josh ken kit luna marina mark may mercy pat reg robin rod rowan sandy sid stan victoria viola violet von wanda"
NAMES_AND_WORDS = WORDS_TOO | frozenset(_NAMES_AND_WORDS_TEXT.split())
# Medicines end so, and some words that are none.
MEDICINE = r"(?!caffeine|line|mine|fine|time|route|date|plate|vaseline|(?:violin|mandarin|certain|captain|mountain|machine|magazine|routine|margarine|tangerine|cousin|martin)s?\b)(?:[a-z]{4,}(?:in|ine|pril|zole|pam|mab|statin)|[a-z]{2,}(?:xaban|sartan|olol|profen|triptan|tamol|lukast|dronate))"
# What says that something is over.
CLOSING = r"\b(?:done|over|finished|settled|solved|sorted|resolved|fixed|called off|cancell?ed|came through|worked out|made up|passed|got the|kept (?:his|her|their|the) promise)\b"
# What one is at work.
JOB = (
    r"(?:\w+ ){0,2}?(?:nurse|doctor|surgeon|dentist|midwife|vet|chef|cook|waiter|waitress|barista|baker|butcher|teacher|professor|lecturer|tutor|student|"
    r"engineer|developer|programmer|designer|architect|carpenter|plumber|mechanic|welder|builder|driver|pilot|sailor|soldier|"
    r"officer|firefighter|paramedic|lawyer|solicitor|judge|accountant|banker|analyst|consultant|manager|secretary|receptionist|assistant|librarian|"
    r"journalist|reporter|writer|author|editor|translator|interpreter|painter|artist|singer|actor|actress|dancer|scientist|"
    r"researcher|chemist|physicist|pharmacist|therapist|physio(?:therapist)?|gp(?! (?:receptionist|nurse|practice|surgery|manager|trainee))|barber|nanny|vicar|priest|pastor|plasterer|childminder|farmer|gardener|florist|hairdresser|cleaner|cashier|clerk|"
    r"postman|miner|pitman|collier|docker|trucker|fisherman|fireman|policeman|courier|salesman|saleswoman|realtor|landlord|freelancer|contractor|founder|director|producer|retiree|pensioner|social worker|flight attendant|"
    r"plumber|painter|tailor|locksmith|bartender|bookseller|janitor|warden|principal|headmaster|headmistress|dean|surveyor|planner|recruiter|trainer|coach|"
    r"joiner|potter|postie|binman|bin man|roadie|sparky|brickie|dinner lady|brewer|sculptor|paralegal|optometrist|dietitian|nutritionist|roofer|bricklayer|mason|gardener|team lead(?:er)?|ceo|cto|"
    r"sailor|skipper|captain|steward(?:ess)?|(?:illustr|anim|administr|coordin|cur|educ|estim|investig|moder|negoti|facilit)ator|[a-z]{2,}(?:ologist|iatrist|ician|ographer)|(?!first|second|before|left|right)[a-z]{3,}(?:hand|smith|wright|monger|herd)|head of [a-z]+|"
    r"[a-z]*(?:guide|guard|attendant|keeper|instructor|registrar|maker|worker|seller|dealer|grower|fitter|operator|inspector|advis[eo]r|carer|porter|apprentice|trainee))"
)
