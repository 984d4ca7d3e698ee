"""JAX: one jitted function; calls wait for the result."""

import jax
import jax.numpy as jnp

from benchmarks.perf.adapters.base import Base

jax.config.update("jax_enable_x64", True)


class Adapter(Base):
    flavours = ("jax",)
    jax, jnp, lax, m = jax, jnp, jax.lax, jnp

    def version(self):
        return f"jax {jax.__version__}"

    def release(self):
        jax.clear_caches()

    def arr(self, data, *names):
        """Return the arrays of these names on the device; a single one by itself."""
        arrays = [jax.device_put(data[name]) for name in names]
        return arrays[0] if len(arrays) == 1 else arrays

    def caller(self, f, *args, **kw):
        """Jit f and return a synchronous call without arguments on the given arrays."""
        g = jax.jit(f, **kw)
        block = jax.block_until_ready
        return lambda: block(g(*args))

    def stepper(self, step, state, *args):
        """Return a synchronous training step that donates the state, and the box with the state."""
        g = jax.jit(step, donate_argnums=(0,))
        block = jax.block_until_ready
        box = [state]

        def call():
            box[0] = block(g(box[0], *args))

        return call, box

    def gradients(self, f, numbers):
        """Return the function that gives the value of f and its gradients as one flat tuple."""
        both = jax.value_and_grad(f, argnums=tuple(numbers))

        def flat(*args):
            value, gradients = both(*args)
            return (value, *gradients)

        return flat

    def sigmoid(self, x):
        return jax.nn.sigmoid(x)

    def softplus(self, x):
        return jax.nn.softplus(x)

    def relu(self, x):
        return jax.nn.relu(x)

    def cast(self, x, dtype):
        return x.astype(dtype)

    def batched_dot(self, a, b):
        return jnp.matmul(a, b)

    def scattered(self, target, index, values):
        return target.at[index].add(values)

    def largest(self, x, axis):
        return x.max(axis)

    def logsumexp(self, x, axis):
        return jax.nn.logsumexp(x, axis)

    def gammaln(self, x):
        return jax.scipy.special.gammaln(x)

    def powers(self, x):
        return jnp.abs(jnp.fft.rfft(x)) ** 2

    def last_states(self, step, start, sequences=(), constants=(), count=None):
        def body(states, rows):
            return tuple(step(*rows, *states, *constants)), None

        return jax.lax.scan(body, tuple(start), tuple(sequences), length=count)[0]

    def histories(self, step, start, sequences=(), constants=(), count=None):
        def body(states, rows):
            results = tuple(step(*rows, *states, *constants))
            return results[: len(states)], results

        return jax.lax.scan(body, tuple(start), tuple(sequences), length=count)[1]
