"""Words around a cue of feeling that change what it weighs."""

from echovessel import lazy_re as re

# Sayings in which strong words mean nothing strong. They are blanked out before anything is looked for.
IDIOMS = (
    r"(?:had|have|having) a (?:mini |literal |little )?heart attack (?:when|at|seeing)\b(?=[^.!?]*(?:lol|haha|😂|price|bill|spider|mouse))|an? divorce (?:case|lawyer|solicitor|client|hearing)|divorce (?:cases?|lawyers?|law|clients?|rates?|part(?:y|ies))|"
    r"hopeless (?:at|with)\b|\b(?:(?:to|at|from) the|gp|vet|doctor's|dental) surgery\b|\bfailed (?:its|the|her|his) mot\b|\b(?:an?|works?|worked|working|job|shifts?) (?:(?!patient|visitor|appointment|scan|bed|day|week|night|month|few|check)[a-z]+ ){0,2}(?:at|in|for) (?:an?|the|our) (?:\w+ )?hospital\b|\b(?:don't|do not|rather not|don't really|didn't) (?:want to |wanna )?(?:talk|think|speak) about [^.,;!?]*|\bi(?:'m| am) \d{1,2},?(?: and)? divorced"
    r"|"
    r"(?:die[ds]?|dying|dead|cry|cried|crying|crie[sd]|sobbing) (?:\w+ )?(?:of|from|with|laughing|out laughing)? ?(?:laugh(?:ter|ing)|embarrass\w+|boredom|shame|cringe|cuteness|heat|thirst|hunger|curiosity|envy|jealousy|secondhand \w+)"
    r"|laugh\w* (?:\w+ )?(?:until|till|so hard|so much)(?: that)?.{0,25}(?:cr(?:y|ied|ying)|died|tears|hurts?)|cry(?:ing)?[- ]laugh\w*|killed? (?:my|him|her)sel(?:f) laughing|kill myself (?:laughing|over|if (?:i have to|they|this|my (?:boss|printer|computer)))"
    r"|(?:i|i'm|i was|am|was|we were|we're|literally|actually|just) (?:\w+ )?(?:dying|dead)(?: over here| at this| right now| inside| lol| haha\w*)?(?= (?:to|for|of|at|over|laughing|inside|here|lol|haha)\b|[!.…]*\s*(?:lol|haha\w*|😂|💀)|\W*$)"
    r"|(?:you'?re|(?:line|call|signal|connection|audio|voice|picture|zoom) (?:is|was|keeps?|kept)) breaking up|lost (?:my|our) \w+ (?:\w+ )?(?:in|at) (?:the|a) (?:supermarket|store|crowd|mall|park|museum|airport|market|shop|ikea|zoo|woods|fog)|(?:makes?|made|making) (?:me|you) want to (?:die|cry|scream|kill myself|jump)"
    r"|(?:it|that|this|show|gig|set) (?:was|is) (?:so |pretty |actually |absolutely )?sick(?= (?:tho|though|man|bro|dude|lol)\b|!)"
    r"|(?:want(?:s|ed)?|try(?:ing)?|supposed) to be (?:happy|glad|proud|excited) for|to die for|die hard|died? (?:a little )?inside|die on (?:this|that) hill|wouldn'?t be caught dead|over my dead body|drop[- ]dead|dead (?:to (?:me|us)|tired|serious|on my feet|on (?:his|her|their) feet|ends?|lines?|batter\w+|weight|heading|zone|simple|easy|sure|cheap|good|pool|poets|sea|of night)|half dead|left for dead|bored to (?:death|tears)|(?:scared|frozen|worked|starved|tickled|loved|worried|sick|freez\w+|starv\w+|embarrass\w+) (?:me |half )?to death|beat(?:ing|en)? to death (?=the topic)|wake the dead|kill (?:two birds|time|the (?:lights|mood|vibe|engine)|for (?:a|some))|kill(?:s|ed|ing)? (?:me|it|it with)\b|could (?:kill|murder) (?:a|for|him|her|them)|dressed to kill|killer (?:view|heels|smile|recipe|app|workout)"
    r"|cr(?:y|ied|ying) when (?:i|we) (?:told|showed|gave) (?:him|her|them|my \w+)"
    r"|(?:almost|nearly|practically|basically) (?:died|killed|had a heart attack|gave (?:me|him|her|us) a heart attack|cried|fainted)|(?:gave|giving|give) (?:me|him|her|us|mom|everyone) (?:\w+ ){0,3}heart attacks?|heart attack on a (?:plate|bun)|(?:mini|minor|tiny|small|little) heart attack"
    r"|fired (?:up|off|back|away|at|the (?:kiln|clay|pots|engine|gun|pizza oven))|fire[ds]? (?:clay|pots|ceramics)|(?:i'?m|i am|he'?s|she'?s|typical|as) an? cancer\b|cancer (?:horoscope|season|rising)|engaged (?:in|with|audience|students|the (?:clutch|brake))|engagement (?:rate|numbers|metrics|on (?:my|the))|suicide (?:squad|wings|burger|mission|door)|married to (?:my|his|her|the|their) (?:job|work|phone|sea)|divorced from|break-?up (?:songs?|album|playlist|movie|anthem)|strokes? of (?:luck|genius|midnight|the brush)|stroke (?:order|the (?:cat|dog))|(?:brush|breast|back|swim) ?strokes?|pregnant pause|(?:baby|food) (?:steps|coma)|food coma|sugar coma|born (?:ready|to be wild|this way|yesterday)|wasn'?t born yesterday"
    r"|(?:chopp|cutt|slic|peel)\w* (?:the |some |an |\w+ )?onions?|onions? (?:\w+ ){0,4}(?:cry|tears|crying)|cry(?:ing)? over spilt milk|for crying out loud|crying wolf|crocodile tears|panic! at|panic (?:buy\w*|room|button)|hospital (?:drama|series|show|corner|car ?park)|(?:jobs?|work(?:s|ed|ing)?|shifts?|interview|role|volunteer(?:s|ed|ing)?|placement|nurse|porter|cleaner|receptionist|doctor|paramedic|midwife|registrar|consultant|hca|carer|matron|vet) (?:at|in|for|on) (?:[\w']+ ){0,3}(?:hospital|a&e|icu|er|intensive care|oncology|palliative care|hospice|wards?|units?)|sick (?:beat|track|trick|burn|guitar|ride)|insanely|crazy (?:good|cheap|busy)|too much (?:coffee|cake|cheese|pizza|food|salt|garlic|sugar|wine|icing|homework|of a good)|won'?t kill|deathly (?:quiet|hallows)|death (?:metal|star|valley|note|cab)|death by chocolate|sudden death|kiss of death|matter of life and death|life or death|mourning dove|buried (?:in|under) (?:work|paperwork|laundry|emails?|snow)|bury(?:ing)? (?:my|his|her) (?:head|face|nose)|(?:lost|losing|loses?) (?:my|his|her|their|an?|another|two) (?:\w+ ){0,3}(?:tooth|teeth)|lost (?:my|her|his|our) (?:mind|temper|way|train of thought|cool|marbles|balance|voice|touch|appetite|keys?|phone|wallet)|(?:was|am|are|is|be) (?:so )?lost (?:in|without)|passed (?:out|by|the time|down|me|over|through)|negative (?:about|for covid|feedback|person)|positive (?:about|vibes)|hit (?:me )?(?:the (?:gym|road|books|snooze|nail|jackpot|shops))|beat(?:s|ing|en)? (?:me|him|her|us) (?:at|in|to|by|\d)|beats me|can'?t go on (?:the|a|this|that|holiday|vacation|without (?:coffee|tea))"
)

