"""How the API describes itself."""

SPECTACULAR_SETTINGS = {
    "TITLE": "EchoVessel",
    "DESCRIPTION": "Chat with companions that remember, and manage their memories.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "personas.rest.openapi.describe_errors",
        "chat.api.openapi.describe",
    ],
    "ENUM_NAME_OVERRIDES": {
        "PersonaLanguage": "personas.models.Persona.Language",
        "UserLanguage": "personas.models.User.Language",
        "ImportState": "memory.models.Import.State",
        "NodeState": "memory.models.ConceptNode.State",
        "EntityKind": "memory.models.entities.Entity.Kind",
        "ForgottenKind": "memory.models.forgetting.Forgotten.Kind",
        "MadeBy": "memory.models.story.made_by.MadeBy",
        "MemoryState": "memory.story.inclusion.message_states.STATES",
        "StepBy": "memory.models.story.steps.StoryStep.By",
        "StepState": "memory.models.story.steps.StoryStep.State",
    },
}
