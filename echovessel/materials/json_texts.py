from io import StringIO

from echovessel.materials.json_streams import events
from echovessel.texts import storable


def flattened(content: bytes) -> str:
    """The texts and numbers of any JSON, one a line with its name, each object a paragraph of its own."""
    text = StringIO()
    keys: list[str] = [""]
    for depth, event, value in events(content):
        del keys[depth + 1 :]
        keys += [""] * (depth + 1 - len(keys))
        if event == "map_key":
            keys[depth] = f"{value}: "
        elif event in ("string", "number") and value != "":
            text.write(f"{keys[depth]}{value}\n")
        elif event == "end_map":
            text.write("\n")
    return storable(text.getvalue()).strip()
