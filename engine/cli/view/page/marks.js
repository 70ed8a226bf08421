// Marks on the stage: contact forces, friction cones, traces, frames, centres of mass, and the bodies' colours.

const forceColour = 0xd50000;

function magnitude([x, y, z]) {
  return Math.hypot(x, y, z);
}

// The value that a part of all are below.
function quantile(values, part) {
  const sorted = Float32Array.from(values).sort();
  return sorted.length > 0 ? sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] : 0;
}

// From white over yellow to red.
function heat(part, colour) {
  return colour.setHSL(0.16 * (1 - part), 0.85, 0.88 - 0.42 * part);
}

class Marks {
  constructor(stage) {
    this.stage = stage;
    this.run = stage.run;
    const forces = [];
    for (let i = 0; i < this.run.contacts.length / 6; i++) {
      const force = magnitude(this.run.contacts.subarray(6 * i + 3, 6 * i + 6));
      if (force > 0) forces.push(force);
    }
    this.strong = quantile(forces, 0.9);
    this.energetic = this.run.energies ? quantile(this.run.energies, 0.98) : 0;
    this.arrows = [];
    // What lies inside a body or behind it is seen palely.
    this.hidden = new THREE.MeshBasicMaterial({ color: forceColour, transparent: true, opacity: 0.55, depthWrite: false,
      depthFunc: THREE.GreaterDepth });
    this.hulls = [];
    this.forces = new THREE.Group();
    this.cones = new THREE.Group();
    this.traces = new THREE.Group();
    this.frames = new THREE.Group();
    this.centres = new THREE.Group();
    stage.scene.add(this.forces, this.cones, this.traces, this.frames, this.centres);
    for (const group of [this.cones, this.traces, this.frames, this.centres]) group.visible = false;
    this.addFrames();
    this.addCentres();
    this.traced = new Map();
    this.colour = 'own';
    this.picked = -1;
  }

  arrow() {
    const size = this.stage.size / 110;
    const material = new THREE.MeshPhongMaterial({ color: forceColour, emissive: 0x550000 });
    const group = new THREE.Group();
    const shaft = new THREE.Mesh(new THREE.CylinderBufferGeometry(size / 2, size / 2, 1, 10).translate(0, 0.5, 0), material);
    const head = new THREE.Mesh(new THREE.ConeBufferGeometry(1.5 * size, 4 * size, 14).translate(0, -2 * size, 0), material);
    const foot = new THREE.Mesh(new THREE.SphereBufferGeometry(size, 12, 8), material);
    group.add(shaft, head, foot);
    for (const mesh of [shaft, head, foot]) mesh.add(new THREE.Mesh(mesh.geometry, this.hidden));
    this.forces.add(group);
    return { group, shaft, head, size };
  }

