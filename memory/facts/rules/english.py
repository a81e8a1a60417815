"""What English sentences ask to remember, how to talk, and what to forget."""

from dataclasses import replace
from itertools import islice

from echovessel import lazy_re as re
from echovessel.llm.offline.text import clauses, lexicon, passages, unwelcome
from echovessel.llm.offline.text.passages import Passage
from memory.facts.rules.requests import Forgetting, Remembering, build_told

# How many wishes of a sentence are looked at.
_MOST = 3

# What may stand before a request in its clause.
_POLITE = r"(?:please|pls|from now on|alright|fine|just|also|and|but|so|then|always|ok|okay|hey|oh|well|now|do|kindly|maybe|actually|dear|omg|lol|haha|um|btw|wait|right|yeah|you (?:should|must|need to|have to|can|may)|you(?:'d| had) better|(?:can|could|will|would) you(?: please| also| just| mind)?|(?:want|need|like|ask|love for) you to|(?:i'd|i would) (?:rather|prefer it if|prefer) you(?: would)?|try to|make sure(?: you| to)?|let it be noted,)"
_LEAD = re.compile(
    rf"(?:^|[,:;–—(-])\W*(?:{_POLITE}[\s,]+)*$|(?:^|\s)(?:please|(?:want|need|like) you to|rather you)\s+(?:also |just )?$",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"\b(?:remember|know (?:this|that|it) (?:again|after all)|(?:keep|remember) it after all|(?:don't|do not) (?:you )?(?:ever )?forget|(?<=please )never forget|(?:keep|bear) (?:(?:this|that|it) )?in mind|note(?= that\b|:)|for (?:future|your) reference(?=[,:])|(?:write|jot|put|note) (?:(?:this|that|it) )?down(?= that\b|:|\W*$)|(?:make|take) (?:a )?note(?: of (?:this|that|it)| (?=that\b|:))?)(?![\w'])",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^[\s,:–—-]*(?:(?:please|also|too|for me|this time|it this time|this|one thing)\b[\s,:–—-]*)*(?:that\b)?[\s,:–—-]*",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
# "Thirty-one now, remember that instead of the nineteen": what follows the wish belongs to what stands before it.
_IN_PLACE = re.compile(r"^(?:instead of|rather than|(?:and )?not)\s", re.IGNORECASE)
# What is named with its value, as in "my blood type: O negative".
_NAMED_VALUE = re.compile(r"^((?:my|our|the) [\w' -]{2,30}?)(?: after all| again)?: (?=\S)", re.IGNORECASE)
# "Remember, so I can't back out": what stands before it is meant.
_SO_THAT = re.compile(r"^\W*(?:(?:this|that|it)\b[\s,]*)?(?:for me[\s,]*)?so (?:that )?i\b", re.IGNORECASE)
_PLEASE_BEHIND = re.compile(
    r"[\s,]+(?:please|pls|thanks|thank you|(?:will|would|can|could) you(?: please)?)[\s.!]*$"
    r"|,\s*(?:for when|in case|so that) (?:i|we|you)\b[^.!?]*$",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"^\W*(?:when|to|how|what|who|whom|whose|where|why|if|whether|him|them|us|me|you|yourself|once|back|the time|anything|everything|nothing|which|-|about)\b(?! (?:is|are|likes?|loves?|hates?|can't|has)\b)",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|are|was|were|isn't|aren't|wasn't|has|have|had|hasn't|haven't|can|can't|cannot|could|will|won't|does|doesn't|do|don't|did|didn't|should|must|"
    r"likes?|loves?|hates?|lives?|works?|needs?|wants?|makes?|gives?|takes?|goes|comes|starts?|ends?|means?|prefers?|eats?|drinks?|speaks?|plays?|"
    r"died|moved|calls?|called|became|begins?|opens?|closes?|costs?|gets?|got|left|feels?|studies|study|keeps?|sleeps?|helps?|scares?|bites?|hurts?|causes?)"
)
_NOUN = r"(?!(?:i|we|you|he|she|they|that|when|where|who|which)\b)[\w'&-]+"
_OWN = rf"(?:i|we)(?:'\w+|\s+(?!and\b|love you|miss you|like you|was here|am here|said\b|told\b|asked\b|mentioned\b)[\w']+)|(?:my|our)\s+(?:{_NOUN}\s+){{1,5}}?{_VERB}\b|(?:my|our)\s+(?:{_NOUN}\s+){{0,3}}?{_NOUN}(?<!\s)'s\s"
_STATEMENT = re.compile(
    rf"^(?:{_OWN}|(?:he|she|it|they|there|this)(?:'\w+|\s+(?:also |never |always )?{_VERB})\b"
    rf"|(?:the|a|an|his|her|their|these|those|both|all)\s+(?:{_NOUN}\s+){{1,4}}?{_VERB}\b|(?-i:[A-Z])[\w'-]+\s+(?:(?:and|also|never|always|really)\s+)*(?:(?-i:[A-Z])[\w'-]+\s+)?{_VERB}\b"
    rf"|(?:he|she|(?-i:[A-Z])[\w'-]+)\s+(?-i:[a-z]{{2,}}s)\s+\w|[\w-]+(?:s|ing)\s+{_VERB}\b|(?:on|at|in|from|every|tomorrow|today|tonight|next|this|with|for|after|before|since)\b.{{0,60}}?\b(?:{_OWN})|(?:tomorrow|today|\w+day)(?:'s| is) |no\s+\w+|(?:allergic|intolerant) to )",
    re.IGNORECASE,
)
# After "that" a statement begins with whoever or whatever it is of: "remember that wasps put me in hospital once".
_STATEMENT_AFTER_THAT = re.compile(
    r"^(?!(?:nobody|everyone|everybody|people|life|love|time|day|night|summer|winter|evening|weekend|year|moment|feeling|trip|one)\b)"
    r"(?!(?:\w+\s+){1,2}(?:i|we|you|he|she|they|when|where|who|from|in|at|on|by)\b)"
    r"(?:(?:(?:my|our|his|her|its|their|the|an?|these|those|all|both|every|each|no|some|there)\s+\S+|(?-i:[A-Z])[\w'-]+|[a-z-]+s)\s+\S|(?:\S+\s+){3}\S)",
    re.IGNORECASE,
)
_FONDNESS = re.compile(
    r"^i (?:really |do )?(?:love|miss|like|adore|need|appreciate) you\b|^i'm (?:here|always here|there|with you|your)\b",
    re.IGNORECASE,
)

_HENCEFORTH = re.compile(r"\bfrom now on\b", re.IGNORECASE)
_MANNER = re.compile(
    r"^[\s,:]*(?:(?:please|just|only|also|and|so|hey|ok|okay|well|i'd like you to|i would like you to|i want you to|i need you to|could you|can you|would you|will you|you (?:should|can|must|may|will|are to|have to|need to)|it would be nice if you|try to)[\s,]+)*"
    r"(?:don't|do not|never|always|stop|no (?:more )?\w+|(?:only|just) (?=use|answer|reply|speak|talk|write|call|say)|use|answer|reply|respond|speak|talk|write|call|address|say|tell|ask|be|keep|remind|give|send|"
    r"avoid|skip|treat|help|listen|text|greet|explain|correct|check|start|end|finish|act|sound|refer|mention|message|translate|joke|drop|leave|add|include|make)\b(?! (?:will|is|it's|'s)\b)"
    r"|^[\s,:]*(?!(?:i|we|he|she|they|it|my|our|the|there|this|that|let|you|what|who|nobody|everyone)\b)\w+ (?:(?:to|with|for|at) )?me\b"
    r"|^[\s,:]*(?:i(?:'d| would) (?:like|love|prefer)\b|(?:some|shorter|longer|fewer|less|more|no)\b).{0,24}\b(?:answers?|repl(?:y|ies)|messages?|responses?|questions?|emojis?|jokes?|advice|sarcasm)\b",
    re.IGNORECASE,
)
_OF_MYSELF = re.compile(
    r"^[\s,:]*(?:please )?(?:don't|do not|never|stop|be) (?:worry|care|mind|wait|look back|give up|afraid|honest(?! (?:with me|when|if|about)\b))\b",
    re.IGNORECASE,
)

# What is asked for outright, and by words that mean something else as well: these need to say that it was told.
_FORGET = re.compile(
    r"\b(?:forget|(?<=rather you )forgot|delete|erase|(?<=mind )(?:forgetting|deleting|erasing)|i (?:don't|do not) want you to (?:remember|keep|store|hold on to)|(?:don't|do not) keep|(?:don't|do not) remember|"
    r"(?:(?:you )?(?:don't|do not) (?:need|have) to|(?:you )?needn't|no need to|stop|quit) (?:remember|keep|hold on to|hang on to|store|save)(?:ing)?|"
    r"(?:don't|do not|stop) (?:hold(?:ing)?|hang(?:ing)?) on to|(?:don't|do not) (?:store|save))(?![\w'])",
    re.IGNORECASE,
)
_DROP = re.compile(
    r"\b(?:never mind|scratch|strike|drop|wipe|remove|clear|unlearn|ignore|disregard|get rid of|(?:let's )?pretend|act as if|take (?:back|out)|put(?=[^.!?]{2,80}\b(?:out of|from|off) your (?:notes|memory|head|mind|list)\b)|(?:i(?:'d like to| want to|'ll)? )?take back|take)(?![\w'])",
    re.IGNORECASE,
)
_WIPE = re.compile(r"wipe|clear|remove", re.IGNORECASE)
# "You don't need to remember everything" asks for nothing.
_KEEP = re.compile(r"remember|keep|hold|hang|store|save", re.IGNORECASE)
_REMEMBERED = re.compile(r"remember|hold|hang", re.IGNORECASE)
_TOLD_THING = re.compile(
    r"^\s*(?:(?:out|away|back|off|all|of)\s+)*(?:(?:everything|anything|all|whatever|what) (?:that )?(?:i|we|you)(?:'ve| have| had)?(?: just| ever| once)? (?:told|said|mentioned|know|remember|noted|have)\b"
    r"|(?:the|that|this) (?:bit|part|thing|fact|note|memory|stuff|detail|line)s? (?:about|where|that|on|with|when|i)\b|(?:the|that|this|my) (?:[\w'-]+ ){1,3}(?:note|memory|entry|fact|stuff|thing|bit|part|business|story)s?\b|[^,.;]{2,40}? (?:out of|from|off) your (?:notes|memory|head|mind|list)\b"
    r"|(?:that )?(?:i|we)(?:'d)? never (?:told|said|mentioned)\b)",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"^\s*(?:absolutely )?(?:everything|all(?: of (?:it|this|that))?|it all|my (?:whole )?(?:data|memory|memories|facts)|all (?:the |my |your )?(?:facts|memories|notes|data))"
    r"(?: (?:that )?(?:you(?:'ve| have)? (?:know|remember|noted|saved|stored|learned|got|have)|i(?:'ve| have)?(?: ever)? (?:told|said)(?: to)?(?: you)?|we(?:'ve| have)?(?: ever)? talked about))?(?: (?:about|of|on) (?:me|us))?"
    r"(?:[\s,]*\b(?:please|now|ok|okay|again|from your memory|forever|for good|thanks|thank you))*[\s.!?]*$",
    re.IGNORECASE,
)
# "Forget where the shed key is, I don't trust that spot."
_WHERE_IT_IS = re.compile(
    r"\s*(?:where|what|who|which) (?P<thing>(?:the|my|our|his|her|their)\b[\w' -]{2,50}?) (?:is|are|was|were|lives?|works?|goes)(?=[,.;!]|\s*$)",
    re.IGNORECASE,
)
# "Could you forget ...?" asks for it like an order.
_ASKED = re.compile(
    r"^\W*(?:(?:and|so|hey|oh|ok|okay|please|then)\W+)*(?:(?:can|could|would|will) you (?!still|ever|even|really|actually)|do (?:please )?(?:remember|keep|note) (?:it|this|that)\b)"
    r"|,\s*(?:(?:will|would|can|could) you(?: please)?|ok|okay|all ?right|please)\W*$|^\W*don't you (?:ever |dare )?forget\b",
    re.IGNORECASE,
)
# Who pleads means the word: "forget the gym" alone may be an idiom.
_PLEADED = re.compile(
    r"\bplease\b|\b(?:can|could|would|will) you\b|\bi(?:'d| would)? (?:like|want|need|prefer) you to\b", re.IGNORECASE
)
_PLAIN_THING = re.compile(r"^ (?:the|that|those|these) \w")
# Only what is known is asked for.
_RECALLED = re.compile(r"\bcan you remember\b", re.IGNORECASE)
_NEVER = re.compile(
    r"(?:\b(?:not|never|can't|cannot|won't|couldn't|let's|i|we|he|she|they|(?<!you )to|who|people|always|how)|n't)\W*(?:\w+ly\W*)?$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^[\s,]*(?:all |everything |anything |whatever |the (?:fact|thing|part|bit|memory|note|story|one) )*(?:that|about|what|of)\b|^[\s,]*(?:everything|anything|all|the (?:fact|thing|part|bit|memory|note|story)|my|our|i(?:'\w+)?)\b|^[\s,]*(?-i:[A-Z])",
    re.IGNORECASE,
)
_TOLD = (
    r"(?:i|we)(?:'ve| have|'d)?(?: just| ever| once| never)? (?:told|said|mentioned|wrote|shared)(?: to)?(?: you)?(?: (?:that|about|of|with you))*(?: you)?",
    r"you (?:know|remember|have|wrote|noted)(?: of| about| down)*",
)
_TALK = re.compile(
    rf"^(?:\W|\b(?:today|yesterday|tonight|earlier|before|this morning|last (?:night|week|time)|just now|the other day|all|everything|anything|whatever|the|this|out|back|away|on|with|where|when|fact|thing|part|bit|stuff|detail|line|memory|memories|note|notes|story|one|that|about|what|of|{'|'.join(_TOLD)})\b)*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]*\b(?:please|again|now|okay|ok|thanks|thank you|from your memory|from memory|(?:out of|from|off) your (?:notes|memory|head|mind|list)|out|will you|would you|for me|earlier|before|today|yesterday|last night|just now|(?:that )?i(?:'ve)? (?:just )?(?:told you|mentioned|said)(?: about)?|notes?|memory|entry|facts?|stuff|thing|bit|part|business|any ?more))*[\s.!?,…]*$",
    re.IGNORECASE,
)
# "Forget that, I was joking."
# "I shouldn't have told you about the debt. Forget that."
_BACK = re.compile(r"^\s+(?:that|it|this)(?: one)?(?:, (?:will|would) you)?[\s.!?]*$", re.IGNORECASE)
_TOLD_BEFORE = re.compile(
    r"\b(?:shouldn't have (?:told|said|mentioned)|wish i hadn't (?:told|said|mentioned)|rather you didn't know)\b(?: to)?(?: you)?(?: about| that)?\s+(?P<what>[^.!?]+)[.!?\s]*$",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:everything|all|anything|whatever)\b.*\b(?:about|of|on|with)\b", re.IGNORECASE)
_DROPPED = re.compile(r"^ (?:it|that|this|about it|everything|it all)\s*(?:[,;:.!–—-]|$)", re.IGNORECASE)
# Whatever is to be done with what was told, it shall not be known: but for what is to be kept. Of a thing alone the rest
# must not be of something else: "forget the gym, I'm staying in".
_OF_KNOWING = r"(?=\s*(?:[.!]|please|$)|.*\b(?:bring|brought|mention\w*|know\w*|t[eo]ld?|tell|sa(?:id|y)|secret|private|remember\w*|talk\w*|found|find|read|reads|see)\b)"
_ORDER = re.compile(
    rf"^\W*(?:(?:{_POLITE}|well|yeah)[\s,]+)*(?:forget (?:about |all about )?(?P<thing>(?:the|my|our|that|those|these) [\w' -]{{2,60}}?)(?=[,.;!–—]|\s+please|$){_OF_KNOWING}"
    r"|(?!(?:remember|recall|keep|note|hear|know|mean|like|take|and|but|as|is|was|it|that|this|i|you|we|he|she|they|about|to|not|never|don't|do|did)\b)[a-z]+ (?:(?:everything|all|whatever|the thing|the bit|that thing|that) )?(?:what |that )?i(?:'ve)? (?:just )?(?:said|told you|mentioned) (?:about |of )?(?P<told>[\w' -]{2,60}?))"
    r"(?:[,.;!–—].*|\s+(?:i|it|because|since|as|please)\b.*)?$",
    re.IGNORECASE,
)
_YOU = re.compile(r"\bu\b", re.IGNORECASE)
_REASON = re.compile(
    r"(\b(?:forget|delete|erase)\b(?:[^,;]{3,80}(?=,)| (?:what|everything) i (?:said|told you) about (?:\w+ ){1,3}?(?=s?he['’]?s |it['’]?s |they['’]?re |i['’]?m )))(?:,\s*)?(?:i|i'm|im|i've|it|it's|its|shes|hes|theyre|she|he|they|we|that|there|my|because|since|as|cos)\b.*$",
    re.IGNORECASE,
)
# "What I said about Ann, please forget it."
_FRONTED = re.compile(
    rf"^\W*(?P<what>(?:the (?:thing|bit|part|stuff)|(?:about|regarding) (?:the|my|our|that|[A-Z]\w+)|(?:everything|all|what) (?:that )?i(?:'ve)? (?:just )?(?:told|said|mentioned))\b[^.;!?]{{3,80}}?),\s*(?:{_POLITE}[\s,]+)*(?:forget|delete|erase|scratch|drop) (?:it|that|about it)(?: please)?\W*$",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"^\W*(?:everything |that )?what i(?:'ve| have)? just (?:said|told(?: you)?|wrote)\W*$", re.IGNORECASE
)
_NOTHING = re.compile(
    r"^(?:it|this|that|them|him|her|me|you|us|everything|anything|all|ever|said|i|so|then|happened|is|was|your (?:notes|memory|head|mind|list))?$",
    re.IGNORECASE,
)


# What one said oneself is one's own word: "I said I'd do the barbecue, jot it down".
_I_SAID = re.compile(r"^\W*i (?:said|told (?:him|her|them|my \w+)) ", re.IGNORECASE)


def read_remembering(passage: Passage) -> Remembering | None:
    """Return what a sentence asks to remember."""
    if passage.is_question and not (_ASKED.search(passage.text) and not _RECALLED.search(passage.text)):
        return None
    if asked := _read_manner(passage):
        return asked
    told = clauses.take_out_wish(passage.text)
    if told is not None and _SO_THAT.match(told):
        return Remembering(said="")
    if told is not None and not passages.is_reported(_I_SAID.sub("", told)):
        is_instead = _INSTEAD.search(passage.text) is not None
        return replace(build_told(told, passage), is_instead=is_instead)
    for match in islice(_REMEMBER.finditer(passage.text), _MOST):
        before, behind = passage.text[: match.start()], passage.text[match.end() :]
        if passages.is_reported(before) or not _LEAD.search(before):
            continue
        if _SO_THAT.match(behind):
            return Remembering(said="", before=before)
        said = _NAMED_VALUE.sub(r"\1 is ", _PLEASE_BEHIND.sub("", _LINK.sub("", behind).rstrip("? ")))
        if _IN_PLACE.match(said):
            return Remembering(said=f"{before.rstrip(' ,')}, {said}")
        if not _IDLE.match(said) and _is_statement(said, link=behind) and not _FONDNESS.match(said):
            return Remembering(said=said)
    return None


def _is_statement(said: str, *, link: str) -> bool:
    is_clause = re.match(r"[\s,]*(?:please )?that\b", link, re.IGNORECASE) is not None
    return bool(_STATEMENT.match(said) or (is_clause and _STATEMENT_AFTER_THAT.match(said)))


def _read_manner(passage: Passage) -> Remembering | None:
    """Return how to talk "from now on", and what not to bring up."""
    if not lexicon.is_chinese(passage.text) and unwelcome.read_subject(passage.text):
        return Remembering(said=passage.text, facet="how_to_talk")
    match = _HENCEFORTH.search(passage.text)
    if match is None or passages.is_reported(passage.text) or passages.is_imagined(passage.text):
        return None
    for said in (passage.text[match.end() :], passage.text[: match.start()]):
        clause = said.strip(" ,.!:;-–—")
        if len(clause.split()) >= 2 and _MANNER.match(clause) and not _OF_MYSELF.match(clause):
            return Remembering(said=passage.text, facet="how_to_talk")
    return None


def read_forgetting(passage: Passage) -> Forgetting | None:
    """Return the words by which to find what a sentence asks to forget, without the reason that follows."""
    plain = _YOU.sub("you", passage.text)
    found = (
        _read_forgetting(Passage(said, passage.before)) for said in dict.fromkeys((_REASON.sub(r"\1", plain), plain))
    )
    return next(filter(None, found), None)


def _read_forgetting(passage: Passage) -> Forgetting | None:
    if fronted := _FRONTED.search(passage.text):
        return _build(f" {fronted['what']}")
    if passage.is_question and not _ASKED.search(passage.text):
        return None
    for match in islice(_FORGET.finditer(passage.text), _MOST):
        before, behind = passage.text[: match.start()], passage.text[match.end() :]
        if _BACK.match(behind) and _is_asked(before) and (asked := _build_back(match[0], passage.before)):
            return asked
        is_named = (_REMEMBERED.search(match[0]) is not None and behind.startswith(" the ")) or (
            _PLAIN_THING.match(behind) is not None and _PLEADED.search(passage.text) is not None
        )
        if (
            _is_asked(before)
            and (asked := _build(behind, is_named=is_named))
            and not (asked.is_everything and _KEEP.search(match[0]))
        ):
            return asked
    for match in islice(_DROP.finditer(passage.text), _MOST):
        before, behind = passage.text[: match.start()], passage.text[match.end() :]
        is_of_talk = _TOLD_THING.match(behind) or (_WIPE.match(match[0]) and _EVERYTHING.match(behind))
        if is_of_talk and _is_asked(before) and (asked := _build(behind)):
            return asked
    return None


def read_order(text: str) -> str:
    """Return what an order may want forgotten: it is one only where a fact tells that ("forget the bottle", "scrap what I said
    about Ann").
    """
    match = None if passages.is_question(text) or passages.is_imagined(text) else _ORDER.match(text)
    return _TAIL.sub("", match["thing"] or match["told"]).strip(" ,.!") if match else ""


def _is_asked(before: str) -> bool:
    return not _NEVER.search(before) and bool(_LEAD.search(before)) and not passages.is_reported(before)


def _build_back(asked: str, before: str) -> Forgetting | None:
    """Return what "that" is which shall be forgotten: what the sentence before says was told, or what was noted last."""
    if told := _TOLD_BEFORE.search(before):
        return Forgetting(words=told["what"])
    return Forgetting(words="", is_latest=True) if _KEEP.search(asked) else None


def _build(behind: str, *, is_named: bool = False) -> Forgetting | None:
    if _LATEST.match(behind):
        return Forgetting(words="", is_latest=True)
    if _EVERYTHING.match(behind):
        return Forgetting(words="", is_everything=True)
    if (clause := _WHERE_IT_IS.match(behind)) and not lexicon.find_kin(clause["thing"]):
        return Forgetting(words=clause["thing"].strip())
    if not (is_named or _REFERENCE.match(behind) or _TOLD_THING.match(behind)) or _DROPPED.match(behind):
        return None
    words = _TAIL.sub("", _TALK.sub("", behind)).strip(" ,.!")
    return None if _NOTHING.match(words) else Forgetting(words=words, is_whole=_WHOLE.match(behind.strip()) is not None)
