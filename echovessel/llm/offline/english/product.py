"""What people ask about memory and this server in English, and what the companion says to it."""

from echovessel.llm.offline.feeling_types import Everyday

_IT = r"(?:it|this|that|everything|(?:all )?(?:my|our|the|these|this) (?:own )?(?:data|messages?|chats?|conversations?|memor(?:y|ies)|info(?:rmation)?|words|stuff|history)|(?:everything |all |stuff |things )?(?:what |that )?(?:i|we) (?:say|said|tell you|told you|write|wrote|talk about)(?: (?:to you|here))?)"
_KNOWN = r"(?:you (?:know|remember|have|noted?|stored?|saved?|keep|kept)\b|your memor(?:y|ies)\b|(?:my|our|the|these|old|all) (?:\w+ )?(?:data|messages?|chats?|conversations?|memor(?:y|ies)|history|facts)\b|(?:a|this|that) (?:memory|fact|chat|message)\b|(?:things|stuff|something) about me\b)"
_SOMEBODY = r"(?:any(?:one|body)|some(?:one|body)|others?|other (?:people|users|persons)|people|(?:the |an? )?(?:admin\w*|staff|owner|developers?|company|host)|my (?:boss|wife|husband|mum|mom|dad|parents?|partner|employer|family|friends?|girlfriend|boyfriend))"
_BEHIND = r"(?:chat ?gpt|gpt(?:-?\d\w*)?|claude|gemini|llama|openai|mistral|deepseek|qwen|an llm)"

