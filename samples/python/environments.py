"""Two environments for reinforcement learning: a pendulum chain to be swung up, and an arm that reaches for points.

They follow gymnasium's interface (reset, step, action_space, observation_space) and derive from gymnasium.Env where it is
installed; without it they work alike, with spaces that only hold bounds. Run it from the root of the source tree for a
few steps of each:

    PYTHONPATH=build/release/python python3 samples/python/environments.py
"""
import numpy as np
import sarrus

try:
    import gymnasium
    from gymnasium.spaces import Box

    Env = gymnasium.Env
except ImportError:
    Env = object

    class Box:
        """A box of numbers from low to high; what gymnasium.spaces.Box is, as far as it is used here."""

        def __init__(self, low, high, shape=None, dtype=np.float64):
            self.shape = np.shape(low) if shape is None else shape
            self.low, self.high, self.dtype = (np.broadcast_to(low, self.shape), np.broadcast_to(high, self.shape), dtype)
            self._random = np.random.default_rng()

        def sample(self):
            return self._random.uniform(self.low, self.high)

        def contains(self, x):
            return np.shape(x) == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


class SarrusEnv(Env):
    """What both share: a Sim that holds torques for some steps between observations."""

    metadata = {"render_modes": []}

    def __init__(self, sim, held, most_torque, most_steps, n_observed):
        self.sim, self.held, self.most_steps = sim, held, most_steps
        self.action_space = Box(-most_torque, most_torque, (sim.model.nv,), np.float64)
        self.observation_space = Box(-np.inf, np.inf, (n_observed,), np.float64)
        self.count, self.random = 0, np.random.default_rng()

    def reset(self, seed=None, options=None):
        """(observation, info): a new episode, the same for the same seed."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.sim.reset()
        self.count = 0
        self.begin()
        return self.observe(), {}

    def step(self, action):
        """(observation, reward, terminated, truncated, info) after `held` steps under these torques."""
        self.sim.set_torque(np.clip(action, self.action_space.low, self.action_space.high))
        self.count += 1
        try:
            self.sim.step(self.held)
        except sarrus.DivergedError:
            return self.observe(), -1.0, True, False, {"diverged": True}
        return self.observe(), self.reward(action), False, self.count >= self.most_steps, {}


class PendulumChain(SarrusEnv):
    """n rods of 0.5 m and 1 kg hang from hinges about y; the reward is the height of the tip over the length, less effort."""

    def __init__(self, n=3):
        builder = sarrus.Builder()
        for i in range(n):
            builder.add_link(f"rod{i + 1}", mass=1, com=(0, 0, -0.25), inertia=(0.0209, 0.0209, 0.0002, 0, 0, 0))
            builder.add_joint(f"hinge{i + 1}", "continuous", f"rod{i + 1}", f"rod{i}" if i else None, axis=(0, 1, 0),
                              origin=(0, 0, -0.5 if i else 0), damping=0.02)
        builder.add_frame("tip", f"rod{n}", (0, 0, -0.5))
        self.length = 0.5 * n
        super().__init__(builder.build().simulate(dt=0.002), held=10, most_torque=20.0, most_steps=500, n_observed=3 * n)

    def begin(self):
        n = self.sim.model.nv
        self.sim.set_state(self.random.uniform(-0.1, 0.1, n), self.random.uniform(-0.1, 0.1, n))

    def observe(self):
        q = self.sim.q
        return np.r_[np.cos(q), np.sin(q), self.sim.v]

    def reward(self, action):
        return self.sim.placement("tip").position[2] / self.length - 1e-4 * float(np.dot(action, action))


class ArmReach(SarrusEnv):
    """The arm of samples/arm.urdf reaches for a random point; the reward is minus the distance, less effort."""

    def __init__(self, file="samples/arm.urdf"):
        self.target = np.zeros(3)
        super().__init__(sarrus.load(file).simulate(dt=0.002), held=10, most_torque=50.0, most_steps=250, n_observed=17)

    def begin(self):
        self.sim.set_state([0, 0.3, 0, 1.0, 0, 0.6, 0])
        self.target = np.array([self.random.uniform(0.3, 0.6), self.random.uniform(-0.4, 0.4), self.random.uniform(0.2, 0.7)])

    def observe(self):
        return np.r_[self.sim.q, self.sim.v, self.target - self.sim.placement("tool").position]

    def reward(self, action):
        return -float(np.linalg.norm(self.target - self.sim.placement("tool").position)) - 1e-5 * float(np.dot(action, action))


def main():
    for name, environment in (("pendulum chain", PendulumChain()), ("arm reach", ArmReach())):
        first, _ = environment.reset(seed=1)
        assert environment.observation_space.contains(first)
        total, done = 0.0, False
        while not done:
            _, reward, terminated, truncated, _ = environment.step(environment.action_space.sample())
            total, done = total + reward, terminated or truncated
        steps = environment.count
        again, _ = environment.reset(seed=1)
        assert np.array_equal(first, again)
        print(f"{name}: {steps} steps, return {total:.1f} with random torques")


if __name__ == "__main__":
    main()
