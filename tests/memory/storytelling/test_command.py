import pytest
from django.core.management import CommandError, call_command

from memory.models import Story
from tests.support.factories import BondFactory

pytestmark = pytest.mark.django_db


def test_a_bond_is_told_and_what_was_done_is_printed(capsys):
    bond = BondFactory()

    call_command("tell", str(bond.pk))

    assert capsys.readouterr().out == f"bond {bond.pk}: 0 steps\n"


def test_all_of_a_bond_is_told_anew(capsys):
    bond = BondFactory()

    call_command("tell", str(bond.pk), "--all")

    assert Story.objects.get(bond=bond).generation == 1
    assert capsys.readouterr().out == f"bond {bond.pk} rebuild: done\nbond {bond.pk}: 1 steps\n"


@pytest.mark.parametrize(
    ("arguments", "said"), [(["987654"], "there is no bond 987654"), (["--all"], "--all tells one bond anew: name it")]
)
def test_what_cannot_be_told_is_said(arguments, said):
    with pytest.raises(CommandError, match=said):
        call_command("tell", *arguments)


def test_it_says_that_stories_are_off(settings):
    settings.STORY_ENABLED = False

    with pytest.raises(CommandError, match="STORY_ENABLED is off"):
        call_command("tell")
