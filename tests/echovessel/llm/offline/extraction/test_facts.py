import pytest

from chat.evaluation.facts import talks
from echovessel.llm.inputs import NumberedFact
from echovessel.llm.offline.extraction import facts
from tests.support.extracting import extract, inputs_of


def read(*lines, noted=()):
    inputs = inputs_of(*lines, first=1)
    found = facts.find_facts(inputs.said_by_user, type(inputs)(inputs.lines, facts=tuple(noted)))
    return [(one["content"], one["slot"], one["certainty"]) for one in found]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("I live in York.", ("The user lives in York.", "home", 0.75)),
        ("Divorced.", ("The user is divorced.", None, 0.75)),
        ("I'm a nurse.", ("The user is a nurse.", "work", 0.75)),
        ("I'm allergic to nuts.", ("The user is allergic to nuts.", None, 0.75)),
        ("I have a cat called Nimbus.", ("The user has a cat called Nimbus.", None, 0.75)),
        ("I love jazz and hiking.", ("The user loves jazz and hiking.", None, 0.75)),
        (
            "I cant do shellfish, throat closes up",
            ("The user can't do shellfish, throat closes up.", None, 0.75),
        ),
        ("I don't eat pork.", ("The user doesn't eat pork.", None, 0.5)),
        ("My favourite colour is green.", ("The user's favourite colour is green.", None, 0.5)),
        ("我住在苏州", ("用户住在苏州。", "home", 0.75)),
        ("我对花生过敏", ("用户对花生过敏。", None, 0.75)),
        ("对了，我海鲜过敏", ("用户海鲜过敏。", None, 0.75)),
        ("我对花生过敏，小时候进过医院", ("用户对花生过敏，小时候进过医院。", None, 0.75)),
        ("我们有个女儿叫朵朵", ("用户有个女儿叫朵朵。", None, 0.75)),
        ("Our dog is called Biscuit", ("The user's dog is called Biscuit.", None, 0.5)),
        ("By the way, I'm allergic to shellfish btw", ("The user is allergic to shellfish.", None, 0.75)),
        ("我有一只猫", ("用户有一只猫。", None, 0.75)),
        ("孙女叫朵朵，今年上二年级", ("用户孙女叫朵朵，今年上二年级。", None, 0.75)),
        ("我血压高，天天吃药", ("用户血压高，天天吃药。", None, 0.75)),
        ("我在杭州开了家花店", ("用户在杭州开了家花店。", None, 0.5)),
        ("我喜欢爬山。", ("用户喜欢爬山。", None, 0.75)),
        ("我不吃猪肉", ("用户不吃猪肉。", None, 0.5)),
        ("我会弹钢琴", ("用户会弹钢琴。", None, 0.5)),
        ("We live together in Bristol.", ("The user lives together in Bristol.", "home", 0.75)),
        ("I work nights at a bakery.", ("The user works nights at a bakery.", "work", 0.75)),
        (
            "I started at a vet clinic in Porto two weeks ago",
            ("The user started at a vet clinic in Porto two weeks ago.", "work", 0.75),
        ),
        ("I've been vegetarian for twelve years", ("The user has been vegetarian for twelve years.", "diet", 0.75)),
        ("My sister Anna lives in Leeds.", ("The user's sister Anna lives in Leeds.", None, 0.75)),
        ("my mum has dementia", ("The user's mum has dementia.", None, 0.75)),
        ("my mum has dementia, it's been hard", ("The user's mum has dementia.", None, 0.75)),
        ("我妈有糖尿病，挺不容易的", ("用户的妈妈有糖尿病。", None, 0.75)),
        ("my son Theo is six and mad about trains", ("The user's son Theo is six and mad about trains.", None, 0.75)),
        (
            "Hanna's birthday is on 12 December, help me think of a present",
            ("Hanna's birthday is on 12 December.", None, 0.75),
        ),
        ("oh and my mum's birthday is the 3rd of May", ("The user's mum's birthday is the 3rd of May.", None, 0.75)),
        ("阿楠12月12号生日，帮我想想送什么", ("阿楠12月12号生日。", None, 0.75)),
        ("我妈生日是5月3号", ("用户的妈妈生日是5月3号。", None, 0.75)),
        ("对了我是绵阳的", ("用户是绵阳的。", None, 0.75)),
        ("I drive a night bus in Glasgow", ("The user drives a night bus in Glasgow.", None, 0.5)),
        ("My brother is a nurse.", ("The user's brother is a nurse.", None, 0.75)),
        ("I'm doing a PhD in chemistry", ("The user is doing a PhD in chemistry.", None, 0.75)),
        ("I work nights", ("The user works nights.", None, 0.5)),
        ("I drive an old Volvo", ("The user drives an old Volvo.", None, 0.5)),
        ("我妈有糖尿病", ("用户的妈妈有糖尿病。", None, 0.75)),
        ("我女儿朵朵上小学二年级", ("用户女儿朵朵上小学二年级。", None, 0.75)),
        ("我今年三十四", ("用户今年三十四。", None, 0.75)),
        ("我在读博", ("用户在读博。", None, 0.75)),
        ("养了一只仓鼠叫Schrödinger哈哈", ("用户养了一只仓鼠叫Schrödinger。", None, 0.75)),
        ("我老板叫Kevin", ("用户老板叫Kevin。", None, 0.75)),
        ("我女儿在澳洲，叫王静", ("用户女儿在澳洲，叫王静。", None, 0.75)),
        ("最近在学法语，每周三晚上上课", ("用户最近在学法语，每周三晚上上课。", None, 0.75)),
        ("借给阿伟两千", ("用户借给阿伟两千。", None, 0.75)),
        ("我升护士长了", ("用户升护士长了。", "work", 0.75)),
        ("我是一名退役的运动员", ("用户是一名退役的运动员。", None, 0.75)),
        ("我在望京租了个一居室", ("用户在望京租了个一居室。", "home", 0.75)),
        ("我是隔壁班的王磊", ("用户是王磊。", "preferred_name", 0.75)),
        ("我刚换到一家游戏公司", ("用户刚换到一家游戏公司。", "work", 0.75)),
    ],
)
def test_what_holds_is_a_fact(line, found):
    assert read(line) == [found]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "I'm Jonas, 29, from Ghent but living in Lyon since last year",
            ["The user is Jonas.", "The user is 29.", "The user is from Ghent.", "The user is living in Lyon."],
        ),
        ("I am 71 and a retired teacher.", ["The user is 71.", "The user is a retired teacher."]),
        ("I'm 71, retired signalman.", ["The user is 71.", "The user is a retired signalman."]),
        ("I was born in Kraków", ["The user was born in Kraków."]),
        ("I smoke ten a day, filthy habit", ["The user smokes ten a day, filthy habit."]),
        ("my daughter Lily is in Year 3", ["The user's daughter Lily is in Year 3."]),
        ("I take the bus to work", ["The user takes the bus to work."]),
        ("I drive to work in the rain like an idiot", []),
        ("my phone is dead", []),
        ("我上夜班，白天补觉", ["用户上夜班，白天补觉。"]),
        ("我最好的朋友是小雨", ["用户最好的朋友是小雨。"]),
        ("我坐地铁上班了才发现没带手机", []),
        ("we moved to york last week", ["The user moved to york last week."]),
        ("btw I'm vegetarian, so no restaurant tips with steak please", ["The user is vegetarian."]),
        ("im allergic to peanuts tho so no satay for me", ["The user is allergic to peanuts."]),
        ("I don't drink, never have.", ["The user doesn't drink."]),
        ("I teach swimming to kids, mostly six-year-olds who hate water", ["The user teaches swimming to kids."]),
        ("got two cats, Biscuit and Moon", ["The user has two cats, Biscuit and Moon."]),
        ("Camille's my girlfriend, we met at the pool", ["The user's girlfriend is Camille."]),
        ("45, truck driver from Ohio", ["The user is 45.", "The user is a truck driver from Ohio."]),
        ("45, I think", []),
        ("老伴前年走了，现在一个人住沈阳", ["用户现在一个人住沈阳。"]),
        ("我妈离婚了，现在一个人住沈阳", []),
        ("老伴前年走的，剩我一个人住沈阳铁西", ["用户一个人住沈阳铁西。"]),
        ("住学校的教师公寓，食堂吃到吐", ["用户住学校的教师公寓。"]),
        ("My husband Jack works away on the rigs", ["The user's husband is Jack."]),
        (
            "i live with my nan in wigan, just the two of us",
            ["The user lives with their nan in wigan, just the two of them."],
        ),
        ("I used to live in Hull but we're in Leeds now", []),
        ("办公室搬广州了，我人也跟着过来了，住天河", ["用户住天河。"]),
        ("i live in a flat", []),
        ("We have decided to move; we found a house to buy in Stockport.", []),
        ("I've got an underactive thyroid so I'm always knackered", ["The user has got an underactive thyroid."]),
        ("i got asthma n im allergic to cats", ["The user is allergic to cats.", "The user got asthma."]),
        (
            "I do not take alcohol, and I cannot tolerate lactose.",
            ["The user cannot tolerate lactose.", "The user does not take alcohol."],
        ),
        ("I support Arsenal, though it pains me.", ["The user supports Arsenal."]),
        ("mum works nights at the Infirmary as a nurse", ["The user's mum works nights at the Infirmary as a nurse."]),
        ("i got the kids tonight", []),
        ("I live with my partner Niamh and our two cats", ["The user's partner is Niamh."]),
        ("I take warfarin and something else", ["The user takes warfarin and something else."]),
        ("I take Latin and French", []),
        ("I had a mastectomy in 2021 and I take letrozole every day", ["The user takes letrozole every day."]),
        (
            "I retired from nursing three years ago and moved down to Lyme Regis with my husband",
            ["The user moved down to Lyme Regis with their husband."],
        ),
        ("I've been in Bristol since 2012", ["The user has been in Bristol since 2012."]),
        ("I started at a school for girls when I was eleven", []),
        ("my brother is a pain", []),
        ("my brother lives in Bath now", []),
        ("my wife is two hours late", []),
        ("my son is one and a half kilos heavier", []),
        ("my sister works on my nerves", []),
        ("my dad teaches me patience", []),
        ("my sister has bronchitis", []),
        ("I drive my Mum mad", []),
        ("I work weekends sometimes", []),
        ("我儿子三岁看老", []),
        ("我刚换到靠窗的座位", []),
        ("I'm not vegan anymore, a bacon sandwich got me", []),
        ("I got two of them wrong", []),
    ],
)
def test_what_somebody_tells_of_themselves_at_first_is_a_fact_and_ends_where_it_ends(line, found):
    assert [one[0] for one in read(line)] == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "I live in Leeds and I work as a nurse.",
            [("The user lives in Leeds.", "home"), ("The user works as a nurse.", "work")],
        ),
        (
            "I live in Leeds and work as a nurse.",
            [("The user lives in Leeds.", "home"), ("The user works as a nurse.", "work")],
        ),
        ("I love cats, and I'm a nurse", [("The user loves cats.", None), ("The user is a nurse.", "work")]),
        ("I live in Leeds and I hate it.", [("The user lives in Leeds.", "home")]),
        (
            "你好，我叫陆远，在厦门做快递站站长。",
            [("用户叫陆远。", "preferred_name"), ("用户在厦门做快递站站长。", None)],
        ),
        ("我跟女朋友和好了，她叫沈月。", [("用户的女朋友叫沈月。", "partner")]),
        ("上个月我跟女朋友分手了，她叫沈月，谈了五年。", []),
        ("I love cats and dogs.", [("The user loves cats and dogs.", None)]),
        ("I have a dog but he is very old.", []),
        (
            "I'm 71, retired postman, live in Hull with my dog Bess",
            [
                ("The user is 71.", None),
                ("The user is a retired postman.", "work"),
                ("The user lives in Hull with their dog Bess.", "home"),
            ],
        ),
        (
            "I'm Dev, 19, studying physics at Manchester",
            [("The user is 19.", None), ("The user is studying physics at Manchester.", None)],
        ),
        (
            "我是小鹿，做UI设计的，在成都",
            [("用户是小鹿。", "preferred_name"), ("用户是做UI设计的。", "work"), ("用户住在成都。", "home")],
        ),
        ("I'm a nurse and have two kids", [("The user is a nurse.", "work"), ("The user has two kids.", None)]),
        ("I'm tired, have been up all night, work was hell", []),
        ("I'm twelve, a dog bit me", []),
        ("我刚养了一只狗，叫豆豆", []),
        ("我在厦门开一家小面包店，叫麦田", []),
        ("我喜欢上我们班的一个女生，叫林小鹿", [("用户喜欢上用户班上的一个女生，叫林小鹿。", None)]),
        ("我有一个妹妹，在腾讯上班", [("用户有一个妹妹，在腾讯上班。", None)]),
        ("我妈来了，住在北京", []),
        ("我住在上海，在字节上班。", [("用户住在上海。", "home"), ("用户在字节上班。", "work")]),
        ("我住在上海，我对花生过敏，会喘", [("用户住在上海。", "home"), ("用户对花生过敏，会喘。", None)]),
        (
            "haha ok. I'm Priya btw, 24, just moved to Berlin for a job at a fintech startup",
            [
                ("The user is Priya.", "preferred_name"),
                ("The user is 24.", None),
                ("The user just moved to Berlin for a job at a fintech startup.", "home"),
            ],
        ),
        (
            "I'm Walter, 68, retired two years ago after forty years as a civil engineer.",
            [("The user is Walter.", "preferred_name"), ("The user is 68.", None)],
        ),
        (
            "Hi I'm Emma, a 29 year old nurse living in Bristol with my boyfriend Jack",
            [
                ("The user is Emma.", "preferred_name"),
                ("The user is 29.", None),
                ("The user is a nurse.", "work"),
                ("The user is living in Bristol with their boyfriend Jack.", "home"),
            ],
        ),
        (
            "I'm from Mexico City but I live in Madrid now",
            [("The user is from Mexico City.", None), ("The user lives in Madrid now.", "home")],
        ),
        ("thanks! btw I'm vegetarian so food here is tough", [("The user is vegetarian.", "diet")]),
        ("I take Ramipril for blood pressure.", [("The user takes Ramipril for blood pressure.", None)]),
        ("I take the bus for work.", []),
        ("Margaret, that's my wife, had a hip replacement.", [("The user's wife is Margaret.", "partner")]),
        (
            "My wife Sarah is a lawyer",
            [("The user's wife is Sarah.", "partner"), ("The user's wife Sarah is a lawyer.", None)],
        ),
        ("My bf isn't sure about kids. His name is Dan.", [("The user's boyfriend is Dan.", "partner")]),
        ("My sister and my boss came. His name is Dan.", []),
        ("My manager is Rachel.", [("The user's manager is Rachel.", None)]),
        ("My manager is right.", []),
        ("My favorite movie is Arrival.", [("The user's favorite movie is Arrival.", None)]),
        ("My parents live in Sacramento.", [("The user's parents live in Sacramento.", None)]),
        ("My mom calls every sunday at 5, it's nice", [("The user's mom calls every sunday at 5.", None)]),
        ("I go to the gym on Mondays.", [("The user goes to the gym on Mondays.", None)]),
        ("I went to the gym on Monday.", []),
        (
            "We have three children - Anne in Toronto, Mark in Leeds, and little Susan who isn't so little any more.",
            [("The user has three children.", None)],
        ),
        (
            "我叫周子涵，今年大三，学会计的",
            [("用户叫周子涵。", "preferred_name"), ("用户今年大三，学会计的。", None)],
        ),
        ("在长沙读书，家在株洲", [("用户在长沙读书。", None), ("用户家在株洲。", "home")]),
        ("每天早上去公园打太极", [("用户每天早上去公园打太极。", None)]),
        ("药也换了，现在吃缬沙坦", [("用户现在吃缬沙坦。", None)]),
        ("我现在吃饭", []),
        ("预产期是明年7月20号", [("用户预产期是明年7月20号。", None)]),
        ("老公还不知道，他叫王磊", [("用户的老公叫王磊。", "partner")]),
        ("我最喜欢的电影是霸王别姬", [("用户最喜欢的电影是霸王别姬。", None)]),
        ("我会弹吉他", [("用户会弹吉他。", None)]),
        ("我开一辆白色的特斯拉", [("用户开一辆白色的特斯拉。", None)]),
        (
            "我老公周洋在医院当麻醉师，昨晚又值夜班",
            [("用户的老公叫周洋。", "partner"), ("用户老公周洋在医院当麻醉师。", None)],
        ),
        ("老公周凯是程序员，天天加班", [("用户的老公叫周凯。", "partner")]),
        ("老公出差了", []),
        ("我升职了！现在是运营主管", [("用户现在是运营主管。", "work")]),
        ("现在是晚上", []),
        ("我妈去年去世了", [("用户的妈妈去年去世了。", None)]),
        ("糯米对牛奶蛋白过敏，只能喝深度水解的奶粉", [("糯米对牛奶蛋白过敏，只能喝深度水解的奶粉。", None)]),
        ("我自己乳糖不耐受", [("用户自己乳糖不耐受。", None)]),
        ("我胃不好，不能吃辣，也喝不了咖啡", [("用户胃不好，不能吃辣，也喝不了咖啡。", None)]),
        ("吃的药叫舍曲林", [("用户吃的药叫舍曲林。", None)]),
        ("今年六十八，老伴姓王", [("用户今年六十八，老伴姓王。", None)]),
        ("my bf Jonah is at uni in Cardiff", [("The user's boyfriend is Jonah.", "partner")]),
        (
            "My wife Margaret passed away two years ago this March",
            [("The user's wife Margaret passed away two years ago this March.", None)],
        ),
        ("They've got me on warfarin, so no grapefruit", [("They've got the user on warfarin.", None)]),
        (
            "i don't drink any more, 6 years sober in april",
            [("The user doesn't drink any more, 6 years sober in april.", None)],
        ),
        ("Finn is allergic to nuts", [("Finn is allergic to nuts.", None)]),
        (
            "I'm Marcus. Freelance illustrator, based in Glasgow.",
            [
                ("The user is Marcus.", "preferred_name"),
                ("The user is a Freelance illustrator.", "work"),
                ("The user is based in Glasgow.", "home"),
            ],
        ),
        ("I share a studio in Dennistoun with Kirsty", []),
        (
            "Evening. Tom here, 41, divorced last year, still getting used to the quiet",
            [("The user is Tom.", "preferred_name"), ("The user is 41.", None), ("The user is divorced.", None)],
        ),
        ("Sun here, so we went out", []),
        (
            "I moved into a flat above a chip shop in Leeds, it stinks",
            [("The user moved into a flat above a chip shop in Leeds.", "home")],
        ),
        ("I'm seeing Anna again on Wednesday", []),
        ("My partner Elena and I have been together eleven years", [("The user's partner is Elena.", "partner")]),
        ("The cats are Bartok, Clara and Pudding", [("The user's cats are Bartok, Clara and Pudding.", None)]),
        ("I take propranolol before concerts", [("The user takes propranolol before concerts.", None)]),
        ("I love tennis but I've no time for it these days", [("The user loves tennis.", None)]),
        (
            "I'm 31, a pharmacist at a hospital in Leeds, been there six years",
            [
                ("The user is 31.", None),
                ("The user is a pharmacist at a hospital in Leeds, been there six years.", "work"),
            ],
        ),
        (
            "I've had a bad back since the summer, physio says it's a slipped disc, L5",
            [("The user has had a bad back since the summer.", None), ("The user has a slipped disc, L5.", None)],
        ),
        ("My mum's back is bad, the doctor says it's a slipped disc", []),
        (
            "mum is vegetarian and Tom can't have gluten",
            [("The user's mum is vegetarian.", None), ("Tom can't have gluten.", None)],
        ),
        (
            "My dad was diagnosed with Parkinson's last year",
            [("The user's dad was diagnosed with Parkinson's last year.", None)],
        ),
        (
            "I'm Dele, 28, a chef at a pub in Norwich",
            [("The user is 28.", None), ("The user is a chef at a pub in Norwich.", "work")],
        ),
        ("its jayden im 15", [("The user is Jayden.", "preferred_name")]),
        ("I can't have penicillin, it nearly killed me in '94", [("The user can't have penicillin.", None)]),
        ("I can't have any more of this", []),
        ("I had a bad reaction to codeine once", [("The user had a bad reaction to codeine once.", None)]),
        ("I had a terrible reaction to my boss's email", []),
        ("Idris has a peanut allergy so we're careful", [("Idris has a peanut allergy.", None)]),
        ("I'm seeing a solicitor on Tuesday about it", []),
        ("I'm getting a tattoo next Friday, a swallow on my shoulder", []),
        ("I'm a GP receptionist, not exactly glamorous", [("The user is a GP receptionist.", "work")]),
        ("租的房一个月5200，跟一个哥们儿合租，他叫大刘", []),
        ("red wine gives me migraines", [("Red wine gives the user migraines.", None)]),
        ("we got married in 2015", [("The user got married in 2015.", None)]),
        ("我不能打青霉素，小时候差点没命", [("用户不能打青霉素，小时候差点没命。", None)]),
        ("每天吃阿司匹林和他汀", [("用户每天吃阿司匹林和他汀。", None)]),
        ("我爸去年退休了，天天钓鱼", [("用户的爸爸去年退休了，天天钓鱼。", None)]),
        ("its freezing im 30 and cold", []),
        (
            "I lost my husband Arthur in March, after fifty-six years.",
            [("The user lost their husband Arthur in March, after fifty-six years.", None)],
        ),
        ("two cats, Biscuit and Moon", [("The user has two cats, Biscuit and Moon.", None)]),
        ("I am eighty-one", [("The user is eighty-one.", None)]),
        ("I hate my body", []),
        ("My kids are Theo, 8, and Ivy, 5", [("The user's kids are Theo, 8, and Ivy, 5.", None)]),
        ("Been a postie for 22 years", [("The user has been a postie for 22 years.", "work")]),
        (
            "I swim on Tuesday mornings before work, keeps me sane.",
            [("The user swims on Tuesday mornings before work.", None)],
        ),
        ("你好，我是高三的，叫林晓，压力好大", [("用户叫林晓。", "preferred_name")]),
        ("有点产后抑郁，医生开了舍曲林", [("用户有点产后抑郁。", None), ("用户在吃舍曲林。", None)]),
        ("我妈高血压，医生开了氨氯地平", []),
        ("豆包上幼儿园小班，对牛奶过敏", [("豆包对牛奶过敏。", None)]),
        ("我喜欢打羽毛球，可是现在没时间打", [("用户喜欢打羽毛球。", None)]),
        ("养了只鹦鹉，叫大宝，会说你好", [("用户养了只鹦鹉，叫大宝。", None)]),
        ("孙子乐乐今年上小学了", [("用户孙子乐乐今年上小学了。", None)]),
        ("膝盖不好，爬不了楼", [("用户膝盖不好，爬不了楼。", None)]),
        ("喜欢听秦腔", [("用户喜欢听秦腔。", None)]),
        ("我家猫可乖了。喜欢吃冻干", []),
        (
            "我在深圳做产品经理，今年31",
            [("用户在深圳做产品经理。", "work"), ("用户今年31岁。", None)],
        ),
        ("单身，跟两个同事合租在南山", [("用户单身。", None), ("用户跟两个同事合租在南山。", "home")]),
        ("我脱单了！她叫林溪，是牙医", [("用户的对象叫林溪。", "partner")]),
        ("我表妹谈恋爱了！他叫王浩", []),
        ("我女儿在读大学，今年20", [("用户女儿在读大学，今年20。", None)]),
        ("我老婆原来是会计，现在在家带娃", []),
        ("跟林溪同居了，住在福田", [("用户住在福田。", "home")]),
        (
            "right so I'm Callum, scottish, 31, electrician in Dundee",
            [
                ("The user is Callum.", "preferred_name"),
                ("The user is 31.", None),
                ("The user is an electrician in Dundee.", "work"),
            ],
        ),
        ("Dan proposed! I said yes", [("The user is engaged.", None), ("The user's partner is Dan.", "partner")]),
        ("My boyfriend asked me to marry him and of course I said yes", [("The user is engaged.", None)]),
        ("小杨昨晚跟我求婚了！我答应了", [("用户订婚了。", None), ("用户的对象叫小杨。", "partner")]),
        ("Dan proposed a new plan. I said yes", []),
        ("我哥跟他女朋友求婚了，她答应了", []),
        (
            "I'm Ollie, 24, barista in Leeds.\nmostly nights atm",
            [
                ("The user is Ollie.", "preferred_name"),
                ("The user is 24.", None),
                ("The user is a barista in Leeds.", "work"),
            ],
        ),
        (
            "im jake, 24, barista in leeds. mostly nights atm",
            [("The user is 24.", None), ("The user is a barista in leeds.", "work")],
        ),
        (
            "Ollie here, barista in Brighton",
            [("The user is Ollie.", "preferred_name"), ("The user is a barista in Brighton.", "work")],
        ),
        ("it's only me, Sarah", [("The user is Sarah.", "preferred_name")]),
        ("Anna, nurse at the hospital, called me", []),
        ("I can't eat, I'm so nervous", []),
        ("I hate everyone", []),
        ("I'm a match", []),
        ("i work saturdays at Boots", [("The user works saturdays at Boots.", "work")]),
        ("living in halls", []),
        (
            "so im Zainab, 19, first year at Leeds doing dentistry",
            [
                ("The user is Zainab.", "preferred_name"),
                ("The user is 19.", None),
                ("The user is first year at Leeds doing dentistry.", None),
            ],
        ),
    ],
)
def test_each_clause_is_a_fact_with_a_slot_of_its_own(line, found):
    assert sorted(one[:2] for one in read(line)) == sorted(found)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("我对虾过敏，帮我记住。", ["用户对虾过敏。"]),
        ("记住，我对虾过敏", ["用户对虾过敏。"]),
        ("我对虾过敏，别忘了哦", ["用户对虾过敏。"]),
        ("请帮我记一下我住在苏州", ["用户住在苏州。"]),
        ("I'm allergic to nuts, please remember that.", ["The user is allergic to nuts."]),
        ("I'm allergic to nuts and don't forget it!", ["The user is allergic to nuts."]),
        ("Please remember that I live in York", ["The user lives in York."]),
        ("Keep in mind: I don't eat pork", ["The user doesn't eat pork."]),
        ("Forget that I live in York.", []),
        ("Please don't keep that I'm allergic to nuts", []),
        ("忘掉我住在苏州的事吧", []),
        ("把我对虾过敏删掉", []),
    ],
)
def test_a_wish_is_no_part_of_a_fact(line, found):
    assert [content for content, _, _ in read(line)] == found


