"""OpenAPI details that drf-spectacular cannot derive. The URL module imports this one, which registers them."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_bearer_security_scheme_object

ERROR = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "fields": {
            "type": "object",
            "nullable": True,
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
    "required": ["code", "detail", "fields"],
}


class NamedBodySchema(AutoSchema):
    """A request has the body that its view names, and none by default: the serializer of a view is that of its answers."""

    def get_request_serializer(self) -> Any:
        return None


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself when made
    target_class = "personas.accounts.token_authentication.StrictTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> Any:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Token")


def describe_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the one error schema to every operation."""
    result["components"]["schemas"]["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = {"description": "What went wrong.", "content": content}
    return result
