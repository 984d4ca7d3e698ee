"""Arrays made from shapes and numbers."""