@pytest.mark.parametrize(
    "line",
    [
        *(
            "I'm tired",
            "I have to go",
            "I like it",
            "I love you",
            "I am a bit sad",
            "Do I live in York?",
            "P: I live in York.",
        ),
        *(
            "I had a cat.",
            "I'm a nurse in the play, if it happens",
            "我是说真的",
            "我爱你",
            "我有点累",
            "我住八楼",
            "我也怕",
            "我讨厌这两个字",
            "梦见我住在灯塔里",
        ),
        "我不对海鲜过敏，是对虾过敏",
    ],
)
def test_what_passes_is_none(line):
    assert read(line) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_neutral_lines_hold_next_to_nothing(language):
    lines = talks.load_neutral_lines(language)

    wrong = [line for line in lines if line and read(line)]

    assert len(wrong) <= 0.01 * len(lines)


def test_at_most_six_the_surest_first():
    lines = [f"I don't eat {what}." for what in ("pork", "fish", "nuts", "eggs", "figs", "kale")]

    assert [certainty for _, _, certainty in read(*lines, "I live in York.")] == [0.75, 0.5, 0.5, 0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("line", "op", "how", "target"),
    [
        ("I live in York.", "update", "contradicts", 1),
        ("I live in Leeds.", "skip", None, 1),
        ("I'm a nurse.", "add", None, None),
    ],
)
def test_a_slot_is_compared_with_what_is_noted(line, op, how, target):
    leeds = NumberedFact(number=1, text="Home is Leeds.", facet="about_you", source="told", slot="home", value="Leeds")
    inputs = inputs_of(line)

    [found] = facts.find_facts(inputs.said_by_user, type(inputs)(inputs.lines, facts=(leeds,)))

    assert (found["op"], found["how"], found["target"]) == (op, how, target)


