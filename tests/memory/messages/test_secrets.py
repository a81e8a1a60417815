import pytest

from memory.messages import secrets
from tests.support.growth import grows_too_fast


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
        ("the passphrase was 'open sesame'", "the passphrase was '[secret]'"),
        ("my password is “correct horse battery” now", "my password is “[secret]” now"),
        ("密码是“芝麻 开门”。", "密码是“[secret]”。"),
        ("我的密码是abc，别忘了", "我的密码是[secret]，别忘了"),
        ("my PIN's 4821", "my PIN's [secret]"),
        ("login mara / pass: tr0ub4dor", "login mara / pass: [secret]"),
        ("pwd=hello-there", "pwd=[secret]"),
        ("The code they sent me is 482913.", "The code they sent me is [secret]."),
        ("your login code: 4829 1377", "your login code: [secret]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIB\n-----END RSA PRIVATE KEY-----\nHere.", "[secret]\nHere."),
        ("-----BEGIN PRIVATE KEY-----\nMIIEpAIB", "[secret]"),
        ("The one-time code is 482913.", "The one-time code is [secret]."),
        ("The verification code is 482 913", "The verification code is [secret]"),
        ("my PIN is 4821", "my PIN is [secret]"),
        ("otp 837261", "otp [secret]"),
        ("密码是abc123，别忘了", "密码是[secret]，别忘了"),
        ("验证码：837261。", "验证码：[secret]。"),
        ("银行卡密码为 8842 1", "银行卡密码为 [secret]"),
        ("The PIN of my bicycle lock is 4471.", "The PIN of my bicycle lock is [secret]."),
        (
            "the password for the router downstairs is hunter2x now",
            "the password for the router downstairs is [secret] now",
        ),
        ("我的密码跟以前一样，还是4471。", "我的密码跟以前一样，还是[secret]。"),
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
        "the postal code is 100080 there",
        "the password rule of our office is 3 years old",
        "my pin badge is lost, and the house is number 12",
        "关于密码的事情，那是2019年的",
        "My zip code is 902100",
        "The password's gone",
        "passing the time: slowly",
        "they call the password 'lost'",
        "the code is 42 lines long",
        "a twenty-four-year-old state-of-the-art kitchen",
        "antidisestablishmentarianismandmore",
        "a pinned opinion is spinning",
        "",
    ],
)
def test_what_is_no_secret_stays(said):
    assert secrets.mask(said) == said


@pytest.mark.parametrize(
    "piece", ["a-", "1 ", "a1-", "password is ", "4", "code ", 'password "', "-----BEGIN PRIVATE KEY-----"]
)
def test_long_texts_are_masked_in_linear_time(piece):
    assert not grows_too_fast(secrets.mask, piece * 50_000, piece * 100_000)
