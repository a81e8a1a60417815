"""English sayings for messages of a tone or a subject."""

REACTIONS = {
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
    # What is frightening, of which the user did not say that it frightens them.
    "worry": (
        "I'm sorry. That is a lot to carry.",
        "I hope it turns out well. I'm glad you told me.",
        "That would weigh on anybody. I'm here.",
        "I won't tell you it is nothing. I'm here.",
    ),
    "nerves": (
        "A bit of nerves means you care how it goes.",
        "Being nervous is allowed. Nobody needs you to be smooth.",
        "I'd be nervous too. Breathe out longer than you breathe in; it helps a little.",
        "Shaky hands still do most things perfectly well.",
    ),
    "sadness": (
        "I'm sorry. Thank you for saying it here.",
        "I'm sorry. You don't have to make it sound smaller for me.",
        "I hear you. That is not an easy thing to carry.",
        "I'm sorry. Be gentle with yourself today.",
        "I'm not going anywhere; say as much of it as you like.",
        "I'm sorry it is like that.",
    ),
    "anger": (
        "I'd be cross too, and not quietly.",
        "No wonder that gets under your skin.",
        "That would annoy anybody.",
        "You don't have to be fair about it yet.",
        "Let it out here, the walls are thick.",
        "I hear you. That is maddening.",
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
        "Oh, that is good news. I'm so pleased for you.",
        "How lovely! I could hear you smiling.",
        "I'm happy with you.",
        "Wonderful. Enjoy every inch of it.",
        "Well, that has brightened the whole room here.",
        "I'm delighted for you.",
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
    # None of these is what one says to a heavy word: that is read as a sign of one when a chat closes.
    "calm": (
        "I see.",
        "I'm with you.",
        "So {echo}.",
        "Mm. Go on, if you like.",
        "All right. I'm following you.",
        "Tell me more, if you like.",
        "I take that in.",
        "Go on, I'm all ears.",
        "Right, I see.",
        "Mm-hm. I follow.",
        "Okay. Go on.",
    ),
    "exclaimed": ("Oh! Tell me all about it.", "Oh, really! Go on.", "Now I'm curious. Go on!"),
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
    "expecting": (
        "A baby on the way! Congratulations to all of you.",
        "Oh, that is wonderful news. Congratulations!",
        "So there will be one more of you. How lovely.",
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
        "I'm sorry you have that to think of. I hope it goes well.",
        "The waiting is the hardest part of it. I'm glad you told me.",
        "That would be on anybody's mind. You don't have to be brave here.",
    ),
    "accident": (
        "Oh no. I'm so sorry; I hope {who} is in good hands.",
        "That is frightening. I'm thinking of {who}, and of you.",
        "How frightening. I hope the news turns better hour by hour.",
    ),
    "overlooked": (
        "Such a day passes, and nobody says a word. I'd have minded, too.",
        "That is a small thing only to whoever forgot it. I'm sorry.",
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
        "I'm sorry. That is a blow.",
        "That is hard, to have the ground moved like that. I'm sorry.",
    ),
    "pet": (
        "{name} sounds like good company.",
        "I like hearing about {name}.",
        "Animals are good company.",
        "An animal makes a house a different place.",
    ),
    "pet_ill": (
        "Poor {name}. I hope it is nothing bad.",
        "That is a worry, when they can't say where it hurts.",
        "I'm sorry. A house isn't the same while its animal isn't well.",
    ),
    "pet_new": (
        "{Animal}! That is good company.",
        "{Animal} in the house changes the air of it.",
        "That is good company.",
    ),
    "weather": (
        "Weather does set the tone of a day.",
        "Then it is good to have a roof.",
    ),
    "cooking": (
        "Ha, poor {word}. It was a worthy sacrifice.",
        "Kitchens punish good conversation. Open a window.",
        "It happens to the best pans.",
    ),
    "food": (
        "That sounds good.",
        "I'd sit down to that.",
    ),
    "reading": (
        "Reading is good company. Don't let me keep you from it.",
        "A book one goes back to is a kind of friend.",
    ),
    "music": (
        "Live music stays in the bones.",
        "Some evenings pay for a whole month.",
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
        "New streets, new light in the windows.",
    ),
    "work": (
        "So that is where your days go.",
        "Good to know what your days are made of.",
    ),
    "dull_day": (
        "Dull days count too. At least nobody shouted.",
        "Some days are only there to be got through.",
    ),
    "neighbour": ("Neighbours have a talent for that.",),
    "note": (
        "That seems a decent way to do it. It's out of your head now.",
        "Good. Written down is half settled.",
    ),
    "secret": ("It stays with me.", "That is safe here."),
    "sleep": (
        "Then go, and don't answer me. Sleep well.",
        "Bed is a good idea. The rest keeps until morning.",
    ),
    "study": (
        "Learning is slow work, and good work.",
        "That takes patience. I'm on your side of the desk.",
    ),
    "funny": ("Ha, I can see it. Thank you for that.", "That made me smile.", "Oh dear. And ha, a little."),
    "ahead": (
        "I'll keep the day in mind.",
        "I'll be thinking of you then.",
    ),
    "kin": (
        "Tell me more about {who}, if you like.",
        "{Who}, then. I'm listening.",
    ),
    "named": (
        "So that is {name}.",
        "{name}; good to know who that is.",
        "Ah, {name}. Tell me more, if you like.",
    ),
    "you_are": ("{name}. It's good to know what to call you.", "Nice to meet you, {name}."),
}
