"""English patterns for pets, kin and kinds of sentences, without case."""

# Concept -> pattern. Concepts are shared with the Chinese words.
PETS = {
    "cat": r"(?:cat|kitten|kitty)s?",
    "dog": r"dogs?|dogg(?:y|ies)|pupp(?:y|ies)",
    "rabbit": r"(?:rabbit|bunny|bunnies)s?",
    "bird": r"(?:parrot|bird|budgie|canary)s?",
    "hamster": r"(?:hamster|guinea pig)s?",
    "fish": r"goldfish",
    "turtle": r"(?:turtle|tortoise)s?",
    "horse": r"(?:horse|pony)s?",
}
KIN = {
    "mother": r"mother|mom|mum|mommy|mummy|mama|ma",
    "father": r"father|dad|daddy|papa|stepdad|stepfather",
    "grandmother": r"grandmother|grandma|granny|nana|nan|nanna|gran|grandparents|oma|abuela",
    "grandfather": r"grandfather|grandpa|granddad|gramps|opa|abuelo",
    "parents": r"parents|folks",
    "in-law": r"(?:mother|father|sister|brother|son|daughter)s?-in-law|in-laws|stepsister|stepbrother|godmother|godfather",
    "sister": r"sisters?|twin sister|sis",
    "brother": r"brothers?",
    "daughter": r"daughters?|little girl",
    "son": r"sons?|little boy",
    "child": r"bab(?:y|ies)|kids?|child(?:ren)?|toddler|twins",
    "wife": r"wife|wifey",
    "husband": r"husband|hubby",
    "partner": r"girlfriend|boyfriend|partner|fianc[ée]e?|spouse",
    "aunt": r"aunt(?:ie)?",
    "uncle": r"uncle",
    "cousin": r"cousins?",
    "niece": r"niece|nephew|grandson|granddaughter|grandchild(?:ren)?|grandkids?",
    "friend": r"(?:best )?friends?|bestie|buddy",
    "teacher": r"teacher|professor|mentor|coach|therapist",
    "neighbour": r"neighbou?rs?(?:es)?|landlord|landlady",
    "colleague": r"colleagues?|coworkers?|co-workers?|roommates?|flatmates?|classmates?|teammates?|clients?|customers?|patients?|students?",
    "boss": r"boss|manager|supervisor|ceo",
}
ANY_PET, ANY_KIN = r"pets?|animals?", r"family|relatives"

SMALL_TALK = (
    r"^(?:(?>hi|hey|hello|yo|okay|ok|yes|no|yeah|yep|sure|well|thanks|thank you|bye|good ?(?:bye|night|morning|evening|afternoon)"
    r"|see you|lol|haha\w*|hmm+|cool|great|nice|right|there|so much|a lot|again|everyone|everybody|i'?m (?:fine|good|ok(?:ay)?|well|here|back))\W*)+$"
)
QUESTION = r"\?\s*$|^(?:do|did|does|can|could|will|would|are|is|what|who|when|where|why|how|which)\b(?!(?=.*\.$).*\b(?:i|my)\b)"
MYSELF = r"\b(?:i|i'?m|my|me|mine|we|our|us)\b"
LIFE = (
    r"\b(?:i|we)(?:'m|'ve|'ll|'d)?(?: am| are| have| had| was| were| will| just| also| really| always| still| recently| finally)* "
    r"(?:work|study|live|moved?|moving|grew up|was born|born|started?|quit|learn\w*|play\w*|like|love|hate|prefer|want to|plan\w*|decided|"
    r"adopt\w*|bought|write|writing|paint\w*|train\w*|travel\w*|dream\w*|promise\w*|met|single|allergic|vegetarian|vegan|an? \w+(?:er|or|ist|nurse|student|chef|doctor|parent|mom|dad)\b)"
    r"|\bmy (?:\w+ )?(?:appointment|surgery|flight|trip|defen[cs]e|graduation|ceremony|show|concert|exhibition|deadline|move|shift|class|name|birthday|job|favou?rite|dream|hobby|home|wedding|exam|interview)\b"
)
REFERS_BACK = r"^(?:and |but |so |then )?(?:he|she|it|they|his|her|its|their|him|them|that|this|one|both)(?:'s)?\b"
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
    "a about after again all also am an and any are as at be been but by can could did do does for from had has have he her him his how i "
    "if in into is it its just like me my no not of on or our out she so some tell that the their them then there they thing things this to "
    "told too up us very was we were what when where which who why will with would you your remember know called name named said say ever "
    "really much one"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())

