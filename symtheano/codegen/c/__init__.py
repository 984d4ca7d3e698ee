"""The C printer: LoopIR programs as text."""
