from echovessel.llm import encryption

KEY = "a key of a test, long enough for anybody who looks at it closely"
# Sealed with this key by the first version; a stored key must stay readable whatever the module is called.
SEALED = "gAAAAABrA2OhnaOQVxw1Xj4RoNqzJvoAmy4zXVu_iMlmwoDxp4ILCp_8-yYMUqxLJx1ox-nVuffMVScnu2uOdbaGa0p1vNcnHQ=="


def test_what_an_older_install_sealed_is_unsealed(settings):
    settings.SECRET_KEY = KEY

    assert encryption.decrypt(SEALED) == "sk-mara"


def test_another_key_unseals_nothing(settings):
    settings.SECRET_KEY = KEY + "!"

    assert encryption.decrypt(SEALED) is None
