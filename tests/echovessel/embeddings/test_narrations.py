import pytest
import yaml

from echovessel.embeddings import e5, embedding, narrations
from echovessel.embeddings.models import OnnxEncoder

SAID = "So I walked home along the canal after work, with wet shoes, and thought of nothing, and it was lovely."


def test_the_mean_is_that_of_the_calibrations_messages():
    assert narrations.load_mean() == pytest.approx(
        narrations.compute_mean(OnnxEncoder(), narrations.load_lines()), abs=1e-3
    )


@pytest.mark.parametrize("backend", ["onnx", "bundled"])
def test_a_centred_narration_is_near_to_what_it_bears_on_and_not_to_whatever_is_told(settings, backend):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, "bundled"
    everyday = yaml.safe_load((e5.CALIBRATION / "everyday.yaml").read_text(encoding="utf-8"))["en"]
    told = [line for line in everyday if not line.endswith("?")]
    [vector], [meant, *others] = embedding.embed([SAID]), embedding.embed(["I like walking along the canal.", *told])

    def measure(asked):
        near, *cosines = [sum(a * b for a, b in zip(asked, one, strict=True)) for one in (meant, *others)]
        return near, sum(cosines) / len(cosines)

    _, usual = measure(vector)
    near, usual_centred = measure(embedding.centre_narration(vector, text=SAID))

    assert usual > 0.15
    assert usual_centred < 0.06
    assert near > usual_centred + 0.3


@pytest.mark.parametrize(("backend", "said"), [("bundled", "今天下班后我沿着河走回家。"), ("e5", SAID), ("hash", SAID)])
def test_other_models_vectors_stay(settings, backend, said):
    settings.EMBEDDING_BACKEND = backend

    assert embedding.centre_narration([0.0] * embedding.DIMENSIONS, text=said) is None
