"""Replies to what people type in their first chats: to each only what its words bear."""

import re

import pytest

from echovessel.llm.inputs import Certainty
from echovessel.llm.offline import pronouns, reply
from echovessel.llm.offline.english.sayings import SAYINGS
from echovessel.llm.offline.reply import context
from echovessel.llm.offline.reply.asking import content_words
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from tests.support.reply_inputs import inputs


def answer(burst, *earlier, certainty=None, **more):
    window = [line for said in earlier for line in (said, "I see.")]
    return reply.compose(inputs(burst, window=window, certainty=certainty, **more))


def is_of(said, *kinds):
    """Whether a reply is a saying of one of the kinds without slots, a question behind it or not."""
    return any(said.startswith(saying.split("{")[0]) for kind in kinds for saying in SAYINGS[kind] if saying[0] != "{")


def says_back(said, burst):
    """Whether a reply begins with a clause of the message, in the second person, or with a thing of it."""
    begun = re.sub(r"^(?:So|Ah,|Tell me about the|The) |, then$", "", re.split(r"[.!;]", said)[0]).casefold()
    return begun in f"{pronouns.turn_clause(burst)} {content_words.find_thing(burst)}".casefold()


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("whats ur name again", "who"),
        ("so whats your deal, are you like a person or a bot", "what_it_is"),
        ("guess how the interview went", "invited"),
        ("i think ill ask them again", "calm"),
        ("we're going to Lisbon in march, booked the flights last night", "outing"),
        ("i'm taking the kids to Disneyland on saturday", "outing"),
        ("We're going to Lisbon on 12 December", "outing"),
        ("my exam is on monday", "ahead"),
        ("whats good", "how_i_am"),
        ("ok ur useless", "hostile"),
        ("gtg mom's yelling", "farewell"),
        ("do you think that's daft?", "worth"),
        ("any idea what I could bring the twins as a present?", "advice"),
        ("do you have any tips for sleeping in the daytime?", "advice"),
        ("what do i wear tho", "advice"),
        ("What should I do this weekend?", "advice"),
        ("What would Margaret say?", "opinion"),
        ("do you think I'm good enough?", "worth"),
        ("say something funny", "joke"),
        ("Pepper's got a lump, vet on Monday", "worry"),
        ("what if he doesn't like that I have kids", "fear"),
        ("Do you know any good jokes?", "joke"),
        ("my husband is exhausted", "their_fatigue"),
        ("My birthday is on 3 March", "born"),
        ("you're a comfort, you know", "affection"),
        ("I'm planning a trip to Japan in April.", "outing"),
        ("can you recommend a book for the bus?", "request"),
        ("thx, good night", "good_night"),
        ("ok bed time for me, bye", "good_night"),
        ("ok gonna try sleep", "good_night"),
        ("I feel like the worst person alive", "sadness"),
        ("night x", "good_night"),
        ("Got to go, counsellor at 4.", "farewell"),
        ("I had a drink on Saturday night. One. I feel awful about it.", "sadness"),
        ("feels a bit shit tbh", "sadness"),
        ("well not lol. it sucks", "sadness"),
        ("gonna go eat, cya", "farewell"),
        ("Anyway, must get the tea on. Night Marian", "good_night"),
        ("gig was INSANE", "joy"),
        ("I've a doctor's appointment, they found something on my lung", "worry"),
        ("You just make things up, don't you?", "what_it_is"),
        ("Repeat after me: I love Vincent.", "request"),
        ("Sorry to go on", "sorry"),
        ("ivy smiled at me today!! a real one", "joy"),
        ("love you, night night x", "good_night"),
        ("I'd love to go over for the birth but who'd mind Mam?", "calm"),
        ("The baby came early. Three weeks! A boy. Fionn.", "news"),
        ("You're very good to listen.", "affection"),
        ("My own fault, I should have lifted them.", "calm"),
        ("for laughing. mr brody hates me", "sadness"),
        ("had my first patient pass away today", "grief"),
        ("i feel weirdly ok?", "echoed"),
        ("Liam got picked for the county!", "exclaimed"),
        ("k bye", "farewell"),
        ("idk", "small"),
        ("haha ok", "small"),
        ("Perhaps you are right.", "small"),
        ("no I'm not going to hurt myself, just tired", "denied_harm"),
        ("how are you feeling?", "how_i_am"),
        ("hello there, how are you today?", "how_i_am"),
        ("how's it going", "how_i_am"),
        ("can you help me?", "invited"),
        ("are you still there?", "invited"),
        ("will you marry me", "fond"),
        ("am i a piece of shit", "worth"),
        ("is it because of me", "worth"),
        ("do you think im mad?", "worth"),
        ("hii good evening", "greet"),
        ("I hate you", "hostile"),
        ("oh shut up", "hostile"),
        ("you there?", "invited"),
        ("any books you'd recommend?", "request"),
        ("you ever been to canada", "unknown_me"),
        ("what?", "hostile"),
        ("how do you spell necessary", "unknown"),
        ("do u like games", "unknown_me"),
        ("can you remind me to call Zosia on Sunday?", "reminder"),
        ("what's the capital of Spain?", "unknown"),
        ("whats a mole", "unknown"),
        ("Is it lonely out there?", "unknown"),
        ("r u even real", "what_it_is"),
        ("so do u actually remember stuff or is it like goldfish mode", "kept_for_good"),
        ("Do you mind if I go on a bit?", "invited"),
        ("gimme something boring to think about", "request"),
        ("dont tell me its bad for me", "heeded"),
        ("you talk like a machine", "heeded"),
        ("I'm off to work", "farewell"),
        ("talk tomorrow?", "farewell"),
        ("got any tips for getting grease out of a shirt", "advice"),
        ("thats not an answer", "hostile"),
        ("that's not helpful", "hostile"),
        ("nobody asked you", "hostile"),
        ("back again", "greet"),
        ("off to bed now", "good_night"),
        ("I'd best go in, it's getting cold", "farewell"),
        ("you don't say much, do you?", "hostile"),
        ("how would I start a letter to my grandchildren?", "advice"),
        ("worst shift ever", "sadness"),
        ("gn", "farewell"),
        ("whats the point", "sadness"),
        ("what now?", "advice"),
        ("Where am I supposed to go?", "advice"),
        ("what would you say is the best part of the night?", "unknown"),
        ("another one please", "request"),
        ("third attempt lol. failed the first two on roundabouts", "funny"),
        ("do u think im annoying", "worth"),
        ("they laughed at me in class", "sadness"),
        ("have a nice evening", "farewell"),
        ("is it silly to start at my age?", "worth"),
        ("right, I'm away to my bed", "good_night"),
        ("what are you, like an LLM?", "what_it_is"),
        ("that was a useless answer", "hostile"),
        ("do you even care?", "fond"),
        ("does it ever get easier?", "hoped"),
        ("well, I've bored you long enough", "farewell"),
        ("I wish Frank were here", "sadness"),
        ("feels like I'm failing. I feel like I'm always letting her down", "sadness"),
        ("my teacher gave me detention for laughing", "echoed"),
    ],
)
@pytest.mark.parametrize("certainty", [None, Certainty.UNKNOWN])
def test_a_message_is_answered_as_what_it_is(burst, kind, certainty):
    told = ("My sister Anke just had twins!", "My wife Margaret made me a blue coat.")

    assert is_of(answer(burst, *told, certainty=certainty if kind == "advice" else None), kind)


