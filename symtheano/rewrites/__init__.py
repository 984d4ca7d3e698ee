"""Rewriting: rules, the engine that applies them, and the trace."""
