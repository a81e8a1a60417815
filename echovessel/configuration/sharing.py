"""What processes share beside the tables: wake-ups and a cache, in Redis where there is one, else in PostgreSQL."""

from typing import Any

Settings = dict[str, dict[str, Any]]


def build_channel_layers(redis_url: str) -> Settings:
    if redis_url:
        redis = "channels_redis.pubsub.RedisPubSubChannelLayer"
        return {"default": {"BACKEND": redis, "CONFIG": {"hosts": [redis_url]}}}
    return {"default": {"BACKEND": "echovessel.postgres.channel_layer.PostgresChannelLayer"}}


def build_caches(redis_url: str) -> Settings:
    if redis_url:
        return {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url}}
    database = "django.core.cache.backends.db.DatabaseCache"
    return {"default": {"BACKEND": database, "LOCATION": "cache", "OPTIONS": {"MAX_ENTRIES": 10_000}}}