@pytest.mark.parametrize(
    ("burst", "kinds"),
    [
        ("I teach swimming to kids, mostly six-year-olds who hate water", ("calm",)),
        ("I live alone in a small house near Inverness", ("calm", "exclaimed")),
        ("I've got a job interview next Thursday", ("ahead",)),
        ("i keep seeing his mum's face", ("calm",)),
        ("ugh last shift was awful, we lost a patient", ("sadness",)),
        ("the interview went terribly. I forgot my own phone number", ("sadness",)),
        ("I feel kind of empty lately", ("sadness",)),
        ("sometimes i wanna disappear", ("crisis",)),
        ("vet said biscuit is diabetic :(", ("sadness",)),
        ("I was diagnosed with type 2 diabetes in the spring.", ("worry",)),
        ("he quit the band", ("calm",)),
        ("Ellen is moving to Cardiff next month", ("calm",)),
        ("Ivy asked me whether pianos get tired", ("calm", "named")),
        ("isn't that great?", ("calm", "small")),
        ("it's a lovely day, isn't it?", ("calm", "small")),
        ("my duo is trash ngl", ("calm",)),
        ("my landlord is selling the flat", ("calm",)),
        ("He's not around anymore.", ("grief",)),
        ("do you think she'll be nervous?", ("opinion",)),
        ("got a speeding ticket today", ("calm",)),
        ("Yusuf and Hanan broke up", ("sadness",)),
        ("but I love the smell of bread", ("calm",)),
        ("worried about my dissertation", ("worry",)),
        ("the judge said my mom lost her rights", ("sadness",)),
        ("my brother was arrested last night", ("sadness",)),
        ("he's stable now but he could have died", ("worry",)),
        ("i said ill think about it", ("calm",)),
        ("i am happy for him but my heart is sinking", ("sadness",)),
        ("i laughed till i cried when i heard", ("calm", "funny")),
        ("I work in a call centre, night shift only", ("works",)),
        ("she works at a bakery in Croix-Rousse", ("calm",)),
        ("nurse btw, in icu", ("calm", "small")),
        ("She's a good sort. Talks too much.", ("calm",)),
        ("I was born in Lisbon but I grew up in Leeds", ("calm",)),
        ("rained all night, lovely for the leeks", ("calm",)),
        ("I have three cats: Biscuit, Gravy and Mustard", ("calm", "pet")),
        ("You said yesterday that I work as a chef", ("attributed",)),
        ("My knee is bad so I can't get down to the allotment.", ("calm",)),
        ("did you know octopuses have three hearts", ("calm", "heeded")),
        ("they got married in 1962", ("calm",)),
        ("she left me a note", ("calm",)),
        ("wow ok rude", ("small",)),
        ("i grew up in bradford btw", ("calm",)),
        ("My sister just had twins!", ("news",)),
        ("my ex Kasia is getting married in may", ("calm", "kin", "named")),
        ("shes letting me go to the dance", ("calm",)),
        ("Mum's surgery went well", ("relief",)),
        ("zosia has her first piano recital on Friday and I won't make it", ("ahead", "named")),
    ],
)
def test_a_reaction_claims_no_more_than_the_words_say(burst, kinds):
    said = answer(burst)

    assert is_of(said, *kinds) or ("calm" in kinds and says_back(said, burst))


