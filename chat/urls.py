from django.urls import include, path

from chat import views

urlpatterns = [
    path("", views.home, name="home"),
    path("companions/new/", views.new_companion, name="new_companion"),
    path("companions/new/write/", views.write_companion, name="write_companion"),
    path("companions/new/ready/<slug:key>/", views.ready_companion, name="ready_companion"),
    path("companions/begin/<int:persona_id>/", views.begin_bond, name="begin_bond"),
    path("bonds/<int:bond_id>/", views.bond, name="bond"),
    path("bonds/<int:bond_id>/lines/", views.bond_lines, name="bond_lines"),
    path("bonds/<int:bond_id>/sessions/", views.bond_sessions, name="bond_sessions"),
    path("bonds/<int:bond_id>/memories/", views.bond_memories, name="bond_memories"),
    path("language/", include("django.conf.urls.i18n")),
]
