"""Vesper's settings: two ways to run, one file.

Embedded (the default): on a Storyteller's own machine, started by `script/server`. Nothing has to be set.

Production (`VESPER_PRODUCTION=1`): on a server, behind a proxy that handles TLS. Missing settings are refused at the
start.

docs/settings.md describes every variable read here.
"""

from pathlib import Path

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

from config import env

# Lets Django's classes be subscripted for mypy, as in `ModelForm[Chronicle]`.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

# Ways to run -----------------------------------------------------------------------------------------------------

PRODUCTION = env.flag("VESPER_PRODUCTION", default=False)
DEBUG = env.flag("VESPER_DEBUG", default=False)
DATA_DIR = env.folder("VESPER_DATA", default=BASE_DIR / "var")

# Who may create an account: everybody, those with an invitation link, or only the administrator.
VESPER_SIGN_UP = env.choice("VESPER_SIGN_UP", ["open", "invitation", "closed"], default="open")
# Whether `serve` creates the demo chronicle in an empty database; None: only if no other machine can reach it.
VESPER_DEMO = env.maybe("VESPER_DEMO")
# Origins (scheme, host, port) of pages that may post forms and open sockets; empty: the requested host.
VESPER_ORIGINS = env.origins("VESPER_ORIGINS")
# `serve` adds this machine's names when it listens for other devices.
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
# The path segment of the administration for accounts and tables. Off in production unless set.
TAKEN = [
    "about",
    "account",
    "archives",
    "as",
    "calendar",
    "characters",
    "chronicles",
    "encounters",
    "health",
    "join",
    "language",
    "manifest.webmanifest",
    "portraits",
    "rules",
    "sessions",
    "static",
    "wall",
    "ws",
]
VESPER_ADMIN = env.segment("VESPER_ADMIN", default="off" if PRODUCTION else "admin", taken=TAKEN)
# How many proxies in front append to X-Forwarded-For. With 0 the header is ignored, as anybody could send it. In
# production at least one, which handles TLS.
VESPER_PROXIES = env.count("VESPER_PROXIES", default=int(PRODUCTION), least=int(PRODUCTION))

# Whether Storytellers can have sessions announced elsewhere. Off in production unless set: then this server calls
# addresses that its users choose.
VESPER_WEBHOOKS = env.flag("VESPER_WEBHOOKS", default=not PRODUCTION)

if PRODUCTION:
    if DEBUG:
        raise ImproperlyConfigured("VESPER_DEBUG=1 shows secrets to visitors: remove it in production.")
    SECRET_KEY = env.given_secret_key("SECRET_KEY")
    env.required("ALLOWED_HOSTS", "list the host names that Vesper serves, such as vesper.example.org.")
    env.required("VESPER_ORIGINS", "list the addresses that browsers use, such as https://vesper.example.org.")
    if any(not origin.startswith("https://") for origin in VESPER_ORIGINS):
        raise ImproperlyConfigured("VESPER_ORIGINS contains an http:// address: in production, write https:// ones.")
    if strange := [each for each in VESPER_ORIGINS if not validate_host(env.host_of(each), ALLOWED_HOSTS)]:
        raise ImproperlyConfigured(
            f"VESPER_ORIGINS contains {strange[0]}, but ALLOWED_HOSTS does not name its host: add it there."
        )
    env.required("EMAIL_URL", "it sends the links to reset passwords. Write smtp+tls://user:password@host:587.")
else:
    SECRET_KEY = env.kept_secret_key("SECRET_KEY", DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.earlier_secret_keys("SECRET_KEY_FALLBACKS")

# Apps and middleware ---------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "story",
    "combat",
    "characters",
    "campaigns",
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",  # so that templates/django/forms can override Django's own
    "channels",
    "django_htmx",
    "import_export",
    "axes",
]

MIDDLEWARE = [
    "config.assets.bundles",
    "config.middleware.security_headers",
    "config.health.probes",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "campaigns.authentication.AuthenticationMiddleware",
    "config.language.LanguageMiddleware",
    "campaigns.zones.reader_zone",
    "campaigns.sign_ins.seen_today",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.signed_out",
    "axes.middleware.AxesMiddleware",
    "campaigns.audit.Audit",
    "config.middleware.turned_away",
    "config.viewing.view_as",
    "config.middleware.no_nul_in_paths",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Storage ---------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.database("DATABASE_URL", DATA_DIR / "vesper.sqlite3")}
if DATABASES["default"]["ENGINE"] != env.POSTGRESQL:
    DATABASES["default"] |= {
        # Each thread keeps its connection: opening one for every request and push costs more than their queries.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # Otherwise a transaction that reads and then writes fails at once while another one writes.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: what was acknowledged is on disk, even if the laptop's battery dies.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
        # A file, so that the server processes of the browser tests can open it too.
        "TEST": {"NAME": str(DATA_DIR / "test.sqlite3")},
    }
else:
    most = env.count("VESPER_DATABASE_POOL", default=10, least=1)
    DATABASES["default"] |= {
        # One pool per process: with persistent connections every request's thread keeps its own.
        "CONN_MAX_AGE": 0,
        # Checked on each checkout: after a restart of PostgreSQL the pool is full of dead connections.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            # Notices a dead connection within seconds, not minutes, when the network drops packets.
            "tcp_user_timeout": 5000,  # milliseconds
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            # The URL's own options, such as ?sslmode=verify-full, override these.
            **(DATABASES["default"].get("OPTIONS") or {}),
            # A request waits 5 s at most. The pool retries at least that often, so play resumes by itself.
            "pool": {"min_size": 1, "max_size": most, "timeout": 5, "reconnect_timeout": 5},
        },
    }

