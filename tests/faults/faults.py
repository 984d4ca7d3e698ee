"""The faults: each is injected in one function, which returns how the runs ended."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CDLL
from functools import cache, partial
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from symtheano.codegen.native import cache as cache_module, inventory
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.compiler import find_executable
from symtheano.codegen.native.entries import seal_library
from tests.faults.harness import RIGHT, WRONG, Child, Lab, Outcome, Trial

Fault = Callable[[Lab], Trial]
FAULTS: dict[str, Fault] = {}

_NOBODY = 65534
_YEARS = 365.0 * 86400.0
_ROOT = os.geteuid() == 0


def fault(inject: Fault) -> Fault:
    """Register a fault under the name of its function."""
    FAULTS[inject.__name__] = inject
    return inject


def next_run(lab: Lab, cache: Path | None = None) -> Outcome:
    """Run once more, where nothing is in the way any longer: it must not even warn."""
    outcome = lab.run(cache)
    if outcome.kind == RIGHT and outcome.warned:
        return Outcome(WRONG, detail="the next run warns")
    return outcome


# -- processes -----------------------------------------------------------------------------------


@fault
def eight_at_once(lab: Lab) -> Trial:
    """Eight processes compile the same model at the same moment."""
    lab.mostly_light()
    gate, opener = os.pipe()
    if lab.number % 2:
        lab.cache.mkdir(mode=0o700)
        for notes in lab.warm.glob("compiler-*"):
            shutil.copy(notes, lab.cache)

    children = [lab.start(gate=gate, before=partial(os.close, gate)) for _ in range(8)]
    os.close(gate)
    os.write(opener, bytes(8))
    os.close(opener)
    return Trial([child.outcome() for child in children], next_run(lab))


@fault
def kill_9(lab: Lab) -> Trial:
    """The process is killed at a moment that moves over all of its life."""
    lab.mostly_light()
    if lab.number % 10 == 0:
        # Other work on this machine comes and goes.
        started = time.perf_counter()
        lab.run(lab.place / "measured")
        lab.seconds[lab.light] = time.perf_counter() - started
    child = lab.start()
    time.sleep(lab.seconds[lab.light] * 1.2 * (lab.number % 50 + 0.5) / min(lab.count, 50))
    child.kill(group=bool(lab.number % 2))
    return Trial([child.outcome()], next_run(lab))


@fault
def compiler_killed(lab: Lab) -> Trial:
    """The compiler is killed, as when memory runs out."""
    lab.mostly_light()
    compiler = lab.place / "cc"
    marker = lab.place / "killed"
    # The first calls are those that learn what the compiler can do.
    call = lab.number % 4 + 1
    compiler.write_text(
        f'#!/bin/sh\necho >>{marker}\n[ "$(wc -l <{marker})" = {call} ] && kill -9 $$\n'
        f'exec {find_executable("gcc") or find_executable("cc")} "$@"\n'
    )
    compiler.chmod(0o755)

    def before() -> None:
        import symtheano

        symtheano.config.cc = str(compiler)

    return Trial([lab.run(before=before)], next_run(lab))


@fault
def cleared_while_loading(lab: Lab) -> Trial:
    """One process empties the cache again and again while others compile and load."""
    lab.mostly_light()
    lab.copy_warm()
    evicts = lab.number % 2

    def clear() -> Outcome:
        store = Cache(lab.cache, 1)
        # Nothing is spared for having been used just now: worse than any real eviction.
        inventory.RECENT = -1.0
        while not (lab.place / "stop").exists():
            store._evict(lab.cache) if evicts else store.clear()
        return Outcome(RIGHT)

    cleaner = Child(clear)
    met = [child.outcome() for child in [lab.start() for _ in range(3)]]
    (lab.place / "stop").touch()
    return Trial([*met, cleaner.outcome()], next_run(lab))


# -- files ---------------------------------------------------------------------------------------


def damage(lab: Lab, change: Callable[[Path], None]) -> Trial:
    """Change one file of a warm cache; which one goes round from trial to trial."""
    files = lab.copy_warm()
    change(files[lab.number % len(files)])
    return Trial([lab.run()], next_run(lab))


@fault
def truncated(lab: Lab) -> Trial:
    """A file ends early."""

    def change(path: Path) -> None:
        os.truncate(path, lab.random.randrange(path.stat().st_size))

    return damage(lab, change)


@fault
def altered(lab: Lab) -> Trial:
    """Some bits of a file are not what was written."""

    def change(path: Path) -> None:
        data = bytearray(path.read_bytes())
        for _ in range(lab.random.choice((1, 1, 10))):
            data[lab.random.randrange(len(data))] ^= 1 << lab.random.randrange(8)
        path.write_bytes(data)

    return damage(lab, change)


@fault
def emptied(lab: Lab) -> Trial:
    """A file has no bytes."""
    return damage(lab, lambda path: os.truncate(path, 0))


@fault
def removed(lab: Lab) -> Trial:
    """A file is not there."""
    return damage(lab, Path.unlink)


@fault
def directory_for_file(lab: Lab) -> Trial:
    """A directory has the name of a file."""

    def change(path: Path) -> None:
        path.unlink()
        (path / "inner").mkdir(parents=True)

    return damage(lab, change)


@fault
def power_cut(lab: Lab) -> Trial:
    """Of each file that was just written, the disk has all, nothing, zeros, or no name."""
    lab.mostly_light()
    for path in lab.copy_warm():
        fate = lab.random.choice(("whole", "empty", "zeros", "gone"))
        if fate == "gone":
            path.unlink()
        elif fate != "whole":
            path.write_bytes(bytes(path.stat().st_size if fate == "zeros" else 0))
    return Trial([lab.run()], next_run(lab))


@fault
def file_for_folder(lab: Lab) -> Trial:
    """A file of the user's has the name of the folder that an entry belongs into."""
    libraries = [path for path in lab.copy_warm() if path.suffix == ".so"]
    folder = lab.random.choice(libraries).parent
    shutil.rmtree(folder)
    folder.write_text("the user's")
    met = lab.run()
    if folder.read_text() != "the user's":
        met = Outcome(WRONG, detail="the user's file was overwritten")
    folder.unlink()
    return Trial([met], next_run(lab))