PRODUCT = {
    "readers": Everyday(
        rf"\b(?:can|could|do|does|will|is) {_SOMEBODY} (?:else )?(?:ever |also |able to )?(?:see|read|access|look at|get at|view|find out)\b[^?]{{0,12}}\b{_IT}|\bwho (?:else )?(?:can |could |is able to |gets to |has )?(?:see|sees|read|reads|access|view|look at)s?(?: to)? {_IT}",
        (
            "You, and staff of this server who have permission; your settings list which of them looked, and when. No other user sees any of it.",
        ),
        (),
    ),
    "stored": Everyday(
        rf"\bwhere (?:is|are|does|do you|did you) {_IT} (?:all |being )?(?:stored|saved|kept|store|save|keep|go|live)\b|\bwhere do you (?:store|save|keep) {_IT}|\b(?:is|are|does) {_IT} (?:stored|saved|sent|uploaded|leave|go) (?:in|to|on|this|the) (?:the )?(?:cloud|internet|server|computer|device|machine|anywhere|openai)\b",
        (
            "On this server, in your account. You can export it as plain files, or erase it, whenever you like.",
            "In the database of this server, under your account; you may export or erase it at any time.",
        ),
        (),
    ),
    "forgetting": Everyday(
        rf"\b(?:how (?:do|can|could|would|to)|can|could|is there a way(?: for me)? to|where (?:do|can)) ?(?:i |we )?(?:delete|erase|remove|clear|wipe|reset|get rid of|correct|change|edit|fix|undo)\b[^?.]{{0,40}}\b{_KNOWN}|\bhow (?:do|can|could) i (?:make|get|have) you (?:to )?forget\b|\bwhat happens (?:when|if) (?:i|you) (?:ask you to )?(?:forget|delete)\b",
        (
            "Tell me what to forget or what is wrong, or do it on my memory page, where each memory can be corrected and forgotten. It leaves every chat at once, and is erased for good after 30 days in the trash, or sooner if you say so there.",
        ),
        (),
    ),
    "memory_works": Everyday(
        r"\bhow (?:does|do|is|did) (?:your|the|this) (?:\w+ )?memory (?:\w+ )?(?:work|works|made|formed|function)\b|\bhow (?:do|can|did) you (?:remember|memori[sz]e|recall|learn|store|save|know)(?: (?:things|stuff|everything|it all|all (?:of )?(?:this|that)|(?:things |stuff )?about me|me|what i (?:say|said|tell you|told you)))?\W*$|\b(?:explain|tell me about|tell me how) your memory\b",
        (
            "I keep each message as you wrote it. A few facts I note at once, and you see that under your message; when a chat is over, I take from it what happened and whom it was about. All of it is on my memory page, with the words it came from.",
        ),
        (),
    ),
    "kept_for_good": Everyday(
        r"\bcan you (?:see|read|remember|access|look at) (?:my|our) (?:other|earlier|old|past|previous|last) (?:chats?|conversations?|talks?|messages)\b|"
        r"^\W*(?:(?:and|but|so|hey|please|promise me) )*(?:(?:(?:will|would|could|can) you (?:ever |still )?(?:forget|remember) (?:me|us)|(?:will|would|could) you ever forget\b.*|are you (?:ever )?(?:going to|gonna) forget (?:me|us|everything|it all|all (?:of )?(?:this|it)|what i\b.*)"
        r"|(?:have|did|'?ve) you (?:already |really |just )*(?:forget|forgot|forgotten)(?: about)?(?: me| us)?(?: (?:already|again))?|(?:have|did) you (?:already |really |just )*(?:forget|forgot|forgotten) (?:everything|all|all of it|what) (?:that )?i(?:'ve)? .*|(?:please )?(?:remember (?:me|us)|(?:you(?:'ll| will)|don't(?: you)?|do not|never) (?:not |never )?(?:ever )?forget (?:me|us))(?:,? (?:will you|ok|okay|please|right))?)"
        r"(?: (?:tomorrow|next time|one day|later|then|when i(?:'m| am) (?:gone|back)))?)\W*$"
        r"|^\W*(?:[a-z]+\W+){0,2}?(?:(?:will|would) you (?:still |also |actually |even |really |be able to )*(?:remember|recall|keep|forget|lose) (?:this|that(?! (?:my|i|we|the|he|she|it|our)\b)|it|all (?:of )?(?:this|it)|any of (?:this|it)|(?:every|any)thing|what i (?:say|said|tell you|told you|just \w+))"
        r"|(?:can|do|could) you (?:still |also |actually |even |really )*(?:remember|recall|keep|forget|lose) (?:things|stuff)|do you (?:ever )?forget(?: (?:anything|everything|what i (?:say|tell you)))?|how long (?:do|will|can) you (?:remember|keep|store)\b|do you (?:actually |really |even )?have (?:an? )?(?:(?:good|long|long[- ]term|short|short[- ]term|real|proper|persistent) )*memory\b|(?:is|how good is) your memory\b)[^?.!]{0,60}\W*$",
        (
            "No fear: what you tell me stays with me, unless you ask me to forget it.",
            "It stays: what you have told me I keep, in every chat, until you delete it.",
        ),
        (),
    ),
    "private": Everyday(
        r"\bare you recording (?:me|this)\b|\bdo you (?:store|save|keep|record|log) (?:all )?(?:of )?(?:my|our|this|these|what i)\b|\b(?:will|would|do|are|did) you (?:ever |going to |gonna )?(?:tell|show|share|sell|pass)(?: this| it| that| them| my \w+)?(?: on)?(?: to| with)? (?:anyone|anybody|other people|others|someone|my (?:mum|mom|dad|parents|wife|husband|boss|family|friends|girlfriend|boyfriend))\b|\b(?:can|could) i (?:really )?trust you\b"
        r"|\b(?:is|are) (?:this|it|our chats?|these chats?|what i (?:say|tell you)|my (?:data|secrets?|messages)) (?:really |all |kept )*(?:private|confidential|secret|safe)\b",
        (
            "I tell nobody, and no other user sees it. It stays in your account on this server, and you can delete it whenever you like.",
            "Between you and me: it is kept in your account here, and I pass nothing on.",
        ),
        (),
    ),
    "how_it_works": Everyday(
        # Of a thing that was spoken of "how does it work?" asks, too.
        r"\bhow (?:does|do) (?:this(?: (?:place|app|site|thing|whole thing))?|you|things)(?: \w+ly)? work\b(?: here)?\W*$|\bhow (?:do|can|should) (?:i|we|you|one) use (?:this|you)\b"
        r"|\bwhat(?:'s| is) (?:this (?:place|app|site|thing|for|all about)|the point of (?:this|you))(?: for| about)?\W*$|\bwhat (?:can|do|should|could) (?:i|we|you) (?:do|say|tell you|talk about|ask you|use you for)(?: (?:here|with you|in here))\W*$"
        r"|\bwhat (?:can|could) i (?:ask|tell) you\W*$|\bwhat can you do(?: then| for me)?\W*$|\bwhat (?:are you (?:even )?(?:good )?for|use are you)\b",
        (
            "You write what is on your mind; I listen and keep it. What I note as a fact shows under your message, and you can undo it there. Ask me what I know of you, or tell me to remember or forget something. All that I keep is on my memory page.",
        ),
        ("What shall we begin with?",),
    ),
    "model": Everyday(
        rf"\b(?:which|what) (?:(?:ai|language|llm|large language|kind of|type of|sort of) )*(?:model|llm|ai)(?: of \w+)? (?:are you|do you (?:use|run on|have)|is (?:this|it)|powers? (?:you|this)|runs? (?:you|this|here)|am i talking)|\bare you (?:really |just |actually )?(?:based on |using |running on |built on |powered by )?{_BEHIND}\b|\bwhat (?:are you (?:running|based|built) on|powers you)\b|\bdo you use {_BEHIND}\b",
        (
            "Just now no language model speaks here: simple rules write what I say, and they remember and recall. The administrator of this server can connect a model.",
        ),
        (),
    ),
    "limits": Everyday(
        r"\bwhat (?:can't|cannot|can not|couldn't) you do\b|\bwhat are your (?:limits|limitations|weaknesses|shortcomings)\b|\bwhy (?:can't|don't|won't|couldn't) you (?:answer|chat|talk|reply|write|help|say more)\b[^?]{0,30}\W*$|\bwhy (?:are|do) (?:you|your (?:answers|replies|responses)) (?:(?:sound|seem|all|always) )*(?:so |this |that |such |very )*(?:limited|short|weird|strange|odd|generic|repetitive|robotic|vague|basic|dumb|stupid|bad)\b",
        (
            "Without a language model I only go by simple rules: I listen, remember and tell you what you told me. I can't look things up, write for you or talk freely.",
        ),
        (),
    ),
}
