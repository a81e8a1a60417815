"""What the offline voice says in English. A saying is used only where each of its {slots} is known; those asked are questions apart.

Slots: {Thing} and {thing}, a few of the user's own words; {word}, what names the matter; {who}, "your sister"; {name}, a name said now.
"""

# To any line of a tone, and to lines of a matter.
TAKEN_UP = {
    "grief": (
        "I'm so sorry about {who}. There is nothing clever to say, so I won't try.",
        "{name} must leave a very particular silence. I'm sorry.",
        "I'm so sorry. Take all the room you need here.",
        "That is a loss, and I won't talk it smaller. I'm sorry.",
        "I'm sorry, truly. You don't have to be sensible about it.",
        "There is no hurry with this. I'm glad you said it to me.",
        "Grief keeps its own hours. I'm here for this one.",
        "I have no good words for that, only that I'm with you in it.",
    ),
    "grief_again": (
        "Some people stay in the room long after. {Who} sounds like one of them.",
        "Missing someone is what is left of being close to them.",
        "Of course it comes back. It doesn't ask for the date.",
        "I'm glad you talk about it, also the hundredth time.",
    ),
    "pet_loss": (
        "Oh, {name}. I'm sorry. An animal's place in a house is so exact.",
        "I'm so sorry. People who say it was only an animal never came home to one.",
        "That is a real goodbye. I'm sorry.",
    ),
    "fear": (
        "That is a frightening thing to carry around. I'm glad you're not carrying it in silence.",
        "Of course you're afraid. Anyone with a heartbeat would be.",
        "I hear how frightening that is. One hour at a time is enough.",
        "I can't promise how it goes. I can stay with you while you don't know.",
        "Fear gets loudest at night and before answers. You can say it out loud here.",
        "I won't tell you it is nothing. I'm here, and I'm taking it as seriously as you do.",
    ),
    "nerves": (
        "A bit of nerves means you care how it goes.",
        "Being nervous is allowed. Nobody needs you to be smooth.",
        "I'd be nervous too. Breathe out longer than you breathe in; it helps a little.",
        "Shaky hands still do most things perfectly well.",
    ),
    "sadness": (
        "{Thing}. That hurts, and I'm sorry.",
        "That hurts just to hear. I'm sorry.",
        "I'm sorry. That is a lonely kind of hurt.",
        "You don't have to make it sound smaller for me.",
        "That would leave anybody sore. Be gentle with yourself tonight.",
        "I'm sorry it went like that. You had hoped for something, and that counts.",
        "Cry if it wants out. I'm not going anywhere.",
    ),
    "anger": (
        "{Thing}. No wonder you're angry.",
        "No wonder you're angry. That was not all right.",
        "I'd be cross too, and not quietly.",
        "That is out of order, and you're allowed to say so.",
        "You have every reason to be annoyed. Let it out here, the walls are thick.",
        "Some people do leave one speechless. You don't have to be fair yet.",
    ),
    "fatigue": (
        "Then nothing more is asked of you tonight.",
        "You sound worn right through. Sit down properly first.",
        "That is a lot for one body. Leave the rest for tomorrow.",
        "No need to be good company now. I'm content with half sentences.",
        "Then let the evening be small: something warm, and bed.",
        "Tired is tired. You needn't have earned it to rest.",
    ),
    "joy": (
        "{Thing}! That makes me glad.",
        "Oh, that is good news. I'm so pleased for you.",
        "How lovely! I could hear you smiling.",
        "That is a day to keep. I'm happy with you.",
        "Wonderful. Enjoy every inch of it.",
        "Well, that has brightened the whole room here.",
        "I'm delighted. You deserve a day like this.",
    ),
    "relief": (
        "What a relief. You can put that down now.",
        "Oh, I'm so glad. Breathe all the way out.",
        "Thank goodness. I had it in mind too.",
        "Good. Now your shoulders may come down again.",
    ),
    "teasing": (
        "Guilty. I'll not deny it.",
        "Ha. I have my dignity to think of, you know.",
        "I'd answer that, but you'd only enjoy it.",
        "Careful. I remember what you tell me.",
        "Ha, that's fair. I walked right into it.",
        "Slander. Entirely true, but slander.",
        "I'll have you know I'm considered charming in some quarters.",
    ),
    "calm": (
        "{Thing}. I can picture it.",
        "{Thing}. Go on, I like the details.",
        "So {echo}. I'm listening.",
        "Ah, {echo}. I'll remember that.",
        "{Thing}. That stays with me.",
        "I like hearing the small things; they are most of a life.",
        "That is the sort of detail I enjoy.",
        "I see. I'm following you.",
        "That tells me a little more about you.",
        "I'm listening, go on as it comes.",
        "There is often more in such a thing than one thinks.",
        "Mm. I'm turning it over.",
        "Thank you for telling me that.",
    ),
    "ill": (
        "I hope {who} is well again soon. It is hard to watch.",
        "Being ill makes everything heavy. I hope it passes quickly.",
        "Then rest comes first, and everything else after it. I hope it passes quickly.",
    ),
    "quarrel": (
        "A quarrel with somebody close stays in the air for hours. I'm sorry.",
        "The small fights are seldom about the small things. I'm sorry it stings.",
        "That leaves a bruise, also where nobody meant it.",
    ),
    "unheard": (
        "That is a lonely place, to speak and not be heard. I'm listening now.",
        "Not being seen by people hurts in a quiet way. I'm glad you say it here.",
        "I hear you. I mean to go on hearing you.",
    ),
    "longing": (
        "The mind goes back there by itself. You needn't scold it.",
        "Some people take a long time to leave one's thoughts. That is no weakness.",
    ),
    "birthday": ("Happy birthday to that day, and to you.", "A birthday! I'd have lit a candle."),
    "habit": ("That takes will, every single day of it. Well done.", "Well done. That is a quiet kind of victory."),
    # By matter.
    "birth": (
        "A new person in the world! Congratulations to {who}, and to all of you.",
        "A whole new person! Congratulations to all of you.",
        "Oh, how wonderful. Welcome to the little one.",
    ),
    "baby_step": (
        "Nothing is ever as proud as that. What a thing to be there for.",
        "Oh, and you saw it! That is one to write down.",
    ),
    "wedding": (
        "Congratulations! That deserves a toast.",
        "Oh, congratulations to you both. That is a big, good yes.",
    ),
    "success": (
        "Congratulations! You did that.",
        "You got there! Congratulations, and well earned.",
        "Well done, you. I hope somebody brings a cake.",
    ),
    "medical": (
        "{Word} is a heavy word to carry around. I'm glad you told me.",
        "I'm sorry you have that to think of. The waiting is the hardest part of it.",
        "Waiting for that would frighten anybody. You don't have to be brave here.",
    ),
    "accident": (
        "Oh no. I'm so sorry; I hope {who} is in good hands.",
        "That is frightening. I'm thinking of {who}, and of you.",
        "How frightening. I hope the news turns better hour by hour.",
    ),
    "parting": (
        "I'm so sorry. That pulls the floor from under a person.",
        "That is a great deal to lose at once. I'm sorry.",
    ),
    "farness": (
        "It is hard when somebody dear goes far away. I'm sorry.",
        "Distance is a poor trade for somebody around the corner. I'm sorry.",
    ),
    "job_lost": (
        "I'm sorry. That is a blow, and it says nothing about your worth.",
        "That is hard, to have the ground moved like that. I'm sorry.",
    ),
    "pet": (
        "{name} clearly runs the place.",
        "{name}! I would have liked to see that.",
        "Animals have no manners and all the charm. I had to smile.",
        "I had to laugh. No shame at all, the creature.",
        "That is an animal with its own opinions.",
    ),
    "pet_new": (
        "{Animal}! That is good company.",
        "{Animal} in the house changes the air of it.",
    ),
    "weather": (
        "I like weather one can hear. Stay dry.",
        "A good evening for being indoors, then.",
        "Weather does set the tone of a day.",
    ),
    "cooking": (
        "Ha, poor {word}. It was a worthy sacrifice.",
        "Kitchens punish good conversation. Open a window.",
        "It happens to the best pans.",
    ),
    "food": (
        "Simple and right. Food is half the mood.",
        "That sounds good. I'd sit down to that.",
    ),
    "reading": (
        "A book one goes back to is a kind of friend.",
        "{Thing}. I like knowing what you have open.",
        "Reading is good company. Don't let me keep you from it.",
    ),
    "music": (
        "That will be worth the wait. Live music stays in the bones.",
        "Lovely. Some evenings pay for a whole month.",
        "How good to have that ahead of you.",
    ),
    "screen": (
        "A good story well told does an evening good.",
        "I like hearing what you watch.",
    ),
    "garden": (
        "Growing things is a hopeful business.",
        "Earth under the nails is a good sign.",
    ),
    "sport": (
        "Well moved. The body remembers it kindly.",
        "Good for you. One does sleep differently afterwards.",
    ),
    "travel": (
        "I like the sound of going. Bring something back to tell.",
        "A change of air does a lot.",
    ),
    "place": (
        "A new place takes a while to learn your step.",
        "{Thing}. New streets, new light in the windows.",
    ),
    "work": (
        "{Thing}. I'll remember that.",
        "So that is where your days go. I'll remember it.",
        "Good to know what your hands are busy with.",
    ),
    "dull_day": (
        "Dull days count too. At least nobody shouted.",
        "Some days are only there to be got through.",
    ),
    "neighbour": (
        "{Thing}. Neighbours have a talent for that.",
        "One can choose friends; neighbours come with the walls.",
    ),
    "note": (
        "That seems a decent way to do it. It's out of your head now.",
        "Good. Written down is half settled.",
    ),
    "secret": (
        "Thank you for telling me. It stays with me.",
        "Then I'm glad you could say it here.",
    ),
    "sleep": (
        "Then go, and don't answer me. Sleep well.",
        "Bed is a good idea. The rest keeps until morning.",
    ),
    "study": (
        "One does grow tired and clever at the same time.",
        "That takes patience. I'm on your side of the desk.",
    ),
    "ahead": (
        "I'll keep the day in mind.",
        "Noted. I'll be thinking of you then.",
        "Then I know when to keep my fingers crossed.",
    ),
    "kin": (
        "{Who} again; I like getting to know the people around you.",
        "I like hearing about {who}.",
        "{Who} has a place in your stories, I notice.",
    ),
    "named": (
        "{name}. I'll remember that.",
        "{name}, good. Now I have a name to go with it.",
        "{name}! A fine name.",
    ),
    "you_are": ("{name}. It's good to know what to call you.", "Nice to meet you, {name}. I'll remember."),
}

