import subprocess
import sys

from django.conf import settings

from memory.models import Message
from personas.models import User
from tests.support.factories import PASSWORD


def chat(site, *said):
    program = [sys.executable, "docs/chatbot.py", site.address, "mara", PASSWORD]
    ended = subprocess.run(
        program, cwd=settings.BASE_DIR, input="\n".join(said), capture_output=True, text=True, timeout=180, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.splitlines()


def replies():
    spoken = Message.objects.filter(role=Message.Role.PERSONA).order_by("id")
    return [" ".join(content.split()) for content in spoken.values_list("content", flat=True)]


def test_the_tutorials_chat_bot_signs_up_and_talks(site):
    first = chat(site, "Hi, I am Mara.", "My cat is called Nimbus.")
    second = chat(site, "Good night!")

    assert list(User.objects.values_list("username", flat=True)) == ["mara"]
    assert [" ".join(line.split()) for line in first + second] == replies()
    assert len(replies()) == 3
