"""Our own convolutions: a library that functions find without other parts."""
