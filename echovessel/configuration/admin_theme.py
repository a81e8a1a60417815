"""The admin in the colours of the pages."""

from django.templatetags.static import static

# Warm greys.
BASE = {
    "50": "#faf7f2", "100": "#f5f0e7", "200": "#e6ddd1", "300": "#d3c8b9", "400": "#a89c8e", "500": "#786d62",
    "600": "#5c544b", "700": "#464039", "800": "#35302b", "900": "#1f1c1a", "950": "#161412",
}  # fmt: skip
# The clay of the logo.
PRIMARY = {
    "50": "#fbf3ee", "100": "#f6e4da", "200": "#ecc8b5", "300": "#dfa687", "400": "#d08660", "500": "#bb6a43",
    "600": "#a05530", "700": "#864526", "800": "#6b3821", "900": "#562f1e", "950": "#2f180f",
}  # fmt: skip
UNFOLD = {
    "SITE_TITLE": "EchoVessel",
    "SITE_HEADER": "EchoVessel",
    "SITE_ICON": lambda request: static("img/icon.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("img/icon.svg")}],
    "SHOW_BACK_BUTTON": True,
    "STYLES": [lambda request: static("css/admin.css")],
    "COLORS": {"base": BASE, "primary": PRIMARY},
    "SIDEBAR": {"navigation": "personas.adminsite.build_sidebar"},
    "DASHBOARD_CALLBACK": "chat.admin.dashboard.add_dashboard_context",
}
