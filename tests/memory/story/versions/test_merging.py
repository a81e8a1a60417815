import pytest

from memory.story.recaps.content import RecapContent, Told
from memory.story.versions import merging, rules
from memory.story.versions.limits import Limits
from memory.story.versions.merging import Order, ToldScene
from memory.story.versions.points import count_tokens
from tests.memory.story.versions.test_points import build
from tests.support.story import build_content

# Scenes 11, 12, 13 … of the bond, in this order.
ORDER = Order(places={pk: pk - 11 for pk in range(11, 45)})


def scene(number, *outcomes, weights=(), **parts):
    content = RecapContent(**build_content(outcomes[0], **parts))
    told = [Told(text=text, lines=[at]) for at, text in enumerate(outcomes, start=1)]
    return ToldScene(
        id=number + 10,
        number=number,
        recap_id=number + 100,
        content=content.model_copy(update={"outcomes": told}),
        weights=weights,
    )


MOVED = scene(2, "Mara moved to Porto on 3 May with 4 boxes.", open=[{"text": "Will the loft be sold?", "lines": [1]}])
BANK = build("Mara left the bank.", id="a", scenes=(11,))
LOFT = build("The loft is for sale.", part="open", id="b", scenes=(11,))
HOME = build("Lisbon", part="state", label="home", id="c", scenes=(11,))
OWN = build("She is my best friend.", id="d", by="person")
BEFORE = [BANK, LOFT, HOME, OWN]


def apply(points, *, scenes=(MOVED,), known_names=(), order=ORDER, **answer):
    found, notes = merging.apply_changes(
        points, answer, scenes=scenes, order=order, known_names=known_names, by="model"
    )
    return [(point.part, point.line, point.scenes, point.by) for point in found], notes


def show(*points):
    return [(point.part, point.line, point.scenes, point.by) for point in points]


def add(text, *, part="happened", scenes=(2,), label=""):
    return {"part": part, "text": text, "scenes": list(scenes), "label": label}


def test_what_is_not_changed_stays_as_it_is():
    found, notes = merging.apply_changes(
        BEFORE, {"add": [add("Mara moved to Porto.")]}, scenes=[MOVED], order=ORDER, by="model"
    )

    assert found[:4] == BEFORE
    assert (found[4].text, found[4].scenes, found[4].by, len(found), notes) == (
        "Mara moved to Porto.",
        (12,),
        "model",
        5,
        [],
    )


def test_a_changed_point_keeps_its_id_and_cites_both_scenes():
    answer = {"change": [{"point": 1, "text": "Mara left the bank and moved to Porto.", "scenes": [2]}]}

    found, notes = merging.apply_changes(BEFORE, answer, scenes=[MOVED], order=ORDER, by="model")

    changed = build("Mara left the bank and moved to Porto.", id="a", scenes=(11, 12))
    assert (found, notes) == ([changed, *BEFORE[1:]], [])


def test_a_dropped_point_goes():
    assert apply(BEFORE, drop=[{"point": 2, "reason": "sold"}]) == (show(BANK, HOME, OWN), [])


@pytest.mark.parametrize(
    "answer",
    [
        {"change": [{"point": 9, "text": "Mara left.", "scenes": [2]}]},
        {"change": [{"point": 1, "text": "Mara left.", "scenes": [99]}]},
        {"change": [{"point": 1, "text": "Mara left.", "scenes": []}, {"text": "Mara left."}], "add": 7},
        {"drop": [{"point": 0}, {"point": 99}, {"point": "b"}]},
        {"add": [add("Mara moved.", scenes=[99])]},
        {"add": [add("Mara moved.", part="gossip"), add(""), "rubbish", None]},
        {"add": [add("Porto", part="state")]},
    ],
    ids=["change point", "change scene", "change nothing", "drop", "add scene", "add rubbish", "state without a label"],
)
def test_unknown_numbers_and_rubbish_change_nothing(answer):
    found, notes = apply(BEFORE, scenes=[MOVED, scene(3, "It rained.")], **answer)

    assert found == show(*BEFORE)
    assert notes


def test_unknown_scenes_are_left_out_of_what_cites_known_ones_too():
    found, _ = apply([], add=[add("Mara moved to Porto.", scenes=[99, 2])])

    assert found == [("happened", "Mara moved to Porto.", (12,), "model")]


def test_the_only_scene_is_meant_where_none_is_named():
    found, _ = apply([], add=[add("Mara moved to Porto.", scenes=[])])

    assert found == [("happened", "Mara moved to Porto.", (12,), "model")]


