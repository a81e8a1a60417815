"""Terms and names that were stored in traditional characters become simplified ones, by which they are looked for now."""

from django.db import migrations

from echovessel import chinese_script


def simplify(apps, schema_editor):
    pairs = chinese_script.list_pairs()
    script = {"those": "".join(pairs), "these": "".join(pairs.values()), "some": f"[{''.join(pairs)}]"}
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_message SET search = translate(search::text, %(those)s, %(these)s)::tsvector WHERE content ~ %(some)s",
            script,
        )
        cursor.execute(
            "UPDATE memory_conceptnode SET terms = ARRAY(SELECT DISTINCT translate(term, %(those)s, %(these)s) FROM unnest(terms) AS term ORDER BY 1)"
            " WHERE array_to_string(terms, ' ') ~ %(some)s",
            script,
        )
        # A name that a bond has in both scripts stays as it is.
        cursor.execute(
            "UPDATE memory_entityalias AS alias SET folded = translate(folded, %(those)s, %(these)s) WHERE folded ~ %(some)s AND (deleted_at IS NOT NULL"
            " OR NOT EXISTS (SELECT FROM memory_entityalias AS other WHERE other.bond_id = alias.bond_id AND other.id <> alias.id AND other.deleted_at IS NULL"
            " AND translate(other.folded, %(those)s, %(these)s) = translate(alias.folded, %(those)s, %(these)s)))",
            script,
        )


class Migration(migrations.Migration):
    dependencies = [("memory", "0044_words_of_models")]

    operations = [migrations.RunPython(simplify, migrations.RunPython.noop)]