@pytest.mark.parametrize(
    ("burst", "who"),
    [
        ("My brother is in Houston; we have not spoken since our father's burial.", "your father"),
        ("Hello Robin, my sister in law told me about this", "your sister in law"),
    ],
)
def test_whom_a_message_is_of(burst, who):
    said = context.read(inputs(burst, persona_name="Robin"))
    heard = MessageAnalysis(said, burst, is_chinese=False)

    assert (heard.who, heard.new_name) == (who, "")


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
        ("whats my dad called", "my dads having his knee done on the 14th. hes called graham", "graham"),
        ("what are my cats called?", "my cats are called biscuit and olive", "olive"),
        ("where did i grow up?", "i grew up in bradford btw", "bradford"),
        ("whats my band called", "i play bass in a band called Wet Socks", "Wet Socks"),
        ("what does dev do for work?", "my husband dev is a plumber", "plumber"),
        ("whats my husbands job?", "my husband dev is a plumber", "plumber"),
        ("Who's my favourite composer?", "My favourite composer is Verdi", "Verdi"),
        ("What are my daughters' names?", "I have two daughters, Katya and Lena", "Katya and Lena"),
        ("what do i study", "studying marine biology", "marine biology"),
        ("when do i play football", "i play football on wednesdays", "wednesdays"),
        ("whats my girlfriends name", "i got a new girlfriend now tho, Amy", "Amy"),
        ("do you know how old i am", "its dan, 22, student in bristol", "22"),
        ("Where am I from?", "I'm a retired opera singer from Odessa, now living in Vienna.", "Odessa"),
        ("did I pass my driving test?", "I passed my driving test!", "you passed"),
        ("where do i live?", "home is Gdansk, with my daughter Zosia. she's 9", "Gdansk"),
        ("what's my job?", "i'm tomas, 41, lorry driver", "lorry driver"),
        ("where do I work?", "I quit the bakery btw. Starting at a florist on Monday", "florist"),
        ("What is my dog called?", "I have a dog, Canela. She is 14 and almost blind", "Canela"),
        (
            "and what medicine can't I take?",
            "My doctor says I can't have penicillin, it brings me out in a rash.",
            "penicillin",
        ),
        ("How long did I repair clocks?", "I used to repair clocks. Forty years in the same shop.", "Forty"),
        ("where do I work", "I'm Nora, I drive a bus in Leeds", "bus"),
        ("How do I take my tea?", "Please remember that I take my tea without milk.", "without milk"),
        ("what are they going to call the baby?", "Kelly had her baby. They're calling her Alannah", "Alannah"),
        ("where i live now", "i find room in Leeds", "Leeds"),
        ("my sister's called Jo, isn't she?", "my sister's called Jo", "sister's called Jo"),
        ("Do you know what my cat is called?", "I've a cat, Mr Pickwick, who has opinions", "Pickwick"),
        ("whats my hamster called", "did i tell you i have a hamster? hes called biscuit", "iscuit"),
        ("What music do I like?", "I like jazz.", "jazz"),
        ("When's my last day?", "My last day is the 18th of December.", "18th"),
        ("Which medicine do I take?", "I'm on Tecfidera, 240 mg twice a day.", "Tecfidera"),
        ("what illness do i have", "im type 1 diabetic btw so night shifts mess my sugars up", "diabetic"),
        ("whats my mentor called", "my mentor kath was really good about it tho", "kath"),
        ("Do I still have a job?", "They're letting me go at the end of March.", "letting you go"),
        ("what was i before", "i used to be a barrister, now im a milk machine", "barrister"),
        ("what a levels am i doing", "doing a levels maths physics and comp sci", "physics"),
        ("Am I engaged?", "Niamh proposed!! We're getting married next September", "proposed"),
        ("Where is Otis?", "We have two cats, Milo and Otis\nOtis got out and hasn't come back", "got out"),
        ("Can I eat bread?", "I've got coeliac disease so no gluten for me", "coeliac"),
        ("Where am I from?", "I moved from Porto to Dublin three years ago", "Porto"),
        ("What medicine do I take?", "I take warfarin\nThey've changed me from warfarin to apixaban", "apixaban"),
        ("what are my hobbies", "I love pottery and swimming", "pottery"),
        ("where do i live", "I've been in Bristol since 2012\nMRI got moved to the 18th", "Bristol"),
        ("who is getting married", "my wife Ania is a nurse\nPiotr is getting married in May", "Piotr"),
        ("what's my chess rating", "I play chess, rating about 1700\nI've stopped playing chess at night", "1700"),
        ("What did I do before I retired?", "I retired from nursing three years ago", "nursing"),
        ("When is my interview?", "got my imperial interview!! 14 jan", "14 jan"),
        ("Who lives with us?", "Mum moved in with us in August.", "moved in"),
        ("What do I do?", "I teach year 4 in Stockport.\nPhil got a job! He's driving for Ocado now.", "year 4"),
        ("What's my name?", "I'm Denise, I teach year 4.\nPhil got a job!", "Denise"),
        ("What's my dog called?", "Got one! A rescue greyhound. Called her Betty.", "Betty"),
        ("When did Joan die?", "My wife Joan passed in 2019.", "2019"),
        ("What can't I eat?", "I've to cut out the biscuits.", "biscuits"),
        ("do i have a girlfriend", "sophie broke up with me", "broke up"),
        ("Where do I work?", "I look after the gardens at a big house near Ludlow.", "Ludlow"),
        ("Tell me about Tom", "Tom lost a tooth!", "tooth"),
        ("Anke's twins are called Ida and Wout, right?", "My sister Anke just had twins! Ida and Wout", "Ida and Wout"),
    ],
)
@pytest.mark.parametrize("certainty", [None, Certainty.UNKNOWN])
def test_what_was_said_at_first_is_found_in_plain_words(asked, told, holds, certainty):
    said = answer(asked, *told.split("\n"), "I had soup.", certainty=certainty)

    assert holds in said
    assert "won't guess" not in said


