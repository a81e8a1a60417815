from typing import Any

from echovessel.configuration import environment

# A pool keeps connections open between requests and turns. Only the web process has one: it does not survive the worker's fork.
# It connects again within seconds after an outage: the pauses between its tries double, and begin anew after `reconnect_timeout`.
WEB_POOL = {"min_size": 2, "max_size": 12, "timeout": 10, "reconnect_timeout": 5}
# Nobody waits longer for a page. Migrations, workers and commands have no limit.
WEB_LIMIT = "-c statement_timeout=30s"


def build_settings(url: str, *, is_web: bool) -> dict[str, Any]:
    database = environment.env.db_url_config(url)
    options = {"connect_timeout": 10, **database.get("OPTIONS", {})}
    if is_web:
        options |= {"pool": WEB_POOL, "options": f"{options.get('options', '')} {WEB_LIMIT}".strip()}
    # Pooled connections are checked before use, so that a restarted server causes no errors.
    return {**database, "OPTIONS": options, "ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
