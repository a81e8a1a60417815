"""Terms of words with accents, and of Cyrillic, Arabic and Greek ones, become those by which they are looked for now.

Vectors of other languages than English and Chinese are made anew in the background, by the model that knows these languages.
"""

from django.db import migrations

from echovessel import text
from echovessel.languages import detection
from memory.models import lexemes

MARKED = "[\u00c0-\u024f\u0300-\u036f\u0370-\u06ff\u0900-\u0fff\u1e00-\u1fff]"
BATCH = 500
BOTH_MODELS = "all-MiniLM-L6-v2 with multilingual-e5-small"
TOLD = {"Message": "content", "ConceptNode": "description", "Entity": "canonical_name"}


def extract_anew(apps, schema_editor):
    messages, nodes = (apps.get_model("memory", name) for name in ("Message", "ConceptNode"))
    # What is off the record is not indexed.
    indexed = messages.objects.filter(session__off_record=False, content__regex=MARKED)
    marked = indexed.values_list("pk", "bond_id", "content")
    for pk, bond_id, content in marked.iterator(chunk_size=BATCH):
        messages.objects.filter(pk=pk).update(search=lexemes.build_search_vector(bond_id, content))
    for node in nodes.objects.only("pk", "description", "terms").iterator(chunk_size=BATCH):
        terms = sorted(set(text.extract_terms(node.description)))
        if terms != node.terms:
            nodes.objects.filter(pk=node.pk).update(terms=terms)


def drop_vectors(apps, schema_editor):
    for name, field in TOLD.items():
        rows = apps.get_model("memory", name).objects
        told = rows.filter(embedding_model=BOTH_MODELS).values_list("pk", field).iterator(chunk_size=BATCH)
        foreign = [pk for pk, said in told if detection.is_foreign(said)]
        for at in range(0, len(foreign), BATCH):
            rows.filter(pk__in=foreign[at : at + BATCH]).update(embedding_model="")


class Migration(migrations.Migration):
    dependencies = [("memory", "0046_doubts_let_go")]

    operations = [
        migrations.RunPython(extract_anew, migrations.RunPython.noop),
        migrations.RunPython(drop_vectors, migrations.RunPython.noop),
    ]
