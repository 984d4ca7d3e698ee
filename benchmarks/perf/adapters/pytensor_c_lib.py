"""PyTensor through its C linker."""

from pytensor.compile.mode import Mode

from benchmarks.perf.adapters import pytensor_lib


class Adapter(pytensor_lib.Adapter):
    mode = Mode(linker="cvm", optimizer="fast_run")

    def version(self):
        return f"{super().version()} cvm/fast_run"
