from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from echovessel.http import bundling


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Joins the modules of a page, and names files by their content, also in imports, so that browsers cache them for good."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's
        if not dry_run:
            paths = paths | self._join_modules(paths)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _join_modules(self, paths: dict[str, Any]) -> dict[str, Any]:
        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as source:
                return str(source.read().decode())

        joined = {name: bundling.bundle_script(name, read) for name in bundling.SCRIPTS}
        joined |= {name: bundling.bundle_styles(name, read) for name in bundling.STYLES}
        for name, text in joined.items():
            self.delete(name)
            self.save(name, ContentFile(text.encode()))
        return {name: (self, name) for name in joined}
