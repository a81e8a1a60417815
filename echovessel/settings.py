"""All settings. An operator sets them by environment variables: README, `docs/settings.md`."""

import os
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from echovessel.configuration import admin_theme, data_folder, database, embedding, environment, logs, openapi, sharing
from echovessel.postgres import server_paths

BASE_DIR = Path(__file__).resolve().parent.parent
environment.read_dotenv(Path.cwd())

DATA_DIR = data_folder.make(Path(environment.read_text("ECHOVESSEL_DATA_DIR", "./var")).expanduser().resolve())
DEBUG = environment.read_switch("DEBUG")
HTTPS = environment.read_switch("HTTPS")
# How many trusted proxies add an entry to X-Forwarded-For.
TRUSTED_PROXIES = environment.read_integer("TRUSTED_PROXIES", 1 if HTTPS else 0, low=0, high=10)
SECRET_KEY = environment.read_text("SECRET_KEY") or data_folder.load_secret_key(DATA_DIR)
ALLOWED_HOSTS = environment.read_hosts("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = environment.read_origins("CSRF_TRUSTED_ORIGINS")
SIGNUP_OPEN = environment.read_switch("SIGNUP_OPEN", default=True)

INSTALLED_APPS = [
    "echovessel.http.daphne_app.EchoVesselDaphneConfig",
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "echovessel.admin_app.EchoVesselAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "echovessel.http.static_app.EchoVesselStaticFilesConfig",
    "django.contrib.postgres",
    "channels",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "echovessel",  # Before django_q, whose qcluster it replaces.
    "django_q",
    "csp",
    "personas",
    "memory",
    "chat",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "echovessel.http.csp.ContentPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "echovessel.http.error_pages.UnavailableMiddleware",
    "echovessel.postgres.deadlines.DeadlineMiddleware",
]
ROOT_URLCONF = "echovessel.urls"
ASGI_APPLICATION = "echovessel.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database, broker, cache, channel layer.
DATABASE_URL = environment.read_address("DATABASE_URL", ("postgres", "postgresql"))
DATABASE_IS_EMBEDDED = not DATABASE_URL
DATABASE_URL = DATABASE_URL or server_paths.build_database_url(DATA_DIR)
REDIS_URL = environment.read_address("REDIS_URL", ("redis", "rediss", "unix"))
IS_WEB = os.environ.get("ECHOVESSEL_PROCESS") == "web"
DATABASES = {"default": database.build_settings(DATABASE_URL, is_web=IS_WEB)}
# Threads for turns and streams beside Django's single shared one; 0 uses the shared one.
WEB_THREADS = 4
DATABASE_THREADS = WEB_THREADS if IS_WEB else 0
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = sharing.build_channel_layers(REDIS_URL)
CACHES = sharing.build_caches(REDIS_URL)

# A task must end (`timeout`) before the broker considers it lost (`retry`); a failing task ends after `max_attempts`.
Q_CLUSTER = {
    "name": "echovessel",
    "workers": environment.read_integer("WORKERS", 2, low=1, high=64),
    "timeout": 900,
    "retry": 960,
    "max_attempts": 3,
    "ack_failures": True,
    "bulk": 1,
    "queue_limit": 2,
    "poll": 0.2,
    "catch_up": False,
    "save_limit": 250,
    "recycle": 5000,
    "label": _("Queue"),
    "max_rss": 2_000_000,
    "broker_class": f"memory.jobs.brokers.{'Redis' if REDIS_URL else 'Database'}Broker",
    **({"redis": REDIS_URL} if REDIS_URL else {"orm": "default"}),
}

# Accounts.
AUTH_USER_MODEL = "personas.User"
SESSION_ENGINE = "personas.sign_ins"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
ACCOUNT_ADAPTER = "personas.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "personas.accounts.signup.SignupForm",
    "change_password": "personas.accounts.passwords.ChangePasswordForm",
    "reset_password_from_key": "personas.accounts.passwords.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# Mail. Without a server none is sent, and pages say so.
MAIL_SERVER = environment.read_mail_server("EMAIL_URL")
SENDS_MAIL = bool(MAIL_SERVER)
DEFAULT_FROM_EMAIL = environment.read_sender("EMAIL_FROM", required=SENDS_MAIL)
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 10
vars().update(MAIL_SERVER)
# Without mail no address can be confirmed, so none has to be.
MFA_ALLOW_UNVERIFIED_EMAIL = not SENDS_MAIL
if SENDS_MAIL and "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is '*'; allowed with EMAIL_URL: the names of the site, since links in mails lead to the name that was asked."
    )

