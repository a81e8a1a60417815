from django.db import migrations


def weigh_points(apps, schema_editor):
    """Weigh the points of current versions as their scenes did, until they are weighed by what they tell."""
    Story, Scene = apps.get_model("memory", "Story"), apps.get_model("memory", "Scene")
    for story in Story.objects.exclude(current=None).select_related("current").iterator():
        weights = dict(Scene.objects.filter(bond_id=story.pk).values_list("pk", "weight"))
        version = story.current
        version.points = [
            point | {"weight": max((weights.get(scene, 0) for scene in point["scenes"]), default=0)}
            for point in version.points
        ]
        version.save(update_fields=["points"])


class Migration(migrations.Migration):
    dependencies = [("memory", "0040_scene_weights")]

    operations = [
        migrations.RunPython(weigh_points, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="scene", name="scene_weight_at_most"),
        migrations.RemoveField(model_name="scene", name="weight"),
    ]
