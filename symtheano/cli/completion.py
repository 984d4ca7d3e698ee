"""Completion of commands, options, files and names by the shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from symtheano.cli.program import Command


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    It completes commands, options, files, and the variables of a file.

    To install it:
      bash  echo 'eval "$(symtheano completion bash)"' >> ~/.bashrc
      zsh   echo 'eval "$(symtheano completion zsh)"' >> ~/.zshrc
      fish  symtheano completion fish > ~/.config/fish/completions/symtheano.fish
    """
    program = ctx.find_root()
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    script = completion_class(program.command, {}, "symtheano", "_SYMTHEANO_COMPLETE")
    click.echo(script.source())
