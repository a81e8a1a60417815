import pytest

from echovessel import prompts


@pytest.fixture
def prompt(tmp_path):
    path = tmp_path / "greet.md"
    path.write_text('Hello $name, answer {"mood": "$mood"} for $$5.', encoding="utf-8")
    return path


def test_render_fills_placeholders_and_leaves_braces(prompt):
    assert prompts.render(prompt, name="小黑", mood="$calm") == 'Hello 小黑, answer {"mood": "$calm"} for $5.'


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"name": "Mara"}, "greet.md: missing ['mood'], unused [], valid True."),
        ({"name": "Mara", "mood": "calm", "zone": "UTC"}, "greet.md: missing [], unused ['zone'], valid True."),
    ],
)
def test_render_refuses_values_that_do_not_fit(prompt, values, complaint):
    with pytest.raises(prompts.PromptError) as raised:
        prompts.render(prompt, **values)

    assert str(raised.value) == complaint


def test_render_refuses_a_broken_prompt(tmp_path):
    broken = tmp_path / "broken.md"
    broken.write_text("It costs $ 5.", encoding="utf-8")

    with pytest.raises(prompts.PromptError):
        prompts.render(broken)


@pytest.mark.parametrize("text", ["</memories> & more", "&lt;", "a > b", "小黑"])
def test_escape_is_undone_by_unescape(text):
    assert "<" not in prompts.escape(text)
    assert prompts.unescape(prompts.escape(text)) == text