@pytest.mark.parametrize(
    ("told", "right", "kept"),
    [
        ("My best friend is Ruth, she lives in Lisbon", "Actually Ruth moved to Porto, not Lisbon", []),
        ("I have a cat in Leeds", "Actually Jo works in Hull, not Leeds", ["The user has a cat in Leeds."]),
        ("I like pizza", "no, I don't like jazz", ["The user likes pizza.", "The user doesn't like jazz."]),
    ],
)
def test_what_is_denied_later_in_a_talk_is_no_fact(told, right, kept):
    assert [content for content, *_ in read(told, right)] == kept


def test_an_extraction_has_the_facts_and_leaves_secrets_out():
    found = extract("I live in York. My password is hunter2.")

    assert [(one["content"], one["source_lines"]) for one in found["facts"]] == [("The user lives in York.", [11])]


def test_what_is_noted_takes_no_room():
    said = [
        "I live in York.",
        "I'm a nurse.",
        "I'm vegan.",
        "My birthday is on 3 May.",
        "Call me Max.",
        "I use he/him.",
    ]
    noted = [
        NumberedFact(number=at, text=content, facet="about_you", source="told", slot=slot or "", value="")
        for at, (content, slot, _) in enumerate(read(*said), start=1)
    ]

    assert len(noted) == 6
    assert read(*said, "My dog is called Biscuit.", noted=noted)[0][0] == "The user's dog is called Biscuit."


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("我的狗叫饼干，六岁了。", "用户的狗叫饼干，六岁了。"),
        ("我是小公司里的小人物。", None),
    ],
)
def test_an_age_holds_and_half_a_word_does_not(line, content):
    assert [one[0] for one in read(line)] == ([content] if content else [])


