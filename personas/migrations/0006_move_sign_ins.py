from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations


def move(apps, schema_editor):
    """Move sign-ins to where rows say whose they are, so that nobody has to sign in again; those of accounts that are gone, not."""
    SignIn = apps.get_model("personas", "SignIn")
    old = apps.get_model("sessions", "Session").objects
    known = set(apps.get_model("personas", "User").objects.values_list("pk", flat=True))
    store = SessionStore()
    for row in old.iterator():
        user = store.decode(row.session_data).get("_auth_user_id")
        if user is None or int(user) in known:
            SignIn.objects.create(
                session_key=row.session_key,
                session_data=row.session_data,
                expire_date=row.expire_date,
                user_id=user and int(user),
            )
    old.all().delete()


class Migration(migrations.Migration):
    dependencies = [("personas", "0005_sign_ins"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
