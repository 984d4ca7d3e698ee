"""Graph to C text, and C text to something to call."""
