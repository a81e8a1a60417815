"""English subjects of a short calm message: the words that show each, what is said to it, and what may be asked."""

from echovessel.llm.offline.english.vocabulary import JOB
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
_WEEKLY = r"(?:(?:on|of a) \w+days?(?: (?:morning|afternoon|evening|night)s?)?|every (?:other )?(?:\w+day|day|week|morning|evening|night|month)|(?:once|twice|three times) a (?:week|month)|in (?:the evenings|my lunch break)|at weekends)"
# Who says so of these tells more than that it is over.
_HELD_DEAR = r"(?:see|care|know|feel|want|love|like|believe|trust|enjoy|talk|speak|sleep|eat|cope|matter|recogni\w+|understand|hear|mind|need)"
_KEPT = r"(?:keys?|passport|wallet|purse|glasses|charger|papers|documents|book|will|tickets?|certificate|licen[cs]e|insurance|jewell?ery|ring|medicines?|tablets|tools?|umbrella|savings? \w+|remote|torch)"

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
    "retired": Everyday(
        r"\bi(?:'ve| have)? (?:just |finally |now )?retired\b|\bi(?:'m| am) (?:now |finally )?retired\b",
        ("The days are your own, then.", "So the alarm clock has retired as well, I hope."),
        ("What do you do with the mornings?",),
    ),
    "stopped": Everyday(
        rf"^\W*(?:(?:so|and|well|ok|btw)\W+)*(?:i(?:'ve| have)? (?:just |finally |now )?)?(?:stopped|given up|gave up|quit|dropped|packed in) (?!(?:on|talking|speaking|seeing|taking|loving|caring|hoping|eating|sleeping|believing|trying|by|in|off|out|me|him|her|them|everything|because)\b)(?:the |my |on )?\w+"
        rf"|\bi(?:'m| am) (?:no longer|not) (?:an? |the |on )?[\w' -]{{2,40}}? any ?more\b|\bi(?:'m| am) no longer (?:an? |the |on )?\w+|\bi (?:don't|do not|no longer) (?!{_HELD_DEAR}\b)[\w' -]{{2,40}} any ?more\b|\bi(?:'ve| have) left (?:the|my) (?!(?:house|home|room|party|table|keys?|bag|phone)\b)\w+",
        ("So that is behind you.", "That is a change.", "One chapter less, then."),
        ("What comes in its place?", "Was it an easy step?"),
    ),
    "relocated": Everyday(
        r"\b(?:i|we)(?:'ve| have)?(?: just| finally| now| recently)? (?:moved|relocated) (?:back )?(?:in|to|into|out|house|again|(?=last|this|today|yesterday|in))\b(?! (?:bed|with (?:him|her)))",
        (
            "A new place, then.",
            "That is a whole life carried up some stairs.",
            "So there is a new view to get used to.",
        ),
        ("Does it feel like home yet?", "What is it like there?"),
    ),
    "lives": Everyday(
        r"^\W*(?:(?:so|and|well|btw)\W+)*(?:i|we)(?:'m|'re| am| are)? (?:still |now |currently |just )?(?:live|living|based|stay|staying) (?:in|at|near|by|on|with|out|up|down|together|above|next)\b",
        ("So that is where home is.", "Good to know where you write from.", "I have a place to picture you in now."),
        ("What do you like about it there?", "How did you come to live there?"),
    ),
    "works": Everyday(
        rf"^\W*(?:(?:so|and|well|btw)\W+)*i(?:'m| am|'ve| have)? (?:still |now |currently |just |been )?(?:work|works|working) (?:\w+ )?(?:as|at|for|in|with|from)\b(?! (?:it|this|that|progress|the moment))|^\W*i(?:'m| am) an? {JOB}\b(?![^.!?]*\b(?:but|and|so|because)\b)"
        r"|^\W*i(?:'ve| have)? (?:got|have) (?:an? )?(?:part|full)[- ]?time job\b|^\W*i (?:run|own|manage) (?:an?|the|my own) (?:\w+ )?(?:pub|shop|cafe|restaurant|farm|business|company|bakery|bar|salon|garage|studio|nursery)\b",
        (
            "So that is what your working days are made of.",
            "Good to know what you do.",
            "That is a trade with stories in it, I'd think.",
        ),
        ("What is a good day there like?", "How did you come to it?"),
    ),
    "allergic": Everyday(
        r"^(?!\W*(?:please )?(?:forget|if|is|am)\b).*\b(?:i'm|im|i am)(?: \w+){0,2} allergic to\b",
        ("Good to know.", "That is worth knowing.", "That is one to be careful with."),
        ("How did you find out?",),
    ),
    "eats": Everyday(
        r"^(?!\W*(?:please )?(?:forget|if|is|am)\b).*\b(?:i'm|im|i am)(?: \w+){0,2} (?:vegan|vegetarian|veggie|coeliac|celiac|lactose intolerant|diabetic|gluten[- ]free|pescatarian|halal|kosher|pure veg|veg)\b|^(?!\W*(?:please )?forget\b).*(?:\bi (?:don't|do not|can't|cannot|never) (?:eat|drink|have) \w+|\bon a (?:[\w-]+ )?diet\b|\bgluten[- ]free\b)",
        ("Good to know, before anybody cooks for you.", "So the table has its rules.", "That is worth knowing."),
        ("Is it hard to keep to?",),
    ),
    "kept_place": Everyday(
        rf"^\W*(?:remember )?(?:the|my|our) (?:\w+ )?{_KEPT}(?:'s| is| are|'re) (?:now )?(?:in|under|on|behind|at|inside|by|with|beside|next to)\b",
        ("Good, so it can be found again.", "Ask me when you look for it.", "I'll know where to point you."),
        (),
    ),
    "gave_word": Everyday(
        r"\bi(?:'ve| have)? (?:just )?promised\b(?! myself never)",
        ("A promise, then.", "Good that somebody can count on you."),
        ("How do you feel about it?",),
    ),
    "habit": Everyday(
        rf"^\W*(?:(?:so|and|well|btw)\W+)*(?:i|we) (?:\w+ )?(?:go|do|play|run|swim|sing|dance|ride|train|teach|paint|climb|bake|meet|volunteer|walk|cycle|practi[sc]e) [^.!?]{{0,40}}\b{_WEEKLY}",
        (
            "A fixed point in the week is a good thing.",
            "That sounds like something to look forward to each time.",
            "A week has better bones with that in it.",
        ),
        ("What do you like best about it?", "How did that begin?"),
    ),
    "favourite": Everyday(
        r"\b(?:my|our) (?:all[- ]time )?favou?rite [\w ]{2,30}(?:'s| is| are| was)\b|^\W*(?:i (?:really |absolutely |just )?(?:love|adore|enjoy)|i'm (?:really )?into|i'm a (?:big |huge )?fan of) (?!(?:you|him|her|them|my|our|this|that|it|how|when|what|being)\b)\w+",
        ("I like knowing what you like.", "That tells me a little of you.", "Nothing wrong with that taste."),
        ("What is it about it?", "Since when?"),
    ),
    "saving": Everyday(
        r"\b(?:saving|saved)(?: up)? (?:for|up)\b|\b(?:i've|i have|we've) (?:already )?saved\b",
        ("A little pile with a purpose.", "That is patient of you.", "It adds up."),
        ("How far are you?",),
    ),
    "asks_to_be_asked": Everyday(
        r"^\W*(?:(?:so|ok|please|can you|could you|why don.t you)\W+)*ask me (?:something|anything|a question|some questions|questions)\b",
        (
            "What was the best minute of today?",
            "Whom would you like to tell me about?",
            "What would you do with an afternoon that belongs to nobody?",
            "What is something that you are good at and seldom say?",
        ),
        (),
    ),
}
