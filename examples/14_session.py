# Lesson 14: graphs and sessions.
#
# A program in the style of TensorFlow 1: placeholders and variables belong to a graph, and a
# session runs parts of the graph. A function is compiled for each combination of fetches and fed
# arrays, and kept. At the end, the program trains a logistic regression, and a network with batch
# normalization and dropout.

import time

import numpy as np

from symtheano import nn

# A placeholder without a shape takes arrays of any number of axes.

with nn.Graph().as_default():
    x, y = nn.placeholder("float32", name="x"), nn.placeholder("float32", name="y")
    z = x + y
    area = nn.reduce_sum(z**2)
    with nn.Session() as session:
        numbers = session.run(z, feed_dict={x: 1.0, y: 2.0})
        vectors = session.run({"sum": z, "area": area}, {x: [1, 2, 3], y: 0.5})
        fed_between = session.run(area, {z: [[3, 4]]})
        try:
            session.run(z, {x: 1.0})
        except ValueError as error:
            missing = str(error)

print(f"numbers: {numbers}; vectors: {vectors['sum']}, {vectors['area']}; fed z: {fed_between}")
print(f"\nA missing value is an error:\n{missing}\n")
assert numbers == 3
assert vectors["sum"].tolist() == [1.5, 2.5, 3.5]
assert fed_between == 25
assert missing.startswith("no value was fed for 'y'")
assert "14_session.py" in missing

# Variables keep their values between runs. All fetches of a run are computed from the old values.

with nn.Graph().as_default(), nn.Session() as session:
    first, second = nn.Variable(0, name="first"), nn.Variable(1, name="second")
    step = nn.group(nn.assign(first, second), nn.assign_add(second, first))
    fibonacci = [int(session.run([first, step])[0]) for _ in range(12)]
    session.run(nn.global_variables_initializer())
    begun_again = session.run(["first", "second:0"])
print("Fibonacci numbers:", *fibonacci)
assert fibonacci == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
assert begun_again == [0, 1]

# Logistic regression. A placeholder with a shape is a symbolic array like any other.

rng = np.random.default_rng(0)
points = rng.normal(size=(1000, 2)).astype("float32")
classes = (points @ [1.5, -1.0] + 0.3 * rng.normal(size=1000) > 0.5).astype("int32")

with nn.Graph(seed=0).as_default() as graph, nn.Session() as session:
    x = nn.placeholder("float32", (None, 2), name="points")
    y = nn.placeholder("int32", (None,), name="classes")
    weights = nn.Variable(np.zeros((2, 2), "float32"), name="weights")
    bias = nn.Variable([0.0, 0.0], name="bias")
    logits = nn.matmul(x, weights) + bias
    loss = nn.reduce_mean(nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    accuracy = nn.reduce_mean(nn.cast(nn.equal(nn.argmax(logits, 1), y), "float32"))
    train = nn.SGD(1.0).minimize(loss)
    feed = {x: points, y: classes}
    losses = [session.run([loss, train], feed)[0] for _ in range(200)]
    right = session.run(accuracy, feed)
    print(f"logistic regression: loss {losses[0]:.4f} to {losses[-1]:.4f}, accuracy {right:.1%}")
    assert np.isclose(losses[0], np.log(2))
    assert losses[-1] < 0.25
    assert right > 0.9

    # A network with layers. The training step uses dropout and the statistics of the batch. All
    # other fetches use the running statistics and no dropout, unless training=True is passed.

    hidden = nn.dropout(nn.batch_norm(nn.dense(x, 32, "relu")), 0.2)
    probabilities = nn.dense(hidden, 2, "softmax")
    target = nn.one_hot(y, 2)
    error = nn.reduce_mean(nn.square(probabilities - target))
    train = nn.Adam(0.01).minimize(error)
    before = session.run(error, feed)
    start = time.perf_counter()
    for _ in range(20):
        for k in range(0, 1000, 50):
            session.run(train, {x: points[k : k + 50], y: classes[k : k + 50]})
    seconds = time.perf_counter() - start
    after = session.run(error, feed)
    draws = [session.run(error, feed, training=True) for _ in range(2)]
    print(f"network: error {before:.4f} to {after:.4f} in {seconds:.2f} s of training")
    print("error with dropout, in two runs:", ", ".join(f"{draw:.4f}" for draw in draws))
    assert after < 0.5 * before
    assert draws[0] != draws[1]
    assert after == session.run(error, feed)
    names = [v.name for v in nn.trainable_variables()]
    assert names[:2] == ["weights", "bias"]
    assert len(names) == 8
