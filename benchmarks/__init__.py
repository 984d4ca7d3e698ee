"""What is measured: speed beside other libraries, and one thing by each script."""