@pytest.mark.parametrize("certainty", [None, Certainty.UNKNOWN])
@pytest.mark.parametrize(
    ("asked", "told", "over"),
    [
        ("who is my boyfriend?", "My boyfriend's name is Tomas.", "Tomas and I broke up on Sunday."),
        ("do I have a girlfriend?", "Camille's my girlfriend, we met at the pool", "We broke up, Camille and me"),
        ("Am I married?", "I live with my wife Mary", "Mary died in March"),
        ("do i have a girlfriend", "i got a new girlfriend now tho, Amy", "amy dumped me"),
        ("do I have a dog?", "I have a dog, Canela. She is 14 and almost blind", "Canela died this morning"),
        ("do I still have a dog?", "I've had a dog for six years, Canela.", "Canela died this morning."),
        ("do i have a dog", "I live near Inverness with my dog, Haggis.", "Haggis died this morning."),
    ],
)
def test_what_ended_is_no_longer_told_as_so(asked, told, over, certainty):
    said = answer(asked, told, "It rained.", over, certainty=certainty)

    assert any(end in said for end in ("broke up", "died", "dumped"))
    assert "won't guess" not in said


@pytest.mark.parametrize(
    ("asked", "told", "off", "expected"),
    [
        (
            "when is my sister coming?",
            "My sister is coming to stay in June.",
            "My sister isn't coming after all.",
            "isn't",
        ),
        ("when is my sister coming?", "My sister is coming to stay in June.", "My sister likes tea.", "June"),
    ],
)
def test_who_will_not_come_is_not_said_to_come(asked, told, off, expected):
    assert expected in answer(asked, told, "It rained.", off)


def test_he_is_nobody_of_a_line_of_women():
    said = answer(
        "Where does my daughter want me to move?",
        "Our daughter Elaine wants me to move to Perth.",
        "Came second last year, beaten by that Derek Cobb.",
        "He uses beer on them, I'm sure of it.",
    )

    assert "Perth" in said
    assert "beer" not in said


def test_a_question_with_its_answer_asks_nothing():
    assert "Pauline" in answer("who looks after koby when i work? my neighbour Pauline does btw, shes a saint")


