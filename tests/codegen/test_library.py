"""Declarations of own libraries, and the C texts that follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtheano.codegen import convolutions, pooling, products
from symtheano.codegen.library import Algorithm, Cost, Library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    files = {
        "shared": "enum { @WANTED@ };",
        "sort": "int sort_@NAME@;",
        "merge": "int merge_@SIZE@ = @sort.step@;",
        "end": "@ALGORITHMS@ @RUN@ @PLANS@ @LIMIT@",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.c").write_text(text)
    costs = {"step": Cost(2.50, "ns of a step", "a test")}
    return Library(
        name="ordering",
        module=str(tmp_path / "__init__.py"),
        dtypes=("float32", "float64"),
        wanted=("all", "some"),
        algorithms=(
            Algorithm("sort", ("all", "some"), words=lambda dtype: {"NAME": dtype}, costs=costs),
            Algorithm(
                "merge",
                ("all",),
                variants={"large": {"SIZE": "64"}},
                head=lambda dtype: f"int needed_{dtype};",
            ),
            Algorithm("plain", ("all",), files=()),
        ),
        exports={"run": "st_order"},
        head=lambda dtype: f"head of {dtype}",
        files=("shared",),
        table="end",
        row=lambda each: f"{{{each.name}}},",
        words={"LIMIT": "9"},
        variants=("usual", "large"),
    )


def test_the_text_has_the_files_of_the_algorithms_and_their_table(library: Library) -> None:
    assert library.text("f64").split("\n") == [
        "head of float64",
        "enum { ALL, SOME };",
        "int sort_float64;",
        "{sort},",
        "    {plain}, st_order sort sort; plain plain; 9",
    ]


def test_a_variant_has_algorithms_of_its_own(library: Library) -> None:
    text = library.text("f32", "large")
    assert "int needed_float32;\nint merge_64 = 2.5;" in text
    assert "{merge}," in text
    assert [each.name for each in library.chosen("usual")] == ["sort", "plain"]


def test_a_variant_that_there_is_not_is_an_error(library: Library) -> None:
    with pytest.raises(ValueError, match="ordering has no variant 'larger': usual, large"):
        library.text("f32", "larger")


def test_the_option_of_another_library_does_not_matter() -> None:
    assert pooling.LIBRARY.text("f32", "fast") == pooling.LIBRARY.text("f32")


@pytest.mark.parametrize("package", [products, convolutions, pooling])
def test_all_files_of_a_library_are_declared(package: object) -> None:
    library = package.LIBRARY  # type: ignore[attr-defined]
    used = {library.table, *library.files}
    for each in library.algorithms:
        used.update((each.name,) if each.files is None else each.files)
    folder = Path(library.module).parent
    others = {"head", "vectors", "threads"}
    assert {path.stem for path in folder.glob("*.c")} - others == used - others


@pytest.mark.parametrize("package", [products, convolutions, pooling])
def test_all_that_is_wanted_has_an_algorithm(package: object) -> None:
    library = package.LIBRARY  # type: ignore[attr-defined]
    computed = {wanted for each in library.algorithms for wanted in each.wanted}
    assert computed == set(library.wanted) - {"choose"}


def test_algorithms_for_some_elements_are_followed_by_one_for_all() -> None:
    library = convolutions.LIBRARY
    for variant in library.variants:
        for wanted in library.wanted:
            flags = [each.by_elements for each in library.chosen(variant) if wanted in each.wanted]
            assert flags[-1] is False, (variant, wanted)


def test_every_cost_is_used_and_says_where_it_is_from() -> None:
    library = convolutions.LIBRARY
    folder = Path(library.module).parent
    texts = "".join(path.read_text() for path in folder.glob("*.c"))
    costs = {f"{a.name}.{name}": c for a in library.algorithms for name, c in a.costs.items()}
    assert costs
    for name, cost in costs.items():
        assert f"@{name}@" in texts
        assert cost.value > 0
        assert cost.what
        assert "measured" in cost.source or "AMD" in cost.source