# "default" holds rate limits that all processes share; "here" this process's own, for when Redis is away.
HERE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "here"}
CACHES: dict[str, dict[str, object]] = {"default": {**HERE}, "here": {**HERE}}
CHANNEL_LAYERS: dict[str, dict[str, object]] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
REDIS_URL = env.redis("REDIS_URL")
if REDIS_URL:
    # Short timeouts: play goes on without Redis.
    patience = {"socket_connect_timeout": 2, "socket_timeout": 2}
    CHANNEL_LAYERS["default"] = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, **patience}], "prefix": "vesper"},
    }
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "vesper",
        "OPTIONS": patience,
    }

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
# Embedded: served from the source, nothing to collect. Production: collected, with hashed names. In both, a page's
# stylesheets and scripts are joined and compressed (`config/assets.py`).
STATIC_ROOT = DATA_DIR / "static" if PRODUCTION else None
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
if not PRODUCTION and not DEBUG:
    # The storage puts a hash into each address.
    WHITENOISE_MAX_AGE = 365 * 24 * 60 * 60
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.assets.CollectedStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.assets.VersionedStorage"
    },
}

# Django's limit equals the server's (`config/daphne_internals.py`), so a text that is too long is reported by its
# field. Files don't count.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# People ----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "campaigns.User"
LOGIN_URL = "campaigns:sign-in"
LOGIN_REDIRECT_URL = "campaigns:home"
LOGOUT_REDIRECT_URL = "campaigns:sign-in"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "campaigns.hashing.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60

# Guessing passwords: after ten wrong ones for an account from an address, that pair waits a quarter of an hour. Not the
# account alone: a stranger could lock somebody out of their own evening.
AXES_HANDLER = "config.guessing.Guesses"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
# After this many from one address, for any accounts, nobody can sign in from there for the same time. Far more than a
# table behind one router mistypes, as signing in clears its failures.
VESPER_FAILURES_OF_AN_ADDRESS = 30
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "campaigns/too_many.html"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "config.network.client_address"
AXES_USERNAME_CALLABLE = "config.network.account_tried"
AXES_DISABLE_ACCESS_LOG = True  # who signed in when is private
AXES_ENABLE_ADMIN = True
AXES_VERBOSE = False

SESSION_ENGINE = "campaigns.session_store"  # lets users see and end their sessions
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60  # a table that meets once a month stays signed in
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_NAME = "__Host-vesper-session" if PRODUCTION else "vesper-session"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_NAME = "__Host-vesper-csrf" if PRODUCTION else "vesper-csrf"
CSRF_TRUSTED_ORIGINS = VESPER_ORIGINS

# Transport -------------------------------------------------------------------------------------------------------

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"  # an invitation link must not leak to another site
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION and VESPER_PROXIES else None
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if PRODUCTION else 0
# W005 and W021 ask for HSTS on all subdomains and in browsers' preload lists: the domain's owner decides that.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Without an e-mail server, links to reset a password are printed in Vesper's terminal.
locals().update(env.mail("EMAIL_URL", default="consolemail://", sent=PRODUCTION))
MAIL_HOST = env.host_of(VESPER_ORIGINS[0]) if PRODUCTION else "localhost"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.sender("VESPER_MAIL_FROM", default=f"Vesper <vesper@{MAIL_HOST}>")
EMAIL_SUBJECT_PREFIX = "[Vesper] "
EMAIL_TIMEOUT = 20

# Language and time -----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]  # each by its own name
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "vesper-language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = PRODUCTION
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# Log: one line per record, to standard error ---------------------------------------------------------------------

VESPER_LOG = env.choice("VESPER_LOG", ["DEBUG", "INFO", "WARNING", "ERROR"], default="WARNING")
LINES = "config.log.ForMachines" if PRODUCTION else "config.log.ForPeople"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": LINES},
        "one line": {"()": LINES, "way": False},
    },
    "filters": {"no probe": {"()": "config.health.NoProbes"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "one line": {"class": "logging.StreamHandler", "formatter": "one line"},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": VESPER_LOG, "propagate": False},
        # Django's own handler would write addresses unmasked.
        "django.server": {"handlers": ["one line"], "level": VESPER_LOG, "propagate": False},
        # In detail they log query values and template contexts, which contain secrets.
        "django.db.backends": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "django.template": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        # No line for each mistyped address.
        "django.request": {"handlers": ["stderr"], "filters": ["no probe"], "level": "ERROR", "propagate": False},
        # A request for an unknown host: a probe, or a phone that uses a name missing from ALLOWED_HOSTS.
        "django.security.DisallowedHost": {"handlers": ["one line"], "level": "ERROR", "propagate": False},
        "axes": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        # Sign-ins are logged on a server, not on a Storyteller's own machine.
        "vesper.security": {
            "handlers": ["stderr"],
            "level": "INFO" if PRODUCTION else "WARNING",
            "propagate": False,
        },
    },
}
