from memory.evaluation.voice import suite as voice_suite


def test_the_offline_voice_holds_its_figures():
    told: list[str] = []

    figures, misses = voice_suite.evaluate(say=told.append)

    assert [(one["name"], one["lang"]) for one in figures if not one["held"]] == []
    assert misses == []
    assert len(told) == 80
