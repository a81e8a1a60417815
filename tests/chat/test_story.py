from datetime import timedelta

import pytest

from memory.models import ConceptNode, Entity
from tests.support.factories import NOW, BondFactory
from tests.support.talking import close, reply, say

pytestmark = pytest.mark.django_db

CAT = {
    "en": ("We have a white cat.", "He is called 小黑.", "He jumps on my face at night."),
    "zh": ("我养了一只白猫。", "它叫小黑。", "它老在半夜跳到我脸上。"),
}
ASK = {"en": "Do you remember my cat?", "zh": "你还记得我的猫吗？"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("later_channel", ["web", "api"])
def test_cat_is_remembered_in_a_later_session_on_any_channel(language, later_channel):
    bond = BondFactory(user__username="mara")

    for message in CAT[language]:
        say(bond, message, now=NOW)
    session = close(bond, now=NOW + timedelta(minutes=1))

    assert session.status == "closed"
    assert session.trivial is False
    assert [(e.canonical_name, e.kind) for e in Entity.objects.filter(bond=bond)] == [("小黑", "pet")]
    event = ConceptNode.objects.events().filter(bond=bond).first()
    assert "小黑" in event.description
    assert event.emotional_impact != 0
    bond.refresh_from_db()
    assert bond.mood_updated_at is not None

    turn = say(bond, ASK[language], now=NOW + timedelta(days=1), channel=later_channel)

    assert turn.status == "done"
    assert "小黑" in reply(turn)
    assert [item["kept"] for item in turn.trace["items"]].count(True) >= 1
