import pytest

from memory.facts.checks import left_open


@pytest.mark.parametrize(
    ("said", "content", "is_theirs"),
    [
        ("Omar's a vegan so post-run burgers are out lol", "Jay is a vegan, no burgers after runs.", True),
        ("Omar did his ankle in, so he's out of the half", "Jay did his ankle in and is out of the half marathon.", True),
        ("Omar is 80 and allergic to wasps, I always carry his EpiPen", "Jay is allergic to wasps and carries an EpiPen.", True),
        ("Omar is 80 and allergic to wasps, I always carry his EpiPen", "Jay carries an EpiPen.", False),
        ("Omar is 80", "Jay is 80.", True),
        ("Omar's a vegan", "Jay's mate Omar is a vegan.", False),
        ("Omar's a vegan and I am too", "Jay is a vegan.", False),
        ("He's four and allergic to peanuts so I have to clear out the cupboard", "The user is allergic to peanuts.", True),
        ("I'm allergic to peanuts, like Omar", "Jay is allergic to peanuts.", False),
        ("Love tea. Omar hates it", "Jay loves tea.", False),
        ("Signe is my girlfriend", "Jay has a girlfriend, Signe.", False),
        ("My sister Yuki is allergic to cats", "Jay is allergic to cats.", True),
        ("My girlfriend is called Signe", "Jay has a girlfriend called Signe.", False),
        ("我爸最近血压高，在吃药", "Jay最近血压高，在吃药", True),
        ("我最近血压高，在吃药", "用户最近血压高，在吃药", False),
        ("她叫沈怡，在一家律所上班，我在长沙做后端", "Jay在一家律所上班", True),
        ("她叫沈怡，在一家律所上班，我在长沙做后端", "Jay在长沙做后端", False),
        ("美术是小唐，她在成都，我在重庆", "Jay住在成都，美术是小唐", True),
        ("美术是小唐，她在成都，我在重庆", "Jay住在重庆", False),
        ("哎，沈怡下个月要结婚了，跟别人", "Jay下个月要结婚了", True),
        ("上周换了工作，在一家律所上班", "Jay在一家律所上班", False),
        ("我女朋友小林在深圳上班", "用户的女朋友小林在深圳上班", False),
        ("our shelter mutt Cornbread eats socks", "Jay has a shelter mutt called Cornbread who eats socks.", False),
        ("My neighbour has a mutt that eats socks", "Jay has a mutt that eats socks.", True),
        ("妈妈说我们不住船啦，在泸州买了房子", "用户家在泸州买了房子", False),
        ("妈妈说她在泸州买了房子", "用户在泸州买了房子", True),
        ("my brother has started eating chicken at his hostel", "The user has started eating chicken.", True),
        ("gemma's only gone and got engaged!!", "The user is engaged.", True),
        ("Denise is up for that promotion again", "The user is up for a promotion.", True),
        ("our Orla hates her new boss so she does", "The user hates their new boss.", True),
        ("ma cousin's wean has been diagnosed wi ADHD", "The user has been diagnosed with ADHD.", True),
        ("lady in bed 4 is scared of dying", "The user is scared of dying.", True),
        ("my flatmate gave me her bike", "The user has a bike.", False),
        ("高中同学现在月薪两万了", "用户月薪两万", True),
        ("朋友给我介绍了工作", "用户有了工作", False),
    ],
)  # fmt: skip
def test_what_was_said_of_others_is_not_of_the_user(said, content, is_theirs):
    before = ["training with my mate Omar", "Signe and I"]

    assert left_open.is_of_others(content, burst=[said], before=before, user_name="Jay", known={"沈怡"}) is is_theirs


@pytest.mark.parametrize(
    ("said", "content", "is_open"),
    [
        ("I have an interview at Equinor, for planner", "Tomas works as a planner at Equinor.", True),
        ("I have an interview at Equinor, for planner", "Tomas has an interview at Equinor.", False),
        ("If I ever move to Spain I'd grow lemons", "Hana moves to Spain and grows lemons.", True),
        ("If I eat nuts I swell up", "Hana swells up from nuts.", False),
        ("要是中了彩票我就去冰岛住一年", "陈默去冰岛住一年", True),
        ("要是中了彩票我就去冰岛住一年", "陈默要去冰岛住一年", True),
        ("If I won I'd buy a boat", "Amara wants to buy a boat.", True),
        ("if it comes back i'm taking him to Dublin", "Hannah is taking Archie to Dublin", True),
        ("if it rains I stay in", "Hannah stays in.", False),
        ("I moved to Spain", "Hana moved to Spain.", False),
        ("I'm thinking of the half marathon in May", "Jo thinks of running the half marathon in May.", False),
        ("I'm considering Cardiff", "Jo may move to Cardiff, and is undecided.", False),
        ("I'm thinking of the half in May", "Jo runs the half marathon in May.", True),
        ("我在考虑上海那边", "小满对去上海有些犹豫", False),
        ("You might keep this: the key is under the coal", "The key is under the coal.", False),
    ],
)
def test_what_is_left_open_is_not_so_yet(said, content, is_open):
    assert left_open.is_open(said, content) is is_open
    assert bool("".join(left_open.list_heard([said], content))) is not is_open


@pytest.mark.parametrize(
    ("told", "line", "content", "is_besides"),
    [
        ("用户住在成都的俱乐部基地。", "俱乐部整个搬到上海 我也跟着过来了", "用户跟着俱乐部搬到上海了。", False),
        ("The user is a registrar.", "I've left the registry too, I'm a baker now", "The user is a baker.", False),
        ("用户在读博三，养斑马鱼。", "开学了，我也博四了", "用户在读博四。", False),
        ("The user has a dog called Rex.", "We've also got a cat now, Mog", "The user has a cat called Mog.", True),
        ("The user plays chess.", "I sing in a choir, too.", "The user sings in a choir.", True),
    ],
)
def test_only_the_clause_that_says_also_tells_something_more(told, line, content, is_besides):
    assert left_open.is_besides(content, told, burst=[line]) is is_besides
