"""What the tests of the Python module share."""
import json
import os
import subprocess
import tempfile

import numpy as np
import sarrus

SOURCE = os.environ.get("SARRUS_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("SARRUS_COMMAND") or os.path.join(SOURCE, "build", "release", "sarrus")
ARM = os.path.join(SOURCE, "samples", "arm.urdf")
CHAIN = os.path.join(SOURCE, "samples", "chain12.urdf")
PENDULUM = os.path.join(SOURCE, "samples", "pendulum12.yaml")
Q_ARM = np.array([0, 0.5, 0, 1, 0, 0.5, 0])


def sample(name):
    """The path of a file of samples/."""
    return os.path.join(SOURCE, "samples", name)


def run(*arguments):
    """What the command sarrus prints as JSON."""
    done = subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": ""})
    return json.loads(done.stdout)


def text(numbers):
    """Numbers as the command reads them."""
    return ",".join(repr(float(each)) for each in numbers)


def folder():
    """A temporary folder, for `with`."""
    return tempfile.TemporaryDirectory()


def pendulum(n=1, length=1.0, mass=1.0):
    """n point masses on massless rods of one length that turn about y; all hang straight down at q = 0."""
    builder = sarrus.Builder()
    for i in range(n):
        builder.add_link(f"bob{i + 1}", mass=mass, com=(0, 0, -length))
        builder.add_joint(f"hinge{i + 1}", "continuous", f"bob{i + 1}", f"bob{i}" if i else None, axis=(0, 1, 0),
                          origin=(0, 0, -length if i else 0))
    return builder.build()


def random_state(model, seed, speed=1.0):
    """(q, v): a random configuration and velocity."""
    random = np.random.default_rng(seed)
    q = model.integrate(model.neutral, random.uniform(-1, 1, model.nv))
    return q, speed * random.uniform(-1, 1, model.nv)


def ball(height=1.0, **contact):
    """A sim of a ball of 1 kg and 0.1 m over a floor."""
    builder = sarrus.Builder()
    builder.add_link("ball", mass=1, inertia=(0.004, 0.004, 0.004, 0, 0, 0))
    builder.add_joint("root", "free", "ball", origin=(0, 0, height))
    builder.add_shape("sphere", "ball", size=0.1, name="ball")
    builder.add_shape("half-space", name="floor")
    return builder.build().simulate(contact=contact)
