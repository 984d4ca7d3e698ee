"""Our dataclasses behave like the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from typing import Any, ClassVar

import pytest

from symtheano.dataclass import dataclass, field


@dataclass(frozen=True)
class Point:
    """A frozen one."""

    x: int
    y: int = 0


@dataclass(frozen=True)
class Single:
    x: int


@dataclass
class Bag:
    name: str
    items: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Token:
    name: str


@dataclass(frozen=True)
class Checked:
    x: int

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("negative")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Checked)

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "checked"


@dataclass(frozen=True, eq=False)
class Named:
    name: str
    known: ClassVar[dict[str, int]] = {}


def test_variables_of_the_class_are_no_fields() -> None:
    assert [item.name for item in dataclasses.fields(Named)] == ["name"]
    assert Named.__match_args__ == ("name",)
    assert "known" not in vars(Named("a"))
    with pytest.raises(TypeError):
        Named("a", known={})


def test_construction_by_order_by_name_and_by_default() -> None:
    assert (Point(1).x, Point(1).y) == (1, 0)
    assert (Point(y=3, x=2).x, Point(y=3, x=2).y) == (2, 3)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]


def test_all_constructors_do_the_same() -> None:
    @dataclass(frozen=True)
    class Sized:
        size: int
        items: list[int] = field(default_factory=list)
        name: str = "none"

        def __post_init__(self) -> None:
            if self.size < 0:
                raise ValueError("negative")

    first = vars(Sized)["__init__"]
    made = [Sized(number, name="some") for number in range(100)]
    assert vars(Sized)["__init__"] is not first
    for number, one in enumerate(made):
        assert vars(one) == {"size": number, "items": [], "name": "some"}
        assert list(vars(one)) == ["size", "items", "name"]
    assert len({id(one.items) for one in made}) == len(made)
    for make in (first, vars(Sized)["__init__"]):
        with pytest.raises(ValueError, match="negative"):
            make(object.__new__(Sized), -1)


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((), {}, "missing 1 required positional argument: 'size'"),
        ((1, 2, 3), {}, "takes from 2 to 3 positional arguments but 4 were given"),
        ((1,), {"size": 2}, "got multiple values for argument 'size'"),
        ((1,), {"length": 2}, "got an unexpected keyword argument 'length'"),
    ],
)
def test_wrong_arguments_are_refused_by_all_constructors(
    values: tuple[int, ...], named: dict[str, int], message: str
) -> None:
    @dataclass
    class Sized:
        size: int
        step: int = 1

    for _ in range(2):  # by the first constructor, and by the generated one
        with pytest.raises(TypeError, match=re.escape(message)):
            Sized(*values, **named)


def test_each_object_gets_a_default_of_its_own() -> None:
    one, other = Bag("a"), Bag("b")
    one.items.append(1)
    assert (one.items, other.items) == ([1], [])
    assert Bag("c", [2]).items == [2]


def test_comparison_is_by_value_and_by_class() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert len({Single(1), Single(1), Single(2)}) == 2
    assert Point(1) != Single(1)
    assert Bag("a") == Bag("a")
    assert Token("a") != Token("a")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Bag("a"))


def test_frozen_objects_do_not_change() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        del point.x
    assert point == Point(1)


def test_what_a_class_defines_itself_is_kept() -> None:
    assert Checked(1) == Checked(2)
    assert (hash(Checked(1)), repr(Checked(1))) == (7, "checked")
    with pytest.raises(ValueError, match="negative"):
        Checked(-1)


def test_repr_and_patterns() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("value", [Point(1, 2), Bag("a", [1]), Single(3)])
def test_copies_and_pickles(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value


def test_the_standard_library_understands_them() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [item.name for item in dataclasses.fields(Point)] == ["x", "y"]
    assert dataclasses.fields(Point)[1].default == 0
    assert dataclasses.fields(Bag("a"))[1].default_factory is list
    assert dataclasses.replace(Point(1, 2), y=3) == Point(1, 3)
    assert dataclasses.asdict(Bag("a", [1])) == {"name": "a", "items": [1]}
