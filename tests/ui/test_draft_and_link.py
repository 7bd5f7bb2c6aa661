import base64
import zlib

import pytest

from mtm_viz.errors import InputError
from mtm_viz.problem import Problem
from mtm_viz.ui import link
from mtm_viz.ui.draft import MOST_PAIRS, Draft, canonical
from mtm_viz.ui.presets import load_presets

PRESETS = load_presets()
GENERATED = [name for name, preset in PRESETS.items() if Draft.from_json(preset.problem).generators_only]


@pytest.mark.parametrize("name", PRESETS)
def test_a_draft_is_its_problem(name):
    draft = Draft.from_json(PRESETS[name].problem)
    assert draft.text == PRESETS[name].text
    assert Problem.from_json(draft.to_json()).dimension == draft.dimension


@pytest.mark.parametrize("name", GENERATED)
def test_a_link_brings_the_problem_back(name):
    packed = link.pack(PRESETS[name].problem)
    assert packed is not None
    assert canonical(link.unpack(packed)) == PRESETS[name].text


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not base64 !!",
        "AAAA",
        packed(b"[]"),
        packed(b'{"format":"mtm-problem","version":1,"dimension":3,"pairs":[]}'),
        packed(
            b'{"format":"mtm-problem","version":1,"dimension":3,"pairs":[{"input":{"generator":"cap","n":1000000000},"target":{"generator":"cap"}}]}'
        ),
        packed(
            b'{"format":"mtm-problem","version":1,"dimension":3,"pairs":[{"input":{"generator":"cap","params":{"radius_deg":NaN}},"target":{"generator":"cap"}}]}'
        ),
        packed(
            b'{"format":"mtm-problem","version":1,"dimension":3,"pairs":[{"input":{"file":"/etc/passwd"},"target":{"generator":"cap"}}]}'
        ),
        packed(b" " * 50_000_000),
        "A" * 100_000,
        packed(b"[" * 60_000),
    ],
)
def test_a_bad_link_is_one_sentence(text):
    with pytest.raises(InputError) as caught:
        link.unpack(text)
    assert "\n" not in str(caught.value)


def test_points_do_not_fit_a_link():
    assert link.pack({"points": [[0.123456789 * k, 0.3 / (k + 1), 1 / 3 + k] for k in range(2000)]}) is None


def test_editing_one_pair_leaves_the_others_and_its_widgets():
    draft = Draft.from_json(PRESETS["three-clouds"].problem)
    first = draft.pairs[0]
    changed = draft.edited(first.uid, name="renamed")
    assert [pair.name for pair in changed.pairs] == ["renamed", *(pair.name for pair in draft.pairs[1:])]
    assert [pair.uid for pair in changed.pairs] == [pair.uid for pair in draft.pairs]
    assert changed.pairs[1:] == draft.pairs[1:]


@pytest.mark.parametrize("dimension", [3, 4, 5])
def test_pairs_added_one_by_one_make_a_problem_of_distinct_inputs(dimension):
    draft = Draft(dimension, ()).with_pair()
    while len(draft.pairs) < MOST_PAIRS:
        draft = draft.with_pair()
    problem = Problem.from_json(draft.to_json())
    assert len({measure.points.tobytes() for measure in problem.inputs}) == MOST_PAIRS
    assert len({measure.points.tobytes() for measure in problem.targets}) == MOST_PAIRS


def test_more_pairs_than_the_page_shows_are_refused_before_they_are_drawn():
    said = PRESETS["three-clouds"].problem
    with pytest.raises(InputError, match="at most 8 pairs"):
        Draft.from_json(said | {"pairs": said["pairs"] * 4})
