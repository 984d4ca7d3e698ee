"""From C text to native code: the compiler, the cache and its files."""