@pytest.mark.parametrize(
    ("line", "contents"),
    [
        (
            "我叫周亦然，今年27，在成都做急诊护士",
            ["用户叫周亦然。", "用户今年27岁。", "用户在成都做急诊护士。"],
        ),
        ("我姓陈 叫我老陈就行 今年四十六了", ["用户叫老陈。", "用户今年四十六岁。"]),
        ("我叫王桂芬 周岁六十五", ["用户叫王桂芬。", "用户今年六十五岁。"]),
        ("我叫赵磊 独生子 在银行上班 柜台", ["用户叫赵磊。", "用户在银行上班。"]),
        ("有个姐姐说我像她妹妹 她妹妹去年没了", []),
        ("哈尔滨人 开出租的 开了二十年了", ["用户是哈尔滨人。", "用户开出租的。"]),
        ("我是林小雅 21岁 在广州读大三 学会计的", ["用户今年21岁。", "用户在广州读大三，学会计的。"]),
        ("哈哈。我跟我对象异地，他在重庆，叫许航", ["用户的对象叫许航。"]),
        ("我们养了只乌龟，叫慢慢，放在我这儿", ["用户养了只乌龟，叫慢慢。"]),
        ("我妈是小学老师，我爸跑运输的", ["用户的妈妈是小学老师。", "用户的爸爸跑运输的。"]),
        ("有个儿子 上初三 叫陈浩", ["用户有个儿子，上初三，叫陈浩。"]),
        ("别再叫我周亦然了，叫我然然吧", ["用户叫然然。"]),
        (
            "我叫苏曼，30岁，在杭州一家互联网公司做产品经理",
            ["用户叫苏曼。", "用户今年30岁。", "用户在杭州一家互联网公司做产品经理。"],
        ),
        ("我跟男朋友李哲同居两年了", ["用户的男朋友叫李哲。"]),
        (
            "我叫郑文静，38岁，离异，一个人带着女儿朵朵在南京生活",
            ["用户叫郑文静。", "用户今年38岁。", "用户一个人带着女儿朵朵在南京生活。"],
        ),
        ("我自己有甲减，每天早上空腹吃优甲乐", ["用户每天早上空腹吃优甲乐。", "用户自己有甲减。"]),
        ("我俩养了一只边牧叫元宝", ["用户养了一只边牧叫元宝。"]),
        ("在厦门一家外贸公司做跟单", []),
        ("我在厦门一家外贸公司做跟单", ["用户在厦门一家外贸公司做跟单。"]),
        ("叫我阿泽就行，坐标成都，95后", ["用户叫阿泽。", "用户住在成都。"]),
        ("程序员一枚，在一家做游戏的公司写后端", ["用户是程序员。"]),
        ("单身，养了只橘猫，叫可乐", ["用户单身。", "用户养了只橘猫，叫可乐。"]),
        ("我甲状腺结节，每半年复查一次", ["用户甲状腺结节，每半年复查一次。"]),
        ("我有点抑郁，在吃舍曲林", ["用户在吃舍曲林。"]),
        ("老家是绵阳的，国庆才回去过", ["用户老家是绵阳的，国庆才回去过。"]),
        ("老公在国企上班，常年出差，儿子上高二，住校", ["用户儿子上高二，住校。"]),
        ("我平时喜欢跳广场舞", ["用户平时喜欢跳广场舞。"]),
        ("孙女今年五岁，叫安安，视频里会背唐诗了", ["用户孙女今年五岁，叫安安。"]),
        ("最近膝盖不好，医生说是骨关节炎，让少爬楼", ["用户有骨关节炎。"]),
        ("女朋友小满在上海读博，异地两年了", ["用户的女朋友叫小满。"]),
        ("我和老公结婚八年了", []),
        ("我爸去年确诊了帕金森", ["用户的爸爸去年确诊了帕金森。"]),
        ("刚查出来桥本甲状腺炎，医生让我每天吃优甲乐", ["用户刚查出来桥本甲状腺炎。", "用户在吃优甲乐。"]),
        ("老家湖南衡阳，无辣不欢", ["用户老家湖南衡阳，无辣不欢。"]),
        ("老家那边下雪了", []),
        ("我离婚三年了，儿子跟他爸", ["用户离婚三年了，儿子跟他爸。"]),
        ("我老家在潍坊，现在人在青岛", ["用户老家在潍坊。", "用户现在人在青岛。"]),
        ("老公对芒果过敏", ["用户老公对芒果过敏。"]),
        ("我妈不能吃辣", ["用户的妈妈不能吃辣。"]),
        ("我有病", []),
        ("我在做饭", []),
        ("我妈在厨房", []),
        ("我开玩笑的", []),
        ("我吃素，对芒果过敏", ["用户对芒果过敏。", "用户吃素。"]),
        ("我是护士，对青霉素过敏", ["用户对青霉素过敏。", "用户是护士。"]),
        ("我女儿吃素，对芒果过敏", ["用户女儿对芒果过敏。"]),
        ("我有个儿子，对牛奶过敏", ["用户有个儿子，对牛奶过敏。"]),
        ("I'm vegetarian, allergic to sesame", ["The user is allergic to sesame.", "The user is vegetarian."]),
        ("I'm not vegetarian, just allergic to fish", ["The user is allergic to fish."]),
        ("我是护士，有糖尿病", ["用户有糖尿病。", "用户是护士。"]),
        ("我住在成都，乳糖不耐受", ["用户乳糖不耐受。", "用户住在成都。"]),
        ("我认识一个人，有糖尿病", []),
        ("I'm a teacher, diabetic", ["The user is a teacher.", "The user is diabetic."]),
        ("I'm vegan, can't have gluten", ["The user is vegan.", "The user can't have gluten."]),
        ("I'm not diabetic and not pregnant", []),
        ("I'm not allergic to nuts", []),
        ("I'm not sure if I'm allergic to nuts", []),
        ("my sister is vegan, allergic to nuts", ["The user's sister is vegan, allergic to nuts."]),
        (
            "Deathly allergic to shellfish btw, I carry an EpiPen",
            ["The user is deathly allergic to shellfish.", "The user carries an EpiPen."],
        ),
        ("Bad news, I can't have dairy anymore", ["The user can't have dairy anymore."]),
        ("i am pure veg, no eggs also", ["The user is pure veg."]),
        ("I'm on citalopram 20mg", ["The user is on citalopram 20mg."]),
        ("i can't have gluten, i'm vegan too", ["The user can't have gluten.", "The user is vegan."]),
        ("my doctor told me to cut down on salt", ["The user's doctor told them to cut down on salt."]),
        ("my flatmate Jamie is coeliac", ["The user's flatmate Jamie is coeliac."]),
        ("we adopted a kitten, Pickles", ["The user adopted a kitten, Pickles."]),
        ("I'm 12 weeks pregnant", ["The user is 12 weeks pregnant."]),
        ("Chidi proposed!! we're engaged", ["The user is engaged."]),
        ("I have a part-time job at Tesco", ["The user has a part-time job at Tesco."]),
        (
            "Alright mate. Dave, 52, taxi driver from Stockport.",
            ["The user is Dave.", "The user is 52.", "The user is a taxi driver from Stockport."],
        ),
        ("I'm Chloë", ["The user is Chloë."]),
        ("I live in Leeds with my boyfriend Jake", ["The user lives in Leeds.", "The user's boyfriend is Jake."]),
        ("我乳糖不耐，但是超爱喝latte", ["用户乳糖不耐。"]),
        ("医生不让我喝咖啡", ["医生不让用户喝咖啡。"]),
        ("我不吃牛肉，因为信佛", ["用户不吃牛肉。"]),
        ("我不吃香菜！！也不喝牛奶", ["用户不吃香菜。", "用户不喝牛奶。"]),
        ("我老婆怀孕了", ["用户老婆怀孕了。"]),
        ("养了一只仓鼠叫Schrödinger哈哈", ["用户养了一只仓鼠叫Schrödinger。"]),
        ("我是做装修的，在苏州，带着七八个工人", ["用户是做装修的。", "用户住在苏州。"]),
        ("吃虾会起疹子", ["用户吃虾会起疹子。"]),
        ("我对gluten过敏，严重的那种", ["用户对gluten过敏，严重的那种。"]),
        ("I gave up smoking two years ago", ["The user gave up smoking two years ago."]),
        ("nan's got dementia", ["The user's nan's got dementia."]),
        ("I stopped drinking for a week", []),
        ("yeah right, I love Mondays", []),
        ("I'm a millionaire lol", []),
        ("I can't eat another bite", []),
        ("我不是对乳糖不耐，是对小麦", []),
    ],
)
def test_who_one_is_is_read_as_people_type_it(line, contents):
    assert [content for content, _, _ in read(line)] == contents


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Lovely. Where do you live?", "in Hove", "The user lives in Hove."),
        ("Where do you live?", "Hove", "The user lives in Hove."),
        ("And what do you do for a living?", "nurse", "The user is a nurse."),
        ("How old are you?", "34", "The user is 34."),
        ("What are you allergic to?", "peanuts", "The user is allergic to peanuts."),
        ("Which instrument do you play?", "the cello", "The user plays the cello."),
        ("What's your girlfriend called?", "Priya", "The user's girlfriend is Priya."),
        ("你住在哪里？", "杭州", "用户住在杭州。"),
        ("你做什么工作呀？", "护士", "用户做护士。"),
        ("你对什么过敏？", "花生", "用户对花生过敏。"),
        ("你在哪里上班？", "字节", "用户在字节上班。"),
    ],
)
def test_an_answer_tells_a_fact_with_its_question(question, answer, found):
    assert [one["content"] for one in extract(f"P: {question}", answer)["facts"]] == [found]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How are you?", "tired"),
        ("What are you up to?", "nothing much"),
        ("Where do you live?", "not telling"),
        ("你在哪里上班？", "不告诉你"),
        ("Would you live in Hove?", "in a heartbeat"),
        ("你最近在忙什么？", "老家信阳的"),
    ],
)
def test_an_answer_that_says_nothing_tells_no_fact(question, answer):
    assert extract(f"P: {question}", answer)["facts"] == []


