from __future__ import annotations

from dataclasses import dataclass

import pytest

from mtm_viz.errors import InputError
from mtm_viz.parameters import Direction, Number, Words, check, parameters


@dataclass(frozen=True)
class Lamp:
    """A dataclass such as the generators are."""

    power: float = Number("Power", "How bright.", min=0, max=100, unit="W").field(10)
    beam: tuple[float, ...] | None = Direction("Beam", "Where it points.").field(None)
    name: str = Words("Name", "What it is called.", max=5).field("lamp")
    unseen: int = 3

    def __post_init__(self) -> None:
        check(self)


def test_parameters_are_found_in_order_and_plain_fields_left_out():
    assert list(parameters(Lamp)) == ["power", "beam", "name"]
    assert parameters(Lamp)["power"].unit == "W"


def test_values_are_read_on_construction():
    lamp = Lamp(power=7, beam=[0, 0, 2])
    assert isinstance(lamp.power, float)
    assert lamp.beam == (0.0, 0.0, 2.0)
    assert parameters(Lamp)["beam"].write(lamp.beam) == [0.0, 0.0, 2.0]


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"power": 101}, '"power" is 101: give a number from 0 to 100'),
        ({"power": "7"}, "\"power\" is '7': give a number from 0 to 100"),
        ({"beam": [0, 0]}, '"beam" is [0, 0]: give a direction such as [0, 0, 1]'),
        ({"beam": [1] * 200 + [None]}, '"beam" is [1, 1, 1'),
        ({"name": ""}, "\"name\" is '': give one line of 1 to 5 characters"),
        ({"name": "lantern"}, "\"name\" is 'lantern': give one line"),
    ],
)
def test_a_wrong_value_names_the_field_the_value_and_the_remedy(entries, sentence):
    with pytest.raises(InputError) as caught:
        Lamp(**entries)
    assert str(caught.value).startswith(sentence)
    assert len(str(caught.value)) < 160


@pytest.mark.parametrize(
    ("low", "high", "ending"), [(0, None, "of at least 0"), (None, 5, "of at most 5"), (None, None, "give a number")]
)
def test_an_open_range_is_said(low, high, ending):
    with pytest.raises(InputError) as caught:
        Number("x", "x.", min=low, max=high).read("no")
    assert str(caught.value).endswith(ending)
