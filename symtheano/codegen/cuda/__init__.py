"""The CUDA printer: kernels in CUDA C++, and the C of the host that launches them."""
