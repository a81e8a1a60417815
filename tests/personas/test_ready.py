from personas import ready
from personas.forms import WriteForm
from personas.models import BLOCK_CHARACTERS, PersonaFacts


def test_there_are_two_characters_in_each_language():
    assert [(character.key, character.language) for character in ready.load_all()] == [
        ("marian", "en"),
        ("teo", "en"),
        ("shen-yan", "zh"),
        ("a-zhen", "zh"),
    ]


def test_every_character_fits_what_a_person_may_write():
    for character in ready.load_all():
        form = WriteForm(WriteForm.build_initial(character))

        assert form.errors == {}
        assert len(character.persona) < BLOCK_CHARACTERS
        assert set(character.facts) <= set(PersonaFacts.NAMES)


def test_a_character_is_found_by_its_key():
    assert ready.find("teo").name == "Teo Vasquez-Lindqvist"
    assert ready.find("nobody") is None


def test_the_opening_is_the_first_two_sentences():
    assert ready.find("teo").opening == (
        "Teo is thirty-four and works nights in a bakery in Gothenburg: in at eleven, out at seven, bread under one arm. "
        "His father was a Uruguayan trumpet player, his mother drives trams and retires next year."
    )
    assert ready.find("shen-yan").opening == (
        "沈砚四十三岁，在绍兴一家古籍修复室做了十九年。"
        "书页送来的时候常常像一把碎叶子，他用镊子、糨糊和补纸，一页一页把它们送回去。"
    )
