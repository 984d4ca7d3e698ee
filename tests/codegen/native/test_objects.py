"""Programs that are linked with object files of routines."""

import ctypes

import pytest

from symtheano import config
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.entries import read_own, seal_library
from symtheano.codegen.native.objects import Translation, object_unit
from symtheano.codegen.native.prebuilt import find_unit
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.errors import CompileError

WHOLE = """\
static int st_twice(int x) {
    return 2 * x;
}
__attribute__((visibility("default"))) int entry(int x) { return st_twice(x) + 1; }
"""
BODY = """\
int st_twice(int x);
__attribute__((visibility("default"))) int entry(int x) { return st_twice(x) + 1; }
"""
ROUTINE = "int st_twice(int x) {\n    return 2 * x;\n}\n"


class Source:
    """A program and the text of its routine."""

    def __init__(self, routine=ROUTINE):
        self.routine = routine

    def separate(self):
        return BODY, (self.routine,)


@pytest.fixture
def tools(tmp_path):
    return Cache(tmp_path / "cache"), find_toolchain(config.cc)


def test_the_library_has_the_routine_and_the_cache_its_object(tools, tmp_path):
    store, toolchain = tools
    for number in range(2):  # the second time, the object is there
        path = tmp_path / f"program{number}.so"
        Translation(Source(), store, toolchain).make(WHOLE, path, toolchain)
        assert ctypes.CDLL(str(path)).entry(4) == 9
        assert path.with_suffix(".c").read_text() == WHOLE
    content = find_unit(object_unit(ROUTINE), toolchain, store, read_own)
    assert content[:4] == b"\x7fELF"
    assert content[16] == 1  # relocatable
    assert store.statistics().entries == 1
    assert store.verify() == []


def test_a_damaged_object_is_compiled_again(tools, tmp_path):
    store, toolchain = tools
    Translation(Source(), store, toolchain).make(WHOLE, tmp_path / "one.so", toolchain)
    (entry,) = store.entries()
    entry.path.write_bytes(b"nothing")
    Translation(Source(), store, toolchain).make(WHOLE, tmp_path / "two.so", toolchain)
    assert ctypes.CDLL(str(tmp_path / "two.so")).entry(1) == 3


def test_an_object_that_cannot_be_linked_is_not_used(tools, tmp_path):
    store, toolchain = tools
    Translation(Source(), store, toolchain).make(WHOLE, tmp_path / "one.so", toolchain)
    (entry,) = store.entries()
    entry.path.write_bytes(b"nothing")
    seal_library(entry.path)
    Translation(Source(), store, toolchain).make(WHOLE, tmp_path / "two.so", toolchain)
    assert ctypes.CDLL(str(tmp_path / "two.so")).entry(1) == 3
    assert sorted(path.name for path in tmp_path.glob("two*")) == ["two.c", "two.so"]


def test_the_routine_is_not_visible_from_outside(tools, tmp_path):
    store, toolchain = tools
    Translation(Source(), store, toolchain).make(WHOLE, tmp_path / "one.so", toolchain)
    with pytest.raises(AttributeError):
        _ = ctypes.CDLL(str(tmp_path / "one.so")).st_twice


def test_an_error_in_a_routine_is_raised(tools, tmp_path):
    store, toolchain = tools
    broken = Source("int st_twice(int x) { return y; }\n")
    with pytest.raises(CompileError, match="the C compiler failed"):
        Translation(broken, store, toolchain).make(WHOLE, tmp_path / "x.so", toolchain)
