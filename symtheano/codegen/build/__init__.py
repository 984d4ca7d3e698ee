"""From C text to shared objects: compiler, cache, and its files."""
