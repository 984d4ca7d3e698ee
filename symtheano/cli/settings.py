"""Display of the configuration."""

from __future__ import annotations

from dataclasses import asdict

import click

import symtheano
from symtheano.cli.program import Command
from symtheano.cli.screen import print_json, print_table
from symtheano.config import config_file


@click.command("config", cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def config_command(as_json: bool) -> None:
    """Print all options, their values, and where each value was set.

    An option can be set in the program, in SYMTHEANO_FLAGS, or in the file shown at the end.

    For example:
      SYMTHEANO_FLAGS=floatX=float32,threads=2 symtheano config
    """
    config = symtheano.config
    values = asdict(config.snapshot())
    if as_json:
        print_json({k: {"value": v, "source": config.source(k)} for k, v in values.items()})
        return
    rows = [(name, repr(value), config.source(name)) for name, value in values.items()]
    print_table(("option", "value", "set by"), rows)
    click.echo(f"\nfile: {config_file() or 'none'}")