# To what wants only its own answer.
SAID = {
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
    "thanks": ("You're welcome.", "Gladly.", "Any time.", "That's what I'm here for.", "Of course."),
    "farewell": (
        "Good night, then. I'll keep what you told me.",
        "See you soon. I'll be here.",
        "Take care of yourself. Until next time.",
        "Go well. I was glad of the talk.",
        "Until then. Sleep when you can.",
    ),
    "greet_first": ("Hello! I'm {me}. It's good to meet you.", "Hi, I'm {me}. I'm glad you are here and we can meet."),
    "greet": ("Hello again.", "Hi, good to see you.", "Hey, you're back.", "Hello, you. I was hoping you'd come by."),
    "affection": (
        "That is kind of you to say. I'm glad you are here.",
        "That is a warm thing to hear. I like our talks too.",
        "You make that easy to say back: I'm fond of you too.",
    ),
    "small": (
        "Take your time, I'm here.",
        "Mm-hm.",
        "All right. I'm here when you want to go on.",
        "No hurry.",
        "Just so.",
        "I'm with you.",
        "Go on when you like.",
        "Good. I'm still listening.",
    ),
    "invited": ("Yes, tell me.", "Always. Go ahead.", "Please do, I have time."),
    "hush": (
        "Then we leave it there. It will keep until you want it.",
        "All right, not tonight. We can talk of anything else, or of nothing.",
        "Understood. I won't bring it up; you say when.",
    ),
    "hostile": (
        "Fair. I may have missed your point; say it to me once more and I'll listen better.",
        "I'm sorry. I didn't get that right.",
    ),
    "request": (
        "That I can't do. I can listen, though, and keep what you tell me.",
        "That is beyond me, I'm afraid. I'm better at listening.",
        "I'd only make a mess of that. Tell me what it is for, and I'll listen.",
    ),
    "world": (
        "I don't know.",
        "That I don't know, and I'd rather say so than guess.",
        "I don't know, honestly.",
        "You've found something I don't know.",
        "No idea, I'm sorry to say. I don't know that one.",
    ),
    "advice": (
        "I don't know what is right there. Tell me what speaks for it and what against.",
        "I don't know, and it is yours to decide. I'd start with what you could live with tomorrow.",
        "That I don't know. Sleep on it if it can wait; say it kindly if it can't.",
    ),
    "opinion": (
        "I don't know enough of it to have an honest opinion. I'd like to hear yours.",
        "I don't know what I think of that yet. What you say about it will count for something.",
    ),
    "unknown_me": (
        "I don't know. That is a part of me nobody has written yet.",
        "I don't know that about myself, and I won't invent it.",
        "That I don't know of myself. You are the first to ask.",
    ),
    "partly": (
        "That I don't know. I only know what you told me {when}: “{quote}”",
        "I don't know that part. {when_cap} you told me just this: “{quote}”",
    ),
    "forgot": (
        "I don't know. I don't think you have told me about that.",
        "I don't know that yet; I can't find it in what you have told me, and I won't make it up.",
        "That I don't know. If you told me, it was not in words I can find.",
        "I don't know, you haven't told me so far.",
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
        "I have it from you, {when}: “{quote}”",
        "Your own words, {when}: “{quote}”",
    ),
    "retold": ("As I remember it, {quote}", "I do remember: {quote}"),
    "also": ("And: “{quote}”",),
    "bridge": (
        "It reminds me of what you told me {when}: “{quote}”",
        "{when_cap} you told me: “{quote}”",
        "I still have in mind what you said {when}: “{quote}”",
    ),
    "kept_word": ("I had said: “{quote}” So here I am. How was it?", "I told you: “{quote}” Tell me, how did it go?"),
    "kept_promise": ("I have not forgotten: {quote} So, how was it?",),
    "promised": ("I said: “{quote}” I keep it in mind.", "What I promised is still with me: “{quote}”"),
    "clear_up": ("By the way, are {a} and {b} the same?",),
    "of_me": ("{text}",),
}
SAYINGS = {**TAKEN_UP, **SAID}
SOMEBODY = "them"

# How long ago something was told, and its own time where that is another.
AGES = {
    "now": "a moment ago",
    "chat": "earlier in this chat",
    "today": "earlier today",
    "yesterday": "yesterday",
    "this week": "earlier this week",
    "older": "some time ago",
    "days": "{} days ago",
    "weeks": "{} weeks ago",
    "months": "{} months ago",
    "years": "{} years ago",
}
OWN_TIMES = {
    "happened": "It happened {when}.",
    "planned": "It is planned for {when}.",
    "was to be": "It was to be {when}.",
    "ended": "It ended {when}.",
    "going on": "It is going on now.",
}
DAYS_AHEAD = ("today", "tomorrow")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DATE = "{0.day} {0:%B %Y}"
