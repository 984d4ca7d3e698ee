"""The command line ``symtheano``: inspect expressions, run and measure programs, manage the cache.

There is one file per group of commands. Imports other than click are made when a command runs, so
that help and completion are fast.
"""

from __future__ import annotations

import click

import symtheano
from symtheano.cli.bench import bench_command
from symtheano.cli.cache import cache_command
from symtheano.cli.completion import completion_command
from symtheano.cli.demo import demo_command
from symtheano.cli.doctor import doctor_command
from symtheano.cli.look import c_command, cuda_command, explain_command, graph_command
from symtheano.cli.program import Program
from symtheano.cli.run import run_command
from symtheano.cli.settings import config_command
from symtheano.cli.trouble import check_configuration


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 success, 1 a check found a problem, 2 another error.",
)
@click.version_option(symtheano.__version__, prog_name="symtheano", message="%(prog)s %(version)s")
def main() -> None:
    """Inspect expressions, run programs, measure.

    FILE:NAME names a global variable of a Python file: an expression, a list or dict of
    expressions, or a compiled function. The file is executed, and its output goes to stderr. The
    inputs are the variables on which the expression depends, except shared variables.

    For example:
      symtheano demo                    a tour
      symtheano doctor                  what works on this machine
      symtheano explain model.py:loss   which rules changed which line
      symtheano run --profile train.py  where the time goes
    """
    check_configuration()


for _command in (
    c_command, cuda_command, graph_command, explain_command, run_command, bench_command,
    cache_command, config_command, doctor_command, demo_command, completion_command,
):  # fmt: skip
    main.add_command(_command)