def test_what_one_is_beside_ones_work_takes_no_works_place():
    found = read("I work nights at a care home in Hull. I am a nurse really but they have to check my papers first.")

    assert [(content, slot) for content, slot, _ in found] == [
        ("The user works nights at a care home in Hull.", "work"),
        ("The user is a nurse really.", None),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "omg hi im zoe 16 from cardiff",
        "im priya, 15, hate my school lol",
        "im ellis im 15, i look after my mum",
        "me name's Alf, 78",
        "myself Sneha, working nights",
        "I am Margaret, I taught Latin",
        "hi i'm jo",
        "hiya, jo here",
        "yo its dave",
        "hello it's kwame",
    ],
)
def test_a_name_is_told_in_many_ways(said):
    assert read(said)[0][1] == "preferred_name"


@pytest.mark.parametrize("said", ["im pregnant im 16", "im sad im 15", "myself I like tea", "hi im ok", "nobody here"])
def test_what_one_is_is_no_name(said):
    assert all(slot != "preferred_name" for _, slot, _ in read(said))


def test_who_introduces_themselves_tells_several_things():
    said = read("I'm 52, divorced, two grown kids: Ben is in Toronto and Lucy in Bristol.")

    assert [content for content, *_ in said] == ["The user is 52.", "The user is divorced."]


