from memory.evaluation.voice import suite as voice_suite


def test_the_offline_voice_holds_its_figures():
    told: list[str] = []

    evaluated = voice_suite.evaluate(say=told.append)

    assert [(one["name"], one["lang"]) for one in evaluated.figures if one["held"] is False] == []
    reported = {one["name"] for one in evaluated.figures if one["held"] is None}
    assert reported == {voice_suite.HEARD, voice_suite.REVERSED, voice_suite.OVERHEARD}
    assert evaluated.misses == []
    assert len(told) == 80
