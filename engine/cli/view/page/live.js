// A run that goes on: states come as events, the page shows the newest unless one looks back; a body that is dragged is
// pushed.

class Live {
  constructor(page) {
    this.page = page;
    this.room = 0;
    this.isDue = false;
    this.stream = new EventSource('states');
    this.stream.onmessage = (event) => this.take(JSON.parse(event.data));
    this.drag = null;
    if (page.stage) this.addPointer();
  }

  // Arrays of the run with room for more, twice as much each time.
  grow(contacts) {
    const { run } = this.page;
    const n = run.time.length;
    if (n < this.room && this.contactRoom >= contacts) return;
    this.room = Math.max(1024, 2 * n);
    this.contactRoom = Math.max(4096, 2 * contacts);
    const larger = (values, length) => {
      const all = new values.constructor(length);
      all.set(values);
      return all;
    };
    this.all = {
      time: larger(run.time, this.room),
      positions: larger(run.positions, 3 * this.room * run.bodies.length),
      rotations: larger(run.rotations, 4 * this.room * run.bodies.length),
      contactEnds: larger(run.contactEnds, this.room),
      contactPair: larger(run.contactPair, this.contactRoom),
      contacts: larger(run.contacts, 6 * this.contactRoom),
    };
  }

  pair(a, b) {
    const { run } = this.page;
    const name = (body) => (body < 0 ? 'world' : run.bodies[body].name);
    const found = run.pairs.findIndex(({ bodies }) => bodies[0] === a && bodies[1] === b);
    return found >= 0 ? found : run.pairs.push({ a: name(a), b: name(b), bodies: [a, b] }) - 1;
  }

  take(state) {
    const { run, player } = this.page;
    if (state.end) {
      this.stream.close();
      return;
    }
    const n = run.time.length;
    if (state.time <= run.time[n - 1]) return;
    const first = run.contactEnds[n - 1];
    const end = first + state.contacts.length;
    this.grow(end);
    const { all } = this;
    all.time[n] = state.time;
    state.bodies.forEach((values, i) => {
      all.positions.set(values.slice(0, 3), 3 * (n * run.bodies.length + i));
      all.rotations.set(values.slice(3), 4 * (n * run.bodies.length + i));
    });
    state.contacts.forEach(([a, b, ...values], i) => {
      all.contactPair[first + i] = this.pair(a, b);
      all.contacts.set(values, 6 * (first + i));
      if (this.page.marks) this.page.marks.strong = Math.max(this.page.marks.strong, magnitude(values.slice(3)));
    });
    all.contactEnds[n] = end;
    const counts = { time: n + 1, contactEnds: n + 1, contactPair: end, contacts: 6 * end,
      positions: 3 * (n + 1) * run.bodies.length, rotations: 4 * (n + 1) * run.bodies.length };
    for (const [name, count] of Object.entries(counts)) run[name] = all[name].subarray(0, count);
    const wasAtEnd = player.time >= run.end;
    run.end = state.time;
    if (wasAtEnd && !player.isPlaying) this.showNewest();
  }

  // Once a frame of the screen, however fast states come.
  showNewest() {
    const { run, player } = this.page;
    player.time = run.end;
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      player.changed();
    });
  }

  send(force) {
    const { body, point } = this.drag;
    const at = this.page.stage.bodies[body].localToWorld(point.clone());
    fetch('push', { method: 'POST', body: [body, ...at.toArray(), ...force].join(' ') }).catch(() => {});
  }

  // A force along the way dragged, in the plane that faces the eye: thirty times the weight for the mechanism's size.
  addPointer() {
    const { stage } = this.page;
    const { canvas } = stage;
    const ray = (event) => {
      const caster = new THREE.Raycaster();
      caster.setFromCamera({ x: 2 * event.offsetX / canvas.clientWidth - 1, y: 1 - 2 * event.offsetY / canvas.clientHeight },
        stage.camera);
      return caster;
    };
    canvas.addEventListener('pointerdown', (event) => {
      const picked = event.button === 0 ? stage.pick(event.offsetX, event.offsetY) : null;
      if (!picked || picked.body < 0) return;
      const [hit] = ray(event).intersectObjects([stage.bodies[picked.body]], true);
      if (!hit) return;
      stage.orbit.enabled = false;
      const point = stage.bodies[picked.body].worldToLocal(hit.point.clone());
      const facing = stage.camera.getWorldDirection(new THREE.Vector3());
      this.drag = { body: picked.body, point, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point), last: 0 };
    }, true);
    canvas.addEventListener('pointermove', (event) => {
      if (!this.drag || performance.now() - this.drag.last < 30) return;
      this.drag.last = performance.now();
      const target = ray(event).ray.intersectPlane(this.drag.plane, new THREE.Vector3());
      if (!target) return;
      const at = stage.bodies[this.drag.body].localToWorld(this.drag.point.clone());
      const strength = 300 * Math.max(stage.mass, 1e-3) / stage.size;
      this.send(target.sub(at).multiplyScalar(strength).clampLength(0, 9e5).toArray());
    });
    const release = () => {
      if (!this.drag) return;
      this.send([0, 0, 0]);
      this.drag = null;
      stage.orbit.enabled = true;
    };
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) canvas.addEventListener(name, release);
  }
}
