"""What holds of a person until further notice, as people say it: patterns of clauses, sure and less sure."""

import re

from echovessel.llm.offline.chinese.vocabulary import CITIES, PROVINCES
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.english.vocabulary import JOB
from echovessel.llm.offline.text import names, slots

REACTION = r"\b(?:throat|tongue|lips|face) (?:\w+ )?(?:clos|swell)\w*|\bhives\b|\banaphyla"
_I = r"^(?:(?:and|also|well|so|oh|yes|yeah|no|but|honestly|by the way|btw)[,.]? )*"
_VERY = r"(?:also|still|really|deathly|deadly|severely|badly|highly|super|very|seriously|mildly|slightly|extremely|terribly|pretty|quite|so|kinda|a bit)"
OWNED = (
    r"(?:cats?|dogs?|puppy|kittens?|rabbits?|horses?|parrots?|hamsters?|pets?|sisters?|brothers?|twins?|siblings?|sons?|daughters?|kids?|child(?:ren)?|"
    r"nephews?|nieces?|grandchildren|grandkids|grandsons?|granddaughters?|husband|wife|girlfriend|boyfriend|allerg(?:y|ies)|asthma|diabetes|epilepsy|migraines?|adhd|coeliac|celiac|"
    r"lurchers?|greyhounds?|labradors?|spaniels?|collies?|terriers?|whippets?|poodles?|tortoises?|budgies?|ferrets?|goats|hens|chickens|guinea pigs?|"
    r"garden|allotment|motorbike|stoma|prosthetic (?:leg|arm)|insulin pump|(?:two|three) jobs|degree|phd|tattoos?|stammer|pacemaker|hearing aids?|[a-z]{3,}itis|[a-z]{4,}osis)"
)
MEDICINE = rf"(?:insulin|antidepressants|antihistamines|painkillers|statins|blood thinners|steroids|the pill|{english.MEDICINE})"
_FAITH = r"(?:a )?(?:quakers?|muslims?|catholics?|jewish|hindus?|sikhs?|buddhists?|christians?|methodists?|atheists?)"
RELATIVE = (
    r"(?:(?:older|younger|big|little|elder|middle|twin|half)[- ])?(?:mum|mom|mother|dad|father|sister|brother|son|daughter|wife|husband|girlfriend|boyfriend|partner|gran|"
    r"grandma|grandmother|grandad|grandpa|nan|fianc[ée]e?|eldest|youngest|twin|step\w+)(?:-in-law)?"
)
ILLNESS = r"(?:(?:under|over)active thyroid|(?:high|low) blood pressure|high cholesterol|heart (?:condition|failure|disease|murmur)|kidney disease|bad (?:back|knees?|hips?|heart|shoulders?|neck|ankles?|wrists?|eyes|stomach|chest)|slipped disc|chronic [a-z]+|sleep apno?ea|fibromyalgia|ibs|pcos|ptsd|ocd|bipolar|eczema|gout|glaucoma|angina|tinnitus|hay fever|an(?:a?)emia|dyslexia|dyspraxia|sciatica|sickle cell(?: disease)?|cystic fibrosis|cerebral palsy|down'?s syndrome|muscular dystrophy|ha?emophilia|thalass?a?emia|spina bifida|coeliac disease|dementia|alzheimer'?s|parkinson'?s|diabetes|asthma|ms|epilepsy|autism|adhd|copd|lupus|(?!bronch|gastr|tonsill|sinus)[a-z]{3,}itis|[a-z]{4,}osis)"
CANNOT_EAT = (
    r"(?:can't|cannot|can not|isn't allowed to|mustn't) (?:have|eat|drink|touch) (?:any )?(?:gluten|wheat|dairy|lactose|milk|nuts|peanuts|eggs?|shellfish|"
    r"prawns|fish|seafood|soya?|sesame|meat|pork|beef|alcohol|sugar|caffeine|strawberries)\b"
)
CANNOT_EAT_NOW = rf"i {CANNOT_EAT}(?= any ?more| now|\W*$)"
DRUG = r"(?:penicillin|ibuprofen|aspirin|paracetamol|codeine|morphine|antibiotics|nsaids|sulfa|latex|an(?:a?)esthetics?|[a-z]{3,}(?:cillin|profen|mycin|cycline|statin|caine))"
HURTS = (
    r"(?:migraines?|hives|(?:an? )?rash(?:es)?|heartburn|stomach cramps|palpitations|asthma attacks?|panic attacks?)"
)
# Once it did harm it would again.
BEARS_NOT = (
    rf"^(?:i (?:can't|cannot|can not|mustn't|can never) (?:have|take|be given|use|tolerate) (?:any )?{DRUG}\b|i(?:'ve| have)? had an? (?:really |very )?(?:bad|severe|serious|nasty|allergic|terrible) reaction to (?:the |some )?(?!(?:that|this|it|being|my|his|her|their|our|news|film|idea)\b)[a-z]+"
    rf"|i get {HURTS} (?:if|when|whenever|from) |(?!this\b|that\b|it\b|he\b|she\b|they\b)[\w ]{{3,20}} gives? me {HURTS}(?=\W*$|,| and\b))"
    r"|^我?(?:只要|一|只要一)?(?:吃|喝|碰|闻)(?:到|了)?[\u4e00-\u9fff]{1,6}(?:就会?|会|都会|便)(?:起(?:红)?疹子?|过敏|拉肚子|肿|胃疼|喘|吐|起荨麻疹)"
    r"|^我(?:小时候|从小|也|都|是)*(?:不能|不可以|不敢)(?:打|吃|用|输|注射|碰)(?:青霉素|头孢|阿司匹林|布洛芬|麻药|造影剂|磺胺|[\u4e00-\u9fff]{1,3}霉素)"
)
LOVE = r"\b(?:wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?|bf|gf)\b|老婆|老公|媳妇|妻子|丈夫|太太|先生|女朋友|男朋友|女友|男友|对象|爱人|未婚妻|未婚夫|伴侣|另一半"
_LANGUAGE = r"(?:english|german|french|spanish|italian|dutch|portuguese|russian|polish|turkish|arabic|hindi|japanese|korean|mandarin|chinese|welsh|gaelic|sign language)"
_YEARS = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NEAR_KIN = r"(?:妈妈?|爸爸?|姐姐?|哥哥?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老婆|老公|妻子|丈夫|老伴|儿子|女儿|婆婆|公公)"
LOSS = rf"^(?:my|our) {RELATIVE},?(?: (?-i:[A-Z])[\w'-]+,?)? (?:sadly |unexpectedly )?(?:died|passed away|passed (?=last|in|on|two|\d))\b|^我(?:的|家)?{_NEAR_KIN}(?![说他她你])[^，,。]{{0,8}}(?:去世|过世|离世|病逝|走了[一两二三四五六七八九十\d]+年)"
DIAGNOSED = (
    rf"{_I}(?:i(?: was|'ve been| have been| got)|(?:(?:my|our) {RELATIVE},?(?: (?-i:[A-Z])[\w'-]+,?)?|(?-i:[A-Z])[\w'-]+)(?: was| got|'s been| has been))"
    rf" (?:just |recently |finally )?diagnosed with (?:type \d |an? |severe |stage \w+ )*(?:{ILLNESS}|cancer|leuk\w+|lymphoma|depression|anxiety|bpd|schizophrenia|[\w' -]{{3,30}}(?:disease|disorder|syndrome))"
)
DIAGNOSED_CHINESE = rf"^(?:我|我?(?:的|家)?{_NEAR_KIN})(?:去年|前年|今年|上个?月|最近|刚刚?|也|前几年|\d{{4}}年)*(?:确诊|查出|被诊断)(?:了|得了|患有|出|来|为|是|有)*(?:帕金森|糖尿病|高血压|老年痴呆|阿尔茨海默|抑郁症?|焦虑症?|双相|自闭症|多动症|甲[减亢]|[\u4e00-\u9fff]{{1,8}}(?:炎|症|结节|突出|囊肿|肌瘤|息肉|结石|病|癌|瘤))"
PUT_ON = rf"{_I}(?:(?:they|(?:the |my )?(?:doctor|gp|doc|psychiatrist|consultant))(?:'ve| have|'s| has)? (?:also |now )?(?:got|put|started) me on|(?:they|the (?:doctor|gp)|my (?:doctor|gp))(?:'ve| have|'s| has)? (?:switched|changed|moved) me (?:on)?to|i(?:'ve| have) been (?:put on|(?:switched|changed|moved) (?:on)?to)) (?:{MEDICINE}|(?-i:[A-Z])[a-z]{{4,}})\b"
EXPECTING = (
    rf"{_I}(?:i(?:'m| am)|my (?:wife|partner|girlfriend)(?: (?-i:[A-Z])[\w'-]+)?(?: is|'s)) (?:(?:\d+|[a-z]+) (?:weeks?|months?) )?(?:pregnant|expecting (?:a (?:baby|boy|girl)|twins|our \w+))\b(?! with (?:ideas|hope))"
    rf"|{_I}we(?:'re| are) (?:expecting (?:a (?:baby|boy|girl)|twins|our \w+)|having (?:a baby|twins))\b|^我(?:的)?(?:老婆|媳妇|妻子|爱人|太太)?(?:现在|已经|刚|也)*怀(?:孕|了?(?:双胞胎|二胎|三胎|龙凤胎))(?:快)?(?:[一二两三四五六七八九\d]+(?:多)?(?:个月|周))?了?(?=$|，)"
)
SETTLED = (
    rf"{_I}i (?:quit|gave up|stopped|have given up|'ve given up) (?:smoking|drinking|vaping|gambling)(?= (?:\w+ ){{1,3}}ago\b| in \d{{4}}\b| for good\b)|{_I}i never learn(?:ed|t) to (?:drive|swim|read|cook|ride a bike)\b"
    rf"|{_I}i(?:'m| am) \d foot(?: \d{{1,2}})?(?=\W*$|,| and\b)|{_I}(?:(?:my|our) )?(?:mum|mom|dad|nan|gran|grandma|grandad|grandpa)(?:'s got| has got| has) (?:an? )?{ILLNESS}\b"
    r"|^我(?:已经|早就|都)?结婚(?:了|[一二两三四五六七八九十\d]+年了?)?(?=$|，)|^我(?:是)?(?:出生|生)[在于][\u4e00-\u9fff]{2,8}(?=$|，)|^我(?:已经)?(?:戒烟|戒酒|不抽烟|不喝酒)(?:了)?(?:[一二两三四五六七八九十\d]+(?:年|个月)了?)?(?=$|，)"
)
ENGAGED = rf"{_I}(?:i(?:'m| am)|we(?:'re| are)|i got|we got|(?-i:[A-Z])[\w'-]+ and i (?:are|got)) engaged\b(?! (?:in|with) )|^我们?(?:已经|刚|上周|昨天)*订婚了?(?=$|[，。！!])"
ENGLISH_SURE = (
    LOSS,
    BEARS_NOT,
    EXPECTING,
    ENGAGED,
    SETTLED,
    rf"{_I}i (?:always |have to )?carry an epi-?pen\b",
    rf"{_I}i(?:'m| am)(?: a)? (?:pure|strict|strictly) (?:veg|jain|vegetarian|vegan)\b|{_I}i(?:'m| am) veg(?=\W*$|,)",
    rf"{_I}i(?:'m| am)? ?(?:have to|need to|(?:meant|supposed) to|must) (?:eat|be|go|stay|be going|keep) (?:on a )?(?:gluten|dairy|lactose|sugar|salt|nut)[- ]free\b",
    rf"{_I}(?:i|we) (?:live|stay) in (?:an?|our|the) (?!(?:nice|small|big|old|new|lovely|tiny)\b)(?:[\w-]+ ){{1,3}}?(?:flat|house|apartment|room|studio|caravan|houseboat|cottage|bungalow|halls|dorm)\b(?! (?:today|tonight|for a))",
    rf"{_I}(?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:adopted|rescued) (?:an? |our |two )[\w -]{{2,30}}?,? (?:called |named )?(?-i:[A-Z])[\w'-]+",
    rf"{_I}(?:(?:i|we)(?:'ve)? |)(?:have |got )(?:an? |one )(?:wee |little |young |baby |grown[- ]up )?(?:boy|girl|lad|lass|son|daughter),? (?:called |named )?(?-i:[A-Z])[\w'-]+",
    rf"{_I}my (?:flatmate|housemate|roommate|(?:best )?(?:friend|mate)|boss|colleague|neighbou?r)(?: (?-i:[A-Z])[\w'-]+)?(?:'s| is) (?:an? )?(?:{_VERY} )*(?:allergic to|intolerant to|deaf|blind|diabetic|autistic|coeliac|celiac)\b|^(?-i:[A-Z])[\w'-]+(?:'s| is) (?:an? )?(?:coeliac|celiac|diabetic|epileptic|lactose intolerant)\b",
    PUT_ON,
    DIAGNOSED,
    rf"{_I}(?:my|our) (?:cat|dog|horse|rabbit|puppy|kitten),?(?: (?-i:[A-Z])[\w'-]+,?)? (?:has|suffers from) (?:an? |severe )?{ILLNESS}\b",
    rf"{_I}(?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:adopted|rescued|got|bought|took in) (?:an? |our |two )(?:[\w-]+ ){{0,3}}?{OWNED} (?:called|named) (?-i:[A-Z])[\w'-]+",
    rf"{_I}i (?:also |still |now )?live with (?:my |our |an? )?(?:\w+ )?(?:flatmates?|housemates?|roommates?|parents|grandparents|family|boyfriend|girlfriend|husband|wife|partner|fianc[ée]e?|mum|mom|dad|gran|nan|sister|brother|son|daughter|kids|children|in-laws)\b",
    rf"^(?:(?-i:[A-Z])[\w'-]+|(?:my|our) {RELATIVE}(?: (?-i:[A-Z])[\w'-]+)?) has (?:an? )?(?:(?:severe|bad|serious|mild|nasty) )?[a-z]+ (?:allergy|intolerance)\b",
    rf"^(?-i:[A-Z])[\w'-]+(?:'s| is) (?:{_VERY} )*(?:allergic|intolerant) to (?!me\b|you\b|this\b|that\b)",
    (
        rf"{_I}(?:my|our) {RELATIVE},?(?: (?-i:[A-Z])[\w'-]+,? lives (?:in|at|near) |(?: (?-i:[A-Z])[\w'-]+,?)? (?:(?:is|'s) (?:at|in) (?:uni|university|college|sixth form|medical school|law school)\b|works (?:(?:nights|days|shifts|part-time|full-time) )?(?:at|for|as) |(?:studies|teaches) (?!me\b|us\b|my\b|you\b|it\b)[a-z]|(?:has|suffers from) (?:type \d |an? |severe )?{ILLNESS}\b))"
    ),
    (
        rf"{_I}(?:my|our) {RELATIVE},?(?: (?-i:[A-Z])[\w-]+,?)?(?:'s| is) (?:(?:allergic to|intolerant to|vegetarian|vegan|deaf|blind|diabetic|autistic|coeliac|celiac|retired|divorced)\b"
        rf"|an? {JOB}\b(?! of\b| to\b|'s)|(?:only |just |already )?{_YEARS}(?: years old| months old)?(?=,| and\b(?! a half)|\W*$))"
    ),
    rf"{_I}(?:(?:it's|it is) )?(?:(?:my|our) {RELATIVE}(?: (?-i:[A-Z])[\w-]+)?|(?-i:[A-Z])[\w-]+)'s birthday(?:'s| is)?(?: on)? {slots.DATE}",
    rf"{_I}(?:(?:my|our) {RELATIVE},?(?: (?-i:[A-Z])[\w-]+,?)?|(?-i:[A-Z])[\w-]+) {CANNOT_EAT}",
    rf"{_I}i(?:'ve| have) (?:always |also |long )?had (?:an? |my )?{ILLNESS} (?:since|for|all my life)\b",
    rf"{_I}i (?:can't|cannot) (?:eat|do|have|touch|go near) (?=.*(?:{REACTION}))",
    rf"{_I}i {CANNOT_EAT}",
    rf"{_I}(?:we|i) (?:got |have been |'ve been )?married (?:in|since) \d{{4}}\b",
    rf"{_I}(?:my|our) (?:car|motorbike|van|boat|camper) is an? (?-i:[A-Z])\w+",
    rf"{_I}i (?:can't|cannot) tolerate (?!it\b|that\b|this\b|him\b|her\b|them\b|people\b|you\b)",
    rf"{_I}i(?:'ve| have) been (?:an? )?(?:vegetarian|vegan|pescatarian|sober|teetotal|diabetic|asthmatic) (?:for|since)\b",
    rf"{_I}i(?:'m| am) (?:an? |in (?:my )?)?(?:first|second|third|fourth|final)[- ]year\b",
    rf"{_I}i(?:'m| am) (?:studying|reading) [a-z]+(?: [a-z]+){{0,2}} (?:at|in) (?-i:[A-Z])",
    rf"{_I}i(?:'m| am) (?:doing|finishing|writing|pursuing) (?:(?:an?|my|the) )?(?:phd|doctorate|master'?s|msc|mba|bsc|degree|apprenticeship|a[- ]levels|gcses)\b",
    (
        rf"{_I}i(?:'m| am) (?:{_VERY} )*(?:allergic to|afraid of|scared of|intolerant to|left-handed|right-handed|colou?r ?-?blind|deaf|vegetarian|vegan|gluten-free|(?:type \d )?diabetic|"
        rf"asthmatic|coeliac|celiac|epileptic|lactose intolerant|on {MEDICINE}\b|on (?-i:[A-Z])[a-z]+,? \d+ ?m[cg]|on [a-z]{{5,}},? \d+ ?m[cg]\b|on \d+ ?m[cg](?: of)? [a-z]{{5,}}|learning (?:(?-i:[A-Z])[a-z]+|{_LANGUAGE})|{_FAITH}\b|autistic|dyslexic|introverted|extroverted|married(?! to my)|divorced|single|widowed|retired|an? (?!bit|little|lot|few|match\b|mess|wreck|fan\b|fool|idiot|mood|hurry|minute|while|day|week|huge fan|big fan)[\w-]+)"
    ),
    rf"{_I}i (?:really |also |just |absolutely |still )?(?:like|love|enjoy|adore|prefer|hate|dislike|can't stand|cannot stand|don't like) (?!myself\b|(?:everyone|everybody|boys|girls|men|women|people)\W*$|my (?:body|life|face|looks|self)\b|it\b|that\b|this\b|how\b|when\b|what\b|you\b|your\b|him\b|her\b|them\b|the (?:way|idea|sound|thought)\b|to think\b|these days)",
    rf"{_I}(?:(?:i|we) (?:also |still )?have(?: got)?|(?:(?:i|we)(?:'ve)? )?got|(?:i|we)'ve(?= (?:an?|one|two|three|four|five|\d+) )) (?!the\b|his\b|her\b|their\b)(?:(?:an?|one|two|three|four|five|six|no|\d+|my|type \d) )?(?:[\w-]+ ){{0,2}}?(?:{OWNED}|{ILLNESS})\b",
    rf"{_I}i lost my {RELATIVE},?(?: (?-i:[A-Z])[\w'-]+,?)? (?:in|last|to|on|when|two|three|four|five|six|seven|eight|nine|ten|\d+)\b",
    rf"{_I}i(?:'m| am)(?: now)? (?:(?:\d{{1,2}}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)(?: years old)?\W*$|(?:originally )?from \w)",
    rf"{_I}i(?:'ve)? (?:just )?turned \d{{2}}\b(?! (?:minutes|degrees))",
    rf"{_I}i (?:was born|grew up) (?:in|on) \w",
    rf"{_I}(?:i (?:also |still )?take|i(?:'m| am) (?:taking|on)) (?:\d+ ?m[cg] (?:of )?)?(?:{MEDICINE}|(?-i:[A-Z])[a-z]{{4,}})\b(?= for | every | daily| now\b| once| twice| \d+ ?m[cg]|\W*$)",
    rf"{_I}i (?:also |still )?take {MEDICINE}\b(?= and\b|,| before\b| after\b| when\b| at night\b| in the\b)",
    rf"{_I}i(?:'m| am) (?:really |also |quite |well |very )?into (?!it\b|this\b|that\b|him\b|her\b|them\b|you\b|the\b|my\b|a\b|bed\b|town\b|work\b|week\b|day\b|month\b|year\b|hour\b|overtime\b|debt\b)[a-z]",
    rf"{_I}i (?:got|was|am|'m) (?:divorced|widowed)\b(?! by\b)",
    rf"{_I}(?:my|our) due date is {slots.DATE}",
    rf"{_I}(?:my|our) (?:\w+ )?(?:cats|dogs|kids|children|boys|girls|twins|sons|daughters|sisters|brothers|grandchildren|grandkids|lads|hens|horses) are (?:called |named )?(?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)*,? and (?-i:[A-Z])\w+(?=\W*$|,)",
    rf"{_I}(?:my|our) (?:kids|children|boys|girls|twins|sons|daughters|sisters|brothers|grandchildren) are (?-i:[A-Z])\w+,? \(?\d{{1,2}}\)?,? (?:and )?(?-i:[A-Z])\w+,? \(?\d{{1,2}}\b",
    rf"{_I}i and my (?:girlfriend|boyfriend|wife|husband|partner)(?:'ve| have)? been (?:together|married) (?:for )?[\w ]{{1,12}}years",
    rf"{_I}i(?:'m| am) (?:(?:half|part|originally|british)[- ])?(?!Julian|Adrian|Sebastian|Christian|Lillian|Damian|Fabian|Gillian|Marian|Dorian|Vivian)(?-i:[A-Z])[a-z]+(?:ish|ese|[iea]an|ican|eaux)(?=\W*$|,| and\b| but\b| born\b)",
    rf"{_I}(?:my|our) (?:parents|folks|in-laws|grandparents|family) (?:both |still |all |now )?lives? (?:in|at|near) (?-i:[A-Z])",
    rf"{_I}(?:(?:i|we)(?: have|'ve got|'ve| have got) |(?:i've )?got |there's )(?:an?|two|three|four|our) [\w -]{{2,30}}? (?:called|named) (?-i:[A-Z])",
)
ENGLISH_UNSURE = (
    rf"{_I}i(?:'ve| have) been off (?:caffeine|coffee|alcohol|booze|sugar|dairy|gluten|cigarettes|meat|the (?:drink|fags|booze)) (?:since|for)\b",
    rf"{_I}(?:(?:the|my) (?:doctor|gp|doc|nurse|dietitian|cardiologist)|they)(?: has|'s| have|'ve)? (?:told|asked|advised) me (?:to|not to) (?:avoid|cut (?:down on|out)|eat|drink|give up|stay off|keep off|lay off|stay away from|stop (?:eating|drinking|smoking)) (?!it\b|that\b|up\b)[a-z]",
    rf"{_I}i (?:also |still )?learn {_LANGUAGE}\b",
    rf"{_I}i (?:also |still )?(?:can't|cannot|don't|do not|never) (?:eat(?!\W*(?:$|[,.;!]| and\b| or\b| because\b| right now))|drink|smoke|drive|swim|(?:take|touch) alcohol)\b(?! (?:another|a thing|anything(?: else)?(?: right now| today)?$|any ?more\W*$))",
    rf"{_I}i (?:also |still )?support (?!(?:Mum|Dad|Mom)\b)(?-i:[A-Z])[\w' ]+",
    rf"{_I}i (?:also |still )?(?:play (?!with\b|along\b)(?:the )?\w+|speak (?-i:[A-Z])\w+|study|collect|coach|volunteer|sing (?:\w+ )?in|run (?:every|each)|swim (?:every|each)|teach \w+|take \w+ every)\b",
    rf"{_I}i (?:also |still )?(?:own|run) (?:an?|my own|our) [\w -]{{3,40}}",
    rf"{_I}i (?:also |still )?work (?:nights|night shifts|shifts|weekends|part[- ]time|full[- ]time|from home|freelance)(?=\W*$|,| (?:at|as|in|for|and)\b)",
    rf"{_I}i (?:also |still )?drive (?:an? |the )?(?:[\w-]+ )?(?:bus(?:es)?|taxis?|cabs?|trucks?|lorry|lorries|trams?|trains?|ambulances?|forklifts?|cranes?|coach(?:es)?|tractors?|minicabs?)\b(?! to\b)",
    rf"{_I}i (?:also |still )?(?:drive|ride) an? (?:(?:old|new|used|second-hand|battered|tiny|little|red|blue|black|white|green|silver|grey|yellow) )*(?-i:[A-Z])\w+",
    rf"{_I}i(?:'ve| have)?(?: finally| just| recently)? (?:gave up|given up) (?:drinking|smoking|vaping|coffee|caffeine|alcohol|booze|sugar|meat|cigarettes|gambling|social media)\b",
    rf"{_I}i (?:also |still )?only (?:drink|eat|wear|listen to|read) [a-z]+",
    rf"{_I}my favou?rite [\w ]{{2,30}} (?:is|are)\b",
    rf"{_I}i (?:also |still |usually )?(?:go|have|do|play|train|swim|run|attend) [\w' ]{{2,40}}(?:{_WEEKDAY}(?:s| (?:mornings|afternoons|evenings|nights|lunchtimes))\b|(?:every|each) (?:day|week|morning|evening|night|{_WEEKDAY})\b)",
    rf"{_I}(?:my|our) {RELATIVE} (?:calls|rings|phones|visits|comes|cooks|texts)(?: [\w']+){{0,3}} (?:every|each) \w+",
    rf"{_I}(?:my|our) (?:new |line )?(?:{names.ROLE}) (?:is|are) (?=(?-i:[A-Z])[a-z]+(?:\W*$|,| and ))",
    rf"{_I}(?:my|our) (?:sister|brother|son|daughter|baby|cat|dog|mother|mum|mom|father|dad|youngest|eldest|niece|nephew|granddaughter|grandson|horse|{names.ROLE})(?:'s name is|(?:'s| is) called)\b",
    rf"{_I}i (?:also |still )?(?:smoke|drink|vape) (?:about |around |maybe )?(?:{_YEARS}|\d+|a packet|a few|a couple of)(?: [\w'-]+){{0,3}} (?:a|per|every) (?:day|week|night)\b",
    rf"{_I}i (?:also |still )?(?:earn|make|weigh|am on) (?:about |around |just under |just over )?[£$€]?\d[\d.,]*\s?(?:k|kg|kilos?|stone|lbs?|pounds|euros|quid|dollars|an hour|a (?:year|month|week))\b",
    rf"{_I}i (?:also |still |always |usually )?(?:(?:take|get|catch) the (?:bus|train|tube|tram|metro|subway|ferry)|cycle|walk|drive|commute) to (?:work|school|college|uni|the office)(?=\W*$|,| every\b)",
    rf"{_I}i(?:'ve got| have) an? [\w' -]{{0,30}}(?:subscription|season ticket|membership|bus pass|railcard|driving licence|driver's license)\b(?! (?:to|for you)\b)",
    rf"{_I}my (?:car|phone|bike|laptop|van|motorbike|scooter|guitar) is (?:an? (?-i:[A-Z])[\w-]+|(?:red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|silver|gold))(?=\W*$|,)",
    rf"{_I}i (?:also |still |always )?wear (?:glasses|contacts|contact lenses|braces|a hearing aid|hearing aids|dentures)(?=\W*$|,)",
    rf"{_I}i(?:'m| am) (?:saving(?: up)?|training|on (?:a|the) waiting list) for (?:an? |the |my |our )?(?:new )?[\w' -]{{3,30}}(?=\W*$|,)",
    rf"{_I}(?:my|our) {RELATIVE}(?: (?-i:[A-Z])[\w-]+)? (?:is in (?:year|grade|reception|kindergarten|primary) ?\w{{0,3}}|goes to (?-i:[A-Z])[\w']+(?: (?-i:[A-Z])[\w']+){{0,2}}|goes to [\w' -]{{0,20}}school)(?=\W*$|,)",
)
# It was, or will be, or holds this once.
PASSING = re.compile(
    r"\b(?:was|were|(?<!'ve )(?<!have )had|did|used to|yesterday|today|tonight|tomorrow|this (?:morning|week|evening|time|one)|last (?:night|week(?! (?:of|in))|time)|right now|at the moment|just now|will|going to|"
    r"gonna|would|if|when|because|but|though|ago|again|anymore|any more|so much|too much|(?:try|hop|plan|hav|gett|start|want|look|learn|need)ing to)\b|n't know\b|\?",
    re.IGNORECASE,
)
BODY_PART = r"(?:膝盖?|腰|颈椎|腰椎|肠?胃|心脏|眼睛|耳朵|听力|视力|肾|肝|腿脚?|肺|牙齿?|睡眠)"
KIN = r"(?:妈妈?|爸爸?|姐姐?|哥(?:哥|(?!们|俩))|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老婆|老公|媳妇|妻子|丈夫|对象|男朋友|女朋友|男友|女友|老伴|儿子|女儿|闺女|丈母娘|婆婆|公公|室友|同桌|闺蜜|好朋友)"
PETS = r"(?:猫|狗|犬|兔子?|鸟|鹦鹉|仓鼠|龟|金鱼|柯基|金毛|泰迪|哈士奇|边牧|布偶|英短)"
_AGE = r"(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)岁"
_AROUND_ONE = r"(?:老板|领导|同事|上司|主管|导师|房东|邻居|教练|班主任|前任|前[男女]友|前[夫妻]|合伙人|徒弟|师父|师傅|搭档|(?:主治|心理)医生|咨询师|保姆|发小|死党|哥们儿?|兄弟|(?:最好的?|好|女|男)?朋友|同桌|[室舍]友|闺蜜|[A-Za-z]{2,12})"
# Whose name is told behind what they are: 我女儿在澳洲，叫王静.
_CALLED = r"(?:的?名字)?(?:就)?叫做?(?![我你他她它外车什啥了不着别去来回吃帮滚停等快出起]|大家|大伙|做)"
_WO = r"^(?:[嗯哦啊对是]+[了]?[，,]?|其实|而且|还有|另外|不过|顺便说)*我"
MEDICINE_CHINESE = r"(?:[\u4e00-\u9fff]{1,5}(?:地平|沙坦|他汀|双胍|列净|洛尔|普利|唑仑|西泮|西林|甲乐|帕明|西汀|曲林|兰索|拉唑)|胰岛素|褪黑素|布洛芬|阿司匹林|避孕药|降[压糖脂]药|抗抑郁药|安眠药)"
CHINESE_SURE = (
    LOSS,
    BEARS_NOT,
    DIAGNOSED_CHINESE,
    rf"{_WO}们?(?:家)?(?:新|刚刚?|昨天|上周|最近|前几天)*(?:领养|收养|买|接)了(?:一?[只条个])?[\u4e00-\u9fff]{{0,4}}{PETS}[，,]?(?:名字|取名|就)?叫",
    rf"{_WO}(?:已经|都)*离[婚异](?:快|都|有)?[一二两三四五六七八九十\d]+多?年",
    rf"{_WO}(?:还是?|一直|目前|现在)*单身(?=$|，)",
    rf"^(?:我(?:家|的)?(?:{KIN}|宝宝|孩子)|(?![我你您他她它谁今明昨这那])[\u4e00-\u9fff]{{2,3}})(?:从小|也|一直)*对[\u4e00-\u9fff]{{1,8}}过敏(?!了|的|原)",
    rf"{_WO}(?:自己|也|从小|一直|有点)*(?:对)?(?!不是|没|不)[\u4e00-\u9fff]{{1,5}}不耐受?(?=$|，)",
    EXPECTING,
    ENGAGED,
    SETTLED,
    rf"{_WO}是(?:vegan|vegetarian|素食主义者|素食者)(?=$|，)",
    rf"{_WO}(?:的)?{_AROUND_ONE}{_CALLED}(?:[A-Za-z]|[\u4e00-\u9fff]{{2,3}}(?=$|，))",
    rf"{_WO}(?:的)?(?:小名|乳名|昵称|网名|笔名|艺名|英文名)(?:就)?(?:叫|是)(?![什啥])[\u4e00-\u9fffA-Za-z]{{1,12}}(?=$|，)",
    rf"^(?:我(?:们?家)?的?)?(?:{KIN}|[室舍]友|同桌|房东)(?:现在|也|一直|是|在)+[\u4e00-\u9fffA-Za-z]{{2,8}}，{_CALLED}[\u4e00-\u9fffA-Za-z]{{1,12}}(?=$|，)",
    rf"{_WO}(?:的)?(?:{KIN}|{_AROUND_ONE})(?:的)?\s?birthday\s?(?:是|在)(?:{slots.HAN_DATE})",
    rf"{_WO}(?:有|是|得了)?\s?(?:lactose intoleran\w+|gluten intoleran\w+|coeliac|celiac|adhd|ocd|ptsd|ibs)(?=$|，)",
    rf"{_WO}(?:也|确实|就|天生)*是(?:个|典型的?)?(?:[IE][NS][FT][PJ]|[ie]人|gay|les|拉拉|[同双]性恋|[白金双巨狮处天射摩水][\u4e00-\u9fff]座|(?:A|B|O|AB)型(?:血)?)(?:的)?(?=$|，)",
    rf"{_WO}(?:们)?家?(?:也|都|一直|从小|全家)*信(?:佛|道|教|基督|天主|耶稣|上帝|伊斯兰)[教]?(?:的)?(?=$|，)",
    rf"{_WO}(?:是)?(?:(?:19|20)?\d\d)年(?:出?生)?的?(?=$|，)",
    rf"{_WO}(?:现在|最近|正|也|还)*(?:在|跟着[\u4e00-\u9fff]{{1,4}})(?:自)?学(?![校会生长院期业习着费了我你他她做当])[\u4e00-\u9fffA-Za-z]{{1,8}}(?=$|，)",
    rf"{_WO}(?:从小)?(?:是)?(?:在)(?![这那我他她])[\u4e00-\u9fff]{{2,8}}长大",
    rf"{_WO}(?:的)?(?:儿子|女儿|闺女|孩子|娃|妹妹|弟弟|老[大二三]|孙[女子]|外甥女?|侄[子女])(?:今年|现在|已经|马上|快|都)*(?:上|读|念)?(?:小学)?(?:[小初高大研][一二三四五六]|[一二三四五六]年级|[小中大]班)(?=$|，|了)",
    rf"{_WO}(?:还|总共|一共|现在)*(?:欠(?:着|了)?[\u4e00-\u9fffA-Za-z]{{1,8}}?|借给?了?[\u4e00-\u9fffA-Za-z]{{1,4}}?)[\d一二两三四五六七八九十百千万半]+(?:块|元|万|千|百)*(?:钱)?(?=$|，)|^(?![我你他她这那谁])[\u4e00-\u9fffA-Za-z]{{2,8}}?(?:还)?欠(?:着|了)?我[\d一二两三四五六七八九十百千万半]+(?:块|元|万|千|百)*(?:钱)?(?=$|，)",
    rf"{_WO}(?:也|一直|从小)*对[A-Za-z]{{3,16}}过敏",
    rf"{_WO}吃的药(?:是|叫){MEDICINE_CHINESE}",
    # Not what a partner does, who may be none later: their name alone is a fact.
    rf"{_WO}(?:的)?(?!{slots.HAN_LOVE}|老伴)(?:{KIN})(?!说|叫|在|是)[\u4e00-\u9fff]{{2,3}}(?:也|现在)?在[\u4e00-\u9fffA-Za-z]{{1,10}}(?:上班|工作|读书|上学|留学|当兵|做[\u4e00-\u9fffA-Za-z]{{2,6}})(?=$|，)",
    rf"{_WO}(?:的)?(?!{slots.HAN_LOVE}|老伴)(?:{KIN})在[\u4e00-\u9fffA-Za-z]{{1,10}}留学(?=$|，)",
    rf"{_WO}(?:的)?(?!{slots.HAN_LOVE}|老伴)(?:{KIN})(?!说|叫|在|是|不|也|都|就|真|其实)[\u4e00-\u9fff]{{2,3}}是[\u4e00-\u9fff]{{0,6}}(?:师|员|工|医生|护士|老师|会计|司机|农民|警察|军人|经理|翻译)(?=$|，)",
    rf"{_WO}(?:就|也|一直|还|从小|现在)*是(?:一?[名个位只])?(?!不是|说|想|觉得|在|真|认真|怕|为了|因为|这么|这样|那|来|去)[\u4e00-\u9fffA-Za-z]{{2,10}}(?:人|师|员|工|生|者|手|长|子|控|派|党|迷|盲|教徒|儿)(?![\u4e00-\u9fff])",
    rf"{_WO}(?:现在|一直|就|也)*(?:在[\u4e00-\u9fff]{{1,8}})?(?:做|当)(?:一?[名个位])?[\u4e00-\u9fff]{{1,6}}(?:师|员|工|匠|手|长|人|家|医|警|商)(?![\u4e00-\u9fff])",
    rf"{_WO}(?:最|很|特别|非常|超|也|一直|从小|就|真的|更|比较|平时|平常)*(?:喜欢|爱(?!你|上)|讨厌|不喜欢|受不了|怕(?!是|不|我|他|她))(?![你这那他她它]|的是|上了|听你|了|$)",
    rf"{_WO}们?(?:家)?(?:还|也|现在)*有(?:[一两二三四五六几]|\d)?(?:个|只|条|匹|位)?[\u4e00-\u9fff]{{0,4}}(?:猫|狗|兔子|鸟|仓鼠|妹妹|弟弟|姐姐|哥哥|孩子|儿子|女儿|双胞胎|哮喘|糖尿病|偏头痛|癫痫|高血压|过敏)",
    rf"{_WO}(?:今年|已经|都)*(?:{_AGE}|\d{{2}}(?=$|，))|{_WO}(?:今年|[周虚]岁)+(?:\d{{2}}|[二三四五六七八九]十[一二三四五六七八九]?)(?=$|，)",
    rf"{_WO}(?:们)?(?:[跟和][\u4e00-\u9fff]{{1,4}})?是?(?:\d{{4}}年|[一二〇零三四五六七八九]{{4}}年)结的?婚",
    rf"{_WO}(?:家)?(?:的)?{KIN}(?:去年|前年|今年|刚刚?|已经|早就|都)*退休(?=了|，|$)",
    rf"{_WO}(?:家)?(?:的)?{KIN}(?:[^，]{{0,12}}，)?(?:[^，我]{{1,8}}，)?(?:有|得了|患有)(?:糖尿病|高血压|哮喘|帕金森|老年痴呆|阿尔茨海默|心脏病|痛风|抑郁|[\u4e00-\u9fff]{{1,6}}(?:炎|症))",
    rf"{_WO}(?:家)?(?:的)?(?:儿子|女儿|闺女|孙[女子]|妹妹|弟弟|老大|老二|老三|孩子)(?![我你他她])[\u4e00-\u9fff]{{0,3}}?(?:今年)?(?:(?:上|读|念)(?:幼儿园|小学|初中|高中|大学|[小初高大][一二三四五六])|(?:\d{{1,2}}|[一两二三四五六七八九十]{{1,3}})(?:岁|个月)(?=$|，|,|了))",
    rf"^(?:我(?:家|的)?{KIN}|(?![我你您他她它谁今明昨这那])[\u4e00-\u9fff]{{2,3}})(?:的)?(?:生日(?:是|在)?(?:每年)?(?:{slots.HAN_DATE})|(?:是|每年)?(?:{slots.HAN_DATE})(?:过)?生日)",
    rf"{_WO}(?:一直|有点)*(?:血压|血糖|血脂|尿酸)(?:一直|也|有点|偏|很|比较)*高",
    rf"{_WO}是(?:{CITIES})的$",
    rf"{_WO}(?:现在|正)*在?(?:读|念)(?:博士?|硕士?|研究生|研)(?=$|，|,)",
    rf"{_WO}(?:现在|今年)?(?:在[\u4e00-\u9fff]{{2,8}}?)?(?:(?:读|念|上)?(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三])|(?:读|念|上)(?:研究生|博士))(?=$|，)",
    rf"{_WO}(?:是)?学(?![你我他她它过会了习到的])[\u4e00-\u9fff]{{2,6}}的?$",
    rf"{_WO}(?:现在|一直|每天|每晚|早上|晚上|空腹|饭前|饭后|睡前|还|都|也|在)*(?:吃|服用|打)(?:着)?(?:一[片粒颗针])?{MEDICINE_CHINESE}",
    rf"{_WO}(?:的)?预产期(?:就)?是",
    rf"{_WO}(?:现在|正)*在[\u4e00-\u9fff]{{2,8}}(?:大学|学院|中学|高中|职高|附中|外国语|[一二三四五六七八九十]中|大(?=[读念上学]))(?:读书|上学|念书|[读念上][\u4e00-\u9fff]{{1,8}}|[\u4e00-\u9fff]{{2,6}}(?:系|专业|班))?(?=$|，)",
    rf"{_WO}(?:家)?(?:的)?(?:老[大二三]|[大小][儿女][子儿])(?:叫(?![我你他她])|是(?:男孩|女孩|儿子|女儿))",
    rf"{_WO}(?:的)?{BODY_PART}(?:一直|也|都|向来)*不太?好(?=$|，)",
    rf"{_WO}(?:一直|现在|目前|就|都|全职)*在家(?:全职)?带(?:[一两二三]个)?(?:娃|孩子)(?=$|，)",
    rf"{_WO}(?:有|得了|是)?(?:点儿?|些|轻度|中度|重度)?(?:产后抑郁|抑郁症|焦虑症|双相|强迫症|惊恐症|社恐|(?<=度)(?:抑郁|焦虑))(?=$|，)",
    rf"{_WO}在(?:{CITIES})(?:读书|上学|念书|上班|工作|打工)(?=$|，)",
    rf"{_WO}(?:的)?老家(?:(?:就)?(?:是|在)[\u4e00-\u9fff]{{2,8}}|(?={CITIES}|{PROVINCES})[\u4e00-\u9fff]{{2,6}}(?:的|人)?(?=$|，))|{_WO}(?:一直|现在)?(?:来自|姓)[\u4e00-\u9fff]{{1,6}}$",
    rf"{_WO}们?(?:家里?)?(?:还|也)*(?:养|有)了?(?:[一两二三四五])?(?:只|条|个|头)?[\u4e00-\u9fff]{{0,4}}{PETS}",
    rf"{_WO}们?家?(?:的)?{PETS}(?:就)?叫",
    rf"{_WO}(?:的)?(?:{KIN}|孙[女子])(?:住?在)(?:{CITIES})(?=$|，)",
    rf"{_WO}(?:的)?(?:孙[女子]|外孙女?)叫(?![我你他她外车])",
    rf"{_WO}(?:的)?{KIN}(?:(?!说|叫|在|是)[\u4e00-\u9fff]{{2,3}}(?=在[\u4e00-\u9fff]{{1,8}}当))?(?:也|就)?(?:是(?!不|说|想|觉得|在|怕|真|那|这|要|来|去|我|你)[\u4e00-\u9fff]{{0,6}}(?:师|员|工|生|医生|护士|老师|会计|司机|农民|警察|军人|经理|翻译|的)(?=$|，)|叫(?![我你他她外车])|姓|(?:在|做|开|跑)[\u4e00-\u9fffA-Za-z]{{1,12}}(?:上班|工作|当[\u4e00-\u9fff]{{2,5}}|教书|读书|读[\u4e00-\u9fff]{{1,3}}|上学|运输的?|翻译的?|生意|店|的)(?=$|，)|今年{_AGE}|(?:今年)?(?:上|读)(?:小学|初中|高中|大学|[初高大一二三四五六])[^，]{{0,5}}(?:，叫|$))",
    rf"{_WO}(?:也|一直|从小)*(?:对[\u4e00-\u9fff]{{1,8}}|(?![不妈爸哥姐弟妹奶爷姥外公婆老儿女男们家])[\u4e00-\u9fff]{{2,4}})过敏(?!了|的|原|药|科|体)",
)
CHINESE_UNSURE = (
    r"^(?:医生|大夫|中医|营养师)(?:一直|都|也)*(?:不让|不许|不准)我?(?:再)?[吃喝碰沾抽][\u4e00-\u9fff]{1,8}(?=$|，)",
    r"^(?:医生|大夫|中医|营养师)(?:说|让|叫|嘱咐|建议|要求)我(?:平时|以后|必须|要|得|最好)*(?:少|别|不要|不能|不许|不可以|忌|戒|多|控制|避免)[吃喝碰沾抽]?[\u4e00-\u9fff]{1,8}(?=$|，)",
    rf"{_WO}(?:现在|目前|暂时|一直|先)*(?:借)?住在?(?!得|了)[\u4e00-\u9fff]{{1,8}}家(?:里)?(?=$|，|的)",
    rf"{_WO}(?:自己|也|还|一直|从小)*(?:有|得了|患有)(?:点儿?|轻度|轻微|中度|重度|严重的?|慢性|先天性)*(?:[\u4e00-\u9fff]{{1,6}}(?:炎|症|结节|突出|囊肿|肌瘤|息肉|结石|不全)|[\u4e00-\u9fff]{{1,4}}(?<!毛)(?<!生)(?<!看)病|贫血|湿疹|痛风|甲[减亢]|鼻窦炎|荨麻疹)(?=$|，)",
    rf"{_WO}(?:的)?(?:[\u4e00-\u9fff]{{1,4}}结节|腰椎间盘突出|颈椎病|鼻炎)(?=$|，)",
    rf"{_WO}(?:[\u4e00-\u9fff]{{0,3}}[胃肠肝肾牙][\u4e00-\u9fff]{{0,3}}不好[，,])?(?:也|一直|从来|从|现在|所以)*(?:不能吃|不吃|不喝|不抽|不能喝|吃不了|喝不了|闻不了|闻不得|碰不得)",
    rf"{_WO}们?(?:自己|现在|也|就)*(?:在[\u4e00-\u9fff]{{1,8}})?(?:开|经营)(?:了|着)?(?:一?[家间个])?[\u4e00-\u9fff]{{1,8}}(?:店|馆|厂|公司|工作室|诊所|民宿|农场|铺子?)$",
    rf"{_WO}(?:也|还)*会(?:弹|拉|吹|说(?![什你我他她的])|游泳|画画|下棋|开车)",
    rf"{_WO}(?:都|一般|平时)*(?:每)?(?:周|星期|礼拜)[一二三四五](?:到|至)(?:周|星期|礼拜)?[一二三四五六日天](?:都)?(?:要)?(?:上班|上课|值班|在家办公|出差)",
    rf"{_WO}(?:都|一般|平时|基本上?|每逢|逢|每)*(?:(?:周|星期|礼拜)[一二三四五六日天]|初一十五|单日|双日)(?:都)?(?:吃素|不吃[\u4e00-\u9fff]{{1,3}}|斋戒|断食)",
    rf"{_WO}(?:平时|一般)*(?:很少|几乎不|基本不|偶尔)(?:喝酒|抽烟|喝咖啡|喝奶茶|吃[\u4e00-\u9fff]{{1,3}}|运动|熬夜)(?=$|，)",
    rf"{_WO}(?:现在|最近|正)*(?:在|正在)(?:戒|减)(?:烟|酒|糖|咖啡|肥|重)(?=$|，)",
    rf"{_WO}们?(?:家)?(?:刚|新|最近|刚刚)*买了(?:一?[辆台])[\u4e00-\u9fffA-Za-z]{{0,8}}车?(?:，[\u4e00-\u9fffA-Za-z]{{2,10}})?$",
    rf"{_WO}(?:也|一直)*(?:每(?:[天周晚]|个?周末|个月)都?(?!在[\u4e00-\u9fff]{{1,3}}这)|从不|从来不|总是)",
    rf"{_WO}(?:是)?(?:独生[子女]|单亲|双胞胎|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|[回满苗壮藏蒙古维彝土家]{{1,4}}族)(?:的)?(?=$|，)",
    rf"{_WO}最(?:喜欢|爱)的[\u4e00-\u9fff]{{1,8}}是",
    rf"{_WO}(?:自己)?开(?:的是|着|了)?(?:一?[辆台])(?!会)[\u4e00-\u9fffA-Za-z]{{2,12}}$",
    rf"{_WO}(?:的)?(?:妹妹|弟弟|姐姐|哥哥|儿子|女儿|猫|狗)叫",
    rf"{_WO}(?:家)?(?:的)?{KIN}(?:也|从小|一直|现在)*(?:不能吃|不吃|不能喝|忌)(?!了)",
    rf"{_WO}(?:身高|有(?:高度|中度|轻度)?(?:近视|远视|散光|色弱|色盲)|(?:也|一直|还)*不会(?:开车|游泳|做饭|骑车|喝酒|打牌))",
    rf"{_WO}(?:现在|一直|还)*[跟和](?:{KIN}|公婆|父母|爸妈|岳父岳母|爷爷奶奶|外公外婆|室友|朋友)(?:们)?(?:一起|同|合)住",
    rf"{_WO}(?:一直|长期|平时|都)*(?:上|值|倒)(?:[夜白早晚中]班|大夜|三班倒|两班倒)(?=$|，)",
    rf"{_WO}(?:一直|平时|都)*(?:在家|居家|远程)(?:办公|上班|工作)(?=$|，)",
    rf"{_WO}(?:的)?(?:老板|领导|上司|主管|房东|邻居|班主任|导师|教练|同桌|室友|(?:最)?好的?朋友|闺蜜|死党|发小)(?:姓[\u4e00-\u9fff]|是(?![个谁这那我你他她不很在])[\u4e00-\u9fff]{{1,3}}(?:阿姨|叔叔|老师|医生|先生|女士)?)(?=$|，)",
    rf"{_WO}(?:的)?(?:工资|月薪|年薪|体重|身高)(?:是|有|大概|差不多)*[\d一二两三四五六七八九十百千万半点多块斤公米厘]+(?=$|，)",
    rf"{_WO}(?:平时|每天|一般|都)*(?:坐(?:地铁|公交|班车|轻轨)|骑(?:自行车|电动车|单车|摩托|车)|开车|走路)去?(?:上班|上学|通勤)(?=$|，)",
    rf"{_WO}(?:参加|加入)了[\u4e00-\u9fff]{{1,8}}(?:团|队|社|俱乐部|协会)(?=$|，)",
    rf"{_WO}(?:办了?|有)一?张[\u4e00-\u9fff]{{1,6}}卡(?=$|，)",
    rf"{_WO}(?:一直|也)*戴着?(?:牙套|眼镜|助听器|隐形眼镜|假牙)(?=$|，)",
)
PASSING_CHINESE = re.compile(
    r"昨天|今天|明天|刚才?|现在(?!是|住|在|吃)|这次|上[周次]|下[周次]|以前|曾经|打算|准备|如果|要是|因为|但|不过.|当时|那时|(?<!岁)(?<![小大]学)(?<![初高]中)(?<!幼儿园)了$|过$|[?？]|吗|呢$|时候"
)