@pytest.mark.parametrize(
    ("text", "is_believed"),
    [
        ("Mara moved with 4 boxes.", True),
        ("Mara moved with four boxes.", True),
        ("Mara moved with 40 boxes.", False),
        ("Mara moved to Porto.", True),
        ("Mara moved to Porto with Joana.", False),
    ],
)
def test_numbers_and_known_names_stand_in_the_recaps(text, is_believed):
    found, notes = apply([], add=[add(text)], known_names=[("Joana", "Jo"), ("Porto",)])

    assert found == ([("happened", text, (12,), "model")] if is_believed else [])
    assert bool(notes) is not is_believed


def test_numbers_and_known_names_of_the_old_text_may_stay():
    old = build("Joana lent her 300 euros.", id="e", scenes=(11,))
    answer = {"change": [{"point": 1, "text": "Joana, who lent her 300 euros, came to Porto.", "scenes": [2]}]}

    assert apply([old], known_names=[("Joana",)], **answer)[0][0][1] == answer["change"][0]["text"]


def test_what_says_the_same_is_one_point_of_both_scenes():
    found, _ = apply([BANK], add=[add("mara LEFT the bank.")], scenes=[scene(2, "Mara left the bank.")])

    assert found == [("happened", "Mara left the bank.", (11, 12), "model")]


def test_the_same_text_in_another_part_is_another_point():
    found, _ = apply([LOFT], add=[add("The loft is for sale.")], scenes=[scene(2, "The loft is for sale.")])

    assert [part for part, *_ in found] == ["open", "happened"]


def test_a_change_that_says_what_another_point_says_makes_one_of_them():
    twice = [BANK, build("Mara quit.", id="z", scenes=(13,))]
    answer = {"change": [{"point": 2, "text": "Mara left the bank.", "scenes": [2]}]}

    found, _ = merging.apply_changes(
        twice, answer, scenes=[scene(2, "Mara left the bank."), scene(3, "x y")], order=ORDER, by="model"
    )

    assert [(point.id, point.scenes) for point in found] == [("z", (11, 13, 12))]


def test_a_state_of_the_same_label_is_replaced():
    found, notes = merging.apply_changes(
        BEFORE, {"add": [add("Porto", part="state", label="Home")]}, scenes=[MOVED], order=ORDER, by="model"
    )

    assert found == [BANK, LOFT, build("Porto", part="state", label="Home", id="c", scenes=(12,)), OWN]
    assert notes == []


def test_of_two_states_of_a_label_the_later_scenes_holds_in_whatever_order_they_come():
    scenes = [scene(2, "She lives in Porto."), scene(3, "She lives in Braga.")]
    adds = [
        add("Braga", part="state", label="home", scenes=[3]),
        add("Porto", part="state", label="home", scenes=[2]),
    ]

    assert apply([HOME], scenes=scenes, add=adds)[0] == [("state", "home: Braga", (13,), "model")]


def test_what_a_person_wrote_is_neither_changed_nor_dropped():
    state = build("Lisbon", part="state", label="home", id="s", by="person")
    answer = {
        "change": [{"point": 1, "text": "She moved to Porto.", "scenes": [2]}],
        "drop": [{"point": 1}, {"point": 2}],
        "add": [add("Porto", part="state", label="home"), add("She is my best friend.")],
    }
    told = scene(2, "Mara moved to Porto.", "She is my best friend.")

    found, notes = apply([OWN, state], scenes=[told], **answer)

    assert (found, len(notes)) == (show(OWN, state), 4)


def test_a_long_text_is_cut_to_200_characters():
    told = scene(2, "Mara moved.")
    [(_, kept, *_), (_, cut, *_)], _ = apply([], scenes=[told], add=[add("m" * 200), add("moved " * 50)])

    assert (kept, len(cut) <= 200, cut.endswith("moved…")) == ("m" * 200, True, True)


def test_a_scene_told_anew_leaves_the_story_and_later_points_stay():
    points = [
        build("Mara met Ida.", id="a", scenes=(13,)),
        build("They quarrelled.", id="b", scenes=(13, 20)),
        build("They made up.", id="c", scenes=(30,)),
        build("friends", part="state", label="Ida", id="d", scenes=(13,)),
        build("Ida is trouble.", id="e", scenes=(13,), by="person"),
    ]
    left = merging.leave_scene(points, 13)
    anew = scene(
        3, "Mara met Ida at work.", "They made up.", state=[{"label": "Ida", "text": "colleague", "lines": [1]}]
    )
    answer = {
        "add": [add("Mara met Ida at work.", scenes=[3]), add("They made up.", scenes=[3])],
        "change": [{"point": 1, "text": "They quarrelled at work.", "scenes": [3]}],
        "drop": [{"point": 2}],
    }

    found, _ = merging.apply_changes(left, answer, scenes=[anew], order=ORDER, by="model")

    later = [build("They quarrelled.", id="b", scenes=(20,)), *points[2:3]]
    assert left == [*later, points[4]]
    # Before what later scenes wrote, which stands as it was.
    assert (found[0].text, found[0].scenes) == ("Mara met Ida at work.", (13,))
    assert found[1:] == left


