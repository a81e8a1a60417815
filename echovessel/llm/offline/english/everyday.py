"""English subjects of a short calm message: the words that show each, what is said to it, and what may be asked."""

from echovessel.llm.offline.feeling_types import Everyday

_FOODS = (
    "lasagn[ea]|pasta|pizza|bread|sourdough|cakes?|cookies|biscuits|scones|soup|stew|curry|chill?i|roast|pies?|brownies|pancakes|muffins|risotto|tacos|ramen|"
    "dumplings|noodles|casserole|salad|omelette|jam|meatballs|sushi|paella|stir[- ]fry|fishcakes|crumble|chutney|kimchi|tagine|gnocchi|ravioli|porridge"
)
_FEATS = (
    "ran|swam|cycled|climbed|drove|cooked|baked|sang|played|hiked|lifted|skied|danced|surfed|finished|beat|rode|sewed|knitted|"
    "spoke|read aloud|went alone|flew"
)
_THINGS = "boiler|washing machine|dishwasher|fridge|freezer|oven|laptop|computer|phone|car|van|bike|bus|train|wi-?fi|internet|printer|lift|toilet|tap"
_DAYS = r"(?:tonight|tomorrow|today|soon|(?:this|next|on|at the|for the) (?:\w+day|weekend|week|month|afternoon|evening|morning)|for (?:christmas|easter|new year|a (?:few|couple)|the))"

