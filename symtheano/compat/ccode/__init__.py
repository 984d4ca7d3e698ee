"""C code that ops of users' programs have: one file for each node, and what calls it."""
