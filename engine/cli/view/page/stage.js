// The stage: bodies with their shapes, sticks where shapes do not reach, the ground, light, the camera.

const palette = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00];
const worldColour = 0xb4bbc4;
const rodColour = 0x7a828c;

// 1, 2 or 5 times a power of ten, at most this long.
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const mantissa = length / power;
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power;
}

class Stage {
  constructor(run, canvas) {
    this.run = run;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0xf4f6f8);
    this.world = new THREE.Group();
    this.bodies = run.bodies.map((body, i) => {
      const group = new THREE.Group();
      group.userData.body = i;
      return group;
    });
    this.scene.add(this.world, ...this.bodies);
    this.materials = run.bodies.map((body, i) => this.material(palette[i % palette.length]));
    this.worldMaterial = this.material(worldColour);
    this.rods = [];
    this.contactShapes = [];
    this.grids = [];
    this.addShapes();
    this.measure();
    this.addGround();
    this.addSticks();
    this.addLight();
    this.addCamera();
  }

  material(colour, more) {
    return new THREE.MeshPhongMaterial({ color: colour, shininess: 25, specular: 0x222222, ...more });
  }

  group(body) {
    return body < 0 ? this.world : this.bodies[body];
  }

  // Shapes for the eye where a body has any, those for contact else; these can be shown besides.
  addShapes() {
    const hasVisual = new Set(this.run.shapes.filter((shape) => shape.visual).map((shape) => shape.body));
    this.solids = this.run.shapes.filter((shape) => shape.kind !== 'half-space').map((shape) => {
      const base = shape.body < 0 ? this.worldMaterial : this.materials[shape.body];
      const isSpare = !shape.visual && hasVisual.has(shape.body);
      let material = base;
      if (isSpare) material = this.material(0xd55e00, { wireframe: true });
      else if (isFaceted(shape)) material = this.faceted(shape.body);
      const mesh = new THREE.Mesh(geometryOf(shape), material);
      mesh.position.fromArray(shape.position);
      mesh.quaternion.fromArray(shape.rotation);
      mesh.castShadow = !isSpare;
      mesh.receiveShadow = !isSpare;
      mesh.visible = !isSpare;
      mesh.userData.shape = shape;
      if (isSpare) this.contactShapes.push(mesh);
      this.group(shape.body).add(mesh);
      return mesh;
    });
  }

  // The body's colour on flat faces, seen from both sides.
  faceted(body) {
    const base = body < 0 ? this.worldMaterial : this.materials[body];
    if (!base.userData.faceted) {
      base.userData.faceted = this.material(base.color, { flatShading: true, side: THREE.DoubleSide });
      base.userData.faceted.color = base.color; // one colour, so that it changes for both
    }
    return base.userData.faceted;
  }

  // Bounds of what moves, at some of the times: `radius` of them all, `size` of the largest at one time, which sizes of
  // marks follow. What travels far is followed by the camera.
  measure() {
    const { run } = this;
    const boxes = run.bodies.map((body) => new THREE.Box3().setFromPoints([new THREE.Vector3(), new THREE.Vector3().fromArray(body.com)]));
    const still = new THREE.Box3();
    for (const mesh of this.solids) {
      mesh.updateMatrix();
      mesh.geometry.computeBoundingBox();
      const { body } = mesh.userData.shape;
      (body < 0 ? still : boxes[body]).union(mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrix));
    }
    const bounds = new THREE.Box3();
    const origins = new THREE.Box3();
    const every = Math.max(1, Math.floor(run.time.length / 100));
    let largest = 0;
    for (let frame = 0; frame < run.time.length; frame += every) {
      const now = new THREE.Box3();
      this.bodies.forEach((group, body) => {
        run.place(body, { frame, part: 0 }, group);
        group.updateMatrix();
        origins.expandByPoint(group.position);
        now.union(boxes[body].clone().applyMatrix4(group.matrix));
      });
      bounds.union(now);
      largest = Math.max(largest, now.isEmpty() ? 0 : now.getSize(new THREE.Vector3()).length());
    }
    const size = (box) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());
    if (size(bounds) === 0 || size(still) < 3 * size(bounds)) bounds.union(still);
    if (bounds.isEmpty()) bounds.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.bounds = bounds;
    this.spread = origins.isEmpty() ? new THREE.Vector3() : origins.getSize(new THREE.Vector3());
    this.centre = bounds.getCenter(new THREE.Vector3());
    this.radius = Math.max(1e-6, size(bounds) / 2);
    this.size = largest > 0 ? Math.max(largest / 2, this.radius / 100) : this.radius;
    this.follows = this.size < this.radius / 4;
    this.focus = this.centre.clone();
    this.mass = run.bodies.reduce((sum, body) => sum + body.mass, 0);
  }

  // The part of a half-space's plane near the bounds, seen from outside alone, with a grid.
  addGround() {
    for (const shape of this.run.shapes) {
      if (shape.kind !== 'half-space') continue;
      const plane = new THREE.Group();
      plane.quaternion.fromArray(shape.rotation);
      const step = roundLength(Math.max(this.size / 2, this.radius / 20));
      const size = 2 * step * Math.ceil(1.6 * this.radius / step);
      const foot = this.centre.clone().sub(new THREE.Vector3().fromArray(shape.position))
        .applyQuaternion(plane.quaternion.clone().inverse());
      foot.set(step * Math.round(foot.x / step), step * Math.round(foot.y / step), 0);
      plane.position.fromArray(shape.position).add(foot.applyQuaternion(plane.quaternion));
      const ground = new THREE.Mesh(new THREE.PlaneBufferGeometry(size, size), this.material(0xcdd2d9, { shininess: 0 }));
      ground.receiveShadow = true;
      ground.userData.shape = shape;
      const grid = new THREE.GridHelper(size, Math.round(size / step), 0x9aa2ac, 0xc4cad2).rotateX(Math.PI / 2);
      grid.position.z = 1e-3 * this.size;
      grid.material.transparent = true;
      grid.material.opacity = 0.7;
      plane.add(ground, grid);
      this.group(shape.body).add(plane);
      this.grids.push(grid);
    }
  }

  stick(group, from, to, material, thickness = 1) {
    const along = to.clone().sub(from);
    const length = along.length();
    if (length < 1e-9) return null;
    const radius = thickness * this.size / 130;
    const mesh = new THREE.Mesh(new THREE.CylinderBufferGeometry(radius, radius, 1, 12), material);
    mesh.castShadow = true;
    this.stretch(mesh, from, to);
    group.add(mesh);
    return mesh;
  }

  stretch(mesh, from, to) {
    const along = to.clone().sub(from);
    mesh.scale.set(1, Math.max(1e-9, along.length()), 1);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
  }

  knob(group, at, material) {
    const mesh = new THREE.Mesh(new THREE.SphereBufferGeometry(this.size / 75, 16, 12), material);
    mesh.position.copy(at);
    mesh.castShadow = true;
    group.add(mesh);
  }

  // Sticks and knobs of the run; rods of loops, which reach from body to body.
  addSticks() {
    const { run } = this;
    const dark = this.material(0x30343a);
    const at = (values) => new THREE.Vector3().fromArray(values);
    for (const { body, from, to } of run.sticks) this.stick(this.bodies[body], at(from), at(to), this.materials[body]);
    for (const knob of run.knobs)
      this.knob(this.group(knob.body), at(knob.at), knob.pivot ? dark : this.materials[knob.body]);
    for (const closure of run.closures) {
      if (closure.rod) this.rods.push({ closure, mesh: this.stick(this.scene, new THREE.Vector3(0, 0, 0),
        new THREE.Vector3(0, 0, 1), this.material(rodColour), 0.8) });
    }
  }

  get up() {
    const gravity = new THREE.Vector3().fromArray(this.run.gravity);
    return gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
  }

  addLight() {
    const sun = new THREE.DirectionalLight(0xffffff, 0.75);
    const aside = new THREE.Vector3(0.45, -0.6, 0.1).applyQuaternion(
      new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up));
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    const reach = 1.2 * Math.min(this.radius, 4 * this.size);
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * reach, far: 6 * reach });
    sun.shadow.bias = -0.0005;
    this.sun = sun;
    this.sunward = this.up.multiplyScalar(2 * reach).addScaledVector(aside, 2 * reach);
    const sky = new THREE.HemisphereLight(0xffffff, 0xc8ccd2, 0.55);
    sky.position.copy(this.up);
    this.scene.add(sun, sun.target, sky);
  }

  // What moves in a plane is seen from nearly straight ahead.
  direction() {
    const { up, spread } = this;
    const widest = Math.max(spread.x, spread.y, spread.z, 1e-12);
    const flat = ['x', 'y', 'z'].find((axis) => spread[axis] < 0.02 * widest && Math.abs(up[axis]) < 0.7);
    const ahead = new THREE.Vector3(0.75, -1, 0);
    if (flat === 'x') ahead.set(1, -0.3, 0);
    if (flat === 'y') ahead.set(0.3, -1, 0);
    if (flat === 'z') ahead.set(0.2, -0.3, 1);
    return ahead.addScaledVector(up, 0.4 - ahead.dot(up)).normalize();
  }

  addCamera() {
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.02 * this.size, 60 * this.radius);
    this.camera.up.copy(this.up);
    this.orbit = new THREE.OrbitControls(this.camera, this.canvas);
    this.orbit.enableKeys = false;
    this.look();
  }

  // Puts the camera where all can be seen, or what it follows.
  look(direction = this.direction()) {
    const reach = this.follows ? 1.6 * this.size : this.radius;
    const distance = 1.05 * reach / Math.sin(this.camera.fov * Math.PI / 360);
    this.orbit.target.copy(this.focus);
    this.camera.position.copy(this.focus).addScaledVector(direction, distance);
    this.orbit.update();
  }

  // The centre of mass of a body, or of all for -1.  @param out  zero
  centreOf(body, out) {
    const centre = (i) => this.bodies[i].localToWorld(new THREE.Vector3().fromArray(this.run.bodies[i].com));
    if (body >= 0) return out.copy(centre(body));
    if (!(this.mass > 0)) return out.copy(this.centre);
    this.run.bodies.forEach(({ mass }, i) => out.addScaledVector(centre(i), mass / this.mass));
    return out;
  }

  // Moves camera and sun along with a body (-1: all), or back to the centre.
  follow(body) {
    const focus = this.follows ? this.centreOf(body, new THREE.Vector3()) : this.centre;
    const way = focus.clone().sub(this.focus);
    this.focus.copy(focus);
    this.camera.position.add(way);
    this.orbit.target.add(way);
    this.camera.lookAt(this.orbit.target);
    this.sun.position.copy(this.focus).add(this.sunward);
    this.sun.target.position.copy(this.focus);
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / Math.max(1, clientHeight);
    this.camera.updateProjectionMatrix();
  }

  show(moment) {
    this.bodies.forEach((group, i) => this.run.place(i, moment, group));
    this.scene.updateMatrixWorld();
    for (const { closure, mesh } of this.rods) {
      const ends = closure.bodies.map((body, side) =>
        this.group(body).localToWorld(new THREE.Vector3().fromArray(side === 0 ? closure.a : closure.b)));
      this.stretch(mesh, ends[0], ends[1]);
    }
  }

  draw() {
    for (const grid of this.grids) grid.visible = grid.worldToLocal(this.camera.position.clone()).y > 0;
    this.renderer.render(this.scene, this.camera);
  }

  // The body under a point of the canvas, -1 for the world, null for nothing.
  pick(x, y) {
    const { clientWidth, clientHeight } = this.canvas;
    const ray = new THREE.Raycaster();
    ray.setFromCamera({ x: 2 * x / clientWidth - 1, y: 1 - 2 * y / clientHeight }, this.camera);
    const hit = ray.intersectObjects([this.world, ...this.bodies], true).find(({ object }) => object.isMesh && object.visible);
    if (!hit) return null;
    let object = hit.object;
    while (object && object.userData.body === undefined && object !== this.world) object = object.parent;
    return { body: object && object !== this.world ? object.userData.body : -1, shape: hit.object.userData.shape };
  }

  // Where a point of the world is on the canvas, in pixels.
  project(point) {
    const seen = point.clone().project(this.camera);
    return { x: (seen.x + 1) / 2 * this.canvas.clientWidth, y: (1 - seen.y) / 2 * this.canvas.clientHeight };
  }
}
