"""All paths under `/api/`."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.negotiation import DefaultContentNegotiation

from chat.api import bonds, exports, inclusion, me, messages
from memory.api import doubts, entities, fact_writes, facts, imports, kept, line_recaps, search, sessions, trash
from memory.api import nodes as api_nodes
from memory.api import overview as memory
from memory.api.story import remarks, scenes, story, tidying
from memory.api.story import versions as story_versions
from memory.models import ConceptNode
from personas.api import accounts as api_accounts
from personas.api import blocks as api_blocks
from personas.api import drafts, lore, openings, personas, tokens
from personas.rest import openapi  # noqa: F401 - describes the paths

Types = ConceptNode.Type


def build_block_paths(holder: str) -> list[URLPattern]:
    block = f"{holder}/blocks/<str:label>"
    return [
        path(f"{block}/", api_blocks.BlockView.as_view()),
        path(f"{block}/revisions/", api_blocks.RevisionsView.as_view()),
        path(f"{block}/revisions/<int:n>/restore/", api_blocks.RestoreRevisionView.as_view()),
    ]


def build_node_paths(name: str, kind: ConceptNode.Type) -> list[URLPattern]:
    return [
        path(f"{name}/", api_nodes.NodesView.as_view(type=kind)),
        path(f"{name}/<int:node_id>/", api_nodes.NodeView.as_view(type=kind)),
        path(f"{name}/<int:node_id>/restore/", api_nodes.RestoreNodeView.as_view(type=kind)),
    ]


opening_path = "personas/<int:persona_id>/opening"
account_paths = [
    path("auth/login/", api_accounts.LoginView.as_view()),
    path("auth/logout/", api_accounts.LogoutView.as_view()),
    path("auth/logoutall/", api_accounts.LogoutAllView.as_view()),
    path("auth/tokens/", tokens.TokensView.as_view()),
    path("auth/tokens/<int:token_id>/", tokens.TokenView.as_view()),
    path("auth/ticket/", bonds.TicketView.as_view()),
    path("me/", me.MeView.as_view()),
    path("usage/", bonds.UsageView.as_view()),
]
persona_paths = [
    path("personas/", personas.PersonasView.as_view()),
    path("personas/onboarding/", bonds.OnboardingView.as_view()),
    path("personas/cards/", bonds.ImportCardView.as_view()),
    path("personas/drafts/", drafts.DraftsView.as_view()),
    path("personas/<int:persona_id>/card/", drafts.CardView.as_view()),
    path("personas/<int:persona_id>/avatar/", drafts.AvatarView.as_view(), name="avatar"),
    path("personas/<int:persona_id>/", personas.PersonaView.as_view()),
    *build_block_paths("personas/<int:persona_id>"),
    path("personas/<int:persona_id>/lore/", lore.LoreView.as_view()),
    path("personas/<int:persona_id>/lore/<int:entry_id>/", lore.LoreEntryView.as_view()),
    path(f"{opening_path}/", openings.OpeningView.as_view()),
    path(f"{opening_path}/revisions/", openings.OpeningRevisionsView.as_view()),
    path(f"{opening_path}/revisions/<int:n>/restore/", openings.RestoreOpeningView.as_view()),
]
turn_path = "turns/<uuid:turn_id>"
session_path = "sessions/<int:session_id>"
import_path = "imports/<int:import_id>"
bond_paths = [
    path("", bonds.BondDetailView.as_view()),
    path("messages/", messages.MessagesView.as_view()),
    path("greetings/", messages.GreetingsView.as_view()),
    path("messages/<int:message_id>/", messages.MessageView.as_view()),
    path("messages/<int:message_id>/edit/", messages.EditMessageView.as_view()),
    path("messages/<int:message_id>/edit/undo/", messages.UndoEditView.as_view()),
    path("messages/<int:message_id>/choose/", messages.ChooseReplyView.as_view()),
    path("messages/<int:message_id>/keep/", kept.KeepView.as_view()),
    path("messages/<int:message_id>/recap/", line_recaps.LineRecapView.as_view()),
    path("memory/inclusion/", inclusion.InclusionView.as_view()),
    path("kept/", kept.KeptView.as_view()),
    path("events/stream/", bonds.EventStreamView.as_view()),
    path(f"{turn_path}/", messages.TurnView.as_view()),
    path(f"{turn_path}/stop/", messages.StopTurnView.as_view()),
    path(f"{turn_path}/retry/", messages.RetryTurnView.as_view()),
    path(f"{turn_path}/continue/", messages.ContinueTurnView.as_view()),
    path(f"{turn_path}/regenerate/", messages.RegenerateTurnView.as_view()),
    path("sessions/", sessions.SessionsView.as_view()),
    path(f"{session_path}/", sessions.SessionView.as_view()),
    path(f"{session_path}/restore/", sessions.RestoreSessionView.as_view()),
    path(f"{session_path}/close/", sessions.CloseSessionView.as_view()),
    path(f"{session_path}/leave/", sessions.LeaveSessionView.as_view()),
    path(f"{session_path}/loaded/", fact_writes.LoadedView.as_view()),
    path(f"{session_path}/consolidate/", sessions.ConsolidateSessionView.as_view()),
    path("imports/", imports.ImportsView.as_view()),
    path(f"{import_path}/", imports.ImportView.as_view()),
    path(f"{import_path}/start/", imports.StartImportView.as_view()),
    path(f"{import_path}/cancel/", imports.CancelImportView.as_view()),
    path(f"{import_path}/proposals/<int:proposal_id>/decline/", imports.DeclineProposalView.as_view()),
]
version_path = "story/versions/<int:n>"
scene_path = "scenes/<int:scene_id>"
story_paths = [
    path("story/", story.StoryView.as_view()),
    path("story/text/", story.StoryTextView.as_view()),
    path("story/tell/", story.TellView.as_view()),
    path("story/versions/", story_versions.VersionsView.as_view()),
    path(f"{version_path}/", story_versions.VersionView.as_view()),
    path(f"{version_path}/diff/", story_versions.DiffView.as_view()),
    path(f"{version_path}/choose/", story_versions.ChooseVersionView.as_view()),
    path(f"{version_path}/restore/", story_versions.RestoreVersionView.as_view()),
    path("scenes/", scenes.ScenesView.as_view()),
    path(f"{scene_path}/", scenes.SceneView.as_view()),
    path(f"{scene_path}/recaps/", scenes.RecapsView.as_view()),
    path(f"{scene_path}/recaps/<int:n>/choose/", scenes.ChooseRecapView.as_view()),
    path("tidying/", tidying.TidyingView.as_view()),
    path("tidying/<int:step_id>/retry/", tidying.RetryStepView.as_view()),
    path("tidying/<int:step_id>/cancel/", tidying.CancelStepView.as_view()),
]
memory_paths = [
    *build_node_paths("events", Types.EVENT),
    path("events/<int:node_id>/dependents/", api_nodes.DependentsView.as_view(type=Types.EVENT)),
    *build_node_paths("thoughts", Types.THOUGHT),
    path("thoughts/<int:node_id>/trace/", api_nodes.EvidenceView.as_view(type=Types.THOUGHT)),
    *build_node_paths("intentions", Types.INTENTION),
    *build_node_paths("expectations", Types.EXPECTATION),
    path("facts/", facts.FactsView.as_view()),
    path("facts/<int:node_id>/", facts.FactView.as_view()),
    path("facts/<int:node_id>/history/", facts.FactHistoryView.as_view()),
    path("facts/<int:node_id>/restore/", facts.RestoreFactView.as_view()),
    path("facts/<int:node_id>/confirm/", facts.ConfirmFactView.as_view()),
    path("facts/<int:node_id>/end/", facts.EndFactView.as_view()),
    path("facts/<int:node_id>/share/", facts.ShareFactView.as_view()),
    path("facts/<int:node_id>/unshare/", facts.UnshareFactView.as_view()),
    path("links/", fact_writes.LinksView.as_view()),
    path("links/<int:link_id>/", fact_writes.LinkView.as_view()),
    path("writes/", fact_writes.WritesView.as_view()),
    path("writes/<int:write_id>/undo/", fact_writes.UndoWriteView.as_view()),
    path("writes/<int:write_id>/tell/", fact_writes.TellWriteView.as_view()),
    path("entities/", entities.EntitiesView.as_view()),
    path("entities/<int:entity_id>/", entities.EntityView.as_view()),
    path("entities/<int:entity_id>/merge/", entities.MergeView.as_view()),
    path("entities/<int:entity_id>/separate/", entities.SeparateView.as_view()),
    path("entities/<int:entity_id>/remarks/", remarks.RemarksView.as_view()),
    path("entities/<int:entity_id>/remarks/<int:remark_id>/", remarks.RemarkView.as_view()),
    path("entities/merges/", entities.MergesView.as_view()),
    path("entities/merges/<int:merge_id>/undo/", entities.UndoMergeView.as_view()),
    path("doubts/", doubts.DoubtsView.as_view()),
    path("doubts/<int:doubt_id>/settle/", doubts.SettleDoubtView.as_view()),
    path("doubts/<int:doubt_id>/later/", doubts.AskLaterView.as_view()),
    path("doubts/<int:doubt_id>/reopen/", doubts.ReopenDoubtView.as_view()),
    path("mood/", memory.MoodView.as_view()),
    path("slow-ticks/", memory.SlowTicksView.as_view()),
    path("timeline/", memory.TimelineView.as_view()),
    path("search/", search.SearchView.as_view()),
    path("trash/", trash.TrashView.as_view()),
    path("trash/<str:kind>/<int:object_id>/restore/", trash.RestoreView.as_view()),
    path("trash/<str:kind>/<int:object_id>/erase/", trash.EraseView.as_view()),
    path("recall/", memory.RecallView.as_view()),
]
# YAML or JSON, by the Accept header.
schema_view = SpectacularAPIView.as_view(content_negotiation_class=DefaultContentNegotiation)
# The content security policy allows its script by address; its styles are inline.
docs_view = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view(url_name="schema"))
urlpatterns: list[URLPattern | URLResolver] = [
    *account_paths,
    *persona_paths,
    path("imports/estimate/", imports.EstimateView.as_view()),
    path("bonds/", bonds.BondsView.as_view()),
    path("bonds/import/", exports.RestoreView.as_view()),
    path("bonds/import/<int:restoration_id>/", exports.RestorationView.as_view()),
    path("bonds/<int:bond_id>/export/", exports.ExportBondView.as_view()),
    path("me/export/", exports.ExportAccountView.as_view()),
    *build_block_paths("bonds/<int:bond_id>"),
    path("bonds/<int:bond_id>/", include([*bond_paths, *story_paths])),
    path("bonds/<int:bond_id>/memory/", include(memory_paths)),
    path("schema/", schema_view, name="schema"),
    path("docs/", docs_view),
    re_path("", bonds.UnknownPathView.as_view()),
]
