import time

import pytest

from memory import secrets


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("My card is 4111 1111 1111 1111, I think.", "My card is [secret], I think."),
        ("4111-1111-1111-1111", "[secret]"),
        ("卡号4111111111111111。", "卡号[secret]。"),
        ("The key sk-proj4abcDEFghi123456 leaked", "The key [secret] leaked"),
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[secret]"),
        ("AKIAIOSFODNN7EXAMPLE", "[secret]"),
        ("token 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c", "token [secret]"),
        ("The user's password is hunter2.", "The user's password is [secret]."),
        ("password: Sunshine", "password: [secret]"),
        ("password: sunshine", "password: [secret]"),
        ("Password = correct-horse", "Password = [secret]"),
        ("my password is sunshine", "my password is [secret]"),
        ("the passphrase was 'open sesame'", "the passphrase was '[secret] sesame'"),
        ("The one-time code is 482913.", "The one-time code is [secret]."),
        ("The verification code is 482 913", "The verification code is [secret]"),
        ("my PIN is 4821", "my PIN is [secret]"),
        ("otp 837261", "otp [secret]"),
        ("密码是abc123，别忘了", "密码是[secret]，别忘了"),
        ("验证码：837261。", "验证码：[secret]。"),
        ("银行卡密码为 8842 1", "银行卡密码为 [secret]"),
    ],
)
def test_secrets_are_replaced(said, masked):
    assert secrets.mask(said) == masked


@pytest.mark.parametrize(
    "said",
    [
        "Order 4111 1111 1111 1112 arrived",
        "Call me at 030 1234567",
        "born on 1984-03-02, moved in 2019",
        "the password is wrong again",
        "they forgot the password and laughed",
        "my password is still too weak",
        "密码是她的生日",
        "a twenty-four-year-old state-of-the-art kitchen",
        "antidisestablishmentarianismandmore",
        "a pinned opinion is spinning",
        "",
    ],
)
def test_what_is_no_secret_stays(said):
    assert secrets.mask(said) == said


@pytest.mark.parametrize("piece", ["a-", "1 ", "a1-", "password is ", "4"])
def test_long_texts_are_masked_in_linear_time(piece):
    began = time.process_time()

    secrets.mask(piece * 100_000)

    assert time.process_time() - began < 5
