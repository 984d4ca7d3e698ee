"""``python -m symtheano.cli``, if the command ``symtheano`` is not on the path."""

from symtheano.cli import main

if __name__ == "__main__":
    main(prog_name="symtheano")