# Security.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
# Health checks ask the process directly, not through the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# Language and time. All times are UTC; they are shown in the person's time zone.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "echovessel" / "locale"]
FORMAT_MODULE_PATH = "echovessel.configuration.formats"
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# Files.
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        # Private folders: other users can pass through root's data folder, since the database runs as another user.
        "OPTIONS": {"directory_permissions_mode": 0o700, "file_permissions_mode": 0o600},
    },
    "staticfiles": {"BACKEND": "echovessel.http.staticfiles.StaticFilesStorage"},
}
UNFOLD = admin_theme.UNFOLD
# What an app above does in an act of one below: with a bond that has begun, or with rows before they are deleted.
BOND_HOOKS = ["memory.facts.shared.sharing.queue_copies"]
PURGE_HOOKS = ["chat.erasure.purged_turns.purge_turns"]

RATES = {
    "messages": environment.read_integer("RATE_MESSAGES", 60, low=1, high=1_000_000),
    "writes": environment.read_integer("RATE_WRITES", 300, low=1, high=1_000_000),
    "reads": environment.read_integer("RATE_READS", 1200, low=1, high=1_000_000),
    "costly": environment.read_integer("RATE_COSTLY", 10, low=1, high=1_000_000),
}
# Redis increments atomically; the database cache does not, so PostgreSQL counts by our own statement.
RATES_IN_CACHE = bool(REDIS_URL)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "personas.accounts.token_authentication.StrictTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["personas.rest.drf_policies.SafeJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "personas.rest.drf_policies.JSONOnlyNegotiation",
    "DEFAULT_PAGINATION_CLASS": "personas.rest.drf_policies.NewestFirstPagination",
    "DEFAULT_THROTTLE_CLASSES": ["personas.rest.drf_policies.RateThrottle"],
    "DEFAULT_SCHEMA_CLASS": "personas.rest.openapi.NamedBodySchema",
    "EXCEPTION_HANDLER": "personas.rest.api_errors.render_error",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# Named so that other tables may refer to it.
KNOX_TOKEN_MODEL = "knox.AuthToken"
REST_KNOX = {
    "TOKEN_TTL": timedelta(90),
    "AUTH_HEADER_PREFIX": "Token",
    "AUTO_REFRESH": False,
    "TOKEN_LIMIT_PER_USER": 50,
}
SPECTACULAR_SETTINGS = openapi.SPECTACULAR_SETTINGS

