"""English sayings for messages of a tone or a subject."""

REACTIONS = {
    "grief": (
        "I'm so sorry about {who}. There is nothing clever to say, so I won't try.",
        "{name} must leave a very particular silence. I'm sorry.",
        "I'm so sorry. Take all the room you need here.",
        "That is a loss, and I won't talk it smaller. I'm sorry.",
        "I'm sorry, truly. You don't have to be sensible about it.",
        "There is no hurry with this. I'm glad you said it to me.",
        "I have no good words for that, only that I'm with you in it.",
    ),
    "grief_again": (
        "{Who} matters to you as much as ever.",
        "Missing someone is what is left of being close to them.",
        "I'm glad you talk about it here.",
    ),
    "pet_loss": (
        "Oh, {name}. I'm sorry. An animal's place in a house is so exact.",
        "I'm so sorry. People who say it was only an animal never came home to one.",
        "That is a real goodbye. I'm sorry.",
    ),
    "fear": (
        "That is a frightening thing to carry around. I'm glad you're not carrying it in silence.",
        "I hear how frightening that is. One hour at a time is enough.",
        "I can't promise how it goes. I can stay with you while you don't know.",
        "You can say it out loud here. I'm taking it as seriously as you do.",
    ),
    # What is hard or uncertain, of which the user did not say how it is for them.
    "worry": (
        "I'm sorry. That is a lot to carry.",
        "I'm glad you told me. That is no small thing.",
        "I won't tell you it is nothing. I'm here.",
        "I'm sorry. You don't have to be brave about it here.",
    ),
    # A child or friend is afraid, and the user tells it.
    "their_fatigue": (
        "That is a lot for one person. I hope somebody takes some of it.",
        "Anyone would be worn out by that. And it isn't easy to watch.",
        "That sounds hard on both of you.",
    ),
    "their_nerves": (
        "Being scared of something new is allowed, and it helps to have you near.",
        "I hope it turns out gentler than it looks from here.",
        "It is good that somebody sees it. That is half of being brave.",
    ),
    "nerves": (
        "A bit of nerves means you care how it goes.",
        "Being nervous is allowed. Nobody needs you to be smooth.",
        "I'd be nervous too. Breathe out longer than you breathe in; it helps a little.",
    ),
    "sadness": (
        "I'm sorry. Thank you for saying it here.",
        "I'm sorry. You don't have to make it sound smaller for me.",
        "I hear you. That is not an easy thing to carry.",
        "I'm sorry. That is a hard one.",
        "I'm not going anywhere; say as much of it as you like.",
    ),
    "anger": ("No wonder that gets under your skin.", "That would annoy anybody.", "I hear you. That is maddening."),
    "fatigue": (
        "No need to be good company now. I'm content with half sentences.",
        "You sound worn right through. Be kind to yourself.",
        "Tired is tired. You needn't have earned it to rest.",
    ),
    # What moves them, be it good or bad.
    "moved": (
        "I hear you. I'd like to know how that is for you.",
        "Tell me how that was, if you like.",
        "I'm listening, and in no hurry.",
        "Thank you for telling me. Say how you are with it, if you like.",
        "So {echo}. I'd like to hear how that is for you.",
        "{echo}. Say how you are with it, if you like.",
        "{echo}; I'm listening.",
    ),
    "joy": (
        "I'm so pleased for you.",
        "How lovely! I could hear you smiling.",
        "Wonderful. Enjoy every inch of it.",
        "I'm delighted for you.",
    ),
    "relief": (
        "What a relief. You can put that down now.",
        "Oh, I'm so glad. Breathe all the way out.",
        "Thank goodness.",
    ),
    "teasing": ("Ha, that's fair.", "Ha. I walked right into that.", "I'd answer that, but you'd only enjoy it."),
    "calm": (
        "I see.",
        "I'm with you.",
        "Mm. Go on, if you like.",
        "Tell me more, if you like.",
        "I'm listening.",
        "Go on, I'm all ears.",
        "Thank you for telling me.",
        "Say more, whenever you like.",
        "I'd like to hear more of that.",
        "I can picture that.",
        "I follow you.",
        "Good that you tell me.",
    ),
    "taken_up": (
        "Tell me about the {thing}.",
        "The {thing}; I'd like to hear of it.",
        "I'm curious about the {thing}.",
    ),
    "echoed": ("So {echo}.", "{echo}, then.", "Ah, {echo}."),
    # What is told calmly behind a loss.
    "beside": ("I'm with you.", "I'm here, and listening.", "Say it as it comes; I'm not going anywhere."),
    "set_right": (
        "Ah, then I'll go by what you say now.",
        "Good that you put it right.",
        "Right, not as it was told before, then. Thank you.",
    ),
    "heeded": ("All right.", "Fair enough.", "I hear you.", "All right, I hear you."),
    "attributed": (
        "Did I say that? Tell me how it is, and I'll go by your word.",
        "If I said so and it is wrong, your word counts.",
    ),
    "unsettled": (
        "Not knowing yet is the hard part. I'll wait with you.",
        "So it is still open. Tell me when you know.",
    ),
    "ahead": ("I'll keep that day in mind.", "So that is coming up."),
    "outing": ("That sounds lovely.", "Something to look forward to, then.", "I hope it's a good one."),
    "exclaimed": (
        "Oh! Tell me all about it.",
        "Oh, really! Go on.",
        "Now I'm curious. Go on!",
        "{echo}! Tell me all about it.",
        "Oh, {echo}! I'd like to hear all of it.",
    ),
    "birthday": ("Happy birthday to that day, and to you.", "A birthday! I'd have lit a candle."),
    "news": (
        "Congratulations! I'm so glad to hear it.",
        "Oh, congratulations!",
        "Congratulations! What news.",
        "That calls for congratulations!",
    ),
    "pet": ("I like hearing about {name}.",),
    "pet_named": (
        "{name}! That is a fine name.",
        "{name}. I'd like to meet that one.",
        "Hello to {name}. A good name to call across a room.",
    ),
    "pet_ill": (
        "Poor {name}. I hope it is nothing bad.",
        "That is a worry, when they can't say where it hurts.",
        "I'm sorry. A house isn't the same while its animal isn't well.",
    ),
    "secret": ("It stays with me.", "That is safe here."),
    # What went wrong, told with a laugh.
    "laughed_off": (
        "Ouch. Good that you can laugh about it.",
        "Ha, and ouch. That one still counts.",
        "You laugh, and I'm a little sorry all the same.",
    ),
    "funny": ("Ha!", "That made me smile.", "Ha, go on."),
    "kin": ("Tell me more about {who}, if you like.", "{Who}, then. I'm listening.", "I'd like to hear more of {who}."),
    "named": ("So that is {name}.", "{name}; good to know who that is.", "Ah, {name}. Tell me more, if you like."),
    "you_are": ("{name}. It's good to know what to call you.", "Nice to meet you, {name}."),
}