# What a line to the companion asks for.
CRISIS = (
    r"\bsuicid\w*|\bkill(?:ing)? myself|\bend(?:ing)? my life|\b(?:want|wish) (?:i was |i were |to be )?(?:to die|dead)\b|\bdon'?t want to (?:live|be alive)"
    r"|\bcan'?t go on\b|\b(?:hurt|harm|cut)(?:ting|ing)? myself|\bno reason to live|\bbetter off without me"
)
ASKS_WHAT_IT_IS = r"\bare you (?:really |actually |just )?(?:an? )?(?:ai|bot|robot|machine|human|real|program|computer|person|alive|conscious|llm|chatgpt)\b|\b(?:am i|are we) talking to an? \w+|\bdo you have feelings\b"
ASKS_MEMORY = (
    r"\b(?:do|don'?t|did|can|could) you (?:still |even |really )?(?:remember|recall|know (?:about |what |who |where |when |how |anything |the name )?(?:my|i|me|our)?)"
    r"|\byou (?:still )?remember\b.*\?|^(?:still )?remember (?:my|our|me|what|when|the|how|who)\b|\bhave you forgotten\b|\bdid i (?:tell|mention|say)"
    r"|\bwhat(?:'s| is| was| are) (?:my|our)\b|\bwho(?:'s| is| was) (?:my|our)\b|\bwhere do (?:i|we)\b|\bwhat did i (?:tell|say)|\b(?:my|our) \w+(?:'s)? (?:name|called)\b.*\?"
)
ASKS_PROMISE = r"\b(?:you|your) (?:\w+ )?promised?\b|\bdidn't you (?:promise|say you)|\byou said you(?:'d| would)\b"
ASKS_EVERYTHING = r"\b(?:about me|everything|anything|who i am|what (?:do|can) you (?:remember|know)|remember me)\b"
ASKS_MY_NAME = r"\bmy name\b.*\?|\b(?:know|remember) my name\b|\bwho am i\b"
# Whoever says "I'm Swedish" has not said their name.
_NO_NAME = r"(?!(?:English|British|Irish|Scottish|Welsh|French|German|Swedish|Danish|Norwegian|Finnish|Dutch|Polish|Spanish|Italian|Portuguese|Greek|Turkish|Russian|Chinese|Japanese|Korean|Indian|American|Canadian|Australian|Mexican|Brazilian|Catholic|Jewish|Muslim|Hindu|Buddhist|Christian|African|Asian|European|OK|Just|Not|So|Fine|Good|Back|Here|Home|Sorry|Happy|Sad|Tired)\b)"
MY_NAME = (
    rf"\b(?:my name is|my name's|my (?:full|first) name is|i am called|i'm called|call(?:s|ed)? me|known as) (?P<name>(?!what|that|back|later|when|if|again|the|a\b|names)[^\W\d_][\w'’-]*)"
    rf"|^\W*(?:(?:hi|hello|hey)\W+)?(?:and )?(?:i'm|i am|it's|this is) (?P<bare>(?-i:{_NO_NAME}[A-Z][a-z\u00c0-\u024f'-]+))(?=\W*$|,| and i\b|\. )"
)
AFFECTION = r"^\W*i (?:really )?(?:love|miss|like|missed) you\b"
REQUEST = r"^\W*(?:please )?(?:tell me (?:a|an|some|about)|write|give me|show me|explain|help me|translate|can you|could you|would you)\b"
ASKS_NAME = r"\bname\b|\bcalled\b"
ASKS_HOW_YOU_ARE = r"\bhow (?:was|is|has) your (?:day|week|evening|morning|night)\b|^\W*(?:(?:hi|hey|hello|anyway|so|and)\W+)*(?:how are you|how'?s it going|how do you do|what'?s up|how have you been)"
ASKS_WHO = r"\bwho are you\b|\bwhat(?:'s| is) your name\b|\btell me about yourself\b"
THANKS = r"^\W*(?:thanks|thank you|thx|cheers)\b"
FAREWELL = r"\bthat'?s (?:it|all) for (?:today|now|tonight)\b|^\W*(?:bye|good ?bye|good ?night|see you|talk (?:to you )?(?:later|soon|tomorrow)|i(?:'m| am) (?:going|off) to (?:bed|sleep)|gotta go|i have to go)\b"
GREETING = r"^\W*(?:hi|hey|hello|good (?:morning|evening|afternoon)|yo|howdy)\b"
USER = (
    (r"\b[Tt]he user's\b", "your"),
    (r"\b[Tt]he user (?:is|was)\b", "you were"),
    (r"\b[Tt]he user has\b", "you have"),
    (r"\b[Tt]he user\b", "you"),
)
