import pytest

from echovessel.http import bundling
from echovessel.http.bundling import BundleError

SOURCES = {
    "js/app.js": 'import { tell } from "./times.js";\ntell();\n',
    "js/times.js": "export function tell() {}\n",
    "js/chat/main.js": (
        'import { tell } from "../times.js";\nimport { list as all, Box } from "../lines/lines.js";\n'
        'import * as boxes from "../lines/boxes.js";\ntell(all, new Box(), boxes);\n'
    ),
    "js/lines/lines.js": (
        'import "./boxes.js";\nimport { parse } from "../../vendor/parse.js";\nexport const list = parse();\n'
        'export class Box {}\nexport async function look() {\n  await import("./demanded.js");\n}\n'
    ),
    "js/lines/boxes.js": "export function box() {}\n",
    "vendor/parse.js": "export{a as parse};",
}


def test_modules_become_one_in_the_order_of_their_imports_and_shared_ones_stay_files():
    joined = bundling.bundle_script("js/chat/main.js", SOURCES.__getitem__)

    assert joined == (
        'import * as js_times_js from "../times.js";\n'
        'import * as vendor_parse_js from "../../vendor/parse.js";\n'
        "const js_lines_boxes_js = (() => {\nfunction box() {}\nreturn { box };\n})();\n"
        "const js_lines_lines_js = (() => {\nconst { parse } = vendor_parse_js;\nconst list = parse();\n"
        'class Box {}\nasync function look() {\n  await import("../lines/demanded.js");\n}\n'
        "return { list, Box, look };\n})();\n"
        "const { tell } = js_times_js;\nconst { list: all, Box } = js_lines_lines_js;\n"
        "const boxes = js_lines_boxes_js;\ntell(all, new Box(), boxes);\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        'import "../chat/main.js";\n',
        "export default 3;\n",
        "export let count = 0;\n",
        "export { list };\n",
        "import { list } from '../lines/boxes.js';\n",
    ],
    ids=["in a circle", "default", "changing", "apart", "other quotes"],
)
def test_what_cannot_be_joined_is_named(source):
    sources = SOURCES | {"js/lines/lines.js": source}

    with pytest.raises(BundleError, match=r"js/lines/lines\.js|js/chat/main\.js"):
        bundling.bundle_script("js/chat/main.js", sources.__getitem__)


def test_a_style_sheet_takes_in_those_that_it_imports():
    sources = {"css/chat.css": '/* All. */\n@import "chat/lines.css";\n', "css/chat/lines.css": "p { margin: 0; }\n"}

    assert bundling.bundle_styles("css/chat.css", sources.__getitem__) == "/* All. */\np { margin: 0; }\n"

    sources["css/chat/lines.css"] = 'p { background: url("../p.svg"); }'
    with pytest.raises(BundleError, match=r"css/chat/lines\.css"):
        bundling.bundle_styles("css/chat.css", sources.__getitem__)
