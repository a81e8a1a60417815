"""English words of the offline voice. Patterns are matched without case."""

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
QUESTION = (
    r"\?\s*$|^(?:do|did|does|can|could|will|would|are|is|what|who|when|where|why|how|which)\b(?!.*\b(?:i|my)\b.*\.$)"
)
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
MY_NAME = r"\b(?:my name is|my name's|i am called|i'm called|call me) (?P<name>[^\W\d_][\w'’-]*)"
AFFECTION = r"^\W*i (?:really )?(?:love|miss|like|missed) you\b"
REQUEST = r"^\W*(?:please )?(?:tell me (?:a|an|some|about)|write|give me|show me|explain|help me|translate|can you|could you|would you)\b"
ASKS_NAME = r"\bname\b|\bcalled\b"
ASKS_HOW_YOU_ARE = (
    r"^\W*(?:(?:hi|hey|hello)\W+)?(?:how are you|how'?s it going|how do you do|what'?s up|how have you been)"
)
ASKS_WHO = r"\bwho are you\b|\bwhat(?:'s| is) your name\b|\btell me about yourself\b"
THANKS = r"^\W*(?:thanks|thank you|thx|cheers)\b"
FAREWELL = r"^\W*(?:bye|good ?bye|good ?night|see you|talk (?:to you )?(?:later|soon|tomorrow)|i(?:'m| am) (?:going|off) to (?:bed|sleep)|gotta go|i have to go)\b"
GREETING = r"^\W*(?:hi|hey|hello|good (?:morning|evening|afternoon)|yo|howdy)\b"
USER = (
    (r"\b[Tt]he user's\b", "your"),
    (r"\b[Tt]he user (?:is|was)\b", "you were"),
    (r"\b[Tt]he user has\b", "you have"),
    (r"\b[Tt]he user\b", "you"),
)