def test_rules_take_two_outcomes_of_a_scene_what_is_open_and_how_things_stand():
    told = scene(
        2,
        "They talked.",
        "Mara's father died.",
        "It rained.",
        "Mara moved to Porto.",
        weights=(0, 9, 0, 4),
        open=[{"text": "Will the loft be sold?", "lines": [1]}],
        state=[{"label": "home", "text": "Porto", "lines": [1]}],
    )

    found = rules.merge_by_rules([BANK, HOME], scenes=[told], order=ORDER)

    assert show(*found) == [
        *show(BANK),
        ("state", "home: Porto", (12,), "rules"),
        ("happened", "Mara's father died.", (12,), "rules"),
        ("happened", "Mara moved to Porto.", (12,), "rules"),
        ("open", "Will the loft be sold?", (12,), "rules"),
    ]


@pytest.mark.parametrize(
    ("open_matter", "outcome", "is_settled"),
    [
        ("Will the loft in Porto be sold?", "The sale of the loft in Porto is done, it is sold.", True),
        ("Will the loft in Porto be sold?", "They painted the loft in Porto before it was sold.", False),
        ("Will the loft in Porto be sold?", "The loft is done.", False),
        ("妈妈的手术复查还没做", "妈妈的手术复查做完了", True),
        ("妈妈的手术复查还没做", "妈妈的手术复查又推迟", False),
    ],
)
def test_rules_drop_what_a_later_outcome_settles(open_matter, outcome, is_settled):
    waiting = build(open_matter, part="open", id="w", scenes=(11,))

    found = rules.merge_by_rules([waiting], scenes=[scene(2, outcome)], order=ORDER)

    assert (waiting not in found) is is_settled


def test_rules_do_not_add_what_a_later_scene_of_the_same_merge_settles():
    scenes = [
        scene(2, "It rained.", open=[{"text": "Will the loft in Porto be sold?", "lines": [1]}]),
        scene(3, "The sale of the loft in Porto is over, it is sold."),
    ]

    assert [point.part for point in rules.merge_by_rules([], scenes=scenes, order=ORDER)] == ["happened", "happened"]


def test_rules_tell_once_what_is_open_or_how_things_stand():
    moved = {"label": "recital", "text": "It's on the 5th, not the 4th.", "lines": [1]}
    plan = {"text": "We will sell the loft.", "lines": [2]}
    scenes = [
        scene(1, "It's on the 5th, not the 4th.", "We will sell the loft.", "It rained.", state=[moved], open=[plan])
    ]

    found = rules.merge_by_rules([], scenes=scenes, order=ORDER)

    assert [(point.part, point.line) for point in found] == [
        ("happened", "It rained."),
        ("open", "We will sell the loft."),
        ("state", "recital: It's on the 5th, not the 4th."),
    ]


def test_rules_leave_out_what_is_open_and_says_nothing_by_itself():
    threads = [{"text": text, "lines": [1]} for text in ("Would you.", "You said tomorrow.", "I'll drive.")]

    found = rules.merge_by_rules([], scenes=[scene(1, "It rained.", open=threads)], order=ORDER)

    assert [point.text for point in found] == ["It rained.", "I'll drive."]


def test_points_are_joined_to_one_that_cites_all_their_scenes():
    points = [
        build("Mara moved to Porto.", id="a", scenes=(11,)),
        build("She found a loft in Porto.", id="b", scenes=(12, 13)),
        OWN,
    ]
    answer = {"join": [{"points": [1, 2, 3], "text": "Mara moved to a loft in Porto."}]}

    found, notes = merging.join_points(points, answer, by="model")

    assert (found, notes) == ([build("Mara moved to a loft in Porto.", id="a", scenes=(11, 12, 13)), OWN], [])


@pytest.mark.parametrize(
    "answer",
    [
        {"join": [{"points": [1, 2], "text": "Mara has 3 lofts."}]},
        {"join": [{"points": [1, 3], "text": "Mara moved."}]},
        {"join": [{"points": [9], "text": "Mara moved."}, {"points": [4], "text": "Mara moved."}]},
        {"drop": [{"point": 4, "reason": "light"}, {"point": 7}]},
    ],
    ids=["a number of no point", "two parts", "no such point", "a person's"],
)
def test_what_cannot_be_joined_or_dropped_stays(answer):
    points = [BANK, build("She found a loft.", id="f", scenes=(12,)), LOFT, OWN]

    found, notes = merging.join_points(points, answer, by="model")

    assert found == points
    assert notes


def test_rules_shorten_by_dropping_the_lightest_then_the_oldest():
    points = [build(f"Event {at}.", id=str(at), scenes=(11 + at,)) for at in range(5)] + [OWN]
    weights = {"0": 5, "3": 9}
    limits = Limits(points={"happened": 4, "open": 10, "state": 15}, tokens=1200)

    found = rules.compact_by_rules(points, limits=limits, weights=weights)

    assert [point.id for point in found] == ["0", "3", "4", "d"]


