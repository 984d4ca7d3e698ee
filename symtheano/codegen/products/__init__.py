"""Our own matrix products: a library beside BLAS, which functions find without other parts."""
