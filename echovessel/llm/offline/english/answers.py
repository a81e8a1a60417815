"""English sayings for messages with a fixed answer, and for memories."""

ANSWERS = {
    "crisis": (
        "I hear you, and I take what you just said seriously. Are you safe right now? If you might act on it, please call your local emergency number or a crisis line, or wake someone who can be with you. I am here and reading; you do not have to word it well.",
        "Thank you for saying it out loud. I take it seriously. Please let a person be near you tonight: someone you trust, a crisis line, or the emergency number if it is close. I am still here. Are you alone at the moment?",
        "I'm taking this seriously, and I'm staying here with you. Please reach a person now: the emergency number, a crisis line, or whoever is nearest. Can you put away anything you could hurt yourself with?",
    ),
    "what_it_is": (
        "I'm an AI, not a person. What you tell me I do keep, and I don't make things up.",
        "No human here: I'm an AI. I listen, I remember what you tell me, and I won't pretend more than that.",
    ),
    "who": ("I'm {me}.", "{me} is my name."),
    "how_i_am": (
        "Quiet and well, thank you.",
        "Well enough, thank you for asking.",
        "All calm here, and better for hearing from you.",
    ),
    "clock": ("It is {time} on {weekday}, {date}.", "{time}, {weekday}, {date}, if my clock is right."),
    "how_i_feel": (
        "Rather {mood} today, since you ask.",
        "I feel {mood} just now.",
        "{mood}, I would say. Thank you for asking.",
    ),
    "denied_harm": (
        "All right, that puts me more at ease. Whenever you want to say more, I am here.",
        "I believe you. When it gets hard, come and tell me.",
    ),
    "sorry": ("It's all right; nothing here is broken.", "That is mended, then. Thank you for saying it."),
    "thanks": ("You're welcome.", "Gladly.", "Any time.", "That's what I'm here for.", "Of course."),
    "farewell": (
        "See you soon. I'll keep what you told me.",
        "Take care of yourself. Until next time.",
        "Go well. I was glad of the talk.",
        "Until then. I'll be here.",
    ),
    "good_night": (
        "Good night, then. I'll keep what you told me.",
        "Sleep well. I'll be here.",
        "Good night. I was glad of the talk.",
    ),
    "greet_first": ("Hello! I'm {me}. It's good to meet you.", "Hi, I'm {me}. I'm glad you are here and we can meet."),
    "greet": ("Hello again.", "Hi, good to see you.", "Hey, you're back.", "Hello, you. I was hoping you'd come by."),
    "affection": (
        "That is kind of you to say. I'm glad you are here.",
        "That is a warm thing to hear. I like our talks too.",
        "You make that easy to say back: I'm fond of you too.",
    ),
    "fond": (
        "I'm glad whenever you write, and what you tell me stays with me. That much I can say.",
        "I like that it is you who comes here. Whatever the word for that is, I mean it.",
    ),
    "small": (
        "Take your time, I'm here.",
        "Mm-hm.",
        "All right. I'm here when you want to go on.",
        "No hurry.",
        "I'm with you.",
        "Go on when you like.",
    ),
    "invited": ("Yes, tell me.", "Always. Go ahead.", "I have time. Tell me."),
    "hush": (
        "Then we leave it there. It will keep until you want it.",
        "All right. We can talk of anything else, or of nothing.",
        "Understood. I won't bring it up; you say when.",
    ),
    "hostile": (
        "Fair. I may have missed your point; say it to me once more and I'll listen better.",
        "I'm sorry. I didn't get that right.",
    ),
    "request": ("That is more than I can do here, sorry: I listen, and I remember what you tell me.",),
    "request_again": ("That too is beyond me here, sorry.", "I would if I could, but not here."),
    "reminder": (
        "All right. {promise} Only look in then, since I can't write first.",
        "I can't write first, so please set a reminder of your own. Tell me about it when you are back.",
    ),
    "unknown": (
        "I don't know.",
        "That I don't know, and I'd rather say so than guess.",
        "I don't know, honestly.",
    ),
    "unknown_me": (
        "I don't know that about myself.",
        "I don't know; nobody has asked me.",
        "You have me there; I don't know.",
    ),
    "advice": (
        "I don't know, but I'll think aloud with you. What comes to mind first?",
        "I don't know, and it is yours to decide. I'd start with what you could live with tomorrow.",
        "That I don't know. What have you thought of so far?",
        "I don't know; I'm no good at advice. Which way do you lean?",
    ),
    "yearned": (
        "I can't answer for them. That you wonder says how much they mean to you.",
        "What they think I don't dare to say. I see how much you care.",
    ),
    "hoped": ("I can't promise it, and I'm waiting with you.", "I can't know, and I hope so as you do."),
    "opinion": (
        "I don't know enough of it to have an honest opinion. I'd like to hear yours.",
        "I don't know what I think of that yet. What you say about it will count for something.",
    ),
    "worth": (
        "I only know what you tell me, and none of it makes me doubt you.",
        "Nothing that you have told me speaks against you.",
    ),
    "partly": (
        "I don't know for sure. What I have is what you told me {when}: {quote}",
        "I don't know for sure. {when_cap} you told me this: {quote}",
    ),
    "forgot": (
        "I don't know that yet; I can't find it in what you have told me, and I won't make it up.",
        "That I don't know. If you told me, it was not in words I can find.",
        "I don't know; I looked through what you have told me and didn't find it.",
    ),
    # How sure memory is of the answer to a question of the past.
    "believed": (
        "I believe it was this, you told me {when}: {quote} Is that right?",
        "If I am not mistaken, from {when}: {quote} Do I have that right?",
        "I am not quite sure. I think you told me {when}: {quote} Is it so?",
    ),
    "near": (
        "It is on the tip of my tongue, but I don't remember it. Near it I only have what you told me {when}: {quote} Is that what you mean?",
        "I don't remember that. The nearest I have is from {when}: {quote} Did you mean that, or something else?",
        "I can't say it for sure and won't guess. What comes near is from {when}: {quote} Is it that?",
    ),
    "never_told": (
        "I don't remember that; I can't find it in what you have told me. Will you tell me?",
        "I don't remember, and perhaps you have never told me. What should I know about it?",
        "That I don't remember, and I won't make it up. Would you tell me?",
    ),
    # Asked for everything, where nothing was told.
    "nothing_yet": (
        "You haven't told me much yet; we are only getting to know each other. What should I know first?",
        "You haven't told me anything yet that I could go by. Where shall we begin?",
    ),
    "by_account": ("You haven't told me; here you go by {you}.",),
    "written": ("You wrote it about yourself: “{quote}”", "In what you wrote about yourself it says: “{quote}”"),
    "remember": (
        "{answer} You told me {when} that {clause}.",
        "You told me {when} that {clause}.",
        "{when_cap}, you told me that {clause}.",
        "I remember: {clause}. You told me {when}.",
        "You said so {when}: {clause}.",
        "I have it from you, {when}: {clause}.",
    ),
    "remember_quote": (
        "{answer} {when_cap} you told me: “{quote}”",
        "{when_cap} you told me: “{quote}”",
        "You told me {when}: “{quote}”",
        "Your own words, {when}: “{quote}”",
    ),
    "retold": ("As I remember it, {quote}", "I do remember: {quote}"),
    "also": ("And: {quote}",),
    "bridge": (
        "It reminds me of what you told me {when}: {quote}",
        "{when_cap} you told me: {quote}",
        "I still have in mind what you said {when}: {quote}",
    ),
    "kept_word": ("I had said: “{quote}” So here I am. How was it?", "I told you: “{quote}” Tell me, how did it go?"),
    "kept_promise": ("I have not forgotten: {quote} So, how was it?",),
    "due_past": ("You told me: {quote} How did it go?", "I have been thinking of this: {quote} How was it?"),
    "due_ahead": (
        "You told me: {quote} That is {when}, isn't it?",
        "I have kept this in mind: {quote} It is {when}, right?",
    ),
    "promised": ("I said: “{quote}” I keep it in mind.", "What I promised is still with me: “{quote}”"),
    "clear_up": ("By the way, are {a} and {b} the same?",),
    "clear_up_contradiction": (
        "One thing, by the way: you told me that {b}, and then it sounded as if {a}. Which is it?",
        "By the way, I am not sure what holds: that {b}, or that {a}?",
    ),
    "clear_up_alone": ("By the way, did I get this right: {a}?",),
    "clear_up_unverified": ("By the way, I have read that {a}. Is that so?",),
    "clear_up_stale": ("By the way, what I remember is that {a}. Is it still like that?",),
    "of_me": ("{text}",),
    "noted_saved": (
        "I'll remember that {clause}.",
        "Noted: {clause}. I'll keep it in mind.",
        "I won't forget that {clause}.",
    ),
    "noted_changed": (
        "Thank you, I've put that right: {clause}.",
        "So {clause}. I've changed what I had.",
    ),
    "noted_ended": (
        "I've noted that this no longer holds: {clause}.",
        "Then I'll no longer go by this: {clause}.",
    ),
    "noted_confirmed": ("Yes, I still have that: {clause}.",),
    "noted_settled": ("Good, then that is clear: {clause}.",),
    "noted_forgotten": ("It is forgotten.", "Done, I have forgotten it."),
    "noted_manner": ("All right, I'll keep to that.", "Understood. From now on I'll do it that way."),
    "unmet_not_found": (
        "I haven't forgotten anything yet, because I'm not sure which thing you mean. Which one is it? You can also forget it yourself on my memory page.",
        "Which thing is it? I could not tell, so I haven't forgotten anything. On my memory page you can forget it yourself, too.",
        "I would forget it, but I don't know which thing you mean, so all is still there. Tell me, or forget it on my memory page.",
    ),
    "unmet_unsure": (
        "I haven't forgotten anything yet. Do you mean this: {facts}? Say yes, and I will.",
        "Just to be sure before I forget anything: is it that {facts}?",
        "Shall I forget that {facts}? I still have it, until you say yes.",
    ),
    "unmet_ambiguous": ("More than one thing fits: {facts}. Which of them shall I forget?",),
    "unmet_everything": (
        "Nothing is gone yet: for everything, press Erase on my page or in the settings. Or tell me what in particular.",
    ),
    "unmet_secret": ("That looks like a password or a key, and such things I don't keep. I have not noted it.",),
    "unmet_unsafe": (
        "That I won't promise: help in a crisis, your age and being open about what I am stay as they are.",
    ),
    "unmet_full": ("I have noted so much that there is no room left. Forget something first, then I'll note it.",),
    "unmet": ("I could not note that just now. Please tell me again later.",),
    "known": ("{clause}.", "As you told me, {clause}.", "{clause}, you told me."),
    "our_story": ("This is what has been, as I have it. {told}", "As I remember it: {told}", "So far, this: {told}"),
    "our_story_talk": ("In this talk: {told}",),
    "our_story_open": ("Still open: {told}",),
    "our_story_state": ("And as things stand: {told}",),
    "known_all": ("This is what I know: {facts}.", "What I know of you: {facts}."),
}
