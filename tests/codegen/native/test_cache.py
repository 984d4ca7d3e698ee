"""Compiled code on disk: found again, never trusted, made anew when damaged."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from symtheano.codegen.native import cache as cache_module
from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.errors import CompileError
from tests.codegen.native.stand_ins import ANSWER, DAMAGES, KEY, OTHER, do_damage

PLAIN = Toolchain(("cc",), "cc 1.0", ("-O1",), ("-lm",), "a cpu", frozenset())


def answer(library: Path, tmp_path: Path) -> int:
    """Load a copy of a library: the loader would return what it has under the same name."""
    copy = tmp_path / f"copy{len(list(tmp_path.iterdir()))}.so"
    copy.write_bytes(library.read_bytes())
    return int(ctypes.CDLL(str(copy)).answer())


@pytest.mark.parametrize(
    "change",
    [
        {"version": "cc 1.1"},
        {"flags": ("-O2",)},
        {"flags": ("-O1", "-g")},
        {"link_flags": ()},
        {"flags": ("-O1", "-lm"), "link_flags": ()},
        {"cpu": "another cpu"},
    ],
)
def test_key_depends_on_the_toolchain(change: dict[str, Any]) -> None:
    changed = PLAIN._replace(**change)
    assert entry_key(ANSWER, changed) != entry_key(ANSWER, PLAIN)


def test_key_depends_on_text_and_format(monkeypatch: pytest.MonkeyPatch) -> None:
    before = entry_key(ANSWER, PLAIN)
    assert entry_key(ANSWER, PLAIN) == before
    assert entry_key(ANSWER + " ", PLAIN) != before
    monkeypatch.setattr(cache_module, "FORMAT", cache_module.FORMAT + 1)
    assert entry_key(ANSWER, PLAIN) != before


def test_key_does_not_depend_on_where_the_compiler_is() -> None:
    moved = PLAIN._replace(command=("/elsewhere/cc",))
    assert entry_key(ANSWER, moved) == entry_key(ANSWER, PLAIN)


@pytest.mark.needs_cc
def test_second_time_is_found(own: Cache, toolchain: Toolchain, tmp_path: Path) -> None:
    library = own.obtain(ANSWER, toolchain)
    assert answer(library, tmp_path) == 42
    written = library.stat().st_mtime_ns
    assert Cache(own.directory).obtain(ANSWER, toolchain) == library
    assert library.stat().st_mtime_ns == written
    assert library.with_suffix(".c").read_text() == ANSWER
    assert own.obtain(ANSWER, toolchain) == library
    statistics = own.statistics()
    assert (statistics.entries, statistics.hits, statistics.misses) == (1, 1, 1)
    assert statistics.bytes >= library.stat().st_size


@pytest.mark.needs_cc
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("suffix", [".so", ".seal"])
def test_damaged_entry_is_made_anew(
    own: Cache, toolchain: Toolchain, tmp_path: Path, suffix: str, damage: str
) -> None:
    library = own.obtain(ANSWER, toolchain)
    whole = library.read_bytes()
    do_damage(library.with_suffix(suffix), damage)
    assert own.path_of(library.stem) is None
    assert own.obtain(ANSWER, toolchain) == library
    assert library.read_bytes() == whole
    assert answer(library, tmp_path) == 42
    assert own.verify() == []


@pytest.mark.needs_cc
def test_clear(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    own.remember(KEY, b"record")
    (library.parent / ".build-left").mkdir()
    (own.directory / ".symtheano-probe-left").mkdir()
    (own.directory / "compiler-0123456789abcdef.txt").touch()
    strangers = [library.parent / "notes.so", own.directory / "notes.txt"]
    for stranger in strangers:
        stranger.touch()
    assert own.clear() == 2
    assert own.statistics().entries == own.statistics().bytes == 0
    assert sorted(p for p in own.directory.rglob("*") if p.is_file()) == sorted(strangers)
    assert not list(own.directory.rglob(".*"))


# -- the second way in: by the key alone ---------------------------------------------------------


@pytest.mark.needs_cc
def test_key_alone_finds_library_and_text(own: Cache, toolchain: Toolchain) -> None:
    key = entry_key(ANSWER, toolchain)
    assert own.path_of(key) is None
    with pytest.raises(FileNotFoundError, match=key):
        own.source_of(key)
    library = own.obtain(ANSWER, toolchain)
    again = Cache(own.directory)
    os.utime(library.with_suffix(".seal"), (0, 0))
    assert again.path_of(key) == str(library)
    assert again.source_of(key) == ANSWER
    assert (again.statistics().hits, again.statistics().misses) == (1, 0)
    assert library.with_suffix(".seal").stat().st_mtime > 1e9


@pytest.mark.parametrize("key", ["", "0" * 63, "../" + "0" * 61, "0" * 65, "G" * 64, "A" * 64])
def test_what_is_no_key_is_refused(own: Cache, key: str) -> None:
    for ask in (own.path_of, own.source_of, own.recall, lambda key: own.remember(key, b"")):
        with pytest.raises(ValueError, match="is not a key of the cache"):
            ask(key)


@pytest.mark.needs_cc
@pytest.mark.parametrize("damage", DAMAGES)
def test_changed_text_is_not_shown(own: Cache, toolchain: Toolchain, damage: str) -> None:
    library = own.obtain(ANSWER, toolchain)
    do_damage(library.with_suffix(".c"), damage)
    assert own.path_of(library.stem) == str(library)
    with pytest.raises(FileNotFoundError):
        own.source_of(library.stem)
    assert own.obtain(ANSWER, toolchain) == library
    assert own.source_of(library.stem) == ANSWER


@pytest.mark.parametrize("record", [b"", b"\n", b"two\nlines\0", bytes(range(256)) * 100])
def test_record_is_recalled(own: Cache, record: bytes) -> None:
    assert own.recall(KEY) is None
    own.remember(KEY, record)
    assert own.recall(KEY) == Cache(own.directory).recall(KEY) == record
    own.remember(KEY, b"another")
    assert own.recall(KEY) == b"another"
    assert own.recall(OTHER) is None
    (entry,) = own.entries()
    assert (entry.key, entry.kind) == (KEY, "graph")
    statistics = own.statistics()
    assert (statistics.entries, statistics.records) == (1, 1)
    assert statistics.bytes == entry.path.stat().st_size


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_record_is_not_recalled(own: Cache, damage: str) -> None:
    own.remember(KEY, b"something" * 20)
    do_damage(own.directory / KEY[:2] / f"{KEY}.graph", damage)
    assert own.recall(KEY) is None
    own.remember(KEY, b"anew")
    assert own.recall(KEY) == b"anew"


def test_record_of_another_graph_is_not_recalled(own: Cache) -> None:
    own.remember(KEY, b"of this graph")
    record = own.directory / KEY[:2] / f"{KEY}.graph"
    other = own.directory / OTHER[:2] / f"{OTHER}.graph"
    other.parent.mkdir()
    other.write_bytes(record.read_bytes())
    other.chmod(0o600)
    assert own.recall(OTHER) is None


def test_record_that_can_not_be_written(own: Cache) -> None:
    (own.directory / KEY[:2]).touch()
    own.remember(KEY, b"record")
    assert own.recall(KEY) is None
    assert (own.directory / KEY[:2]).is_file()


# -- loading -------------------------------------------------------------------------------------


@pytest.mark.needs_cc
def test_only_what_the_cache_has_is_found(own: Cache, toolchain: Toolchain) -> None:
    key = entry_key(ANSWER, toolchain)
    assert own.find(key, os.path.realpath) is None
    library = own.obtain(ANSWER, toolchain)
    assert own.find(key, os.path.realpath) == str(library)

    def refuse(path: str) -> str:
        raise ImportError(path)

    assert own.find(key, refuse) is None
    library.write_bytes(b"damaged")
    assert own.find(key, os.path.realpath) is None


@pytest.mark.needs_cc
def test_loader_gets_the_kept_library(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    assert own.load(ANSWER, toolchain, os.path.realpath) == str(library)


@pytest.mark.needs_cc
@pytest.mark.parametrize("error", [OSError, ImportError])
def test_library_that_does_not_load_is_made_again(
    own: Cache, toolchain: Toolchain, error: type[Exception]
) -> None:
    seen: list[Path] = []

    def loader(path: str) -> int:
        seen.append(Path(path))
        if len(seen) == 1:
            raise error("vanished")
        return int(ctypes.CDLL(str(path)).answer())

    assert own.load(ANSWER, toolchain, loader) == 42
    first, second = seen
    assert second != first
    assert second.name == first.name
    assert own.path_of(first.stem) is None
    assert own.load(ANSWER, toolchain, Path) == first


@pytest.mark.needs_cc
def test_library_that_never_loads_is_an_error(own: Cache, toolchain: Toolchain) -> None:
    def loader(path: str) -> int:
        raise OSError("not for this machine")

    with pytest.raises(CompileError, match="can't be loaded: not for this machine"):
        own.load(ANSWER, toolchain, loader)


@pytest.mark.needs_cc
def test_other_errors_of_the_loader_are_its_own(own: Cache, toolchain: Toolchain) -> None:
    calls: list[str] = []

    def loader(path: str) -> int:
        calls.append(path)
        raise AttributeError("no such symbol")

    with pytest.raises(AttributeError, match="no such symbol"):
        own.load(ANSWER, toolchain, loader)
    assert len(calls) == 1


# -- obstacles -----------------------------------------------------------------------------------


@pytest.mark.needs_cc
@pytest.mark.parametrize("suffix", [".so", ".c", ".seal"])
def test_directory_in_the_place_of_a_file(
    own: Cache, toolchain: Toolchain, tmp_path: Path, suffix: str
) -> None:
    library = own.obtain(ANSWER, toolchain)
    obstacle = library.with_suffix(suffix)
    obstacle.unlink()
    (obstacle / "inner").mkdir(parents=True)
    if suffix != ".c":
        assert own.path_of(library.stem) is None
    else:
        assert own.verify()
    assert own.obtain(ANSWER, toolchain) == library
    assert answer(library, tmp_path) == 42
    assert own.verify() == []


@pytest.mark.needs_cc
def test_link_in_the_place_of_a_file_is_not_followed(
    own: Cache, toolchain: Toolchain, tmp_path: Path
) -> None:
    library = own.obtain(ANSWER, toolchain)
    elsewhere = tmp_path / "elsewhere.so"
    library.rename(elsewhere)
    library.symlink_to(elsewhere)
    assert own.path_of(library.stem) is None
    assert own.obtain(ANSWER, toolchain) == library
    assert not library.is_symlink()
    assert elsewhere.exists()


@pytest.mark.needs_cc
def test_file_that_others_can_change_is_not_believed(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    library.chmod(0o666)
    assert own.path_of(library.stem) is None
    own.obtain(ANSWER, toolchain)
    assert library.stat().st_mode & 0o777 == 0o600


@pytest.mark.needs_cc
def test_folder_that_others_can_change_is_closed(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    library.parent.chmod(0o777)
    assert own.path_of(library.stem) is None
    assert own.obtain(ANSWER, toolchain) == library
    assert library.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.needs_cc
@pytest.mark.parametrize("obstacle", ["file", "link"])
def test_folder_that_can_not_be_had(
    own: Cache, toolchain: Toolchain, tmp_path: Path, obstacle: str
) -> None:
    key = entry_key(ANSWER, toolchain)
    folder = own.directory / key[:2]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if obstacle == "file":
        folder.write_text("the user's")
    else:
        folder.symlink_to(elsewhere)
    with pytest.warns(RuntimeWarning, match="can't be kept in .*using"):
        library = own.obtain(ANSWER, toolchain)
    assert answer(library, tmp_path) == 42
    assert own.path_of(key) == str(own.obtain(ANSWER, toolchain)) == str(library)
    assert own.source_of(key) == ANSWER
    assert list(elsewhere.iterdir()) == []
    assert obstacle == "link" or folder.read_text() == "the user's"


@pytest.mark.needs_cc
def test_cache_removed_while_in_use(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    shutil.rmtree(own.directory)
    assert own.obtain(ANSWER, toolchain) == library
    assert own.directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.needs_cc
def test_refused_text_is_told_once_and_kept(own: Cache, toolchain: Toolchain) -> None:
    with pytest.raises(CompileError, match="undeclared") as info:
        own.obtain("int broken = missing;\n", toolchain)
    (entry,) = own.entries()
    assert entry.kind == "failed"
    assert str(entry.path) in str(info.value)
    assert own.verify() == []
    assert own.clear() == 1
    assert not entry.path.exists()


# -- size ----------------------------------------------------------------------------------------


def fill(cache: Cache, ages: dict[str, float], size: int = 1000) -> None:
    """Remember one record for each key, last used so many seconds ago."""
    now = time.time()
    for key, age in ages.items():
        cache.remember(key, b"x" * size)
        os.utime(cache.directory / key[:2] / f"{key}.graph", (now - age, now - age))


def kept(cache: Cache) -> str:
    """Return the last digits of the keys that are still there."""
    return "".join(entry.key[-1] for entry in cache.entries())


def key(digit: str) -> str:
    return digit.rjust(64, "0")


HOUR = 3600.0


def test_longest_unused_go_first(tmp_path: Path) -> None:
    fill(Cache(tmp_path / "cache", 0), {key(d): HOUR * int(d) for d in "12345"})
    cache = Cache(tmp_path / "cache", 5000)
    assert kept(cache) == "12345"
    cache.remember(key("6"), b"x" * 1000)
    assert kept(cache) == "126"
    assert cache.statistics().bytes <= cache.limit == cache.statistics().limit


def test_hits_drop_nothing_and_count_as_use(tmp_path: Path) -> None:
    fill(Cache(tmp_path / "cache", 0), {key(d): HOUR * int(d) for d in "12345"})
    cache = Cache(tmp_path / "cache", 5000)
    assert cache.recall(key("5")) is not None
    assert kept(cache) == "12345"
    cache.remember(key("6"), b"x" * 1000)
    assert kept(cache) == "156"


def test_what_was_just_used_stays(tmp_path: Path) -> None:
    fill(Cache(tmp_path / "cache", 0), dict.fromkeys(map(key, "12345"), 60.0))
    cache = Cache(tmp_path / "cache", 100)
    cache.remember(key("6"), b"x" * 1000)
    assert kept(cache) == "123456"


@pytest.mark.parametrize("jump", [-10 * 365 * 86400.0, 10 * 365 * 86400.0])
def test_stamps_of_a_wrong_clock(tmp_path: Path, jump: float) -> None:
    # Stamps from the future, or from 1970, are of no use: these entries go before others do.
    fill(Cache(tmp_path / "cache", 0), {key("1"): HOUR, key("2"): jump, key("3"): 2 * HOUR})
    cache = Cache(tmp_path / "cache", 3500)
    cache.remember(key("4"), b"x" * 400)
    assert kept(cache) == "134"


def test_no_limit(tmp_path: Path) -> None:
    fill(Cache(tmp_path / "cache", 0), {key(d): HOUR * int(d) for d in "12345"})
    Cache(tmp_path / "cache", 0).remember(key("6"), b"x" * 10**6)
    assert kept(Cache(tmp_path / "cache")) == "123456"


def test_negative_limit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="limit is -1 bytes"):
        Cache(tmp_path / "cache", -1)


@pytest.mark.needs_cc
def test_libraries_are_dropped_with_all_their_files(tmp_path: Path, toolchain: Toolchain) -> None:
    old = Cache(tmp_path / "cache", 0)
    library = old.obtain(ANSWER, toolchain)
    os.utime(library.with_suffix(".seal"), (HOUR, HOUR))
    # A folder with much in it makes the cache look too large; only then is all of it measured.
    new = Cache(tmp_path / "cache", 1000)
    fresh = new.obtain(ANSWER + "int other;", toolchain)
    assert [entry.path for entry in new.entries()] == [fresh]
    assert not list(library.parent.glob(f"{library.stem}*"))


def test_small_cache_is_not_measured(own: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(own, {key(d): HOUR * int(d) for d in "12345"})

    def refuse(directory: Path) -> None:
        raise AssertionError("all entries were listed")

    monkeypatch.setattr("symtheano.codegen.native.inventory.entries_of", refuse)
    own.remember(key("6"), b"x" * 1000)
    assert own.recall(key("6")) is not None


# -- many processes ------------------------------------------------------------------------------


@pytest.mark.needs_cc
def test_four_processes_at_once(own: Cache, toolchain: Toolchain, tmp_path: Path) -> None:
    program = (
        "import ctypes, sys\n"
        "from pathlib import Path\n"
        "from symtheano.codegen.native.cache import Cache\n"
        "from symtheano.codegen.native.toolchain import find_toolchain\n"
        "cache = Cache(Path(sys.argv[1]))\n"
        "sys.stdin.readline()\n"
        "path = cache.obtain(sys.argv[2], find_toolchain(sys.argv[3], directory=cache.directory))\n"
        "print(path, ctypes.CDLL(str(path)).answer())\n"
    )
    command = shlex.join(toolchain.command)
    arguments = [sys.executable, "-c", program, str(own.directory), ANSWER, command]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    processes = [
        subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = {process.communicate(timeout=120)[0].strip() for process in processes}
    assert printed == {f"{own.obtain(ANSWER, toolchain)} 42"}
    assert own.verify() == []
    assert len(list(own.entries())) == 1
    assert not list(own.directory.glob("*/.*"))


NO_DESCRIPTORS = """
import os, resource, warnings
import numpy as np
import symtheano.tensor as T
from symtheano import function, shared
from symtheano.codegen.native.cache import Cache

warnings.simplefilter("ignore")
w, v, x = shared(np.zeros(3)), shared(np.zeros(3)), T.dvector()

def call(k):
    f = function([x], T.exp(x * k).sum(), updates=[(w, w + x), (v, v + 1)])
    f([1.0, 2.0, 3.0])
    return f

f = call(99)
count, failed = 1, 0
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
for left in range(6):
    held = []
    try:
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        for one in held[:left]:
            os.close(one)
    f([1.0, 2.0, 3.0])
    count += 2
    try:
        call(left)
        count += 1
    except Exception as error:
        failed += 1
        assert "Too many open files" in str(error) and "ulimit -n" in str(error), error
        assert "defect" not in str(error), error
    for one in held[left:]:
        os.close(one)
    call(left)
    assert (v.get_value() == count).all() and (w.get_value() == count * np.arange(1, 4)).all()
print(failed > 2, Cache().verify(), list(Cache().directory.glob("*/*.failed.c")))
"""


@pytest.mark.needs_cc
@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors as Linux does")
def test_no_descriptors_are_a_clear_error_and_harm_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "SYMTHEANO_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", NO_DESCRIPTORS], env=environment, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "True [] []"
