"""The workloads; a module is a family unless its classes name another."""