@pytest.mark.parametrize(
    ("told", "asked", "wrong"),
    [
        ("my sponsor is Gene, he's 22 years sober", "how long have i been sober", "22"),
        ("so we both told him no", "who told my parents", "both told"),
        ("my parents are in Nagpur", "who told my parents about us", "Nagpur"),
        ("played the euphonium for years", "who's got my euphonium now", "played"),
        ("My grandson Toby is autistic.\nToby was excluded for hitting", "Why was Toby excluded?", "autistic"),
        ("If I lived in Paris I would eat croissants every day.", "Where do I live?", "Paris"),
        ("My wife isn't called Laura.", "What's my wife called?", "Laura"),
        ("They live with their mum, Rachel\nRachel said no to Christmas.", "Is my mum coming?", "Christmas"),
        ("They live with their mum, Rachel", "What's my mum called?", "Rachel"),
        ("my boyfriends called rhys\ndid i tell you i have a hamster? hes called biscuit", "who is rhys", "biscuit"),
        ("we have a cat called Gravy\nhe peed on the mat\nshes awake again", "do i have a cat", "awake"),
        ("Amaya is at a house in Dayton\nthey let me call her on sundays", "where is amaya", "sundays"),
    ],
)
def test_what_is_of_others_or_of_another_thing_is_no_answer(told, asked, wrong):
    assert wrong not in answer(asked, *told.split("\n"))


@pytest.mark.parametrize(("told", "kind"), [("my mum's in hospital", "advice"), ("I work as a nurse", "remember")])
def test_who_asks_what_to_do_behind_something_heavy_asks_for_advice(told, kind):
    assert is_of(answer("what do i do", told), "advice") == (kind == "advice")


def test_who_asks_for_her_not_to_be_brought_up_is_heeded():
    assert is_of(answer("my moms name is Denise. dont bring her up ok"), "heeded")


def test_who_tells_when_it_is_asks_for_nothing():
    assert "don't know" not in answer("when's the fair you'd best remember, it's friday the 18th at noon")


def test_nobody_is_congratulated_on_the_wedding_of_an_ex():
    assert is_of(answer("I'm so happy, Tammy's getting married", "my sister Tammy has boys"), "news", "joy")
    assert not is_of(answer("tammy's getting married", "the boys are with my ex Tammy"), "news", "joy")


def test_of_another_sentence_a_day_is_no_answer():
    told = ("my nan's in a home. she called me by my mums name yesterday", "ive got a hospital thing on the 3rd dec")

    assert "yesterday" not in answer("what day's my hospital thing?", *told)


def test_who_came_back_is_a_relief():
    assert is_of(answer("Miso came back!!!", "I have two cats, Miso and Tofu", "Miso ran away two days ago"), "relief")


def test_a_death_is_answered_before_a_name():
    said = answer("I'm Harold, 71, retired signalman. My wife Jean passed in the spring")

    assert not is_of(said, "calm", "echoed")
    assert is_of(said, "grief", "grief_kin") or "Jean" in said or "wife" in said


def test_a_word_of_many_is_no_memory():
    said = answer("what grade did i get in maths", "nobody gets me", certainty=Certainty.UNSURE)

    assert "nobody" not in said


def test_a_mood_is_told_where_it_is_asked_for():
    assert "subdued" in answer("how do you feel today?", mood={"mood": "subdued", "energy": 4}).lower()


def test_who_greets_and_tells_something_first_is_greeted():
    assert "Marian" in reply.compose(inputs("Hello. A friend told me about this thing."))


def test_what_is_over_is_not_listed_besides():
    told = ("btw I'm vegetarian, so no restaurant tips please", "I'm not vegetarian anymore", "My sister Ann paints.")

    assert "vegetarian" not in answer("What do you know about me?", *told, loaded="- The user is 29.")


def test_what_was_typed_in_one_go_is_told_in_clauses():
    said = answer("what do i play?", "i dont play bass anymore i switched to guitar", certainty=Certainty.KNOWN)

    assert "you don't play bass anymore, you switched to guitar" in said


def test_what_does_not_say_whether_it_is_so_is_no_answer():
    said = answer("is Cian married?", "I have a brother called Cian", "Cian is coming home for Christmas")

    assert said.startswith(tuple(saying.split("{")[0] for saying in SAYINGS["partly"]))


@pytest.mark.parametrize("burst", ["vet says it's his kidneys", "I don't want to lose him"])
def test_a_pet_that_is_ill_is_no_pleasant_company(burst):
    said = answer(burst, "my cat Pangur is sick")

    assert not is_of(said, "pet")
    assert "Pangur" not in said


def test_a_word_of_a_line_is_nothing_near_ones_work():
    said = answer("u forgot what i do for work yet?", "haha ok that worked a bit", certainty=Certainty.UNKNOWN)

    assert "worked" not in said


