"""What is computed together, in which order, and in which memory: the plan of a graph."""
