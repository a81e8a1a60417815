from django.urls import include, path

from chat.pages import design, languages
from chat.pages import help as help_pages
from chat.pages.account import model_server, settings
from chat.pages.companions import home, new_companion, persona
from chat.pages.conversation import messages, page, sessions
from chat.pages.memory import entities, forgetting, graph, imports, kept, memories, mood, search

proposal_path = "proposals/<int:proposal_id>"
import_paths = [
    path("", imports.import_detail, name="import"),
    path("progress/", imports.import_progress, name="import_progress"),
    path("start/", imports.start_import, name="start_import"),
    path("cancel/", imports.cancel_import, name="cancel_import"),
    path(f"{proposal_path}/accept/", imports.accept_proposal, name="accept_proposal"),
    path(f"{proposal_path}/decline/", imports.decline_proposal, name="decline_proposal"),
]
memory_paths = [
    path("", memories.memory_list, name="memories"),
    path("mood/", mood.mood_page, name="mood"),
    path("words/", search.search_memories, name="memory_words"),
    path("kept/", kept.kept_list, name="kept"),
    path("kept/<int:message_id>/note/", kept.save_note, name="save_note"),
    path("kept/<int:message_id>/let-go/", kept.let_go, name="let_go"),
    path("trash/", forgetting.trash_list, name="trash"),
    path("trash/<int:act_id>/restore/", forgetting.restore_forgotten, name="restore_forgotten"),
    path("trash/<int:act_id>/erase/", forgetting.erase_forgotten, name="erase_forgotten"),
    path("forget/", forgetting.forget_memories, name="forget_many"),
    path("<int:node_id>/", memories.memory_detail, name="memory"),
    path("<int:node_id>/chain/", memories.memory_evidence, name="memory_chain"),
    path("<int:node_id>/correct/", memories.correct_memory, name="correct_memory"),
    path("<int:node_id>/settle/", memories.settle_memory, name="settle_memory"),
    path("<int:node_id>/restore/", memories.restore_memory, name="bring_back_memory"),
    path("<int:node_id>/forget/", forgetting.forget_memory, name="forget_memory"),
    path("<slug:layer>/", memories.memory_list, name="memories"),
]
people_paths = [
    path("", entities.entity_list, name="people"),
    path("graph/", graph.people_graph, name="people_graph"),
    path("graph/data/", graph.graph_data, name="graph_data"),
    path("<int:entity_id>/", entities.entity_detail, name="person"),
    path("<int:entity_id>/merge/", entities.merge_entity, name="merge_people"),
    path("<int:entity_id>/apart/", entities.keep_apart, name="keep_apart"),
    path("<int:entity_id>/forget/", entities.forget_entity, name="forget_person"),
    path("merges/<int:merge_id>/undo/", entities.undo_merge, name="undo_merge"),
]
persona_paths = [
    path("", persona.persona_page, name="persona"),
    path("share/", persona.share_persona, name="share_persona"),
    path("card.<str:kind>", persona.persona_card, name="persona_card"),
    path("<slug:name>/save/", persona.save_text, name="save_text"),
    path("<slug:name>/<int:n>/restore/", persona.restore_text, name="restore_text"),
]
urlpatterns = [
    path("", home.home, name="home"),
    path("companions/new/", new_companion.new_companion_page, name="new_companion"),
    path("companions/new/write/", new_companion.write_companion, name="write_companion"),
    path("companions/new/material/", new_companion.material_companion, name="material_companion"),
    path("companions/new/preview/", new_companion.preview_prompt, name="companion_preview"),
    path("companions/new/back/", new_companion.restore_export, name="bring_back"),
    path("companions/new/back/<int:restoration_id>/", new_companion.restoration_detail, name="restoration"),
    path(
        "companions/new/back/<int:restoration_id>/progress/",
        new_companion.restoration_progress,
        name="restoration_progress",
    ),
    path("companions/new/ready/<slug:key>/", new_companion.ready_companion, name="ready_companion"),
    path("companions/begin/<int:persona_id>/", home.begin_bond, name="begin_bond"),
    path("bonds/<int:bond_id>/", page.bond_page, name="bond"),
    path("bonds/<int:bond_id>/tour/", help_pages.tour_step, name="tour_step"),
    path("bonds/<int:bond_id>/tour/again/", help_pages.restart_tour, name="tour_again"),
    path("bonds/<int:bond_id>/take-along/", new_companion.export_page, name="take_along"),
    path("bonds/<int:bond_id>/lines/", sessions.message_list, name="bond_lines"),
    path("bonds/<int:bond_id>/lines/<int:message_id>/", messages.message_detail, name="bond_line"),
    path("bonds/<int:bond_id>/turns/<uuid:turn_id>/why/", messages.explain_reply, name="why_said"),
    path("bonds/<int:bond_id>/found/", sessions.search_messages, name="found_lines"),
    path("bonds/<int:bond_id>/sessions/", sessions.session_panel, name="bond_sessions"),
    path("bonds/<int:bond_id>/sessions/<int:session_id>/forget/", sessions.forget_session, name="forget_session"),
    path("bonds/<int:bond_id>/sessions/<int:session_id>/restore/", sessions.restore_session, name="restore_session"),
    path("bonds/<int:bond_id>/head/", page.bond_head, name="bond_head"),
    path("bonds/<int:bond_id>/memories/", page.bond_memories, name="bond_memories"),
    path("bonds/<int:bond_id>/persona/", include(persona_paths)),
    path("bonds/<int:bond_id>/memory/people/", include(people_paths)),
    path("bonds/<int:bond_id>/memory/", include(memory_paths)),
    path("bonds/<int:bond_id>/import/", imports.import_list, name="imports"),
    path("bonds/<int:bond_id>/import/<int:import_id>/", include(import_paths)),
    path("bonds/<int:bond_id>/erase/", settings.erase_bond, name="erase_bond"),
    path("design/", design.design, name="design"),
    path("how-memory-works/", help_pages.how_memory_works, name="how_memory_works"),
    path("settings/", settings.settings_page, name="settings"),
    path("settings/usage/", settings.settings_usage, name="settings_usage"),
    path("settings/tokens/make/", settings.create_token, name="make_token"),
    path("settings/tokens/revoke/", settings.revoke_token, name="revoke_token"),
    path("settings/model/", model_server.model_page, name="model"),
    path("settings/model/here/", model_server.list_local_servers, name="model_here"),
    path("settings/model/offers/", model_server.list_offered_models, name="model_offers"),
    path("settings/model/test/", model_server.test_model, name="test_model"),
    path("settings/model/switch/", model_server.switch_model, name="switch_model"),
    path("settings/model/forget-key/", model_server.forget_model_key, name="forget_model_key"),
    path("settings/model/prices/", model_server.save_prices, name="save_prices"),
    path("settings/erase/", settings.erase_account, name="erase_account"),
    path("language/setlang/", languages.set_language, name="set_language"),
]