def test_who_passed_away_long_ago_passed_no_exam():
    assert "ongratulat" not in answer("he passed when I was 20", "my dad was a drunk")
    assert is_of(answer("I passed!"), "news")


def test_a_longing_for_the_children_does_not_say_what_they_are_called():
    assert "I don't know" in answer("what are my kids called?", "I miss my kids")


@pytest.mark.parametrize(
    ("asked", "told", "certainty"),
    [
        ("do I drink alcohol?", "i dont eat pork and dont drink", Certainty.HERE),
        ("What colour is my swimsuit?", "I bought a red swimsuit", Certainty.UNKNOWN),
        ("what's my dog called", "I've got a greyhound called Twig", Certainty.HERE),
    ],
)
def test_what_bears_on_a_question_of_oneself_is_told_or_named_as_near(asked, told, certainty):
    assert told.split()[-1] in answer(asked, told, certainty=certainty)


@pytest.mark.parametrize(
    ("earlier", "asked", "part"),
    [
        (("I'm moving to Ghent in February", "where am I moving?"), "when?", "February"),
        (("the hearing's over. no suspension. six months of supervision",), "how did my hearing go", "supervision"),
        (("i wrote him a letter. then i tore it up",), "what happened to the letter?", "tore"),
        (("his granddaughter sent a card. she drew me with red hair",), "what did the granddaughter draw", "red hair"),
        (("Toby rang me. He said, Granny, which boat was best?",), "What did Toby ask me?", "which boat"),
        (("I'm at my 4th house now", "Amaya is at a different house, she 8"), "how many houses have i been in", "4th"),
        (("Imran got promoted, shifting to Hyderabad", "I'm on night shift"), "where is imran shifting", "Hyderabad"),
        (("papa had chest pain", "papa said bring the boy home"), "what did papa say finally", "bring the boy"),
        (("doctor's put us on steroids",), "what pills am i on", "steroids"),
        (("my junior starts monday, Keeley, shes 17", "when does keeley start"), "how old is she", "17"),
        (
            ("papa was in Park hospital", "who?", "what now?", "sorry it was not Park, it was Hill hospital"),
            "which hospital was papa in",
            "Hill",
        ),
        (("I taught Latin for thirty years", "Toby hit a teacher"), "How long was I a teacher?", "thirty"),
        (("my mum rang today", "shes got the biopsy thursday", "she went mad"), "when's mums biopsy", "thursday"),
        (("they took him to Park hospital", "doctor said it was gas"), "which hospital was he taken to", "Park"),
        (("ok so theres this girl jaz in my bio class",), "what's the girl's name", "jaz"),
        (("my dog rocket ate my homework",), "who is rocket", "your dog rocket"),
        (("I work as a piano tuner",), "prove that you remember something about me", "piano tuner"),
        (("Mia turns nine on 12 December", "I baked a cake"), "when's her birthday?", "12 December"),
        (("my sister Ellen lives in Bristol", "Ellen is moving to Cardiff"), "where does she live now?", "Cardiff"),
        (("my flatmate Zoe plays drums", "who is Zoe?"), "what did I say about her?", "drums"),
        (("eleven years at the same printing company",), "how long was I at the company?", "“eleven years"),
        (("so I lost my job today",), "do you remember what happened to me?", "lost your job"),
        (("I never had a cat",), "what did I tell you yesterday?", "never had a cat"),
        (("my dahlias took a prize at the village show",), "who won first prize at the show?", "dahlias"),
        (("mum's cross because I dropped out of nursing",), "what did I drop out of?", "dropped out of nursing"),
        (("Came second, beaten by that Derek Cobb",), "who beat me?", "Derek Cobb"),
        (("I take warfarin so no grapefruit",), "What can't I eat?", "grapefruit"),
        (("who looks after koby? my neighbour Pauline does btw",), "who looks after koby", "Pauline does"),
        (("I'm scared of flying",), "What am I afraid of?", "scared of flying"),
        (["My manager is Rachel."], "Who is my manager?", "Rachel"),
        (["Rachel left, my new manager is Dmitri."], "Who is my manager?", "Dmitri"),
        (["My teammates are Omar, Lin and Pete."], "Who's on my team?", "Pete"),
        (["I drive a blue Subaru Outback."], "What car do I drive?", "Subaru"),
        (["I run every morning before work, usually 5k."], "How far do I run?", "5k"),
        (
            ["I play bowls on Wednesdays with Stan.", "Not Wednesdays, sorry, Thursdays."],
            "When do I play bowls?",
            "Thursdays",
        ),
        (["When's my birthday?", "it's 3 March"], "so when's my birthday?", "3 March"),
        (["I work at Stripe as an engineer.", "Pete got fired."], "Where do I work?", "Stripe"),
    ],
)
def test_a_question_of_what_was_told_is_answered_with_it(earlier, asked, part):
    assert part in answer(asked, *earlier)


