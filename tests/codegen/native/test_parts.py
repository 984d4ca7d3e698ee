"""Texts that are compiled in parts make the same library as in one."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

from symtheano.codegen.native.parts import divide
from symtheano.codegen.native.toolchain import Toolchain, compile_shared, find_toolchain
from symtheano.errors import CompileError

LINES = "".join(f"    x = x * {k} + {k + 1};\n" for k in range(300))
PRELUDE = """\
#define ST_KERNEL static __attribute__((noinline))
#define ST_STRAIGHT static __attribute__((noinline))
"""


def kernel(name: str, callee: str = "", kind: str = "ST_KERNEL") -> str:
    call = f"    x += {callee}(x);\n" if callee else ""
    return f"/* {name} */\n{kind} int {name}(\n        int x) {{\n{LINES}{call}    return x;\n}}\n"


TEXT = "\n".join(
    [
        PRELUDE,
        kernel("one"),
        kernel("two", "one"),
        "static const int seven = 7;\n",
        kernel("three", "two", "ST_STRAIGHT"),
        '__attribute__((visibility("default"))) int entry(int x) { return three(x) + seven; }\n',
    ]
)


@pytest.fixture
def toolchain() -> Toolchain:
    return find_toolchain()


def definitions(part: str) -> list[str]:
    return re.findall(r"^ST_\w+ int (\w+)\([^)]*\) \{", part, re.MULTILINE)


def test_small_texts_and_texts_without_kernels_stay_whole() -> None:
    assert divide("int x;\n" * 5000).parts == ("int x;\n" * 5000,)
    small = f"{PRELUDE}ST_KERNEL int f(int x) {{\n    return x;\n}}\n"
    assert divide(small).parts == (small,)


def test_each_function_is_defined_in_one_part_and_declared_in_the_others() -> None:
    parts = divide(TEXT).parts
    assert len(parts) == 2
    assert sorted(name for part in parts for name in definitions(part)) == ["one", "three", "two"]
    for part in parts:
        declared = re.findall(r"^ST_\w+ int (\w+)\([^)]*\);", part, re.MULTILINE)
        assert sorted(declared + definitions(part)) == ["one", "three", "two"]
        assert "#define ST_KERNEL static" not in part
        assert "#define ST_STRAIGHT static" not in part
    assert ["int entry" in part for part in parts] == [True, False]


def test_large_texts_have_more_parts() -> None:
    text = PRELUDE + "\n".join(kernel(f"kernel_{k}") for k in range(20))
    parts = divide(text).parts
    assert 2 < len(parts) <= 8
    assert max(map(len, parts)) < len(text) / 2


@pytest.mark.needs_cc
def test_parts_make_the_library_that_the_whole_makes(toolchain: Toolchain, tmp_path: Path) -> None:
    whole = TEXT.replace("ST_KERNEL", "ST_WHOLE").replace("ST_STRAIGHT", "ST_WHOLE_TOO")
    assert divide(whole).parts == (whole,)
    compile_shared(TEXT, tmp_path / "parts.so", toolchain)
    compile_shared(whole, tmp_path / "whole.so", toolchain)
    assert (tmp_path / "parts.c").read_text() == TEXT
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("parts.c", "parts.so", "whole.c", "whole.so")
    ]
    one, other = (ctypes.CDLL(str(tmp_path / name)) for name in ("parts.so", "whole.so"))
    assert [one.entry(x) for x in range(20)] == [other.entry(x) for x in range(20)]
    assert not hasattr(one, "two")


@pytest.mark.needs_cc
def test_parts_make_the_same_bytes_each_time(toolchain: Toolchain, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        compile_shared(TEXT, tmp_path / folder / "x.so", toolchain)
    assert (tmp_path / "one/x.so").read_bytes() == (tmp_path / "two/x.so").read_bytes()


@pytest.mark.needs_cc
def test_the_error_of_any_part_is_told(toolchain: Toolchain, tmp_path: Path) -> None:
    for name in ("one", "two"):
        broken = TEXT.replace(
            f"int {name}(\n        int x) {{", f"int {name}(\n        int x) {{\n    x = missing;"
        )
        assert len(divide(broken).parts) == 2
        with pytest.raises(CompileError, match="undeclared"):
            compile_shared(broken, tmp_path / "x.so", toolchain)
        assert (tmp_path / "x.failed.c").read_text() == broken
        assert [path.name for path in tmp_path.iterdir()] == ["x.failed.c"]