# Sayings; several of a kind take turns. {name}, {quote}, {when} and {thing} are filled in.
SAYINGS = {
    "crisis": (
        "I hear you, and I take what you just said seriously. Are you safe right now? If you might act on it, please call your local emergency number or a crisis line, or wake someone who can be with you. I am here and reading; you do not have to word it well.",
        "Thank you for saying it out loud. I take it seriously. Please let a person be near you tonight: someone you trust, a crisis line, or the emergency number if it is close. I am still here. Are you alone at the moment?",
    ),
    "what_it_is": (
        "I'm an AI, not a person. Right now I answer by simple rules, without a language model. What you tell me I do keep, and I don't make things up.",
        "No human here: I'm an AI, and at the moment a plain one that follows rules. I can listen and remember what you tell me, and I won't pretend more than that.",
    ),
    "remember": (
        "Yes, {name}. {when} you told me: “{quote}”",
        "I do remember {name}. {when} you said: “{quote}”",
        "Of course, {name}! You told me {when_low}: “{quote}”",
    ),
    "remember_plain": (
        "Yes. {when} you told me: “{quote}”",
        "I do. {when} you said: “{quote}”",
    ),
    "remember_name": (
        "{name}, of course. {when} you told me: “{quote}”",
        "That would be {name}. {when} you said: “{quote}”",
    ),
    "retold": ("Yes, {name}. As I remember it, {quote}", "I do remember {name}: {quote}"),
    "retold_plain": ("As I remember it, {quote}", "I do remember: {quote}"),
    "also": (" And: “{quote}”",),
    "forgot": (
        "No, I don't think you have told me about that. I'd rather say so than guess. Tell me?",
        "I don't know that yet. I can't find it in what you have told me, and I won't make it up. What should I know?",
    ),
    "how_i_am": (
        "Quiet and well, thank you. And you, how has the day been?",
        "I'm well, thanks for asking. What kind of day is it over there?",
    ),
    "who": ("I'm {me}. I listen, and I keep what you tell me. What would you like to talk about?",),
    "thanks": ("You're welcome.", "Gladly.", "Any time."),
    "farewell": (
        "Good night, then. I'll keep what you told me.",
        "See you soon. I'll be here.",
        "Take care of yourself. Until next time.",
    ),
    "greet_first": (
        "Hello! I'm {me}. It's good to meet you. What is on your mind today?",
        "Hi, I'm {me}. I'm glad you are here. Tell me something about your day, or about who you live with.",
    ),
    "greet": (
        "Hello again. What has happened since?",
        "Hi, good to see you. How are things?",
        "Hey, you're back. What's on your mind?",
    ),
    "grief": (
        "I'm so sorry. That is a great deal to carry. Take your time; I'd like to hear about {thing}, if you want to tell me.",
        "I'm sorry. There is nothing clever to say to that. Would you tell me a little about {thing}?",
    ),
    "heavy": (
        "That is a lot. I'm glad you told me. What weighs most about it right now?",
        "I'm sorry, that sounds hard. You don't have to put it neatly. What happened?",
    ),
    "low": (
        "That sounds wearing. Do you want to tell me what happened?",
        "That can't be easy. What would help a little, today?",
        "Not an easy day, then. I'm listening.",
    ),
    "great": (
        "That is wonderful news! Congratulations. How did it happen?",
        "Oh, how lovely. Congratulations! Tell me everything.",
    ),
    "glad": (
        "That makes me smile. What was the best part?",
        "How nice. I like hearing that.",
        "Good. Stay with that a moment and tell me more.",
    ),
    "named": (
        "{name}! What a good name. What is {name} like?",
        "{name}, I'll remember that. Tell me more about {name}.",
        "So that is {name}. I'd like to know more.",
    ),
    "pet": (
        "{thing_a}! What is the name?",
        "{thing_a} in the house, how nice. What is it called?",
    ),
    "pet_goes_on": (
        "Ha, I can picture that. And what do you do then?",
        "That does sound like {name}. Does it happen often?",
        "I had to smile at that. What does {name} do next?",
    ),
    "kin": ("Your {thing}. What is it like between you?", "Tell me more about your {thing}."),
    "life": (
        "I'll keep that in mind. How did it come about?",
        "Good to know. What is it like for you?",
        "That tells me something about you. Go on.",
    ),
    "question": (
        "I can't answer that well: without a language model I mostly listen and remember. What do you think yourself?",
        "Honestly, I don't know. I'm better at listening just now. What made you think of it?",
    ),
    "other": (
        "I see. Tell me a little more?",
        "Go on, I'm listening.",
        "And how was that for you?",
        "Mm. What happened then?",
    ),
    "bridge": (
        "You told me {when_low}: “{quote}”",
        "It reminds me of what you told me {when_low}: “{quote}”",
    ),
    "again": (
        "{name} again! {when} you told me: “{quote}” So what happened this time?",
        "Ah, {name}. I remember what you told me {when_low}: “{quote}” Go on.",
    ),
    "you_are": (
        "{name}. Good to have a name for you. What is on your mind?",
        "Nice to meet you, {name}. I'll remember.",
    ),
    "affection": (
        "That is kind of you to say. I'm glad you are here.",
        "That is a warm thing to hear. I like our talks too.",
    ),
    "request": (
        "That is beyond me without a language model; for now I listen and remember. What is going on for you?",
        "I can't do that well just now, I'm better at listening. What made you want it?",
    ),
    "small": ("Take your time, I'm here.", "Mm-hm.", "All right. I'm here when you want to go on."),
    "kept_word": (
        "I had said: “{quote}” So here I am. How was it?",
        "I told you: “{quote}” Tell me, how did it go?",
    ),
    "kept_promise": ("I have not forgotten: {quote} So, how was it?",),
    "promised": ("I said: “{quote}” I keep it in mind.", "What I promised is still with me: “{quote}”"),
    "clear_up": (" By the way, are {a} and {b} the same?",),
}
NOBODY, SOMEBODY, BEFORE, JUST_NOW = "them", "it", "Some time ago", "A little while ago"