def test_rules_shorten_to_the_tokens_that_are_allowed():
    points = [build("x" * 37, id=str(at), scenes=(11 + at,)) for at in range(4)]
    most = count_tokens(points)

    def shorten(tokens):
        limits = Limits(points={"happened": 40, "open": 10, "state": 15}, tokens=tokens)
        return [point.id for point in rules.compact_by_rules(points, limits=limits, weights={})]

    assert shorten(most) == ["0", "1", "2", "3"]
    assert shorten(most - 1) == ["1", "2", "3"]


def test_rules_shorten_by_weight_before_part_and_leave_how_things_stand_to_the_last():
    parts = [("happened", 11), ("open", 12), ("state", 13), ("open", 14), ("happened", 15)]
    points = [
        build("x" * 37, id=f"{part} {scene}", part=part, label="home" if part == "state" else "", scenes=(scene,))
        for part, scene in parts
    ]
    weights = dict(zip([point.id for point in points], (8, 2, 0, 9, 3), strict=True))

    def shorten(count):
        tokens = count_tokens(sorted(points, key=lambda point: point.part == "state", reverse=True)[:count])
        limits = Limits(points={"happened": 40, "open": 10, "state": 15}, tokens=tokens)
        return [point.id for point in rules.compact_by_rules(points, limits=limits, weights=weights)]

    assert shorten(4) == ["happened 11", "state 13", "open 14", "happened 15"]
    assert shorten(3) == ["happened 11", "state 13", "open 14"]
    assert shorten(2) == ["state 13", "open 14"]
    assert shorten(1) == ["state 13"]


@pytest.mark.parametrize(("tokens", "excess"), [(1200, []), (1201, ["tokens"])])
def test_a_story_is_too_long_from_1201_tokens(tokens, excess):
    # Of 4 characters a token, "- " and the line's end included.
    points = [build("x" * 197, id=str(at)) for at in range(23)] + [build("x" * (4 * (tokens - 23 * 50) - 3))]
    limits = Limits(points={"happened": 40, "open": 10, "state": 15}, tokens=1200)

    assert (count_tokens(points), limits.find_excess(points)) == (tokens, excess)


def test_parts_have_40_10_and_15_points():
    limits = Limits(points={"happened": 40, "open": 10, "state": 15}, tokens=10_000)

    def fill(happened, open_, state):
        counts = {"happened": happened, "open": open_, "state": state}
        return [build(f"{part} {at}", part=part) for part, count in counts.items() for at in range(count)]

    assert limits.find_excess(fill(40, 10, 15)) == []
    assert limits.find_excess(fill(41, 10, 16)) == ["happened", "state"]
    assert limits.shorten(["happened", "tokens"]) == Limits(
        points={"happened": 32, "open": 10, "state": 15}, tokens=8_000
    )


@pytest.mark.parametrize(
    ("told", "joined"),
    [
        ([("I put Fen down.", [1], 6), ("Held him myself.", [1], 6)], [("I put Fen down. Held him myself.", 6)]),
        ([("我今早送走了阿黄。", [1], 0), ("是我自己抱着的。", [1], 5)], [("我今早送走了阿黄。是我自己抱着的。", 5)]),
        ([("I put Fen down.", [1], 6), ("It rained.", [2], 0)], [("I put Fen down.", 6), ("It rained.", 0)]),
        ([("x" * 99, [1], 1), ("y" * 100, [1], 2)], [(f"{'x' * 99} {'y' * 100}", 2)]),
        ([("x" * 100, [1], 1), ("y" * 100, [1], 2)], [("x" * 100, 1), ("y" * 100, 2)]),
        ([("好" * 25, [1], 1), ("吧" * 25, [1], 2)], [("好" * 25 + "吧" * 25, 2)]),
        ([("好" * 25, [1], 1), ("吧" * 26, [1], 2)], [("好" * 25, 1), ("吧" * 26, 2)]),
        ([("One.", [1], 1), ("Two.", [2], 1), ("Three.", [1], 1)], [("One.", 1), ("Two.", 1), ("Three.", 1)]),
    ],
    ids=[
        "one message",
        "chinese",
        "two messages",
        "50 tokens",
        "51",
        "50 in chinese",
        "51 in chinese",
        "not side by side",
    ],
)
def test_the_rules_join_what_one_message_says(told, joined):
    outcomes = [Told(text=text, lines=lines) for text, lines, _ in told]

    assert rules.join_outcomes(outcomes, [weight for *_, weight in told]) == joined
    assert rules.join_outcomes(outcomes, []) == [(text, 0) for text, _ in joined]