def test_a_chinese_introduction_tells_several_things():
    said = read("我今年三十八，有个女儿叫糖糖，跟她爸住，我每周六接她。")

    assert [content for content, *_ in said] == ["用户今年三十八。", "用户有个女儿叫糖糖，跟她爸住。"]


def test_a_smiley_is_no_part_of_a_fact():
    assert read("It's my birthday today, I'm 30 :)") == [("The user is 30.", None, 0.75)]


def test_what_a_partner_is_is_no_fact_of_the_user():
    found = read("I am fifty-three, married to Tunde, an anaesthetist.")

    assert [content for content, *_ in found] == ["The user is fifty-three.", "The user is married to Tunde."]


@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("When's my birthday?", "it's 3 March", ["The user's birthday is 3 March."]),
        ("When's my birthday?", "3 March", ["The user's birthday is 3 March."]),
        ("When's my birthday?", "good question", []),
        ("What's my dog's name?", "Rex died", []),
        ("我生日是哪天？", "3月3号", ["用户生日是3月3号。"]),
    ],
)
def test_what_one_answers_to_ones_own_question_is_told(question, answer, facts):
    assert [one["content"] for one in extract(question, answer)["facts"]] == facts


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (
            ["my husband Gareth is away on the rigs", "the cat had to go to the vet. Her name's Biscuit"],
            [("The user's husband is Gareth.", "partner"), ("The user's cat's name is Biscuit.", "")],
        ),
        (
            ["I work in Leeds", "I'm an accountant"],
            [("The user works in Leeds.", "work"), ("The user is an accountant.", "")],
        ),
        (["我在厦门工作", "我是做跨境电商的"], [("用户在厦门工作。", "work"), ("用户是做跨境电商的。", "")]),
    ],
)
def test_what_is_told_later_takes_the_place_of_nothing_else(lines, found):
    assert [(content, slot or "") for content, slot, _ in read(*lines)] == found