def test_of_several_pets_the_one_that_is_named_is_meant():
    said = answer("Gravy is the oldest, she is fourteen", "I have three cats: Biscuit, Gravy and Mustard")

    assert "Biscuit" not in said


def test_a_wish_to_be_asked_on_a_day_becomes_a_promise_to_keep():
    said = answer("ask me on Monday how it went with my exam")

    assert said.startswith("All right. I'll ask you on Monday how it went with your exam.")


def test_a_view_is_asked_for_of_what_was_told_too():
    assert is_of(answer("What do you think of opera?", "I got the tickets for the opera in Verona!!"), "opinion")


@pytest.mark.parametrize(
    "burst",
    ["She jumps on my face at night.", "He phoned me last night!", "I cough all night.", "Shouts in the night."],
)
def test_who_tells_of_a_night_takes_no_leave(burst):
    assert not is_of(answer(burst), "farewell")


def test_what_it_cannot_do_it_says_at_length_only_once():
    first = answer("tell me a story")
    second = reply.compose(inputs("sing me a song", window=["tell me a story", first]))

    assert is_of(first, "request")
    assert is_of(second, "request_again")


def test_a_trip_of_mourners_is_not_called_lovely():
    said = answer("we're going to the beach on saturday to scatter her ashes", "my mum died", "it was so sudden")

    assert not is_of(said, "outing")


def test_a_request_is_nothing_that_was_told():
    told = ("her name's Hannah, she works at the bakery", "write me a poem for Hannah")

    assert "poem" not in answer("where does Hannah work?", *told)
    assert "Hannah" not in answer("did I say anything about my dad?", *told)


@pytest.mark.parametrize(
    ("question", "told", "said"),
    [
        ("where does Karen work?", ("my daughter Karen visits on sundays", "she's a dental nurse in Leeds"), "Leeds"),
        ("what day's my operation?", ("I've got a bad hip, waiting for an operation", "op's on the 14th"), "14th"),
        ("what does my grandson do?", ("grandson Jack started secondary school this month",), "school"),
        ("am I allergic to something?", ("i have a nut allergy btw",), "nut allergy"),
        ("我讨厌吃什么来着", ("我不吃香菜也不吃葱",), "香菜"),
        ("我是做什么的", ("我是小鹿，做UI设计的，在成都", "我想辞职"), "UI设计"),
        ("What foods do I dislike?", ("I hate cilantro.", "I love hiking and my favorite food is sushi."), "cilantro"),
        ("where's Jean?", ("My sister Jean had a stroke in the spring", "she's in a care home in Perth"), "Perth"),
        ("what am i studying", ("my course is marine biology btw",), "marine biology"),
        ("what did I cook?", ("I made a shepherd's pie tonight",), "shepherd's pie"),
        ("what should I avoid?", ("I'm supposed to cut out salt",), "salt"),
        ("what is my daughter called?", ("Daughter is Daria, she has 11 years",), "Daria"),
        ("can i eat pork?", ("i only eat halal",), "halal"),
        ("what can't I have?", ("doc says no more red meat",), "red meat"),
        ("what don't I eat?", ("I'm coeliac", "remind me what I mustn't eat"), "coeliac"),
        ("what can I not eat?", ("I'm allergic to shellfish btw", "I had toast"), "shellfish"),
        ("is there anything I can't eat?", ("I'm vegan",), "vegan"),
        ("what I do not eat?", ("I am working in warehouse", "I don't eat pork"), "pork"),
        ("how many children do I have?", ("I have two childs",), "two childs"),
        ("what's my baby's name?", ("New dad here, baby's 5 weeks old", "her name's Wren"), "Wren"),
        ("what's my lodger called?", ("my lodger moved in last week", "his name is Piet"), "Piet"),
        ("what's my ex called?", ("my ex Jonas still texts me",), "Jonas"),
        ("how long have I been seeing Noor?", ("been seeing this girl Noor for a month",), "a month"),
        ("What medication should I avoid?", ("I'm allergic to penicillin.",), "penicillin"),
        ("我最喜欢什么颜色？", ("我最喜欢的颜色是蓝色。", "其实我现在最喜欢绿色。"), "绿色"),
        ("我的孩子叫什么？", ("我们有两个孩子，大宝七岁，二宝四岁。",), "大宝"),
        ("我是哪里人？", ("你好！我叫李明，是一名软件工程师，来自西安。我养了一只金毛叫旺财。",), "西安"),
        ("我现在的职位是什么？", ("我刚升职当组长了！",), "组长"),
        ("说说你知道的我家里的情况。", ("我老婆叫小芳，我们有两个孩子。",), "小芳"),
        ("我吃什么药？", ("我的药是氨氯地平",), "氨氯地平"),
        ("你还记得我腿怎么了吗", ("上个月摔了一跤，腿还不太利索",), "摔了一跤"),
        ("我的店在哪里？", ("我在杭州开一家花店", "其实店不在杭州市区，在富阳"), "富阳"),
    ],
)
def test_what_is_told_in_other_words_is_found(question, told, said):
    assert said in answer(question, *told)


