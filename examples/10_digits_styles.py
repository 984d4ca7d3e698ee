# Lesson 10: one network in four styles.
#
# A dense and a convolutional network learn the handwritten digits of scikit-learn. Each network is
# written four times: with functions and an explicit training loop, as a chain of methods, as a
# Model with fit, and as a graph that a session runs. With the same seed, all four styles give the
# same predictions, bit by bit. (Sums may be rounded differently for another number of samples, so
# all styles predict all test images at once.)

import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import symtheano
import symtheano.nn.losses
import symtheano.tensor as T
from symtheano import nn

# Kernels of matrix products and convolutions are compiled the first time a machine needs them. Wait
# for these kernels, so that the first run gives the same bits as all later ones.
symtheano.config.deterministic = "more"

EPOCHS, BATCH, SEED = 14, 32, 0

digits = load_digits()
images = (digits.images[:, np.newaxis] / 16).astype("float32")
train_x, test_x, train_y, test_y = train_test_split(
    images, digits.target, test_size=0.2, stratify=digits.target, random_state=0
)


def optimizer():
    """Return an optimizer whose learning rate decreases to 0, for all styles."""
    batches = -(-len(train_x) // BATCH)
    return nn.Adam(nn.schedules.CosineDecay(0.003, EPOCHS * batches))


# Style 1: functions. `train` and `test` are two expressions that use the same parameters.


def dense_network(x):
    """Return the probabilities of the digits from two dense layers."""
    h = nn.dropout(nn.dense(nn.flatten(x), 256, "relu"), 0.2)
    return nn.dense(h, 10, "softmax")


def convolutional_network(x):
    """Return the probabilities of the digits from two convolutions and two dense layers."""
    h = x
    for filters in (32, 64):
        h = nn.conv(h, filters, 3, "relu", padding="same")
        h = nn.maxpool(nn.batch_norm(h, momentum=0.9))
    h = nn.dropout(nn.dense(nn.flatten(h), 128, "relu"), 0.2)
    return nn.dense(h, 10, "softmax")


def by_functions(network):
    """Return the predictions for the test images after training."""
    x, labels = nn.Input((1, 8, 8), seed=SEED), T.ivector("labels")
    scores = network(x)
    cost = nn.losses.categorical_crossentropy(scores.train, labels)
    updates = [*optimizer().updates(cost, scores.parameters).items(), *scores.updates]
    step = symtheano.function([x.train, labels], cost, updates=updates)
    predict = symtheano.function([x.test], scores.test)
    for epoch in range(EPOCHS):
        order = x.randomness.order(epoch, len(train_x))
        for chosen in np.split(order, range(BATCH, len(order), BATCH)):
            step(train_x[chosen], train_y[chosen].astype("int32"))
    return predict(test_x)


# Style 2: a chain of methods.


def by_chain(convolutions):
    """Return the predictions for the test images after training."""
    net = nn.Sequential(seed=SEED)
    if convolutions:
        for filters in (32, 64):
            net.conv2d(filters, 3, padding="same", activation="relu")
            net.batch_norm(momentum=0.9).max_pool2d()
    net.flatten().dense(128 if convolutions else 256, "relu").dropout(0.2)
    net.dense(10, "softmax").loss("categorical_crossentropy").optimizer(optimizer())
    net.train(train_x, train_y, epochs=EPOCHS, batch_size=BATCH)
    return net.predict(test_x, batch_size=len(test_x))


# Style 3: a model with fit.


def by_model(convolutions):
    """Return the predictions for the test images after training."""
    model = nn.Model(seed=SEED)
    if convolutions:
        for filters in (32, 64):
            model.add(nn.Conv2D(filters, 3, padding="same", activation="relu"))
            model.add(nn.BatchNorm(momentum=0.9))
            model.add(nn.MaxPool2D())
    model.add(nn.Flatten())
    model.add(nn.Dense(128 if convolutions else 256, "relu"))
    model.add(nn.Dropout(0.2))
    model.add(nn.Dense(10, "softmax"))
    model.compile("categorical_crossentropy", optimizer())
    model.fit(train_x, train_y, epochs=EPOCHS, batch_size=BATCH, verbose=0)
    return model.predict(test_x, batch_size=len(test_x))


# Style 4: a graph and a session. The networks of style 1 take placeholders, too.


def by_session(network):
    """Return the predictions for the test images after training."""
    with nn.Graph(seed=SEED).as_default() as graph, nn.Session() as session:
        x = nn.placeholder("float32", (None, 1, 8, 8))
        labels = nn.placeholder("int32", (None,))
        scores = network(x)
        step = optimizer().minimize(nn.losses.categorical_crossentropy(scores, labels))
        for epoch in range(EPOCHS):
            order = graph.randomness.order(epoch, len(train_x))
            for chosen in np.split(order, range(BATCH, len(order), BATCH)):
                session.run(step, {x: train_x[chosen], labels: train_y[chosen]})
        return session.run(scores, {x: test_x})


for name, network, convolutions, least in (
    ("dense", dense_network, False, 0.96),
    ("convolutional", convolutional_network, True, 0.985),
):
    start = time.perf_counter()
    found = [
        by_functions(network),
        by_chain(convolutions),
        by_model(convolutions),
        by_session(network),
    ]
    seconds = time.perf_counter() - start
    accuracy = np.mean(found[0].argmax(axis=1) == test_y)
    equal = all(np.array_equal(found[0], other) for other in found[1:])
    print(
        f"{name} network: {accuracy:.2%} of the test images are right, four styles in "
        f"{seconds:.1f} s"
    )
    print(f"the predictions of the four styles have {'the same' if equal else 'different'} bits")
    assert accuracy >= least, accuracy
    assert equal
