"""Units that were compiled ahead: used where they fit, compiled again where they do not."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.native import prebuilt
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.compiler import PROCESSOR_FLAGS
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit, prebuilt_units
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.prebuild import NATIVE, default_processors, prebuild
from tests.support.toolchains import plain

pytestmark = pytest.mark.needs_cc

EXPORTED = '__attribute__((visibility("default"))) int'
UNITS = {
    "answer": Unit(f"{EXPORTED} answer(void) {{ return 42; }}"),
    "halved": Unit(f"{EXPORTED} answer(void) {{ return HALF; }}", ("-DHALF=21",)),
}


@pytest.fixture
def tools(toolchain: Toolchain) -> Toolchain:
    """Return the compiler with our flags only."""
    return plain(toolchain)


@pytest.fixture
def directory(tools: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a package's directory, with two units for this machine."""
    place = tmp_path / "prebuilt"
    made = list(prebuild(UNITS, tools, [NATIVE], str(place)))
    assert [(processor, name) for processor, name, _ in made] == [
        (NATIVE, "answer"),
        (NATIVE, "halved"),
    ]
    monkeypatch.setattr(prebuilt, "DIRECTORY", str(place))
    yield place
    prebuilt_units.cache_clear()


@pytest.fixture
def store(tmp_path: Path) -> Cache:
    """Return an empty cache."""
    return Cache(str(tmp_path / "cache"))


def answer(unit: Unit, toolchain: Toolchain, store: Cache) -> int | None:
    library = find_unit(unit, toolchain, store, ctypes.CDLL)
    return None if library is None else int(library.answer())


def test_nothing_is_compiled_for_them(directory: Path, tools: Toolchain, store: Cache) -> None:
    assert answer(UNITS["answer"], tools, store) == 42
    assert answer(UNITS["halved"], tools, store) == 21
    assert not list(store.entries())
    files = sorted(directory.iterdir())
    assert [file.suffix for file in files] == [".so", ".so", ".txt"]
    # Other users read what a superuser has installed.
    assert all(file.stat().st_mode & 0o777 == 0o644 for file in files)


def test_other_texts_and_flags_are_compiled(
    directory: Path, tools: Toolchain, store: Cache
) -> None:
    changed = Unit(UNITS["answer"].source.replace("42", "43"))
    others = Unit(UNITS["halved"].source, ("-DHALF=22",))
    for unit, value in ((changed, 43), (others, 22)):
        assert answer(unit, tools, store) is None
        assert load_unit(unit, tools, store, ctypes.CDLL).answer() == value
        assert answer(unit, tools, store) == value


@pytest.mark.parametrize("option", ["-O0", "-march=x86-64", "-fsanitize=address"])
def test_own_flags_are_obeyed(option: str, directory: Path, tools: Toolchain, store: Cache) -> None:
    told = tools._replace(command=(*tools.command, option))
    assert answer(UNITS["answer"], told, store) is None
    with pytest.raises(ValueError, match=option):
        list(prebuild(UNITS, told, [NATIVE], str(directory)))


def test_a_processor_named_by_the_user(directory: Path, tools: Toolchain, store: Cache) -> None:
    flags = tuple("-march=x86-64" if f in PROCESSOR_FLAGS else f for f in tools.flags)
    assert answer(UNITS["answer"], tools._replace(flags=flags), store) is None


def test_another_machine(directory: Path, tools: Toolchain, store: Cache) -> None:
    assert answer(UNITS["answer"], tools._replace(cpu="another processor"), store) is None


def test_levels(
    tools: Toolchain, store: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first level of the list that a processor has is taken."""
    if default_processors() == (NATIVE,):
        pytest.skip("levels are those of x86-64")
    levels = ["x86-64-v3", "x86-64-v2"]
    source = f"""
    #ifdef __AVX2__
    {EXPORTED} answer(void) {{ return 3; }}
    #else
    {EXPORTED} answer(void) {{ return 2; }}
    #endif
    """
    unit = Unit(source)
    list(prebuild({"level": unit}, tools, levels, str(tmp_path / "levels")))
    monkeypatch.setattr(prebuilt, "DIRECTORY", str(tmp_path / "levels"))
    for has, value in (({*levels}, 3), ({"x86-64-v2"}, 2), (set(), None)):
        monkeypatch.setattr(prebuilt, "processor_levels", lambda has=has: has)
        assert answer(unit, tools, store) == value


@pytest.mark.parametrize("damage", ["changed", "emptied", "removed", "no list", "another list"])
def test_damaged_files_are_not_used(
    damage: str, directory: Path, tools: Toolchain, store: Cache
) -> None:
    libraries = list(directory.glob("*.so"))
    for file in libraries:
        if damage == "changed":
            file.write_bytes(file.read_bytes() + b"\0")
        elif damage == "emptied":
            file.write_bytes(b"")
        elif damage == "removed":
            file.unlink()
    if damage == "no list":
        (directory / "units.txt").unlink()
    elif damage == "another list":
        (directory / "units.txt").write_text("native\n\nx86-64-v3\n")
    prebuilt_units.cache_clear()
    assert answer(UNITS["answer"], tools, store) is None
    assert load_unit(UNITS["answer"], tools, store, ctypes.CDLL).answer() == 42


def test_a_library_that_cannot_be_loaded(directory: Path, tools: Toolchain, store: Cache) -> None:
    """As with one that was linked with a newer C library."""

    def refused(path: str) -> ctypes.CDLL:
        raise OSError("version `GLIBC_9.99' not found")

    assert find_unit(UNITS["answer"], tools, store, refused) is None