EVERYDAY = {
    "born": Everyday(
        r"^\W*(?:(?:and|so|oh|by the way|btw)\W+)*my birthday(?:'s| is)? (?!today|tomorrow|yesterday)|\bi was born on \w",
        ("So that is your day.", "A day worth knowing.", "Good to know when to think of you most."),
        (),
    ),
    "bored": Everyday(
        r"\b(?:i'm|im|i am|i'm feeling|feeling) (?:\w+ )?bored\b(?! (?:of|with) (?:life|living|him|her|my (?:job|marriage|husband|wife)))|\bbored (?:out of my mind|stiff|to (?:death|tears))|^\W*(?:so )?bored\W*$",
        (
            "A dull stretch, then. I'm here for it.",
            "Then let's fill it: tell me of something you like.",
            "Being bored is allowed, too.",
        ),
        ("What did you last lose track of time over?",),
    ),
    "food": Everyday(
        rf"^(?!.*(?:\bnever|n't|\bnot)\b).*\b(?:made|cooked|baked|roasted|grilled)\b[^.!?]{{0,40}}\b(?:{_FOODS})\b|\b(?:had|having|ate|eating|cooking|making)\b[^.!?]{{0,40}}\bfor (?:breakfast|lunch|dinner|tea|supper|brunch)\b",
        ("I can almost smell it.", "That sounds like a plate worth sitting down for.", "A good meal carries a day."),
        ("How did it taste?",),
    ),
    "mishap": Everyday(
        rf"\b(?:has|had|got|have) a (?:flat(?: tyre| tire|(?=\W*$| (?:on|again|today|this|yesterday)\b))|puncture)\b|\bmissed (?:the|my) (?:bus|train|flight|tram|connection|stop)\b|\b(?:spilled|spilt)\b|\block(?:ed)? (?:myself )?out\b"
        rf"|\b(?:lost|forgot|left) my (?:keys?|phone|wallet|purse|umbrella|bag|passport|card)\b|\boverslept\b|\bburn(?:ed|t)? (?:the|my|our) (?:toast|dinner|rice|food|tea|pan)\b"
        rf"|\b(?:{_THINGS})(?:'s| is| has| just)* (?:died|dead|broken|broke(?:n)? down|broke|packed (?:in|up)|down|leaking|cancelled)\b",
        (
            "Of course, today of all days.",
            "Things do pick their moment.",
            "How annoying. I hope the rest of the day goes easier on you.",
        ),
        ("Is it sorted by now?",),
    ),
    "weather": Everyday(
        r"\b(?:it's|its|it is|it was|been) (?:still |just |absolutely |really |so )?(?:pouring|raining|snowing|hailing|freezing (?:out|here|today|outside)|so windy|foggy)\b",
        ("I hope you're warm and dry.", "A good day for staying in, if you can.", "Weather like that decides the day."),
        ("Do you have to go out in it?",),
    ),
    "unwell": Everyday(
        r"\bhung ?over\b|\bhangover\b|\b(?:a|my|this|bad|splitting) (?:headache|migraine|sore throat|stomach ?ache|cramps|cold)\b|\bunder the weather\b|\bjet ?lagged\b",
        (
            "Poor you. Water, something plain to eat, and no heroics.",
            "I'm sorry. Be as slow as you like today.",
            "That sounds miserable. Go gently.",
        ),
        ("Have you had some water?",),
    ),
    "feat": Everyday(
        rf"\bi (?:\w+ )?(?:{_FEATS})\b[^.!?]{{0,40}}\bfor the first time\b|\bfirst time i(?:'ve)? (?:\w+ )?(?:{_FEATS}|run|swum|driven|sung|flown|ridden)\b|\bpersonal best\b|\bnew pb\b"
        r"|\bi (?:finally |actually |really )?(?:did it|managed it|pulled it off)\b|\bi(?:'ve)? (?:finally |just )?finished (?:my|writing|reading|the (?:book|puzzle|jigsaw|novel|draft|marathon|course))\b",
        ("Look at you.", "That is worth being a little proud of.", "Well done, truly."),
        ("How did it feel at the end?",),
    ),
    "learning": Everyday(
        r"\b(?:i'm|i am|i've been|been|started|i started|just started|decided to start) (?:\w+ )?(?:learning|teaching myself|taking [\w ]{0,20}(?:lessons|classes))\b|\btaken up\b|\bi took up\b",
        (
            "I like that you took that up.",
            "New things are hard in a good way.",
            "That is a fine thing to spend an hour on.",
        ),
        ("What made you start?", "Which part do you like best so far?"),
    ),
    "dream": Everyday(
        r"\b(?:had|having|keep having) (?:\w+ ){0,3}(?:dreams?|nightmares?)\b(?! (?:job|house|of becoming))|\bi (?:dreamt|dreamed) (?:that|about|i\b)",
        ("Some dreams stay with you well into the day.", "I won't try to explain it; but tell it, if you like."),
        ("What is still clear from it?",),
    ),
    "decision": Everyday(
        r"\b(?:i've|i have|we've|we have|i|we) (?:finally |just )?(?:decided (?:to|that)|signed up|enrolled)\b(?! (?:to )?(?:end|die|kill|give up|leave him|leave her|divorce))|\bi(?:'ve)? made up my mind\b",
        ("A decision, then. That is half of it.", "That is a step. I'm curious where it leads."),
        ("What tipped it?",),
    ),
    "visit": Everyday(
        rf"^(?!.*\b(?:police|bailiffs?|inspectors?|plumber|electrician|doctor|nurse|midwife|social worker|vicar|undertaker|results?|bill|baby)\b).*\b(?:is|are|'s|'re) (?:coming|visiting|staying|popping)\b[^.!?]{{0,40}}\b{_DAYS}|\b(?:is|are|'s|'re) visiting (?:me|us)\b|\b(?:have|got|having) (?:\w+ ){{0,2}}(?:friends|guests|visitors|family) (?:over|round|coming|staying|visiting)\b",
        ("I hope it's a good visit.", "Something to look forward to, I hope."),
        ("What will you do together?",),
    ),
    "smitten": Everyday(
        r"\bfalling for (?:a|this|him|her|my|someone|somebody|(?-i:[A-Z]))|\b(?:have|got|having) (?:a|such a|the biggest) crush\b|\bi (?:think|might) (?:i )?(?:like|fancy|love) (?:him|her|a (?:guy|girl|boy|man|woman)|this (?:guy|girl)|someone)\b",
        ("Ah. That is a fine kind of trouble.", "My, my. Go on.", "It suits you, saying it."),
        ("What is it about them?",),
    ),
    "gripe": Everyday(
        r"\bi (?:really |absolutely |just )?(?:hate|can't stand|loathe) (?:mondays?|mornings?|winters?|commut\w+|traffic|meetings?|adverts?|queu\w+|small talk|ironing|hoovering|the (?:tube|commute|cold|heat))\b"
        r"|\bbark(?:s|ed|ing)? (?:all|half) (?:the )?(?:night|day)\b|\bkeep(?:s|ing)? (?:me|us) (?:up|awake)\b",
        ("You're not alone in that.", "Fair. It has earned it.", "I'd grumble too."),
        (),
    ),
    "guilt": Everyday(
        r"\bstill (?:feel|felt|feeling) (?:bad|guilty|ashamed|awful|terrible)\b",
        (
            "That it still bothers you says something good about you.",
            "You are more than the one time you got it wrong.",
        ),
        ("What would make it lighter?",),
    ),
}