# -- disks ---------------------------------------------------------------------------------------


@contextmanager
def disk(place: Path, size: int) -> Iterator[None]:
    """Mount a disk of so many bytes."""
    place.mkdir(mode=0o700)
    options = f"size={size},mode=700"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    subprocess.run(mount, check=True, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def remount(place: Path, options: str) -> None:
    """Change a mounted disk."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


def some_room(lab: Lab) -> int:
    """Return a size of a disk that the model fits on, or does not, the compiler's files too."""
    compiled = lab.warm.parent / "light" if lab.light else lab.warm
    needed = sum(path.stat().st_size for path in compiled.rglob("*") if path.is_file())
    return 4096 + int(needed * 6.0 * lab.number / lab.count)


@fault
def full_disk(lab: Lab) -> Trial:
    """The disk gets full at a moment that moves over all of the writing."""
    lab.mostly_light()
    with disk(lab.cache, some_room(lab)):
        met = lab.run()
        remount(lab.cache, "size=100m")
        return Trial([met], next_run(lab))


@fault
def full_everywhere(lab: Lab) -> Trial:
    """So does the disk for temporary files."""
    lab.mostly_light()
    import tempfile

    with disk(lab.cache, some_room(lab)):

        def before() -> None:
            tempfile.tempdir = str(lab.cache)

        met = lab.run(before=before)
        remount(lab.cache, "size=100m")
        return Trial([met], next_run(lab))


@fault
def file_size_limit(lab: Lab) -> Trial:
    """No file may be longer than a limit (``ulimit -f``)."""
    lab.mostly_light()
    limit = int(60_000 * lab.number / lab.count)

    def before() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return Trial([lab.run(before=before)], next_run(lab))


@fault
def read_only_disk(lab: Lab) -> Trial:
    """The cache is on a disk that can't be written to, empty or warm."""
    lab.mostly_light()
    with disk(lab.cache, 1 << 20):
        if lab.number % 2:
            shutil.copytree(lab.warm, lab.cache, dirs_exist_ok=True)
        remount(lab.cache, "ro")
        met = [lab.run(), lab.run()]
        remount(lab.cache, "rw")
        return Trial(met, next_run(lab))


@fault
def no_code_from_disk(lab: Lab) -> Trial:
    """The cache is on a disk that no code can be loaded from."""
    lab.mostly_light()
    with disk(lab.cache, 1 << 20):
        remount(lab.cache, "noexec")
        met = [lab.run(), lab.run()]
        remount(lab.cache, "exec")
        return Trial(met, next_run(lab))


# -- users ---------------------------------------------------------------------------------------


def become(user: int) -> None:
    """Go on as another user."""
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


@fault
def read_only_directory(lab: Lab) -> Trial:
    """The user has no permission to write to the cache, empty or warm."""
    lab.light = True  # Other users may not be able to read Python's headers.
    lab.place.chmod(0o755)
    if lab.number % 2:
        lab.copy_warm()
    else:
        lab.cache.mkdir()
    for path in (lab.cache, *lab.cache.rglob("*")):
        os.chown(path, _NOBODY, _NOBODY)
    lab.cache.chmod(0o555)
    nobody = partial(become, _NOBODY)
    met = [lab.run(before=nobody), lab.run(before=nobody)]
    lab.cache.chmod(0o700)
    return Trial(met, lab.run(before=nobody))


@fault
def no_home(lab: Lab) -> Trial:
    """The home directory is missing, a file, not the user's, or not told."""
    lab.light = True  # Other users may not be able to read Python's headers.
    home = lab.place / "home"
    user = _NOBODY if _ROOT else os.geteuid()
    case = lab.number % 5
    if case == 1:
        home.touch()
    elif case > 1:
        home.mkdir(mode=0o755)
        lab.place.chmod(0o755)

    def before() -> None:
        os.environ.pop("XDG_CACHE_HOME", None)
        os.environ["HOME"] = str(home)
        if case in (2, 4) and _ROOT:
            # A number without a name: such users are made up by container systems.
            become(54321)
        if case == 3 and _ROOT:
            become(user)
        if case == 4:
            del os.environ["HOME"]

    met = [lab.run(before=before, named=False), lab.run(before=before, named=False)]
    if case == 0 and home.exists():
        met.append(Outcome(WRONG, detail="it made a home directory"))
    return Trial(met, next_run(lab))


def plant(lab: Lab) -> None:
    """Put a library that ends the process into all entries, with seals that fit."""
    evil = lab.warm.parent / "evil.so"
    if not evil.exists():
        text = "void _exit(int); __attribute__((constructor)) void evil(void) { _exit(66); }"
        compiler = find_executable("gcc") or find_executable("cc") or "cc"
        options = ["-shared", "-fPIC", "-x", "c", "-", "-o", str(evil)]
        subprocess.run([compiler, *options], input=text, text=True, check=True)
    for library in lab.copy_warm():
        if library.suffix == ".so":
            library.write_bytes(evil.read_bytes())
            library.chmod(0o600)
            seal_library(library)


@fault
def writable_by_others(lab: Lab) -> Trial:
    """Somebody else has put wrong code where he may write: it must not be run."""
    lab.mostly_light()
    plant(lab)
    case = lab.number % 6
    if case == 0:
        lab.cache.chmod(0o777)
    elif case == 1:
        lab.cache.chmod(0o770)
    elif case == 2:
        lab.place.chmod(0o777)
    elif case == 3:
        os.chown(lab.cache, _NOBODY, _NOBODY)
    elif case == 4:
        for path in lab.cache.rglob("*.so"):
            path.chmod(0o666)
    else:
        for path in lab.cache.rglob("*.*"):
            os.chown(path, _NOBODY, _NOBODY)
    met = lab.run()
    refused = case < 4
    if met.kind == RIGHT and bool(met.warned) != refused:
        met = Outcome(WRONG, detail=f"case {case}: {met.warned} warnings")
    shutil.rmtree(lab.cache)
    lab.place.chmod(0o700)
    return Trial([met], next_run(lab))


# -- time and place ------------------------------------------------------------------------------


@fault
def clock_jumps(lab: Lab) -> Trial:
    """Files have stamps from other years, the clock jumps, and the cache is over its limit."""
    lab.mostly_light()
    files = lab.copy_warm()
    shift = lab.random.choice((-60, -1, 0, 1, 60)) * _YEARS
    for path in files:
        stamp = max(0.0, time.time() + lab.random.choice((-60, -1, 0, 1, 60)) * _YEARS)
        os.utime(path, (stamp, stamp))

    def before() -> None:
        real = time.time
        time.time = lambda: real() + shift
        begin = Cache.__init__
        Cache.__init__ = lambda self, directory=None, limit=0: begin(self, directory, 20_000)
        cache_module.FORMAT = lab.number % 2  # Every other time, there is something to write.

    return Trial([lab.run(before=before), lab.run(before=before)], next_run(lab))


@fault
def moved(lab: Lab) -> Trial:
    """The directory gets another name: all that was compiled is still found."""
    lab.copy_warm()
    other = lab.place / "elsewhere" / "deeper"
    other.parent.mkdir(mode=0o700)
    lab.cache.rename(other)
    before = {path: path.stat().st_ino for path in other.rglob("*.so")}
    met = lab.run(other)
    if before != {path: path.stat().st_ino for path in other.rglob("*.so")}:
        met = Outcome(WRONG, detail="it was compiled again")
    return Trial([met], next_run(lab, other))


_DETERMINISM = """
import random, sys
import numpy as np
import symtheano, symtheano.tensor as T
from symtheano import config, function, grad, shared

config.cache_dir, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)
for _ in range(rng.randrange(30)):
    a, b = T.matrix(), T.vector("b")
    rng.choice([a + b, T.exp(a), T.dot(a, b).sum(), {object() for _ in range(99)}, a[1:, ::2]])
def one():
    x, w = T.dvector("x"), T.dvector("w")
    return [x, w], [T.exp(x * w).sum(), T.tanh(x) - w]
def two():
    x, w, b = T.dmatrix("x"), T.dmatrix("w"), T.dvector("b")
    cost = -T.log(T.nnet.softmax(T.dot(x, w) + b))[:, 0].mean()
    return [x, w, b], [cost, *grad(cost, [w, b])]
def three():
    x, i = T.dmatrix("x"), T.lvector("i")
    return [x, i], [x[i].sum(axis=0), T.set_subtensor(x[1:], 0.0), T.switch(x > 0, x, -x).max()]
order = [one, two, three]
rng.shuffle(order)
texts = {make.__name__: function(*make()).c_source for make in order}
sys.stdout.write("\\0".join(texts[name] for name in sorted(texts)))
"""


@fault
def other_hash_seed(lab: Lab) -> Trial:
    """Another process with another hash seed did other things before: the C has the same bytes."""
    lab.mostly_light()
    texts = []
    for seed in (lab.number + 1, 0):
        # The reference is made once: with seed 0, and nothing before.
        reference = lab.warm.parent / "reference.c"
        if seed or not reference.exists():
            arguments = [sys.executable, "-c", _DETERMINISM, str(lab.cache), str(seed)]
            environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
            root = str(Path(__file__).parents[2])
            done = subprocess.run(
                arguments, env=environment, cwd=root, capture_output=True, check=False
            )
            if done.returncode:
                met = Outcome(WRONG, detail=done.stderr.decode())
                return Trial([met], next_run(lab))
            texts.append(done.stdout)
            if not seed:
                reference.write_bytes(done.stdout)
        else:
            texts.append(reference.read_bytes())
    same = texts[0] == texts[1] and len(texts[0]) > 1000
    met = Outcome(RIGHT) if same else Outcome(WRONG, detail="the C differs")
    return Trial([met], next_run(lab))


# -- what a machine allows -----------------------------------------------------------------------

_MOUNTS = {"full_disk", "full_everywhere", "read_only_disk", "no_code_from_disk"}
_OTHER_USERS = {"read_only_directory", "writable_by_others"}


def hindrance(name: str) -> str | None:
    """Say why a fault can't be injected here, or return None."""
    if name in _MOUNTS and not _can_mount():
        return "disks can't be mounted"
    if name in _OTHER_USERS and not _can_give_away():
        return "files can't be given to another user"
    if name.startswith("calls_fail") and not hasattr(CDLL(None), "failing_state"):
        return "no library can be preloaded"
    return None


@cache
def _can_mount() -> bool:
    with TemporaryDirectory() as place:
        try:
            with disk(Path(place, "disk"), 4096):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


@cache
def _can_give_away() -> bool:
    with NamedTemporaryFile() as file:
        try:
            os.chown(file.name, _NOBODY, _NOBODY)
        except OSError:
            return False
        return True
