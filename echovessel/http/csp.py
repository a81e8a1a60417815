from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponseBase

# The admin's theme needs these: Alpine evaluates attributes, charts and widgets set inline styles.
ADMIN_POLICY = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}


class ContentPolicyMiddleware(CSPMiddleware):
    """The content policy of pages, relaxed only below `/admin/`. No browser keeps an answer that does not say for how long."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith("/admin/"):
            response._csp_update = ADMIN_POLICY  # type: ignore[attr-defined]  # where csp's own decorator puts it
        answered: HttpResponseBase = super().process_response(request, response)
        if request.method in ("GET", "HEAD"):
            # No browser keeps other answers, and Chromium holds the connection of one that says so and that no script reads.
            answered.headers.setdefault("Cache-Control", "no-store")
        return answered
