"""Apart from the other tests of restorations, whose life stands in a transaction of the file."""

from io import BytesIO

import pytest

from chat.models import Restoration
from chat.transfer import restorations
from memory.models import Message
from tests.support.exports import exported, files, with_rows
from tests.support.factories import NOW, UserFactory
from tests.support.lives import lived


@pytest.mark.django_db(transaction=True)
def test_how_far_it_is_can_be_seen_before_it_is_done(lin):
    bond = lived(UserFactory(username="mara"))
    content = with_rows(files(exported(bond)), f"bonds/{bond.pk}", 2600)
    kept = restorations.restore_or_queue(BytesIO(content), name="a.zip", user=lin, now=NOW)
    seen = []

    def watch(archive, *, tell):
        def told(count):
            tell(count)
            seen.append((Restoration.objects.get().done, Message.objects.filter(bond__user=lin).count() > 0))

        return restoring_reader(archive, tell=told)

    restoring_reader = restorations.BOUNDED
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(restorations, "BOUNDED", watch)
        restorations.run(restoration_id=kept.pk, now=NOW)

    assert [done for done, _ in seen] == [500, 1000, 1500, 2000, 2500]
    assert Restoration.objects.get().done == 2600
