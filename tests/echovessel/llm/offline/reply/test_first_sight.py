"""Replies to what people type in their first chats: to each only what its words bear."""

import pytest

from echovessel.llm.inputs import Certainty
from echovessel.llm.offline import reply
from echovessel.llm.offline.english.sayings import SAYINGS
from tests.support.reply_inputs import inputs


def answer(burst, *earlier, certainty=None, **more):
    window = [line for said in earlier for line in (said, "I see.")]
    return reply.compose(inputs(burst, window=window, certainty=certainty, **more))


def is_of(said, *kinds):
    """Whether a reply is a saying of one of the kinds without slots, a question behind it or not."""
    return any(said.startswith(saying.split("{")[0]) for kind in kinds for saying in SAYINGS[kind] if saying[0] != "{")


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("whats ur name again", "who"),
        ("any idea what I could bring the twins as a present?", "advice"),
        ("do you have any tips for sleeping in the daytime?", "advice"),
        ("what do i wear tho", "advice"),
        ("What should I do this weekend?", "advice"),
        ("What would Margaret say?", "supposed"),
        ("do you think I'm good enough?", "worth"),
        ("say something funny", "request"),
        ("can you recommend a book for the bus?", "request"),
        ("thx, good night", "farewell"),
        ("ok bed time for me, bye", "farewell"),
        ("night x", "farewell"),
        ("k bye", "farewell"),
        ("idk", "small"),
        ("haha ok", "small"),
        ("Perhaps you are right.", "small"),
        ("no I'm not going to hurt myself, just tired", "denied_harm"),
        ("how are you feeling?", "how_i_am"),
        ("do u like games", "unknown_me"),
    ],
)
@pytest.mark.parametrize("certainty", [None, Certainty.UNKNOWN])
def test_a_message_is_answered_as_what_it_is(burst, kind, certainty):
    told = ("My sister Anke just had twins!", "My wife Margaret made me a blue coat.")

    assert is_of(answer(burst, *told, certainty=certainty if kind == "advice" else None), kind)


@pytest.mark.parametrize(
    ("burst", "kinds"),
    [
        ("I teach swimming to kids, mostly six-year-olds who hate water", ("work",)),
        ("I live alone in a small house near Inverness", ("calm", "exclaimed")),
        ("I've got a job interview next Thursday", ("ahead",)),
        ("i keep seeing his mum's face", ("calm",)),
        ("ugh last shift was awful, we lost a patient", ("sadness",)),
        ("the interview went terribly. I forgot my own phone number", ("sadness",)),
        ("I feel kind of empty lately", ("sadness",)),
        ("sometimes i wanna disappear", ("sadness",)),
        ("vet said biscuit is diabetic :(", ("sadness",)),
        ("I was diagnosed with type 2 diabetes in the spring.", ("worry",)),
        ("he quit the band", ("calm",)),
        ("she works at a bakery in Croix-Rousse", ("calm",)),
        ("i grew up in bradford btw", ("calm",)),
        ("My sister just had twins!", ("birth",)),
        ("my ex Kasia is getting married in may", ("calm", "ahead", "kin", "named")),
        ("shes letting me go to the dance", ("calm",)),
        ("Mum's surgery went well", ("relief",)),
    ],
)
def test_a_reaction_claims_no_more_than_the_words_say(burst, kinds):
    said = answer(burst)

    assert is_of(said, *kinds) or said.startswith(("So you", "A new person"))


def test_nobody_is_wished_well_on_what_is_off():
    for burst in (
        "Tiago's wedding is off",
        "I didn't get accepted",
        "I'm not pregnant",
        "I was nearly promoted, but no",
    ):
        assert "ongratulat" not in answer(burst)


@pytest.mark.parametrize(
    ("asked", "told", "holds"),
    [
        ("How old am I?", "I'm Jonas, 29, from Ghent but living in Lyon since last year", "29"),
        ("do you remember where I'm from?", "I'm Jonas, 29, from Ghent but living in Lyon since last year", "Ghent"),
        ("where do I live?", "I'm Jonas, 29, from Ghent but living in Lyon since last year", "Lyon"),
        ("how old am I", "im priya, 34, i work as a night nurse in leeds", "34"),
        ("and what are the twins called?", "My sister Anke just had twins! Ida and Wout", "Ida and Wout"),
        ("what are my cats called?", "got two cats, Biscuit and Moon", "Biscuit and Moon"),
        ("where did i grow up?", "i grew up in bradford btw", "bradford"),
        ("whats my band called", "i play bass in a band called Wet Socks", "Wet Socks"),
        ("what does dev do for work?", "my husband dev is a plumber", "plumber"),
        ("How do I take my tea?", "Please remember that I take my tea without milk.", "without milk"),
        ("Anke's twins are called Ida and Wout, right?", "My sister Anke just had twins! Ida and Wout", "Ida and Wout"),
    ],
)
@pytest.mark.parametrize("certainty", [None, Certainty.UNKNOWN])
def test_what_was_said_at_first_is_found_in_plain_words(asked, told, holds, certainty):
    said = answer(asked, told, "I had soup.", certainty=certainty)

    assert holds in said
    assert "won't guess" not in said


@pytest.mark.parametrize(
    ("asked", "told", "over"),
    [
        ("do I have a girlfriend?", "Camille's my girlfriend, we met at the pool", "We broke up, Camille and me"),
        ("do i have a dog", "I live near Inverness with my dog, Haggis.", "Haggis died this morning."),
    ],
)
def test_what_ended_is_no_longer_told_as_so(asked, told, over):
    said = answer(asked, told, "It rained.", over)

    assert "broke up" in said or "died" in said


def test_a_word_of_many_is_no_memory():
    said = answer("what grade did i get in maths", "nobody gets me", certainty=Certainty.UNSURE)

    assert "nobody" not in said


def test_a_mood_is_told_where_it_is_asked_for():
    assert "subdued" in answer("how do you feel today?", mood={"mood": "subdued", "energy": 4}).lower()
