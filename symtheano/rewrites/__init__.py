"""Rewriting: what a rule is, the engine that applies rules, the trace, and the rules themselves."""
