"""Commands that manage the compiled code on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

import symtheano
from symtheano.cli.program import Program
from symtheano.cli.screen import print_json, print_table, size
from symtheano.cli.trouble import warnings_as_lines

if TYPE_CHECKING:
    from symtheano.codegen.native.cache import Cache

_KEY_SHOWN = 12


@click.group("cache", cls=Program)
def cache_command() -> None:
    """Manage the compiled code on disk.

    Removed code is compiled again when it is needed.

    For example:
      symtheano cache stats
      du -sh "$(symtheano cache path)"
    """


def opened() -> Cache:
    """Return the cache selected by the configuration."""
    from symtheano.function.stages import open_cache

    with warnings_as_lines():
        return open_cache(symtheano.config.snapshot())


@cache_command.command()
def path() -> None:
    """Print the directory."""
    click.echo(opened().directory)


@cache_command.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(as_json: bool) -> None:
    """Print the number and the size of the entries."""
    kept = opened()
    entries = list(kept.entries())
    total = sum(entry.bytes for entry in entries)
    used = [entry.used for entry in entries]
    if as_json:
        print_json(
            {
                "directory": str(kept.directory),
                "entries": len(entries),
                "bytes": total,
                "limit_bytes": kept.limit or None,
                "oldest_use": min(used, default=None),
                "latest_use": max(used, default=None),
            }
        )
        return
    click.echo(f"directory   {kept.directory}")
    click.echo(f"entries     {len(entries)}")
    click.echo(f"size        {size(total)}")
    click.echo(f"limit       {size(kept.limit) if kept.limit else 'none'} (cache_size)")
    if used:
        click.echo(f"last used   {_age(max(used))} ago, the oldest {_age(min(used))} ago")


@cache_command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_entries(as_json: bool) -> None:
    """List the entries, the most recently used first."""
    entries = sorted(opened().entries(), key=lambda entry: -entry.used)
    if as_json:
        print_json(
            [
                {
                    "key": e.key,
                    "kind": e.kind,
                    "path": str(e.path),
                    "bytes": e.bytes,
                    "used": e.used,
                }
                for e in entries
            ]
        )
    elif not entries:
        click.echo("the cache is empty")
    else:
        rows = [(e.key[:_KEY_SHOWN], e.kind, size(e.bytes), _age(e.used)) for e in entries]
        print_table(("key", "kind", "size", "last used"), rows, ("size", "last used"))


@cache_command.command()
def verify() -> None:
    """Check every entry against its digest, and remove damaged entries.

    The exit status is 1 if an entry was damaged.
    """
    kept = opened()
    count = sum(1 for _ in kept.entries())
    damaged = kept.verify()
    for entry in damaged:
        click.echo(f"removed {entry.path}")
    click.echo(f"{count} entries checked, {len(damaged)} damaged")
    if damaged:
        raise click.exceptions.Exit(1)


@cache_command.command()
def clear() -> None:
    """Remove all entries."""
    kept = opened()
    total = sum(entry.bytes for entry in kept.entries())
    click.echo(f"removed {kept.clear()} entries, {size(total)}")


@cache_command.command()
@click.option(
    "--processor", "processors", multiple=True, metavar="NAME",
    help="A level, such as x86-64-v3, or native. Several are tried in this order. By default "
    "x86-64-v4 and x86-64-v3 on x86-64, otherwise native.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(file_okay=False), help="Directory. By default the package's own."
)
def prebuild(processors: tuple[str, ...], output: str | None) -> None:
    """Compile in advance the code that all programs share.

    The module that calls functions and symtheano's own kernels are compiled into the package. All
    users of this installation can then use them, and a wheel that is built afterwards contains
    them. See docs/cache.md.

    For example:
      symtheano cache prebuild --processor native
      symtheano cache prebuild && python -m build --wheel
    """
    from symtheano.codegen.native import prebuilt
    from symtheano.codegen.native.toolchain import find_toolchain
    from symtheano.codegen.runtime import prebuild as ahead
    from symtheano.codegen.runtime.dispatch import NoDispatcherError

    toolchain = find_toolchain(symtheano.config.cc or None, directory=opened().place)
    directory = output or prebuilt.DIRECTORY
    chosen = processors or ahead.default_processors()
    total = 0
    try:
        for processor, name, count in ahead.prebuild(
            ahead.package_units(), toolchain, chosen, directory
        ):
            click.echo(f"{processor}  {name}  {size(count)}")
            total += count
    except (ValueError, OSError, NoDispatcherError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{directory}: {size(total)}")


def _age(used: float) -> str:
    """Format the time since a moment, in one unit."""
    seconds = max(time.time() - used, 0.0)
    for length, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
