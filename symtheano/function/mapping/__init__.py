"""Calls of a function on chunks of arrays: ``f.map`` and ``f.imap``."""
