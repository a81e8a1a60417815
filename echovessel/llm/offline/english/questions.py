"""English questions, by tone, subject or answer."""

ASKED = {
    "grief": ("What was {who} like?", "Is somebody near you today?"),
    "grief_again": ("What do you remember most clearly?",),
    "pet_loss": ("What was {name} like?", "What will you remember most?"),
    "fear": ("What is the worst of it right now?", "What would make the next hour easier?"),
    "worry": ("How are things now?",),
    "their_nerves": ("What helps, when it gets like that?",),
    "nerves": ("What would make it a little easier?",),
    "sadness": ("Do you want to tell me more about it?", "What would do you good now?"),
    "anger": ("Has it happened before?", "What would put it right, if anything?"),
    "fatigue": ("What took the most out of you?", "Have you eaten something?"),
    "joy": ("Will you tell me more about it?",),
    "news": ("Who knows already?", "How does it feel?"),
    "ahead": ("How do you feel about it?", "Do you feel ready for it?"),
    "outing": ("What are you looking forward to most?", "Whose idea was it?"),
    "unsettled": ("When will you know?", "Which way do you lean?"),
    "echoed": ("Will you tell me more of it?", "How is that for you?"),
    "birthday": ("How was it kept?",),
    "pet_ill": ("How long has it been like that?",),
}
ASKED_AFTER = {
    "greet_first": ("What is on your mind today?", "What kind of day have you had?"),
    "greet": ("What has happened since?", "How are things?", "What's on your mind?"),
    "how_i_am": ("And you, how has the day been?", "What kind of day is it over there?"),
    "who": ("And whom am I talking with?",),
    "forgot": ("What should I know?", "Will you tell me?"),
    "request": ("What do you have in mind?",),
    "play": ("Do you know a good one yourself?", "Will you tell me one of yours?"),
    "of_me": ("And you?", "What about you?"),
    "opinion": ("What is your own feeling?",),
    "affection": ("What kind of day was it?",),
}