  // A force of usual strength is a third of the mechanism's size long; length grows as the root of force.
  showForces(contacts) {
    while (this.arrows.length < contacts.length) this.arrows.push(this.arrow());
    this.arrows.forEach(({ group, shaft, head, size }, i) => {
      group.visible = i < contacts.length;
      if (!group.visible) return;
      const { point, force } = contacts[i];
      const strength = magnitude(force);
      const length = this.strong > 0 ? this.stage.size * Math.min(0.5, 0.3 * Math.sqrt(strength / this.strong)) : 0;
      shaft.visible = head.visible = length > 0;
      group.position.fromArray(point);
      if (length === 0) return;
      group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3().fromArray(force).normalize());
      shaft.scale.y = Math.max(1e-9, length - 3 * size);
      head.position.y = Math.max(length, 4 * size);
    });
  }

  // Forces that stick lie inside, those that slide on it: the axis is the normal, the slope the friction coefficient.
  hull() {
    const material = new THREE.MeshPhongMaterial({ color: 0x2a9d8f, transparent: true, opacity: 0.3, side: THREE.DoubleSide,
      depthWrite: false });
    const mesh = new THREE.Mesh(new THREE.ConeBufferGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0), material);
    this.cones.add(mesh);
    return mesh;
  }

  showCones(contacts) {
    const known = contacts.filter(({ cone }) => cone && cone[3] > 0);
    while (this.hulls.length < known.length) this.hulls.push(this.hull());
    const long = this.stage.size / 8;
    this.hulls.forEach((mesh, i) => {
      mesh.visible = i < known.length;
      if (!mesh.visible) return;
      const { point, cone } = known[i];
      const height = long / Math.hypot(1, cone[3]); // as long along its side, whatever the friction
      mesh.position.fromArray(point);
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(cone[0], cone[1], cone[2]));
      mesh.scale.set(height * cone[3], height, height * cone[3]);
    });
  }

  addFrames() {
    this.axes = this.run.frames.map((frame) => {
      const axes = new THREE.AxesHelper(this.stage.size / 8);
      axes.userData.frame = frame;
      axes.userData.position = new THREE.Vector3().fromArray(frame.position);
      axes.userData.rotation = new THREE.Quaternion().fromArray(frame.rotation);
      this.frames.add(axes);
      return axes;
    });
    this.frames.add(new THREE.AxesHelper(this.stage.size / 4)); // the world's
  }

  addCentres() {
    const ball = (radius, colour) => new THREE.Mesh(new THREE.SphereBufferGeometry(radius, 16, 12),
      new THREE.MeshPhongMaterial({ color: colour, depthTest: false, transparent: true }));
    this.balls = this.run.bodies.map(() => ball(this.stage.size / 90, 0x30343a));
    this.common = ball(this.stage.size / 45, 0xd55e00);
    this.centres.add(...this.balls, this.common);
    for (const mesh of this.centres.children) mesh.renderOrder = 1;
  }

  showCentres() {
    this.run.bodies.forEach((body, i) => this.stage.centreOf(i, this.balls[i].position));
    this.common.visible = this.stage.mass > 0;
    this.stage.centreOf(-1, this.common.position.set(0, 0, 0));
  }

  showFrames() {
    for (const axes of this.axes) {
      const { frame, position, rotation } = axes.userData;
      const group = this.stage.group(frame.body);
      axes.position.copy(group.localToWorld(position.clone()));
      axes.quaternion.copy(group.quaternion).multiply(rotation);
    }
  }

  // The path of a body's centre of mass.
  trace(body) {
    if (this.traced.has(body)) return this.traced.get(body);
    const points = new Float32Array(3 * this.run.time.length);
    const at = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    for (let frame = 0; frame < this.run.time.length; frame++) {
      const com = new THREE.Vector3().fromArray(this.run.bodies[body].com);
      com.applyQuaternion(this.run.rotation(body, frame, turn)).add(this.run.position(body, frame, at));
      com.toArray(points, 3 * frame);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: palette[body % palette.length] }));
    line.frustumCulled = false;
    this.traces.add(line);
    this.traced.set(body, line);
    return line;
  }

  // Of the picked body, else of those at the ends of the tree.
  showTraces(moment) {
    const isEnd = (i) => this.run.bodies.every((body) => body.parent !== i);
    const wanted = this.picked >= 0 ? [this.picked] : this.run.bodies.map((body, i) => i).filter(isEnd).slice(0, 40);
    for (const line of this.traced.values()) line.visible = false;
    for (const body of wanted) {
      const line = this.trace(body);
      line.visible = true;
      line.geometry.setDrawRange(0, moment.frame + 1);
    }
  }

  // Forces on a body: [sum of their sizes, contacts].
  load(body, contacts) {
    return contacts.filter(({ pair }) => pair.bodies.includes(body))
      .reduce((sum, { force }) => sum + magnitude(force), 0);
  }

  paint(moment, contacts) {
    this.run.bodies.forEach((body, i) => {
      const { color, emissive } = this.stage.materials[i];
      const faceted = this.stage.materials[i].userData.faceted;
      if (this.colour === 'own') color.setHex(palette[i % palette.length]);
      else if (this.colour === 'kinetic energy')
        heat(this.energetic > 0 ? Math.min(1, this.run.energy(i, moment.frame) / this.energetic) : 0, color);
      else heat(this.strong > 0 ? Math.min(1, this.load(i, contacts) / (2 * this.strong)) : 0, color);
      emissive.setHex(i === this.picked ? 0x444444 : 0x000000);
      if (faceted) faceted.emissive.copy(emissive);
    });
  }

  show(moment) {
    const contacts = this.run.touching(moment.frame);
    if (this.forces.visible) this.showForces(contacts);
    if (this.cones.visible) this.showCones(contacts);
    if (this.frames.visible) this.showFrames();
    if (this.centres.visible) this.showCentres();
    if (this.traces.visible) this.showTraces(moment);
    this.paint(moment, contacts);
  }
}
