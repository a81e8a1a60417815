from django.urls import include, path

from chat import (
    beginnings,
    graph_pages,
    import_pages,
    languages,
    memory_pages,
    mood_pages,
    people_pages,
    persona_pages,
    settings_pages,
    views,
)

proposal = "proposals/<int:proposal_id>"
of_import = [
    path("", import_pages.one_import, name="import"),
    path("progress/", import_pages.import_progress, name="import_progress"),
    path("start/", import_pages.start_import, name="start_import"),
    path("cancel/", import_pages.cancel_import, name="cancel_import"),
    path(f"{proposal}/accept/", import_pages.accept_proposal, name="accept_proposal"),
    path(f"{proposal}/decline/", import_pages.decline_proposal, name="decline_proposal"),
]
of_memory = [
    path("", memory_pages.memories, name="memories"),
    path("mood/", mood_pages.mood, name="mood"),
    path("words/", memory_pages.words, name="memory_words"),
    path("trash/", memory_pages.forgotten_things, name="trash"),
    path("trash/<int:act_id>/restore/", memory_pages.restore, name="restore_forgotten"),
    path("trash/<int:act_id>/erase/", memory_pages.erase, name="erase_forgotten"),
    path("forget/", memory_pages.forget_many, name="forget_many"),
    path("<int:node_id>/", memory_pages.memory, name="memory"),
    path("<int:node_id>/chain/", memory_pages.chain, name="memory_chain"),
    path("<int:node_id>/correct/", memory_pages.correct, name="correct_memory"),
    path("<int:node_id>/settle/", memory_pages.settle, name="settle_memory"),
    path("<int:node_id>/restore/", memory_pages.bring_back, name="bring_back_memory"),
    path("<int:node_id>/forget/", memory_pages.forget, name="forget_memory"),
    path("<slug:layer>/", memory_pages.memories, name="memories"),
]
of_people = [
    path("", people_pages.people, name="people"),
    path("<int:entity_id>/", people_pages.person, name="person"),
    path("graph/", graph_pages.people_graph, name="people_graph"),
    path("graph/data/", graph_pages.graph_data, name="graph_data"),
    path("<int:entity_id>/merge/", people_pages.merge, name="merge_people"),
    path("<int:entity_id>/apart/", people_pages.keep_apart, name="keep_apart"),
    path("<int:entity_id>/forget/", people_pages.forget_person, name="forget_person"),
    path("merges/<int:merge_id>/undo/", people_pages.undo_merge, name="undo_merge"),
]
of_persona = [
    path("", persona_pages.persona, name="persona"),
    path("share/", persona_pages.share, name="share_persona"),
    path("card.<str:kind>", persona_pages.card, name="persona_card"),
    path("<slug:name>/save/", persona_pages.save_text, name="save_text"),
    path("<slug:name>/<int:n>/restore/", persona_pages.restore_text, name="restore_text"),
]
urlpatterns = [
    path("", views.home, name="home"),
    path("companions/new/", beginnings.new_companion, name="new_companion"),
    path("companions/new/write/", beginnings.write_companion, name="write_companion"),
    path("companions/new/material/", beginnings.material_companion, name="material_companion"),
    path("companions/new/preview/", beginnings.preview, name="companion_preview"),
    path("companions/new/back/", beginnings.bring_back, name="bring_back"),
    path("companions/new/ready/<slug:key>/", beginnings.ready_companion, name="ready_companion"),
    path("companions/begin/<int:persona_id>/", views.begin_bond, name="begin_bond"),
    path("bonds/<int:bond_id>/", views.bond, name="bond"),
    path("bonds/<int:bond_id>/take-along/", beginnings.take_along, name="take_along"),
    path("bonds/<int:bond_id>/lines/", views.bond_lines, name="bond_lines"),
    path("bonds/<int:bond_id>/sessions/", views.bond_sessions, name="bond_sessions"),
    path("bonds/<int:bond_id>/memories/", views.bond_memories, name="bond_memories"),
    path("bonds/<int:bond_id>/persona/", include(of_persona)),
    path("bonds/<int:bond_id>/memory/people/", include(of_people)),
    path("bonds/<int:bond_id>/memory/", include(of_memory)),
    path("bonds/<int:bond_id>/import/", import_pages.imports, name="imports"),
    path("bonds/<int:bond_id>/import/<int:import_id>/", include(of_import)),
    path("bonds/<int:bond_id>/erase/", settings_pages.erase_bond, name="erase_bond"),
    path("settings/", settings_pages.settings, name="settings"),
    path("settings/usage/", settings_pages.settings_usage, name="settings_usage"),
    path("settings/tokens/make/", settings_pages.make_token, name="make_token"),
    path("settings/tokens/revoke/", settings_pages.revoke_token, name="revoke_token"),
    path("settings/erase/", settings_pages.erase_account, name="erase_account"),
    path("language/setlang/", languages.set_language, name="set_language"),
]
