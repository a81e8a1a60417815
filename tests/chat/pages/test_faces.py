import itertools
import re

import pytest
from django.conf import settings

from chat.templatetags import pages
from chat.templatetags.pages import RISING, VESSELS
from personas import ready
from personas.models import Persona

SYMBOLS = set(re.findall(r'<symbol id="([\w-]+)"', (settings.BASE_DIR / "static" / "img" / "faces.svg").read_text()))


@pytest.mark.parametrize("character", ready.load_all(), ids=lambda character: character.key)
def test_a_ready_made_character_has_a_portrait_before_and_after_it_is_chosen(character):
    assert pages.drawing(character) == pages.drawing(Persona(pk=77, name=character.name)) == [character.key]
    assert character.key in SYMBOLS


def test_every_other_companion_has_a_drawing_that_stays_when_it_is_renamed():
    drawn = [tuple(pages.drawing(Persona(pk=pk, name="Ilse"))) for pk in range(VESSELS * RISING)]

    assert {part for parts in drawn for part in parts} == {name for name in SYMBOLS if name[-1].isdigit()}
    assert len(set(drawn)) == VESSELS * RISING
    assert all(one != other for one, other in itertools.pairwise(drawn))
    assert pages.drawing(Persona(pk=5, name="Ilse")) == pages.drawing(Persona(pk=5, name="Else"))