# Unreal: told, played, dreamt.
FICTION = (
    r"(?:our|my|the) (?:team|side)|the (?:finals?|match|playoffs|cup|derby|semifinals?|world cup|super bowl)|football|soccer|league|penalt(?:y|ies)|referee|"
    r"movies?|films?|tv|series|(?:the|a|this|that|new|reality|tv|talk) show|episodes?|season (?:\d+|one|two|three|four|finale)|novels?|(?:a|the|this|that|my|good|audio|comic|sad|our|each|every|these|those|reading a|last|first|new|page-turner) ?books?(?! (?:deal|club night|was accepted|is out|comes out|came out|got))|book ?club|chapters?|characters?|protagonist|main character|hero(?:ine)?|villain|plot|(?:last|final|first|opening|death|that|the) scenes?|games?|gaming|npc|boss (?:fight|battle)|raid|speedrun|minecraft|zelda|pok[eé]mon|mario|the sims|elden ring|documentar(?:y|ies)|podcasts?|opera|musical|netflix|anime|manga|comics?|drama|sitcom|soap opera|fiction|lyrics|song|ballad|legend|myth|audiobook|finale|spoilers?|k-?drama|cinema|theat(?:re|er)|watch(?:ed|ing) .{0,30}(?:episode|ending)|fairy ?tales?|tragedy by|shakespeare|hamlet|simulation|dreamt?|dreamed|nightmare|improv|role-?play|d&d|dnd|campaign|rehears(?:al|ing)|script|screenplay|short story|headline|on the news|in the news|the news(?! (?:broke|that my|about my))|historical|history (?:class|lecture|museum)|museum|war of|centur(?:y|ies)"
)
# An end, or a turn, for the better.
_NOT_BACK = r"(?:(?:isn't|is not|not|hasn't|has not|never)(?: come| grown)? (?:back|returned|spread))"
MENDED = rf"\b{_NOT_BACK}\b|\b(?:shr(?:unk|ank|inking)|smaller|better|recover\w*|cured|gone(?! (?:missing|off|wrong|bad|up))|stable|finished|done with|over|last (?:round|session|day|one)|clear|clean|beat|beaten|survived|improv\w+|working|responding|healed)\b"
NOT_MENDED = r"\b(?:not|never|no)\b(?!(?: come| grown)? (?:back|returned|spread))|n't\b(?!(?: come| grown)? (?:back|returned|spread))|\bcame back\b|\bno better\b|gone to"
# A harm of which nobody is named is the user's own only after words like these.
OWN_BY_DEFAULT = r"^(?:\W|\b(?:it|it's|is|was|they|they're|say|said|saying|think|thinks|found|find|a|an|the|so|and|oh|well|turns|out|that|this|result|results|biopsy|came|back|diagnos\w+|with|stage|early|late|probably|definitely|officially|possible|possibly|doctor|doctors|test|tests|scan|confirmed|called|just|got|yes|still|again|two|three|breast|lung|skin|bone|liver|thyroid|ovarian|prostate|colon|brain|aggressive|suspected|had|having|been|in)\b)*$"
# What is only thought of, before the cue in its clause.
UNREAL = r"\b(?:if|what if|in case|unless|might|may|could|would|should|wouldn't|couldn't|shouldn't|'d|wish(?:es)?|hop(?:e|es|ing)|want(?:s|ed)? (?:me |him |her |us )?to|wanna|dreams? of|someday|one day|imagin\w+|pretend\w*|as if|as though|almost|nearly|afraid|worried|scared|terrified|fear|wonder(?:ing)?|ever|plan(?:ning)? to|thinking (?:of|about)|consider\w*|trying to|try to|supposed to|until|till|before (?:i|we|he|she|they)|ask(?:s|ed|ing)? (?:me |us |her |him )?(?:if|whether|when|about)|joked?|jokes|rumou?rs?|whether|expects? me to|pressur\w+|like (?:someone|somebody|something|a)|looks? like|felt like|feels like|sounds like|dreamt?|dreamed|nightmares?)\b"
# These only soften: what is feared or hoped still moves.
LONG_AGO = r"\bwhen (?:i|we) (?:was|were) (?:a )?(?:\w+[ -]?){1,3}|\bas a (?:kid|child|boy|girl|teenager)\b|\b(?:\d+|many|several|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|a few|some) (?:long )?(?:years|decades) (?:ago|back)|\byears ago\b|\b(?:in|back in|since) (?:19\d\d|200\d|201\d)\b|\bages ago\b|\blong ago\b|\bback then\b|\bin (?:high )?school\b|\bin (?:the )?(?:war|nineties|eighties|seventies|sixties)\b|\bfor (?:\w+ )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty) years\b|\bused to\b|\bmy (?:late|ex)\b|\bback in the day\b|\bbefore i was born\b|\bnever (?:met|knew)\b|\bgreat-?(?:grand|aunt|uncle)"
# Losses that came before the user could know.
BEFORE_ME = (
    r"before (?:i was|we were) born|never (?:met|knew)\b|\bgreat-?(?:\s?great-?)?(?:grand|aunt|uncle)|in the war"
)
NEGATION = r"(?:\bmiss(?:ed|ing)?|\bnot|\bnever|\bno longer|n't|\bhardly|\bwithout|\bno|\bnor|\bnobody|\bno one|\brather than|\binstead of)(?: (?:even|been|be|being|actually|really|yet|going to|getting|get|gotten|have to|a|an|the|any|so|very|too|that|at all|all|in|to|quite|feel|feeling|have|had|having|like|is|was|say|want to|go|going|come|coming|make it|attend|invited|able|allowed|my|our|his|her|their|best|brother|sister|mum|mom|dad|friend|cousin))* ?$"
# Tears at these are glad, unless they are hidden.
TEARS = r"cry|cries|cried|crying|sobb\w+|tears|weep\w*|wept"
GLAD_AT = (
    r"engaged|proposed|said yes|(?:the|my|her|his) ring|(?:the|wedding) dress|baby'?s room|nursery|pregnant|first scan|got in|passed|graduat\w+|"
    r"surpris\w+|loved it|so happy|(?:for|of) joy|happy tears|in a good way|reunited|came home|made up"
)
HIDDEN = r"alone|in the (?:toilet|loo|bathroom|car)|to sleep"
# An old love has a new one.
OF_EX = r"(?:my|the) (?:ex|crush)\b(?:-\w+)?[^.!?]{0,40}\b(?:engaged|married|pregnant|new (?:girlfriend|boyfriend|partner)|moved on|having a baby|expecting)"
# What separates clauses, and what may stand before a feeling of which nobody is named.
CLAUSE = re.compile(
    r"[,;:—–()]|(?<!\w)-(?!\w)|\b(?:but|because|although|though|while|so|which|and then)\b", re.IGNORECASE
)
ELLIPTIC = re.compile(
    r"^(?:\W|\b(?:and|then|so|just|also|both|finally|suddenly|sadly|unfortunately|has|had|have|who|officially|yesterday|today|apparently|oh|btw|well|actually|um|uh|guess what|yeah|got|anyway)\b)*$",
    re.IGNORECASE,
)
# Others have it and the user has not: no joy.
ENVIED = (
    r"(?:but|except|and not|just not) me|(?:but|and|while) i(?:'m| am)? (?:still |just |have |had )*(?:not|didn't|haven't|single|alone|stuck|failed|nothing)|the (?:job|one|place|promotion|house|flat|man|woman|guy|girl|part|life|car) i (?:really |always )?want(?:ed)?"
    r"|(?:everyone|everybody|all (?:of )?my (?:friends|mates|cousins|colleagues))(?: around me| else| i know)?(?:'s| is| are)(?: all| now| getting)* (?:married|engaged|pregnant|having (?:babies|kids)|moving on)|(?:everyone|everybody) else (?:got|has|gets|passed|was|is)|my rival (?:got|won|was|has)"
)
# An end that sets free is no blow.
FREED = r"thank (?:god|goodness|heavens)|best (?:day|thing|decision)|i (?:am|feel) (?:so |finally )?(?:free|relieved|happy|glad)|i'm (?:so |finally )?(?:free|relieved|happy|glad)|good riddance|(?:free|rid of (?:him|her)) at last"