# The model server. Without one the offline voice answers, unless an operator connects one on the pages. These settings win.
MODEL_VARIABLES = environment.find_set(
    *("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    *("LLM_MAIN_MODEL", "LLM_MEDIUM_MODEL", "LLM_SMALL_MODEL", "LLM_JSON_MODE", "LLM_TOOLS"),
)
OPENAI_API_KEY = environment.read_key("OPENAI_API_KEY")
OPENAI_BASE_URL = environment.read_address("OPENAI_BASE_URL", ("http", "https"))
MODEL_SERVER = bool(OPENAI_API_KEY or OPENAI_BASE_URL)
LLM_MODELS = {
    "main": environment.read_text("LLM_MAIN_MODEL", "gpt-4o"),
    "medium": environment.read_text("LLM_MEDIUM_MODEL", "gpt-4o-mini"),
    "small": environment.read_text("LLM_SMALL_MODEL", "gpt-4o-mini"),
}
LLM_JSON_MODE = environment.read_choice("LLM_JSON_MODE", "schema", ("schema", "object", "text"))
LLM_TOOLS = environment.read_choice("LLM_TOOLS", "auto", ("auto", "on", "off"))
OFFLINE_FALLBACK = environment.read_switch("OFFLINE_FALLBACK")
# The offline voice streams at reading speed.
OFFLINE_TOKEN_SECONDS = environment.read_number("OFFLINE_TOKEN_SECONDS", 0.02, low=0, high=5)

EMBEDDING_MODEL = environment.read_text("EMBEDDING_MODEL", "bundled")
EMBEDDING_BACKEND = embedding.read_backend(EMBEDDING_MODEL)

# Memory and turns; `docs/` and the code that uses them hold the rules.
SESSION_IDLE = timedelta(minutes=environment.read_number("SESSION_IDLE_MINUTES", 30, low=0.01, high=10_080))
# How long a chat stays open whose last page was closed. Open pages report every 30 seconds.
CLOSE_LEFT_AFTER = timedelta(seconds=environment.read_number("LEAVE_SECONDS", 120, low=60, high=86_400))
# None if chats are archived by hand only.
ARCHIVE_AFTER = timedelta(days=environment.read_integer("ARCHIVE_AFTER_DAYS", 0, low=0, high=36_500)) or None
DEBOUNCE = timedelta(seconds=environment.read_number("DEBOUNCE_SECONDS", 2, low=0, high=60))
RECENT_WINDOW_SIZE = environment.read_integer("RECENT_WINDOW_SIZE", 20, low=0, high=1000)
RETRIEVE_K = environment.read_integer("RETRIEVE_K", 10, low=0, high=100)
RELATIONAL_BONUS_WEIGHT = environment.read_number("RELATIONAL_BONUS_WEIGHT", 1.0, low=0, high=10)
TRIVIAL_MESSAGE_COUNT = environment.read_integer("TRIVIAL_MESSAGE_COUNT", 3, low=0, high=1000)
TRIVIAL_TOKEN_COUNT = environment.read_integer("TRIVIAL_TOKEN_COUNT", 200, low=0, high=1_000_000)
STRONG_WORDS = environment.read_words(
    "STRONG_WORDS",
    "走了, 去世, 死了, 离世, 葬礼, 没了, 撑不住, 不想活, 活不下去, 自杀, 崩溃, 分手, 离婚, 被裁, "
    "died, passed away, funeral, can't go on, suicide, breakdown, breakup, divorce, fired",
)
REFLECTION_HARD_GATE_24H = environment.read_integer("REFLECTION_HARD_GATE_24H", 3, low=0, high=1000)
# Of the facts that a session loads, over all facets.
FACT_TOKENS = environment.read_integer("FACT_TOKENS", 1500, low=0, high=1_000_000)
PROMPT_TOKEN_BUDGET = environment.read_integer("PROMPT_TOKEN_BUDGET", 12_000, low=500, high=10_000_000)
CONTEXT_TOKENS = environment.read_integer("CONTEXT_TOKENS", 128_000, low=1000, high=10_000_000)
SLOW_TICK_ENABLED = environment.read_switch("SLOW_TICK_ENABLED", default=True)
# Off: prompts hold no recaps and no story, and none are made.
STORY_ENABLED = environment.read_switch("STORY_ENABLED", default=True)
STORY_TOKENS = environment.read_integer("STORY_TOKENS", 1200, low=100, high=1_000_000)
# No call for the story so soon after a message of the bond.
STORY_QUIET = timedelta(seconds=environment.read_number("STORY_QUIET_SECONDS", 20, low=0, high=86_400))
# Longer where the model server is near by, unless the environment says how long: it has one slot and one cache of prompts.
STORY_QUIET_NEAR = STORY_QUIET if environment.find_set("STORY_QUIET_SECONDS") else timedelta(seconds=300)
SCENE_GAP = timedelta(seconds=environment.read_integer("SCENE_GAP_SECONDS", 2700, low=60, high=31_536_000))
# The tokens of the messages that a prompt holds word for word.
HISTORY_TOKENS = environment.read_integer("HISTORY_TOKENS", 6000, low=200, high=10_000_000)
FACT_SWEEP_ENABLED = environment.read_switch("FACT_SWEEP_ENABLED", default=True)

LOGGING = logs.build_logging(level="INFO" if DEBUG else "WARNING")
