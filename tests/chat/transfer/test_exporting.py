import threading
import zipfile

import pytest
from django.db import connection

from chat.transfer import exporting
from memory.models import Message
from personas.models import Bond
from tests.support.factories import NOW, MessageFactory, SessionFactory


@pytest.mark.django_db(transaction=True)
def test_what_is_said_while_an_export_is_written_is_not_half_in_it():
    session = SessionFactory(bond__user__username="mara")
    MessageFactory(session=session, content="Before.")
    bond = Bond.objects.select_related("persona", "user").get()

    def talk_on(name, count):
        if name.endswith("L2_sessions.jsonl"):
            other = threading.Thread(target=say_more)
            other.start()
            other.join()

    def say_more():
        MessageFactory(session=SessionFactory(bond=bond, channel="api"), content="Meanwhile.")
        connection.close()

    with exporting.export_bond(bond, now=NOW, say=talk_on) as packed, zipfile.ZipFile(packed) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())

    assert (b"Before." in whole, b"Meanwhile." in whole) == (True, False)
    assert Message.objects.count() == 2
