"""Run a program as ``python FILE`` does, with other options or a profile."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import click

import symtheano
from symtheano import compat
from symtheano.cli.program import Command
from symtheano.cli.screen import console
from symtheano.cli.target import setting_options, threads_option
from symtheano.cli.trouble import Trouble, user_traceback, users_frames

_INTERRUPTED = 130
_PASS_ON = {"allow_interspersed_args": False}


@click.command("run", cls=Command, context_settings=_PASS_ON)
@click.option("--profile", is_flag=True, help="Print a profile to stderr at the end.")
@click.option(
    "--profile-json",
    metavar="PATH",
    type=click.Path(dir_okay=False, writable=True),
    help="Write the profile to a file as JSON.",
)
@click.option("-m", "module", is_flag=True, help="FILE is the name of a module, as of python -m.")
@click.option("--py2", is_flag=True, help="Convert the program, which is in Python 2.")
@threads_option
@setting_options[0]
@setting_options[1]
@click.argument("file", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
def run_command(
    file: str,
    arguments: tuple[str, ...],
    profile: bool,
    profile_json: str | None,
    module: bool,
    py2: bool,
    threads: int | None,
    mode: str | None,
    floatx: str | None,
) -> None:  # fmt: skip
    """Run a Python program as `python FILE ARGS...` does.

    Output and exit status are those of the program. With --profile, every function that the program
    compiles is measured, and tables are printed when the program ends or fails. Options go before
    FILE. Arguments after FILE are passed to the program. Programs written for Theano run unchanged:
    import theano finds symtheano, unless Theano is installed.

    For example:
      symtheano run --profile train.py --epochs 3
      symtheano run --py2 old_program.py
      symtheano run -m package.train --epochs 3
      symtheano run --mode INTERPRET --floatX float32 train.py
    """
    if not module and not os.path.isfile(file):
        raise Trouble(f"there is no file {file}")
    compat.install()
    measured = profile or profile_json is not None
    flags = {"profile": measured or None, "threads": threads, "mode": mode, "floatX": floatx}
    _set({name: value for name, value in flags.items() if value is not None})
    if module:
        status = _run_module(file, arguments, py2)
    else:
        status = _run_as_main(file, arguments, py2)
    sys.stdout.flush()
    if profile:
        _print_profiles()
    if profile_json is not None:
        _write_profiles(profile_json)
    sys.exit(status)


def _set(flags: dict[str, Any]) -> None:
    """Set options for the program and for its child processes."""
    for name, value in flags.items():
        setattr(symtheano.config, name, value)
    settings = [os.environ.get("SYMTHEANO_FLAGS", ""), *(f"{k}={v}" for k, v in flags.items())]
    os.environ["SYMTHEANO_FLAGS"] = ",".join(filter(None, settings))


def _run_as_main(path: str, arguments: tuple[str, ...], py2: bool) -> Any:
    """Run a file as the main module; return the argument of its exit."""
    module = ModuleType("__main__")
    full = os.path.abspath(path)
    module.__dict__.update(
        __file__=full,
        __builtins__=__builtins__,
        __loader__=SourceFileLoader("__main__", full),
        __cached__=None,
    )
    return _execute(module, path, arguments, Path(path).resolve().parent, lambda: _code(full, py2))


def _run_module(name: str, arguments: tuple[str, ...], py2: bool) -> Any:
    """Run a module, or the module ``__main__`` of a package, as ``python -m`` does."""
    module = ModuleType("__main__")

    def code() -> CodeType:
        if py2:
            _convert()
        spec = _spec(name)
        module.__dict__.update(
            __file__=spec.origin,
            __builtins__=__builtins__,
            __loader__=spec.loader,
            __cached__=spec.cached,
            __package__=spec.parent,
            __spec__=spec,
        )
        sys.argv[0] = str(spec.origin)
        found: CodeType | None = getattr(spec.loader, "get_code", lambda name: None)(spec.name)
        if found is None:
            raise Trouble(f"{name} is no module in Python")
        return found

    return _execute(module, "-m", arguments, Path.cwd(), code)


def _spec(name: str) -> ModuleSpec:
    """Return where a module is, or that of a package which is run instead of it."""
    try:
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = find_spec(f"{name}.__main__")
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        spec = None
    if spec is None:
        raise Trouble(f"there is no module {name}")
    return spec


def _execute(
    module: ModuleType,
    path: str,
    arguments: tuple[str, ...],
    folder: Path,
    code: Callable[[], CodeType],
) -> Any:
    """Run code in the main module, which finds modules in a folder; return its exit's argument."""
    # It remains the main module until the end, for exit handlers, pickle and child processes.
    sys.modules["__main__"] = module
    sys.argv = [path, *arguments]
    if getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, str(folder))
    else:
        sys.path[0] = str(folder)
    try:
        exec(code(), module.__dict__)
    except Trouble:
        raise
    except SystemExit as ended:
        return ended.code
    except KeyboardInterrupt as error:
        click.echo(user_traceback(error), err=True)
        return _INTERRUPTED
    except BaseException as error:
        _tell(error)
        return 1
    return 0


def _code(path: str, py2: bool) -> CodeType:
    """Return the code of a program, which may be in Python 2; its modules are then, too."""
    data = Path(path).read_bytes()
    if not py2:
        return compile(data, path, "exec", dont_inherit=True)
    from symtheano.compat.python2 import compile_old

    _convert()
    return compile_old(data, path)


def _convert() -> None:
    """Convert modules in Python 2 from now on."""
    from symtheano.compat.python2 import convert_imports
    from symtheano.compat.supplies import supply

    convert_imports([sys.path[0]])
    supply()


def _tell(error: BaseException) -> None:
    """Call the program's exception hook, if there is one, or print the user's traceback."""
    sys.stdout.flush()
    if sys.excepthook is sys.__excepthook__:
        click.echo(user_traceback(error), err=True)
    else:
        sys.excepthook(type(error), error, users_frames(error))


def _print_profiles() -> None:
    from rich.text import Text

    from symtheano.function.profile import all_profiles, report

    screen = console(stderr=True)
    tables = report(all_profiles()).split("\n\n")
    for table in tables:
        head, _, rows = table.partition("\n")
        screen.print()
        screen.print(Text(head, style="bold"), soft_wrap=True)
        if rows:
            screen.print(Text(rows), soft_wrap=True)


def _write_profiles(path: str) -> None:
    from symtheano.function.profile import all_profiles

    text = json.dumps([profile.as_dict() for profile in all_profiles()], indent=2)
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise Trouble(f"{path} can't be written: {error.strerror}") from None
