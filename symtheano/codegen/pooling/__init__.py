"""Our own pooling: a library that functions find without other parts."""
