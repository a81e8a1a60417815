from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Names files by their content, also in imports of scripts, so that browsers cache them for good."""

    support_js_module_import_aggregation = True
