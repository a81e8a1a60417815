from datetime import UTC, date, datetime

import pytest
import time_machine
from django.utils import translation

from chat.pages.display import formats


@pytest.mark.parametrize(
    ("first", "last", "english", "chinese"),
    [
        (date(2026, 3, 3), date(2026, 3, 3), "3 Mar", "3月3日"),
        (date(2025, 3, 3), date(2025, 3, 3), "3 Mar 2025", "2025年3月3日"),
        (date(2026, 3, 1), date(2026, 3, 31), "March 2026", "2026年3月"),
        (date(2025, 1, 1), date(2025, 12, 31), "2025", "2025年"),
        (date(2026, 2, 27), date(2026, 3, 1), "27 Feb – 1 Mar", "2月27日 – 3月1日"),
        (date(2025, 2, 27), date(2025, 3, 1), "27 Feb – 1 Mar 2025", "2025年2月27日 – 3月1日"),
        (date(2025, 12, 30), date(2026, 1, 2), "30 Dec 2025 – 2 Jan", "2025年12月30日 – 1月2日"),
    ],
)
@time_machine.travel(datetime(2026, 11, 21, 20, tzinfo=UTC), tick=False)
def test_days_say_a_year_where_it_is_another_and_once(first, last, english, chinese):
    said = {}
    for language in ("en", "zh-hans"):
        with translation.override(language):
            said[language] = formats.format_days(first, last)

    assert said == {"en": english, "zh-hans": chinese}
