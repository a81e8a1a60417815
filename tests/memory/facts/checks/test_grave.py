import pytest

from memory.facts.checks.grave import is_grave


@pytest.mark.parametrize(
    "text",
    [
        "The user is allergic to nuts.",
        "The user can't do shellfish, throat closes up.",
        "The user takes lithium every morning.",
        "The user is on sertraline.",
        "The user cannot tolerate lactose.",
        "The user can't take ibuprofen.",
        "用户不能打青霉素，小时候差点没命。",
        "用户在吃舍曲林。",
        "The user has type 1 diabetes.",
        "The user is pregnant.",
        "The user's address is 4 Mill Lane.",
        "The user lives at 12 Mill Lane.",
        "The user's emergency contact is Ann.",
        "The user had a heart attack in March.",
        "用户对花生过敏。",
        "用户每天吃两种药。",
        "用户有糖尿病。",
        "用户怀孕三个月了。",
        "用户的地址是中山路8号。",
        "用户的紧急联系人是妈妈。",
        "用戶對花生過敏。",
        "La usuaria es alérgica a los cacahuetes.",
        "Alergica a las nueces",
        "Die Nutzerin hat eine Nussallergie.",
        "Der Nutzer ist zuckerkrank.",
        "L'utilisatrice est enceinte.",
        "A usuária toma um medicamento para a tensão.",
        "L'utente ha il cancro.",
        "Пользовательница беременна.",
        "У пользователя рак.",
        "ユーザーは妊娠している。",
        "사용자는 땅콩 알레르기가 있다.",
        "المستخدمة لديها حساسية من المكسرات",
        "للمستخدم مرض مزمن",
        "למשתמשת יש אלרגיה לבוטנים",
        "Kullanıcının fıstığa alerjisi var.",
        "ผู้ใช้แพ้ถั่ว",
    ],
)
def test_a_mistake_about_this_could_do_harm(text):
    assert is_grave(text)


@pytest.mark.parametrize(
    "text",
    [
        "The user's father died last year.",
        "The user is allergic to Mondays.",
        "The user addressed the choir.",
        "The user likes tea.",
        "The user's email address book is full.",
        "用户的外婆去世了。",
        "用户对加班过敏。",
        "用户喜欢喝茶。",
        "用户的自行车有点毛病。",
        "The user takes violin lessons.",
        "The user takes Martin to school every day.",
        "The user takes Latin.",
        "The user lives in Hamilton.",
        "المستخدمة ممرضة",
        "Die Nutzerin baut Raketen.",
        "E-Mail-Adresse der Nutzerin: a@b.de",
        "사용자는 식당 예약을 했다.",
        "ユーザーは毎日がんばっている。",
    ],
)
def test_a_mistake_about_this_does_no_harm(text):
    assert not is_grave(text)