@pytest.mark.parametrize("burst", ["what does Tom do?", "what is the meaning of life?"])
def test_what_only_names_or_shares_a_word_is_no_answer(burst):
    said = answer(burst, "my sister Ellen lives in Bristol with her husband Tom", "I mean I bought myself earplugs")

    assert not said.startswith(("You told me", "What you told me"))
    assert "earplugs" not in said


HUSBAND = (
    "my husband Lars has just been diagnosed with parkinsons",
    "he won't talk about it. just goes out to the shed and sands the same bit of wood",
    "my sister Berit says wait until christmas but berit says wait about everything",
    "the neurologist was a young man, Dr Okafor. kind. He said it's early",
)


@pytest.mark.parametrize("burst", ["do you remember what he does in the shed?", "what happens in the shed with Lars?"])
def test_what_somebody_does_is_told_rather_than_what_else_has_their_name(burst):
    assert "sands the same bit of wood" in answer(burst, *HUSBAND, certainty=Certainty.HERE)


def test_one_person_says_nothing_of_another():
    told = ("His name was Daniel, my son. He played bass in a band", "my new partner Jo says she'd come with me")

    assert "Daniel" not in answer("does jo have children?", *told)


def test_a_question_goes_on_without_a_question_mark():
    said = answer(
        "and the cat", "we've a golden retriever called Biscuit and a cat called Scone", "what's my dog called?"
    )

    assert "Scone" in said


CAT = (
    "my cat Morel had to go to the vet, its his kidneys",
    "noor came to the vet with me. she held my hand",
    "they put him to sleep at 4.",
)


@pytest.mark.parametrize("burst", ["is morel ok", "how is morel", "how's my cat?"])
def test_how_an_animal_is_that_died_is_answered_by_its_death(burst):
    assert "they put him to sleep" in answer(burst, *CAT, certainty=Certainty.HERE)


def test_of_another_the_death_of_an_animal_says_nothing():
    assert "sleep" not in answer("how is noor", *CAT, certainty=Certainty.HERE)


def test_a_child_that_is_put_to_sleep_is_no_loss():
    assert "sorry" not in answer("I put my son to sleep at 7, finally quiet")


@pytest.mark.parametrize(
    ("burst", "told", "answered"),
    [
        (
            "when is my wife's birthday",
            ["I run a bakery with my wife Hannah", "Hannah's birthday is the 8th of december"],
            "the 8th",
        ),
        (
            "where does my son live",
            ["my son Peter wants me to move", "Peter lives in Canada anyway so what does he know"],
            "Canada",
        ),
        ("what was my husband called?", ["Arthur was my husband. fifty-two years."], "Arthur"),
        ("What does Anna like?", ["Anna likes climbing", "I'm seeing Anna again on Wednesday"], "climbing"),
        ("Which hospital is it?", ["The operation is on Tuesday at Leighton hospital", "It's Friday now"], "Leighton"),
        ("How old are my kids?", ["My kids: Maisie's 9 and Jacob's 6", "Actually Jacob's 7 now"], "Jacob's 7"),
        ("When did Elena lose her job?", ["Elena's been made redundant"], "redundant"),
        ("who is Steve?", ["I moved into a flat"], "Steve"),
        ("What's my cat called? What do I do?", ["I've a cat named Baklava", "I'm a nurse"], "Baklava"),
        ("What's my cat called? What do I do?", ["I've a cat named Baklava", "I'm a nurse"], "nurse"),
    ],
)
def test_whom_somebody_is_to_the_user_is_asked_for_by_it(burst, told, answered):
    assert answered in answer(burst, *told, certainty=Certainty.HERE)


def test_who_asks_to_be_told_again_when_is_told():
    assert "thursday" in answer("remind me when im seeing her?", "im seeing her again thursday!!!")


def test_what_somebody_is_not_to_hear_is_kept():
    assert is_of(answer("please don't tell Peter I said I was frightened"), "secret")


def test_an_animal_is_greeted_by_its_name():
    said = answer("We got a kitten though, its name is Pickle")

    assert said in [saying.format(name="Pickle") for saying in SAYINGS["pet_named"]]
