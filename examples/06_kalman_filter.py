# Lesson 6: a Kalman filter whose parameters are fitted with gradients.
#
# A level changes at a speed that varies randomly, and is measured with noise. A Kalman filter
# estimates the level: each step predicts the state and corrects it with the measurement. How much
# the filter trusts the measurements depends on two variances. They are fitted with the gradient of
# the likelihood, which goes back through all steps of the filter. The matrices have small shapes
# that are known, so the C of a step has no loops.

import time

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import symtheano
import symtheano.tensor as T

STEPS, TRUE = 2000, np.log([0.02**2, 1.5**2])

# Data from the model. The speed changes with a standard deviation of 0.02 per step, and the level
# is measured with a standard deviation of 1.5.

rng = np.random.default_rng(1)
speed = np.cumsum(rng.normal(scale=0.02, size=STEPS))
level = np.cumsum(speed)
measured = level + rng.normal(scale=1.5, size=STEPS)

F = T.constant([[1.0, 1.0], [0.0, 1.0]], name="F")  # the speed is added to the level
H = T.constant([1.0, 0.0], name="H")  # only the level is measured

logs = T.dvector("logs")  # logarithms of the two variances
change, noise = T.exp(logs[0]), T.exp(logs[1])
Q = T.stack([T.stack([0.0, 0.0]), T.stack([0.0, change])])
y = T.dvector("y")


def step(value, mean, cov, Q, noise):
    """Predict the state, correct it with a measurement, and return it with the loss."""
    mean, cov = T.dot(F, mean), T.dot(T.dot(F, cov), F.T) + Q
    error, variance = value - T.dot(H, mean), T.dot(H, T.dot(cov, H)) + noise
    gain = T.dot(cov, H) / variance
    loss = T.log(variance) + T.sqr(error) / variance
    return mean + gain * error, cov - T.outer(gain, T.dot(H, cov)), loss


begin = [T.constant(np.zeros(2)), T.constant(100 * np.eye(2)), None]
(means, covs, losses), _ = symtheano.scan(step, y, begin, [Q, noise])
loss = losses.mean()

start = time.perf_counter()
fit = symtheano.function([logs, y], [loss, T.grad(loss, logs)])
follow = symtheano.function([logs, y], [means[:, 0], covs[:, 0, 0]])
print(f"compiled in {time.perf_counter() - start:.2f} s")

start = time.perf_counter()
found = minimize(fit, np.zeros(2), args=(measured,), jac=True, method="L-BFGS-B")
print(f"{found.nfev} evaluations with gradient in {time.perf_counter() - start:.3f} s")
deviations, true = np.exp(found.x / 2), np.exp(TRUE / 2)
print(f"fitted standard deviations: {deviations.round(3)}; those of the data: {true.round(3)}")
assert np.allclose(deviations, true, rtol=0.3)

filtered, variance = follow(found.x, measured)
raw, better = np.std(measured - level), np.std(filtered - level)
print(f"mean error of the measurements: {raw:.2f}, of the filter: {better:.2f}")
assert better < 0.5 * raw

# The upper plot shows the level and the measurements, and the lower plot their distances from the
# true level. The band shows two standard deviations that the filter estimates.

time_steps = np.arange(300)
band = 2 * np.sqrt(variance[:300])
figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(8, 6), sharex=True, height_ratios=(3, 2), layout="constrained"
)
for axis, origin in ((top, 0), (bottom, level[:300])):
    middle = filtered[:300] - origin
    axis.plot(measured[:300] - origin, ".", color="0.7", markersize=4, label="measurements")
    axis.fill_between(time_steps, middle - band, middle + band, color="C0", alpha=0.25, linewidth=0)
    axis.plot(middle, color="C0", label="filter, with two deviations")
    axis.plot(level[:300] - origin, color="black", linewidth=1, linestyle="--", label="true level")
    axis.spines[["top", "right"]].set_visible(False)
top.set_title("A level that moves at a randomly changing speed", loc="left")
top.set(ylabel="level")
top.legend(frameon=False)
bottom.set(xlabel="time", ylabel="distance from the level", xlim=(0, 299))
figure.savefig("kalman_filter.png", dpi=150)
print("wrote kalman_filter.png")
